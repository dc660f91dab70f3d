"""Figures in a real browser: the still picture is the first frame, and each control moves the picture."""

from __future__ import annotations

import functools
import struct
import threading
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from playwright.sync_api import expect

import eglantine as eg
from e2e.plain_host import Quiet
from eglantine import diagrams as dg

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

STRICT = "script-src 'self' 'wasm-unsafe-eval'"
PICTURE = "document.querySelector('figure > svg').outerHTML"


@eg.fn
def swirl(x: eg.Real, y: eg.Real, p: eg.Vec(2, eg.Real)):  # type: ignore[no-untyped-def,valid-type]
    return (p[1] - y, x - p[0])


def tied() -> Any:
    """A diagram of a circle that readers can drag (the hub), and of two circles that touch the hub."""
    d = dg.Diagram(300, 190)
    hub = d.circle(
        x=d.parameter("hub_x", 0), y=d.parameter("hub_y", 0), r=d.parameter("size", 25), name="hub"
    )
    first, second = d.circle(r=18, name="first"), d.circle(r=14, name="second")
    d.ensure(dg.touching(hub, first), dg.touching(hub, second), dg.disjoint(first, second, 20))
    d.line(first, second, arrow="both", dash="4 2")
    d.path([first, None, None, second], stroke="#a33")
    d.polygon([(100, 60), (130, 60), (115, 80)], opacity=0.5)
    d.rectangle(-120, -70, 40, 20)
    d.ellipse(120, -70, 20, 10)
    d.text("hub {}", hub.x, hub.y, layer=2)
    return eg.figure(d, kind="diagram", hub=eg.point((10, 5)), size=eg.slider(10, 40, 25))


