"""Bril programs that differentiate their own functions: `d: float = grad @f x y .x;`."""

from __future__ import annotations

from typing import Any

import pytest

from eglantine import bril
from tests.engines import bits, run

F = """@f(x: float, y: float, n: int): float {
  a: float = fmul x x; one: int = const 1; p: bool = eq n one; br p .product .quotient;
.product: b: float = fmul a y; ret b;
.quotient: c: float = fdiv x y; ret c;
}"""


def last(program: Any, *args: Any) -> float:
    return float(program.run(*args).split()[-1])


def test_grad_gives_the_derivative_by_each_parameter():
    program = bril.parse(
        F + "@main(x: float, y: float, n: int) { d = grad @f x y n .x; e = grad @f x y n .y; print d e; }"
    )
    assert program.run(2, 3, 1) == "12.00000000000000000 4.00000000000000000\n"
    assert program.run(1, 2, 0) == "0.50000000000000000 -0.25000000000000000\n"


def test_programs_with_grad_compile_and_have_gradients():
    program = bril.parse(F + "@main(x: float, y: float, n: int) { d: float = grad @f x y n .x; print d; }")
    assert run(program.function(0, 0, 1), 2.0, 3.0) == 12.0
    for mode in ("reverse", "forward"):
        assert program.gradient(2, 3, 1, mode=mode) == [6.0, 4.0]
        assert program.gradient(2, 4, 0, mode=mode) == [0.0, -1 / 16]


def test_grad_can_be_nested():
    text = """@f(x: float): float { a: float = fmul x x; b: float = fmul a a; ret b; }
    @g(x: float): float { d: float = grad @f x .x; z: float = fmul d x; ret z; }
    @h(x: float): float { d: float = grad @g x .x; ret d; }
    @main(x: float) { d: float = grad @h x .x; print d; }"""  # f = x⁴, g = 4x⁴, h = 16x³
    program = bril.parse(text)
    assert last(program, 2) == 16 * 3 * 4.0
    assert bits(run(program.function(0), 2.0)) == bits(192.0)
    assert program.gradient(2) == program.gradient(2, mode="forward") == [16 * 3 * 2 * 2.0]


def test_perturbations_of_nested_grads_are_not_confused():
    text = """@h(y: float, x: float): float { s: float = fadd x y; ret s; }
    @g(x: float): float { one: float = const 1; d: float = grad @h one x .y; z: float = fmul d x; ret z; }
    @main(x: float) { d: float = grad @g x .x; print d; }"""
    program = bril.parse(text)
    assert last(program, 5) == 1.0
    assert run(program.function(0), 5.0) == 1.0


RECURSIVE = """@power(x: float, n: int): float {
  zero: int = const 0; one: int = const 1; unit: float = const 1; done: bool = le n zero; br done .end .more;
.end: ret unit;
.more: m: int = sub n one; rest: float = call @power x m; y: float = fmul rest x; ret y;
}
@main(x: float, n: int) {
  i: int = const 0; one: int = const 1; s: float = const 0;
.head: more: bool = lt i n; br more .body .end;
.body: d: float = grad @power x i .x; s: float = fadd s d; i: int = add i one; jmp .head;
.end: print s;
}"""


def test_a_loop_may_contain_grad_of_a_recursive_function():
    program = bril.parse(RECURSIVE)
    x = 1.5
    assert last(program, x, 5) == sum(k * x ** (k - 1) for k in range(1, 5))
    assert program.function(0, 5)(x) == last(program, x, 5)
    second = sum(k * (k - 1) * x ** (k - 2) for k in range(2, 5))
    assert program.gradient(x, 5) == program.gradient(x, 5, mode="forward") == [second]


def test_grad_of_a_function_with_memory_is_right():
    text = """@f(x: float): float {
      one: int = const 1; p: ptr<float> = alloc one; store p x; y: float = load p;
      z: float = fmul y y; free p; ret z;
    }
    @main(x: float) { d: float = grad @f x .x; print d; }"""
    program = bril.parse(text)
    assert last(program, 3) == 6.0
    assert program.function(3)(4.0) == 8.0
    assert program.gradient(3) == [2.0]


def test_grad_by_an_unused_parameter_is_zero():
    text = "@f(x: float): float { c = const 2.0; ret c; } @main(x: float) { d = grad @f x .x; print d; }"
    program = bril.parse(text)
    assert last(program, 3) == program.function(3)(3.0) == 0.0


@pytest.mark.parametrize(
    ("text", "line", "column", "told"),
    [
        ("  d: float = grad @f x .x;", 2, 18, "no function @f"),
        ("  d: float = grad @i x .x;", 2, 18, "@i returns an int"),
        ("  d: float = grad @g x .y;", 2, 23, r"float parameters \(.x\)"),
        ("  d: float = grad @g x;", 2, 13, "takes 1 label"),
        ("  d: float = grad @g .x;", 2, 18, "takes 1 argument"),
        ("  d: int = grad @g x .x;", 2, 2, "declared as int"),
    ],
)
def test_mistakes_with_grad_are_errors(text, line, column, told):
    rest = "\n}\n@g(x: float): float { ret x; }\n@i(x: float): int { n: int = const 1; ret n; }"
    with pytest.raises(bril.BrilError, match=told) as caught:
        bril.parse(f"@main(x: float) {{\n{text}{rest}")
    assert (caught.value.line, caught.value.column) == (line, column)


def test_grad_through_the_bits_of_a_float_is_an_error():
    text = """@f(x: float): float { i: int = float2bits x; y: float = bits2float i; ret y; }
    @main(x: float) { d: float = grad @f x .x; print d; }"""
    program = bril.parse(text)
    with pytest.raises(bril.BrilError, match="float2bits has no derivative"):
        program.run(1)
    with pytest.raises(bril.BrilError, match="float2bits has no derivative"):
        program.function(1)


def test_printed_programs_with_grad_can_be_read_back():
    program = bril.parse(RECURSIVE)
    assert "  d: float = grad @power x i .x;\n" in program.text()
    assert bril.parse(program.json()).text() == program.text()
