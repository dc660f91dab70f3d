"""Each misuse of a relation is an error that names the relation, the argument and the user's line."""

from __future__ import annotations

import decimal
import fractions
import inspect
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest

import eglantine as eg
from eglantine import diagrams as dg

d = dg.Diagram(200, 100)
CIRCLE, TEXT = d.circle(name="C"), d.text("word", name="T")
LINE, POLYGON = d.line(name="L"), d.polygon(3, name="P")
HUGE = 10**400

VALUES: dict[str, Any] = {
    "circle": CIRCLE, "text shape": TEXT, "line": LINE, "polygon": POLYGON, "group": d.group(CIRCLE, TEXT),
    "point": (1.0, 2), "list": [1, 2.0], "traced point": CIRCLE.centre,
    "exact point": (decimal.Decimal(1), 2),
    "pair of shapes": (CIRCLE, TEXT), "pair of points": ((0, 0), (3.0, 4.0)), "mixed pair": [CIRCLE, (1, 2)],
    "number": 3, "float": 2.5, "traced": CIRCLE.x, "decimal": decimal.Decimal("0.5"),
    "fraction": fractions.Fraction(1, 2), "truth": True, "lines": [LINE, (CIRCLE, TEXT)], "no lines": [],
    "None": None, "str": "text", "two letters": "ab", "object": object(), "relation": dg.near(CIRCLE, TEXT),
    "comparison": CIRCLE.x < 3, "unknown": dg.unknown(), "triple": (1, 2, 3), "texts": ("a", "b"),
    "nan": float("nan"), "point of nan": (0.0, float("inf")), "huge": HUGE,
    "too long to write": 10**5000, "point of huge": (HUGE, 0),
    "truths": (True, False), "dict": {}, "class": float, "function": len, "complex": 1j,
    "half a line": (CIRCLE, 3), "number in a list": [LINE, 3], "vector": eg.vec(3, lambda i: CIRCLE.x),
}  # fmt: skip
NUMBERS = {"number", "float", "traced", "decimal", "fraction"}
SHAPES = {"circle", "text shape", "line", "polygon", "group"}
POINTS = {"point", "list", "traced point", "exact point"}
PAIRS = {"pair of shapes", "pair of points", "mixed pair"}
RIGHT: dict[str, set[str]] = {
    "number": NUMBERS, "shape": SHAPES, "place": SHAPES | POINTS, "line": PAIRS | {"line", "polygon"},
    "truth": {"truth"}, "lines": {"lines", "no lines"},
}  # fmt: skip
USUAL = {"number": 1.5, "shape": CIRCLE, "place": (1, 2), "line": LINE, "truth": True, "lines": [LINE]}

RELATIONS: dict[str, dict[str, str]] = {
    "above": {"a": "place", "b": "place", "padding": "number"},
    "at_distance": {"a": "place", "b": "place", "length": "number"},
    "centred": {"a": "place", "b": "place"},
    "collinear": {"a": "place", "b": "place", "c": "place", "more": "place"},
    "contains": {"a": "place", "b": "place", "padding": "number"},
    "disjoint": {"a": "place", "b": "place", "padding": "number"},
    "distance": {"a": "place", "b": "place"},
    "equal_length": {"a": "line", "b": "line"},
    "far": {"a": "place", "b": "place"},
    "horizontal": {"line": "line"},
    "in_canvas": {"a": "shape", "padding": "number"},
    "inside_polygon": {"a": "place", "polygon": "shape", "padding": "number"},
    "left_of": {"a": "place", "b": "place", "padding": "number"},
    "less_than": {"a": "number", "b": "number", "padding": "number"},
    "maximise": {"value": "number"},
    "minimal_crossings": {"lines": "lines", "sharpness": "number"},
    "minimise": {"value": "number"},
    "near": {"a": "place", "b": "place", "offset": "number"},
    "on_curve": {"a": "place", "curve": "place"},
    "overlapping": {"a": "place", "b": "place", "by": "number"},
    "parallel": {"a": "line", "b": "line"},
    "perpendicular": {"a": "line", "b": "line"},
    "repel": {"a": "place", "b": "place"},
    "touching": {"a": "place", "b": "place", "inside": "truth"},
    "vertical": {"line": "line"},
}
"""The relations whose arguments have one kind each. Tests of `equal` and `same_size` follow below."""
CASES = [
    (name, argument, value)
    for name, arguments in RELATIONS.items() for argument in arguments for value in VALUES
]  # fmt: skip


def outcome(call: Callable[[], Any]) -> str:
    """Call a function. Return "" or the text of an error of the package. The error must name the line."""
    lines = {sys._getframe(0).f_lineno + 4}
    if inspect.isfunction(call):
        lines = {line for *_, line in call.__code__.co_lines()}
    try:
        call()
    except eg.EglantineError as error:
        span, text, message = error.span, str(error), error.message
    else:
        return ""
    assert span is not None
    assert span.line in lines
    assert text.endswith(f" ({__file__}, line {span.line})")
    return message


def test_the_tests_below_know_all_relations() -> None:
    others = {"Diagram", "DiagramStepper", "Layout", "Relation", "Shape", "Term", "Violation", "unknown"}
    assert {*RELATIONS, "equal", "same_size"} == {*dg.__all__} - others


@pytest.mark.parametrize("name", RELATIONS)
def test_an_argument_of_a_wrong_kind_is_an_error_that_names_it(name: str) -> None:
    for relation, argument, value in CASES:
        if relation != name:
            continue
        given = {key: USUAL[kind] for key, kind in RELATIONS[name].items()} | {argument: VALUES[value]}
        told = outcome(partial(getattr(dg, name), *given.values()))
        if value in RIGHT[RELATIONS[name][argument]]:
            assert told == "", (argument, value)
        else:
            assert told.startswith(f"dg.{name} needs "), (argument, value)
            assert f"for its argument {argument}" in told, (argument, value)
            assert "it was given" in told, (argument, value)
            assert ". Write " in told, (argument, value)


