"""The page Tape in a real browser: it shows the steps of a formula and of its derivative."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import eglantine as eg
from e2e.conftest import open_link
from e2e.shared_pages import lent, restored_page
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, field, number
from eglantine import formulas

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.without_python

LINK = "v=1&preset=power&f=x%5Ey&at=2,3&to=1,0.5&mode=gradient&step=2"


asleep = restored_page("tape", "module")
awake = restored_page("tape", "module", wakes=True)
tape = lent("asleep")
"""The page in its first state, without Python."""
compiling = lent("awake")
"""The page in its first state, with Python ready."""


def box(page: Page, name: str) -> Locator:
    """A row in the graph."""
    return page.locator(f".box[data-node={name}]")


def line(page: Page, name: str) -> Locator:
    """A row of the table."""
    return page.locator(f".tape-table tr[data-node={name}]")


def column(page: Page, name: str, k: int) -> float | None:
    """Return the number in row `name` and column k of the table, or None if the cell is still empty.

    Column 0 contains the values, and column 1 the cotangents or tangents.
    """
    page.evaluate(NEXT_FRAME)
    text = line(page, name).locator("data").nth(k).get_attribute("value")
    return float(text) if text else None


def seek(page: Page, step: int) -> None:
    """Show another step."""
    field(page, "step").fill(str(step))


def test_the_textbook_examples_values_and_cotangents_need_no_python(tape: Page) -> None:
    assert number(tape, "data.result-f") == math.log(2) + 10 - math.sin(5)
    assert number(tape, "data.result-x") == 5.5
    assert number(tape, "data.result-y") == 2 - math.cos(5)
    assert column(tape, "v4", 0) == math.sin(5)
    assert column(tape, "v4", 1) == -1
    assert column(tape, "x", 1) == 5.5


def test_the_numbers_follow_the_inputs_at_once(tape: Page) -> None:
    field(tape, "x").fill("3")
    field(tape, "y-range").fill("-1.5")
    f = formulas.to_fn("log(x) + x y - sin(y)")
    gradient = eg.grad(f, (0, 1))(3.0, -1.5)
    assert number(tape, "data.result-f") == f(3.0, -1.5)
    assert (number(tape, "data.result-x"), number(tape, "data.result-y")) == gradient
    assert (column(tape, "x", 1), column(tape, "y", 1)) == gradient


def test_in_forward_mode_a_row_shows_its_value_after_its_step(tape: Page) -> None:
    seek(tape, 0)
    assert column(tape, "x", 0) == 2
    assert column(tape, "v1", 0) is None
    expect(box(tape, "v1")).to_have_accessible_name("v1 = ln x not known yet")
    field(tape, "step").focus()
    tape.keyboard.press("ArrowRight")
    assert column(tape, "v1", 0) == math.log(2)
    assert column(tape, "v2", 0) is None
    tape.keyboard.press("End")
    assert column(tape, "v5", 0) == math.log(2) + 10 - math.sin(5)
    tape.keyboard.press("Home")
    assert column(tape, "v1", 0) is None


def test_in_reverse_mode_a_cotangent_grows_by_the_term_of_each_user(tape: Page) -> None:
    seek(tape, 6)  # after five rows and the seed
    assert column(tape, "v5", 1) == 1
    assert column(tape, "v3", 1) is None
    seek(tape, 8)
    assert column(tape, "y", 1) == -math.cos(5)
    expect(line(tape, "y").locator(".from")).to_have_text("\u22120.28366 from v4")
    seek(tape, 10)
    assert column(tape, "y", 1) == 2 - math.cos(5)
    expect(line(tape, "y").locator(".from")).to_have_text("\u22120.28366 from v4 + 2 from v2")
    expect(line(tape, "y").locator(".from sub")).to_have_text(["4", "2"])
    expect(tape.locator(".now sub")).to_have_text(["2"])


def test_the_graph_and_the_table_show_the_same_numbers(tape: Page) -> None:
    for step in range(12):
        seek(tape, step)
        tape.evaluate(NEXT_FRAME)
        for name in ("x", "y", "v1", "v2", "v3", "v4", "v5"):
            shown = [
                box(tape, name).locator(f".box-{kind}").text_content() or "" for kind in ("value", "slope")
            ]
            told = [line(tape, name).locator("data").nth(k).text_content() or "" for k in (0, 1)]
            assert [text.strip() for text in shown] == told


def test_a_chosen_row_shows_its_operands_slopes_and_sums(tape: Page) -> None:
    box(tape, "v2").click()
    detail = tape.locator(".detail")
    expect(detail).to_contain_text("v2 = x \u00b7 y = 10")
    expect(detail).to_contain_text("where x = 2 \u00b7 y = 5".replace(" \u00b7 ", " "))
    expect(detail.locator(".partial").nth(0)).to_contain_text("\u2202v2/\u2202x")
    expect(detail.locator(".partial").nth(0).locator("b")).to_have_text("5")
    expect(detail.locator(".partial").nth(0)).to_contain_text("\u00d7 cotangent 1 = 5, passed on to x")
    box(tape, "x").click()
    expect(detail.locator("li")).to_have_text(["5 from v2", "5 + 0.5 = 5.5 from v1"])
    expect(box(tape, "x")).to_have_attribute("aria-pressed", "true")


def test_a_partial_derivative_is_a_formula_of_the_compilers_table(tape: Page) -> None:
    field(tape, "preset").select_option("power")
    box(tape, "v1").click()
    first = tape.locator(".partial").nth(0)
    expect(first.locator(".katex annotation").first).to_have_text("y x^{y-1}")
    expect(first.locator("b")).to_have_text("12")
    expect(tape.locator(".partial").nth(1).locator("b")).to_have_text("5.54517744")
    expect(tape.locator(".box")).to_have_count(3)


def test_tangents_are_computed_forward_along_a_direction(tape: Page) -> None:
    tape.get_by_label("Tangents: forwards").check()
    field(tape, "dx").fill("0.5")
    field(tape, "dy").fill("-1")
    f = formulas.to_fn("log(x) + x y - sin(y)")
    _, tangent = eg.jvp(f, (2.0, 5.0), (0.5, -1.0))
    assert number(tape, "data.result-d") == tangent
    assert column(tape, "v5", 1) == tangent
    expect(tape.locator(".slope-name")).to_have_text("Tangent")
    tape.get_by_label("Values", exact=True).check()
    expect(tape.locator(".slope-name")).to_be_hidden()


def test_a_formula_that_is_typed_gets_its_tape(compiling: Page) -> None:
    field(compiling, "formula").fill("exp(x y) / (1 + x^2)")
    expect(compiling.locator(".cost")).to_contain_text("compiled here")
    f = formulas.to_fn("exp(x y) / (1 + x^2)")
    field(compiling, "x").fill("0.5")
    field(compiling, "y").fill("1.25")
    assert number(compiling, "data.result-f") == f(0.5, 1.25)
    gradient = eg.grad(f, (0, 1))(0.5, 1.25)
    assert (number(compiling, "data.result-x"), number(compiling, "data.result-y")) == gradient
    compiling.locator(".undo").click()
    compiling.locator(".undo").click()
    compiling.locator(".undo").click()
    expect(field(compiling, "formula")).to_have_value("log(x) + x y - sin(y)")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sen(x)", "Did you mean"),
        ("2^3", "The formula is a constant"),
        ("+".join(f"sin({k} x)" for k in range(2, 30)), "at most 40 fit in this picture"),
    ],
)
def test_a_formula_without_a_tape_gets_a_sentence_and_the_last_tape_stays(
    compiling: Page, text: str, sentence: str
) -> None:
    note = compiling.locator(".note")
    field(compiling, "formula").fill(text)
    expect(note).to_contain_text(sentence)
    expect(box(compiling, "v5")).to_be_visible()


def test_the_player_goes_through_all_steps_and_pauses(tape: Page) -> None:
    field(tape, "speed").select_option("0.5")  # slow enough for a busy machine to see each phase
    tape.keyboard.press("p")
    expect(tape.locator(".play")).to_have_text("Pause")
    expect(tape.locator(".edge.is-forward").first).to_be_attached()
    expect(tape.locator(".dots circle").first).to_be_attached()
    seek(tape, 6)
    tape.locator(".play").click()
    expect(tape.locator(".edge.is-back").first).to_be_attached()
    tape.keyboard.press("p")
    expect(tape.locator(".play")).to_have_text("Play")
    tape.locator(".first").click()
    expect(field(tape, "step")).to_have_value("0")
    tape.locator(".forward").click()
    expect(tape.locator(".now")).to_have_text("Forwards: v1 is 0.69315.")
    tape.locator(".last").click()
    tape.locator(".back").click()
    expect(field(tape, "step")).to_have_value("10")


def test_with_reduced_motion_no_dots_travel_along_the_edges(tape: Page) -> None:
    tape.emulate_media(reduced_motion="reduce")
    field(tape, "speed").select_option("0.5")
    tape.locator(".play").click()
    expect(field(tape, "step")).to_have_value(re.compile("^[2-9]$"))
    expect(tape.locator(".dots circle")).to_have_count(0)


def test_rows_are_reached_and_chosen_by_keys(tape: Page) -> None:
    box(tape, "x").focus()
    for _ in range(4):
        tape.keyboard.press("Tab")
    expect(box(tape, "v3")).to_be_focused()
    tape.keyboard.press("Enter")
    expect(tape.locator(".detail-head")).to_contain_text("v3")


def test_each_step_announces_its_effect(tape: Page) -> None:
    seek(tape, 1)
    expect(tape.locator(".live")).to_have_text("Forwards: v1 is 0.69315.")
    expect(field(tape, "step")).to_have_attribute("aria-valuetext", "Forwards: v1 is 0.69315.")


def test_a_link_holds_the_formula_its_inputs_and_the_step(tape: Page, server_url: str) -> None:
    tape.goto(f"{server_url}tape.html#{LINK}")
    tape.reload()
    expect(field(tape, "formula")).to_have_value("x^y")
    expect(field(tape, "step")).to_have_value("2")
    assert column(tape, "v1", 0) == 8
    assert column(tape, "x", 1) is None
    seek(tape, 3)
    tape.wait_for_url("**/*step=3")


@pytest.mark.parametrize("change", ["at=2,3>at=2", "step=2>step=-1", "preset=power>preset=x", "v=1>v=9"])
def test_a_link_that_is_not_ours_is_refused_with_a_sentence(tape: Page, server_url: str, change: str) -> None:
    open_link(tape, f"{server_url}tape.html#{LINK.replace(*change.split('>'))}")
    expect(tape.locator(".notice")).to_contain_text("not used")
    expect(box(tape, "v5")).to_be_visible()


@pytest.mark.allow_console
@pytest.mark.with_python
def test_without_python_the_examples_work(page: Page, server_url: str) -> None:
    page.route("**/vendor/pyodide/**", lambda route: route.abort())
    page.goto(f"{server_url}tape.html")
    expect(page.locator("main")).to_have_attribute("data-python", "failed", timeout=PYTHON_TIMEOUT_MS)
    expect(page.locator(".note")).to_contain_text("Python did not load")
    field(page, "preset").select_option("distance")
    assert number(page, "data.result-f") == 5
    assert (number(page, "data.result-x"), number(page, "data.result-y")) == pytest.approx((0.6, 0.8))


def test_rows_have_distinct_places_and_each_edge_passes_every_layer(tape: Page) -> None:
    layout = tape.evaluate(
        """async () => {
          const { layersOf } = await import(new URL("js/pages/tape/layers.js", document.baseURI));
          const needs = [[], []];
          for (let k = 2; k < 40; k++) needs.push([(k * 7) % k, k % 3 === 0 ? null : (k * 5 + 1) % k]);
          return layersOf(needs);
        }"""
    )
    places = [(spot["layer"], spot["at"]) for spot in layout["spots"]]
    places += [(spot["layer"], spot["at"]) for route in layout["routes"] for spot in route["through"][1:-1]]
    assert len(set(places)) == len(places)
    for route in layout["routes"]:
        layers = [spot["layer"] for spot in route["through"]]
        assert layers == list(range(layers[0], layers[-1] + 1))
        assert route["through"][0] == layout["spots"][route["from"]]
        assert route["through"][-1] == layout["spots"][route["to"]]


@pytest.mark.parametrize("width", [1280, 768, 320])
def test_the_whole_name_of_every_row_is_seen(tape: Page, width: int) -> None:
    tape.set_viewport_size({"width": width, "height": 800})
    field(tape, "preset").select_option("larger")
    expect(box(tape, "v3").locator(".box-name")).to_have_text("v3 = max(v1, v2)")
    tape.evaluate(NEXT_FRAME)
    cut = tape.evaluate(
        """() => [...document.querySelectorAll(".box-name, .box")]
          .filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
          .map((part) => part.textContent)"""
    )
    assert cut == []


LONG = "((((x+y)*x+y)*x+y)*x+y)*x+y*sin(x*y)*cos(x+y)*exp(x-y)"
"""A formula whose graph is wider than the screen in each of these tests."""


def test_labels_along_a_line_are_not_hidden_by_the_boxes_beside_it(compiling: Page) -> None:
    compiling.locator("#formula").fill("exp(-x^2/2)/sqrt(2 pi)")
    expect(box(compiling, "v4")).to_be_attached()
    compiling.evaluate(NEXT_FRAME)
    counts = compiling.evaluate(
        """() => {
          const all = (selector) => [...document.querySelectorAll(selector)];
          const rects = (selector) => all(selector).map((part) => part.getBoundingClientRect());
          const labels = rects(".edge-label").filter(({ width }) => width > 0);
          const boxes = rects(".box");
          const hidden = labels.flatMap((label) => boxes.map((box) => {
            const isBeside = label.bottom < box.top || label.top > box.bottom;
            return isBeside ? 0 : Math.min(label.right, box.right) - Math.max(label.left, box.left);
          }));
          const cut = all(".box-slope").filter((part) => part.scrollWidth > part.clientWidth);
          return { labels: labels.length, hidden: Math.max(...hidden), cut: cut.length };
        }"""
    )
    assert counts["labels"] == 1
    assert counts["hidden"] <= 2
    assert counts["cut"] == 0


def test_in_a_wide_graph_the_row_of_each_step_is_in_sight(compiling: Page) -> None:
    compiling.set_viewport_size({"width": 320, "height": 640})
    compiling.locator("#formula").fill(LONG)
    expect(box(compiling, "v16")).to_be_attached()
    steps = int(field(compiling, "step").get_attribute("max") or 0)
    for step in range(1, steps + 1):
        seek(compiling, step)
        compiling.evaluate(NEXT_FRAME)
        ends = compiling.evaluate(
            """() => {
              const box = document.querySelector(".box.is-now").getBoundingClientRect();
              const place = document.querySelector(".graph").getBoundingClientRect();
              return [box.left - place.left, place.right - box.right];
            }"""
        )
        assert min(ends) >= 0, step


SLOPES = {
    r"\frac{1}{x}": r"\frac{1}{{2}}",
    r"x^{2}+y^{2}": r"{2}^{2}+{(-5)}^{2}",
    r"2x": r"2{(2)}",
    r"x y": r"{(2)} {(-5)}",
    r"-\frac{y}{x^{2}}": r"-\frac{{-5}}{{2}^{2}}",
    r"\psi^{(3)}\left(x\right)": r"\psi^{(3)}\left({2}\right)",
    r"x^{y-1} \ln x": r"{2}^{{-5}-1} \ln {(2)}",
    r"v_{1} v_{2}": r"{(0.001)} {(1\cdot 10^{20})}",
    r"\frac{1}{v_{2}}": r"\frac{1}{{1\cdot 10^{20}}}",
}


def test_a_number_in_a_slope_gets_brackets_where_it_would_be_misread(tape: Page) -> None:
    written = tape.evaluate(
        """async (slopes) => {
          const { withNumbers } = await import(new URL("js/pages/tape/detail.js", document.baseURI));
          const nodes = ["x", "y", "v1", "v2"].map((name, value) => ({ name, value }));
          return slopes.map((tex) => withNumbers(tex, nodes, [2, -5, 0.001, 1e20]));
        }""",
        list(SLOPES),
    )
    assert dict(zip(SLOPES, written, strict=True)) == SLOPES


@pytest.mark.parametrize("mode", ["gradient", "tangents"])
def test_the_tables_columns_do_not_move_when_numbers_appear(tape: Page, mode: str) -> None:
    tape.locator(f"[name=mode][value={mode}]").check()
    heads = tape.locator(".tape-table thead th")
    places = "all => all.map((head) => head.getBoundingClientRect().left)"
    seen = set()
    for step in range(int(field(tape, "step").get_attribute("max") or 0) + 1):
        seek(tape, step)
        tape.evaluate(NEXT_FRAME)
        seen.add(tuple(heads.evaluate_all(places)))
    assert len(seen) == 1


def test_a_chunk_shows_both_tangents_side_by_side(tape: Page) -> None:
    field(tape, "preset").select_option("slides")
    tape.get_by_label("Both tangents at once").check()
    last = tape.locator(".tape-table tbody tr").last
    expect(last.locator("td.chunk data")).to_have_text(["0.29193", "\u22120.70807"])
    expect(last.locator("td").nth(1)).to_have_text("0.45465")
    expect(tape.locator(".detail")).to_contain_text("by x 0.29192")
    tape.locator(".first").click()
    expect(last.locator("td.chunk data").first).to_be_empty()
    for _ in range(3):
        tape.locator(".forward").click()
    expect(tape.locator(".now")).to_contain_text("in the direction of x")
    expect(tape).to_have_url(re.compile("mode=chunk"))