def pixels() -> Any:
    """A figure with a black image of 2 × 2 pixels, the mean of the pixels, and a slider with steps of 5."""

    def cells(shown: Any) -> Any:
        return (
            eg.vec(4, lambda i: 0.5 + eg.real(i)), eg.vec(4, lambda _: 0.5),
            eg.vec(4, lambda i: shown[i // 2][i % 2] / 255),
        )  # fmt: skip

    return eg.figure(
        None, kind="scatter", x=(0, 4), y=(0, 2), shown=eg.picture([[0, 0], [0, 0]]),
        steps=eg.slider(0, 20, 0, step=5), paths={"cells": (cells, "grey")},
        says=("{} steps, mean {}", lambda steps, shown: (steps, eg.sum(shown) / 4)),
    )  # fmt: skip


FIGURES = {
    "curve": lambda: eg.figure("a*sin(x) + x^2/5", x=(-3, 3), a=eg.slider(-1, 1, 0.5)),
    "several": lambda: eg.figure(
        ["sin(x)", "exp(-x/3)", "tan(x)"], x=(0, 6), show=("tangent", "quadratic", "area")
    ),
    "gap": lambda: eg.figure("sqrt(x)", x=(-1, 2), at=eg.point((1, 0))),
    "surface": lambda: eg.figure("x^y", x=(0, 3), y=(0, 3)),
    "contour": lambda: eg.figure("x^2 + a*y^2 + sin(3x)", a=eg.slider(0.5, 3, 1), kind="contour"),
    "image": lambda: eg.figure("sin(x)*cos(y)", kind="image"),
    "field": lambda: eg.figure(swirl, p=eg.point((1, 0.5))),
    "table": lambda: eg.figure(["x^2", "sin(a*x)"], kind="table", a=eg.slider(0, 3, 1)),
    "taylor": lambda: eg.figure("a*sin(x)", x=(-6, 6), at=eg.point((1, 0)), show=("tangent", "taylor")),
    "scatter": lambda: eg.figure(
        None, kind="scatter", x=(0, 4), y=(0, 2), p=eg.point((1, 1)), paths={"twice": (twice, "both")}
    ),
    "fit": lambda: eg.figure(
        "a*x + b", kind="fit", data=[(0, 1), (1, 3), (2, 4)], p=eg.point((3, 6), on="y")
    ),
    "tape": lambda: eg.figure("sin(x*y) + x^2/y", kind="tape", x=(0, 3), y=eg.slider(0, 2, 1)),
    "diagram": tied,
    "picture": pixels,
    "tiny": lambda: eg.figure("x^2*10^-8", x=(0, 0.001)),
}


def twice(p: Any) -> Any:
    """Return the path through the points p and 2p."""
    return eg.vec(2, lambda i: (eg.real(i) + 1) * p[0]), eg.vec(2, lambda i: (eg.real(i) + 1) * p[1])


class _Strict(Quiet):
    """Serve files with a strict Content-Security-Policy."""

    policy: ClassVar[str] = STRICT

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Serve a folder with a strict Content-Security-Policy. Yield the folder and its address."""
    import http.server

    handler = functools.partial(_Strict, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield tmp_path, f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """A page that does not belong to the site. The test fails if the page reports an error."""
    context = browser.new_context(viewport={"width": 720, "height": 700})
    page = context.new_page()
    errors: list[Any] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert not errors


def awake(page: Page, text: str) -> None:
    page.set_content(f"<!doctype html><title>a page</title>{text}")
    expect(page.locator("figure[data-awake=ready]").first).to_be_visible()


@pytest.mark.parametrize("name", FIGURES)
def test_the_still_picture_is_the_first_frame(browser: Browser, alone: Page, name: str) -> None:
    text = FIGURES[name]().html()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(text)
    still = page.locator("figure > svg").evaluate("(picture) => picture.outerHTML")
    told = page.locator(".told").text_content()
    context.close()
    awake(alone, text)
    assert alone.evaluate(PICTURE) == still
    assert alone.locator(".told").text_content() == told


def test_a_slider_moves_the_curve_and_takes_typed_numbers(alone: Page) -> None:
    awake(alone, FIGURES["curve"]().html())
    told = alone.locator(".told")
    alone.get_by_role("slider", name="a", exact=True).fill("1")
    # at x = 0.6: sin(0.6) + 0.072 = 0.63664, cos(0.6) + 0.24 = 1.06534
    expect(told).to_have_text("x = 0.6: a*sin(x) + x^2/5 = 0.6366, slope 1.065")
    alone.get_by_label("a, typed").fill("0")
    expect(told).to_have_text("x = 0.6: a*sin(x) + x^2/5 = 0.072, slope 0.24")


def test_a_frame_draws_its_first_change_at_once_and_its_last_one_next(alone: Page) -> None:
    awake(alone, FIGURES["curve"]().html())
    at_once = alone.evaluate(
        """() => new Promise((done) => requestAnimationFrame(() => {
          const slider = document.querySelector("input[type=range]");
          done(["1", "0.5", "0"].map((value) => {
            slider.value = value;
            slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
            return document.querySelector(".told").textContent;
          }));
        }))"""
    )
    # at x = 0.6: sin(0.6) + 0.072 = 0.63664, cos(0.6) + 0.24 = 1.06534
    assert at_once == ["x = 0.6: a*sin(x) + x^2/5 = 0.6366, slope 1.065"] * 3
    expect(alone.locator(".told")).to_have_text("x = 0.6: a*sin(x) + x^2/5 = 0.072, slope 0.24")


def test_the_held_point_moves_by_keys_and_by_dragging(alone: Page) -> None:
    awake(alone, eg.figure("x^2", x=(0, 4), at=eg.point((2, 0))).html())
    told = alone.locator(".told")
    point = alone.get_by_role("slider", name="point on x^2")
    point.focus()
    alone.keyboard.press("Shift+ArrowRight")
    expect(told).to_have_text("x = 2.4: x^2 = 5.76, slope 4.8")
    alone.keyboard.press("ArrowLeft")
    expect(told).to_have_text("x = 2.36: x^2 = 5.57, slope 4.72")
    expect(point).to_be_focused()
    box = point.bounding_box()
    assert box
    alone.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    alone.mouse.down()
    alone.mouse.move(2000, 100, steps=4)
    alone.mouse.up()
    expect(told).to_have_text("x = 4: x^2 = 16, slope 8")  # the point cannot leave its range


def test_a_point_of_a_field_is_a_control(alone: Page) -> None:
    awake(alone, FIGURES["field"]().html())
    before = alone.locator("svg.plot").inner_html()
    alone.get_by_role("slider", name="point p").focus()
    alone.keyboard.press("ArrowUp")
    expect(alone.locator("circle[data-name=p]")).to_have_attribute("aria-valuetext", "p = (1, 0.56)")
    assert alone.locator("svg.plot").inner_html() != before


def test_the_point_of_a_surface_follows_the_pointer(alone: Page) -> None:
    awake(alone, FIGURES["surface"]().html())
    box = alone.locator("circle.held").bounding_box()
    assert box
    alone.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    alone.mouse.down()
    alone.mouse.move(box["x"] + box["width"] / 2 - 60, box["y"] + box["height"] / 2, steps=3)
    alone.mouse.up()
    moved = alone.locator("circle.held").bounding_box()
    assert moved
    assert abs(moved["x"] - box["x"] + 60) < 12


def test_several_figures_on_one_page_do_not_clash(alone: Page) -> None:
    first = eg.figure("a*x", x=(0, 1), a=eg.slider(0, 9, 1))
    second = eg.figure("a*x^2", x=(0, 1), a=eg.slider(0, 9, 2))
    awake(alone, first.html() + second.html(script=False) + second.html())
    expect(alone.locator("figure[data-awake=ready]")).to_have_count(3)
    alone.locator("figure").nth(1).get_by_role("slider", name="a", exact=True).fill("9")
    expect(alone.locator(".told").nth(1)).to_contain_text("= 3.24")  # 9·0.6²
    expect(alone.locator(".told").nth(0)).to_contain_text("= 0.6")
    expect(alone.locator(".told").nth(2)).to_contain_text("= 0.72")


def test_pictures_beside_each_other_follow_one_slider(alone: Page) -> None:
    curve = eg.figure("a*x", x=(0, 1), a=eg.slider(0, 9, 1))
    listed = eg.figure("a*x^2", kind="table", x=(0, 1), a=eg.slider(0, 9, 1))
    awake(alone, curve.beside(listed).html())
    expect(alone.locator("figure[data-awake=ready]")).to_have_count(2)
    sliders = alone.get_by_role("slider", name="a", exact=True)
    expect(sliders).to_have_count(1)
    sliders.fill("9")
    expect(alone.locator(".told").nth(0)).to_contain_text("= 5.4")  # 9·0.6
    expect(alone.locator("figure").nth(1).locator("text").last).to_have_text("18")  # 2·9·1


def test_the_order_of_a_taylor_polynomial_is_a_slider(alone: Page) -> None:
    awake(alone, eg.figure("sin(x)", x=(-3, 3), y=(-3, 3), at=eg.point((0, 0)), show="taylor").html())
    line = alone.locator("path.run")
    third = line.get_attribute("d")
    alone.get_by_role("slider", name="order", exact=True).fill("1")
    expect(line).not_to_have_attribute("d", str(third))
    # the polynomial of order 1 is y = x; the axes have equal ranges, so the line is the diagonal
    path = str(line.get_attribute("d"))
    assert path.startswith("M56 340L")
    assert path.endswith("L544 34")


def test_a_fit_follows_a_point_that_is_dragged(alone: Page) -> None:
    awake(
        alone,
        eg.figure("a*x + b", kind="fit", y=(0, 10), data=[(0, 1), (1, 3)], p=eg.point((2, 5), on="y")).html(),
    )
    expect(alone.locator(".told")).to_have_text("a = 2, b = 1, sum of squares 0")
    alone.get_by_role("slider", name="point p").focus()
    alone.keyboard.press("Shift+ArrowUp")
    # the line through (0, 1), (1, 3), (2, 6) has slope 5/2, height 5/6 at x = 0, and sum of squares 1/6
    expect(alone.locator(".told")).to_have_text("a = 2.5, b = 0.8333, sum of squares 0.1667")


def test_a_tape_shows_values_forwards_and_then_slopes_backwards(alone: Page) -> None:
    awake(alone, eg.figure("x*y + x", kind="tape", x=eg.slider(0, 9, 2), y=eg.slider(0, 9, 3)).html())
    numbers = alone.locator("text.tick[text-anchor=end]")
    # rows x, y, x·y and x·y + x: each row's value, then the result's slope with respect to the row
    expect(numbers).to_have_text(["2", "4", "3", "2", "6", "1", "8", "1"])
    alone.get_by_role("slider", name="step", exact=True).fill("2")
    expect(numbers).to_have_text(["2", "", "3", "", "", "", "", ""])
    alone.get_by_role("slider", name="step", exact=True).fill("5")
    expect(numbers).to_have_text(["2", "", "3", "", "6", "", "8", "1"])
    alone.get_by_role("slider", name="x", exact=True).fill("1.98")
    expect(alone.locator(".told")).to_have_text("x*y + x = 7.92, slope by x 4, slope by y 1.98")


def test_a_diagram_solves_itself_when_its_hub_is_dragged(alone: Page) -> None:
    awake(alone, tied().html())
    hub, first = alone.locator("g.behind circle").nth(0), alone.locator("g.behind circle").nth(1)

    def middle(shape: Any) -> tuple[float, float, float]:
        x, y, r = (float(str(shape.get_attribute(name))) for name in ("cx", "cy", "r"))
        return x, y, r

    before = middle(hub)
    grip = alone.get_by_role("slider", name="point hub")
    grip.focus()
    alone.keyboard.press("Shift+ArrowRight")
    expect(hub).not_to_have_attribute("cx", str(before[0]))
    (x, y, r), (x1, y1, r1) = middle(hub), middle(first)
    assert x > before[0] + 30
    assert abs(((x - x1) ** 2 + (y - y1) ** 2) ** 0.5 - r - r1) < 1


def test_readers_replace_a_picture_and_a_button_adds_steps(alone: Page) -> None:
    awake(alone, pixels().html())
    cells = alone.locator("path.grey[d^=M]")
    assert cells.evaluate_all("cells => cells.map((cell) => cell.getAttribute('fill'))") == ["hsl(0 0% 0%)"]
    white = {"name": "white.png", "mimeType": "image/png", "buffer": png(4, 2)}
    alone.get_by_label("shown").set_input_files(white)
    expect(cells).to_have_attribute("fill", "hsl(0 0% 100%)")
    expect(alone.locator(".told")).to_have_text("0 steps, mean 255")
    alone.get_by_role("button", name="Add 5 to steps").click()
    expect(alone.locator(".told")).to_have_text("5 steps, mean 255")
    text = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"no picture"}
    alone.get_by_label("shown").set_input_files(text)
    alone.wait_for_function("!document.querySelector('input[type=file]').validity.valid")
    expect(alone.locator(".told")).to_have_text("5 steps, mean 255")


def png(width: int, height: int) -> bytes:
    """A white picture as a file."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        )

    head = struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_files_run_under_a_strict_policy(alone: Page, strict: tuple[Path, str]) -> None:
    folder, url = strict
    FIGURES["contour"]().save(folder / "page.html", files=True)
    alone.goto(f"{url}page.html")
    expect(alone.locator("figure[data-awake=ready]")).to_be_visible()
    still = alone.evaluate(PICTURE)
    alone.get_by_role("slider", name="a", exact=True).fill("3")
    expect(alone.locator(".told")).to_contain_text("= 2.414")  # 0.36 + 3·0.36 + sin(1.8)
    assert alone.evaluate(PICTURE) != still


def test_a_fragment_in_a_page_makes_no_request(alone: Page) -> None:
    requests: list[str] = []
    alone.on("request", lambda request: requests.append(request.url))
    awake(alone, FIGURES["curve"]().html())
    assert not requests


@pytest.mark.parametrize("suffix", [".wasm", ".js", ".d.ts", ".py", ".svg", ".png"])
def test_the_model_can_be_downloaded(alone: Page, suffix: str) -> None:
    fig = FIGURES["curve"]()
    awake(alone, fig.html())
    alone.get_by_text("Take the model").click()
    with alone.expect_download() as download:
        alone.get_by_role("button", name=f"figure{suffix}", exact=True).click()
    content = download.value.path().read_bytes()
    begins = {".wasm": fig.wasm, ".png": b"\x89PNG", ".svg": b"<svg", ".py": b"import eglantine"}
    assert content.startswith(begins.get(suffix, b"//"))


def test_the_kernel_of_a_fit_can_be_downloaded(alone: Page) -> None:
    fig = FIGURES["fit"]()
    awake(alone, fig.html())
    alone.get_by_text("Take the model").click()
    with alone.expect_download() as download:
        alone.get_by_role("button", name="aside.wasm", exact=True).click()
    assert download.value.path().read_bytes() == fig.aside_wasm
    expect(alone.get_by_role("button", name="aside.js", exact=True)).to_be_visible()


def test_a_figure_follows_the_theme_of_its_page(alone: Page) -> None:
    awake(alone, FIGURES["curve"]().html())
    expect(alone.locator("figure")).to_have_css("color-scheme", "light")
    alone.evaluate("document.body.style.color = '#eee'")
    expect(alone.locator("figure")).to_have_css("color-scheme", "dark")
