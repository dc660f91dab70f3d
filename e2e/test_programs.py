"""The programs of the Rose paper, run by our wheel in a browser: on its interpreter and as WebAssembly."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import eglantine as eg
from tests.rose.programs import RUNS, computed

SOURCE = Path(__file__).parent.parent / "tests" / "rose" / "programs.py"

RUN_IN_PAGE = """async (source) => {
  const base = new URL("./", document.baseURI);
  const { loadPyodide } = await import(new URL("vendor/pyodide/pyodide.mjs", base).href);
  const manifest = await (await fetch(new URL("build/manifest.json", base))).json();
  const stdLibURL = new URL(`build/${manifest.stdlib}`, base).href;
  const pyodide = await loadPyodide({ indexURL: new URL("vendor/pyodide/", base).href, stdLibURL });
  const wheel = await (await fetch(new URL(`build/${manifest.wheel}`, base))).arrayBuffer();
  pyodide.unpackArchive(wheel, "wheel");
  pyodide.FS.writeFile("programs.py", source);
  return pyodide.runPython(`
    import json
    import eglantine as eg
    import programs
    json.dumps([programs.computed(lambda f: f), programs.computed(eg.compile)])
  `);
}"""


@pytest.fixture(scope="module")
def in_the_browser(browser: Any, server_url: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    page: Page = browser.new_page()
    page.goto(f"{server_url}quadratic.html")
    interpreted, compiled = json.loads(page.evaluate(RUN_IN_PAGE, SOURCE.read_text(encoding="utf-8")))
    page.close()
    return interpreted, compiled


@pytest.mark.parametrize("name", RUNS)
def test_a_program_has_the_same_bits_in_the_browser_and_here(name: str, in_the_browser: Any) -> None:
    interpreted, compiled = in_the_browser
    assert compiled[name] == interpreted[name]
    here = through_wasmtime()[name]
    if "host" in name:  # each platform's own log, pow and sin: close, not equal
        expected = [float.fromhex(number) for number in here]
        assert [float.fromhex(number) for number in compiled[name]] == pytest.approx(expected, rel=1e-14)
    else:
        assert compiled[name] == here


@cache
def through_wasmtime() -> dict[str, list[str]]:
    """What the programs give on CPython, compiled."""
    return computed(eg.compile)
