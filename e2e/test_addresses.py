"""An address without .html works too. A wrong address shows a page with links to the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.plain_host import WHERE, Host, Quiet, kept
from tools.missing import MISSING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.allow_console, pytest.mark.own_context]
PATIENCE_MS = 60_000
DARK, LIGHT = "rgb(23, 21, 19)", "rgb(251, 248, 243)"
"""--paper in static/css/tokens.css."""
LINK = "#v=1&preset=power&f=x%20y%20%2B%203&at=0.5,0.25"


class WithMissingPage(Quiet):
    """Serve 404.html for a missing file, as most hosts of static sites do."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != HTTPStatus.NOT_FOUND:
            super().send_error(code, message, explain)
            return
        body = Path(self.directory, WHERE, MISSING).read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def host(small_site: Path) -> Iterator[Host]:
    plain = Host(small_site, answers=WithMissingPage)
    yield plain
    plain.close()


def works(page: Page) -> None:
    """Wait until the page Quadratic is open and has loaded Python."""
    expect(page).to_have_title(re.compile("^A surface"))
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PATIENCE_MS)


def test_a_page_opens_without_its_suffix_on_the_development_server(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic{LINK}")
    works(page)
    expect(page.locator("#formula")).to_have_value("x y + 3")
    page.locator("header nav").get_by_role("link", name="Robot").click()
    expect(page).to_have_title(re.compile("^A robot"))


def test_a_page_opens_without_its_suffix_on_a_plain_host_and_is_cached(page: Page, host: Host) -> None:
    page.goto(f"{host.url}quadratic{LINK}")
    works(page)
    expect(page.locator("#formula")).to_have_value("x y + 3")
    page.locator("header nav").get_by_role("link", name="Robot").click()
    expect(page).to_have_title(re.compile("^A robot"))
    kept(page)
    page.context.set_offline(True)
    for name in ("quadratic/", "quadratic", "quadratic.html"):
        page.goto("about:blank")
        page.goto(f"{host.url}{name}{LINK}")
        works(page)
        expect(page.locator("#formula")).to_have_value("x y + 3")


def test_every_address_of_a_page_restores_the_pages_last_state(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic.html{LINK}")
    works(page)
    expect(page.locator(".cost")).to_contain_text("compiled here")
    page.wait_for_url("**#*f=x%20y*region=*")
    page.goto("about:blank")
    page.goto(f"{server_url}quadratic")
    works(page)
    expect(page.locator("#formula")).to_have_value("x y + 3")


@pytest.mark.parametrize("site", ["served", "exported"])
def test_without_javascript_a_missing_page_has_the_theme_and_a_way_back(
    browser: Browser, host: Host, server_url: str, site: str
) -> None:
    home = server_url if site == "served" else host.url
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    answer = page.goto(f"{home}quadratik")
    assert answer is not None
    assert answer.status == HTTPStatus.NOT_FOUND
    expect(page.get_by_role("heading", name="There is no page here")).to_be_visible()
    for theme, paper in (("light", LIGHT), ("dark", DARK)):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        expect(page.locator("body")).to_have_css("background-color", paper)
    page.get_by_role("link", name="Quadratic").click()
    expect(page).to_have_title(re.compile("^A surface"))
    page.goto(f"{home}quadratik")
    page.get_by_role("link", name="start page").click()
    expect(page).to_have_title(re.compile("^Eglantine: derivatives"))
    context.close()


def test_a_missing_deep_address_leads_up_to_the_site_on_any_host(browser: Browser, host: Host) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{host.url}deep/deeper/quadratik")
    for _ in range(2):
        expect(page.get_by_role("heading", name="There is no page here")).to_be_visible()
        page.get_by_role("link", name="go one folder up").click()
    expect(page).to_have_title(re.compile("^Eglantine: derivatives"))
    context.close()
