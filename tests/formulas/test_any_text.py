"""A random text either is a formula with a value, or raises an error that explains the mistake."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from eglantine.errors import FormulaError, LimitError
from eglantine.formulas.algebra import apply
from eglantine.formulas.lexer import CONSTANTS, FUNCTIONS
from eglantine.formulas.parser import parse
from tests.seeds import examples

from .ieee_maths import IeeeMaths
from .reading import lies_in

WORDS = [
    *FUNCTIONS,
    *CONSTANTS,
    "x",
    "y",
    "a",
    "speed",
    "1",
    ".5",
    "2.",
    "1e-3",
    "1e999",
    "0",
    *"+-*/^()[]|, ²√=\0",
]
WORDS += ["**", "−", "×", "\ud800", "😀", "sen", "\n"]
NAMES = ("x", "y", "a", "speed")

any_text = st.text(st.characters(), max_size=60)
any_words = st.lists(st.sampled_from(WORDS), max_size=40).map("".join)
spaced_words = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


@st.composite
def valid_formulas(draw: st.DrawFn) -> str:
    operand = st.sampled_from(["x", "y", "2", "0.5", "pi", "speed", "a"])
    grow = st.recursive(
        operand,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from([" + ", "-", "*", "/", "^", " "]), inner).map(
                lambda parts: f"({parts[0]}){parts[1]}({parts[2]})"
            ),
            st.tuples(st.sampled_from(["sin", "sqrt", "ln", "abs", "-", "+", "exp"]), inner).map(
                lambda parts: f"{parts[0]}({parts[1]})"
            ),
            st.tuples(st.sampled_from(["atan2", "min", "hypot"]), inner, inner).map(
                lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"
            ),
        ),
        max_leaves=12,
    )
    return draw(grow)


@st.composite
def mutated_formulas(draw: st.DrawFn) -> str:
    text = draw(valid_formulas())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        width = draw(st.integers(0, 3))
        text = text[:at] + draw(st.sampled_from([*WORDS, ""])) + text[at + width :]
    return text


def mistake_or_value(text: str) -> FormulaError | LimitError | float:
    try:
        return apply(parse(text, NAMES), IeeeMaths(), 0.5, -2.0, 3.0, 0.0)
    except (FormulaError, LimitError) as error:
        return error


def reads_or_explains(text: str) -> None:
    result = mistake_or_value(text)
    if isinstance(result, float):
        return
    assert result.span is not None
    assert lies_in(result.span, text)
    assert "." in str(result)
    str(result).encode()  # raises if the message contains a lone surrogate


@settings(max_examples=examples(200))
@given(any_text)
@example("9" * 1999)
@example("x^" * 900)
@example("xy" * 1000)
@example("sin" * 600)
@example("(" * 2000)
@example("9^9^9^9^9^9^9^9")
@example("1e308*10 - 1e308*10")
@example("\N{ARABIC-INDIC DIGIT ONE}+x")
@example("x\u0301")
def test_any_text_is_a_formula_or_raises_an_error_with_advice(text: str) -> None:
    reads_or_explains(text)


@settings(max_examples=examples(250))
@given(st.one_of(any_words, spaced_words))
def test_any_words_are_a_formula_or_raise_an_error_with_advice(text: str) -> None:
    reads_or_explains(text)


@settings(max_examples=examples(120))
@given(mutated_formulas())
def test_a_mutated_formula_is_a_formula_or_raises_an_error_with_advice(text: str) -> None:
    reads_or_explains(text)


@settings(max_examples=examples(100))
@given(valid_formulas())
def test_the_spans_of_a_valid_formula_lie_inside_its_text(text: str) -> None:
    for node in parse(text, NAMES).nodes:
        assert 0 <= node.start < node.end <= len(text)
        assert all(place < len(text) for place in node.operands)
