"""A page's badge accepts right numbers, rejects wrong numbers, and reports a missing derivative."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

import eglantine as eg
from app.formulas.checking import ENTRIES, verdict
from app.formulas.examples import EXAMPLES, Example
from app.service import Service, jet
from eglantine import formulas

POINTS_OF_EACH = 12


def entries(result: Any) -> list[float]:
    return [result["f"], *result["g"], *result["h"]]


def checked(text: str, point: Sequence[float], *, names: str = "xy", **changed: float) -> dict[str, Any]:
    """Ask the service to check a formula's numbers. `changed` replaces some numbers by wrong numbers."""
    kernel = eg.compile(jet(formulas.to_fn(text, list(names))))
    shown = dict(zip(ENTRIES, entries(kernel(*map(float, point))), strict=True)) | changed
    reply = Service().ask("check", [text, list(names), list(point), list(shown.values())])
    assert len(reply) == 1
    answer: dict[str, Any] = json.loads(reply[0])
    return answer


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_the_check_accepts_the_numbers_of_all_examples(example: Example) -> None:
    rng = random.Random(example.id)  # noqa: S311 - points, not secrets
    run = eg.interp(jet(formulas.to_fn(example.text, example.names)))
    kernel = eg.compile(jet(formulas.to_fn(example.text, example.names)))
    x0, x1, y0, y1 = example.region
    points = [example.point, (0.0, 0.0), *(
        (rng.uniform(x0, x1), rng.uniform(y0, y1)) for _ in range(POINTS_OF_EACH)
    )]  # fmt: skip
    found = []
    for point in points:
        values = [*map(float, point), *(float(parameter.value) for parameter in example.parameters)]
        found.append(verdict(lambda at: entries(run(*at)), values, entries(kernel(*values))))
    assert "differ" not in [answer["state"] for answer in found], found
    agreed = [answer for answer in found if answer["state"] == "agree"]
    assert len(agreed) >= POINTS_OF_EACH / 3
    assert max(answer["within"] for answer in agreed) < 1e-4


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_check_rejects_an_entry_whose_last_bit_is_wrong(entry: str) -> None:
    right = dict(zip(ENTRIES, entries(eg.interp(jet(formulas.to_fn("x^y")))(2.0, 3.0)), strict=True))
    answer = checked("x^y", (2, 3), **{entry: right[entry] * (1 + 2.0**-52)})
    assert answer["state"] == "differ"
    assert answer["by"] == "interpreter"
    assert answer["entry"] == entry


@pytest.mark.parametrize("entry", ENTRIES[1:])
def test_differences_find_a_wrong_rule_that_the_interpreter_also_has(entry: str) -> None:
    right = eg.interp(jet(formulas.to_fn("x^2 y^3 + sin(x)")))
    place = ENTRIES.index(entry)

    def wrong(point: Sequence[float]) -> list[float]:
        found = entries(right(*point))
        found[place] *= 1.001
        return found

    answer = verdict(wrong, [1.3, 0.7], wrong([1.3, 0.7]))
    assert answer["state"] == "differ"
    assert answer["by"] == "differences"
    assert answer["entry"] in {entry, "fxx", "fxy", "fyy"}


@pytest.mark.parametrize(
    ("text", "point", "state"),
    [
        ("abs(x) + y", (0, 1), "kink"),
        ("abs(x) + y", (1e-9, 1), "kink"),
        ("maximum(x, y)", (0.5, 0.5), "kink"),
        ("x abs(x)", (0, 1), "kink"),
        ("sqrt(x) + y", (0, 1), "singular"),
        ("log(x) + y", (-1, 1), "undefined"),
        ("x^2.5 + y", (0, 1), "edge"),
        ("atan2(y, x)", (-1, 0), "kink"),
        ("sin(1e9 x) + y", (0.3, 1), "rough"),
    ],
)
def test_the_check_reports_that_there_is_no_derivative_to_compare(
    text: str, point: tuple[float, float], state: str
) -> None:
    assert checked(text, point)["state"] == state


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("3", (1, 1)),
        ("x", (0, 0)),
        ("abs(x)", (1e-5, 0)),
        ("exp(10x) y", (3, 2)),
        ("1e8 + x^2 y", (1, 1)),
        ("1e-9 x y^2", (0.3, 2)),
        ("sin(200 x) y", (0.3, 1)),
        ("x^2 y", (1e6, 3)),
    ],
)
def test_the_check_accepts_flat_steep_small_and_wavy_formulas(text: str, point: tuple[float, float]) -> None:
    assert checked(text, point)["state"] == "agree"
