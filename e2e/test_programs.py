"""Programs give the same bits in a browser as on CPython.

The interpreter and WebAssembly both run the programs of the Rose paper. Bril programs run only as
WebAssembly.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import eglantine as eg
from e2e.python_in_page import run_in_page
from tests.bril import kinds
from tests.rose.programs import RUNS, computed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FILES = ["tests/__init__.py", "tests/rose/programs.py", "tests/bril/__init__.py", "tests/bril/kinds.py"]
PROGRAM = """
import json
import eglantine as eg
from tests.bril import kinds
from tests.rose import programs
json.dumps([programs.computed(lambda f: f), programs.computed(eg.compile), kinds.computed()])
"""


@pytest.fixture(scope="module")
def in_the_browser(browser: Browser, server_url: str) -> Any:
    page = browser.new_page()
    page.goto(f"{server_url}regression.html")
    results = run_in_page(page, "wheel", FILES, PROGRAM)
    page.close()
    return results


@pytest.mark.parametrize("name", RUNS)
def test_a_program_has_the_same_bits_in_the_browser_and_on_cpython(name: str, in_the_browser: Any) -> None:
    interpreted, compiled, _ = in_the_browser
    assert compiled[name] == interpreted[name]
    here = through_wasmtime()[name]
    if "host" in name:  # log, pow and sin of two hosts differ in the last bits
        expected = [float.fromhex(number) for number in here]
        assert [float.fromhex(number) for number in compiled[name]] == pytest.approx(expected, rel=1e-14)
    else:
        assert compiled[name] == here


def test_bril_programs_have_the_same_bits_in_the_browser_and_on_cpython(in_the_browser: Any) -> None:
    here = kinds.computed()
    assert in_the_browser[2] == here
    assert len(here) == len(kinds.KINDS)


@cache
def through_wasmtime() -> dict[str, list[str]]:
    """Compile and run the programs on CPython with wasmtime, and return their numbers."""
    return computed(eg.compile)
