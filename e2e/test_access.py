"""Everyone can use every page: by keys or taps alone, in each theme, on small screens, with less motion."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.conftest import watch
from e2e.visitor import NEXT_FRAME
from tests.patience import PATIENCE_S
from tools.bootstrap import ROOT
from tools.pages import read_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
NAMES = [page.name for page in read_pages()]
READY_MS = 30_000
SMALLEST_PX = 24
SMALLEST_TOUCH_PX = 44
READABLE = 4.5
"""WCAG 2.2: target size (2.5.8, and 2.5.5 for fingers), and contrast (1.4.3)."""
MOST_TABS = 150
COLOURS_AT_REST = """async () => {
  const ends = (animation) => animation.effect.getComputedTiming().endTime !== Infinity;
  await Promise.allSettled(document.getAnimations().filter(ends).map((animation) => animation.finished));
}"""
"""Wait until colours no longer change. After a change of theme they take a tenth of a second."""

IS_READY = "() => ['draggable', 'editable'].some((name) => performance.getEntriesByName(name).length > 0)"

CONTROLS = """() => {
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  const seen = [...all].filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true })
    && one.closest("[hidden]") === null);
  seen.forEach((one, k) => { one.dataset.walk = String(k); });
  return seen.map((one) => ({
    said: one.outerHTML.slice(0, 90),
    group: one.type === "radio" ? one.name : null,
  }));
}"""
"""Mark every control, and return a name for each."""

SIZES = """() => [...document.querySelectorAll("[data-walk]")].map((one) => {
  const isSmall = one.type === "checkbox" || one.type === "radio";
  const box = ((isSmall && one.closest("label")) || one).getBoundingClientRect();
  const scrolled = "canvas, [role=region], .formula-tex, [tabindex='0']:not(button, a, input, .handle)";
  return {
    width: box.width, height: box.height, said: one.outerHTML.slice(0, 120),
    inText: one.localName === "a" && one.closest("p, li") !== null,
    region: one.matches(scrolled),
  };
})"""

TAPPED = """() => [...document.querySelectorAll("[data-walk]")].flatMap((one) => {
  one.scrollIntoView({ block: "center", inline: "center" });
  const box = one.getBoundingClientRect();
  if (getComputedStyle(one).pointerEvents === "none") return [];  // its picture finds the nearest grip
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const isReached = hit !== null && (one.contains(hit) || one.closest("label")?.contains(hit));
  return isReached ? [] : [`${one.outerHTML.slice(0, 90)} is behind ${hit?.outerHTML.slice(0, 90)}`];
})"""

HIDDEN = """() => {
  const one = document.activeElement;
  if (one?.dataset?.walk === undefined || getComputedStyle(one).pointerEvents === "none") return null;
  const box = one.getBoundingClientRect();
  const spots = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.8]];
  const isSeen = spots.some(([x, y]) => {
    const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
    return hit !== null && (one.contains(hit) || one.closest("label")?.contains(hit));
  });
  return isSeen ? null : one.outerHTML.slice(0, 90);
}"""

OVERFULL = """() => [...document.querySelectorAll("a[data-walk], button[data-walk]")]
  .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 90))"""

TRANSITIONS = """() => [...document.querySelectorAll("*")].flatMap((one) =>
  [null, "::before", "::after"].flatMap((part) => {
    const style = getComputedStyle(one, part);
    const lasts = style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
    return lasts || style.animationName !== "none" ? [`${one.outerHTML.slice(0, 80)} ${part}`] : [];
  }))"""

LISTEN = """() => {
  window.heard = [];
  for (const place of document.querySelectorAll("[aria-live], [role=status], [role=alert], output")) {
    new MutationObserver(() => window.heard.push([performance.now(), place.textContent]))
      .observe(place, { childList: true, characterData: true, subtree: true });
  }
}"""

CONTRASTS = """() => {
  const probe = document.body.appendChild(document.createElement("span"));
  const rgb = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
  };
  const light = ([r, g, b]) => {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map((v) => linear(v / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrasts = {};
  for (const text of ["--ink", "--ink-soft", "--rose", "--leaf"]) {
    for (const paper of ["--paper", "--paper-raised"]) {
      const [a, b] = [light(rgb(text)), light(rgb(paper))].sort((x, y) => y - x);
      contrasts[`${text} on ${paper}`] = (a + 0.05) / (b + 0.05);
    }
  }
  probe.remove();
  return contrasts;
}"""


def opened(page: Page, url: str, name: str) -> Page:
    """Open a page and wait until it can be used."""
    page.goto(f"{url}{name}.html")
    wait_for(lambda: bool(page.evaluate(IS_READY)))
    if name == "playground":
        expect(page.locator(".cm-content")).to_be_visible(timeout=READY_MS)
    page.evaluate(NEXT_FRAME)
    return page


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait by asking the page again and again. Its policy forbids `eval`, so Playwright cannot wait in it."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "the page did not get ready"
        time.sleep(0.05)


@pytest.fixture(scope="module", params=NAMES)
def visited(
    browser: Browser, server_url: str, request: pytest.FixtureRequest
) -> Iterator[tuple[Page, list[str]]]:
    """Every page, opened once, with its errors."""
    context = browser.new_context()
    page = context.new_page()
    troubles: list[str] = []
    watch(page, server_url, troubles)
    yield opened(page, server_url, request.param), troubles
    context.close()


AS_OPENED = """() => {
  for (const one of document.querySelectorAll("[data-walk]")) delete one.dataset.walk;
  scrollTo(0, 0);
  const top = document.createElement("span");
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();  // the Tab key goes on from here
  top.remove();
}"""


@pytest.fixture
def visit(visited: tuple[Page, list[str]]) -> Iterator[Page]:
    """An open page, with size, theme and scroll position reset. The tests that use it must not change it."""
    page, troubles = visited
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference", forced_colors="none")
    page.evaluate(AS_OPENED)
    page.evaluate(NEXT_FRAME)
    yield page
    assert not troubles, "\n".join(troubles)


@pytest.fixture
def finger(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page on a small telephone."""
    context = new_context(has_touch=True, is_mobile=True, viewport={"width": 320, "height": 640})
    yield context.new_page()
    context.close()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there: python3 -m tests installs it")
def test_axe_finds_nothing_in_both_themes_wide_and_narrow(visit: Page) -> None:
    page = visit
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: list[str] = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        for width in (1280, 320):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(NEXT_FRAME)
            page.evaluate(COLOURS_AT_REST)
            report: Any = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
            for rule in report["violations"]:
                places = [node["html"][:120] for node in rule["nodes"]]
                violations.append(f"{theme} {width}: {rule['id']}: {rule['help']}: {places}")
    assert not violations, "\n".join(violations)


def test_every_control_is_reached_by_the_tab_key_and_shows_that_it_is(visit: Page) -> None:
    page = visit
    page.emulate_media(reduced_motion="reduce")
    controls: Any = page.evaluate(CONTROLS)
    reached: set[int] = set()
    unseen: list[str] = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Escape")  # leaves an editor that uses the Tab key itself
        page.keyboard.press("Tab")
        at = page.evaluate("() => document.activeElement?.dataset?.walk ?? null")
        if at is None:
            if page.evaluate("() => document.activeElement === document.body"):
                break  # past the end
            continue
        if int(at) in reached:
            break
        reached.add(int(at))
        if not shows_focus(page, at):
            unseen.append(controls[int(at)]["said"])
    groups = {controls[k]["group"] for k in reached} - {None}
    missed = [
        one["said"] for k, one in enumerate(controls) if k not in reached and one["group"] not in groups
    ]
    assert not missed
    assert not unseen


def shows_focus(page: Page, at: str) -> bool:
    """Whether the focused element looks different from the same element without focus."""
    box = page.evaluate(
        """(at) => {
          const one = document.querySelector(`[data-walk="${at}"]`);
          const { left, top, right, bottom } = one.getBoundingClientRect();
          const [x, y] = [Math.max(0, left - 6), Math.max(0, top - 6)];
          const width = Math.min(innerWidth, right + 6) - x;
          const height = Math.min(innerHeight, bottom + 6) - y;
          return width > 0 && height > 0 ? { x, y, width, height } : null;
        }""",
        at,
    )
    if box is None:
        return False
    focused = page.screenshot(clip=box)
    page.evaluate("() => { window.was = document.activeElement; window.was.blur(); }")
    page.evaluate(NEXT_FRAME)
    plain = page.screenshot(clip=box)
    page.evaluate("() => window.was.focus({ preventScroll: true })")
    return focused != plain


@pytest.mark.parametrize("name", NAMES)
def test_every_control_can_be_tapped_and_is_large_enough_for_a_finger(
    finger: Page, server_url: str, name: str
) -> None:
    opened(finger, server_url, name)
    finger.evaluate(CONTROLS)
    assert finger.evaluate("() => matchMedia('(pointer: coarse)').matches")
    assert finger.evaluate(TAPPED) == []
    assert finger.evaluate(OVERFULL) == []
    assert small(finger, SMALLEST_TOUCH_PX) == []


def test_a_focused_control_is_not_hidden_behind_a_sticky_element(visit: Page) -> None:
    page = visit
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(NEXT_FRAME)
    count = len(page.evaluate(CONTROLS))
    hidden: list[str] = []
    for key in ["Tab"] * count + ["Shift+Tab"] * count:
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        covered = page.evaluate(HIDDEN)
        if covered is not None:
            hidden.append(covered)
    assert not hidden


def test_every_control_is_large_enough_for_a_mouse(visit: Page) -> None:
    visit.evaluate(CONTROLS)
    assert small(visit, SMALLEST_PX) == []


def small(page: Page, least: float) -> list[str]:
    """The controls smaller than `least`, except links within a sentence and elements that only scroll."""
    sizes: Any = page.evaluate(SIZES)
    return [
        f"{one['said']}: {one['width']:.0f} × {one['height']:.0f}"
        for one in sizes
        if min(one["width"], one["height"]) < least - 0.5 and not one["inText"] and not one["region"]
    ]


@pytest.mark.parametrize("width", [320, 640], ids=["320 px", "1280 px at 200 %"])
def test_nothing_needs_scrolling_sideways(visit: Page, width: int) -> None:
    visit.set_viewport_size({"width": width, "height": 450})
    visit.evaluate(NEXT_FRAME)
    assert visit.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_readable_on_paper_in_every_colour(page: Page, server_url: str, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    opened(page, server_url, "regression")
    contrasts: dict[str, float] = page.evaluate(CONTRASTS)
    assert {pair: ratio for pair, ratio in contrasts.items() if ratio < READABLE} == {}


def test_with_reduced_motion_nothing_moves_by_itself(visit: Page) -> None:
    visit.emulate_media(reduced_motion="reduce")
    assert visit.evaluate(TRANSITIONS) == []


def test_in_forced_colours_drawings_use_the_systems_colours(visit: Page) -> None:
    page = visit
    page.emulate_media(forced_colors="active")
    page.evaluate(NEXT_FRAME)
    style = "(name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()"
    assert page.evaluate(style, "--paper") == "Canvas"
    assert page.evaluate(style, "--ink") == "CanvasText"
    page.evaluate(CONTROLS)
    page.keyboard.press("Tab")
    assert shows_focus(page, page.evaluate("() => document.activeElement.dataset.walk"))


@pytest.mark.parametrize(
    ("name", "button"),
    [("regression", ".descend"), ("billiards", ".optimise"), ("robot", ".play"), ("tape", ".play")],
)
def test_a_running_animation_is_announced_at_most_once_a_second(
    page: Page, server_url: str, name: str, button: str
) -> None:
    opened(page, server_url, name)
    page.evaluate(LISTEN)
    begun = page.evaluate("() => performance.now()")
    page.locator(button).click()
    page.wait_for_timeout(4000)
    heard: list[tuple[float, str]] = page.evaluate("() => window.heard")
    assert len([at for at, _ in heard if at - begun <= 4000]) <= 5


TOLD = [
    ("quadratic", ".handle", "ArrowLeft", "x 1.97"),
    ("regression", "[data-grip='line']", "ArrowRight", "Slope 0.03, intercept 1"),
    ("billiards", "[data-grip='cue']", "ArrowLeft", "Cue ball at x 0.07, y 0.5. Loss"),
    ("tape", "[name=step]", "Home", "The inputs are given."),
]


@pytest.mark.parametrize(("name", "held", "key", "told"), TOLD)
def test_a_change_by_keys_is_announced(
    page: Page, server_url: str, name: str, held: str, key: str, told: str
) -> None:
    opened(page, server_url, name)
    page.evaluate(LISTEN)
    page.locator(held).focus()
    for _ in range(3):
        page.keyboard.press(key)
    expect(page.locator(".live")).to_contain_text(told)
    page.wait_for_timeout(2000)
    heard: list[tuple[float, str]] = page.evaluate("() => window.heard")
    assert len([text for _, text in heard if told in text]) <= 3
