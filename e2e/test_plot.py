"""`<eglantine-plot>` in somebody else's page, on another server, made of the files that Quadratic gives."""

from __future__ import annotations

import functools
import gzip
import http.server
import threading
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

MOST_BYTES = 15_000
"""Of the element's script, gzipped."""
STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; "
    "require-trusted-types-for 'script'"
)
PAGE = """<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>another page</title>
<script type="module" src="files/eglantine-plot.js"></script>
<h1>My page</h1>
<eglantine-plot src="files/formula.wasm" formula="x ^ y" x="1.5" y="2"></eglantine-plot>
<p>Text below.</p></html>
"""
VALUE = "(plot) => plot.value"
RECORD = """(plot) => {
  window.changes = [];
  document.addEventListener("change", (event) => window.changes.push(event.detail));
}"""


class _Strict(http.server.SimpleHTTPRequestHandler):
    """A stock file server with a policy of its own."""

    sent: ClassVar = {"Content-Security-Policy": STRICT}

    def end_headers(self) -> None:
        for name, value in self.sent.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def blank(page: Page, server_url: str, tmp_path: Path) -> Iterator[Page]:
    """The page of somebody else, at a path of its own, its plot drawn."""
    page.goto(f"{server_url}quadratic.html")
    with page.expect_download() as download:
        page.locator("button.embed").click()
    folder = tmp_path / "some" / "where"
    zipfile.ZipFile(download.value.path()).extractall(folder / "files")
    (folder / "index.html").write_text(PAGE)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Strict, directory=str(tmp_path))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.goto(f"http://127.0.0.1:{server.server_port}/some/where/")
    expect(page.locator("eglantine-plot .numbers")).to_contain_text("x^y")
    yield page
    server.shutdown()
    server.server_close()


def plot(page: Page) -> Locator:
    return page.locator("eglantine-plot")


def value(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = plot(page).evaluate(VALUE)
    return found


pytestmark = pytest.mark.allow_console  # the page is another origin


def test_quadratic_gives_three_small_files(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic.html")
    with page.expect_download() as download:
        page.locator("button.embed").click()
    archive = zipfile.ZipFile(download.value.path())
    assert archive.namelist() == ["eglantine-plot.js", "formula.wasm", "plot.html"]
    assert len(gzip.compress(archive.read("eglantine-plot.js"))) < MOST_BYTES
    assert len(gzip.compress(archive.read("formula.wasm"))) < 3_000
    assert 'formula="x^y" x="2" y="3"' in archive.read("plot.html").decode()


def test_two_files_draw_the_surface_where_the_attributes_say(blank: Page) -> None:
    found = value(blank)
    assert (found["x"], found["y"], found["f"], found["fx"]) == (1.5, 2, 2.25, 3)
    expect(plot(blank).locator(".numbers")).to_contain_text("(1.5, 2)")
    painted = (
        plot(blank)
        .locator("canvas")
        .evaluate(
            "(canvas) => new Set(new Uint32Array(canvas.getContext('2d')"
            ".getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"
        )
    )
    assert painted > 200


def test_the_point_goes_by_mouse_and_keys_and_says_so(blank: Page) -> None:
    plot(blank).evaluate(RECORD)
    handle = plot(blank).locator(".handle")
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    blank.mouse.move(x, y)
    blank.mouse.down()
    blank.mouse.move(x - 50, y - 10, steps=5)
    blank.mouse.up()
    dragged = value(blank)
    assert dragged["x"] < 1.5
    assert blank.evaluate("() => window.changes.at(-1)") == dragged
    handle.focus()
    blank.keyboard.press("Home")
    assert value(blank)["x"] == 1.5
    blank.keyboard.press("Shift+ArrowRight")
    assert value(blank)["x"] > 1.5
    expect(handle).to_have_attribute(
        "aria-label", "Point at x 1.6, y 2, where f is 2.56. Arrow keys move it; Home puts it back."
    )


def test_a_finger_drags_the_point(blank: Page) -> None:
    box = plot(blank).locator(".handle").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = blank.context.new_cdp_session(blank)
    for kind, dx in (("touchStart", 0), ("touchMove", -20), ("touchMove", -50), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert value(blank)["x"] < 1.5


def test_attributes_move_it_and_another_theme_paints_it_anew(blank: Page) -> None:
    plot(blank).evaluate("(plot) => plot.setAttribute('x', '2')")
    assert value(blank)["f"] == 4
    look = "(plot) => getComputedStyle(plot).color"
    assert plot(blank).evaluate(look) == "rgb(33, 29, 26)"
    plot(blank).evaluate("(plot) => plot.setAttribute('theme', 'dark')")
    assert plot(blank).evaluate(look) == "rgb(236, 230, 222)"


def test_another_formula_than_the_modules_is_said_and_not_plotted(blank: Page) -> None:
    plot(blank).evaluate("(plot) => plot.setAttribute('formula', 'x*y')")
    expect(plot(blank).get_by_role("alert")).to_have_text(
        "The module computes x^y, not x*y: embed it again from Quadratic."
    )
    expect(plot(blank).locator("canvas")).to_be_hidden()
    plot(blank).evaluate("(plot) => plot.setAttribute('formula', 'x^y')")
    expect(plot(blank).locator("canvas")).to_be_visible()
    plot(blank).evaluate("(plot) => plot.setAttribute('src', 'files/nothing.wasm')")
    expect(plot(blank).get_by_role("alert")).to_contain_text("did not load from files/nothing.wasm")
