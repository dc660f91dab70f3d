"""A server that sends files without special headers, and functions that wait until a site is cached."""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.patience import PATIENCE_S
from tools.missing import MISSING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from playwright.sync_api import Page

WHERE = "some/place"
"""The path of the site on the host."""
TABLE = re.compile(r"^const FILES = (\{.*?\});$", re.MULTILINE | re.DOTALL)
"""A regular expression for the table of files and hashes in the service worker."""
OF_ONE_PAGE = re.compile(r"js-\w+/(?:pages|packs)/(\w+)/.*|([\w-]+)\.html|([\w-]+)/index\.html")
"""A regular expression for the path of a file that only one page needs. A group matches the page's name.

The scripts of the start page are in the folder `home`.
"""
OF_OTHER_PAGES = re.compile(r"build/(?:book|derivatives|diagram|documents|fit|springs)-.*|(?:js|css)/.+/.*")
"""A regular expression for other files that the tested pages do not need.

These are the data and kernels of other pages, and scripts for pages that were open while the edition changed.
"""
START = frozenset({"index", "home"})
"""The two names of the start page. Every site has this page."""


def files_of(site: Path) -> dict[str, str]:
    """Return path → hash for all files of an exported site. Its service worker contains this table."""
    match = TABLE.search((site / "sw.js").read_text())
    assert match is not None
    return dict(json.loads(match[1]))


def copy_pages(site: Path, target: Path, names: AbstractSet[str]) -> None:
    """Copy an exported site, but only the start page and the pages with these names.

    The copy's service worker caches only the copied files. The whole site has a thousand files, and a browser
    needs 12 s of processor time to cache them.
    """
    wanted = START.union(names)
    table = {path: digest for path, digest in files_of(site).items() if is_needed(path, wanted)}
    for path in table:
        copy = target / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(site / path, copy)
    for file in site.glob("*.*"):
        if file.name == MISSING or file.suffix not in {".br", ".gz", ".html"}:
            shutil.copyfile(file, target / file.name)
    worker = (site / "sw.js").read_text()
    (target / "sw.js").write_text(TABLE.sub(lambda _: f"const FILES = {json.dumps(table)};", worker))


def is_needed(path: str, names: AbstractSet[str]) -> bool:
    """True if one of the pages with these names may request the file at this path."""
    of_one = OF_ONE_PAGE.fullmatch(path)
    if of_one is not None:
        return not names.isdisjoint(of_one.groups())
    return OF_OTHER_PAGES.fullmatch(path) is None


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serve files as they are, without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Host:
    """A server of static files that sends no special headers. A test can close it."""

    def __init__(self, folder: Path, port: int = 0, answers: type[Quiet] = Quiet) -> None:
        self.folder = folder
        handler = functools.partial(answers, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.port = int(self.server.server_address[1])
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        """Return the site's address, which ends with a slash."""
        return f"http://127.0.0.1:{self.port}/{WHERE}/"

    def close(self) -> None:
        """Close the host. Closing it again does no harm."""
        self.server.shutdown()
        self.server.server_close()


def until(page: Page, holds: str, *, patience_s: float = PATIENCE_S) -> None:
    """Wait until JavaScript code returns true. The code can use `registration`, the page's service worker."""
    program = (
        f"async () => {{ const registration = await navigator.serviceWorker.getRegistration(); {holds} }}"
    )
    end = time.monotonic() + patience_s
    while not page.evaluate(program):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(100)


def kept(page: Page) -> None:
    """Wait until the browser has cached the site, which takes 12 s of the processor's time."""
    until(page, "return registration?.active?.state === 'activated'", patience_s=5 * PATIENCE_S)


def cut(page: Page, host: Host) -> None:
    """Take the page offline and also close its server."""
    page.context.set_offline(True)
    host.close()
