"""Everyone can use every page: with keys or taps alone, in both themes, and on small screens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from e2e.conftest import PATIENT, watch
from e2e.looking import (
    AROUND,
    AS_OPENED,
    COLOURS_AT_REST,
    CONTRASTS,
    CONTROLS,
    FOCUSED,
    HIDDEN,
    HIDE_CARET,
    IS_READY,
    LISTEN,
    SEEN,
    SIZES,
    TRANSITIONS,
    VIOLATIONS,
    WATCH_SHIFTS,
)  # fmt: skip
from e2e.shared_pages import lent, restored_page
from e2e.visitor import NEXT_FRAME, with_python
from tests.patience import PATIENCE_S
from tests.seeds import NIGHTLY
from tools.bootstrap import ROOT
from tools.pages import read_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
NAMES = [page.name for page in read_pages()]
READY_MS = 30_000
SMALLEST_PX = 24
SMALLEST_TOUCH_PX = 44
READABLE = 4.5
"""The least contrast between a text and its background (WCAG 2.2, 1.4.3). The two constants above are the
least sizes of a target: for a mouse (2.5.8) and for fingers (2.5.5)."""
MOST_TABS = 150
MOST_SHIFT, MOST_SHIFTS = 0.015, {"tape": 0.1}
"""Limits of the cumulative layout shift, which counts as good below 0.1. The height of the tape's graph
depends on its formula."""
REPORTED = {"resultTypes": ["violations"]}
OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules of axe-core whose answer depends on the theme. In the dark theme, only these rules run by day,
and all rules run at night."""
NO_SCRIPT = "This page needs JavaScript"
ANNOUNCED_MS = 1500
"""The time until all announcements of a page have come. A page makes at most one announcement a second."""
FROM_DISK = "You opened this page from a folder"
ROWS_OF_KEYS = {page.name: len(page.fields["keys"].split()) for page in read_pages() if "keys" in page.fields}


def opened(page: Page, url: str, name: str) -> Page:
    """Open a page and wait until it can be used."""
    page.goto(f"{url}{name}.html")
    wait_for(lambda: bool(page.evaluate(IS_READY)))
    if name == "playground":
        expect(page.locator(".cm-content")).to_be_visible(timeout=READY_MS)
    page.evaluate(NEXT_FRAME)
    return page


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until a condition is true. The page's policy forbids Playwright's `wait_for_function`."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "the page is not ready in time"
        time.sleep(0.05)


@dataclass(frozen=True)
class Visit:
    """An open page, with the errors, requests and layout shifts that happened while it loaded."""

    page: Page
    name: str
    troubles: list[str]
    asked: list[str]
    shifts: list[Any]


