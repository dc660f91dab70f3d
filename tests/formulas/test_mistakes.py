"""Errors in formulas have the right columns and messages. They suggest similar names."""

from __future__ import annotations

import pickle

import pytest

from eglantine.errors import EglantineError, FormulaError, LimitError, Span, TypeMismatchError
from eglantine.formulas.parser import parse


def mistake(text: str, names: tuple[str, ...] = ("x", "y")) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        parse(text, names)
    return caught.value


@pytest.mark.parametrize(
    ("text", "columns", "sentence", "suggestion"),
    [
        ("", (0, 0), "The formula is empty", None),
        ("  ", (2, 2), "The formula is empty", None),
        ("sen(x)", (0, 3), "There is no function `sen` here", "sin"),
        ("2 + sen(x)", (4, 7), "There is no function `sen` here", "sin"),
        ("sqtr(x)", (0, 4), "There is no function `sqtr` here", "sqrt"),
        ("cosinus(x)", (0, 7), "There is no function `cosinus` here", "cos"),
        ("tg(x)", (0, 2), "There is no function `tg` here", "tan"),
        ("Sinn(x)", (0, 4), "There is no function `Sinn` here", None),
        ("A + y", (0, 1), "There is no name `A` here. The variables are x, y", None),
        ("x + z", (4, 5), "There is no name `z` here", None),
        ("x2", (0, 2), "Write `x*2` for a product or `x^2` for a power", None),
        ("x +", (3, 3), "The formula ends after `+`, where a number, a name or `(` was expected", None),
        ("x * / y", (4, 5), "`/` stands where a number, a name or `(` was expected", None),
        ("x ^^ 2", (3, 4), "`^` stands where", None),
        ("*x", (0, 1), "`*` stands where", None),
        ("²", (0, 1), "The exponent `²` has no base", None),
        ("()", (1, 2), "There is nothing between the brackets", None),
        ("(x + 1", (0, 1), "The `(` here is never closed. Add `)`", None),
        ("sin(x", (3, 4), "The `(` here is never closed", None),
        ("2|x", (1, 2), "The `|` here is never closed", None),
        ("(x]", (2, 3), "`]` does not close the `(` before it. That needs `)`", ")"),
        ("x)", (1, 2), "The `)` closes no bracket", None),
        (")", (0, 1), "The `)` closes no bracket", None),
        (
            "1,5",
            (0, 3),
            "A comma only separates the arguments of a function. Write decimals with a point",
            "1.5",
        ),
        ("(x, y)", (2, 3), "A comma only separates", None),
        ("2 3", (2, 3), "The number `3` stands right after `2`. Put an operator between them", None),
        ("1.2.3", (3, 5), "The number `.3` stands right after `1.2`", None),
        ("sin x 2 3", (8, 9), "The number `3` stands right after `2`", None),
        ("sin", (0, 3), "The function `sin` has no argument. Write sin(x)", None),
        ("atan2 x", (0, 5), "The function `atan2` has no argument. Write atan2(a, b)", None),
        ("sin()", (0, 5), "The function `sin` takes 1 argument, but it has none. Add what is missing", None),
        ("sin(x, y)", (0, 9), "The function `sin` takes 1 argument, but it has 2. Remove the rest", None),
        (
            "x+hypot(x)",
            (2, 10),
            "The function `hypot` takes 2 arguments, but it has 1. Add what is missing",
            None,
        ),
        ("min(x)", (0, 6), "The function `min` takes at least 2 arguments, but it has 1", None),
        ("sin^-1 x", (0, 6), "Write asin(x) for the inverse or 1/sin(x) for the reciprocal", "asin"),
        ("ln⁻¹ x", (0, 4), "`ln^-1` has two meanings. Write 1/ln(x)", None),
        (
            "polygamma(101, x)",
            (10, 13),
            "The order of `polygamma` must be a whole number from 0 to 100",
            None,
        ),
        ("x^2 + y^2 = 1", (0, 13), "This equation is an implicit curve", "x^2 + y^2 - 1"),
        ("x = y^2", (0, 7), "This equation is an implicit curve", "x - (y^2)"),
        ("x + (y = 1)", (7, 8), "A formula has no `=` here", None),
        ("if(x, 1, 2)", (3, 4), "This is a number, but a condition was expected", None),
        ("x and y", (6, 7), "This is a number, but a condition was expected", None),
        ("x if y > 0", (10, 10), "After `if`, `else` was expected, but the formula ends", None),
        ("x > 0 ? 1", (9, 9), "After `?`, `:` was expected, but the formula ends", None),
        ("if x > 0: x", (0, 2), "`if` needs brackets", None),
        ("{x > 0: x", (0, 1), "The `{` here is never closed. Add `}`", None),
        ("sum(k=1..n, k)", (9, 10), "There is no name `n` here", None),
        ("sum(k=1..x, k)", (9, 10), "A bound of a sum or product must be a whole number", None),
        ("sum(k=1..3, k) + k", (17, 18), "`k` has a value only inside of its sum", None),
        ("sum(x)", (0, 3), "`sum` needs a letter with its range", None),
        ("x: y", (1, 2), "A colon only stands in pieces", None),
        ("d/dx x^2", (0, 4), "Formulas have no d/dx", None),
        ("\\foo{x}", (0, 4), "`\\foo` has no meaning here", None),
        ("\\frac{x}{", (8, 9), "The `{` here is never closed", None),
        ("sin(x) = y", (0, 10), "This equation is an implicit curve", "sin(x) - y"),
        ("x =", (0, 1), "One side of this equation is missing", None),
        ("{x > 0, 1}", (6, 7), "A colon was expected here, after the condition", ":"),
        ("d²/dx² x", (0, 5), "Formulas have no d/dx", None),
        ("sum", (0, 3), "The function `sum` has no argument. Write sum(k=1..10, x^k)", None),
        ("x // y", (3, 4), "Write floor(x/y) for a whole quotient", None),
        ("∫x", (0, 1), "Formulas have no integrals", None),
        ("{x}", (0, 1), "Group with round or square brackets", "("),
        ("x $ y", (2, 3), "The character `$` has no meaning in a formula", None),
        ("$x^2$", (0, 1), "Leave out the dollar signs around the formula", None),
        ("\\(x^2\\)", (0, 2), "Leave out the \\( and \\) around the formula", None),
        ("sin(30°)", (6, 7), "Angles are in radians. Write 30*pi/180 for 30 degrees", None),
        ("x½", (0, 2), "There is no name `x½` here. Write 1/2", None),
        ("∛x", (0, 1), "The character `∛` has no meaning in a formula. Write cbrt(x)", None),
        ("\\begin{cases}x\\end{cases}", (0, 6), "Write {x > 0: x^2, -x} for a formula by cases", None),
        ("x\0", (1, 2), "The character `U+0000` has no meaning", None),
        ("\ud800", (0, 1), "The character `U+D800` has no meaning", None),
        ("1e999", (0, 5), "The number `1e999` is larger than any Real", None),
        ("9" * 400, (0, 400), "is larger than any Real", None),
        ("x^1e-999", (2, 8), "is closer to zero than any Real", "0"),
    ],
)
def test_a_mistake_has_columns_a_message_and_a_suggestion(
    text: str, columns: tuple[int, int], sentence: str, suggestion: str | None
) -> None:
    error = mistake(text)
    assert sentence in str(error)
    assert error.span == Span("", 1, columns[0], 1, columns[1])
    assert error.suggestion == suggestion
    assert suggestion is None or str(error).endswith(f"Did you mean `{suggestion}`?")


