"""Python starts from a snapshot of its memory, or from files if that fails. Both give the same answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.conftest import PATIENT, watch
from e2e.test_slow_connection import SLOW
from tests.patience import PATIENCE_S
from tools.files import BUILD

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request, Route

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


RECORD = """
  window.said = [];
  new MutationObserver(() => {
    const text = document.querySelector(".python")?.textContent;
    if (text && text !== window.said.at(-1)) window.said.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""
HOW = "() => performance.getEntriesByName('python').at(-1).detail"
TRAVELLED = """() => performance.getEntriesByType("resource")
  .filter(({ name }) => /[/](js|css)(-[0-9a-f]{12})?[/]/.test(name))
  .map(({ name, transferSize }) => [name.split("/").at(-1), transferSize])"""


@dataclass(frozen=True)
class FirstVisit:
    """The first visit of a browser to the robot page, and what the test recorded.

    asked: the names of the requested files.
    travelled: for each script and style sheet, its name and the number of bytes sent.
    how: says how Python started, for example from the snapshot.
    said: the page's messages about Python.
    """

    context: BrowserContext
    asked: list[str]
    how: dict[str, str]
    said: list[str]
    travelled: list[tuple[str, int]]


@pytest.fixture(scope="module")
def first_visit(
    browser: Browser, browser_context_args: dict[str, Any], server_url: str
) -> Iterator[FirstVisit]:
    """Visit the robot page, and wait until the browser has cached Python's files.

    All tests share this visit.
    """
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    page.add_init_script(PATIENT)
    page.add_init_script(RECORD)
    troubles: list[str] = []
    stop_watching = watch(page, server_url, troubles, context)
    asked = visit(page, server_url)
    stop_watching()
    assert troubles == []
    how, said, travelled = (page.evaluate(program) for program in (HOW, "window.said", TRAVELLED))
    page.goto("about:blank")  # An open page keeps the browser's process alive.
    yield FirstVisit(context, asked, how, said, travelled)
    context.close()


@pytest.fixture
def returning(first_visit: FirstVisit, server_url: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A new page in the browser of `first_visit`. Errors in the page fail the test."""
    page = first_visit.context.new_page()
    page.add_init_script(PATIENT)
    troubles: list[str] = []
    stop_watching = watch(page, server_url, troubles, first_visit.context)
    yield page
    stop_watching()
    page.close()
    if troubles and not request.node.get_closest_marker("allow_console"):
        pytest.fail("the page had errors:\n" + "\n".join(troubles))


def test_python_starts_from_the_snapshot(first_visit: FirstVisit) -> None:
    assert first_visit.how == {"start": "snapshot", "refusal": ""}
    files = manifest()
    assert files["snapshot"] in first_visit.asked
    assert files["stdlib"] not in first_visit.asked
    assert "pyodide-lock.json" not in first_visit.asked


@pytest.fixture
def home(shared: Page, server_url: str) -> Page:
    """The home page, which does not start Python. The browser has cached none of Python's files."""
    if shared.url != server_url:
        shared.goto(server_url)
    shared.evaluate("() => { localStorage.clear(); return caches.delete('eglantine.python'); }")
    return shared


def missing(page: Page) -> dict[str, str]:
    """Put the name of a file that does not exist into the manifest."""
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
    """Pretend that the snapshot belongs to a WebAssembly module with other initial data."""
    info = json.loads(manifest()["snapshotInfo"])
    return {"snapshotInfo": json.dumps({**info, "start": info["start"] ^ 1})}


def of_another_pyodide(page: Page) -> dict[str, str]:
    """Pretend that the snapshot belongs to another build of Pyodide: change the hash in its header."""
    info = json.loads(manifest()["snapshotInfo"])
    letter = "A" if info["head"][30] != "A" else "B"
    return {"snapshotInfo": json.dumps({**info, "head": f"{info['head'][:30]}{letter}{info['head'][31:]}"})}


def of_no_pyodide(page: Page) -> dict[str, str]:
    """Rename Pyodide's function that restores a snapshot, so that our code does not find it."""

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
    "meddle", [altered, cut_off, of_other_data, of_another_pyodide, of_no_pyodide, not_made]
)
def test_python_starts_from_files_if_a_snapshot_does_not_fit(home: Page, meddle: Meddling) -> None:
    how, answers = ask(home, meddle(home))
    assert how["start"] == "files"
    assert how["refusal"]
    assert [answer["ok"] for answer, _ in answers] == [True, True, False, False, True, True]


@pytest.mark.allow_console
def test_both_starts_give_the_same_answers_to_the_byte(home: Page) -> None:
    how, from_files = ask(home, missing(home))
    assert how["start"] == "files"
    assert how["refusal"]
    how, from_snapshot = ask(home)
    assert how["start"] == "snapshot"
    assert [answer["ok"] for answer, _ in from_snapshot] == [True, True, False, False, True, True]
    assert from_snapshot == from_files


def test_a_page_says_in_per_cent_how_much_of_python_has_loaded(first_visit: FirstVisit) -> None:
    said = [text for text in first_visit.said if text.startswith("Python: ")]
    shares = [int(text.removeprefix("Python: ").removesuffix(" %")) for text in said]
    assert len(shares) >= 3
    assert shares == sorted(shares)


def visit(page: Page, server_url: str) -> list[str]:
    """Open a page and wait until Python is cached. Return the names of the files that the page requested."""
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


def large(asked: list[str]) -> list[str]:
    """Return the large files among the requested files: the snapshot and Pyodide's WebAssembly module."""
    return [name for name in asked if name.endswith((".bin", ".wasm"))]


def test_a_second_visit_loads_nothing_large_and_starts_python_early(
    first_visit: FirstVisit, returning: Page, server_url: str
) -> None:
    assert first_visit.asked.index("worker.js") > first_visit.asked.index("main.js")
    assert len(large(first_visit.asked)) == 2
    returning.add_init_script(EARLY)
    second = visit(returning, server_url)
    assert large(second) == []
    assert returning.evaluate("self.begunBeforeItsPage")
    assert returning.evaluate(HOW) == {"start": "snapshot", "refusal": ""}
    travelled = dict(returning.evaluate(TRAVELLED))
    assert sum(size for _, size in first_visit.travelled) > 10_000
    assert {"worker.js", "main.js", "shell.css"} <= travelled.keys()
    assert [name for name, size in travelled.items() if size > 0] == []
    returning.evaluate(SLOW)  # If the snapshot is cached, Python uses it even on a slow connection.
    how, _ = ask(returning)
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


def test_a_later_visit_starts_python_without_a_message_from_the_page(
    returning: Page, server_url: str
) -> None:
    returning.add_init_script(SILENT)
    returning.goto(f"{server_url}robot.html")
    expect(returning.locator("main")).to_have_attribute("data-python", "ready")
    assert returning.evaluate(HOW) == {"start": "snapshot", "refusal": ""}


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
def test_a_python_of_another_build_than_the_pages_is_replaced(
    first_visit: FirstVisit, returning: Page, server_url: str
) -> None:
    assert first_visit.asked.count("worker.js") == 1
    returning.add_init_script(ANOTHER)
    again = visit(returning, server_url)
    assert again.count("worker.js") == 2
    assert returning.evaluate(HOW)["start"] == "snapshot"


def test_cached_files_from_another_build_are_deleted(home: Page, server_url: str) -> None:
    old = "build/snapshot-000000000000.bin"
    home.evaluate(f"async () => (await caches.open('eglantine.python')).put('{old}', new Response('old'))")
    visit(home, server_url)
    assert sorted(url.rsplit("/", 1)[1] for url in home.evaluate(KEPT)) == sorted(
        [manifest()["snapshot"], manifest()["engine"]]
    )


def test_a_damaged_file_in_the_cache_is_noticed_and_fetched_again(returning: Page, server_url: str) -> None:
    returning.goto(server_url)
    returning.evaluate(
        """async () => {
          const cache = await caches.open("eglantine.python");
          const key = (await cache.keys()).find(({ url }) => url.endsWith(".bin"));
          const bytes = new Uint8Array(await (await cache.match(key)).arrayBuffer());
          bytes[bytes.length >> 1] ^= 1;
          await cache.put(key, new Response(bytes));
        }"""
    )
    asked: list[str] = []
    returning.context.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    how, answers = ask(returning)
    assert how == {"start": "snapshot", "refusal": ""}
    assert [answer["ok"] for answer, _ in answers] == [True, True, False, False, True, True]
    assert large(asked) == [manifest()["snapshot"]]
    visit(returning, server_url)  # `ask` may not have cached the snapshot. This visit does.
    assert large(visit(returning, server_url)) == []


@pytest.mark.allow_console
def test_a_page_left_open_over_a_deployment_starts_the_new_python(home: Page) -> None:
    gone = {
        "snapshot": "snapshot-000000000000.bin",
        "stdlib": "stdlib-000000000000.zip",
        "python": "python-000000000000.zip",
    }
    how, answers = ask(home, gone)
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


def test_a_worker_that_replaces_another_is_given_the_compiled_module(home: Page) -> None:
    asked: list[str] = []
    home.context.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    home.evaluate(TWICE)
    assert asked.count("worker.js") == 2
    assert len([name for name in asked if name.endswith(".wasm")]) == 1
