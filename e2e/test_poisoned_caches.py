"""A script puts forged files into the site's caches. Pages do not use them, and still work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import PATIENT
from e2e.plain_host import WHERE, Host, cut, files_of, kept
from tests.seeds import NIGHTLY

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
from e2e.poisoned import BYTES, MANIFEST, PAGE, PATIENCE_MS, POISON, SCRIPT, STYLE, WORKER

pytestmark = [pytest.mark.allow_console, pytest.mark.own_context]
DIGEST = """async (key) => {
  const response = await (await caches.open("eglantine-1")).match(new URL(key, location.href));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}"""
KINDS = {
    "page": (r"quadratic\.html", PAGE),
    "home": (r"index\.html", PAGE),
    "script": (r"js-\w+/packs/quadratic/main\.js", SCRIPT),
    "library": (r"js-\w+/engine/manifest\.js", SCRIPT),
    "worker": (r"js-\w+/worker\.js", WORKER),
    "part of a worker": (r"js-\w+/worker/keeping\.js", WORKER),
    "style": (r"css-\w+/packs/shell\.css", STYLE),
    "manifest": (r"build/manifest\.json", MANIFEST),
    "presets": (r"build/presets-\w+\.json", MANIFEST),
    "engine": (r"build/engine-\w+\.wasm", BYTES),
    "engine's script": (r"build/engine-\w+\.mjs", SCRIPT),
    "snapshot": (r"build/snapshot-\w+\.bin", BYTES),
    "loader": (r"vendor/pyodide/pyodide\.mjs", SCRIPT),
}


GROUPS = {
    "pages": ["page", "home"],
    "scripts and styles": ["script", "library", "style"],
    "workers and tables": ["worker", "part of a worker", "manifest", "presets"],
    "Python": ["engine", "engine's script", "snapshot", "loader"],
}
"""For each visit by day, the kinds of forged files that it tries. At night, each kind has a visit of its
own."""
VISITS = {kind: [kind] for kind in KINDS} if NIGHTLY else GROUPS


@pytest.fixture
def folder(small_site: Path) -> Path:
    """Return the folder of the server. The site is in its subfolder `WHERE`."""
    return small_site


@pytest.fixture(scope="module")
def host(small_site: Path) -> Iterator[Host]:
    plain = Host(small_site)
    yield plain
    plain.close()


@pytest.fixture(scope="module")
def visited(browser: Browser, host: Host) -> Iterator[Page]:
    """Open a page, and wait until the browser has cached the site."""
    context = browser.new_context()
    context.add_init_script(PATIENT)
    page = context.new_page()
    page.goto(f"{host.url}quadratic.html")
    kept(page)
    yield page
    context.close()


def content_key(path: str, digest: str) -> str:
    """Return the key of a file's content in the cache of the service worker."""
    return f"content/{digest}/{Path(path).suffix}"


def poison(page: Page, files: dict[str, str], pattern: str, body: tuple[str, str]) -> list[str]:
    """Replace the cached files whose path matches `pattern` by a forged file. Return their paths."""
    poisoned = [path for path in files if re.fullmatch(pattern, path)]
    assert poisoned, pattern
    page.evaluate(POISON, [[[path, content_key(path, files[path])] for path in poisoned], body])
    return poisoned


def works(page: Page, formula: str) -> None:
    """Check that the open page is genuine, and that Python compiles a formula in it."""
    expect(page).to_have_title(re.compile("^A surface"))
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PATIENCE_MS)
    expect(page.locator("header nav")).to_be_visible()
    page.locator("#formula").fill(formula)
    expect(page.locator(".cost")).to_contain_text("compiled here")
    assert page.evaluate("performance.getEntriesByName('python').at(-1).detail.start") == "snapshot"


def test_every_kind_of_file_is_tried() -> None:
    assert sorted(kind for kinds in VISITS.values() for kind in kinds) == sorted(KINDS)


@pytest.mark.parametrize("name", VISITS)
def test_a_poisoned_file_is_not_served_and_is_replaced(
    visited: Page, host: Host, folder: Path, name: str
) -> None:
    if "/quadratic.html" not in visited.url:
        visited.goto(f"{host.url}quadratic.html")
    files = files_of(folder / WHERE)
    poisoned = [path for kind in VISITS[name] for path in poison(visited, files, *KINDS[kind])]
    assert len(poisoned) == len(VISITS[name])
    visited.goto("about:blank")
    if "home" in VISITS[name]:
        visited.goto(host.url)
        expect(visited).to_have_title(re.compile("^Eglantine: derivatives"))
    visited.goto(f"{host.url}quadratic.html")
    works(visited, f"x y + {list(VISITS).index(name)}")
    for path in poisoned:
        assert visited.evaluate(DIGEST, content_key(path, files[path])) == files[path], path


def test_a_page_works_with_every_file_poisoned_or_says_what_to_do(page: Page, folder: Path) -> None:
    host = Host(folder)
    port = host.port
    files = files_of(folder / WHERE)
    try:
        page.goto(f"{host.url}quadratic.html")
        kept(page)
        for pattern, body in ((r".*\.html", PAGE), (r".*\.m?js", SCRIPT), (r".*\.css", STYLE)):
            poison(page, files, pattern, body)
        poison(page, files, r".*\.(json|wasm|bin|zip|py|woff2|svg)", BYTES)
        page.evaluate(POISON, [[["sw.js", "sw.js"]], WORKER])
        page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        page.goto("about:blank")
        page.goto(f"{host.url}quadratic.html")
        works(page, "x y + 2")
        cut(page, host)
        page.goto("about:blank")
        page.goto(f"{host.url}quadratic.html")
        works(page, "x y + 3")
        poison(page, files, r"quadratic\.html", PAGE)
        page.context.new_cdp_session(page).send("Network.clearBrowserCache")
        page.reload()
        expect(page.get_by_role("heading")).to_contain_text("damaged")
        expect(page.locator("body")).to_contain_text("Connect to the network")
        assert "taken" not in page.content()
        host = Host(folder, port)
        page.context.set_offline(False)
        page.reload()
        works(page, "x y + 4")
    finally:
        host.close()


def test_an_installation_takes_no_poisoned_file_from_the_cache(page: Page, folder: Path) -> None:
    host = Host(folder)
    files = files_of(folder / WHERE)
    # There is no page at this address. (A page of the site would start to install the service worker.)
    page.goto(f"{host.url}404-or-anything")
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
    files = files_of(folder / WHERE)
    key = content_key("quadratic.html", files["quadratic.html"])
    # The cached file has the right bytes but forged headers, which the service worker must not use.
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
