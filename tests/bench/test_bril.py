"""All contestants of the benchmark `bril` give equal results. A gradient's memory stays below a limit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from eglantine import bril
from tests.bril.corpus import PROGRAMS
from tests.bril.twins import TWINS


@pytest.fixture
def group() -> Any:
    pytest.importorskip("playwright")
    pytest.importorskip("wasmtime")
    from bench.groups import bril as group

    return group


def test_all_contestants_of_the_group_bril_agree(group: Any) -> None:
    every = list(group.rows(SimpleNamespace(check=True, say=lambda _: None)))
    twins = [row for row in every if "in Python" in row.title]
    sizes = [row for row in every if row.title == "  module"]
    rest = [row for row in every if row not in twins and row not in sizes]
    rows = [row for row in rest if "memory" not in row.title and "for each" not in row.title]
    of_memory = [row for row in every if "memory" in row.title]
    each = [row.series["ours"].samples[0] for row in every if row.title.startswith("  for each")]
    assert len(of_memory) == len(each) == 13 + len(group.DEPTHS)  # the programs that print a float
    assert all(
        bytes_each <= group.BYTES_AN_INSTRUCTION or row.series["ours"].samples[0] <= 5 * group.PAGE
        for row, bytes_each in zip(of_memory, each, strict=True)
        if "10,000 calls" not in row.title
    )
    assert len(rows) == 13 + 1 + len(group.INPUTS)
    assert len(twins) == len(sizes) == 2 * len(TWINS)
    assert all(row.reached for row in sizes)
    assert [row.wrong for row in (*rows, *twins) if row.wrong] == []
    assert all(len(row.compared) == 2 for row in (*rows, *twins))


def test_with_floats_prints_each_int_as_the_float_with_these_bits(group: Any) -> None:
    text = PROGRAMS["long/dead-branch"]["text"]
    assert bril.parse(text).run() == "50\n"
    assert group.with_floats(text).run() == "2.47032822920623272e-322\n"
