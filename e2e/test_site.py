"""The exported site works in a subfolder of a server without headers, and then without a network."""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import PATIENT, shared_page
from e2e.plain_host import WHERE, Host, cut, kept, until
from e2e.test_safe import ATTEMPTS, REFUSED
from tests.patience import PATIENCE_S
from tools.bootstrap import ROOT
from tools.server import start

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from e2e.lending import Contexts
    from e2e.sharing import SharedPage

pytestmark = pytest.mark.own_context
PAGES = sorted(path.stem for path in (ROOT / "static" / "pages").glob("*.html") if path.stem != "shell")
WITH_PYTHON = ["billiards", "playground", "quadratic", "robot"]


@pytest.fixture(scope="session")
def server_url(site_folder: Path) -> Iterator[str]:
    host = Host(site_folder)
    yield host.url
    host.close()


@pytest.fixture(scope="module")
def sharing(
    contexts: Contexts, browser_context_args: dict[str, object], server_url: str
) -> Iterator[SharedPage]:
    """A page without a service worker. The service worker would add headers that the host does not send."""
    arguments = {**browser_context_args, "service_workers": "block"}
    page = shared_page(contexts, arguments, server_url, [PATIENT])
    yield page
    page.close()


@pytest.fixture
def own(small_site: Path, tmp_path: Path) -> Iterator[Host]:
    """Serve a copy of a few pages. The test can change the copy and close the server."""
    shutil.copytree(small_site / WHERE, tmp_path / WHERE)
    host = Host(tmp_path)
    yield host
    host.close()


@pytest.fixture
def whole(site_folder: Path) -> Iterator[Host]:
    """Serve the whole site. The test can close the server."""
    host = Host(site_folder)
    yield host
    host.close()


@pytest.mark.parametrize("name", PAGES)
def test_every_page_works_at_another_path_without_headers(shared: Page, server_url: str, name: str) -> None:
    shared.goto(f"{server_url}{name}.html")
    expect(shared.locator("main")).to_be_visible()
    assert shared.evaluate("crossOriginIsolated") is False
    if name in WITH_PYTHON:
        expect(shared.locator("main")).to_have_attribute("data-python", "ready")
    if name == "quadratic":
        shared.locator("#formula").fill("x y + 1")
        expect(shared.locator(".cost")).to_contain_text("compiled here")
    if name == "playground":
        runs_a_program_and_stops_an_endless_one(shared)


def runs_a_program_and_stops_an_endless_one(page: Page) -> None:
    """Run an example that loads a package. Then run a program that does not end, and stop it."""
    page.select_option("[name=program]", "digits")
    expect(page.locator(".cm-content")).to_contain_text("mpmath")
    page.locator(".run").click()
    expect(page.locator(".output")).to_contain_text("in floating point", timeout=60_000)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("print('begun')\nwhile True:\n    pass\n")
    page.locator(".run").click()
    expect(page.locator(".output")).to_contain_text("begun")
    page.locator(".stop").click()
    expect(page.locator(".output")).to_contain_text("Your program is still here")
    expect(page.locator(".cm-content")).to_contain_text("while True")
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=60_000)


@pytest.mark.allow_console
@pytest.mark.without_python
def test_the_site_can_be_installed_and_has_the_policy_of_the_server(page: Page, own: Host) -> None:
    page.goto(f"{own.url}quadratic.html")
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["manifest"]["display"] == "kStandalone"
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error for error in errors if error["errorId"] != "in-incognito"] == []
    assert page.locator("meta[http-equiv=Content-Security-Policy]").count() == 1
    assert page.evaluate(ATTEMPTS) == REFUSED


@pytest.mark.allow_console  # `page` counts requests to these hosts as errors
def test_a_page_in_a_strangers_frame_is_blank_and_the_embedded_page_works(
    page: Page, own: Host, tmp_path: Path
) -> None:
    framed = ("playground.html#v=1&program=print(1)", "quadratic.html", "embed.html?page=quadratic")
    frames = "".join(f"<iframe src='{own.url}{name}'></iframe>" for name in framed)
    (tmp_path / "frames.html").write_text(f"<!doctype html><link rel=icon href=data:,>{frames}")
    stranger = Host(tmp_path)  # The same files at another origin.
    page.goto(stranger.url.replace(f"{WHERE}/", "frames.html"))  # `goto` waits until the frames have loaded.
    for k, name in enumerate(framed[:2]):
        body = page.frame_locator("iframe").nth(k).locator("body")
        expect(body).to_contain_text("another site has embedded it")
        assert body.locator("main, button, textarea, script").count() == 0
        assert (
            body.evaluate(
                "() => document.readyState === 'complete' && performance.getEntriesByType('mark').length"
            )
            == 0
        )
        assert body.locator("a").get_attribute("href") == f"{own.url}{name}"
    expect(page.frame_locator("iframe").nth(2).locator(".handle")).to_be_visible()
    with page.context.expect_page() as opened:
        page.frame_locator("iframe").first.locator("a").click()
    expect(opened.value.get_by_role("button", name="Run").first).to_be_visible()
    stranger.close()


