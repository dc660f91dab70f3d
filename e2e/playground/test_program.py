"""The playground in a real browser: it runs programs, and explains their mistakes."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

import eglantine as eg
from e2e.playground.conftest import PROGRAM, run
from tests.seeds import NIGHTLY

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONGEST_PIECE = 4_100
"""The number of characters that a piece of output must not reach.

When more output comes, the browser must lay out the last piece again.
"""


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


USUAL = {"digits", "network"}
"""The examples that run by day, because they load a package or compute for a long time.

`tests/app` runs all other examples on CPython.
"""


def test_every_example_runs(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "60")
    names = page.locator("[name=program] option").evaluate_all("all => all.map(option => option.value)")
    assert set(names) >= USUAL
    for name in names if NIGHTLY else USUAL:
        page.select_option("[name=program]", name)
        expect(page.locator(".cm-content")).to_contain_text("eglantine as eg")
        page.locator(".run").click()
        expect(page.locator(".output .remark")).to_contain_text("Ran in", timeout=60_000)
        expect(page.locator(".output .mistake-note")).to_have_count(0)
        expect(page.locator("#rows .has-place").first).to_be_attached()


def test_a_mistake_is_marked_at_its_line_and_its_message_leads_there(playground: Page) -> None:
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


def test_repeated_calls_are_reported_once(playground: Page) -> None:
    output = run(playground, "def f(n):\n    return f(n + 1)\n\nf(0)\n")
    expect(output).to_contain_text("RecursionError")
    expect(output.locator(".go")).to_have_text(["Line 2", "called in line 4", "called in line 2, f"])
    expect(output).to_contain_text("again and again")


def test_a_programs_output_is_shown_in_pieces_cut_at_lines(playground: Page) -> None:
    lines = 3_000
    output = run(
        playground, f"for k in range({lines}):\n    print('line', k)\nprint('no end of line', end='')"
    )
    expect(output.locator(".remark")).to_contain_text("Ran in")
    pieces = output.locator(".printed").all_text_contents()
    assert "".join(pieces) == "".join(f"line {k}\n" for k in range(lines)) + "no end of line"
    assert all(piece.endswith("\n") for piece in pieces[:-1])
    assert max(map(len, pieces)) < LONGEST_PIECE
    bottom = "log => log.scrollHeight - log.clientHeight - log.scrollTop"
    assert output.evaluate(bottom) <= 1


def test_errors_of_the_compiler_are_marked_at_their_token(playground: Page) -> None:
    page = playground
    run(page, PROGRAM.replace("return x ** y", "return y if x > 0 else x ** y"))
    expect(page.locator(".output")).to_contain_text("select")
    expect(page.locator(".cm-lintRange-error")).to_have_text("x > 0")


def test_help_shows_the_docstrings_of_public_names(playground: Page) -> None:
    output = run(
        playground,
        "import eglantine as eg\n"
        "help(eg.grad)\nhelp(eg.math.sin)\nhelp(eg.Vec)\nhelp(eg.Kernel.batch)\nhelp(eg.ShapeError)\n"
        "from eglantine.functions import derivatives\nprint('private:', derivatives.jvp_fn.__doc__)\n",
    )
    for public in (eg.grad, eg.math.sin, eg.Vec, eg.Kernel.batch, eg.ShapeError):
        lines = inspect.getdoc(public).splitlines()
        for line in (lines[0], lines[-1]):
            expect(output).to_contain_text(line)
    expect(output).to_contain_text("private: None")


def test_an_unknown_name_from_numpy_suggests_eglantines_name(playground: Page) -> None:
    page = playground
    output = run(page, PROGRAM.replace("eg.math.sin(x)", "eg.math.arctan2(x, y)"))
    expect(output).to_contain_text("There is no eg.math.arctan2. Write eg.math.atan2(x, y).")
    expect(page.locator(".cm-lintRange-error")).to_have_text(re.compile("eg.math.arctan2"))
