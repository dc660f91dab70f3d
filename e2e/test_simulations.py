"""Simulations in a browser agree with a reference, and have the same bits as with wasmtime."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import eglantine as eg
from e2e.python_in_page import run_in_page
from tests.app.references import BRIEF, beyond, brief, computed, expected

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXPECTED = expected()
REFERENCE = ("billiards", "robots", "mass_spring_r1_f64_toi1", "mass_spring_r3_f64_toi1")
FILES = ["tests/__init__.py", "tests/app/references.py", *(f"tests/data/{name}.json" for name in REFERENCE)]
PROGRAM = """
import json
import eglantine as eg
from tests.app.references import brief, computed
json.dumps([computed(eg.compile), brief(eg.compile), brief(lambda f: f)])
"""


@pytest.fixture(scope="module")
def in_the_browser(browser: Browser, server_url: str) -> Any:
    page = browser.new_page()
    page.goto(f"{server_url}regression.html")
    results = run_in_page(page, "python", FILES, PROGRAM)
    page.close()
    return results


@cache
def through_wasmtime() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Run the compiled simulations with wasmtime: complete runs, and runs of a few steps."""
    return computed(eg.compile), brief(eg.compile)


@pytest.mark.parametrize("name", EXPECTED)
def test_simulations_in_the_browser_match_the_reference_and_wasmtimes_bits(
    name: str, in_the_browser: Any
) -> None:
    bits = in_the_browser[0][name]
    assert beyond([float.fromhex(number) for number in bits], EXPECTED[name]) == []
    assert bits == through_wasmtime()[0][name]


@pytest.mark.parametrize("name", BRIEF)
def test_a_short_run_has_the_same_bits_interpreted_compiled_and_on_cpython(
    name: str, in_the_browser: Any
) -> None:
    _, compiled, interpreted = in_the_browser
    assert interpreted[name] == compiled[name] == through_wasmtime()[1][name]
