"""On a slow connection Python loads few modules and no snapshot. It still gives the same answers."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.playground.conftest import run, settled
from tests.patience import PATIENCE_S
from tools.files import BUILD

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

pytestmark = pytest.mark.own_context
SLOW = """Object.defineProperty(PerformanceResourceTiming.prototype, "responseEnd", {
  configurable: true,
  get() { return this.responseStart + 1_000_000; },
});"""
"""A script that makes every file seem to take 1000 s to arrive. It overrides `FAST` of e2e/conftest.py."""
NAMED = """
  self.workers = [];
  const Plain = self.Worker;
  self.Worker = class extends Plain {
    constructor(address, options) {
      super(address, options);
      self.workers.push(String(options?.name));
    }
  };"""
"""A script that notes the names of the page's workers.

The name of a worker that starts early from the light archive begins with "worker.js light ".
"""
RETURNED = """Object.defineProperty(PerformanceResourceTiming.prototype, "transferSize", {
  configurable: true,
  get() { return 100_000; },
});"""
"""A script that makes every file seem to come from the network, although the browser has cached it.

So the page measures the speed of the connection.
"""
NOTE = "localStorage.getItem('eglantine.python')"
MOST_BYTES = 3_600_000
"""The most bytes of Python's files that the browser may load before Python is ready."""
OF_PYTHON = re.compile(
    r"/vendor/pyodide/|/build/(engine|light|manifest|snapshot|stdlib|python)|/worker(/|[.]js)"
)
"""A regular expression for the addresses of Python's files and of its worker's scripts."""
ASK = """async ([changes, requests]) => {
  const { PythonWorker } = await import(new URL("engine/python-worker.js", document.scripts[0].src));
  const { loadManifest } = await import(new URL("engine/presets.js", document.scripts[0].src));
  performance.clearMarks("python");
  const worker = new PythonWorker({ ...await loadManifest(), ...changes }, () => {}, { longestMs: 200_000 });
  worker.start();
  const answers = [];
  for (const [method, ...args] of requests) {
    const { answer, modules, error } = await worker.ask(method, args);
    if (error !== undefined) throw new Error(`${method}: ${error}`);
    delete answer.cost;
    answers.push([answer, modules.map((module) => [...module])]);
  }
  worker.destroy();
  return [performance.getEntriesByName("python").at(-1).detail.start, answers];
}"""
NAMES = ["x", "y"]
REQUESTS = [
    *[["formula", text, NAMES] for text in ("x^y", "sin(x) y^2 + lgamma(x y)", "x +", "x + sen(y)", "1/0")],
    ["tape", "x y"],
    ["survey", "x^2 + y^2", NAMES, True],
    ["fitter", "a x + b"],
]
"""Requests to Python. The last two need modules that the light archive does not contain."""
IS_KEPT = """async () => localStorage.getItem("eglantine.python") === "light"
  && (await (await caches.open("eglantine.python")).keys()).length === 2"""


def manifest() -> dict[str, str]:
    """The manifest of the build."""
    return dict(json.loads((BUILD / "manifest.json").read_text()))


def how(page: Page) -> str:
    """How the page's Python has started."""
    return str(page.evaluate("performance.getEntriesByName('python').at(-1).detail.start"))


def heard(page: Page) -> list[Request]:
    """Return a list. Each later request of the page and its workers is added to it."""
    asked: list[Request] = []

    def listen(request: Request) -> None:
        asked.append(request)

    page.context.on("requestfinished", listen)
    return asked


def until(page: Page, holds: str) -> None:
    """Wait until a JavaScript expression is true. The expression may be an async function.

    Playwright's `wait_for_function` does not wait for the promise of an async function.
    """
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(holds):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(100)


def names(requests: list[Request]) -> set[str]:
    """The names of the requested files."""
    return {request.url.rsplit("/", 1)[1] for request in requests}


def visit(page: Page, address: str) -> None:
    """Open a page, and wait for its Python."""
    page.goto(address)
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=1000 * PATIENCE_S)


@pytest.mark.allow_console  # the archive that is not there
def test_a_slow_first_visit_fetches_few_modules_and_no_snapshot(page: Page, server_url: str) -> None:
    page.add_init_script(SLOW)
    files = manifest()
    asked = heard(page)
    visit(page, f"{server_url}quadratic.html")
    first = list(asked)
    assert how(page) == "light"
    assert {files["light"], files["engine"]} <= names(first)
    assert not {files["snapshot"], files["stdlib"], files["python"]} & names(first)
    sizes = [request.sizes() for request in first if OF_PYTHON.search(request.url)]
    travelled = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    assert MOST_BYTES / 2 < travelled <= MOST_BYTES
    until(page, IS_KEPT)
    start, light = page.evaluate(ASK, [{}, REQUESTS])
    assert start == "light"
    start, full = page.evaluate(ASK, [{"light": "light-000000000000.bin"}, REQUESTS])
    assert start == "snapshot"
    assert light == full
    assert [answer["ok"] for answer, _ in light if "ok" in answer].count(False) == 2
    page.evaluate("caches.delete('eglantine.python')")


def test_a_second_visit_begins_early_from_the_kept_light_archive(page: Page, server_url: str) -> None:
    address = f"{server_url}quadratic.html"
    page.add_init_script(SLOW)
    visit(page, address)
    until(page, IS_KEPT)
    second = page.context.new_page()
    second.add_init_script(SLOW + NAMED)
    asked = heard(second)
    visit(second, address)
    assert second.evaluate("self.workers[0]").startswith("worker.js light ")
    assert how(second) == "light"
    large = {manifest()[key] for key in ("light", "engine", "snapshot", "stdlib", "python")}
    assert not large & names(asked)
    until(second, IS_KEPT)
    third = page.context.new_page()
    third.add_init_script(RETURNED)  # and its connection is fast
    visit(third, address)
    assert how(third) == "light"
    until(third, f"{NOTE} === null")  # so the next visit fetches the snapshot


def test_a_slow_playground_starts_from_the_files_that_programs_need(page: Page) -> None:
    page.add_init_script(SLOW)
    asked = heard(page)
    page.goto("playground.html")
    settled(page)
    assert how(page) == "files"
    assert manifest()["snapshot"] not in names(asked)
    output = run(
        page, "import asyncio, tarfile, subprocess\nprint(asyncio.Queue.__name__, tarfile.BLOCKSIZE)"
    )
    expect(output).to_contain_text("Queue 512")
