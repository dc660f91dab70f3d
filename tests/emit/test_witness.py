"""For each row, the emitter calls a function, the witness, with the row and the range of its bytes."""

from __future__ import annotations

from collections import Counter

import pytest

import eglantine as eg
from eglantine import inside
from eglantine.emit import entry, expressions
from eglantine.ir.program import Block
from tests.laws.comparing import vjp_of
from tests.programs import Recorded, function_of, plan


@eg.fn
def cubed(x: eg.Real) -> eg.Real:
    return x * x * x


def test_a_witness_counts_the_bytes_of_each_row() -> None:
    counts: Counter[str] = Counter()

    def witness(block: Block, row: int, start: int, end: int) -> None:
        counts[str(block.rows[row][0])] += end - start

    ready = inside.optimise(cubed.function)
    artifact = inside.emit(ready, inside.ready_library, witness=witness)
    listing = [line.strip() for line in artifact.wat.splitlines()]
    multiplications = listing.count("f64.mul")
    assert multiplications == 2
    load_and_address = len(b"\x41\x00\x2b\x03") + 1 + len(b"\x22\x00")
    assert counts == {"mul": multiplications, "param": load_and_address}


def test_a_witness_gets_ranges_of_bytes_in_order_and_inside_the_module() -> None:
    told: list[tuple[int, int]] = []
    ready = inside.optimise(vjp_of(cubed).function)
    artifact = inside.emit(ready, inside.ready_library, witness=lambda *place: told.append(place[2:]))
    ends = [end for _, end in told]
    assert all(start < end for start, end in told)
    assert all(end <= start for end, (start, _) in zip(ends, told[1:], strict=False))
    assert ends[-1] <= len(artifact.wasm)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("is_cut", [False, True])
def test_a_witness_changes_no_byte(seed: int, is_cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_cut:
        monkeypatch.setattr(entry, "CUT_ROWS", 0)
        monkeypatch.setattr(entry, "PART_INSTRUCTIONS", 1 + seed)
        monkeypatch.setattr(expressions, "TREE_STEPS", range(1 + seed % 9))
    f = function_of(plan(Recorded(seed)))
    for g in (f, vjp_of(f)):
        try:
            ready = inside.optimise(g.function)
        except eg.EglantineError:
            continue
        watched = inside.emit(ready, inside.ready_library, witness=lambda *_: None)
        assert watched.wasm == inside.emit(ready, inside.ready_library).wasm
