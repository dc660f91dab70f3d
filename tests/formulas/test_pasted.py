"""The reader accepts pasted LaTeX, spellings of other programs, `z = …`, comments and several lines."""

from __future__ import annotations

import pytest

from eglantine.errors import FormulaError, LimitError, Span
from eglantine.formulas import free_names, to_fn
from eglantine.formulas.algebra import evaluate
from eglantine.formulas.parser import parse

from .reading import InFull, read

NAMES = ("x", "y")


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"\frac{x}{y}", "x/y"),
        (r"\frac{x+1}{y-1}", "(x+1)/(y-1)"),
        (r"\frac12x", "(1/2) x"),
        (r"\frac{\frac{x}{2}}{y}", "(x/2)/y"),
        (r"\sqrt{x^{2}+y^{2}}", "sqrt(x^2+y^2)"),
        (r"\sqrt[3]{x}", "root(3, x)"),
        (r"\sin\left(x\right)\cos\left(y\right)", "sin(x) cos(y)"),
        (r"\sin x\cdot\cos y", "sin(x) * cos(y)"),
        (r"\sin^{2}\left(x\right)", "sin^2(x)"),
        (r"e^{-x^{2}-y^{2}}", "e^(-x^2-y^2)"),
        (r"\ln\left(1+x^{2}\right)", "ln(1+x^2)"),
        (r"\log_{2}\left(x\right)", "log2(x)"),
        (r"\log_2 x", "log2 x"),
        (r"\log_{3}(x)", "log_3(x)"),
        (r"\left|x\right|", "|x|"),
        (r"\left\{x>0:x,-x\right\}", "{x>0: x, -x}"),
        (r"\left\{x\ge0:\sqrt{x}\right\}", "{x>=0: sqrt(x)}"),
        (r"2\pi x", "2 pi x"),
        (r"x\times y\div 2", "x*y/2"),
        (r"\operatorname{abs}\left(x\right)", "abs(x)"),
        (r"\mathrm{e}^{x}", "e^x"),
        (r"\sum_{k=1}^{3}x^{k}+y", "sum(k=1..3, x^k)+y"),
        (r"\sum_{k=1}^{3}kx", "sum(k=1..3, k x)"),
        (r"\prod_{n=1}^3\left(x+n\right)", "prod(n=1..3, x+n)"),
        (r"\frac{1}{\sum_{k=1}^{2}x^{k}}", "1/sum(k=1..2, x^k)"),
        (r"\lfloor x\rfloor", "floor(x)"),
        (r"\binom{x}{2}", "binomial(x, 2)"),
        (r"\arctan x", "atan x"),
        (r"\tan^{-1}", None),
        (r"z=\frac{x}{2}", "x/2"),
        (r"f\left(x,y\right)=x y", "x y"),
        ("x^{2}", "x^2"),
        ("x^{y+1}y", "x^(y+1) y"),
    ],
)
def test_latex_is_read_as_the_same_formula_in_plain_text(latex: str, plain: str | None) -> None:
    if plain is None:
        assert isinstance(read(latex, NAMES), FormulaError)
    else:
        assert read(latex, NAMES) == read(plain, NAMES)
        assert isinstance(read(plain, NAMES), str)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("np.sin(x) + np.pi", "sin(x) + pi"),
        ("np.where(x > 0, np.exp(x), 0)", "where(x > 0, exp(x), 0)"),
        ("Math.pow(x, 2) + Math.PI", "pow(x, 2) + pi"),
        ("Math.sqrt(x**2 + y**2)", "sqrt(x^2 + y^2)"),
        ("math.fabs(x)", "abs(x)"),
        ("Sin[x] Cos[y]", "sin[x] cos[y]"),
        ("Sqrt[X^2 + Y^2]", "sqrt(x^2 + y^2)"),
        ("x² · y × 2 ÷ 3 − √x", "x^2 * y * 2 / 3 - sqrt x"),
        ("x ≤ y", "x <= y"),
        ("x ≥ 0 ∧ y ≠ 1", "x >= 0 and y != 1"),
        ("x > 0 && y > 0 ? x : y", "x if x > 0 and y > 0 else y"),
        ("z = x + y", "x + y"),
        ("y = x^2", "x^2"),
        ("f(x, y) = x y", "x y"),
        ("f(x) := x^2", "x^2"),
        ("loss = x^2 # the loss", "x^2"),
        ("# only a comment\nx + y", "x + y"),
        ("XY", "x y"),
        ("0 < x < 1", "0 < x and x < 1"),
        ("not x > 0 or y > 0", "(not x > 0) or y > 0"),
        ("x mod_ y", None),
    ],
)
def test_spellings_of_other_programs_are_read(text: str, plain: str | None) -> None:
    assert (
        isinstance(read(text, NAMES), FormulaError)
        if plain is None
        else read(text, NAMES) == read(plain, NAMES)
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("g(t) = t^2 + 1\nz = g(x) + g(y)", 5 + 10),
        ("z = g(x) + g(y)\ng(t) = t^2 + 1", 5 + 10),
        ("a = 3\na x", 6),
        ("a = 3\nb = a + 1\na b x", 24),
        ("b = a + 1\na = 3\na b x", 24),
        ("a = x y\na(x + 1)", 18),
        ("a(t) = t^2\na(x + 1)", 9),
        ("r = sqrt(x^2 + y^2)\nr^2", 13),
        ("u(s, t) = s - t\nu(y, x)", 1),
        ("inside = x > 0 and y > 0\n{inside: 1, 0}", 1),
        ("speed = 2 x\nspeed + y", 7),
        ("h(t) = sum(k=1..3, t^k)\nh(x) + h(y)", 14 + 39),
        ("n = 3\nsum(k=1..n, k x)", 12),
        ("e = 2\ne^x", 4),
        ("f(x) = x + 1\ng(x) = 2 x\nf(g(x)) + y", 8),
        ("g(x) = x^2\ng(y)", 9),
        ("g(t) = t^2; z = g(x) + g(y)", 13),
        ("z = x + y;", 5),
    ],
)
def test_earlier_lines_define_names_for_the_last_line(text: str, value: float) -> None:
    assert to_fn(text)(2.0, 3.0) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "span", "sentence"),
    [
        ("a = 3\nb = sen(a)\na b x", Span("", 2, 4, 2, 7), "There is no function `sen`"),
        ("a = (3\na x", Span("", 1, 4, 1, 5), "never closed"),
        ("a = 3\na x +", Span("", 2, 5, 2, 5), "The formula ends"),
        ("a = b\nb = a\nx", Span("", 1, 0, 1, 1), "The value of `a` depends on itself"),
        ("a = 1\na = 2\na", Span("", 2, 0, 2, 1), "Two lines define `a`"),
        ("x = 3\na = 2\nz = x a", Span("", 1, 0, 1, 1), "`x` is a variable of the picture"),
        ("x + 1\ny + 1\na = 2", Span("", 2, 0, 2, 5), "Only one line may have no name"),
        ("g(t, t) = t\ng(x, y)", Span("", 1, 0, 1, 1), "different names for its parameters"),
        ("g(t) = t\ng(x, y)", Span("", 2, 0, 2, 7), "takes 1 argument, but it has 2"),
        ("f(t) = t^2", Span("", 1, 0, 1, 1), "but `f` takes `t`"),
        ("𝒳 = 2\n𝒳 + sen(x)", Span("", 2, 5, 2, 8), "There is no function `sen`"),
    ],
)
def test_a_mistake_in_several_lines_has_its_line_and_columns(text: str, span: Span, sentence: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert sentence in str(caught.value)
    assert caught.value.span == span


def test_the_mistakes_of_all_lines_are_reported_in_order() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("z = g(x) + h(y\ng(t) = t^2 + sen(t)\nh(t) = g(t) + 1)")
    spans = [error.span for error in (caught.value, *caught.value.others)]
    assert spans == [Span("", 1, 12, 1, 13), Span("", 2, 13, 2, 16), Span("", 3, 15, 3, 16)]


def test_a_line_that_uses_a_mistaken_condition_has_no_mistake_of_its_own() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("inside = x > (y\n{inside: 1, 0}")
    assert caught.value.others == ()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x^2 + y^2 = 1", "x^2 + y^2 - 1"),
        ("y^2 = x^3 - x", "y^2 - (x^3 - x)"),
        ("sin(x) = y", "sin(x) - y"),
        ("x = 2", "x - 2"),
        ("xy = 1", "x y - 1"),
        ("c = 2\nx + y = c", "x + y - 2"),
        ("y = x^2", "x^2"),
        ("a = x^2", "x^2"),
        ("f(x, y) = x y", "x y"),
        ("z = x + y", "x + y"),
    ],
)
def test_an_equation_can_be_read_as_a_difference(text: str, plain: str) -> None:
    assert to_fn(text, equations=True)(0.7, 1.3) == to_fn(plain)(0.7, 1.3)


