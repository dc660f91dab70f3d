"""Python starts from a snapshot of its memory if possible, else from files. Both give the same answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.test_slow_connection import SLOW
from tests.patience import PATIENCE_S
from tools.files import BUILD

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Route

pytestmark = pytest.mark.own_context
ASK = """async ([changes, formulas]) => {
  const { PythonWorker } = await import(new URL("engine/python-worker.js", document.scripts[0].src));
  const { loadManifest } = await import(new URL("engine/presets.js", document.scripts[0].src));
  performance.clearMarks("python");
  const worker = new PythonWorker({ ...await loadManifest(), ...changes }, () => {}, { longestMs: 20000 });
  worker.start();
  const answers = [];
  for (const text of formulas) {
    const { answer, modules } = await worker.ask("formula", [text, ["x", "y"]]);
    delete answer.cost;
    answers.push([answer, modules.map((module) => [...module])]);
  }
  worker.destroy();
  return [performance.getEntriesByName("python").at(-1).detail, answers];
}"""
FORMULAS = ["x^y", "sin(x) y^2 + lgamma(x y)", "x +", "x + sen(y)", "1/0", "min(x, y) / tanh(x)"]

Meddling = Callable[["Page"], dict[str, str]]
"""Functions that make a snapshot unusable. They return the changes that the manifest needs for this."""


def manifest() -> dict[str, str]:
    """The manifest of the build."""
    return dict(json.loads((BUILD / "manifest.json").read_text()))


def ask(page: Page, changes: dict[str, str] | None = None) -> Any:
    """Start another Python in this page. Return how it started, and its answers to `FORMULAS`."""
    return page.evaluate(ASK, [changes or {}, FORMULAS])


def test_python_starts_from_the_snapshot(page: Page, server_url: str) -> None:
    fetched: list[str] = []
    page.context.on("request", lambda request: fetched.append(request.url.rsplit("/", 1)[1]))
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    how = page.evaluate("performance.getEntriesByName('python')[0].detail")
    assert how == {"start": "snapshot", "refusal": ""}
    files = manifest()
    assert files["snapshot"] in fetched
    assert files["stdlib"] not in fetched
    assert "pyodide-lock.json" not in fetched


def missing(page: Page) -> dict[str, str]:
    """Make the manifest name a file that does not exist."""
    return {"snapshot": "snapshot-000000000000.bin"}


def altered(page: Page) -> dict[str, str]:
    """Change one byte in the middle of the snapshot."""

    def alter(route: Route) -> None:
        body = bytearray((BUILD / manifest()["snapshot"]).read_bytes())
        body[len(body) // 2] ^= 1
        route.fulfill(body=bytes(body), headers={"Cross-Origin-Resource-Policy": "same-origin"})

    page.context.route("**/build/snapshot-*.bin", alter)
    return {}


def cut_off(page: Page) -> dict[str, str]:
    """Cut off the end of the snapshot."""

    def cut(route: Route) -> None:
        route.fulfill(body=(BUILD / manifest()["snapshot"]).read_bytes()[:-1000])

    page.context.route("**/build/snapshot-*.bin", cut)
    return {}


def of_other_data(page: Page) -> dict[str, str]:
    """Make the snapshot belong to a module with other initial data."""
    info = json.loads(manifest()["snapshotInfo"])
    return {"snapshotInfo": json.dumps({**info, "start": info["start"] ^ 1})}


def of_another_pyodide(page: Page) -> dict[str, str]:
    """Make the snapshot's head name another build's hash."""
    info = json.loads(manifest()["snapshotInfo"])
    letter = "A" if info["head"][30] != "A" else "B"
    return {"snapshotInfo": json.dumps({**info, "head": f"{info['head'][:30]}{letter}{info['head'][31:]}"})}


def of_no_pyodide(page: Page) -> dict[str, str]:
    """Take away Pyodide's function that restores a snapshot."""

    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("restoreSnapshot", "otherwiseNamed"))

    page.context.route("**/build/engine-*.mjs", without)
    return {}


