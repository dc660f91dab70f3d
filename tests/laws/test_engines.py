"""The interpreter, wasmtime and V8 return the same bits. Compiling a function again gives the same bytes.

Most programs are drawn from seeds, because Hypothesis takes ten times as long. If a program fails, the
report contains its seed and a smaller failing program. Nightly runs use new seeds each day.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eglantine as eg
from tests.emit.node import node
from tests.laws.agreement import SECOND_ORDER, agrees, all_of_first_order, report
from tests.laws.comparing import programs
from tests.programs import Plan, Recorded, drawn, function_of, plan, plans
from tests.programs.tracing import STATEMENTS
from tests.seeds import NIGHTLY, first_seed

pytest.importorskip("wasmtime")

BLOCK = 25
"""The number of programs in one test. It is small so that the tests spread over all processes."""
BLOCKS = 4_000 if NIGHTLY else 4
FIRST = first_seed(0)
MOST_READ = 1_500
"""The largest number of programs among which we look for every kind of statement. A nightly run draws more
programs."""


@pytest.mark.parametrize("block", range(BLOCKS))
def test_three_engines_agree_on_value_and_derivatives(block: int, record_property: Any) -> None:
    first = FIRST + block * BLOCK
    record_property("seeds", (first, BLOCK))
    for seed in range(first, first + BLOCK):
        try:
            agrees(Recorded(seed), node())
        except Exception:  # noqa: BLE001 - any error is a failure, to be shrunk
            pytest.fail(report(seed, node()), pytrace=False)


@settings(max_examples=programs(40))
@given(st.data())
def test_three_engines_agree_on_programs_that_hypothesis_finds(data: st.DataObject) -> None:
    agrees(drawn(data.draw), node(), size=6)


@settings(max_examples=programs(40))
@given(plans(), st.sampled_from([all_of_first_order, *SECOND_ORDER]))
def test_compiling_a_program_again_gives_the_same_bytes(of: Plan, transform: Any) -> None:
    first, second = (eg.compile_artifact(transform(function_of(of))) for _ in range(2))
    assert first.wasm == second.wasm
    assert first.abi == second.abi


def test_node_is_installed_for_the_third_engine() -> None:
    if "EGLANTINE_REQUIRE_BROWSER" in os.environ:
        assert node() is not None


def test_the_programs_of_a_run_contain_every_kind_of_statement() -> None:
    found: set[str] = set()
    for seed in range(FIRST, FIRST + min(BLOCKS * BLOCK, MOST_READ)):
        pending: list[Any] = [plan(Recorded(seed))]
        while pending:
            item = pending.pop()
            if isinstance(item, Plan):
                pending += [*item.body, *item.callees]
            elif isinstance(item, tuple):
                found |= {item[0]} if item and isinstance(item[0], str) else set()
                pending += item
    assert found >= STATEMENTS
