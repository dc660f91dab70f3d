"""The JavaScript of a widget: it draws the figure, sends the reader's input, and follows Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import eglantine as eg
from e2e.figures.test_figures import alone  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

NOTEBOOK = """async ([script, state]) => {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  const listeners = (globalThis.listeners = {});
  globalThis.state = state;
  globalThis.saved = [];
  globalThis.model = {
    get: (name) => state[name],
    set(name, value) { state[name] = value; listeners[`change:${name}`]?.(); },
    save_changes() { saved.push(structuredClone(state)); },
    on: (name, listener) => (listeners[name] = listener),
    off: (name) => delete listeners[name],
  };
  globalThis.leave = widget.render({ model, el: document.body.appendChild(document.createElement("div")) });
}"""
"""A script that shows a widget. It follows the rules by which anywidget makes a view of a widget."""


def rendered(page: Page, w: Any, **changed: Any) -> None:
    state = {"html": w.html, "values": w.values, "place": w.place, **changed}
    page.set_content("<!doctype html><title>a notebook</title>")
    page.evaluate(NOTEBOOK, [w._esm, state])
    expect(page.locator("figure[data-awake=ready]").first).to_be_visible()


def test_a_view_tells_python_of_controls_and_points_and_follows_python(alone: Page) -> None:  # noqa: F811
    fig = eg.figure("a*x^2", x=(0, 4), a=eg.slider(0, 2, 1), at=eg.point((2, 0)))
    rendered(alone, eg.widget(fig))
    alone.get_by_role("slider", name="a", exact=True).fill("1.5")
    alone.wait_for_function("saved.at(-1)?.values.a === 1.5")
    alone.get_by_role("slider", name="point on a*x^2").focus()
    alone.keyboard.press("Shift+ArrowRight")
    alone.wait_for_function("saved.at(-1)?.place[0] === 2.4")
    alone.evaluate("model.set('values', { a: 0.5 })")
    expect(alone.locator(".told")).to_have_text("x = 2.4: a*x^2 = 2.88, slope 2.4")
    expect(alone.get_by_label("a, typed")).to_have_value("0.5")
    assert alone.evaluate("(leave(), Object.keys(listeners))") == []


def test_a_view_that_opens_later_begins_with_the_values_of_now(alone: Page) -> None:  # noqa: F811
    fig = eg.figure("a*x", x=(0, 1), a=eg.slider(0, 9, 1))
    rendered(alone, eg.widget(fig), values={"a": 5})
    expect(alone.locator(".told")).to_have_text("x = 0.6: a*x = 3, slope 5")