@pytest.mark.parametrize(
    ("text", "columns"),
    [("😀", (0, 2)), ("x + 😀", (4, 6)), ("𝒳 + y", (0, 2)), ("x\u2003+ $", (4, 5))],
)
def test_columns_count_utf_16_code_units(text: str, columns: tuple[int, int]) -> None:
    span = mistake(text).span
    assert span is not None
    assert (span.column, span.end_column) == columns


def test_a_letter_of_two_utf_16_units_counts_as_two_columns() -> None:
    span = mistake("𝒳 + 𝒴 + sen(𝒳)", ("𝒳", "𝒴")).span
    assert span is not None
    assert (span.column, span.end_column) == (10, 13)


def test_replacing_the_span_by_the_suggestion_gives_a_formula() -> None:
    text = "2 + sqtr(x)"
    error = mistake(text)
    assert error.span is not None
    repaired = text[: error.span.column] + str(error.suggestion) + text[error.span.end_column :]
    assert parse(repaired).nodes == parse("2 + sqrt(x)").nodes


@pytest.mark.parametrize("names", [("x", "x"), ("2",), ("a b",), ("",), ("x²",), ("+",)])
def test_a_variable_that_is_not_a_word_or_given_twice_is_an_error(names: tuple[str, ...]) -> None:
    assert "ariable" in str(mistake("1", names))


def limit(text: str) -> LimitError:
    with pytest.raises(LimitError) as caught:
        parse(text)
    return caught.value


