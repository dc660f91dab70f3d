"""Fixtures for tests with hostile programs: our site on two kinds of servers, and a foreign server."""

from __future__ import annotations

import http.server
import itertools
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.plain_host import WHERE, Host, kept
from e2e.playground.conftest import open_in_place
from tests.seeds import NIGHTLY
from tools.bootstrap import ROOT
from tools.server import start

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

PYTHON_TIMEOUT_MS = 60_000
SERVE, EXPORT = "serve.py", "plain host"


@pytest.fixture(scope="session", params=[SERVE, EXPORT])
def server_url(request: pytest.FixtureRequest, site_folder: Path, small_site: Path) -> Iterator[str]:
    """Serve the site in two ways: with the development server, and as an export on a plain host.

    A plain host sets no headers. In the nightly run the export contains all pages.
    """
    if request.param == SERVE:
        server = start(ROOT / "static")
        yield server.url
        server.close()
        return
    host = Host(site_folder if NIGHTLY else small_site)
    yield host.url
    host.close()


@pytest.fixture
def is_export(server_url: str) -> bool:
    """True if the site is an export, in which a service worker caches the pages."""
    return server_url.endswith(f"/{WHERE}/")


@pytest.fixture
def playground(
    shared: Page, server_url: str, is_export: bool, browser_context_args: dict[str, object]
) -> Page:
    """The playground. All tests of a file share it. Its editor contains a program that has not run yet.

    Another program ran before, so the next run starts a clean Python. In an export, the service worker has
    cached the site, unless the tests block service workers.
    """
    address = f"{server_url}playground.html"
    if not shared.url.startswith(address):
        shared.goto(address)
        if is_export and browser_context_args.get("service_workers") != "block":
            kept(shared)
    ready(shared)
    open_in_place(shared, new_program("not run"))
    return shared


NUMBERS = itertools.count()


def new_program(word: str) -> str:
    """Return a program that prints a word. No two calls return the same program."""
    return f"print({word!r}, {next(NUMBERS)})"


def ready(page: Page) -> Page:
    """Wait until the playground has loaded its editor and Python."""
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PYTHON_TIMEOUT_MS)
    expect(page.locator(".cm-content")).to_be_visible()
    return page


class Stranger:
    """A server on another port. It records every request, and allows every page to read its answers."""

    def __init__(self) -> None:
        requests: list[str] = []

        class Recorder(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                requests.append(f"{self.command} {self.path}")
                self.send_response(200)
                for name in ("Origin", "Headers", "Methods"):
                    self.send_header(f"Access-Control-Allow-{name}", "*")
                self.send_header("Cross-Origin-Resource-Policy", "cross-origin")
                self.send_header("Content-Type", "text/javascript")
                self.end_headers()
                self.wfile.write(b"self.taken = 1;")

            do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815 - the base class's names

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.requests = requests
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        """The server's host and port."""
        return f"127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    """Run a server on another port of this machine. For a browser, this port is another origin."""
    opened = Stranger()
    yield opened
    opened.server.shutdown()
    opened.server.server_close()


def begin(page: Page, text: str) -> None:
    """Write a program and press Run."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    page.locator(".run").click()


def run(page: Page, text: str) -> str:
    """Run a program and return its output once it has ended."""
    begin(page, text)
    expect(page.locator(".run")).to_have_attribute("aria-disabled", "false", timeout=PYTHON_TIMEOUT_MS)
    return page.locator(".output").inner_text()
