"""Check the gradients of programs with loops, recursion, memory and integers."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg
from eglantine import bril
from eglantine.ir.checker import check
from tests.engines import bits, run
from tests.recursion import MOST_CALLS, few_nested_calls
from tests.seeds import NIGHTLY

from .corpus import floats
from .duals import slopes_of

POLYNOMIAL = """@main(x: float, y: float) {
  a: float = fmul x y; b: float = fadd a y; c: float = fmul x x; d: float = fdiv b c; print d;
}"""


def test_the_gradient_of_a_quotient_is_right():
    program = bril.parse(POLYNOMIAL)
    assert program.gradient(2, 3) == [-1.5, 0.75]
    assert program.gradient(2, 3, mode="forward") == [-1.5, 0.75]
    assert eg.hessian(program.function(0, 0), (0, 1))(2.0, 3.0) == ((1.875, -0.5), (-0.5, 0.0))


def test_an_unknown_mode_is_an_error():
    with pytest.raises(bril.BrilError, match="no mode 'sideways'"):
        bril.parse(POLYNOMIAL).gradient(2, 3, mode="sideways")


def agree(text: str, *args: Any) -> list[float]:
    """Check that a program has the right value and gradient. Return the gradient."""
    program = bril.parse(text)
    value, slopes = slopes_of(program, args)
    f = program.function(*args)
    check(f.function)
    assert bits(run(f, *floats(program, list(args)))) == bits(value)
    for mode in ("reverse", "forward"):
        assert program.gradient(*args, mode=mode) == pytest.approx(slopes, rel=1e-12)
    return slopes


LOOP = """@main(x: float, n: int) {
  y: float = const 1; i: int = const 0; one: int = const 1;
.head:
  more: bool = lt i n;
  br more .body .end;
.body:
  y: float = fmul y x; i: int = add i one;
  jmp .head;
.end:
  print y;
}"""


def test_a_loop_that_counts_has_the_right_gradient():
    assert agree(LOOP, 2.0, 5) == [80.0]
    assert agree(LOOP, 2.0, 0) == [0.0]


def test_a_loop_with_its_test_at_the_end_has_the_right_gradient():
    text = """@main(x: float, n: int) {
      y: float = const 1; i: int = const 0; one: int = const 1;
    .body: y: float = fmul y x; i: int = add i one; more: bool = lt i n; br more .body .end;
    .end: print y;
    }"""
    assert agree(text, 2.0, 5) == [80.0]
    assert agree(text, 2.0, 0) == [1.0]


def test_a_loop_may_have_several_exits_and_contain_a_return():
    text = """@main(x: float, n: int) { y: float = call @f x n; print y; }
    @f(x: float, n: int): float {
      y: float = const 1; i: int = const 0; one: int = const 1; three: int = const 3; limit: float = const 40;
      ten: float = const 10;
    .head: more: bool = lt i n; br more .body .end;
    .body: y: float = fmul y x; i: int = add i one; big: bool = fgt y limit; br big .big .next;
    .next: third: bool = eq i three; neg: bool = flt x one.f; br third .odd .head;
    .odd: br neg .out .head;
    .out: ret x;
    .big: z: float = fmul y ten; ret z;
    .end: ret y;
    }""".replace("ten: float = const 10;", "ten: float = const 10; one.f: float = const 1;")
    assert agree(text, 2.0, 3) == [12.0]
    assert agree(text, 2.0, 50) == [1920.0]
    assert agree(text, 0.5, 50) == [1.0]


def test_nested_loops_and_crossing_joins_have_the_right_gradient():
    text = """@main(x: float, n: int) {
      s: float = const 0; i: int = const 0; one: int = const 1; two: int = const 2; limit: float = const 3;
    .outer: a: bool = lt i n; br a .start .done;
    .start: j: int = const 0; t: float = id x;
    .inner: b: bool = le j i; br b .step .after;
    .step: t: float = fmul t x; j: int = add j one; c: bool = fgt t limit; br c .cut .inner;
    .cut: t: float = fdiv t x; q: int = div i two; r: int = mul q two; even: bool = eq r i;
      br even .after .skip;
    .after: s: float = fadd s t;
    .skip: i: int = add i one; jmp .outer;
    .done: print s;
    }"""
    for x, n in [(1.1, 6), (0.5, 4), (2.0, 7), (3.5, 3)]:
        agree(text, x, n)


def test_a_jump_may_enter_the_middle_of_a_loop():
    text = """@main(x: float, n: int, p: bool) {
      y: float = const 1; i: int = const 0; one: int = const 1;
      br p .a .b;
    .a: y: float = fmul y x; jmp .b;
    .b: y: float = fadd y x; i: int = add i one; more: bool = lt i n; br more .a .end;
    .end: print y;
    }"""
    agree(text, 1.5, 3, True)
    agree(text, 1.5, 3, False)


def test_a_recursive_function_has_the_right_gradient():
    text = """@main(x: float, n: int) { y: float = call @power x n; print y; }
    @power(x: float, n: int): float {
      zero: int = const 0; one: int = const 1; two: int = const 2; unit: float = const 1;
      done: bool = le n zero; br done .end .more;
    .end: ret unit;
    .more: half: int = div n two; h: float = call @power x half; hh: float = fmul h h;
      twice: int = mul half two; even: bool = eq twice n; br even .even .odd;
    .even: ret hh;
    .odd: y: float = fmul hh x; ret y;
    }"""
    assert agree(text, 2.0, 5) == [80.0]
    assert agree(text, 1.1, 13) == pytest.approx([13 * 1.1**12])


def test_mutual_recursion_that_depends_on_floats_has_the_right_gradient():
    text = """@main(x: float) { y: float = call @f x; print y; }
    @f(x: float): float {
      one: float = const 1; half: float = const 0.5; small: bool = fle x one; br small .end .more;
    .end: z: float = fmul x x; ret z;
    .more: h: float = fmul x half; a: float = call @g h; b: float = call @g h; s: float = fmul a b;
      t: float = fadd s x; ret t;
    }
    @g(x: float): float { one: float = const 1; y: float = fsub x one; p: bool = flt y one; br p .a .b;
    .a: ret x;
    .b: z: float = call @f y; w: float = fadd z x; ret w; }"""
    for x in (0.5, 3.0, 9.0, 20.0):
        agree(text, x)


def test_recursion_may_be_hundreds_of_calls_deep_up_to_a_limit():
    text = """@main(x: float) { y: float = call @sum x; print y; }
    @sum(x: float): float {
      zero: float = const 0; one: float = const 1; done: bool = fle x zero; br done .end .more;
    .end: ret zero;
    .more: less: float = fsub x one; rest: float = call @sum less; s: float = fmul x x;
      t: float = fadd s rest; ret t;
    }"""
    program = bril.parse(text)
    for n in (3, 30, 300):
        assert program.gradient(n) == [n * (n + 1.0)]
    with pytest.raises(eg.EglantineError, match="nest deeper than the stack"):
        program.function(3)(10_000.0)


def test_a_program_that_uses_memory_has_the_right_gradient():
    text = """@main(x: float, n: int) {
      zero: int = const 0; one: int = const 1; i: int = const 0; unit: float = const 1;
      p: ptr<float> = alloc n; y: float = id unit;
    .fill: more: bool = lt i n; br more .body .filled;
    .body: q: ptr<float> = ptradd p i; y: float = fmul y x; store q y; i: int = add i one; jmp .fill;
    .filled: s: float = const 0; i: int = sub n one;
    .sum: again: bool = ge i zero; br again .add .end;
    .add: q: ptr<float> = ptradd p i; v: float = load q; s: float = fmul s x; s: float = fadd s v;
      i: int = sub i one; jmp .sum;
    .end: print s; free p;
    }"""
    agree(text, 1.5, 4)
    agree(text, 0.5, 9)


def test_memory_may_contain_pointers_bools_and_chars():
    text = """@main(x: float, c: char) {
      n: int = const 2; one: int = const 1; a: char = const 'a';
      pp: ptr<ptr<float>> = alloc n; p: ptr<float> = alloc n; bs: ptr<bool> = alloc one;
      cs: ptr<char> = alloc one;
      second: ptr<float> = ptradd p one; store pp second; t: ptr<float> = load pp; store t x;
      is: bool = ceq c a; store bs is; store cs c; was: bool = load bs; d: char = load cs;
      i: int = char2int d;
      e: char = int2char i; same: bool = ceq d e; both: bool = and was same; v: float = load second;
      br both .square .keep;
    .square: v: float = fmul v v;
    .keep: print v; free pp; free p; free bs; free cs;
    }"""
    assert agree(text, 3.0, "a") == [6.0]
    assert agree(text, 3.0, "b") == [1.0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "n: int = const 2; p: ptr<float> = alloc n; q: ptr<float> = ptradd p n; store q x;",
            "out of bounds",
        ),
        (
            "n: int = const 2; p: ptr<float> = alloc n; store p x; free p; y: float = load p; print y;",
            "freed",
        ),
        ("n: int = float2bits x; n: int = sub n n; n: int = div n n;", "division by zero"),
    ],
)
def test_a_program_that_fails_has_no_gradient(text, told):
    program = bril.parse(f"@main(x: float) {{\n {text}\n print x;\n}}")
    with pytest.raises(bril.BrilError, match=told):
        program.run(1.0)
    with pytest.raises(bril.BrilError) as caught:
        program.gradient(1.0)
    assert caught.value.line == 2 or "float2bits" in text


def test_integers_of_64_bits_wrap_in_compiled_code():
    text = """@main(x: float, seed: int, n: int) {
      a: int = const 6364136223846793005; c: int = const 1442695040888963407; one: int = const 1;
      zero: int = const 0; sixteen: int = const 65536; y: float = const 0;
    .head: more: bool = gt n zero; br more .body .end;
    .body: seed: int = mul seed a; seed: int = add seed c; q: int = div seed sixteen; r: int = mul q sixteen;
      low: int = sub seed r; up: bool = gt low zero; n: int = sub n one; br up .add .times;
    .add: y: float = fadd y x; jmp .head;
    .times: y: float = fmul y x; jmp .head;
    .end: print y;
    }"""
    agree(text, 1.25, 42, 20)
    agree(text, 0.75, -7, 33)


def test_division_of_integers_in_compiled_code_rounds_towards_zero():
    text = """@main(x: float, a: int, b: int, wanted: int) {
      q: int = div a b; p: bool = eq q wanted; br p .yes .no;
    .yes: y: float = fmul x x; print y; ret;
    .no: print x;
    }"""
    least = -(2**63)
    for a, b, q in [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (5, 1, 5), (least, -1, least), (3, -1, -3)]:
        assert agree(text, 3.0, a, b, q) == [6.0]
        assert agree(text, 3.0, a, b, q + 1) == [1.0]


def test_a_divisor_may_be_known_only_at_run_time():
    text = """@main(x: float, a: int, n: int) {
      y: float = const 0; zero: int = const 0; one: int = const 1;
    .head: q: int = div a n; odd: int = mul q n; same: bool = eq odd a; br same .add .next;
    .add: y: float = fadd y x; y: float = fmul y x;
    .next: n: int = sub n one; more: bool = ne.zero n; br more .head .end;
    .end: print y;
    }""".replace("more: bool = ne.zero n", "is: bool = eq n zero; more: bool = not is")
    agree(text, 1.5, 12, 12)
    agree(text, 1.5, -30, 7)


def test_shadow_variables_have_the_right_values_in_compiled_code():
    text = """@main(x: float, n: int) {
      i: int = const 0; one: int = const 1; y: float = id x; set t y;
    .head: t: float = get; more: bool = lt i n; br more .body .end;
    .body: i: int = add i one; y: float = fmul t x; set t y; jmp .head;
    .end: print t;
    }"""
    assert agree(text, 2.0, 3) == [32.0]


def test_a_gradient_ignores_bits_of_floats_that_the_result_does_not_use():
    program = bril.parse("@main(x: float) { i: int = float2bits x; print i; y: float = fmul x x; print y; }")
    assert program.gradient(3) == program.gradient(3, mode="forward") == [6.0]


def test_differentiating_through_the_bits_of_a_float_is_an_error():
    program = bril.parse(
        "@main(x: float) {\n  i: int = float2bits x;\n  y: float = bits2float i;\n  print y;\n}"
    )
    assert program.function(0)(3.0) == 3.0
    for mode in ("reverse", "forward"):
        with pytest.raises(bril.BrilError, match="float2bits") as caught:
            program.gradient(3, mode=mode)
        assert caught.value.line == 2


def test_a_program_without_floats_has_no_function():
    with pytest.raises(bril.BrilError, match="never prints a float"):
        bril.parse("@main(n: int) { print n; }").function(1)


def test_a_program_without_float_arguments_has_an_empty_gradient():
    program = bril.parse("@main(n: int) { x: float = const 2; print x; }")
    assert program.gradient(1) == []
    assert program.function(1)() == 2.0


def test_arguments_that_are_not_floats_are_constants_of_the_function():
    program = bril.parse(LOOP)
    assert program.function(0, 3)(2.0) == 8.0
    assert program.function(0, 4)(2.0) == 16.0
    assert math.isnan(program.function(0, 4)(math.nan))


def test_a_program_that_cannot_end_is_an_error():
    program = bril.parse("@main(x: float) {\n.loop:\n  y: float = fmul x x;\n  print y;\n  jmp .loop;\n}")
    with pytest.raises(bril.BrilError, match="never ends"):
        program.function(1.0)


def test_deeply_nested_branches_and_long_programs_do_not_recurse():
    depth = 1500 if NIGHTLY else MOST_CALLS + 50
    nested = "".join(
        f".l{k}: c{k}: float = const {k}; p{k}: bool = flt x c{k}; br p{k} .out .l{k + 1};\n"
        for k in range(300)
    )
    chain = "".join(
        f"p{k}: bool = flt x y; br p{k} .a{k} .b{k}; .a{k}: y: float = fadd y x; .b{k}:\n"
        for k in range(depth)
    )
    with few_nested_calls():
        text = (
            f"@main(x: float) {{ y: float = const 1; {nested} .l300: y: float = fmul x x; .out: print y; }}"
        )
        program = bril.parse(text)
        assert program.gradient(500.0) == [1000.0]
        assert program.gradient(100.0) == [0.0]
        text = f"@main(x: float) {{ y: float = id x; {chain} print y; }}"
        assert bril.parse(text).gradient(-2.0) == [1.0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("n: int = const 2; p: ptr<float> = alloc n; y: float = load p; print y; free p;", "no value yet"),
        ("c: bool = flt x x; br c .a .b; .a: y: float = id x; .b: print y;", "variable y has no value"),
        ("y: float = get; set y x; print y;", "no `set` has given it a value"),
    ],
)
def test_a_program_that_reads_an_unset_value_has_no_gradient(text, told):
    program = bril.parse(f"@main(x: float) {{ {text} }}")
    with pytest.raises(bril.BrilError, match=told):
        program.gradient(1.0)
    with pytest.raises(bril.BrilError, match=told):
        program.descend(1.0, 0.1)