def test_free_letters_of_an_equation_are_found_if_equations_are_formulas() -> None:
    assert free_names("x^2 + y^2 = a", NAMES, equations=True) == ["a"]
    with pytest.raises(FormulaError, match="implicit curve"):
        free_names("x^2 + y^2 = a", NAMES)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("r^2 sin(2 theta)", "(x^2 + y^2) sin(2 atan2(y, x))"),
        ("r cos θ", "x"),
        ("r = 1 + cos(theta)", "hypot(x, y) - 1 - cos(atan2(y, x))"),
        ("f(r, theta) = r theta", "hypot(x, y) atan2(y, x)"),
        ("g(t) = t^2\ng(r) + x", "x^2 + y^2 + x"),
    ],
)
def test_after_the_comment_polar_r_and_theta_have_a_meaning(text: str, plain: str) -> None:
    f = to_fn(f"{text}\n# polar", equations=True)
    assert f(0.7, 1.3) == pytest.approx(to_fn(plain)(0.7, 1.3), rel=1e-14)
    assert free_names(f"{text}\n# polar", NAMES, equations=True) == []


def test_polar_letters_cannot_be_defined_again() -> None:
    with pytest.raises(FormulaError, match="`r` is a variable of the picture"):
        parse("r = 2\nr x\n# polar")


