"""A script may put anything into this origin's caches. No page uses it, and no page breaks."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.plain_host import WHERE, Host, cut, kept
from tools.bootstrap import ROOT
from tools.build import build
from tools.export import export
from tools.files import BUILD
from tools.server import start
from tools.vendor import vendor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.allow_console, pytest.mark.own_context]
PATIENCE_MS = 60_000
TABLE = re.compile(r"^const FILES = (\{.*?\});$", re.MULTILINE | re.DOTALL)

# ---------------------------------------------------------------- an exported site

POISON = """async ([path, key, poison]) => {
  const [body, type] = poison;
  const response = () => new Response(body, { headers: { "Content-Type": type } });
  const page = new URL(path, location.href).href;
  for (const name of ["eglantine-1", "eglantine.python", "another"]) {
    const cache = await caches.open(name);
    for (const address of [page, new URL(key, location.href).href]) await cache.put(address, response());
  }
}"""
"""Put a forged answer into every cache, under a file's address and under its content's."""
DIGEST = """async (key) => {
  const response = await (await caches.open("eglantine-1")).match(new URL(key, location.href));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}"""
PAGE = ("<!doctype html><title>taken</title><main data-python=ready>taken", "text/html")
SCRIPT = ("document.title = 'taken'; export {};", "text/javascript")
WORKER = ("postMessage({ kind: 'failed', reason: 'taken' });", "text/javascript")
STYLE = ("body { display: none }", "text/css")
MANIFEST = (json.dumps({"version": 1, "lock": "{}"}), "application/json")
BYTES = ("taken", "application/wasm")
KINDS = {
    "page": (r"quadratic\.html", PAGE),
    "home": (r"index\.html", PAGE),
    "script": (r"js-\w+/pages/quadratic/main\.js", SCRIPT),
    "library": (r"js-\w+/page/shell\.js", SCRIPT),
    "worker": (r"js-\w+/worker\.js", WORKER),
    "part of a worker": (r"js-\w+/worker/keeping\.js", WORKER),
    "style": (r"css-\w+/page\.css", STYLE),
    "manifest": (r"build/manifest\.json", MANIFEST),
    "presets": (r"build/presets-\w+\.json", MANIFEST),
    "engine": (r"build/engine-\w+\.wasm", BYTES),
    "engine's script": (r"build/engine-\w+\.mjs", SCRIPT),
    "snapshot": (r"build/snapshot-\w+\.bin", BYTES),
    "loader": (r"vendor/pyodide/pyodide\.mjs", SCRIPT),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's folder that has the site in a subfolder."""
    vendor()
    build()
    root = tmp_path_factory.mktemp("poisoned")
    export(root / WHERE)
    return root


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[Host]:
    plain = Host(folder)
    yield plain
    plain.close()


