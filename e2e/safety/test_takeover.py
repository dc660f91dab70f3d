"""A program tries to replace the site's files permanently, but the site stays as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.safety.conftest import run
from e2e.visitor import with_python
from tools.bootstrap import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.own_context
PAGES = sorted(path.stem for path in (ROOT / "static" / "pages").glob("*.html") if path.stem != "shell")
TAKEOVER = """import js
from pyodide.ffi import to_js

taken = "<!doctype html><title>taken</title><p>taken"
headers = to_js({"headers": {"Content-Type": "text/html"}}, dict_converter=js.Object.fromEntries)
try:
    for name in ["eglantine-1", "eglantine.python", *await js.caches.keys()]:
        cache = await js.caches.open(name)
        for request in await cache.keys():
            await cache.put(request, js.Response.new(taken, headers))
        await cache.put("playground.html", js.Response.new(taken, headers))
    print("wrote into the caches")
except BaseException as error:
    print("refused:", str(error)[:200])
"""
CACHES = """async () => {
  const digests = {};
  for (const name of (await caches.keys()).sort()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const bytes = await (await cache.match(request)).arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      digests[`${name} ${new URL(request.url).pathname}`] = [...digest].join(" ");
    }
  }
  return digests;
}"""
IS_KEPT = (
    """async () => localStorage.getItem("eglantine.python") !== null && (await caches.keys()).length > 0"""
)


@pytest.mark.allow_console
def test_a_program_cannot_replace_pages_in_the_sites_caches(playground: Page, server_url: str) -> None:
    page = playground
    while not page.evaluate(IS_KEPT):
        page.wait_for_timeout(100)
    before = page.evaluate(CACHES)
    assert before, "the caches hold files that the attack can replace"
    said = run(page, TAKEOVER)
    assert "refused:" in said
    assert page.evaluate(CACHES) == before
    for name in PAGES:
        page.goto(f"{server_url}{name}.html")
        expect(page.locator("main")).to_be_visible()
        assert "taken" not in page.title()
        if page.locator("main[data-python]").count():
            with_python(page)
