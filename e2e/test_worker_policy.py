"""On a host that sets no headers, a cached page's workers still run under the site's security policy.

The service worker adds the policy to the workers' scripts.
"""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.plain_host import Host, kept
from tools.served_files import POLICY

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.allow_console  # `page` counts requests to the host as errors
WORKERS = {"quadratic": "worker.js", "billiards": "descent.worker.js", "robot": "training.worker.js"}
TRY = """async (other) => {
  await new Promise((resolve) => setTimeout(resolve)); // before its first wait, a test's code may do more
  const outcomes = {};
  for (const [name, attempt] of Object.entries({
    eval: () => (0, eval)("1"),
    Function: () => new Function("return 1")(),
    fetch: () => fetch(other, { mode: "no-cors" }),
    socket: () => new Promise((resolve, reject) => {
      const socket = new WebSocket(other.replace("http", "ws"));
      socket.onopen = resolve;
      socket.onerror = () => reject(new TypeError("no socket"));
    }),
  })) outcomes[name] = await (async () => attempt())().then(() => "done", (error) => error.name);
  return outcomes;
}"""


@pytest.fixture(scope="module")
def host(small_site: Path) -> Iterator[Host]:
    plain = Host(small_site)
    yield plain
    plain.close()


@pytest.fixture
def cached(shared: Page, host: Host) -> Page:
    """Open a page, and wait until the browser has cached the site. All tests share this page."""
    if not shared.url.startswith(host.url):
        shared.goto(f"{host.url}regression.html")
        kept(shared)
    return shared


@pytest.fixture
def other() -> Iterator[tuple[str, list[str]]]:
    """Run a server on another port. Yield its address and the list of requests that it receives."""
    asked: list[str] = []

    class Listening(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listening)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", asked
    server.shutdown()
    server.server_close()


def test_cached_pages_and_their_scripts_are_served_with_the_policy(cached: Page, host: Host) -> None:
    cached.goto(f"{host.url}regression.html")
    for name in ("regression.html", "quadratic.html", "js/worker.js", "build/manifest.json"):
        headers = cached.evaluate("async (name) => Object.fromEntries((await fetch(name)).headers)", name)
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("name", WORKERS)
def test_a_cached_pages_worker_cannot_run_text_or_reach_another_port(
    cached: Page, host: Host, other: tuple[str, list[str]], name: str
) -> None:
    address, asked = other
    cached.goto(f"{host.url}{name}.html")
    expect(cached.locator("main")).to_have_attribute("data-python", "ready", timeout=60_000)
    [worker] = [worker for worker in cached.workers if worker.url.endswith(f"/{WORKERS[name]}")]
    assert worker.evaluate(TRY, address) == {
        "eval": "EvalError",
        "Function": "EvalError",
        "fetch": "TypeError",
        "socket": "TypeError",
    }
    assert asked == []