def not_made(page: Page) -> dict[str, str]:
    """Use the manifest of a build without snapshots."""
    return {"snapshotInfo": ""}


@pytest.mark.allow_console
@pytest.mark.parametrize(
    "meddle", [missing, altered, cut_off, of_other_data, of_another_pyodide, of_no_pyodide, not_made]
)
def test_python_starts_from_files_if_a_snapshot_does_not_fit(
    page: Page, server_url: str, meddle: Meddling
) -> None:
    page.goto(server_url)  # a page that does not start Python
    how, answers = ask(page, meddle(page))
    assert how["start"] == "files"
    assert how["refusal"]
    assert [answer["ok"] for answer, _ in answers] == [True, True, False, False, True, True]


@pytest.mark.allow_console
def test_both_starts_give_the_same_answers_to_the_byte(page: Page, server_url: str) -> None:
    page.goto(server_url)
    how, from_snapshot = ask(page)
    assert how["start"] == "snapshot"
    how, from_files = ask(page, missing(page))
    assert how["start"] == "files"
    assert from_snapshot == from_files


RECORD = """
  window.said = [];
  new MutationObserver(() => {
    const text = document.querySelector(".python")?.textContent;
    if (text && text !== window.said.at(-1)) window.said.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""


def test_a_page_says_in_per_cent_how_much_of_python_has_loaded(page: Page, server_url: str) -> None:
    page.add_init_script(RECORD)
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    said = [text for text in page.evaluate("window.said") if text.startswith("Python: ")]
    shares = [int(text.removeprefix("Python: ").removesuffix(" %")) for text in said]
    assert len(shares) >= 3
    assert shares == sorted(shares)


def visit(page: Page, server_url: str) -> list[str]:
    """Open a page and wait until its Python is cached. Return the names of the files requested meanwhile."""
    asked: list[str] = []

    def listen(request: Request) -> None:
        asked.append(request.url.rsplit("/", 1)[1])

    page.context.on("request", listen)
    page.goto("about:blank")
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=60_000)
    page.context.remove_listener("request", listen)
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(IS_KEPT):
        assert time.monotonic() < end, "Python is not cached"
        page.wait_for_timeout(100)
    return asked


IS_KEPT = """async () => localStorage.getItem("eglantine.python") !== null
  && (await (await caches.open("eglantine.python")).keys()).length === 2"""
KEPT = "async () => (await (await caches.open('eglantine.python')).keys()).map(({ url }) => url)"
HOW = "() => performance.getEntriesByName('python').at(-1).detail"


def large(asked: list[str]) -> list[str]:
    """The requested files that are large: the snapshot and Pyodide's module."""
    return [name for name in asked if name.endswith((".bin", ".wasm"))]


def test_a_second_visit_loads_nothing_large_and_starts_python_early(page: Page, server_url: str) -> None:
    first = visit(page, server_url)
    assert first.index("worker.js") > first.index("main.js")
    assert len(large(first)) == 2
    page.add_init_script(EARLY)
    second = visit(page, server_url)
    assert large(second) == []
    assert page.evaluate("self.begunBeforeItsPage")
    assert page.evaluate(HOW) == {"start": "snapshot", "refusal": ""}
    page.evaluate(SLOW)  # a device that has the snapshot uses it on any connection
    how, _ = ask(page)
    assert how["start"] == "snapshot"


EARLY = """
  self.begunBeforeItsPage = false;
  const Plain = self.Worker;
  self.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      const isDrawn = performance.getEntriesByName("draggable").length > 0;
      if (String(given[0]).endsWith("/worker.js")) self.begunBeforeItsPage = !isDrawn;
    }
  };
"""


SILENT = """
  const plain = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.manifest === undefined) plain.call(this, message, ...rest);
  };
"""


def test_a_later_visit_starts_python_without_a_message_from_the_page(page: Page, server_url: str) -> None:
    visit(page, server_url)
    page.add_init_script(SILENT)
    page.goto("about:blank")
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    assert page.evaluate(HOW) == {"start": "snapshot", "refusal": ""}


