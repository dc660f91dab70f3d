"""The element `<eglantine-plot>` works on another site, with the files that the page Quadratic exports."""

from __future__ import annotations

import functools
import gzip
import http.server
import re
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from playwright.sync_api import expect

from e2e.lending import developer_tools
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, centre

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

MOST_BYTES = 15_000
"""The limit for the size of the element's gzipped script, in bytes."""
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
CURVE = PAGE.replace('formula="x ^ y" x="1.5" y="2"', 'x="1.5" y="7"')
VALUE = "(plot) => plot.value"
COLOURS = """(canvas) => {
  const inks = { curve: "33,29,26", tangent: "47,125,70", parabola: "195,51,88" };
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const counts = { curve: 0, tangent: 0, parabola: 0 };
  for (let k = 0; k < data.length; k += 4) {
    const colour = `${data[k]},${data[k + 1]},${data[k + 2]}`;
    for (const [name, ink] of Object.entries(inks)) if (colour === ink) counts[name]++;
  }
  return counts;
}"""
RECORD = """(plot) => {
  window.changes = [];
  document.addEventListener("change", (event) => window.changes.push(event.detail));
}"""


class _Strict(http.server.SimpleHTTPRequestHandler):
    """A plain file server that sends a strict Content-Security-Policy."""

    sent: ClassVar = {"Content-Security-Policy": STRICT}

    def end_headers(self) -> None:
        for name, value in self.sent.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def exported(page: Page) -> Path:
    """Press "Embed" on the page Quadratic, and return the path of the downloaded archive."""
    with page.expect_download() as download:
        page.locator("button.embed").click()
    return download.value.path()


@pytest.fixture(scope="module")
def surface_files(tab: Page, server_url: str) -> Path:
    """The files of the page's first example."""
    tab.goto(f"{server_url}quadratic.html#v=1&preset=power&at=2,3")
    expect(tab.locator("#formula")).to_have_value("x^y")
    return exported(tab)


