"""The playground's editor finds the meaning of each name in a program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.node import find_node

GRAD = ["(f, argnums=0)", "the gradient"]


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """All answers of the script."""
    done = find_node().run([Path(__file__).with_name("code_names.mjs")])
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_meaning_of_a_name_follows_imports_and_definitions(answers: dict[str, Any]) -> None:
    assert answers["pointed"] == [
        ["eg.grad", *GRAD, None],
        None,  # eg.math has no entry in this list
        ["eg.math.sin", "(x)", "the sine", None],
        ["np.dot", "(a, b)", "a product", None],
        ["sin", "(x)", "the sine", None],
        ["f", "(a, b=(1, 2))", "Adds.", None],
        ["plot", "(f, *more, **named)", "a curve", None],
        None,
        None,  # np was not imported
    ]


def test_the_call_and_the_argument_around_the_caret_are_found(answers: dict[str, Any]) -> None:
    assert answers["called"] == [
        ["eg.grad", *GRAD, 0],
        ["eg.grad", *GRAD, 1],
        ["eg.grad", *GRAD, 2],
        None,
        ["eg.grad", *GRAD, 1],
        ["eg.math.sin", "(x)", "the sine", 0],
        ["plot", "(f, *more, **named)", "a curve", 0],
        None,
        ["eg.grad", *GRAD, 1],
    ]


def test_a_signature_is_split_at_its_outermost_commas(answers: dict[str, Any]) -> None:
    assert answers["parameters"] == ["f", "x0=(1, 2)", "*", "memory={}", "**options"]


def test_completions_list_prefix_matches_first_and_short_names_before_long(
    answers: dict[str, Any],
) -> None:
    assert answers["ranked"] == [
        ["sin", "sinh", "Sinc", "asin"],
        ["a", "b"],
        ["argmax", "argsort", "argument", "Arg", "value_and_arg", "large"],
    ]
