"""The playground in a browser: programs run, err, stop and light up; links and packages do no harm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

READY = "Python is ready"
PROGRAM = """import eglantine as eg

@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x ** y + eg.math.sin(x)

print("here", f(2.0, 3.0))
"""
ENDLESS = "print('begun')\nwhile True:\n    pass\n"
ENDLESS_WITHIN = "def wait():\n    while True:\n        pass\n\nwait()"


@pytest.fixture
def playground(page: Page) -> Page:
    """The playground with its editor and Python there."""
    page.goto("playground.html")
    settled(page)
    return page


def settled(page: Page) -> None:
    """Wait for the editor and for Python."""
    expect(page.locator(".cm-content")).to_be_visible()
    expect(page.locator(".python")).to_have_text(READY, timeout=60_000)


def write(page: Page, text: str) -> None:
    """Put a program in the place of the one in the editor."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def read(page: Page) -> str:
    """The program in the editor."""
    lines = page.locator(".cm-line").all_text_contents()
    return "\n".join(lines)


def run(page: Page, text: str | None = None) -> Locator:
    """Run a program, and return where its output stands."""
    if text is not None:
        write(page, text)
    page.locator(".run").click()
    expect(page.locator(".run")).to_have_attribute("aria-disabled", "false", timeout=60_000)
    return page.locator(".output")


def token(page: Page, text: str, inside: str = "") -> Any:
    """The middle of a piece of the program on the screen."""
    line = page.locator(".cm-line", has_text=inside or text).first
    box = line.bounding_box()
    assert box is not None
    content = line.text_content() or ""
    at = content.index(text) + len(text) / 2
    width = page.evaluate(
        """() => { const line = document.querySelector('.code-host').shadowRoot.querySelector('.cm-line');
        const range = document.createRange(); range.selectNodeContents(line);
        return range.getBoundingClientRect().width / line.textContent.length; }"""
    )
    padding = page.evaluate(
        """() => { const line = document.querySelector('.code-host').shadowRoot.querySelector('.cm-line');
        return parseFloat(getComputedStyle(line).paddingLeft); }"""
    )
    return {"x": box["x"] + padding + at * width, "y": box["y"] + box["height"] / 2}


def lit(page: Page, where: str) -> list[str]:
    """The lines that are lit in a pane."""
    return [text.strip() for text in page.locator(f"#{where} .is-lit").all_text_contents()]


# ---------------------------------------------------------------- running


def test_a_program_runs_and_its_function_is_shown_on_its_way_to_bytes(playground: Page) -> None:
    page = playground
    output = run(page, PROGRAM)
    expect(output).to_contain_text("here 8.9092974268")
    expect(page.locator("[name=function]")).to_have_value("f")
    expect(page.locator("#rows")).to_contain_text("pow %1 %2")
    expect(page.locator("#wat")).to_contain_text("call $pow")
    expect(page.locator(".cost")).to_have_text(re.compile(r"compiled in [\d.]+\sms · [\d,]+ bytes"))
    page.select_option("[name=kind]", "value")
    page.locator(".call input").nth(0).fill("2")
    page.locator(".call input").nth(1).fill("3")
    expect(page.locator(".call output")).to_have_text(re.compile(r"^8\.909297426825"))
    page.select_option("[name=kind]", "gradient")
    expect(page.locator(".call output")).to_have_text(re.compile(r"^\(11\.58385316345"))
    page.get_by_role("button", name="Bytes").click()
    expect(page.locator("#bytes")).to_contain_text("0000 00 61 73 6d")


def test_every_example_runs(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "60")
    for name in page.locator("[name=program] option").evaluate_all("all => all.map(option => option.value)"):
        page.select_option("[name=program]", name)
        expect(page.locator(".cm-content")).to_contain_text("eglantine as eg")
        page.locator(".run").click()
        expect(page.locator(".output .remark")).to_contain_text("Ran in", timeout=60_000)
        expect(page.locator(".output .mistake-note")).to_have_count(0)
        expect(page.locator("#rows .has-place").first).to_be_attached()