@pytest.fixture(scope="module")
def curve_files(tab: Page, server_url: str) -> Path:
    """The files of a curve."""
    tab.goto(f"{server_url}quadratic.html")
    tab.locator("#formula").fill("x^3 - hypot(x, 0)")
    expect(tab.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    return exported(tab)


@contextmanager
def elsewhere(page: Page, folder: Path, html: str, archive: Path) -> Iterator[Page]:
    """Open a page of another site, whose folder `files` contains the files of the archive."""
    place = folder / "some" / "where"
    zipfile.ZipFile(archive).extractall(place / "files")
    (place / "index.html").write_text(html)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Strict, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.goto(f"http://127.0.0.1:{server.server_port}/some/where/")
    yield page
    server.shutdown()
    server.server_close()


@pytest.fixture
def blank(page: Page, surface_files: Path, tmp_path: Path) -> Iterator[Page]:
    """A page with a surface, drawn."""
    with elsewhere(page, tmp_path, PAGE, surface_files):
        expect(page.locator("eglantine-plot .numbers")).to_contain_text("x^y")
        yield page


@pytest.fixture
def curved(page: Page, curve_files: Path, tmp_path: Path) -> Iterator[Page]:
    """A page with a curve, drawn."""
    with elsewhere(page, tmp_path, CURVE, curve_files):
        expect(page.locator("eglantine-plot .numbers")).to_contain_text("x^3 - hypot(x, 0)")
        yield page


def plot(page: Page) -> Locator:
    return page.locator("eglantine-plot")


def value(page: Page) -> dict[str, Any]:
    value_and_derivatives: dict[str, Any] = plot(page).evaluate(VALUE)
    return value_and_derivatives


pytestmark = [
    pytest.mark.allow_console,  # the page is another origin
    pytest.mark.without_python,
]


def test_quadratic_gives_three_small_files(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    archive = zipfile.ZipFile(exported(page))
    assert archive.namelist() == ["eglantine-plot.js", "formula.wasm", "plot.html"]
    assert len(gzip.compress(archive.read("eglantine-plot.js"))) < MOST_BYTES
    assert len(gzip.compress(archive.read("formula.wasm"))) < 3_000
    assert 'formula="x^y" x="2" y="3"' in archive.read("plot.html").decode()


def test_two_files_draw_the_surface_with_the_point_of_the_attributes(blank: Page) -> None:
    shown = value(blank)
    assert (shown["x"], shown["y"], shown["f"], shown["fx"]) == (1.5, 2, 2.25, 3)
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


def test_mouse_and_keys_move_the_point_and_its_place_is_announced(blank: Page) -> None:
    plot(blank).evaluate(RECORD)
    handle = plot(blank).locator(".handle")
    x, y = centre(handle)
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
        "aria-label", "Point at x 1.6, y 2, where f is 2.56. Arrow keys move it. Home puts it back."
    )


def test_a_finger_drags_the_point(blank: Page) -> None:
    box = plot(blank).locator(".handle").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = developer_tools(blank)
    for kind, dx in (("touchStart", 0), ("touchMove", -20), ("touchMove", -50), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert value(blank)["x"] < 1.5


def test_attributes_move_the_point_and_a_theme_repaints_the_plot(blank: Page) -> None:
    plot(blank).evaluate("(plot) => plot.setAttribute('x', '2')")
    assert value(blank)["f"] == 4
    look = "(plot) => getComputedStyle(plot).color"
    assert plot(blank).evaluate(look) == "rgb(33, 29, 26)"
    plot(blank).evaluate("(plot) => plot.setAttribute('theme', 'dark')")
    assert plot(blank).evaluate(look) == "rgb(236, 230, 222)"


def test_a_curve_announces_the_new_place_of_its_point(curved: Page) -> None:
    curved.locator("eglantine-plot .handle").focus()
    curved.keyboard.press("Shift+ArrowRight")
    shown = value(curved)
    expect(plot(curved).locator(".live")).to_have_text(
        f"Point at x {shown['x']:g}, where f is {shown['f']:g}."
    )


@pytest.mark.with_python
def test_where_f_is_undefined_the_gradient_is_dashes(page: Page, server_url: str, tmp_path: Path) -> None:
    page.goto(f"{server_url}quadratic.html")
    page.locator("#formula").fill("log(-x^2-y^2-1)")
    expect(page.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    undefined = PAGE.replace('formula="x ^ y" ', "")
    with elsewhere(page, tmp_path, undefined, exported(page)):
        expect(plot(page).locator(".numbers")).to_contain_text("f undefined")
        expect(plot(page).locator(".numbers")).to_contain_text("∇f (–, –)")


@pytest.mark.parametrize("height", [180, 300, 700])
def test_picture_and_numbers_fit_the_height_that_the_page_gives_them(blank: Page, height: int) -> None:
    plot = blank.locator("eglantine-plot")
    plot.evaluate("(plot, height) => { plot.style.height = `${height}px`; }", height)
    expect(plot.locator(".numbers")).to_contain_text("x^y")
    inner = plot.locator(".frame").bounding_box()
    numbers = plot.locator(".numbers").bounding_box()
    outer = plot.bounding_box()
    assert inner is not None
    assert numbers is not None
    assert outer is not None
    assert inner["y"] == outer["y"]
    assert numbers["y"] == inner["y"] + inner["height"]
    assert numbers["y"] + numbers["height"] == outer["y"] + height
    assert inner["height"] > height / 2


def test_an_element_without_src_names_the_mistake_and_has_no_point(blank: Page) -> None:
    blank.evaluate(
        """() => {
          const other = document.createElement("eglantine-plot");
          other.setAttribute("formula", "x^y");
          document.body.append(other, document.createElement("eglantine-plot"));
        }"""
    )
    expect(blank.locator("eglantine-plot").nth(1).locator(".trouble")).to_contain_text("needs a module")
    expect(blank.locator("eglantine-plot").nth(1).locator(".handle")).to_be_hidden()
    expect(blank.locator("eglantine-plot").nth(2).locator(".handle")).to_be_hidden()
    expect(blank.locator("eglantine-plot").nth(0).locator(".handle")).to_be_visible()


def test_a_formula_that_differs_from_the_module_is_reported_not_plotted(blank: Page) -> None:
    plot(blank).evaluate("(plot) => plot.setAttribute('formula', 'x*y')")
    expect(plot(blank).get_by_role("alert")).to_have_text(
        "The module computes x^y, not x*y. Get a new module from Quadratic."
    )
    expect(plot(blank).locator("canvas")).to_be_hidden()
    plot(blank).evaluate("(plot) => plot.setAttribute('formula', 'x^y')")
    expect(plot(blank).locator("canvas")).to_be_visible()
    plot(blank).evaluate("(plot) => plot.setAttribute('src', 'files/nothing.wasm')")
    expect(plot(blank).get_by_role("alert")).to_contain_text("did not load from files/nothing.wasm")


def test_a_formula_without_y_is_a_curve_with_its_two_derivatives(curved: Page) -> None:
    assert value(curved) == {"x": 1.5, "f": 1.875, "fx": 5.75, "fxx": 9}
    numbers = plot(curved).locator(".numbers")
    expect(numbers).to_have_text("y = x^3 - hypot(x, 0)at 1.5f 1.875f′ 5.75f″ 9")
    colours = plot(curved).locator("canvas").evaluate(COLOURS)
    assert {"curve", "tangent", "parabola"} <= {name for name, count in colours.items() if count > 100}, (
        colours
    )


def test_mouse_keys_and_clicks_move_the_point_of_a_curve_along_it(curved: Page) -> None:
    plot(curved).evaluate(RECORD)
    handle = plot(curved).locator(".handle")
    x, y = centre(handle)
    curved.mouse.move(x, y)
    curved.mouse.down()
    curved.mouse.move(x - 60, y + 80, steps=5)
    curved.mouse.up()
    dragged = value(curved)
    assert dragged["x"] < 1.5
    assert dragged["f"] == dragged["x"] ** 3 - abs(dragged["x"])
    assert dragged["fxx"] == 6 * dragged["x"]
    assert curved.evaluate("() => window.changes.at(-1)") == dragged
    curved.evaluate(NEXT_FRAME)
    moved = handle.bounding_box()
    assert moved is not None
    assert moved["x"] + moved["width"] / 2 == pytest.approx(x - 60, abs=2)
    handle.focus()
    curved.keyboard.press("Home")
    assert value(curved)["x"] == 1.5
    curved.keyboard.press("ArrowUp")
    assert value(curved)["x"] == 1.5
    curved.keyboard.press("Shift+ArrowLeft")
    before = value(curved)["x"]
    assert before < 1.5
    expect(handle).to_have_attribute(
        "aria-label", re.compile(r"^Point at x [\d.]+, where f is .+ Left and right move it")
    )
    curved.mouse.click(x + 40, y - 30)
    assert value(curved)["x"] > 1.5


def test_a_finger_drags_the_point_of_a_curve_and_its_paper(curved: Page) -> None:
    touch = developer_tools(curved)

    def drag(x: float, y: float, *steps: float) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for dx in steps:
            touch.send(
                "Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + dx, "y": y}]}
            )
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def centre(selector: str) -> tuple[float, float]:
        box = plot(curved).locator(selector).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    drag(*centre(".handle"), -20, -50)
    assert value(curved)["x"] < 1.5
    curved.evaluate(NEXT_FRAME)
    held, x = value(curved)["x"], centre(".handle")[0]
    drag(*centre("canvas"), 10, 30)
    assert value(curved)["x"] == held
    curved.evaluate(NEXT_FRAME)
    assert centre(".handle")[0] == pytest.approx(x + 30, abs=2)
    plot(curved).locator("canvas").focus()
    curved.keyboard.press("Home")
    assert value(curved)["x"] == 1.5
