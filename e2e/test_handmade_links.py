"""A link that somebody writes by hand may contain only one field. The other fields get defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.visitor import field, with_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

HANDMADE = [
    ("quadratic.html#at=1.5,2", "x", "1.5"),
    ("quadratic.html#preset=saddle", "y", "0.3"),
    ("tape.html#at=3,4", "x", "3"),
    ("billiards.html#goal=1,0.4", "goal-x", "1"),
    pytest.param("billiards.html#friction=0.05", "cue-x", "0.1", marks=pytest.mark.with_python),
    ("regression.html#line=0.5,3", "line-0", "0.5"),
    ("regression.html#points=1,2,3,4", "point-1", "4"),
    ("robot.html#goal=2,0.5", "goal-x", "2"),
    ("robot.html#robot=B", "robot", "B"),
]
"""Addresses of pages. Each comes with a control on the page, and with the value that this control must
show."""


@pytest.mark.without_python
@pytest.mark.parametrize(("address", "control", "value"), HANDMADE)
def test_a_link_with_one_field_opens_with_defaults_for_the_others(
    page: Page, server_url: str, address: str, control: str, value: str
) -> None:
    page.goto(f"{server_url}{address}")
    expect(field(page, control)).to_have_value(value)
    expect(page.locator(".notice").first).to_be_empty()


@pytest.mark.parametrize("name", ["quadratic", "tape"])
def test_a_link_with_a_formula_alone_compiles_it(page: Page, server_url: str, name: str) -> None:
    page.goto(f"{server_url}{name}.html#f=x^2")
    with_python(page)
    expect(page.locator("#formula")).to_have_value("x^2")
    expect(page.locator(".cost")).to_contain_text("compiled here")
    expect(page.locator(".notice").first).to_be_empty()


def test_a_link_with_a_program_alone_shows_it(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}playground.html#code=print(1)")
    expect(page.locator(".cm-content")).to_have_text("print(1)")
    expect(page.locator(".notice")).to_contain_text("came from a link")
