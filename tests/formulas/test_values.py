"""Every kind of formula has the right value."""

from __future__ import annotations

import math

import pytest

from eglantine.formulas.algebra import apply
from eglantine.formulas.parser import parse

from .ieee_maths import IeeeMaths

X, Y = 0.7, -1.3
sin, cos = math.sin, math.cos


def value(text: str, x: float = X, y: float = Y) -> float:
    result = apply(parse(text), IeeeMaths(), x, y)
    assert type(result) is float
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1.0),
        (".5", 0.5),
        ("2.", 2.0),
        ("1e-3", 0.001),
        ("1.5E+2", 150.0),
        ("00012", 12.0),
        ("pi", math.pi),
        ("π", math.pi),
        ("e", math.e),
        ("2e", 2 * math.e),
        ("2e1", 20.0),
        ("2e-x", 2 * math.e - X),
    ],
)
def test_numbers_and_constants_have_their_usual_spellings(text: str, expected: float) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-x^2", -(X * X)),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("2**3**2", 512.0),
        ("2^-1", 0.5),
        ("2^-x", 2**-X),
        ("2^-x^2", 2 ** -(X * X)),
        ("2^+1", 2.0),
        ("1-2-3", -4.0),
        ("12/3/2", 2.0),
        ("2*-3", -6.0),
        ("2--3", 5.0),
        ("- - 3", 3.0),
        ("+3", 3.0),
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("[1+2]*3", 9.0),
        ("6/2*3", 9.0),
        ("|1-3|", 2.0),
        ("2|1-3|", 4.0),
        ("|-2||-3|", 6.0),
        ("||-2|-3|", 1.0),
        ("|(|-2|)|", 2.0),
    ],
)
def test_operators_have_the_precedence_of_textbooks(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2x", 2 * X),
        ("3(x+1)", 3 * (X + 1)),
        ("(x+1)(y+1)", (X + 1) * (Y + 1)),
        ("(x+1)2", (X + 1) * 2),
        ("x y", X * Y),
        ("xy", X * Y),
        ("2xy^2", 2 * X * Y * Y),
        ("x(y)", X * Y),
        ("2pi x", 2 * math.pi * X),
        ("2πx", 2 * math.pi * X),
        ("2^3x", 8 * X),
        ("1/2x", 0.5 * X),
        ("x/2y", X / 2 * Y),
    ],
)
def test_products_with_and_without_a_sign_bind_equally(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x sin y", X * sin(Y)),
        ("2 sin x cos y", 2 * sin(X) * cos(Y)),
        ("sin 2x y", sin(2 * X * Y)),
        ("sin x / 2", sin(X) / 2),
        ("sin x + y", sin(X) + Y),
        ("sin x * y", sin(X) * Y),
        ("sin(x) y", sin(X) * Y),
        ("sin (x) y", sin(X) * Y),
        ("sin x (y+1)", sin(X * (Y + 1))),
        ("sin x^2", sin(X * X)),
        ("sin(x)^2", sin(X) ** 2),
        ("sin -x", sin(-X)),
        ("sin -x y", sin(-X * Y)),
        ("sin cos x", sin(cos(X))),
        ("sin^2 x", sin(X) ** 2),
        ("sin^2(x)", sin(X) ** 2),
        ("sin²x", sin(X) ** 2),
        ("sin^2 x cos^3 y", sin(X) ** 2 * cos(Y) ** 3),
        ("sinx", sin(X)),
        ("2xsin3y", 2 * X * sin(3 * Y)),
        ("sqrt 2x", math.sqrt(2 * X)),
        ("√x", math.sqrt(X)),
        ("√(x+1)y", math.sqrt(X + 1) * Y),
        ("log10x", math.log10(X)),
        ("ln x", math.log(X)),
        ("|sin x|", sin(X)),
    ],
)
def test_a_function_without_brackets_applies_to_the_next_product(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x²", X**2),
        ("x³y", X**3 * Y),
        ("x⁻¹", 1 / X),
        ("x¹⁰", X**10),
        ("x·y", X * Y),
        ("x×y", X * Y),
        ("x−y", X - Y),
        ("x÷y", X / Y),
        ("x\u00a0+\ty\n", X + Y),
    ],
)
def test_typographic_signs_have_their_usual_meaning(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arcsin x", math.asin(X)),
        ("arctan(x)", math.atan(X)),
        ("arsinh(x)", math.asinh(X)),
        ("arccosh(2)", math.acosh(2)),
        ("atan2(x, y)", math.atan2(X, Y)),
        ("arctan2(x, y)", math.atan2(X, Y)),
        ("hypot(x, y)", math.hypot(X, Y)),
        ("pow(x, y)", X**Y),
        ("min(x, y)", Y),
        ("max(x, y, 3)", 3.0),
        ("clip(x, 0, 0.5)", 0.5),
        ("abs(y)", 1.3),
        ("sgn(y)", -1.0),
        ("lgamma(3)", math.log(2)),
        ("polygamma(1, x)", X),
        ("polygamma(100, x)", X),
        ("exp2(3)", 8.0),
        ("log1p(x)", math.log1p(X)),
        ("cbrt(8)", 2.0),
    ],
)
def test_functions_have_their_usual_names(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)


def test_variables_may_have_the_names_of_functions_and_constants() -> None:
    formula = parse("speed*e + ln2 - a b", ("a", "b", "speed", "e", "ln2"))
    assert apply(formula, IeeeMaths(), 2.0, 3.0, 5.0, 7.0, 11.0) == 5 * 7 + 11 - 6


def test_a_word_is_split_into_the_longest_names() -> None:
    formula = parse("abx", ("a", "b", "ab", "x"))
    assert [node.name for node in formula.nodes if node.kind == "variable"] == ["ab", "x"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1/0", math.inf), ("-1/0", -math.inf), ("0/0", math.nan), ("1/(x-x)", math.inf), ("10^400", math.inf)],
)
def test_formulas_of_plain_numbers_follow_ieee_754_and_never_raise(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, nan_ok=True)


def test_a_negative_base_with_a_fractional_exponent_is_nan() -> None:
    assert math.isnan(value("(-8)^(1/3)"))


class Recorder:
    """A replacement for a traced value. Its operations record the expression as a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __pow__(self, other: object) -> Recorder:
        return Recorder(f"{self.text}**{other!r}")

    def __add__(self, other: Recorder) -> Recorder:
        return Recorder(f"{self.text}+{other.text}")


class RecordingMaths:
    @staticmethod
    def pow(base: Recorder, exponent: object) -> Recorder:
        return Recorder(f"pow({getattr(base, 'text', base)}, {getattr(exponent, 'text', exponent)!r})")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x^2", "x**2"),
        ("x²", "x**2"),
        ("x^-2", "x**-2"),
        ("x^(-2)", "x**-2"),
        ("x^2.0", "pow(x, 2.0)"),
        ("x^0.5", "pow(x, 0.5)"),
        ("x^(1+1)", "pow(x, 2.0)"),
        ("x^2000", "pow(x, 2000.0)"),
        ("2^x", "pow(2, 'x')"),
        ("x^2+x", "x**2+x"),
    ],
)
def test_an_integer_exponent_stays_an_int_and_others_call_pow(text: str, expected: str) -> None:
    assert apply(parse(text, ("x",)), RecordingMaths(), Recorder("x")).text == expected