def test_a_mistake_is_marked_at_its_line_and_leads_there(playground: Page) -> None:
    page = playground
    output = run(page, PROGRAM.replace("eg.math.sin(x)", "eg.math.sen(x)"))
    expect(output).to_contain_text("sen")
    expect(page.locator(".cm-lintRange-error")).to_have_text(re.compile("eg.math.sen"))
    marker, gutter = (
        page.locator(part).bounding_box() for part in (".cm-lint-marker-error", ".cm-gutter-lint")
    )
    assert marker is not None
    assert gutter is not None
    assert gutter["x"] <= marker["x"]
    assert marker["x"] + marker["width"] <= gutter["x"] + gutter["width"]
    page.get_by_role("button", name="Line 5").click()
    page.keyboard.press("Shift+End")
    assert page.evaluate("() => document.activeElement.shadowRoot.getSelection().toString()").startswith(
        "    return"
    )
    run(page, "x = 1\nif x > 0\n    pass\n")
    expect(page.locator(".output")).to_contain_text("Line 2")
    expect(page.locator(".output")).to_contain_text("SyntaxError")


def test_calls_that_come_again_and_again_are_told_once(playground: Page) -> None:
    output = run(playground, "def f(n):\n    return f(n + 1)\n\nf(0)\n")
    expect(output).to_contain_text("RecursionError")
    expect(output.locator(".go")).to_have_text(["Line 2", "called in line 4", "called in line 2, f"])
    expect(output).to_contain_text("again and again")


def test_all_that_a_program_prints_is_shown_in_pieces_cut_at_lines(playground: Page) -> None:
    lines = 3_000
    output = run(
        playground, f"for k in range({lines}):\n    print('line', k)\nprint('no end of line', end='')"
    )
    expect(output.locator(".remark")).to_contain_text("Ran in")
    pieces = output.locator(".printed").all_text_contents()
    assert "".join(pieces) == "".join(f"line {k}\n" for k in range(lines)) + "no end of line"
    assert all(piece.endswith("\n") for piece in pieces[:-1])
    assert len(pieces) > 1
    bottom = "log => log.scrollHeight - log.clientHeight - log.scrollTop"
    assert output.evaluate(bottom) <= 1


def test_errors_of_the_compiler_stand_at_the_token(playground: Page) -> None:
    page = playground
    run(page, PROGRAM.replace("return x ** y", "return y if x > 0 else x ** y"))
    expect(page.locator(".output")).to_contain_text("select")
    expect(page.locator(".cm-lintRange-error")).to_have_text("x > 0")


# ---------------------------------------------------------------- lighting up


def test_a_token_lights_its_rows_its_derivatives_and_their_instructions(playground: Page) -> None:
    page = playground
    run(page, PROGRAM)
    expect(page.locator("#rows .has-place").first).to_be_attached()
    place = token(page, "eg.math.sin", "return")
    page.mouse.click(place["x"], place["y"])
    expect(page.locator(".cm-lit")).to_have_text("eg.math.sin(x)")
    assert [text.split(" = ")[1] for text in lit(page, "rows")] == ["sin %1", "cos %1"]
    assert page.locator("#rows .is-lit.is-derived").all_text_contents() == [
        page.locator("#rows > div", has_text="cos").text_content()
    ]
    assert "call $cos" in lit(page, "wat")
    assert page.locator("#wat .is-lit.is-derived", has_text="call $cos").count() == 1
    expect(page.locator(".live")).to_have_text(re.compile("derivatives"))
    page.get_by_role("button", name="traced").click()
    assert [text.split(" = ")[1] for text in lit(page, "rows")] == ["sin %1"]
    page.get_by_role("button", name="Bytes").click()
    assert "10 " in " ".join(lit(page, "bytes")), "the opcode of a call"


def test_a_parameter_lights_what_reads_it_and_its_derivative_and_return_the_whole_result(
    playground: Page,
) -> None:
    page = playground
    run(page, PROGRAM)
    expect(page.locator("#rows .has-place").first).to_be_attached()
    place = token(page, "x", "def f")
    page.mouse.click(place["x"], place["y"])
    expect(page.locator(".cm-lit")).to_have_text("x")
    rows = lit(page, "rows")
    assert rows[0].startswith('"grad of f"(%1')
    assert rows[-1].startswith("return ")
    assert "f64.load offset=64" in lit(page, "wat")
    place = token(page, "return")
    page.mouse.click(place["x"], place["y"])
    expect(page.locator(".cm-lit").first).to_have_text("return x ** y + eg.math.sin(x)")
    shown = page.locator("#rows > div").all_text_contents()
    assert lit(page, "rows") == [line.strip() for line in shown[1:]], "all but the parameters"


def test_a_row_and_an_instruction_light_the_token(playground: Page) -> None:
    page = playground
    run(page, PROGRAM)
    page.locator("#rows > div", has_text="cos %1").click()
    expect(page.locator(".cm-lit")).to_have_text("eg.math.sin(x)")
    page.locator("#wat > div", has_text="call $pow").first.click()
    expect(page.locator(".cm-lit")).to_have_text("x ** y")
    assert any("pow" in text for text in lit(page, "rows"))


