"""The page Fit in a real browser: it fits formulas, estimates errors, and agrees with NIST's results."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import eglantine as eg
from e2e.conftest import open_link
from e2e.visitor import NEXT_FRAME, drag, field, grip, number, with_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

DOWNLOAD_TIMEOUT_MS = 60_000
PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true }));
}"""
DROP = """(text) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "data.csv", { type: "text/csv" }));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""
XS = [0.5 * k for k in range(12)]
YS = [3.0 * math.exp(-0.8 * x) + 1.0 + 0.02 * (-1) ** k for k, x in enumerate(XS)]


@pytest.fixture
def fit(page: Page, server_url: str) -> Page:
    """Open the page, and wait until it has fitted its first formula."""
    page.goto(f"{server_url}fit.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    expect(page.locator("data.sum")).not_to_be_empty()
    return page


def parameters(page: Page) -> dict[str, float]:
    """Read the values of the fitted parameters, with all their digits."""
    page.evaluate(NEXT_FRAME)
    sliders = page.locator(".parameters input[type=range]")
    return {
        str(slider.get_attribute("name")).removeprefix("slider-"): float(
            slider.get_attribute("data-value") or "nan"
        )
        for slider in sliders.all()
    }


@pytest.mark.without_python
def test_nist_sets_show_certified_digits_before_python_has_loaded(fit: Page) -> None:
    for name in ("Misra1a", "Thurber", "Eckerle4"):
        field(fit, "set").select_option(name)
        cells = fit.locator(".parameters td.certified")
        expect(cells.first).to_contain_text("digits agree")
        expect(fit.locator(".outcome")).to_contain_text("Fitted")
        for text in cells.all_inner_texts():
            assert "all 11" in text or int(text.split("(")[1].split()[0]) >= 9, (name, text)


@pytest.mark.without_python
def test_points_are_dragged_a_letter_is_held_and_changes_are_undone(fit: Page) -> None:
    before = parameters(fit)
    drag(fit, "2", 0, -60)
    dragged = parameters(fit)
    assert dragged["a"] != before["a"]
    field(fit, "parameter-c").fill("15")
    held = parameters(fit)
    assert held["c"] == 15.0
    assert number(fit, "data.freedom") == 12
    expect(field(fit, "hold-c")).to_be_checked()
    expect(fit.locator(".parameters tbody tr").nth(2)).to_contain_text("held")
    field(fit, "lower-b").fill("0.08")
    field(fit, "lower-b").blur()
    assert parameters(fit)["b"] >= 0.08
    for _ in range(3):
        fit.locator(".undo").click()
    assert parameters(fit) == pytest.approx(before, rel=1e-9)
    grip(fit, "3").focus()
    fit.keyboard.press("x")
    assert number(fit, "data.freedom") == 10
    expect(fit.locator(".count")).to_have_text("14 points, 1 left out")
    expect(grip(fit, "3")).to_have_attribute(
        "aria-label",
        "Point 4 of 14 at x 12, y 52.5. It is left out. "
        "Arrow keys move it. X leaves it out. Delete removes it.",
    )


def test_two_pasted_columns_and_a_typed_formula_are_fitted(fit: Page, server_url: str) -> None:
    with_python(fit)
    table = "\n".join(
        ["time\tvalue", *(f"{x}\t{y!r}".replace(".", ",") for x, y in zip(XS, YS, strict=True))]
    )
    fit.evaluate(PASTE, table)
    expect(fit.locator(".notice")).to_have_text("Took 12 points. Skipped 1 line without numbers.")
    fit.locator("[name=formula]").fill("p*exp(-q*x)+r")
    expect(fit.locator(".parameters tbody th").first).to_have_text("p")
    expect(fit.locator(".outcome")).to_contain_text("Fitted")
    expected = eg.curve_fit("p*exp(-q*x)+r", XS, YS, {"p": 3.0, "q": 1.0, "r": 1.0})
    assert parameters(fit) == pytest.approx(expected.x, rel=1e-9)
    assert number(fit, "data.deviation") == pytest.approx(expected.residual_deviation, rel=1e-9)

    with fit.expect_download() as downloading:
        fit.locator(".json").click()
    saved = json.loads(Path(downloading.value.path()).read_text(encoding="utf-8"))
    assert saved["model"] == "p*exp(-q*x)+r"
    deviations = {one["name"]: one["deviation"] for one in saved["parameters"]}
    assert deviations == pytest.approx(expected.deviations, rel=1e-7)
    with fit.expect_download() as downloading:
        fit.locator(".as-python").click()
    program = Path(downloading.value.path()).read_text(encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    printed = {line.split()[0]: float(line.split()[2]) for line in done.stdout.splitlines()}
    assert printed == pytest.approx(expected.x, rel=1e-9)

    fit.locator("[name=formula]").fill("p*exp(-q*x")
    expect(fit.locator(".formula .note")).to_contain_text("never closed")
    assert parameters(fit) == pytest.approx(expected.x, rel=1e-9)
    fit.locator(".undo").click()
    fit.locator(".share").click()
    expect(fit.locator("[name=formula]")).to_have_value("p*exp(-q*x)+r")
    link = fit.url.split("#")[1]
    field(fit, "set").select_option("Misra1a")
    fit.wait_for_url("**set=Misra1a**")
    open_link(fit, f"{server_url}fit.html#{link}")
    expect(fit.locator(".parameters tbody th").first).to_have_text("p")
    expect(fit.locator(".count")).to_have_text("12 points")
    assert parameters(fit) == pytest.approx(expected.x, rel=1e-9)


def test_a_dropped_file_with_deviations_is_fitted_and_everything_is_saved(fit: Page) -> None:
    sigma = [0.1, 0.2, 0.1, 0.4, 0.1, 0.1, 0.3, 0.1, 0.1, 0.2, 0.1, 0.1]
    table = "\n".join(f"{x};{y!r};{s}".replace(".", ",") for x, y, s in zip(XS, YS, sigma, strict=True))
    fit.evaluate(DROP, table)
    expect(fit.locator(".notice")).to_have_text("Took 12 points.")
    expect(field(fit, "point-sigma")).to_have_value("0.1")
    start = {"a": 3.0, "b": 1.0, "c": 1.0}
    for is_absolute in (False, True):
        field(fit, "absolute").set_checked(is_absolute)
        expected = eg.curve_fit("a*exp(-b*x)+c", XS, YS, start, sigma=sigma, absolute_sigma=is_absolute)
        assert parameters(fit) == pytest.approx(expected.x, rel=1e-9)
        with fit.expect_download() as downloading:
            fit.locator(".json").click()
        saved = json.loads(Path(downloading.value.path()).read_text(encoding="utf-8"))
        deviations = {one["name"]: one["deviation"] for one in saved["parameters"]}
        assert deviations == pytest.approx(expected.deviations, rel=1e-7)
    count, free = len(XS), len(start)
    akaike = count * math.log(expected.residual_sum / count) + 2 * (free + 1)
    assert number(fit, "data.information") == pytest.approx(akaike, rel=1e-9)
    for kind, beginning in (("png", b"\x89PNG"), ("svg", b"<svg")):
        with fit.expect_download() as downloading:
            fit.locator(f"button.{kind}").click()
        assert Path(downloading.value.path()).read_bytes().startswith(beginning)

    with_python(fit)
    with fit.expect_download(timeout=DOWNLOAD_TIMEOUT_MS) as downloading:
        fit.locator("button.export").click()
    with zipfile.ZipFile(downloading.value.path()) as archive:
        endings = (".wasm", ".js", ".d.ts", ".html")
        assert {*archive.namelist()} == {f"{name}{end}" for name in ("fit", "curve") for end in endings}
        assert archive.read("fit.wasm").startswith(b"\0asm")
    fit.locator("[name=formula]").fill("a*b*x+c")
    expect(fit.locator(".outcome")).to_contain_text("Two parameters change the curve in the same way")