def test_a_formula_has_at_most_2000_characters() -> None:
    parse("x" + " " * 1999)
    error = limit("x" + " " * 2000)
    assert "2,001 characters, but it may have at most 2,000" in str(error)
    assert error.span == Span("", 1, 2000, 1, 2001)


def test_a_formula_has_at_most_400_terms() -> None:
    parse("+".join("x" * 400))
    error = limit("+".join("x" * 401))
    assert "more than 400 terms" in str(error)
    assert error.span == Span("", 1, 800, 1, 801)


@pytest.mark.parametrize(
    "nest",
    [
        lambda depth: "(" * depth + "x" + ")" * depth,
        lambda depth: "-" * depth + "x",
        lambda depth: "^".join("x" * (depth + 1)),
        lambda depth: "sin " * depth + "x",
        lambda depth: "sin(" * depth + "x" + ")" * depth,
        lambda depth: "|" * depth + "x" + "|" * depth,
    ],
    ids=["brackets", "signs", "powers", "bare functions", "functions", "bars"],
)
def test_a_formula_nests_at_most_64_deep(nest) -> None:
    parse(nest(64))
    assert "nests deeper than 64" in str(limit(nest(65)))


@pytest.mark.parametrize("beside", ["x+", "x*", "2", "x+y*"])
def test_an_operand_before_a_bracket_adds_no_depth(beside: str) -> None:
    def nest(depth: int) -> str:
        return f"{beside}(" * depth + "x" + ")" * depth

    parse(nest(64))
    assert "nests deeper than 64" in str(limit(nest(65)))


def test_the_message_ends_with_file_and_line_if_the_file_is_known() -> None:
    error = TypeMismatchError("Found a Bool.", Span("model.py", 3, 4, 3, 9))
    assert str(error) == "Found a Bool. (model.py, line 3)"
    assert isinstance(error, TypeError)


def test_an_error_can_be_pickled() -> None:
    error = mistake("sen(x)")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes
    assert (str(again), again.span, again.suggestion) == (str(error), error.span, error.suggestion)
    assert isinstance(again, EglantineError)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("acot(x)", "acot(x) is atan(1/x)"),
        ("asec(x)", "asec(x) is acos(1/x)"),
        ("psi(x)", "psi(x) is polygamma(0, x)"),
        ("logit(x)", "logit(x) is log(x/(1 - x))"),
        ("swish(x)", "swish(x) is x/(1 + exp(-x))"),
        ("rem(x, y)", "rem(x, y) is x - y*trunc(x/y)"),
        ("tau*x", "tau is 2*pi"),
        ("phi", "phi is (1 + sqrt(5))/2"),
        ("nan", "Formulas have nothing that computes it"),
        ("nan(x)", "Formulas have nothing that computes it"),
        ("zeta(x)", "Formulas have nothing that computes it"),
    ],
)
def test_the_error_on_a_missing_function_names_an_equal_formula(text: str, meaning: str) -> None:
    error = mistake(text)
    assert meaning in str(error)
    assert error.suggestion is None


@pytest.mark.parametrize("text", ["san(x)", "sinn(x)", "tanc(x)", "foo(x)", "q(x)", "artan(x)", "nana"])
def test_nothing_is_suggested_if_the_meaning_is_uncertain(text: str) -> None:
    assert mistake(text).suggestion is None


@pytest.mark.parametrize(
    ("text", "letter", "suggestion"),
    [
        ("х + 1", "This is the Cyrillic letter ha, which looks like x", "x"),
        ("sin(у)", "This is the Cyrillic letter u, which looks like y", "y"),
        ("соs(x)", "Its с is the Cyrillic letter es, which looks like c", "cos"),
        ("ехр(x)", "Its е is the Cyrillic letter ie, which looks like e", "exp"),
        ("χ^2", "This is the Greek letter chi, which looks like x", "x"),
        ("ｘ", "This is a letter of full width, which looks like x", "x"),
        ("𝑥 + 𝑦", "This is a mathematical letter, which looks like x", "x"),
        ("sіn(x)", "Its і is the Cyrillic letter i, which looks like i", "sin"),
        ("α + x", "There is no name `α` here. The variables are x, y", None),
    ],
)
def test_the_error_names_a_letter_that_looks_like_another(
    text: str, letter: str, suggestion: str | None
) -> None:
    error = mistake(text)
    assert letter in str(error)
    assert error.suggestion == suggestion


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [("arctn(x)", "arctan"), ("lgama(x)", "lgamma"), ("abss(x)", "abs"), ("hypo(x, y)", "hypot")],
)
def test_the_suggestion_corrects_a_spelling_mistake(text: str, suggestion: str) -> None:
    assert mistake(text).suggestion == suggestion
