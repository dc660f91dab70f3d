"""The check behind a tape's badge finds every wrong number and names its row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import eglantine as eg
from app.service import Service
from app.tape import checking as tape_checking
from app.tape.tape import NAMES, PRESETS, tape_of

AT = (1.5, 2.25, 0.75, -0.5)


def checked(text: str, values: Sequence[float], **changed: float) -> dict[str, Any]:
    """Ask the service to check a tape's numbers. `changed` replaces some of the numbers.

    For example, `at3=x` replaces number 3 by x.
    """
    found = [*eg.compile(tape_of(text, NAMES).numbers)(*values)]
    for place, number in changed.items():
        found[int(place.removeprefix("at"))] = number
    answer: dict[str, Any] = json.loads(Service().ask("check_tape", [text, [*values], found])[0])
    return answer


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_all_numbers_of_an_example_agree_and_are_counted(preset: Any) -> None:
    answer = checked(preset.text, (*preset.point, 0.75, -0.5))
    assert answer["state"] == "agree"
    assert answer["within"] < 1e-7
    assert answer["count"] == len(eg.compile(tape_of(preset.text, NAMES).numbers)(*AT))


@pytest.mark.parametrize("place", range(24))
def test_any_wrong_number_is_found_and_its_row_is_named(place: int) -> None:
    text = PRESETS[0].text
    tape = tape_of(text, NAMES)
    right = eg.compile(tape.numbers)(*AT)
    answer = checked(text, AT, **{f"at{place}": right[place] + 0.125})
    assert answer["state"] == "differ"
    assert (answer["shown"], answer["by"]) == (right[place] + 0.125, "interpreter")
    assert answer["expected"] == right[place]
    node = next(node for node in tape.nodes if node["name"] == answer["entry"])
    of_row = [node["value"], node["tangent"], node["cotangent"]]
    of_row += [operand.get(kind) for operand in node["operands"] for kind in ("slope", "share")]
    of_row += [one[kind] for one in node["contributions"] for kind in ("term", "total")]
    assert place in of_row


@pytest.mark.parametrize(("entry", "node", "kind"), [("fx", 0, "cotangent"), ("df", -1, "tangent")])
def test_differences_find_a_wrong_number_that_the_interpreter_also_has(
    monkeypatch: pytest.MonkeyPatch, entry: str, node: int, kind: str
) -> None:
    tape = tape_of("x^2 y", NAMES)
    nodes = [dict(one) for one in tape.nodes]
    nodes[node][kind] = nodes[0]["value"]  # as if a rule were wrong
    monkeypatch.setattr(tape_checking, "_tape_of", lambda _: replace(tape, nodes=nodes))
    answer = tape_checking.tape_verdict("x^2 y", AT, eg.compile(tape.numbers)(*AT))
    assert (answer["state"], answer["entry"], answer["by"]) == ("differ", entry, "differences")
    assert answer["shown"] == AT[0]


@pytest.mark.parametrize(
    ("text", "values", "state"),
    [
        ("log(x)", (-1, 0, 1, 0), "undefined"),
        ("x^y", (0, 0, 1, 0.5), "singular"),
        ("max(x y, x + y)", (0, 0, 1, 0.5), "kink"),
        ("x + y", (1, 1, 0, 0), "agree"),
    ],
)
def test_the_check_of_a_tape_reports_missing_derivatives(
    text: str, values: Sequence[float], state: str
) -> None:
    assert checked(text, [*map(float, values)])["state"] == state
