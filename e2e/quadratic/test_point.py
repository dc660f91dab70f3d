"""Quadratic in a real browser: a visitor moves the point by mouse, touch, keys and fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.lending import developer_tools
from e2e.quadratic.conftest import entry, expect_point, point, power, shown
from e2e.visitor import NEXT_FRAME, centre

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

HOLES = """(canvas) => {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const isRose = (x, y) => data[4 * (y * width + x)] > 1.35 * data[4 * (y * width + x) + 1];
  let holes = 0;
  for (let y = 0; y < height; y++) for (let x = 2; x < width - 2; x++) {
    if (!isRose(x, y) && isRose(x - 2, y) && isRose(x + 2, y)) holes += 1;
  }
  return holes;
}"""
"""A function that counts the holes in the disc.

A hole is a pixel of the surface. The pixels two places to its left and right show the disc.
"""
FRAMES_OF_A_DRAG = """([x, y]) => new Promise((done) => {
  const handle = document.querySelector(".handle");
  const seen = [];
  const later = window.setTimeout;
  window.setTimeout = () => 1e9;
  const move = () => {
    if (seen.length === 8) {
      window.setTimeout = later;
      done(seen);
      return;
    }
    handle.dispatchEvent(new PointerEvent("pointermove", {
      pointerId: 1, pointerType: "mouse", isPrimary: true, buttons: 1, bubbles: true,
      clientX: x - 4 * (seen.length + 1), clientY: y,
    }));
    requestAnimationFrame(() => {
      seen.push([handle.style.transform, document.querySelector("[name=x]").value]);
      move();
    });
  };
  requestAnimationFrame(move);
})"""
"""A script that moves the held point left in eight frames, without a pause that would end the motion. It
returns the handle's place and the number x after each frame."""
MOST_HOLES = 20
"""The limit for the number of holes in the disc, at the default point in the dark theme. The disc's thin ends
have 10 holes. A disc that lets the surface show through has 45."""


def test_the_default_point_shows_the_derivatives_of_a_power(quadratic: Page) -> None:
    expect_point(quadratic, 2, 3)
    assert shown(quadratic) == pytest.approx(power(2, 3))
    expect(entry(quadratic, "fxy")).to_have_text("12.318")


def test_the_mouse_drags_the_point_and_the_numbers_follow(quadratic: Page) -> None:
    start = centre(quadratic.locator(".handle"))
    quadratic.mouse.move(*start)
    quadratic.mouse.down()
    quadratic.mouse.move(start[0] - 60, start[1] + 30, steps=8)
    quadratic.mouse.up()
    expect(quadratic.locator("[name=x]")).not_to_have_value("2")
    assert shown(quadratic) == pytest.approx(power(*point(quadratic)))
    end = centre(quadratic.locator(".handle"))
    assert end == pytest.approx((start[0] - 60, start[1] + 30), abs=4)


def test_a_drag_shows_numbers_in_every_sixth_frame_and_at_its_end(quadratic: Page) -> None:
    handle = quadratic.locator(".handle")
    start = centre(handle)
    quadratic.mouse.move(*start)
    quadratic.mouse.down()
    seen = quadratic.evaluate(FRAMES_OF_A_DRAG, [*start])
    assert len({place for place, _ in seen}) == 8  # the handle moves in every frame
    numbers = [number for _, number in seen]
    assert len(set(numbers[:6])) == len(set(numbers[6:])) == 1
    assert numbers[5] != numbers[6]
    before = quadratic.locator("[name=x]").input_value()
    quadratic.mouse.up()
    expect(quadratic.locator("[name=x]")).not_to_have_value(before)
    assert shown(quadratic) == pytest.approx(power(*point(quadratic)))


def test_a_finger_drags_the_point(quadratic: Page) -> None:
    page = quadratic
    x, y = centre(page.locator(".handle"))
    touch = developer_tools(page)
    for kind, dx in (("touchStart", 0), ("touchMove", -20), ("touchMove", -50), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator("[name=x]")).not_to_have_value("2")
    assert shown(page) == pytest.approx(power(*point(page)))


def test_keys_move_the_point_and_shift_and_alt_change_the_distance(quadratic: Page) -> None:
    handle = quadratic.locator(".handle")
    handle.focus()
    x, y = point(quadratic)
    steps = []
    for keys in ("ArrowLeft", "Shift+ArrowLeft", "Alt+ArrowLeft"):
        quadratic.keyboard.press(keys)
        expect(quadratic.locator("[name=x]")).not_to_have_value(f"{x:g}")
        moved, _ = point(quadratic)
        steps.append(x - moved)
        x = moved
    assert steps[1] == pytest.approx(10 * steps[0])
    assert steps[2] == pytest.approx(steps[0] / 10)
    quadratic.keyboard.press("ArrowDown")
    expect(quadratic.locator("[name=y]")).not_to_have_value(f"{y:g}")
    assert shown(quadratic) == pytest.approx(power(*point(quadratic)))
    quadratic.keyboard.press("Home")
    expect(quadratic.locator("[name=x]")).to_have_value("2")
    expect_point(quadratic, 2, 3)


def test_a_field_left_before_the_next_frame_keeps_the_typed_value(quadratic: Page) -> None:
    seen = quadratic.evaluate(
        """async () => {
          const field = document.querySelector("[name=x]");
          field.focus();
          field.value = "1.25";
          field.dispatchEvent(new InputEvent("input", { bubbles: true }));
          field.blur();
          const left = field.value;
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return [left, field.value];
        }"""
    )
    assert seen == ["1.25", "1.25"]
    field = quadratic.locator("[name=x]")
    field.fill("1.2.5")
    field.blur()
    expect(field).to_have_value("1.25")


def test_a_click_on_the_surface_places_the_point(quadratic: Page) -> None:
    x, y = centre(quadratic.locator(".handle"))
    quadratic.mouse.click(x - 80, y + 70)
    expect(quadratic.locator("[name=x]")).not_to_have_value("2")
    assert centre(quadratic.locator(".handle")) == pytest.approx((x - 80, y + 70), abs=4)


def test_dragging_the_paper_turns_the_view_and_keeps_the_point(quadratic: Page) -> None:
    before = centre(quadratic.locator(".handle"))
    canvas = quadratic.locator(".picture canvas").bounding_box()
    assert canvas is not None
    quadratic.mouse.move(canvas["x"] + 60, canvas["y"] + 60)
    quadratic.mouse.down()
    quadratic.mouse.move(canvas["x"] + 160, canvas["y"] + 60, steps=5)
    quadratic.mouse.up()
    expect(quadratic).to_have_url(re.compile("view="))
    expect_point(quadratic, 2, 3)
    assert centre(quadratic.locator(".handle")) != pytest.approx(before, abs=4)


def test_zooming_in_keeps_the_point_and_narrows_the_region(quadratic: Page) -> None:
    quadratic.get_by_role("button", name="Zoom in").click()
    expect(quadratic).to_have_url(re.compile(r"region=0\.4,"))
    expect_point(quadratic, 2, 3)


def test_the_surface_does_not_show_through_the_disc_where_the_two_are_near(quadratic: Page) -> None:
    quadratic.emulate_media(color_scheme="dark")
    quadratic.set_viewport_size({"width": 1280, "height": 800})
    quadratic.wait_for_timeout(300)
    for _ in range(2):  # on a busy machine the picture may not be drawn yet
        quadratic.evaluate(NEXT_FRAME)
    assert quadratic.locator(".picture canvas").evaluate(HOLES) < MOST_HOLES