ANOTHER = """
  const plain = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const isFirst = message?.manifest !== undefined && !self.isTold;
    self.isTold ||= isFirst;
    const other = { ...message, manifest: { ...message?.manifest, wheel: "another" } };
    plain.call(this, isFirst ? other : message, ...rest);
  };
"""


@pytest.mark.allow_console
def test_a_python_of_another_build_than_the_pages_is_replaced(page: Page, server_url: str) -> None:
    asked = visit(page, server_url)
    assert asked.count("worker.js") == 1
    page.add_init_script(ANOTHER)
    again = visit(page, server_url)
    assert again.count("worker.js") == 2
    assert page.evaluate(HOW)["start"] == "snapshot"


TRAVELLED = """() => performance.getEntriesByType("resource")
  .filter(({ name }) => /[/](js|css)(-[0-9a-f]{12})?[/]/.test(name))
  .map(({ name, transferSize }) => [name.split("/").at(-1), transferSize])"""


def test_a_second_visit_sends_no_request_for_scripts_or_styles(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    first = page.evaluate(TRAVELLED)
    assert sum(size for _, size in first) > 10_000
    page.goto("about:blank")
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    second = dict(page.evaluate(TRAVELLED))
    assert {"worker.js", "main.js", "page.css"} <= second.keys()
    assert [name for name, size in second.items() if size > 0] == []


def test_cached_files_from_another_build_are_deleted(page: Page, server_url: str) -> None:
    page.goto(server_url)
    old = "build/snapshot-000000000000.bin"
    page.evaluate(f"async () => (await caches.open('eglantine.python')).put('{old}', new Response('old'))")
    visit(page, server_url)
    assert sorted(url.rsplit("/", 1)[1] for url in page.evaluate(KEPT)) == sorted(
        [manifest()["snapshot"], manifest()["engine"]]
    )


def test_a_damaged_file_in_the_cache_is_noticed_and_fetched_again(page: Page, server_url: str) -> None:
    visit(page, server_url)
    page.evaluate(
        """async () => {
          const cache = await caches.open("eglantine.python");
          const key = (await cache.keys()).find(({ url }) => url.endsWith(".bin"));
          const bytes = new Uint8Array(await (await cache.match(key)).arrayBuffer());
          bytes[bytes.length >> 1] ^= 1;
          await cache.put(key, new Response(bytes));
        }"""
    )
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    how, answers = ask(page)
    assert how == {"start": "snapshot", "refusal": ""}
    assert [answer["ok"] for answer, _ in answers] == [True, True, False, False, True, True]
    assert large(asked) == [manifest()["snapshot"]]
    visit(page, server_url)  # caches the snapshot if the Python above ended before it was cached
    assert large(visit(page, server_url)) == []


@pytest.mark.allow_console
def test_a_page_left_open_over_a_deployment_starts_the_new_python(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}robot.html")
    gone = {
        "snapshot": "snapshot-000000000000.bin",
        "stdlib": "stdlib-000000000000.zip",
        "python": "python-000000000000.zip",
    }
    how, answers = ask(page, gone)
    assert how == {"start": "snapshot", "refusal": ""}
    assert [answer["ok"] for answer, _ in answers] == [True, True, False, False, True, True]


TWICE = """async () => {
  const { PythonWorker } = await import(new URL("engine/python-worker.js", document.scripts[0].src));
  const { loadManifest } = await import(new URL("engine/presets.js", document.scripts[0].src));
  let ready = () => {};
  const python = new PythonWorker(await loadManifest(), ({ phase }) => phase === "ready" && ready());
  for (const _ of [1, 2]) {
    await new Promise((resolve) => {
      ready = resolve;
      python.start();
    });
    await caches.delete("eglantine.python");
  }
  python.destroy();
}"""


def test_a_worker_that_replaces_another_is_given_the_compiled_module(page: Page, server_url: str) -> None:
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    page.goto(f"{server_url}regression.html")
    page.evaluate(TWICE)
    assert asked.count("worker.js") == 2
    assert len([name for name in asked if name.endswith(".wasm")]) == 1
