"""The checker's error names the first invalid row and explains the mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import eglantine as eg
from eglantine.ir.builder import Builder
from eglantine.ir.checker import check
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import F64, I1, I32, Acc, Array
from eglantine.reader import parse
from tests.showing import text

HEADER = "f(%1: f64, %2: i1, %3: i32[0..4], %4: f64[3]) -> f64:\n"

WRONG = {
    "  %5: f64 = add %1 %2\n  return %5": "operand 2 must be f64, but it is i1",
    "  %5: i1 = add %1 %1\n  return %5": "it declares the type i1 and computes f64",
    "  %5: i32[0..1] = iadd %3 1\n  return %1": "it declares the type i32[0..1] and computes i32[1..5]",
    "  %5: f64 = index %4 %3\n  return %5": "the index i32[0..4] may leave an array of 3",
    "  %5: f64 = select %1 %1 %1\n  return %5": "the condition must have the type i1, but it has f64",
    "  %5: f64[2] = stack %1 %2\n  return %1": "an element must have the type f64, but it has i1",
    "  %5: f64[3] = stack %1 %1\n  return %1": "it stacks 2 as f64[3]",
    "  %5: f64, %6: f64 = call f %1 %2 %3 %4\n  return %5": "there are only 1 results",
    "  %5: f64 = call f %1\n  return %5": "it expects 4 arguments",
    "  %5: acc[] = acc\n  %6: f64 = acc_read %5\n  add_to %5 %1\n  return %6": (
        "the accumulator 5 has been read already"
    ),
    "  %5: acc[2] = acc\n  add_to %5 %1\n  return %1": (
        "the summand must have the type f64[2], but it has f64"
    ),
    "  %5: acc[] = acc\n  return %5": "it returns row 5, which is no value",
    "  loop %5: i32[0..0] < 3:\n    yield\n  return %1": (
        "the index i32[0..0] does not reach as far as i32[0..2]"
    ),
    "  %5: f64 = loop %6: i32[0..2] < 3 carry (%7: f64 = %1):\n    %8: i1 = lt %7 1.0\n    yield %8\n"
    "  return %5": "carry 0 of type f64 becomes i1",
    "  %5: f64 = loop %6: i32[0..9] < %3 of 3 carry (%7: f64 = %1):\n    yield %7\n  return %5": (
        "the count must have the type i32[0..3], but it has i32[0..4]"
    ),
    "  %5: acc[] = acc\n  loop %6: i32[0..0] < 1 with (%7: acc[] = %5):\n    %8: f64 = acc_read %7\n"
    "    yield\n  return %1": "an accumulator is read inside a body that adds to it",
    "  %5: f64 = loop %6: i32[0..2147483646] while carry (%7: f64 = %1):\n"
    "    test (%8: i32[0..2147483646], %9: f64):\n      yield %9\n"
    "    do:\n      yield %7\n  return %5": "its test returns (f64,)",
    "  %5: f64 = loop %6: i32[0..2147483646] while carry (%7: f64 = %1):\n"
    "    test (%8: i32[0..2147483646]):\n      yield true\n"
    "    do:\n      yield %7\n  return %5": "its test has other parameters than its body",
    "  %5: f64 trips %6: i32[0..2147483647] = loop %7: i32[0..0] < 1 carry (%8: f64 = %1):\n    yield %8\n"
    "  return %5": "only a while loop has trips",
    "  %5: acc[?] = acc\n  return %1": "it has 0 lengths for acc[?]",
    "  %5: f64 = cond %2:\n    then:\n      yield 1.0\n    else:\n      yield true\n  return %5": (
        "it declares the type f64 and computes i1"
    ),
}


@pytest.mark.parametrize("rows", WRONG)
def test_a_malformed_row_is_found(rows: str) -> None:
    with pytest.raises(eg.CompileError) as caught:
        parse(HEADER + rows)
    assert str(caught.value).endswith(f"{WRONG[rows]}.")


def test_the_message_names_the_row_the_function_and_the_reason() -> None:
    with pytest.raises(eg.CompileError) as caught:
        parse(HEADER + "  %5: f64 = add %1 %2\n  return %5")
    assert (
        str(caught.value)
        == text("""
        This program is malformed at row 5 ('add', 1, 2) of f: operand 2 must be f64, but it is i1.
        """).strip()
    )


def function_of(block: Block) -> Function:
    types: dict[str, Any] = {"leaf_params": block.param_types, "leaf_results": block.result_types}
    return Function("f", (eg.Real,) * len(block.params), eg.Real, block, **types)


def a_block() -> Block:
    b = Builder()
    x = b.param(F64)
    return b.finish([b.mul(x, b.const(2.0))])


BROKEN = {
    "row 0 is not the symbolic zero": lambda block: replace(block, rows=(("param", 0), *block.rows[1:])),
    "3 rows, 3 types and 2 sources": lambda block: replace(block, sources=block.sources[:2]),
    "it uses row 2, which is not there before it": lambda block: replace(
        block, rows=(*block.rows[:2], ("mul", 1, 2))
    ),
    "it uses the symbolic zero": lambda block: replace(block, rows=(*block.rows[:2], ("mul", 0, 1))),
    "it uses row -2, which is not there before it": lambda block: replace(
        block, rows=(*block.rows[:2], ("mul", -2, 1))
    ),
    "no such operation": lambda block: replace(block, rows=(*block.rows[:2], ("mull", 1, 1))),
    "the constant 2 is not of its type f64": lambda block: replace(block, consts=(2,)),
    "row 2 is listed as parameter 0, but does not hold `param 0`": lambda block: replace(block, params=(2,)),
}


@pytest.mark.parametrize("reason", BROKEN)
def test_a_malformed_block_is_found(reason: str) -> None:
    block = a_block()
    check(function_of(block))
    with pytest.raises(eg.CompileError) as caught:
        check(function_of(BROKEN[reason](block)))
    assert str(caught.value).endswith(f"{reason}.")


def test_an_index_type_fits_into_a_type_with_wider_bounds() -> None:
    from eglantine.ir.row_types import fits

    assert fits(I32(0, 2), I32(0, 5))
    assert not fits(I32(0, 6), I32(0, 5))
    assert fits(Array(I32(1, 2), (3,)), Array(I32(0, 5), (3,)))
    assert not fits(Array(F64, (3,)), Array(F64, (4,)))
    assert not fits(I1, F64)
    assert fits(Acc(()), Acc(()))