@pytest.fixture(scope="module", params=NAMES)
def visited(browser: Browser, server_url: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open each page once for all tests. Wait until Python has started and no request is open."""
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    for script in (PATIENT, WATCH_SHIFTS, VIOLATIONS):
        page.add_init_script(script)
    troubles: list[str] = []
    watch(page, server_url, troubles)
    opened(page, server_url, request.param)
    python_started(page)
    wait_until_nothing_is_asked(page, asked)
    shifts: list[Any] = page.evaluate("globalThis.shifts")
    yield Visit(page, request.param, troubles, asked, shifts)
    context.close()


def python_started(page: Page) -> None:
    """Wait for Python, if the page uses Python."""
    if page.locator("main[data-python]").count():
        with_python(page)


def wait_until_nothing_is_asked(page: Page, asked: list[str]) -> None:
    """Wait until the page has sent no request for half a second.

    Playwright's "networkidle" sometimes waits for a request that already has its answer.
    """
    before = -1
    while before < len(asked):
        before = len(asked)
        page.wait_for_timeout(500)


@pytest.fixture
def visit(visited: Visit) -> Iterator[Page]:
    """Reset the window, theme and scroll position of an open page. Tests must not change its content."""
    page = visited.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference", forced_colors="none")
    page.evaluate(AS_OPENED)
    page.evaluate(NEXT_FRAME)
    yield page
    assert not visited.troubles, "\n".join(visited.troubles)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there: python3 -m tests installs it")
def test_axe_finds_no_violation_in_both_themes_and_at_both_widths(visit: Page) -> None:
    page = visit
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: list[str] = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        rules = {} if theme == "light" or NIGHTLY else OF_COLOURS
        for width in (1280, 320):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(NEXT_FRAME)
            page.evaluate(COLOURS_AT_REST)
            report: Any = page.evaluate("(rules) => axe.run(document, rules)", REPORTED | rules)
            for rule in report["violations"]:
                places = [node["html"][:120] for node in rule["nodes"]]
                violations.append(f"{theme} {width}: {rule['id']}: {rule['help']}: {places}")
    assert not violations, "\n".join(violations)


def test_every_control_is_reached_by_the_tab_key_and_shows_its_focus(visit: Page) -> None:
    """The Tab key reaches every control, and a control with focus looks different.

    If several controls have the same style of focus, we compare only the first one. Nightly runs compare all.
    """
    page = visit
    page.emulate_media(reduced_motion="reduce")
    controls: Any = page.evaluate(CONTROLS)
    page.evaluate(HIDE_CARET)
    has_editor = page.locator(".cm-editor").count() > 0
    reached: set[int] = set()
    seen: set[str] = set()
    unseen: list[str] = []
    camera = page.context.new_cdp_session(page)
    for _ in range(MOST_TABS):
        at, is_body, style = press(page, "Tab", FOCUSED, has_editor=has_editor)
        if at is None:
            if is_body:
                break  # past the end
            continue
        if int(at) in reached:
            break
        reached.add(int(at))
        if style in seen and not NIGHTLY:
            continue
        if shows_focus(page, camera, at):
            seen.add(style)
        else:
            unseen.append(controls[int(at)]["said"])
    camera.detach()
    groups = {controls[k]["group"] for k in reached} - {None}
    missed = [
        one["said"] for k, one in enumerate(controls) if k not in reached and one["group"] not in groups
    ]
    assert not missed
    assert not unseen


def press(page: Page, key: str, look: str, *, has_editor: bool) -> Any:
    """Press a key. Return the result of the script `look`.

    If the page has an editor, press Escape first. Otherwise the editor handles the Tab key.
    """
    if has_editor:
        page.keyboard.press("Escape")
    page.keyboard.press(key)
    return page.evaluate(look)


def shows_focus(page: Page, camera: CDPSession, at: str) -> bool:
    """True if the focused element looks different after it has lost the focus."""
    box = page.evaluate(AROUND, at)
    if box is None:
        return False
    page.evaluate(NEXT_FRAME)
    picture = {"format": "png", "optimizeForSpeed": True, "clip": box | {"scale": 1}}
    focused = camera.send("Page.captureScreenshot", picture)
    page.evaluate("() => { window.was = document.activeElement; window.was.blur(); }")
    page.evaluate(NEXT_FRAME)
    plain = camera.send("Page.captureScreenshot", picture)
    page.evaluate("() => window.was.focus({ preventScroll: true })")
    return bool(focused["data"] != plain["data"])


def test_a_focused_control_is_not_hidden_behind_a_sticky_element(visit: Page) -> None:
    page = visit
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(NEXT_FRAME)
    count = len(page.evaluate(CONTROLS))
    has_editor = page.locator(".cm-editor").count() > 0
    hidden: list[str] = []
    for key in ["Tab"] * count + ["Shift+Tab"] * count:
        covered = press(page, key, HIDDEN, has_editor=has_editor)
        if covered is not None:
            hidden.append(covered)
    assert not hidden


def test_every_control_is_large_enough_for_a_mouse(visit: Page) -> None:
    visit.evaluate(CONTROLS)
    assert small(visit, SMALLEST_PX) == []


def small(page: Page, least: float) -> list[str]:
    """List controls that are smaller than `least` pixels. Ignore links in sentences, and scroll areas."""
    sizes: Any = page.evaluate(SIZES)
    return [
        f"{one['said']}: {one['width']:.0f} × {one['height']:.0f}"
        for one in sizes
        if min(one["width"], one["height"]) < least - 0.5 and not one["inText"] and not one["region"]
    ]


def test_nothing_needs_scrolling_sideways(visit: Page) -> None:
    """Check windows of 320 px and of 640 px (a window of 1280 px at a zoom of 200 %)."""
    wide = {}
    for width in (320, 640):
        visit.set_viewport_size({"width": width, "height": 450})
        visit.evaluate(NEXT_FRAME)
        wide[width] = visit.evaluate("() => document.documentElement.scrollWidth")
    assert {width: got for width, got in wide.items() if got > width} == {}


def test_the_page_loads_from_its_own_origin_and_nothing_moves(visited: Visit, server_url: str) -> None:
    home = urlsplit(server_url).netloc
    # addresses of data in the page, and of the script of its sandboxed frame
    own = ("data:", "blob:null/")
    foreign = [url for url in visited.asked if urlsplit(url).netloc != home and not url.startswith(own)]
    assert foreign == []
    assert visited.page.evaluate("self.violations") == []
    assert visited.page.evaluate("crossOriginIsolated && trustedTypes !== undefined")
    assert visited.page.context.cookies() == []
    assert sum(value for value, _ in visited.shifts) < MOST_SHIFTS.get(visited.name, MOST_SHIFT), (
        visited.shifts
    )


def test_a_page_with_its_scripts_does_not_say_that_they_are_missing(visit: Page) -> None:
    for sentence in (NO_SCRIPT, FROM_DISK):
        assert visit.get_by_text(sentence).filter(visible=True).count() == 0


def test_a_key_opens_the_table_of_keys_and_escape_restores_the_focus(visit: Page, visited: Visit) -> None:
    table = visit.get_by_role("dialog", name="Keys", exact=True)
    theme = visit.locator(".theme")
    theme.focus()
    visit.keyboard.press("?")
    expect(table).to_be_visible()
    expect(table.locator("tr")).to_have_count(ROWS_OF_KEYS[visited.name])
    visit.keyboard.press("Escape")
    expect(table).to_be_hidden()
    expect(theme).to_be_focused()
    visit.keyboard.press("?")
    visit.keyboard.press("?")
    expect(table).to_be_hidden()


def test_every_page_can_be_reached_by_keys_on_a_narrow_screen(visit: Page, visited: Visit) -> None:
    visit.set_viewport_size({"width": 320, "height": 640})
    links = visit.locator("nav a")
    menu = visit.get_by_role("button", name="Menu")
    expect(links.first).to_be_hidden()
    visit.locator(".name").focus()
    visit.keyboard.press("Tab")
    expect(menu).to_be_focused()
    visit.keyboard.press("Enter")
    wait_for(lambda: bool(visit.evaluate("document.documentElement.scrollWidth <= 320")))
    marks = visit.locator("nav [aria-current]").evaluate_all("(all) => all.map((a) => a.ariaCurrent)")
    assert marks == {"index": [], "regression": ["true"]}.get(visited.name, ["page"])
    current = visit.locator("nav [aria-current]")
    for link in current.all():
        assert link.evaluate(SEEN), "the page's own link is out of sight"
    for k in range(links.count()):
        visit.keyboard.press("Tab")
        expect(links.nth(k)).to_be_focused()
        assert links.nth(k).evaluate(SEEN), f"link {k} has the focus and is out of sight"
    visit.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    expect(menu).to_be_focused()


def test_text_is_readable_on_paper_in_every_colour(regression: Page) -> None:
    unreadable: dict[str, float] = {}
    for theme in ("light", "dark"):
        regression.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        regression.evaluate(NEXT_FRAME)
        contrasts: dict[str, float] = regression.evaluate(CONTRASTS)
        unreadable |= {f"{theme}: {pair}": ratio for pair, ratio in contrasts.items() if ratio < READABLE}
    assert unreadable == {}


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
    page.evaluate(HIDE_CARET)
    page.keyboard.press("Tab")
    camera = page.context.new_cdp_session(page)
    assert shows_focus(page, camera, page.evaluate("() => document.activeElement.dataset.walk"))
    camera.detach()


quadratics = restored_page("quadratic", "module")
regressions = restored_page("regression", "module")
tables = restored_page("billiards", "module")
robots = restored_page("robot", "module")
tapes = restored_page("tape", "module")
quadratic, regression, billiards = lent("quadratics"), lent("regressions"), lent("tables")
robot, tape = lent("robots"), lent("tapes")


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize(
    ("name", "button"),
    [("regression", ".descend"), ("billiards", ".optimise"), ("robot", ".play"), ("tape", ".play")],
)
def test_a_running_animation_is_announced_at_most_once_a_second(
    request: pytest.FixtureRequest, name: str, button: str
) -> None:
    page: Page = request.getfixturevalue(name)
    page.wait_for_timeout(ANNOUNCED_MS)  # what the page says after the last test
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


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize(("name", "held", "key", "told"), TOLD)
def test_a_change_by_keys_is_announced(
    request: pytest.FixtureRequest, name: str, held: str, key: str, told: str
) -> None:
    page: Page = request.getfixturevalue(name)
    page.evaluate(LISTEN)
    page.locator(held).focus()
    for _ in range(3):
        page.keyboard.press(key)
    expect(page.locator(".live")).to_contain_text(told)
    page.wait_for_timeout(2000)
    heard: list[tuple[float, str]] = page.evaluate("() => window.heard")
    assert len([text for _, text in heard if told in text]) <= 3
