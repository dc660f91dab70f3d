"""A worker in the place of Python's: it is ready, begins whatever it is asked, and never answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

SCRIPT = """self.onmessage = ({ data }) => {
  self.postMessage(data.manifest === undefined ? { kind: "begun", id: data.id } : { kind: "ready" });
};"""
HEADERS = {"Content-Type": "text/javascript", "Cross-Origin-Embedder-Policy": "require-corp"}


def silence_python(page: Page) -> list[str]:
    """Give a page that is not open yet such workers; the result has an address for each that started."""
    starts: list[str] = []

    def serve(route: Route) -> None:
        starts.append(route.request.url)
        route.fulfill(body=SCRIPT, headers=HEADERS)

    page.route("**/worker.js", serve)
    return starts
