"""Malformed IR text raises an error that gives the line and column of the first mistake."""

from __future__ import annotations

import pytest

import eglantine as eg
from eglantine.interpreter.machine import run
from eglantine.mathlib.library import library
from eglantine.printer import pretty
from eglantine.reader import parse
from tests.showing import text

MISTAKES = {
    "": "The text is empty, but it must be a printed function. Pass the text of a printed function.",
    "  return %1": (
        "`return` stands on line 1, column 2, but this place needs a function's header, "
        "which is not indented."
    ),
    "f(%1: f46) -> f64:": (
        "`f46` stands on line 1, column 6, but this place needs a type: f64, i1, i64, "
        "i32[0..4], or an array or accumulator of them."
    ),
    "f(%1: f64) -> f64": "Line 1 ends at column 17, but this place needs `:`.",
    "f(%1: f64) -> f64:": (
        "Line 1 ends at column 18, but this place needs indented lines below it, the last "
        "of which begins with `return`."
    ),
    "f(%1: f64) -> f64:\n  return %2": (
        "`%2` stands on line 2, column 9, but this place needs a row that this body has defined above."
    ),
    "f(%1: f64) -> f64:\n  %2: f64 = ad %1 1.0": (
        "`ad` stands on line 2, column 12, but this place needs an operation."
    ),
    "f(%1: f64) -> f64:\n  %2: f64 = add %1": (
        "Line 2 ends at column 18, but this place needs a row, as in %1, or a constant."
    ),
    "f(%1: f64) -> f64:\n  %2: f64 = add %1 1.0 2.0": (
        "`2.0` stands on line 2, column 23, but this place needs the end of the line."
    ),
    "f(%1: f64) -> f64:\n  %1: f64 = add %1 1.0": (
        "`%1` stands on line 2, column 2, but this place needs a row that is not there yet."
    ),
    "f(%1: f64) -> f64:\n  %2: f64 = call g %1": (
        "`g` stands on line 2, column 17, but this place needs a function of this text."
    ),
    "f(%1: i1) -> f64:\n  cond %1:\n    then:\n      yield\n    yield": (
        "`yield` stands on line 5, column 4, but this place needs `else`."
    ),
    "f(%1: f64) -> f64:\n  loop %2: i32[0..9] while:\n    yield": (
        "`yield` stands on line 3, column 4, but this place needs `test`."
    ),
    "f() -> ():\n  return\nf() -> ():\n  return": (
        "`f` stands on line 3, column 0, but this place needs a name that no other function has."
    ),
    "f() -> ():\n  return\nopaque g() -> ()": (
        "`opaque` stands on line 3, column 0, but this place needs a program with its "
        "host functions, as in parse(text, hosts={'g': …})."
    ),
}


@pytest.mark.parametrize("written", MISTAKES)
def test_a_mistake_is_reported_at_its_line_and_column(written: str) -> None:
    with pytest.raises(eg.CompileError) as caught:
        parse(written)
    assert str(caught.value) == MISTAKES[written]


def test_printed_rows_of_every_kind_can_be_read_back() -> None:
    written = text("""
        f(%1: f64, %2: i32[0..6], %3: i1) -> f64, i1[2], i32[0..4]:
          %4: f64[4] = table 1.0 -0.0 inf nan
          %5: i32[0..3] = check %2 4
          %6: f64 = index %4 %5
          %7: f64 = powi %6 -3
          %8: f64[2, 4] = zeros
          %9: i1[2] = stack %3 true
          %10: i64 = ladd 1:i64 2:i64
          %11: f64 = real_i64 %10
          %12: f64, _, %13: f64[3] = call "a name" %1
          %14: acc[2] = acc
          %15: acc[] = acc_index %14 1
          add_to %15 %7
          %16: f64[2] = acc_read %14
          print "x = {}" %1
          %17: i32[0..4] = select %3 %5 4
          %18: f64 = loop %19: i32[0..2] < %5 of 3 backward carry (%20: f64 = %11):
            yield %20
          %21: f64, %22: f64[?] trips %23: i32[0..2147483647] = loop %24: i32[0..2147483646] while carry (%25: f64 = %1):
            test (%26: i32[0..2147483646], %27: f64):
              %28: i1 = lt %27 9.0
              yield %28
            do:
              %29: f64 = add %25 %25
              yield %29 %25
          %30: acc[?] = acc %23
          return %18 %9 %17

        "a name"(%1: f64) -> f64, f64, f64[3] checkpoint:
          %2: f64[3] = zeros
          return %1 1e-300 %2
        """)  # noqa: E501 - a row is a line
    assert pretty(parse(written)) == written


def test_a_printed_opaque_function_is_read_back_with_its_host_function() -> None:
    written = text("""
        f(%1: f64) -> f64:
          %2: f64 = call twice %1
          return %2

        opaque twice(f64) -> f64 pure
        """)
    function = parse(written, {"twice": lambda x: 2.0 * x})
    assert pretty(function) == written
    assert run(function, [3.0], library) == [6.0]


def test_functions_with_the_same_name_are_printed_with_numbers() -> None:
    first = eg.fn([eg.Real], eg.Real)(lambda x: x)
    second = eg.fn([eg.Real], eg.Real)(lambda x: first(x) * x)
    assert pretty(second.function) == text("""
        "<lambda>"(%1: f64) -> f64:
          %2: f64 = call "<lambda>.2" %1
          %3: f64 = mul %1 %2
          return %3

        "<lambda>.2"(%1: f64) -> f64:
          return %1
        """)
