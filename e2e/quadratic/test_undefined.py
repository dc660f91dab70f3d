"""Where f has no finite value, the page shows dashes instead of derivatives, and explains why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from e2e.quadratic.conftest import ENTRIES, entry
from e2e.visitor import with_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

DASH = "–"
NOT_DEFINED = "f is not defined at this point, so f has no slope and no curvature here."
INFINITE = "f is infinite at this point, so f has no slope and no curvature here."


def open_formula(page: Page, server_url: str, text: str) -> None:
    """Open a link to a formula and compile it."""
    page.goto(f"{server_url}quadratic.html#v=1&f={quote(text)}&at=1,2&region=-2,2,-2,3")
    expect(page.locator(".cost")).to_contain_text("compiled here")
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))


@pytest.mark.parametrize(
    ("text", "value", "why", "drawn"),
    [
        ("log(-x^2-1)", "undefined", NOT_DEFINED, None),
        ("0/0", "undefined", NOT_DEFINED, DASH),
        ("1/0", "∞", INFINITE, "∞"),
        ("-9^9^9^9", "−∞", INFINITE, "∞"),
    ],
)
def test_without_a_value_the_derivatives_and_eigenvalues_are_dashes(
    editable: Page, server_url: str, text: str, value: str, why: str, drawn: str | None
) -> None:
    open_formula(editable, server_url, text)
    expect(entry(editable, "f")).to_have_text(value)
    for name in ENTRIES[1:]:
        expect(entry(editable, name)).to_have_text(DASH)
        assert entry(editable, name).get_attribute("value") == "NaN"
    expect(editable.locator(".eigenvalues")).to_have_text(DASH)
    expect(editable.locator(".kind")).to_have_text(why)
    if drawn is not None:
        expect_drawn(editable, drawn)


def test_a_formula_without_a_finite_value_is_not_too_long_to_show(editable: Page, server_url: str) -> None:
    open_formula(editable, server_url, "-9^9^9^9 + y")
    expect_drawn(editable, "∞")


def expect_drawn(page: Page, words: str) -> None:
    """Check that the page shows f as a typeset formula that contains `words`."""
    formulas = page.locator(".values .formula-tex")
    expect(formulas.first).to_contain_text(words)
    expect(formulas.first).not_to_contain_text("too long")


def test_when_f_is_defined_again_its_derivatives_are_numbers_again(editable: Page, server_url: str) -> None:
    open_formula(editable, server_url, "log(x)")
    expect(entry(editable, "fx")).to_have_text("1")
    editable.locator("[name=x]").fill("-1")
    expect(entry(editable, "fx")).to_have_text(DASH)
    editable.locator("[name=x]").fill("0.5")
    expect(entry(editable, "fx")).to_have_text("2")
    expect(editable.locator(".eigenvalues")).to_have_text("−4, 0")


def test_the_tapes_result_has_no_gradient_where_f_is_undefined(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}tape.html#v=1&f={quote('log(-x^2-1)')}&at=1,2&to=1,0&mode=tangents&step=0")
    with_python(page)
    expect(page.locator(".cost")).to_contain_text("compiled here")
    expect(page.locator(".result-f")).to_have_text("undefined")
    for name in ("x", "y", "d"):
        expect(page.locator(f".result-{name}")).to_have_text(DASH)
    expect(page.locator(".results")).to_contain_text(re.compile("f is not defined at this point"))
