"""Programs and numbers from the blog post that introduced differentiation of Bril programs in 2019."""

from __future__ import annotations

import json

import pytest

from eglantine import bril

QUOTIENT = "main(x, y) { a: int = mul x y; b: int = add a y; c: int = mul x x; d: int = div b c; print d; }"
SQUARE = "main(x) { y: int = mul x x; print y; }"
ABSOLUTE = """main(x) {
  zero: int = const 0; positive: bool = gt x zero; br positive then else;
then:
  y: int = id x; jmp end;
else:
  y: int = sub zero x;
end:
  print y;
}"""
VALLEY = """main(x0, x1) {
  a: int = sub x0 x1; two: int = const 2; b: int = sub a two; y: int = mul b a; print y;
}"""
MODES = ("reverse", "forward")


@pytest.mark.parametrize("mode", MODES)
def test_the_quotient_of_the_post_has_the_published_numbers(mode):
    assert bril.parse(QUOTIENT, dialect="2019").gradient(2, 3, mode=mode) == [-1.5, 0.75]


@pytest.mark.parametrize(("step", "factor", "eighth"), [(1.1, -1.2, 2.14990848), (0.2, 0.6, -0.01679616)])
def test_descent_on_a_square_diverges_only_if_steps_are_large(step, factor, eighth):
    rows = bril.parse(SQUARE, dialect="2019").descend(-0.6, step, n=8)
    assert [x for x, _ in rows] == pytest.approx([-0.6 * factor**k for k in range(8)])
    assert [value for _, value in rows] == pytest.approx([0.36 * factor ** (2 * k) for k in range(8)])
    assert rows[7][0] == pytest.approx(eighth)


def test_descent_on_the_absolute_value_oscillates():
    rows = bril.parse(ABSOLUTE, dialect="2019").descend(-0.6, 0.2, decay=0.99, n=5)
    assert [x for x, _ in rows] == pytest.approx([-0.6, -0.4, -0.202, -0.00598, 0.1880798])
    assert [value for _, value in rows] == pytest.approx([0.6, 0.4, 0.202, 0.00598, 0.1880798])


def test_descent_moves_two_arguments_at_once():
    program = bril.parse(VALLEY, dialect="2019")
    rows = program.descend([-0.6, 1], 0.2, decay=0.99, n=5)
    assert [value for _, value in rows] == pytest.approx(
        [5.76, -0.7296, -0.98830141, -0.9994546, -0.99997269]
    )
    expected = [
        (-0.6, 1),
        (0.44, -0.04),
        (0.64592, -0.24592),
        (0.68832305, -0.28832305),
        (0.69738716, -0.29738716),
    ]
    for (x, _), wanted in zip(rows, expected, strict=True):
        assert x == pytest.approx(list(wanted))
    x, value = program.descend([-0.6, 1], 0.2, decay=0.99, n=200)[-1]
    assert x == pytest.approx([0.7, -0.3])
    assert value == pytest.approx(-1)


@pytest.mark.parametrize("mode", MODES)
def test_the_derivative_by_a_value_that_is_only_compared_is_zero(mode):
    if_y = """main(x, y) { zero: int = const 0; p: bool = gt y zero; br p yes no;
      yes: print x; ret; no: print zero; }"""
    assert bril.parse(if_y, dialect="2019").gradient(2, 3, mode=mode) == [1, 0]
    assert bril.parse(if_y, dialect="2019").gradient(2, -3, mode=mode) == [0, 0]
    if_m = """main(x, m) { zero: int = const 0; k: int = const 1000; p: bool = gt m zero; br p yes no;
      yes: print x; ret; no: y: int = mul k x; print y; }"""
    assert bril.parse(if_m, dialect="2019").gradient(2, 3, mode=mode) == [1, 0]
    assert bril.parse(if_m, dialect="2019").gradient(2, -3, mode=mode) == [1000, 0]


def tree(args: object, of_program: bool = False) -> str:
    main: dict[str, object] = {
        "name": "main",
        "instrs": [
            {"op": "const", "dest": "zero", "type": "int", "value": 0},
            {"op": "gt", "dest": "p", "type": "bool", "args": ["x", "zero"]},
            {"op": "br", "args": ["p", "yes", "no"]},
            {"label": "yes"},
            {"op": "mul", "dest": "z", "type": "int", "args": ["x", "y"]},
            {"op": "jmp", "args": ["end"]},
            {"label": "no"},
            {"op": "id", "dest": "z", "type": "int", "args": ["y"]},
            {"label": "end"},
            {"op": "print", "args": ["z"]},
        ],
    }
    return json.dumps(
        {"functions": [main], "args": args} if of_program else {"functions": [{**main, "args": args}]}
    )


@pytest.mark.parametrize(
    "text",
    [
        tree([{"name": "x", "value": 2}, {"name": "y", "value": 3.5}]),
        tree([{"name": "x", "type": "int", "value": 2}, {"name": "y", "type": "int", "value": 3.5}]),
        tree({"x": 2, "y": 3.5}),
        tree({"x": 2, "y": 3.5}, of_program=True),
    ],
)
def test_json_gives_the_arguments_with_their_initial_values(text):
    program = bril.parse(text, dialect="2019")
    assert program.run() == "7.00000000000000000\n"
    assert program.gradient() == [3.5, 2.0]
    assert program.gradient(-1, 4) == [0.0, 1.0]
    assert program.descend(step=0.1, n=2) == [([2.0, 3.5], 7.0), ([1.65, 3.3], 1.65 * 3.3)]
    assert program.json() == text


def test_arguments_without_initial_values_must_be_passed():
    program = bril.parse(tree(["x", "y"]), dialect="2019")
    assert program.gradient(2, 3) == [3.0, 2.0]
    with pytest.raises(bril.BrilError, match="takes 2 arguments"):
        program.gradient()


@pytest.mark.parametrize("args", ["x", [1], [{"value": 1}], [{"name": "x", "value": "2"}]])
def test_arguments_of_another_form_are_an_error(args):
    with pytest.raises(bril.BrilError):
        bril.parse(tree(args), dialect="2019")


def test_an_operation_that_the_dialect_lacks_is_an_error():
    with pytest.raises(bril.BrilError, match="no operation 'alloc'"):
        bril.parse("main { n: int = const 1; p = alloc n; }", dialect="2019")


def test_the_dialect_accepts_the_newer_notation():
    assert bril.parse("@main(x: int) { jmp .a; .a: y: int = mul x x; print y; }", dialect="2019").gradient(
        3
    ) == [6.0]


def test_descent_changes_only_floats():
    text = """@main(n: int, x: float) {
      two: int = const 2; p: bool = lt n two; br p .a .b;
    .a: print x; ret;
    .b: y: float = fmul x x; print y;
    }"""
    assert bril.parse(text).descend([2, 1.0], 0.25, n=3) == [
        ([2, 1.0], 1.0),
        ([2, 0.5], 0.25),
        ([2, 0.25], 0.0625),
    ]
    assert bril.parse(text).descend([1, 1.0], 0.25, n=2) == [([1, 1.0], 1.0), ([1, 0.75], 0.75)]


def test_a_descent_of_no_steps_has_no_rows():
    assert bril.parse(SQUARE, dialect="2019").descend(1.0, 0.1, n=0) == []


def test_descent_of_a_program_that_prints_no_float_is_an_error():
    with pytest.raises(bril.BrilError, match="never prints a float"):
        bril.parse("@main(n: int) { print n; }").descend(1, 0.1)