def test_a_pointer_over_a_token_lights_for_as_long_as_it_is_there(playground: Page) -> None:
    page = playground
    run(page, PROGRAM)
    expect(page.locator("#rows .has-place").first).to_be_attached()
    place = token(page, "**", "return")
    page.mouse.move(place["x"], place["y"])
    expect(page.locator(".cm-lit")).to_have_text("x ** y")
    page.locator(".output").hover()
    expect(page.locator(".cm-lit")).to_have_count(0)


def test_what_is_lit_goes_when_the_program_changes(playground: Page) -> None:
    page = playground
    run(page, PROGRAM)
    page.locator("#rows > div", has_text="cos %1").click()
    expect(page.locator(".cm-lit")).to_have_count(1)
    page.locator(".cm-content").click()
    page.keyboard.type("#")
    expect(page.locator("main")).to_have_class(re.compile("is-stale"))
    page.keyboard.press("Backspace")
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))


# ---------------------------------------------------------------- the editor


def test_names_of_the_package_are_offered_with_what_they_are(playground: Page) -> None:
    page = playground
    write(page, "import eglantine as eg\neg.gra")
    page.keyboard.type("d")
    option = page.locator(".cm-tooltip-autocomplete li", has_text="grad").first
    expect(option).to_contain_text("(f, argnums=0)")
    expect(page.locator(".cm-completionInfo")).to_contain_text("gradient of f")
    page.wait_for_timeout(100)  # the editor takes no key for a moment after its list has opened
    page.keyboard.press("Enter")
    assert read(page).endswith("eg.grad")
    page.keyboard.type("(eg.math.si")
    expect(page.locator(".cm-tooltip-autocomplete li", has_text="sinh").first).to_be_visible()


def test_without_the_editor_the_plain_text_does_all(page: Page) -> None:
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
    assert page.evaluate("document.activeElement.shadowRoot === null"), "Escape, Tab leaves"
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


# ---------------------------------------------------------------- stopping


def ended(page: Page, act: Callable[[], object]) -> str:
    """What is told of a program that was ended; where the machine was too busy for its line, another time."""
    told = ""
    for _ in range(4):
        expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
        act()
        expect(page.locator(".output .remark")).to_contain_text("Stopped", timeout=10_000)
        told = page.locator(".output .remark").inner_text()
        if told.startswith("Line"):
            break
    return told


def test_an_endless_program_is_stopped_and_nothing_is_lost(playground: Page) -> None:
    page = playground
    write(page, ENDLESS)

    def stopped() -> None:
        page.locator(".run").click()
        expect(page.locator(".output")).to_contain_text("begun")
        page.locator(".stop").click()

    assert re.match("Line [23] Stopped", ended(page, stopped))
    assert read(page) == ENDLESS
    page.locator(".output .remark .go").click()
    expect(page.locator(".cm-content")).to_be_focused()
    expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
    expect(run(page, "print(6 * 7)")).to_contain_text("42")


def test_a_program_that_takes_too_long_is_stopped_by_itself(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "2")
    write(page, ENDLESS_WITHIN)
    told = ended(page, lambda: run(page))
    assert re.match(r"Line [23] Stopped after 2\ss", told)
    assert "called in line 5" in told
    assert read(page) == ENDLESS_WITHIN
    page.select_option("[name=limit]", "60")
    expect(run(page, "print(6 * 7)")).to_contain_text("42", timeout=60_000)


def test_an_endless_loop_of_compiled_code_ends_as_an_error(playground: Page) -> None:
    page = playground
    run(
        page,
        "import eglantine as eg\n\n@eg.fn\ndef f(x: eg.Real) -> eg.Real:\n"
        "    return eg.while_loop(lambda c: c > 0.0, lambda c: c * 1.0, x)\n",
    )
    page.select_option("[name=kind]", "value")
    expect(page.locator(".call output")).to_contain_text("fuel")
    page.locator(".call input").fill("-1.0")
    expect(page.locator(".call output")).to_have_text("-1.0")
    expect(page.locator(".python")).to_have_text(READY)


