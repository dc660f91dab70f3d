"""Programs in the playground can show values as pictures. The tests check the data that the page draws."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest

from app.playground.service import Service


def shown(program: str) -> tuple[list[Any], dict[str, Any]]:
    """Run a program. Return its pictures and printed texts in order, and the service's answer."""
    notes: list[str] = []
    reply = asyncio.run(Service(notes.append).ask("run", ["import eglantine as eg\n" + program]))
    said = [json.loads(note) for note in notes]
    return [json.loads(note["shown"]) if "shown" in note else note["printed"] for note in said], json.loads(
        reply[0]
    )


def figure(picture: dict[str, Any]) -> dict[str, Any]:
    """The description in a figure's picture."""
    content: dict[str, Any] = json.loads(picture["figure"])
    return content


@pytest.mark.parametrize(
    ("call", "kind", "labels", "axes"),
    [
        ("plot(lambda x: x * x, -1, 2)", "curve", ["f"], [("x", -1, 2)]),
        ("plot(lambda x: x * x, grad)", "curve", ["f", "f′"], [("x", -3, 3)]),
        ("plot(eg.jit(lambda t: t), lambda t: t * t, 0, 1)", "curve", ["f", "f"], [("t", 0, 1)]),
        ("plot('a sin(x)', 0, 7)", "curve", ["a sin(x)"], [("x", 0, 7)]),
        ("plot('x y', grad)", "contour", ["x y"], [("x", -3, 3), ("y", -3, 3)]),
        ("surface('x^2 - y', 0, 2)", "surface", ["x^2 - y"], [("x", 0, 2), ("y", 0, 2)]),
        (
            "surface(eg.fn([eg.Vec(2, eg.Real)], eg.Real)(lambda v: v[0] * v[1]))",
            "surface",
            ["f"],
            [("x", -3, 3), ("y", -3, 3)],
        ),
        (
            "plot([0, 1, 3], [2, 2.5, 7], label='data')",
            "scatter",
            [],
            [("x", -0.15, 3.15), ("y", 1.75, 7.25)],
        ),
        ("eg.figure('x', x=(0, 1))", "curve", ["x"], [("x", 0, 1)]),
        ("show(eg.figure('x', x=(0, 1)))", "curve", ["x"], [("x", 0, 1)]),
    ],
)
def test_functions_and_numbers_become_figures(
    call: str, kind: str, labels: list[str], axes: list[tuple[str, float, float]]
) -> None:
    [picture], answer = shown(call)
    assert answer["ok"]
    assert answer["value"] is None
    drawn = figure(picture)
    assert (drawn["kind"], drawn["labels"]) == (kind, labels)
    assert [(axis["name"], axis["lo"], axis["hi"]) for axis in drawn["axes"]] == [
        (name, pytest.approx(lo), pytest.approx(hi)) for name, lo, hi in axes
    ]


def test_pictures_are_placed_between_the_texts_printed_around_them() -> None:
    said, _ = shown("print('a', end='')\nplot('x')\nprint('b')\ntable([1])\nshow('c')\n")
    kinds = [one if isinstance(one, str) else one["kind"] for one in said]
    assert "".join(kinds) == "afigureb\ntablec\n"


def test_the_numbers_of_an_image_become_bytes() -> None:
    for rows, key, expected in (
        ("[[0, 0.5, 1]]", "grey", [0, 128, 255]),
        ("[[0, 128], [255, 3]]", "grey", [0, 128, 255, 3]),
        ("[[-1, 1]]", "grey", [0, 255]),
        ("[[float('nan'), 1.0]]", "grey", [0, 255]),
        ("[[(1, 0, 0), (0, 0.5, 1)]]", "rgb", [255, 0, 0, 0, 128, 255]),
        ("eg.asarray([[0.0, 1.0]])", "grey", [0, 255]),
    ):
        [picture], _ = shown(f"show({rows}, 'a test')")
        assert [*base64.b64decode(picture[key])] == expected
        assert picture["label"] == "a test"


def test_show_table_takes_dicts_tuples_columns_and_arrays() -> None:
    for rows, head, cells in (
        ("[{'a': 1, 'b': 'x'}, {'b': 'y'}]", ["a", "b"], [["1", "x"], ["", "y"]]),
        ("{'t': [1, 2], 'v': [0.1234567891, 3]}", ["t", "v"], [["1", "0.123457"], ["2", "3"]]),
        ("[(1, 2), (3,)], ['p', 'q']", ["p", "q"], [["1", "2"], ["3", ""]]),
        ("eg.asarray([1.0, 2.5])", [], [["1"], ["2.5"]]),
        ("[]", [], []),
    ):
        [picture], answer = shown(f"table({rows})")
        assert answer["ok"]
        assert (picture["head"], picture["rows"]) == (head, cells)
    [picture], _ = shown("table([[k] for k in range(700)])")
    assert (len(picture["rows"]), picture["more"]) == (500, 200)


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("plot('x', 3)", "A range has two ends, but here is one number."),
        ("plot([1, 2], [3])", "one row of numbers, or two rows of equal length"),
        ("surface('x y', grad)", "surface draws one function"),
        ("show([[0] * 600])", "600 × 1 pixels"),
        ("table(3)", "this has the type int"),
        ("for k in range(41): table([k])", "A program can show at most 40 pictures"),
    ],
)
def test_a_value_that_cannot_be_shown_is_an_error_at_its_line(program: str, sentence: str) -> None:
    _, answer = shown(program)
    assert sentence in answer["error"]["message"]
    assert answer["error"]["line"] == 2


def test_a_program_may_redefine_our_names() -> None:
    said, answer = shown("def plot(x):\n    print('mine', x)\nplot(1)")
    assert said == ["mine 1\n"]
    assert answer["ok"]
