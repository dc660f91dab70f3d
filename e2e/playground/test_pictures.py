"""The page draws a program's figures, images and tables in sandboxed frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from e2e.playground.conftest import run

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHOWS = """import eglantine as eg

@eg.fn
def f(x: eg.Real) -> eg.Real:
    return x * x - 1

print("before")
plot(f, -3, 3)
plot(f, grad)
print("between")
show([[0, 1], [1, 0]], "a board")
table([{"x": 1, "value": 2.5}, {"x": 2, "value": 10.25}])
surface("sin(x) cos(y)", -2, 2)
"""
INTO_VIEW = "one => one.scrollIntoView()"
"""A function that scrolls to a figure. A figure becomes live only near the window. The output scrolls to the
text that a program prints last, so the first figures may be out of sight."""


def test_a_program_shows_curves_images_tables_and_surfaces(playground: Page) -> None:
    page = playground
    output = run(page, SHOWS)
    kinds = output.locator(":scope > *").evaluate_all("all => all.map(one => one.className)")
    assert kinds == ["printed", "pictures", "printed", "pictures", "remark"]
    first, second = (page.frame_locator(".pictures").nth(k) for k in (0, 1))
    expect(first.locator("figure")).to_have_count(2)
    for figure in first.locator(
        "figure"
    ).all():  # the output scrolls to its end, so the figures may be out of sight
        figure.evaluate("one => one.scrollIntoView()")
        expect(figure).to_have_attribute("data-awake", "ready")
    expect(first.locator("figure").nth(1).locator("svg").first).to_contain_text("f′")
    held = first.locator("figure").first.locator(".held")
    told = first.locator("figure").first.locator(".told")
    expect(told).to_contain_text("x = 0.6")
    held.press("Shift+ArrowRight")
    expect(told).to_contain_text("x = 1.2: f = 0.44")
    board = second.get_by_role("img", name="a board")
    assert board.evaluate("one => [...one.getContext('2d').getImageData(0, 0, 2, 1).data]") == [
        0,
        0,
        0,
        255,
    ] + 4 * [255]
    assert second.locator("table").inner_text().split() == ["x", "value", "1", "2.5", "2", "10.25"]
    second.locator("figure").last.evaluate(
        "one => one.scrollIntoView()"
    )  # figures become live near the window
    expect(second.locator("figure[data-awake=ready] polygon.cell").first).to_be_attached()
    frame = page.locator(".pictures").first
    assert frame.get_attribute("sandbox") == "allow-scripts"
    assert frame.bounding_box()["height"] > 400  # type: ignore[index]
    run(page, "plot([1, 4, 9], label='squares')\nplot(3)")
    expect(page.locator(".pictures")).to_have_count(1)
    expect(page.frame_locator(".pictures").locator("figure")).to_contain_text("squares")
    expect(output).to_contain_text("eg.figure draws a function")
    run(page, "1")
    expect(page.locator(".pictures")).to_have_count(0)