@pytest.mark.allow_console
def test_after_one_visit_every_page_opens_and_works_without_a_network(page: Page, whole: Host) -> None:
    page.goto(f"{whole.url}regression.html")
    kept(page)
    cut(page, whole)
    for name in PAGES:
        page.goto(f"{whole.url}{name}.html")
        expect(page.locator("main")).to_be_visible()
        if name in WITH_PYTHON:
            expect(page.locator("main")).to_have_attribute("data-python", "ready")
        if name == "quadratic":
            drags_and_edits_a_formula(page)
    page.goto(whole.url)
    expect(page.locator("main")).to_be_visible()


def drags_and_edits_a_formula(page: Page) -> None:
    """Drag the point of a formula, then type another formula."""
    before = page.locator("[name=x]").input_value()
    box = page.locator(".handle").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 50, y, steps=5)
    page.mouse.up()
    expect(page.locator("[name=x]")).not_to_have_value(before)
    page.locator("#formula").fill("x y + 7")
    expect(page.locator(".cost")).to_contain_text("compiled here")
    # The service worker adds the headers that let a page share memory with its workers.
    assert page.evaluate("crossOriginIsolated") is True


def change(host: Host, title: str) -> None:
    """Change the site to a new version. Its pages have the title `title`, and one module is different."""
    site = host.folder / WHERE
    texts = site / "js" / "texts.js"
    texts.write_text(
        re.sub(r"\nexport const EDITION.*", "", texts.read_text()) + f'\nexport const EDITION = "{title}";'
    )
    for path in site.glob("*.html"):
        path.write_text(re.sub(r"<title>.*?</title>", f"<title>{title}</title>", path.read_text()))
    worker = site / "sw.js"
    text = worker.read_text()
    for path in [texts, *site.glob("*.html")]:
        name = path.relative_to(site).as_posix()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        text = re.sub(f'"{re.escape(name)}": "[0-9a-f]*"', f'"{name}": "{digest}"', text)
    worker.write_text(text)


EDITION = "async () => [document.title, (await import('./js/texts.js')).EDITION]"


@pytest.mark.allow_console
def test_a_new_version_is_used_as_a_whole_once_no_old_page_is_open(page: Page, own: Host) -> None:
    change(own, "one")
    page.goto(f"{own.url}regression.html")
    kept(page)
    change(own, "two")
    page.reload()  # the browser notices the new version
    assert page.evaluate(EDITION) == ["one", "one"]
    until(page, "return registration.waiting !== null")
    other = page.context.new_page()
    other.goto(f"{own.url}regression.html")
    assert other.evaluate(EDITION) == ["one", "one"]
    other.reload()
    page.reload()
    assert page.evaluate(EDITION) == other.evaluate(EDITION) == ["one", "one"]
    other.close()
    page.reload(wait_until="commit")  # the first response is a page that reloads itself
    expect(page).to_have_title("two", timeout=1000 * PATIENCE_S)
    assert page.evaluate(EDITION) == ["two", "two"]


@pytest.mark.allow_console
def test_a_version_with_one_wrong_file_is_not_installed(page: Page, own: Host) -> None:
    change(own, "one")
    page.goto(f"{own.url}regression.html")
    kept(page)
    change(own, "two")
    texts = own.folder / WHERE / "js" / "texts.js"
    texts.write_text(texts.read_text() + "\n// half of a deployment\n")
    page.reload()
    page.evaluate(
        "async () => (await navigator.serviceWorker.getRegistration()).update().then(() => {}, () => {})"
    )
    until(page, "return registration.installing === null")
    until(page, "return registration.waiting === null")
    page.reload()
    assert page.evaluate(EDITION) == ["one", "one"]


@pytest.mark.allow_console
def test_the_development_server_removes_a_sites_cache_at_its_address(page: Page, own: Host) -> None:
    page.goto(f"{own.url}regression.html")
    kept(page)
    own.close()
    server = start(ROOT / "static", port=own.port)
    try:
        page.goto(f"{server.url}regression.html")
        page.wait_for_function("() => navigator.serviceWorker.controller === null")
        end = time.monotonic() + PATIENCE_S
        left = "async () => [(await navigator.serviceWorker.getRegistrations()).length, await caches.keys()]"
        while page.evaluate(left) != [0, []]:
            assert time.monotonic() < end
            page.wait_for_timeout(100)
    finally:
        server.close()
