"""Quadratic: a visitor chooses the order of the approximation. A band shows a proven error bound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.quadratic.conftest import place
from e2e.visitor import NEXT_FRAME, with_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

BANDED_MS = 60_000


def error(page: Page) -> float:
    """The largest error that the page names."""
    page.evaluate(NEXT_FRAME)
    text = page.locator(".largest-error").inner_text()
    return float(text.rsplit(maxsplit=1)[1].rstrip(".").replace("\u2212", "-"))


@pytest.mark.without_python
def test_the_order_of_the_approximation_can_be_chosen(quadratic: Page) -> None:
    legend = quadratic.locator(".legend li", has=quadratic.locator(".is-disc"))
    slider = quadratic.get_by_label("Order of the approximation", exact=True)
    place(quadratic, 0.8, 1.2)
    quadratic.get_by_label("Error", exact=True).check()
    expect(quadratic.locator(".largest-error")).not_to_be_empty()
    errors = [error(quadratic)]
    for name in ("cubic approximation", "approximation of order 4"):
        slider.press("ArrowRight")
        expect(legend).to_have_text(f"its {name}")
        expect(slider).to_have_attribute("aria-valuetext", name)
        errors.append(error(quadratic))
    assert errors[0] > 2 * errors[1] > 4 * errors[2]

    quadratic.locator(".picture canvas").press("1")
    expect(legend).to_have_text("its tangent plane")
    assert error(quadratic) > errors[0]
    expect(quadratic).to_have_url(re.compile(r"order=1(&|$)"))
    quadratic.locator(".undo").click()
    expect(legend).to_have_text("its approximation of order 4")

    quadratic.get_by_label("Proven band").check()
    expect(quadratic.locator(".band-bound")).to_have_text("The proven band appears once Python has loaded.")
    quadratic.locator("#formula").fill("sin(x) y")
    expect(quadratic.locator(".order-late")).to_contain_text("appears once Python has loaded")
    expect(legend).to_have_text("its quadratic approximation")


def test_python_approximates_a_typed_formula_and_proves_a_band(visited: Page) -> None:
    visited.locator("#formula").fill("x^3 + y")
    place(visited, 1, 1)
    visited.get_by_label("Order of the approximation, as a number").fill("5")
    visited.get_by_label("Proven band").check()
    with_python(visited)
    bound = visited.locator(".band-bound")
    expect(visited.locator(".legend")).to_contain_text("its approximation of order 5", timeout=BANDED_MS)
    expect(bound).to_contain_text("choose order 4 or lower")
    visited.get_by_label("Order of the approximation, as a number").fill("3")
    expect(bound).to_contain_text("at most 0 below and 0 above", timeout=BANDED_MS)
    visited.get_by_label("Order of the approximation, as a number").fill("2")
    expect(bound).to_contain_text(
        re.compile(r"at most 0\.\d+ below and 0\.[1-9]\d* above"), timeout=BANDED_MS
    )
    below, above = re.findall(r"0\.\d+", bound.inner_text())
    assert below == above
    visited.locator("#formula").fill("abs(sin(90x)) y")
    expect(bound).to_contain_text("a kink, a jump or a pole", timeout=BANDED_MS)
    expect(visited).to_have_url(re.compile("show=band"))