@pytest.fixture(scope="module")
def visited(browser: Browser, host: Host) -> Iterator[Page]:
    """A page of a browser that has cached the site."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{host.url}quadratic.html")
    kept(page)
    yield page
    context.close()


def files_of(folder: Path) -> dict[str, str]:
    """The table of files and hashes that the service worker carries."""
    match = TABLE.search((folder / WHERE / "sw.js").read_text())
    assert match is not None
    return dict(json.loads(match[1]))


def content_key(path: str, digest: str) -> str:
    """The address under which the service worker's cache stores a file's content."""
    return f"content/{digest}/{Path(path).suffix}"


def poison(page: Page, files: dict[str, str], pattern: str, body: tuple[str, str]) -> list[str]:
    """Poison every file whose path matches, and return their paths."""
    poisoned = [path for path in files if re.fullmatch(pattern, path)]
    assert poisoned, pattern
    for path in poisoned:
        page.evaluate(POISON, [path, content_key(path, files[path]), body])
    return poisoned


def works(page: Page, formula: str) -> None:
    """Check that the page is ours and visible, and that Python compiles a formula in it."""
    expect(page).to_have_title(re.compile("^A surface"))
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PATIENCE_MS)
    expect(page.locator("header nav")).to_be_visible()
    page.locator("#formula").fill(formula)
    expect(page.locator(".cost")).to_contain_text("compiled here")
    assert page.evaluate("performance.getEntriesByName('python').at(-1).detail.start") == "snapshot"


@pytest.mark.parametrize("kind", KINDS)
def test_a_poisoned_file_is_not_served_and_is_mended(
    visited: Page, host: Host, folder: Path, kind: str
) -> None:
    visited.goto(f"{host.url}quadratic.html")
    files = files_of(folder)
    [path] = poison(visited, files, *KINDS[kind])
    visited.goto("about:blank")
    if kind == "home":
        visited.goto(host.url)
        expect(visited).to_have_title(re.compile("^Eglantine: derivatives"))
    visited.goto(f"{host.url}quadratic.html")
    works(visited, f"x y + {list(KINDS).index(kind)}")
    assert visited.evaluate(DIGEST, content_key(path, files[path])) == files[path]


def test_a_page_works_with_every_file_poisoned_and_afterwards_offline(
    page: Page, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / WHERE, tmp_path / WHERE)
    host = Host(tmp_path)
    try:
        page.goto(f"{host.url}quadratic.html")
        kept(page)
        files = files_of(folder)
        for pattern, body in ((r".*\.html", PAGE), (r".*\.m?js", SCRIPT), (r".*\.css", STYLE)):
            poison(page, files, pattern, body)
        poison(page, files, r".*\.(json|wasm|bin|zip|py|woff2|svg)", BYTES)
        page.evaluate(POISON, ["sw.js", "sw.js", WORKER])
        page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        page.goto("about:blank")
        page.goto(f"{host.url}quadratic.html")
        works(page, "x y + 2")
        cut(page, host)
        page.goto("about:blank")
        page.goto(f"{host.url}quadratic.html")
        works(page, "x y + 3")
    finally:
        host.close()


def test_a_poisoned_page_is_not_served_offline_and_a_text_says_what_to_do(
    page: Page, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / WHERE, tmp_path / WHERE)
    host = Host(tmp_path)
    page.goto(f"{host.url}quadratic.html")
    kept(page)
    poison(page, files_of(folder), r"quadratic\.html", PAGE)
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    port = host.port
    cut(page, host)
    page.reload()
    expect(page.get_by_role("heading")).to_contain_text("damaged")
    expect(page.locator("body")).to_contain_text("Connect to the network")
    assert "taken" not in page.content()
    host = Host(tmp_path, port)
    try:
        page.context.set_offline(False)
        page.reload()
        works(page, "x y + 4")
    finally:
        host.close()


def test_an_installation_takes_no_poisoned_file_from_the_cache(
    page: Page, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / WHERE, tmp_path / WHERE)
    host = Host(tmp_path)
    files = files_of(folder)
    page.goto(f"{host.url}404-or-anything")  # one of our pages would start an installation
    poison(page, files, r"(quadratic|robot)\.html", PAGE)
    page.goto(f"{host.url}quadratic.html")
    kept(page)
    for name in ("quadratic.html", "robot.html"):
        assert page.evaluate(DIGEST, content_key(name, files[name])) == files[name]
    cut(page, host)
    page.goto(f"{host.url}robot.html")
    expect(page).to_have_title(re.compile("^A robot"))


def test_an_answer_with_foreign_headers_is_not_served_from_the_cache(
    visited: Page, host: Host, folder: Path
) -> None:
    visited.goto(f"{host.url}quadratic.html")
    files = files_of(folder)
    key = content_key("quadratic.html", files["quadratic.html"])
    # The bytes are right but the policy is forged. The page may use the bytes but not the headers.
    visited.evaluate(
        """async (key) => {
          const address = new URL(key, location.href);
          const cache = await caches.open("eglantine-1");
          const bytes = await (await cache.match(address)).arrayBuffer();
          const headers = new Headers({ "Content-Type": "text/plain", "X-Taken": "1" });
          headers.set("Content-Security-Policy", "script-src 'none'");
          await cache.put(address, new Response(bytes, { headers }));
        }""",
        key,
    )
    visited.goto("about:blank")
    answer = visited.goto(f"{host.url}quadratic.html")
    assert answer is not None
    assert "x-taken" not in answer.headers
    assert answer.headers["content-type"].startswith("text/html")
    works(visited, "x y + 20")


# ---------------------------------------------------------------- Python's cache, with the development server

VISIT_AGAIN = """async () => {
  const { PythonWorker } = await import(new URL("engine/python-worker.js", document.scripts[0].src));
  const { loadManifest } = await import(new URL("engine/presets.js", document.scripts[0].src));
  performance.clearMarks("python");
  const python = new PythonWorker(await loadManifest(), () => {}, { longestMs: 20000 });
  python.start();
  const { answer } = await python.ask("formula", ["  ", ["x", "y"]]);
  const sections = WebAssembly.Module.customSections(python.engine, "taken").length;
  python.destroy();
  const { start, refusal } = performance.getEntriesByName("python").at(-1).detail;
  return { start, refusal, sections, said: answer.error.message };
}"""
"""Another Python of this page: how it starts, its engine's sections, and its answer to a mistake."""
PYTHON_IS_KEPT = """async () => localStorage.getItem("eglantine.python") !== null
  && (await (await caches.open("eglantine.python")).keys()).length === 2"""
