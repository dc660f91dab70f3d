"""A host of static files that sets no headers, and functions that wait for a site on it to be cached."""

from __future__ import annotations

import functools
import http.server
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

WHERE = "some/place"
"""The site's path on the host."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serve files as they are, without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Host:
    """A host of static files without any setting for our site. It can be closed during a test."""

    def __init__(self, folder: Path, port: int = 0, answers: type[Quiet] = Quiet) -> None:
        self.folder = folder
        handler = functools.partial(answers, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.port = int(self.server.server_address[1])
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        """The site's address, with its closing slash."""
        return f"http://127.0.0.1:{self.port}/{WHERE}/"

    def close(self) -> None:
        """Close the host. Closing it again does no harm."""
        self.server.shutdown()
        self.server.server_close()


def until(page: Page, holds: str) -> None:
    """Wait until an expression of `registration`, the page's service worker, holds."""
    program = (
        f"async () => {{ const registration = await navigator.serviceWorker.getRegistration(); {holds} }}"
    )
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(program):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(100)


def kept(page: Page) -> None:
    """Wait until the browser has cached the site."""
    until(page, "return registration?.active?.state === 'activated'")


def cut(page: Page, host: Host) -> None:
    """Take the page offline and also close its server."""
    page.context.set_offline(True)
    host.close()
