"""Replace Python's worker with a worker that never answers, or that never becomes ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

SILENT = """self.onmessage = ({ data }) => {
  self.postMessage(data.manifest === undefined ? { kind: "begun", id: data.id } : { kind: "ready" });
};"""
"""The script of a worker that is ready at once, begins every request and never answers."""
ASLEEP = """
  self.AwakeWorker = self.Worker;
  self.Worker = new Proxy(self.Worker, {
    construct(Plain, [address, ...options]) {
      const isPages = typeof address !== "string" && String(address).endsWith("/worker.js");
      if (!isPages) return new Plain(address, ...options); // a plain text breaks the policy, so it is refused
      const asleep = { onmessage: null, onerror: null, postMessage() {}, terminate() {} };
      queueMicrotask(() => asleep.onmessage({ data: { kind: "progress", share: 0 } }));
      return asleep;
    },
  });
"""
"""A script that replaces Python's worker by an object. This object only says that Python is loading. We do
not serve another script for the worker, because the browser caches no files while Playwright may answer
requests."""
AWAKE = "if (self.AwakeWorker !== undefined) self.Worker = self.AwakeWorker;"
HEADERS = {"Content-Type": "text/javascript", "Cross-Origin-Embedder-Policy": "require-corp"}


def silence_python(page: Page) -> list[str]:
    """Replace Python's workers by workers that never answer. Call this before you open the page.

    Return a list. Whenever a worker starts, its address is added to the list.
    """
    starts: list[str] = []

    def serve(route: Route) -> None:
        starts.append(route.request.url)
        route.fulfill(body=SILENT, headers=HEADERS)

    page.add_init_script(AWAKE)
    page.route("**/worker.js", serve)
    return starts


def leave_python_asleep(page: Page) -> None:
    """Keep Python's workers from becoming ready. Call this before you open the page.

    Starting Python takes half of a visit's processor time, and many tests do not need Python.
    """
    page.add_init_script(ASLEEP)
