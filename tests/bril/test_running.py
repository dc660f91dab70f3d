"""Bril programs give the same output and the same errors as in the reference interpreter."""

from __future__ import annotations

import pytest

import eglantine as eg
from eglantine import bril
from eglantine.bril import machine
from tests.seeds import NIGHTLY

from .corpus import LONGEST, PROGRAMS


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.nightly) if name == LONGEST else name for name in PROGRAMS],
)
def test_a_program_prints_the_recorded_output(name):
    program = PROGRAMS[name]
    assert bril.parse(program["text"]).run(*program["args"]) == program["output"]


def test_there_are_84_programs():
    assert len(PROGRAMS) == 84


def body(text: str, *args: object, fuel: int | None = None) -> str:
    return bril.parse(text).run(*args, fuel=fuel)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("0", "0.00000000000000000"),
        ("-0.0", "-0.00000000000000000"),
        ("1", "1.00000000000000000"),
        ("0.1", "0.10000000000000001"),
        ("1234567.5", "1234567.50000000000000000"),
        ("9999999999.5", "9999999999.50000000000000000"),
        ("10000000000.0", "1.00000000000000000e+10"),
        ("-2.5e10", "-2.50000000000000000e+10"),
        ("1e100", "1.00000000000000002e+100"),
        ("0.0000000001", "1.00000000000000004e-10"),
        ("0.000000001", "0.00000000100000000"),
    ],
)
def test_floats_have_17_digits_and_sometimes_an_exponent(written, printed):
    assert body(f"@main {{ x: float = const {written}; print x; }}") == printed + "\n"


def test_quotients_of_floats_follow_ieee_arithmetic():
    text = "@main(x: float, y: float) { z: float = fdiv x y; w: bool = feq z z; print z w; }"
    assert body(text, 1, 0) == "Infinity true\n"
    assert body(text, -1, 0.0) == "-Infinity true\n"
    assert body(text, 1, "-0.0") == "-Infinity true\n"
    assert body(text, 0, 0) == "NaN false\n"


def test_integers_wrap_at_64_bits():
    text = """@main(a: int, b: int) {
      s: int = add a b; d: int = sub a b; p: int = mul a b; print s d p;
    }"""
    most, least = 2**63 - 1, -(2**63)
    assert body(text, most, 1) == f"{least} {most - 1} {most}\n"
    assert body(text, least, 1) == f"{least + 1} {most} {least}\n"
    assert body(text, least, -1) == f"{most} {least + 1} {least}\n"
    assert body(text, 3037000500, 3037000500) == f"6074001000 0 {3037000500**2 - 2**64}\n"


def test_a_quotient_of_integers_is_truncated_and_wraps():
    text = "@main(a: int, b: int) { q: int = div a b; print q; }"
    for a, b, q in [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (-1, 2, 0), (-(2**63), -1, -(2**63))]:
        assert body(text, a, b) == f"{q}\n"


def test_chars_are_compared_and_converted():
    text = """@main(c: char) {
      a: char = const 'a'; n: char = const '\\n'; i: int = char2int c; one: int = const 1; j: int = add i one;
      d: char = int2char j; e: bool = ceq c a; l: bool = clt c a; le: bool = cle c a; g: bool = cgt c a;
      ge: bool = cge c a; print c d i e l le g ge; k: int = char2int n; print k;
    }"""
    assert body(text, "b") == "b c 98 false false false true true\n10\n"
    assert body(text, "a") == "a b 97 true false true false true\n10\n"
    assert body(text, "😀") == "😀 😁 128512 false false false true true\n10\n"


def test_bits_of_floats_are_converted_in_both_directions():
    text = "@main(x: float) { i: int = float2bits x; y: float = bits2float i; print i y; }"
    assert body(text, 1.0) == "4607182418800017408 1.00000000000000000\n"
    assert body(text, "-0.0") == "-9223372036854775808 -0.00000000000000000\n"


def test_set_and_get_pass_values_to_the_next_block():
    text = """@main(p: bool) {
      a: int = const 1; b: int = const 2;
      br p .left .right;
    .left: set x a; jmp .join;
    .right: set x b;
    .join: x: int = get; print x;
    }"""
    assert body(text, True) == "1\n"
    assert body(text, "false") == "2\n"


def test_get_returns_the_value_of_the_last_set():
    text = """@main {
      a: int = const 1; set x a; a: int = const 5; x: int = get; print x a; set x a; y: int = id x; print y;
    }"""
    assert body(text) == "1 5\n1\n"


def test_get_without_set_fails():
    with pytest.raises(bril.BrilError, match="no `set` has given it a value") as caught:
        body("@main {\n  x: int = get;\n  print x;\n}")
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_undef_may_be_copied_but_not_used():
    text = "@main {{ u: int = undef; set x u; x: int = get; {} }}"
    assert body(text.format("")) == ""
    with pytest.raises(bril.BrilError, match="The variable x has no value here"):
        body(text.format("print x;"))


def test_reading_a_variable_that_was_not_set_fails():
    text = """@main(p: bool) {
      br p .set .use;
    .set: x: int = const 1;
    .use: print x;
    }"""
    assert body(text, True) == "1\n"
    with pytest.raises(bril.BrilError, match="The variable x has no value here") as caught:
        body(text, False)
    assert (caught.value.line, caught.value.column) == (4, 16)


MEMORY = """@main(n: int, i: int, twice: bool) {
  seven: int = const 7;
  print seven;
  p: ptr<int> = alloc n;
  q: ptr<int> = ptradd p i;
  store q seven;
  x: int = load q;
  print x;
  free p;
  br twice .again .end;
.again:
  free p;
.end:
}"""


