"""The header and footer of every page: links, embedding, reports of a problem, and printing."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

STORED = """async () => [localStorage.length, (await caches.keys()).length,
  (await indexedDB.databases()).length, (await navigator.serviceWorker.getRegistrations()).length]"""


class Stranger:
    """A server of another site. It has one page, with the content `content`."""

    def __init__(self) -> None:
        self.content = ""
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = f"<!doctype html><link rel=icon href=data:,><body>{owner.content}".encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    opened = Stranger()
    yield opened
    opened.server.shutdown()
    opened.server.server_close()


def copied(page: Page, button: str) -> list[str]:
    """Click a button in the page's footer. Return the texts that the page then offers for copying."""
    page.get_by_role("button", name=button).click()
    texts = page.locator("dialog.copied-text textarea")
    expect(texts.first).to_be_visible()
    values = [texts.nth(k).input_value() for k in range(texts.count())]
    page.keyboard.press("Escape")
    return values


@pytest.mark.allow_console
def test_an_embedded_formula_works_in_another_sites_page(page: Page, stranger: Stranger) -> None:
    page.goto("quadratic.html#v=1&preset=saddle")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    frame, lines = copied(page, "Embed this")
    address = re.search(r'src="([^"]*)"', frame)
    assert address is not None
    assert "/embed.html?page=quadratic#" in address[1]
    stranger.content = (
        f"<p id=a>{frame}</p><p id=b>{lines}</p><iframe id=c src='{page.url.split('#')[0]}'></iframe>"
    )
    page.goto(stranger.url)
    plot = page.locator("eglantine-plot")
    expect(plot.locator(".numbers")).to_be_visible()
    inner = page.frame_locator("#a iframe")
    held = inner.locator(".handle")
    before = inner.locator("[name=x]").input_value()
    held.press("ArrowRight")
    expect(inner.locator("[name=x]")).not_to_have_value(before)
    expect(inner.locator(".prose")).to_be_hidden()
    expect(page.frame_locator("#c").locator("main")).to_have_count(0)  # only embed.html may be framed


def test_an_embedded_page_stores_nothing(page: Page) -> None:
    page.goto("embed.html?page=quadratic")
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=60_000)
    page.locator(".handle").press("ArrowRight")
    page.wait_for_timeout(1500)  # long enough for an ordinary page to cache Python's files
    page.goto("robots.txt")
    assert page.evaluate(STORED) == [0, 0, 0, 0]


@pytest.mark.without_python
@pytest.mark.parametrize(
    "name", ["billiards", "robot", "tape", "learn", "fit", "diagrams", "bril", "regression"]
)
def test_every_pages_widget_can_be_embedded(page: Page, name: str) -> None:
    page.goto(f"embed.html?page={name}")
    expect(page.locator("main canvas, main svg").first).to_be_visible()
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    assert page.title().endswith("· Eglantine")


@pytest.mark.without_python
def test_the_first_key_skips_the_menu_and_a_report_begins_with_the_version(page: Page) -> None:
    page.goto("tape.html")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    [report] = copied(page, "Report a problem")
    version = page.locator("footer .version").inner_text()
    assert f"Eglantine {version}\n" in report
    assert "/tape.html" in report
    picture = page.locator("meta[property='og:image']").get_attribute("content")
    size = page.evaluate(
        "async (src) => { const i = new Image(); i.src = src; await i.decode(); return [i.width, i.height] }",
        picture,
    )
    assert size == [1200, 630]
    assert page.request.get("favicon.ico").body()[:4] == b"\x00\x00\x01\x00"
    page.emulate_media(media="print")
    expect(page.locator("header")).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()
