"""A script puts forged files into Python's cache. Pages never run these files, but replace them."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.poisoned import BYTES, MANIFEST, PAGE, PATIENCE_MS, POISON, SCRIPT, STYLE, WORKER
from tools.bootstrap import ROOT
from tools.files import BUILD
from tools.server import start

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.allow_console, pytest.mark.own_context]


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
"""A script that starts another Python in this page.

It returns how this Python starts, the number of forged sections in its engine, and the text of an answer.
"""
LOAD_MODULES = """() => Promise.all(["engine/python-worker.js", "engine/presets.js"]
  .map((path) => import(new URL(path, document.scripts[0].src)))).then(() => {})"""
"""A script that loads the modules that `VISIT_AGAIN` imports.

The page has not loaded them, because its packed script contains their code.
"""
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
"""A script that replaces the cached engine by a forged one. The forged engine works like ours."""
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
"""A script that changes one or two letters of a text in the cached snapshot, and keeps the checksum the
same."""
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
    """Open a page of the development server, and wait until the browser has cached its Python."""
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PATIENCE_MS)
    for _ in range(300):
        if page.evaluate(PYTHON_IS_KEPT):
            return
        page.wait_for_timeout(100)
    pytest.fail("Python is not kept")


def built_digests() -> dict[str, str]:
    """Return file name → hash for the files of the build that belong in Python's cache."""
    manifest = json.loads((BUILD / "manifest.json").read_text())
    engine = (BUILD / manifest["engine"]).read_bytes()
    snapshot = gzip.decompress((BUILD / manifest["snapshot"]).read_bytes())
    return {
        manifest["engine"]: hashlib.sha256(engine).hexdigest(),
        manifest["snapshot"]: hashlib.sha256(snapshot).hexdigest(),
    }


def mended(page: Page) -> None:
    """Wait until Python's cache contains the files of the build again."""
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
    """Open a page, and wait until it has replaced the forged files in Python's cache."""
    page.goto("about:blank")
    with_kept_python(page, server_url)
    mended(page)


def test_on_the_development_server_pages_only_read_pythons_cache(page: Page, server_url: str) -> None:
    with_kept_python(page, server_url)
    manifest = json.loads((BUILD / "manifest.json").read_text())
    for path, body in {
        "robot.html": PAGE,
        "js/packs/robot/main.js": SCRIPT,
        "js/worker.js": WORKER,
        "css/packs/shell.css": STYLE,
        "sw.js": WORKER,
        "build/manifest.json": MANIFEST,
        f"build/{manifest['robot']}": MANIFEST,
        f"build/{manifest['engineScript']}": SCRIPT,
        f"build/{manifest['engine']}": BYTES,
        f"build/{manifest['snapshot']}": BYTES,
        f"build/{manifest['stdlib']}": BYTES,
    }.items():
        page.evaluate(POISON, [[[path, path]], body])
    page.goto("about:blank")
    page.goto(f"{server_url}robot.html")
    expect(page).to_have_title(re.compile("^A robot"))
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PATIENCE_MS)
    assert page.evaluate("performance.getEntriesByName('python').at(-1).detail") == {
        "start": "snapshot",
        "refusal": "",
    }


def test_without_a_network_a_poisoned_engine_is_not_started(
    page: Page,
) -> None:
    server = start(ROOT / "static")
    with_kept_python(page, server.url)
    page.evaluate(POISON_ENGINE)
    page.evaluate(LOAD_MODULES)
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