POISON_ENGINE = """async () => {
  const cache = await caches.open("eglantine.python");
  const key = (await cache.keys()).find(({ url }) => url.endsWith(".wasm"));
  const section = new Uint8Array([0, 6, 5, ...new TextEncoder().encode("taken")]);
  const bytes = await (await cache.match(key)).arrayBuffer();
  const headers = { "Content-Type": "application/wasm" };
  await cache.put(key, new Response(new Blob([bytes, section]), { headers }));
}"""
"""Cache another engine that works like ours."""
POISON_SNAPSHOT = """async (text) => {
  const cache = await caches.open("eglantine.python");
  const key = (await cache.keys()).find(({ url }) => url.endsWith(".bin"));
  const bytes = new Uint8Array(await (await cache.match(key)).arrayBuffer());
  const wanted = new TextEncoder().encode(text);
  let count = 0;
  for (let at = bytes.indexOf(wanted[0]); at >= 0; at = bytes.indexOf(wanted[0], at + 1)) {
    if (!wanted.every((byte, i) => bytes[at + i] === byte)) continue;
    const words = new Int32Array(bytes.buffer, (at + 3) & ~3, 2);
    words[0] += 1; // the checksum is Σ 31^k · word, so 1 in this word counts…
    words[1] -= 31; // … as much as 31 in the next
    count += 1;
  }
  await cache.put(key, new Response(bytes));
  return count;
}"""
"""Cache a snapshot in which a letter or two of a text are changed, with a matching checksum."""
KEPT_DIGESTS = """async () => {
  const cache = await caches.open("eglantine.python");
  const digests = {};
  for (const key of await cache.keys()) {
    const bytes = await crypto.subtle.digest("SHA-256", await (await cache.match(key)).arrayBuffer());
    const name = key.url.split("/").at(-1);
    digests[name] = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return digests;
}"""


def with_kept_python(page: Page, server_url: str) -> None:
    """Open a page of the development server, and wait until its Python is kept."""
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PATIENCE_MS)
    for _ in range(300):
        if page.evaluate(PYTHON_IS_KEPT):
            return
        page.wait_for_timeout(100)
    pytest.fail("Python is not kept")


