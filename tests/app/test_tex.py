"""The page shows formulas and derivatives as a textbook does. Derivatives arrive as unsimplified rows."""

from __future__ import annotations

from typing import Any

import pytest

from app.algebra.display import to_tex
from app.algebra.expressions import symbol
from app.algebra.recognised import from_rows
from app.algebra.tex import tex
from eglantine.formulas import to_fn

X, Y = 0, 1
ZERO, ONE, TWO, HALF, MINUS_TWO, HUNDRED, TENTH = -1, -2, -3, -4, -5, -6, -7
CONSTS = [0.0, 1.0, 2.0, 0.5, -2.0, 100.0, 0.1]

Row = tuple[Any, ...]


def shown(*rows: Row) -> str:
    """Write the last row as TeX. Rows 0 and 1 are the parameters x and y. The given rows begin at 2."""
    block = [("param", 0), ("param", 1), *rows]
    [result] = from_rows(block, CONSTS, {X: "x", Y: "y"}, [len(block) - 1], 300)
    assert result is not None
    return tex(result)


GUARDED_LOG = [("eq", X, ZERO), ("select", 2, ONE, X), ("log", 3)]  # row 4 is the log in ∂(x^y)/∂y


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # x^y: gradient and Hessian
        ([("sub", Y, ONE), ("pow", X, 2), ("mul", Y, 3)], "y x^{y-1}"),
        ([*GUARDED_LOG, ("pow", X, Y), ("mul", 5, 4)], r"x^{y} \ln x"),
        (
            [("sub", Y, ONE), ("sub", 2, ONE), ("pow", X, 3), ("mul", 2, 4), ("mul", Y, 5)],
            r"y \left(y-1\right) x^{y-2}",
        ),
        (
            [*GUARDED_LOG, ("sub", Y, ONE), ("pow", X, 5), ("mul", Y, 6), ("mul", 7, 4), ("add", 6, 8)],
            r"y x^{y-1} \ln x+x^{y-1}",
        ),
        (
            # forward over reverse: y·x^(y-1)·ln x + x^y·(select(x=0, 0, 1)/select(x=0, 1, x))
            [*GUARDED_LOG, ("pow", X, Y), ("sub", Y, ONE), ("pow", X, 6), ("mul", Y, 7), ("mul", 8, 4),
             ("select", 2, ZERO, ONE), ("div", 10, 3), ("mul", 5, 11), ("add", 9, 12)],
            r"y x^{y-1} \ln x+x^{y-1}",
        ),
        ([*GUARDED_LOG, ("pow", X, Y), ("mul", 5, 4), ("mul", 6, 4)], r"x^{y} \ln^{2} x"),
        # Rosenbrock (1 - x)² + 100 (y - x²)²: ∂x = -2(1-x) - 2x·200(y-x²), ∂y = 200(y-x²)
        (
            [("sub", ONE, X), ("mul", MINUS_TWO, 2), ("mul", X, X), ("sub", Y, 4), ("mul", HUNDRED, 5),
             ("mul", TWO, 6), ("mul", TWO, X), ("mul", 7, 8), ("sub", 3, 9)],
            "400 x^{3}-400 x y+2 x-2",
        ),
        (
            [("mul", X, X), ("sub", Y, 2), ("mul", HUNDRED, 3), ("mul", TWO, 4)],
            r"200 \left(y-x^{2}\right)",
        ),
        # derivatives of a cone √(x²+y²), |x|, a ripple, tanh and a Gaussian
        (
            [("mul", X, X), ("mul", Y, Y), ("add", 2, 3), ("sqrt", 4), ("div", HALF, 5), ("mul", TWO, X),
             ("mul", 6, 7)],
            r"\frac{x}{\sqrt{x^{2}+y^{2}}}",
        ),
        ([("copysign", ONE, X)], r"\operatorname{sgn} x"),
        ([("mul", X, X), ("cos", 2), ("mul", TWO, X), ("mul", 3, 4)], r"2 x \cos\left(x^{2}\right)"),
        ([("tanh", X), ("mul", 2, 2), ("sub", ONE, 3), ("mul", Y, 4)], r"y \left(1-\tanh^{2} x\right)"),
        ([("mul", X, X), ("neg", 2), ("exp", 3), ("mul", MINUS_TWO, X), ("mul", 4, 5)], "-2 x e^{-x^{2}}"),
        # 1/x, ∛x, min
        ([("mul", X, X), ("div", ONE, 2), ("neg", 3)], r"-\frac{1}{x^{2}}"),
        ([("cbrt", X), ("mul", 2, 2), ("add", TWO, ONE), ("mul", 4, 3), ("div", ONE, 5)],
         r"\frac{1}{3 \sqrt[3]{x}^{2}}"),
        ([("lt", X, Y), ("real", 2)], r"\left[x<y\right]"),
        ([("lt", X, Y), ("mul", TWO, X), ("select", 2, 3, Y)],
         r"\begin{cases}2 x & x<y \\ y & \text{otherwise}\end{cases}"),
        ([("lgamma", X), ("polygamma", X, 0), ("polygamma1", Y), ("add", 2, 3), ("add", 5, 4)],
         r"\ln\Gamma\left(x\right)+\psi\left(x\right)+\psi^{(1)}\left(y\right)"),
    ],
)  # fmt: skip
def test_a_derivative_is_shown_as_in_a_textbook(rows: list[Row], expected: str) -> None:
    assert shown(*rows) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x^y", "x^{y}"),
        ("-x^2", "-x^{2}"),
        ("(-x)^2", "x^{2}"),
        ("(x^y)^2", "x^{2 y}"),
        ("x^y^2", "x^{y^{2}}"),
        ("2x", "2 x"),
        ("2*3", "6"),
        ("x*2", "2 x"),
        ("x(y+1)", r"x \left(y+1\right)"),
        ("(x+1)/(y-1)", r"\frac{x+1}{y-1}"),
        ("1/2x", r"\frac{x}{2}"),
        ("x-(y-1)", "x-y+1"),
        ("x-(y+1)", "x-y-1"),
        ("x+(y+1)", r"x+y+1"),
        ("x--y", "x+y"),
        ("-2(1-x)-x", "x-2"),
        ("x*-y", "-x y"),
        ("sin x", r"\sin x"),
        ("sin 2x", r"\sin 2 x"),
        ("sin(x+y)", r"\sin\left(x+y\right)"),
        ("sin(x)^2", r"\sin^{2} x"),
        ("(sin(x)^2)^3", r"\sin^{6} x"),
        ("sin(x)^-2", r"\frac{1}{\sin^{2} x}"),
        ("sin(x)cos(y)", r"\cos y \sin x"),
        ("sin(x)y", r"y \sin x"),
        ("sin(pi x)", r"\sin\pi x"),
        ("ln(2x)", r"\ln\left(2 x\right)"),
        ("log10(x)", r"\log_{10} x"),
        ("exp(-x^2)", "e^{-x^{2}}"),
        ("exp2(x)^2", "2^{2 x}"),
        ("sqrt(x)", r"\sqrt{x}"),
        ("cbrt(x)", r"\sqrt[3]{x}"),
        ("|x|", r"\left|x\right|"),
        ("floor(x)", r"\left\lfloor x\right\rfloor"),
        ("ceil(x)", r"\left\lceil x\right\rceil"),
        ("min(x,y)", r"\min\left(x, y\right)"),
        ("atan2(y,x)", r"\operatorname{atan2}\left(y, x\right)"),
        ("erf(x)", r"\operatorname{erf} x"),
        ("sgn(x)", r"\operatorname{sgn} x"),
        ("pow(x,y)", "x^{y}"),
        ("lgamma(x)", r"\ln\Gamma\left(x\right)"),
        ("polygamma(0,x)", r"\psi\left(x\right)"),
        ("polygamma(2,x)", r"\psi^{(2)}\left(x\right)"),
        ("0.5x", r"\frac{x}{2}"),
        ("2.0x", "2 x"),
        ("1e-9x", "10^{-9} x"),
        ("1.5e20", r"1.5 \cdot 10^{20}"),
        ("3.25^2", r"\frac{169}{16}"),
        ("1e9^2", "10^{18}"),
        ("1/0", r"\infty"),
        ("-1/0", r"-\infty"),
        ("9^9^9^9", r"\infty"),
        ("x+1/0", r"x+\infty"),
        ("x-2^1100", r"x-\infty"),
        ("exp(1000)x", r"\infty x"),
        ("min(x,1/0)", r"\min\left(x, \infty\right)"),
        ("x/0", r"\frac{x}{0}"),
        ("0/0", ""),
        ("x+sqrt(-1)", ""),
        ("(1/0-1/0)x", ""),
    ],
)
def test_a_formula_is_simplified_and_typeset(text: str, expected: str) -> None:
    assert to_tex(to_fn(text, ("x", "y"))) == [expected]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a", "a"),
        ("alpha", r"\alpha"),
        ("omega1", r"\omega_{1}"),
        ("x1", "x_{1}"),
        ("b_max", "b_{max}"),
        ("b_i_j", r"b_{i\_j}"),
        ("speed", r"\mathit{speed}"),
        ("top_speed2", r"\mathit{top\_speed2}"),
        ("θ", "θ"),
    ],
)
def test_a_name_is_typeset_with_its_index_and_greek_letters(name: str, expected: str) -> None:
    assert tex(symbol(name)) == expected