@pytest.mark.parametrize(
    ("latex", "columns"),
    [(r"\frac{x}{sen(y)}", (9, 12)), (r"\sqrt{x}+sen x", (9, 12)), (r"x^{2}+$", (6, 7)), (r"\foo x", (0, 4))],
)
def test_a_mistake_in_latex_has_columns_in_the_latex(latex: str, columns: tuple[int, int]) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(latex)
    assert caught.value.span == Span("", 1, columns[0], 1, columns[1])


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("x_1 + a_2", ["a_2", "x_1"]),
        ("alpha + α x", ["alpha"]),
        (r"\alpha x+\beta_{2}", ["alpha", "beta_2"]),
        ("gamma x + delta", ["delta", "gamma"]),
        ("gamma(x)", []),
        ("a_1 + a1", ["a_1"]),
        ("b sum(k=1..3, x^k)", ["b"]),
        ("a = 2\na x + b", ["b"]),
        ("g(t) = c t\ng(x)", ["c"]),
        ("a(x+1)", ["a"]),
        ("rx(1-x)", ["r"]),
        ("A exp(-a x)", ["A", "a"]),
        ("log_b(x)", ["b"]),
        ("b2 + b10 + b1", ["b1", "b2", "b10"]),
    ],
)
def test_free_letters_in_any_spelling_are_found_and_can_be_variables(text: str, free: list[str]) -> None:
    assert sorted(free_names(text, NAMES)) == sorted(free)
    formula = parse(text, (*NAMES, *free_names(text, NAMES)))
    assert evaluate(formula, InFull(), formula.names)


def test_definitions_with_too_many_operations_are_a_limit_error() -> None:
    lines = ["g0(t) = t + 1", *(f"g{k}(t) = g{k - 1}(t) g{k - 1}(t + 1)" for k in range(1, 20)), "g19(x)"]
    with pytest.raises(LimitError, match="more than 4,000 operations"):
        parse("\n".join(lines))
    with pytest.raises(LimitError, match="more than 4,000 operations"):
        parse("sum(k=1..9999, x^k)")


def test_a_bracket_after_a_free_letter_is_a_product_unless_it_is_defined() -> None:
    assert to_fn("a(x+1)", ("x", "a"))(2.0, 5.0) == 15.0
    assert to_fn("a(t) = t^2\na(x+1)", ("x",))(2.0) == 9.0