@pytest.mark.parametrize("name", [*RELATIONS, "equal", "same_size"])
def test_a_wrong_number_of_arguments_is_an_error_that_names_the_relation(name: str) -> None:
    relation = getattr(dg, name)
    first = USUAL[next(iter(RELATIONS.get(name, {"a": "shape"}).values()))]
    assert outcome(partial(relation)).startswith(f"dg.{name} needs ")
    told = outcome(partial(relation, first, first, first, spacing=3))
    assert told.startswith(f"dg.{name} has no argument spacing. Write dg.{name}(")
    if name != "collinear":
        told = outcome(partial(relation, *[first] * 4))
        assert told.startswith(f"dg.{name} takes at most ")
    [argument, *_] = RELATIONS.get(name, {"a": ""})
    told = outcome(partial(relation, first, first, first, **{argument: first}))
    assert told.startswith(f"dg.{name} ")


def test_errors_say_what_was_given_what_fits_and_what_to_write() -> None:
    assert outcome(lambda: dg.horizontal(CIRCLE)) == (
        "dg.horizontal needs a line or a pair of points or shapes for its argument line, but it was given "
        "the circle C. Write the result of d.line(), or a pair such as (a, b)."
    )
    assert outcome(lambda: dg.near(CIRCLE, dg.far(CIRCLE, TEXT))) == (
        "dg.near needs a shape or a point (x, y) for its argument b, but it was given <relation "
        "far(C, T)> (Relation). Write a shape, such as the result of d.circle(), or a pair of numbers."
    )
    assert outcome(lambda: dg.touching(CIRCLE, TEXT, 5)) == (  # type: ignore[arg-type]
        "dg.touching needs True or False for its argument inside, but it was given 5 (int). Write True or "
        "False."
    )
    assert outcome(lambda: dg.disjoint(CIRCLE)) == (  # type: ignore[call-arg]
        "dg.disjoint needs a value for its argument b. Write dg.disjoint(a, b, padding=0.0). It needs a "
        "shape or a point (x, y) for a and b, and a number for padding."
    )


def test_equal_takes_two_numbers_or_two_places() -> None:
    places = [VALUES[value] for value in sorted(SHAPES | POINTS)]
    numbers = [VALUES[value] for value in sorted(NUMBERS)]
    for same in (places, numbers):
        for a in same:
            assert all(outcome(partial(dg.equal, a, b)) == "" for b in same)
    for a, b in [*((p, n) for p in places for n in numbers), *((n, p) for p in places for n in numbers)]:
        assert outcome(partial(dg.equal, a, b)).startswith(
            "dg.equal needs two numbers, or two shapes or points,"
        )
    for value in VALUES.keys() - SHAPES - POINTS - NUMBERS:
        for given in (
            (VALUES[value], 3),
            (3, VALUES[value]),
            (VALUES[value], CIRCLE),
            (CIRCLE, VALUES[value]),
        ):
            assert outcome(partial(dg.equal, *given)).startswith("dg.equal needs "), value


def test_same_size_takes_two_shapes_that_have_the_same_kind_of_size() -> None:
    sized = {
        "circle": "r",
        "ellipse": "rx",
        "text shape": "w",
        "group": "w",
        "box": "w",
        "line": "",
        "polygon": "",
    }
    values = {**VALUES, "ellipse": d.ellipse(), "box": d.rectangle()}
    for (one, first), (other, second) in product(values.items(), repeat=2):
        told = outcome(partial(dg.same_size, first, second))
        if sized.get(one) and sized.get(one) == sized.get(other):
            assert told == "", (one, other)
        else:
            assert told.startswith("dg.same_size needs "), (one, other)


def test_a_weight_is_a_number() -> None:
    told = outcome(lambda: d.encourage(dg.near(CIRCLE, TEXT), weight="large"))
    assert told.startswith(
        "d.encourage needs a number for its argument weight, but it was given 'large' (str)."
    )


@pytest.mark.parametrize("wrong", [3, "ab", (1, 2, 3), CIRCLE.x, HUGE])
def test_a_wrong_point_of_a_shape_is_an_error_that_names_the_shape(wrong: Any) -> None:
    assert outcome(lambda: d.line(wrong)).startswith(
        "d.line needs a shape or a point (x, y) for its argument start,"
    )
    assert outcome(lambda: d.line((0, 0), wrong)).startswith(
        "d.line needs a shape or a point (x, y) for its argument end,"
    )
    assert "points" in outcome(lambda: d.polyline([(0, 0), wrong]))
    assert "points" in outcome(lambda: d.path([(0, 0), wrong, None, None]))
    assert "points" in outcome(lambda: d.polygon([(0, 0), wrong, None]))


@pytest.mark.parametrize("wrong", ["a", HUGE, True, float("inf"), (1, 2)])
def test_a_wrong_coordinate_is_an_error_that_names_the_attribute(wrong: Any) -> None:
    for call in (
        lambda: d.circle(wrong, 0), lambda: d.line((0, wrong)), lambda: d.polyline([(wrong, 0), None])
    ):  # fmt: skip
        assert "must be a number, an attribute of another shape, or None" in outcome(call)


def test_a_coordinate_of_a_point_may_be_unknown() -> None:
    diagram = dg.Diagram(200, 100)
    diagram.polyline([(None, 5), (dg.unknown(3), 7)], name="p")
    assert [slot.key for slot in diagram.slots] == ["p.x1", "p.x2"]
