"""Replace Python's worker by one that never answers, or by one that never becomes ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

SILENT = """self.onmessage = ({ data }) => {
  self.postMessage(data.manifest === undefined ? { kind: "begun", id: data.id } : { kind: "ready" });
};"""
"""A worker that is ready at once, begins every request and never answers."""
ASLEEP = """self.postMessage({ kind: "progress", share: 0 });"""
"""A worker that says that Python is loading, and nothing more."""
HEADERS = {"Content-Type": "text/javascript", "Cross-Origin-Embedder-Policy": "require-corp"}


def silence_python(page: Page) -> list[str]:
    """Give a page workers that never answer, before it is opened. Return the list of their addresses.

    The list grows whenever a worker starts.
    """
    return replace_python(page, SILENT)


def leave_python_asleep(page: Page) -> None:
    """Give a page workers that never become ready, before it is opened.

    Starting Python takes half of a visit's processor time, and many tests do not need Python.
    """
    replace_python(page, ASLEEP)


def replace_python(page: Page, script: str) -> list[str]:
    """Serve a script instead of Python's worker. Return the list of workers' addresses.

    The list grows whenever a worker starts.
    """
    starts: list[str] = []

    def serve(route: Route) -> None:
        starts.append(route.request.url)
        route.fulfill(body=script, headers=HEADERS)

    page.route("**/worker.js", serve)
    return starts
