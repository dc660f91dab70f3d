"""Formulas as students, professors and programmers type them, with values computed by Python's `math`.

If a text is not a formula, the page offers a corrected formula that has the right value.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Mapping, Sequence
from math import atan2, cos, cosh, erf, exp, floor, hypot, log, log2, log10, pi, prod, sin, sqrt, tan, tanh
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from eglantine.errors import FormulaError
from eglantine.formulas import free_names, to_fn
from eglantine.formulas.table import table
from tools.node import find_node

SCRIPT = Path(__file__).with_name("mending.mjs")
X, Y = 0.7, 1.3
A, B, K = 2.5, -0.75, 3.0
LETTERS = {"a": A, "b": B, "k": K, "a_1": 2.0, "a_2": 5.0, "x1": 4.0}
"""Free letter in a text → its value. All other free letters have the value 1."""

VALUES: Mapping[str, float] = {
    # Free letters.
    "a sin(b x) + y": A * sin(B * X) + Y,
    "a x^2 + b x y + k y^2": A * X**2 + B * X * Y + K * Y**2,
    "a(x+1)": A * (X + 1),
    "exp(-a((x-b)^2+y^2))": exp(-A * ((X - B) ** 2 + Y**2)),
    "axy": A * X * Y,
    "2ax - by": 2 * A * X - B * Y,
    "cos(kx)cos(ky)": cos(K * X) * cos(K * Y),
    "sin kx": sin(K * X),
    "a_1 x + a_2 y": 2 * X + 5 * Y,
    # Conditions.
    "{x > 0: x^2, -x}": X**2,
    "{x < 0: x^2, x < 1: y, 7}": Y,
    "if(x > y, x, y)": Y,
    "where(x*y > 0, log(x*y), 0)": log(X * Y),
    "x if y > 0 else -x": X,
    "1 if x < 0 else 2 if y < 0 else 3": 3.0,
    "x > 0 && y < 0 ? 1 : 2": 2.0,
    "(x > 0 || y < 0) ? 1 : 2": 1.0,
    "{0 < x < 1 and not y > 2: x y}": X * Y,
    "max(0, 1 - x^2 - y^2)": 0.0,
    "clamp(x + y, -1, 1)": 1.0,
    "min(x, y, 0.5)": 0.5,
    "{x ≤ 1: 1, 0} + {y ≥ 1 or x ≠ 0: 1, 0}": 2.0,
    "{x>0}": 1.0,
    "x^2 {x > 0}": X**2,
    "piecewise(x < 0, 1, x < 1, 2, 3)": 2.0,
    # The functions of the list.
    "mod(x + 3, 2) + (y + 5) % 3": (X + 3) % 2 + (Y + 5) % 3,
    "floor(3x) + ceil(y) + round(2.6x) + trunc(-y)": floor(3 * X) + math.ceil(Y) + round(2.6 * X) - 1.0,
    "sec x csc x cot x": 1 / cos(X) / sin(X) / tan(X),
    "sech(x) + csch(y) + coth(y)": 1 / cosh(X) + 1 / math.sinh(Y) + 1 / tanh(Y),
    "sinc(x) + sigmoid(y) + logistic(x)": sin(X) / X + 1 / (1 + exp(-Y)) + 1 / (1 + exp(-X)),
    "relu(x - y) + softplus(x)": log(1 + exp(X)),
    "gamma(x + 1) + 3! + binomial(5, 2)": math.gamma(X + 1) + 16,
    "erf(x) erfc(y) sgn(-x) Heaviside(y)": -erf(X) * math.erfc(Y),
    "x! / y!": math.gamma(X + 1) / math.gamma(Y + 1),
    "log_2(x) + log_10(y) + log_5(x y)": log2(X) + log10(Y) + log(X * Y) / log(5),
    "root(3, x) + cbrt(y)": X ** (1 / 3) + Y ** (1 / 3),
    "sum(k=1..10, sin(k x)/k)": sum(sin(k * X) / k for k in range(1, 11)),
    "prod(n=1..4, x + n)": prod(X + n for n in range(1, 5)),
    "sum(i=0..3, sum(j=0..3, x^i y^j))": sum(X**i * Y**j for i in range(4) for j in range(4)),
    "sum(n=0..20, x^n/n!)": exp(X),
    "arctan(y/x) + atan2(y, x) + arcsin(x)": 2 * atan2(Y, X) + math.asin(X),
    "hypot(x, y) + exp2(x)": hypot(X, Y) + 2**X,
    "|x - y| + ||x| - |y||": 2 * (Y - X),
    "sin²x + cos²(x)": 1.0,
    "ln x + log(y)": log(X) + log(Y),
    "-x^2": -(X**2),
    "e^(-x^2-y^2)": exp(-(X**2) - Y**2),
    # Pasted texts.
    "z = x^2 - y^2": X**2 - Y**2,
    "f(x, y) = x y + 1": X * Y + 1,
    "f(x,y):=x y": X * Y,
    "y = x^2": X**2,
    r"\frac{x^{2}}{2}+\sqrt{y}": X**2 / 2 + sqrt(Y),
    r"z=\sin\left(x\right)\cdot\cos\left(y\right)": sin(X) * cos(Y),
    r"e^{-\left(x^2+y^2\right)}": exp(-(X**2) - Y**2),
    r"\sqrt[3]{x}+\log_{2}\left(y\right)": X ** (1 / 3) + log2(Y),
    r"\left|x-y\right|\operatorname{sech}x": (Y - X) / cosh(X),
    r"\sum_{n=1}^{5}\frac{\sin\left(nx\right)}{n}": sum(sin(n * X) / n for n in range(1, 6)),
    r"\left\{x>0:x^2,-x\right\}": X**2,
    r"\arctan\frac{y}{x}": atan2(Y, X),
    r"\mathrm{e}^{x}\,\pi": exp(X) * pi,
    r"x^{2}y^{\frac{1}{2}}": X**2 * sqrt(Y),
    r"\exp(-\frac{1}{2}x^2)/\sqrt{2\pi}": exp(-(X**2) / 2) / sqrt(2 * pi),
    "np.sin(x) * np.exp(-y**2)": sin(X) * exp(-(Y**2)),
    "np.where(x > 0, np.sqrt(x), 0)": sqrt(X),
    "np.maximum(x, y) + np.abs(-x) + np.power(x, 2)": Y + X + X**2,
    "numpy.hypot(x, y) + np.arctan2(y, x) + np.log1p(x)": hypot(X, Y) + atan2(Y, X) + log(1 + X),
    "np.clip(x, 0, 0.5) + np.pi": 0.5 + pi,
    "jnp.tanh(x) + torch.sigmoid(y)": tanh(X) + 1 / (1 + exp(-Y)),
    "math.sqrt(x) # a root": sqrt(X),
    "Math.pow(x, 2) + Math.PI": X**2 + pi,
    "x\u00b2 + y\u00b3 - 2·x × y ÷ 4": X**2 + Y**3 - 2 * X * Y / 4,
    "x − y": X - Y,
    "x⁻¹": 1 / X,
    "(x+y)²": (X + Y) ** 2,
    "|x|²": X**2,
    "x₁ + 1": 5.0,
    "X^2 + Y": X**2 + Y,
    "SIN(X) + Exp(Y)": sin(X) + exp(Y),
    "x^2+y^2 # a bowl": X**2 + Y**2,
    "5x^2y - 3xy^2": 5 * X**2 * Y - 3 * X * Y**2,
    "1e-3x + 2.5e2": 1e-3 * X + 250,
    # Several lines.
    "g(t) = t^2 + 1\nz = g(x) + g(y)": X**2 + Y**2 + 2,
    "r2 = x^2 + y^2\nz = sin(r2)/r2": sin(X**2 + Y**2) / (X**2 + Y**2),
    "u = x + y\nv = x - y\nu v": X**2 - Y**2,
    "z = h(x, y)\nh(s, t) = s t": X * Y,
    "speed = 3\nspeed x": 3 * X,
    "# a hill\nw = 2 # width\nz = exp(-(x^2+y^2)/w)": exp(-(X**2 + Y**2) / 2),
    "a = 2\nb = 3 a\na x + b y": 2 * X + 6 * Y,
    "f(x) = x^2\nf(x) + f(y)": X**2 + Y**2,
    "r = sqrt(x^2+y^2); theta = atan2(y, x); r cos(2theta)": hypot(X, Y) * cos(2 * atan2(Y, X)),
    "φ = 1.618; x φ": X * 1.618,
    "tau = 2 pi\nsin(tau x)": sin(2 * pi * X),
}
"""Texts that are formulas."""
MENDED: Mapping[str, float] = {
    # What else people paste.
    "Σ(k=1..3, k x)": 6 * X,
    r"$$\frac{x}{y}$$": X / Y,
    r"\begin{cases}x^2 & x > 0\\ -x & \text{otherwise}\end{cases}": X**2,
    "lambda x, y: x**2 + y": X**2 + Y,
    "Math.sin(x) * Math.max(x, y);": sin(X) * Y,
    "Math.E ** x + Math.SQRT2": exp(X) + sqrt(2),
    "(x, y) => x * y": X * Y,
    "x => x ** 2": X**2,
    "const z = x * y": X * Y,
    "let a = 2;\nreturn a * x": 2 * X,
    "function f(x, y) { return x * y; }": X * Y,
    "x === y ? 1 : 2": 2.0,
    "x !== y ? 1 : 2": 1.0,
    "x^2 // a square": X**2,
    "Math.hypot(x, y) / 1_000": hypot(X, Y) / 1000,
    "def f(x, y):\n    return x * y": X * Y,
    "√x + √(x y) + ∛y + π": sqrt(X) + sqrt(X * Y) + Y ** (1 / 3) + pi,
    "½x + ¼": X / 2 + 0.25,
    "xⁿ + eˣ": X + exp(X),
    "∑(k=1..3, k x)": 6 * X,
    "𝑥² + 𝑦": X**2 + Y,
    "x′": X,
    "⌊3x⌋ + ⌈y⌉": floor(3 * X) + 2.0,
    # These texts lack a bracket or use an unusual spelling.
    "(x+1": X + 1,
    "x+1)": X + 1,
    "[x+1)": X + 1,
    "|x": X,
    "acot(x)": math.atan(1 / X),
    "square(x+1) + y": (X + 1) ** 2 + Y,
    "norm(x, y)": hypot(X, Y),
    "2 3": 6.0,
    "1,5 x": 1.5 * X,
    "sin^-1 x": math.asin(X),
    "log(x, 2)": log2(X),
    "y // x": floor(Y / X),
    "sin() + y": sin(X) + Y,
    "cosh": cosh(X),
    "x +": X,
    "plot x^2": X**2,
    "d/dx x^2": X**2,
    "if x > 0: x": X,
    "{x > 0, 1}": 1.0,
    "{x + 1}": X + 1,
}
"""Text that is not a formula → the value of the formula that the page suggests instead."""
HOPELESS = ("e^(i x)", "∫x", "inf", "blorp(x)", "x > y > ", "@")
"""Texts for which the page suggests no formula, because there is none or a correction would be a guess."""


def value_of(text: str) -> float:
    free = free_names(text, ("x", "y"))
    values = [LETTERS.get(name, 1.0) for name in free]
    return float(eg.interp(to_fn(text, ("x", "y", *free)))(X, Y, *values))


def asked(requests: Sequence[Sequence[Any]]) -> list[Any]:
    """The answers of mending.mjs."""
    lines = "\n".join(map(json.dumps, [table(), *requests])) + "\n"
    command = [find_node().node, str(SCRIPT)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_a_typed_formula_has_the_right_value(text: str, value: float) -> None:
    assert value_of(text) == pytest.approx(value, rel=1e-13, abs=1e-15)


def test_the_page_offers_the_formula_that_a_refused_text_means() -> None:
    mends = asked([["mend", text, ["x", "y"]] for text in MENDED])
    for (text, value), mend in zip(MENDED.items(), mends, strict=True):
        with pytest.raises(FormulaError):
            to_fn(text)
        assert mend is not None, text
        assert value_of(mend) == pytest.approx(value, rel=1e-13), (text, mend)


def test_the_page_offers_nothing_if_no_formula_is_meant() -> None:
    assert asked([["mend", text, ["x", "y"]] for text in HOPELESS]) == [None] * len(HOPELESS)


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("x^2/(y+1)", r"\frac{{x}^{2}}{y+1}"),
        ("2x sin y", r"2x\siny"),
        ("-x/2", r"-\frac{x}{2}"),
        ("sqrt(x^2+y^2)", r"\sqrt{{x}^{2}+{y}^{2}}"),
        ("|x - |y||", r"\left|x-\left|y\right|\right|"),
        ("root(3, x) + x_1!", r"\sqrt[3]{x}+x_{1}!"),
        ("sum(k=1..10, x^k/k)", r"\sum_{k=1}^{10}\frac{{x}^{k}}{k}"),
        ("{x > 0: x, -x}", r"\begin{cases}x&x>0\\-x&\text{else}\end{cases}"),
        ("x if y <= 0 else 1", r"\begin{cases}x&y\le0\\1&\text{else}\end{cases}"),
        ("log_2(theta) alpha", r"\log_{2}\left(\theta\right)\alpha"),
        ("x^2 + y^2 = 1", r"{x}^{2}+{y}^{2}=1"),
        ("1/(x +", r"\frac{1}{x+\square}"),
        ("sin(", r"\sin\left(\square\right)"),
        ("x^", r"{x}^{\square}"),
        ("sen(x)", r"\mathrm{sen}\,\left(x\right)"),
        ("np.exp(-x**2)", r"\exp\left(-{x}^{2}\right)"),
        (r"\frac{x}{2}", r"\frac{x}{2}"),
        ("1e-3 x", r"1\cdot10^{-3}x"),
    ],
)
def test_a_text_is_shown_as_the_mathematics_that_was_typed(text: str, tex: str) -> None:
    (lines,) = asked([["tex", text, ["x", "y"]]])
    assert lines[0].replace(" ", "") == tex


def test_each_line_is_shown_with_its_head() -> None:
    (lines,) = asked([["tex", "g(t) = t^2 # square\n\nspeed = 2; z = g(x) speed", ["x", "y"]]])
    assert [line.replace(" ", "") for line in lines] == [
        "g(t)={t}^{2}",
        r"\mathrm{speed}=2",
        r"z=g\left(x\right)\,\mathrm{speed}",
    ]
