"""Another site can frame the HTML of our sandbox, but it cannot run a script in our origin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tools.files import BUILD

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from e2e.safety.conftest import Stranger

pytestmark = [pytest.mark.allow_console, pytest.mark.own_context]
"""The browser reports each refusal on the console."""

FRAMING = """<!doctype html><title>A stranger's page</title><iframe src="ADDRESS"></iframe><script>
const script = `(async () => {
  const taken = await caches.open("taken").then(() => true, () => false);
  postMessage({ kind: "note", id: 1, json: JSON.stringify([self.origin, taken]) });
})()`;
const frame = document.querySelector("iframe");
self.heard = [];
frame.addEventListener("load", () => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => self.heard.push(data);
  frame.contentWindow.postMessage(null, "*", [port2]);
  port1.postMessage({ kind: "start", script: new TextEncoder().encode(script).buffer });
  port1.postMessage({ kind: "ping" });
  self.isTried = true;
});
</script>"""
WAIT_MS = 1500


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Block service workers. On a first visit, no service worker controls the site."""
    return {**browser_context_args, "service_workers": "block"}


@pytest.mark.parametrize("kind", ["sandbox", "pictures"])
@pytest.mark.parametrize("is_lent", [False, True], ids=["as the host serves it", "without headers"])
def test_the_document_of_a_sandbox_serves_no_page_of_another_site(
    page: Page, server_url: str, stranger: Stranger, kind: str, *, is_lent: bool
) -> None:
    name = json.loads((BUILD / "manifest.json").read_text(encoding="utf-8"))[kind]
    address = f"{server_url}build/{name}"
    page.route(
        f"http://{stranger.address}/**",
        lambda route: route.fulfill(body=FRAMING.replace("ADDRESS", address), content_type="text/html"),
    )
    if is_lent:
        page.route(address, lambda route: lend(route, name))
    page.goto(f"http://{stranger.address}/")
    page.wait_for_function("self.isTried")
    page.wait_for_timeout(WAIT_MS)
    assert page.evaluate("self.heard") == []
    page.goto(f"{server_url}robots.txt")
    assert not page.evaluate("caches.has('taken')")


def lend(route: Route, name: str) -> None:
    """Answer a request with the sandbox's HTML and without headers, like a plain host."""
    route.fulfill(body=(BUILD / name).read_text(encoding="utf-8"), content_type="text/html")