def built_digests() -> dict[str, str]:
    """The hashes that Python's cache should hold, from the files of the build."""
    manifest = json.loads((BUILD / "manifest.json").read_text())
    engine = (BUILD / manifest["engine"]).read_bytes()
    snapshot = gzip.decompress((BUILD / manifest["snapshot"]).read_bytes())
    return {
        manifest["engine"]: hashlib.sha256(engine).hexdigest(),
        manifest["snapshot"]: hashlib.sha256(snapshot).hexdigest(),
    }


def mended(page: Page) -> None:
    """Wait until Python's cache holds the files of the build."""
    expected = built_digests()
    digests: Any = None
    for _ in range(300):
        digests = page.evaluate(KEPT_DIGESTS)
        if digests == expected:
            return
        page.wait_for_timeout(100)
    pytest.fail(f"Python's cache holds {digests}; expected {expected}")


def test_a_forged_engine_in_pythons_cache_is_not_started_and_is_replaced(page: Page, server_url: str) -> None:
    with_kept_python(page, server_url)
    page.evaluate(POISON_ENGINE)
    how = page.evaluate(VISIT_AGAIN)
    assert (how["start"], how["refusal"], how["sections"]) == ("snapshot", "", 0)
    mended_by_a_visit(page, server_url)


def test_a_forged_snapshot_in_pythons_cache_is_not_started_and_is_replaced(
    page: Page, server_url: str
) -> None:
    with_kept_python(page, server_url)
    before = page.evaluate(VISIT_AGAIN)
    assert TOLD in before["said"]
    assert page.evaluate(POISON_SNAPSHOT, TOLD) >= 1
    after = page.evaluate(VISIT_AGAIN)
    assert (after["start"], after["refusal"]) == ("snapshot", "")
    assert after["said"] == before["said"]
    mended_by_a_visit(page, server_url)


TOLD = "The formula is empty"


def mended_by_a_visit(page: Page, server_url: str) -> None:
    """Visit a page until its Python is cached, and check that the cache then holds the right files."""
    page.goto("about:blank")
    with_kept_python(page, server_url)
    mended(page)


def test_on_the_development_server_pages_read_no_cache_but_pythons(page: Page, server_url: str) -> None:
    with_kept_python(page, server_url)
    manifest = json.loads((BUILD / "manifest.json").read_text())
    for path, body in {
        "robot.html": PAGE,
        "js/pages/robot/main.js": SCRIPT,
        "js/worker.js": WORKER,
        "css/page.css": STYLE,
        "sw.js": WORKER,
        "build/manifest.json": MANIFEST,
        f"build/{manifest['robot']}": MANIFEST,
        f"build/{manifest['engineScript']}": SCRIPT,
        f"build/{manifest['engine']}": BYTES,
        f"build/{manifest['snapshot']}": BYTES,
        f"build/{manifest['stdlib']}": BYTES,
    }.items():
        page.evaluate(POISON, [path, path, body])
    page.goto("about:blank")
    page.goto(f"{server_url}robot.html")
    expect(page).to_have_title(re.compile("^A robot"))
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PATIENCE_MS)
    assert page.evaluate("performance.getEntriesByName('python').at(-1).detail") == {
        "start": "snapshot",
        "refusal": "",
    }


def test_a_poisoned_engine_is_not_started_without_a_network_to_mend_it(
    page: Page,
) -> None:
    server = start(ROOT / "static")
    with_kept_python(page, server.url)
    page.evaluate(POISON_ENGINE)
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    server.close()
    page.context.set_offline(True)
    phase = page.evaluate(
        """async () => {
          const { PythonWorker } = await import(new URL("engine/python-worker.js", document.scripts[0].src));
          const { loadManifest } = await import(new URL("engine/presets.js", document.scripts[0].src));
          const manifest = await loadManifest();
          return new Promise((resolve) => {
            const python = new PythonWorker(manifest, ({ phase }) => {
              if (phase === "ready" || phase === "failed") resolve(phase);
            });
            python.start();
          });
        }"""
    )
    assert phase == "failed"
