"""A visitor can use a page as usual while the page waits for an answer from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.node import find_node

COMPILING = "Compiling"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """The answers of waiting.mjs."""
    done = find_node().run([Path(__file__).with_name("waiting.mjs")])
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def state(balls: int, goal: int, *said: str) -> dict[str, Any]:
    return {"balls": balls, "goal": goal, "isPending": bool(said), "said": list(said)}


def test_a_link_replaces_a_change_that_is_still_compiling(told: dict[str, Any]) -> None:
    opened = state(1, 7)
    assert told["opened"] == [opened, opened, {"balls": 1, "goal": 7}]


def test_a_link_that_needs_other_modules_opens_without_the_change(told: dict[str, Any]) -> None:
    assert told["opened, with other modules"] == [
        state(1, 0, COMPILING),
        state(3, 7),
        {"balls": 3, "goal": 7},
    ]


def test_a_reset_replaces_a_change_that_is_still_compiling(told: dict[str, Any]) -> None:
    first = state(1, 0)
    assert told["reset"] == [first, first, {"balls": 3, "goal": 0}]


@pytest.mark.parametrize("end", ["slow", "died"])
def test_a_run_does_not_end_with_the_question_before_it(told: dict[str, Any], end: str) -> None:
    assert told[end]["run"] is None  # Python is still running the program
    assert told[end]["asked"][-1] == ["run", 60_000]


def test_a_listing_ends_with_the_python_that_had_its_function(told: dict[str, Any]) -> None:
    assert told["slow"]["show"] == {"error": "slow"}


def test_stop_ends_a_run_that_waits_and_tells_so_once(told: dict[str, Any]) -> None:
    assert told["stopped"]["run"] == {"error": "stopped"}
    assert [method for method, _ in told["stopped"]["asked"]] == ["names"]
    assert told["stopped"]["told"] is True


def test_a_request_that_gets_the_interrupt_of_another_is_sent_once_more(told: dict[str, Any]) -> None:
    assert told["interrupted once"] == {"answer": 7, "error": None, "asked": 2}
    assert told["interrupted twice"] == {"answer": None, "error": "stopped", "asked": 2}
