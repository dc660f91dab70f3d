"""The playground: links, packages, use with the keyboard alone, and small screens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from e2e.conftest import PATIENT
from e2e.playground.conftest import PROGRAM, READY, lit, open_in_place, read, run, settled, write
from e2e.silent_worker import leave_python_asleep

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


def test_the_packages_names_are_offered_with_a_description(playground: Page) -> None:
    page = playground
    write(page, "import eglantine as eg\neg.gra")
    page.keyboard.type("d")
    option = page.locator(".cm-tooltip-autocomplete li", has_text="grad").first
    expect(option).to_contain_text("(f, argnums=0, has_aux=False)")
    expect(page.locator(".cm-completionInfo")).to_contain_text("gradient of f")
    page.wait_for_timeout(100)  # the editor ignores keys for a moment after its list has opened
    page.keyboard.press("Enter")
    assert read(page).endswith("eg.grad")
    page.keyboard.type("(eg.math.si")
    expect(page.locator(".cm-tooltip-autocomplete li", has_text="sinh").first).to_be_visible()


def test_without_the_editor_a_text_area_runs_and_highlights_programs(page: Page) -> None:
    page.route(
        "**/vendor/codemirror.js",
        lambda route: route.fulfill(body="throw new Error()", content_type="text/javascript"),
    )
    page.goto("playground.html")
    expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
    page.locator("textarea").fill(PROGRAM)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".output")).to_contain_text("here 8.9")
    page.evaluate("document.querySelector('textarea').setSelectionRange(92, 94)")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#rows .is-lit").first).to_be_attached()


def test_everything_can_be_done_by_keys_alone(playground: Page) -> None:
    page = playground
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(PROGRAM)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#rows .has-place").first).to_be_attached(timeout=60_000)
    page.keyboard.press("Control+Home")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    for _ in range(13):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".cm-lit")).to_have_text("x ** y")
    page.keyboard.press("Tab")
    assert read(page) == PROGRAM.replace("    return", "        return"), "Tab indents"
    page.keyboard.press("Shift+Tab")
    assert read(page) == PROGRAM
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.shadowRoot === null"), "Escape and Tab leave the editor"
    page.locator("#rows").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#rows .is-active")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".cm-lit")).to_have_count(1)
    page.locator("#wat").focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    expect(page.locator("#wat .is-active")).to_have_text("(module")
    page.get_by_role("button", name="Bytes").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cm-lit")).to_have_text("x")
    assert lit(page, "bytes")[0] == "41 00", "i32.const 0, which reads x"


def test_a_program_that_came_by_a_link_is_shown_and_not_run(page: Page) -> None:
    text = "print('ran', 1 + 1)\n# é 𝒜\n"
    page.goto(f"playground.html#v=1&code={quote(text)}")
    settled(page)
    assert read(page) == text
    expect(page.locator(".notice")).to_contain_text("came from a link")
    page.wait_for_timeout(300)
    expect(page.locator(".output")).to_be_empty()
    expect(run(page)).to_contain_text("ran 2")


HOSTILE = {
    "v=2&code=print(1)": "another version",
    "v=1&code=%E0%A4%A": "damaged",
    "v=1&run=1&code=print(1)": "damaged",
    "v=1&code=%00": "cannot be shown",
    "v=1&code=%E2%80%AE": "cannot be shown",
    "v=1&code=%E2%80%A8": "cannot be shown",
    "v=1&code=%E3%85%A4": "cannot be shown",
    "v=1&code=" + "a" * 70_000: "longer than any link",
}


@pytest.mark.without_python
def test_a_hostile_link_is_refused_with_a_sentence(page: Page) -> None:
    for fragment, why in HOSTILE.items():
        if page.url.startswith("http"):
            page.evaluate("() => { document.querySelector('.notice').textContent = ''; }")
        page.goto(f"playground.html#{fragment}")  # only the first link loads the page
        expect(page.locator(".notice")).to_contain_text(why)
        expect(page.locator(".cm-content")).to_be_visible()
        assert "import eglantine as eg" in read(page), fragment


def test_a_link_opened_in_the_open_page_is_shown_and_can_be_undone(
    playground: Page,
) -> None:
    page = playground
    write(page, PROGRAM)
    page.wait_for_timeout(600)  # one undo removes everything that was typed within half a second
    page.evaluate("() => { location.hash = `v=1&code=${encodeURIComponent(\"print('ran')\")}`; }")
    expect(page.locator(".notice")).to_contain_text("came from a link")
    assert read(page) == "print('ran')"
    expect(page.locator(".output")).to_be_empty()
    page.locator(".cm-content").press("Control+z")
    assert read(page) == PROGRAM
    page.evaluate("() => { location.hash = 'v=2&code=print(1)'; }")
    expect(page.locator(".notice")).to_contain_text("another version")
    assert read(page) == PROGRAM


LEAVES = "import builtins\nbuiltins.left = 1\nprint('left')"
FINDS = "import builtins\nprint('found' if hasattr(builtins, 'left') else 'clean')"


def test_an_edited_program_sees_the_state_of_its_last_run_others_do_not(playground: Page) -> None:
    page = playground
    expect(run(page, LEAVES)).to_contain_text("left")
    expect(run(page, FINDS)).to_contain_text("found")
    open_in_place(page, FINDS + "\n")
    expect(run(page)).to_contain_text("clean")
    expect(run(page, LEAVES)).to_contain_text("left")
    page.locator("[name=program]").select_option("own")
    assert read(page) == FINDS
    expect(run(page)).to_contain_text("clean")


def test_undo_and_redo_switch_between_programs_and_their_states(playground: Page) -> None:
    page = playground
    write(page, FINDS)
    open_in_place(page, LEAVES)
    page.locator(".cm-content").press("Control+End")
    page.keyboard.type("  # at once")
    expect(run(page)).to_contain_text("left")
    content = page.locator(".cm-content")
    while read(page) != FINDS:
        content.press("Control+z")
    expect(run(page)).to_contain_text("clean")
    while "at once" not in read(page):
        content.press("Control+y")
    expect(run(page)).to_contain_text("left")
    while read(page) != FINDS:
        content.press("Control+z")
    expect(run(page)).to_contain_text("clean")


def test_a_link_restores_the_program(playground: Page, base_url: str) -> None:
    page = playground
    write(page, PROGRAM)
    page.context.grant_permissions(["clipboard-write"])
    page.locator(".share").click()
    expect(page.locator(".notice")).not_to_be_empty()
    other = page.context.new_page()
    leave_python_asleep(other)
    other.goto(page.url)
    expect(other.locator(".cm-content")).to_be_visible()
    assert read(other) == PROGRAM


def test_a_package_that_is_not_beside_the_page_is_an_error_at_its_line(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "60")
    output = run(page, "import micropip\nawait micropip.install('numpy')\nprint('never')\n")
    expect(output).to_contain_text("Line 2")
    expect(output).to_contain_text("no package 'numpy' on this site")
    expect(output).not_to_contain_text("never")
    output = run(
        page, "import micropip\nawait micropip.install('mpmath')\nimport mpmath\nprint(mpmath.mpf(2) ** 10)\n"
    )
    expect(output).to_contain_text("1024")


def test_at_320_pixels_nothing_is_cut_off_and_a_tap_runs(browser: Any, base_url: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, base_url=base_url)
    page = context.new_page()
    page.add_init_script(PATIENT)
    page.goto("playground.html")
    settled(page)
    page.locator(".run").tap()
    expect(page.locator("#rows .has-place").first).to_be_attached(timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("#rows > div", has_text="cos").first.tap()
    expect(page.locator(".cm-lit")).to_have_count(1)
    small = page.locator("main button:visible, main select:visible").evaluate_all(
        "all => all.filter(e => e.getBoundingClientRect().height < 24).map(e => e.outerHTML)"
    )
    assert small == []
    context.close()


def test_nothing_moves_when_the_editor_has_loaded(page: Page) -> None:
    page.goto("playground.html")
    before = page.locator(".code").bounding_box()
    below = page.locator(".output").bounding_box()
    settled(page)
    assert page.locator(".code").bounding_box() == before
    assert page.locator(".output").bounding_box() == below


def test_no_pane_moves_when_a_program_has_more_passes(playground: Page) -> None:
    page = playground
    run(page)
    before = page.locator("#rows").bounding_box()
    for program, passes in (("newton", 3), ("network", 5)):
        page.locator("[name=program]").select_option(program)
        run(page)
        expect(page.locator(".stages button")).to_have_count(passes)
        assert page.locator("#rows").bounding_box() == before


def held(page: Page, program: str) -> Route:
    """Choose an example, and delay its program. The result's `continue_()` lets the program arrive."""
    waiting: list[Route] = []
    page.route(f"**/programs/{program}.py", lambda route: waiting.append(route))  # noqa: PLW0108 – Playwright marks it
    page.locator("[name=program]").select_option(program)
    while not waiting:
        page.wait_for_timeout(20)
    return waiting[0]


def test_run_waits_for_the_example_that_was_picked(playground: Page) -> None:
    page = playground
    route = held(page, "newton")
    page.locator(".run").click()
    route.continue_()
    expect(page.locator(".cm-content")).to_contain_text("Newton's method")
    expect(page.locator(".run")).to_have_attribute("aria-disabled", "false", timeout=60_000)
    expect(page.locator(".output")).to_contain_text("cube root of 2")


def test_an_example_that_arrives_late_does_not_replace_a_later_one(playground: Page) -> None:
    page = playground
    route = held(page, "newton")
    page.locator("[name=program]").select_option("network")
    expect(page.locator(".cm-content")).to_contain_text("XOR")
    with page.expect_response("**/programs/newton.py"):
        route.continue_()
    page.wait_for_timeout(100)
    expect(page.locator(".cm-content")).to_contain_text("XOR")