@pytest.mark.parametrize(
    ("args", "message", "line", "output"),
    [
        ((0, 0, False), "at least one cell, but here it is asked for 0", 4, "7\n"),
        ((-3, 0, False), "asked for -3", 4, "7\n"),
        ((2, 2, False), "out of bounds", 6, "7\n"),
        ((2, -1, False), "out of bounds", 6, "7\n"),
        ((2, 1, True), "freed before", 12, "7\n7\n"),
    ],
)
def test_memory_errors_have_a_line_and_the_output_before_them(args, message, line, output):
    with pytest.raises(bril.BrilError, match=message) as caught:
        body(MEMORY, *args)
    assert caught.value.line == line
    assert caught.value.output == output


def test_memory_can_be_allocated_written_read_and_freed():
    assert body(MEMORY, 2, 1, False) == "7\n7\n"


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("free p; x: int = load p;", "after it was freed"),
        ("free p; store p n;", "after it was freed"),
        ("q: ptr<int> = ptradd p n; free q;", "the pointer that alloc returned"),
        ("x: int = load p; free p;", "no value yet"),
        ("", "not freed by the end"),
    ],
)
def test_wrong_uses_of_memory_fail(rest, message):
    with pytest.raises(bril.BrilError, match=message):
        body(f"@main {{ n: int = const 1; p: ptr<int> = alloc n; {rest} }}")


def test_memory_may_contain_pointers():
    text = """@main {
      n: int = const 2; p: ptr<ptr<float>> = alloc n; q: ptr<float> = alloc n; x: float = const 1.5;
      store p q; r: ptr<float> = load p; store r x; y: float = load q; print y; free q; free p;
    }"""
    assert body(text) == "1.50000000000000000\n"


def test_a_division_by_zero_fails_with_the_output_before_it():
    with pytest.raises(bril.BrilError, match="division by zero") as caught:
        body("@main(n: int) {\n  print n;\n  q: int = div n n;\n  print q;\n}", 0)
    assert (caught.value.line, caught.value.column, caught.value.output) == (3, 2, "0\n")


def test_a_division_by_zero_fails_although_its_result_is_not_used():
    with pytest.raises(bril.BrilError, match="division by zero"):
        body("@main(n: int) { q: int = div n n; }", 0)


def test_a_program_stops_when_its_fuel_is_used_up():
    text = "@main { x: int = const 1; print x; .loop: jmp .loop; }"
    with pytest.raises(eg.FuelError, match="used up its fuel") as caught:
        body(text, fuel=10_000)
    assert isinstance(caught.value, bril.BrilError)
    assert caught.value.output == "1\n"


@pytest.mark.parametrize("name", ["core/fact", "float/sqrt", "mem/sieve", "core/tail-call", "mixed/mat-inv"])
def test_fuel_counts_the_instructions_that_the_reference_counts(name):
    program = PROGRAMS[name]
    parsed = bril.parse(program["text"])
    assert parsed.run(*program["args"], fuel=program["instructions"]) == program["output"]
    with pytest.raises(bril.BrilFuelError):
        parsed.run(*program["args"], fuel=program["instructions"] - 1)


def test_recursion_may_be_deep():
    text = """@main(n: int) { r: int = call @sum n; print r; }
    @sum(n: int): int {
      zero: int = const 0; one: int = const 1;
      done: bool = le n zero;
      br done .end .more;
    .more: m: int = sub n one; s: int = call @sum m; t: int = add s n; ret t;
    .end: ret zero;
    }"""
    assert body(text, 100_000) == "5000050000\n"


def test_endless_recursion_fails(monkeypatch):
    assert machine.MAX_DEPTH == 1_000_000  # it would take seconds to run a program with such deep calls
    if not NIGHTLY:
        monkeypatch.setattr(machine, "MAX_DEPTH", 50_000)
    with pytest.raises(bril.BrilError, match=f"nest more than {machine.MAX_DEPTH:,} deep"):
        body("@main { call @main; }")


def test_a_call_of_a_function_that_returns_no_value_fails():
    with pytest.raises(bril.BrilError, match="@f ended without a result"):
        body("@main { x: int = call @f; print x; } @f: int { nop; }")


@pytest.mark.parametrize("args", [(), (1, 2), ("one",), (1.5,), (True,), (2**63,), (None,)])
def test_arguments_of_the_wrong_type_are_an_error(args):
    with pytest.raises(bril.BrilError):
        body("@main(n: int) { print n; }", *args)


def test_arguments_may_be_values_or_texts():
    text = "@main(n: int, x: float, p: bool, c: char) { print n x p c; }"
    assert (
        body(text, 1, 2, True, "c") == body(text, "1", "2.0", "true", "c") == "1 2.00000000000000000 true c\n"
    )


def test_a_program_without_main_cannot_run():
    with pytest.raises(bril.BrilError, match="no function @main"):
        body("@other { nop; }")


def test_an_instruction_reads_its_arguments_before_it_writes_its_result():
    text = """@main(a: int, b: int) {
      one: int = const 1;
      t: int = id a; a: int = id b; b: int = id t; print a b;
      s: int = add a b; u: int = mul s one; a: int = const 9; print u a;
      x: int = id a; a: int = add a one; print x a;
    }"""
    assert body(text, 3, 4) == "4 3\n7 9\n9 10\n"


def test_long_expressions_do_not_recurse():
    lines = " ".join(f"x{k}: float = fmul x{k - 1} x;" for k in range(1, 5000))
    assert body(f"@main(x: float) {{ x0: float = id x; {lines} print x4999; }}", 1) == "1.00000000000000000\n"