@pytest.mark.allow_console
def test_python_that_breaks_down_is_replaced_and_the_program_stays(playground: Page) -> None:
    page = playground
    program = "import js, pyodide_js\nprint('before')\npyodide_js._api.fatal_error(js.Error.new('broken'))\n"
    page.select_option("[name=limit]", "2")
    write(page, program)
    page.locator(".run").click()
    expect(page.locator(".output")).to_contain_text("Your program is still here", timeout=60_000)
    assert read(page) == program
    page.select_option("[name=limit]", "60")
    expect(run(page, "print(6 * 7)")).to_contain_text("42", timeout=60_000)


# ---------------------------------------------------------------- links and packages


def test_a_program_that_came_by_a_link_is_shown_and_not_run(page: Page) -> None:
    text = "print('ran', 1 + 1)\n# é 𝒜\n"
    page.goto(f"playground.html#v=1&code={quote(text)}")
    settled(page)
    assert read(page) == text
    expect(page.locator(".notice")).to_contain_text("came by a link")
    page.wait_for_timeout(300)
    expect(page.locator(".output")).to_be_empty()
    expect(run(page)).to_contain_text("ran 2")


@pytest.mark.parametrize(
    ("fragment", "why"),
    [
        ("v=2&code=print(1)", "another version"),
        ("v=1&code=%E0%A4%A", "damaged"),
        ("v=1&run=1&code=print(1)", "damaged"),
        ("v=1&code=%00", "cannot be shown"),
        ("v=1&code=%E2%80%AE", "cannot be shown"),
        ("v=1&code=" + "a" * 70_000, "too long"),
    ],
)
def test_a_hostile_link_is_refused_with_a_sentence(page: Page, fragment: str, why: str) -> None:
    page.goto(f"playground.html#{fragment}")
    expect(page.locator(".notice")).to_contain_text(why)
    settled(page)
    assert "import eglantine as eg" in read(page)


def test_a_link_that_is_opened_in_the_open_page_is_shown_and_can_be_undone(
    playground: Page,
) -> None:
    page = playground
    write(page, PROGRAM)
    page.wait_for_timeout(600)  # what is typed within half a second is undone together
    page.evaluate("() => { location.hash = `v=1&code=${encodeURIComponent(\"print('ran')\")}`; }")
    expect(page.locator(".notice")).to_contain_text("came by a link")
    assert read(page) == "print('ran')"
    expect(page.locator(".output")).to_be_empty()
    page.locator(".cm-content").press("Control+z")
    assert read(page) == PROGRAM
    page.evaluate("() => { location.hash = 'v=2&code=print(1)'; }")
    expect(page.locator(".notice")).to_contain_text("another version")
    assert read(page) == PROGRAM


def test_a_link_brings_the_program_back(playground: Page, base_url: str) -> None:
    page = playground
    write(page, PROGRAM)
    page.context.grant_permissions(["clipboard-write"])
    page.locator(".share").click()
    expect(page.locator(".notice")).not_to_be_empty()
    other = page.context.new_page()
    other.goto(page.url)
    settled(other)
    assert read(other) == PROGRAM


def test_a_package_that_is_not_beside_the_page_is_an_error_at_its_line(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "60")
    output = run(page, "import micropip\nawait micropip.install('numpy')\nprint('never')\n")
    expect(output).to_contain_text("Line 2")
    expect(output).to_contain_text("no package 'numpy' beside this page")
    expect(output).not_to_contain_text("never")
    output = run(
        page, "import micropip\nawait micropip.install('mpmath')\nimport mpmath\nprint(mpmath.mpf(2) ** 10)\n"
    )
    expect(output).to_contain_text("1024")


# ---------------------------------------------------------------- small screens


def test_at_320_pixels_nothing_is_cut_off_and_a_tap_runs(browser: Any, base_url: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, base_url=base_url)
    page = context.new_page()
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


def test_the_editors_arrival_moves_nothing(page: Page) -> None:
    page.goto("playground.html")
    before = page.locator(".code").bounding_box()
    below = page.locator(".output").bounding_box()
    settled(page)
    assert page.locator(".code").bounding_box() == before
    assert page.locator(".output").bounding_box() == below


def test_a_program_with_more_passes_moves_no_pane(page: Page) -> None:
    page.goto("playground.html")
    settled(page)
    run(page)
    before = page.locator("#rows").bounding_box()
    for program, passes in (("newton", 3), ("network", 5)):
        page.locator("[name=program]").select_option(program)
        expect(page.locator(".cm-content")).not_to_contain_text("derivatives and their WebAssembly")
        run(page)
        expect(page.locator(".stages button")).to_have_count(passes)
        assert page.locator("#rows").bounding_box() == before
