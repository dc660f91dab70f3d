"""The playground page ignores a message from a visitor's program if the message is not well-formed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.node import find_node


@pytest.fixture(scope="module")
def passed() -> dict[str, Any]:
    """Send test messages to the page's code. Return the names of the accepted messages."""
    done = find_node().run([Path(__file__).with_name("hear.mjs")])
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_messages_of_unknown_shapes_are_ignored(passed: dict[str, Any]) -> None:
    assert passed["messages"] == ["ready", "begun", "answer", "note", "want", "failed", "gone"]


def test_an_answer_must_have_the_shape_that_its_method_returns(passed: dict[str, Any]) -> None:
    own = [
        "run",
        "run with an error",
        "run with a trace",
        "show",
        "show the largest listing",
        "call",
        "names",
    ]
    assert passed["answers"] == [*own, "export"]


def test_a_listing_shows_a_million_characters_at_most(passed: dict[str, Any]) -> None:
    assert passed["listings"]["short"] == [2000, "a" * 40]
    size, end = passed["listings"]["one long line"]
    assert size < 2100
    assert end.endswith("a … 33,552,430 more characters")
    size, end = passed["listings"]["many long lines"]
    assert 900_000 < size < 1_200_000
    assert end.endswith("a … 7,750 more characters")


def test_a_note_contains_printed_text_or_the_name_of_a_package(passed: dict[str, Any]) -> None:
    assert passed["notes"] == ["printed", "loading"]
