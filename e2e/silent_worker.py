"""Workers in the place of Python's: one that never answers, and one that never gets ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

SILENT = """self.onmessage = ({ data }) => {
  self.postMessage(data.manifest === undefined ? { kind: "begun", id: data.id } : { kind: "ready" });
};"""
"""It is ready at once, begins whatever it is asked, and never answers."""
ASLEEP = """self.postMessage({ kind: "progress", share: 0 });"""
"""It says that Python is on its way, and nothing more."""
HEADERS = {"Content-Type": "text/javascript", "Cross-Origin-Embedder-Policy": "require-corp"}


def silence_python(page: Page) -> list[str]:
    """Give a page that is not open yet silent workers; the result has an address for each that started."""
    return replace_python(page, SILENT)


def leave_python_asleep(page: Page) -> None:
    """Give a page that is not open yet workers that never get ready.

    Starting Python takes half of a visit's processor time, and many tests need none.
    """
    replace_python(page, ASLEEP)


def replace_python(page: Page, script: str) -> list[str]:
    """Serve a script in the place of Python's worker; the result has an address for each that started."""
    starts: list[str] = []

    def serve(route: Route) -> None:
        starts.append(route.request.url)
        route.fulfill(body=script, headers=HEADERS)

    page.route("**/worker.js", serve)
    return starts
