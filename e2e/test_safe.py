"""No page runs text as a script, and no other site can show a page in a frame.

test_access.py checks that each page requests files only from its own origin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from e2e.visitor import PYTHON_TIMEOUT_MS
from tools.bootstrap import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python
PAGES = sorted(path.stem for path in (ROOT / "static" / "pages").glob("*.html") if path.stem != "shell")
WITH_LINKS = [
    "billiards", "bril", "diagrams", "fit", "learn", "playground", "quadratic", "regression", "robot",
    "sparse", "tape",
]  # fmt: skip

ATTEMPTS = """async () => {
  await new Promise((resolve) => setTimeout(resolve)); // before its first wait, a test's code may do more
  const tried = (attempt) => {
    try { attempt(); return "done"; } catch (error) { return error.name; }
  };
  const script = () => document.createElement("script");
  const outcomes = {
    eval: tried(() => (0, eval)("1")),
    Function: tried(() => new Function("return 1")()),
    innerHTML: tried(() => { document.createElement("div").innerHTML = "<b>x</b>"; }),
    insertAdjacentHTML: tried(() => document.body.insertAdjacentHTML("beforeend", "<b>x</b>")),
    write: tried(() => document.write("<b>x</b>")),
    srcdoc: tried(() => { document.createElement("iframe").srcdoc = "<b>x</b>"; }),
    script: tried(() => { script().src = "js/pages/quadratic/main.js"; }),
    text: tried(() => { script().text = "1"; }),
    worker: tried(() => new Worker("js/worker.js")),
    policy: tried(() => trustedTypes.createPolicy("another", {})),
    timer: "not run",
    handler: "not run",
    inline: "not run",
    style: "not applied",
    sheet: "not applied",
  };
  self.ran = (name) => { outcomes[name] = "run"; };
  tried(() => setTimeout("ran('timer')", 0));
  const button = document.createElement("button");
  tried(() => button.setAttribute("onclick", "ran('handler')"));
  button.click();
  const inline = script();
  tried(() => inline.append("ran('inline')"));
  tried(() => document.head.append(inline));
  const styled = document.createElement("p");
  styled.setAttribute("style", "color: rgb(1, 2, 3)");
  document.body.append(styled);
  if (getComputedStyle(styled).color === "rgb(1, 2, 3)") outcomes.style = "applied";
  const sheet = document.createElement("style");
  sheet.textContent = "p { color: rgb(4, 5, 6); }";
  document.head.append(sheet);
  if (getComputedStyle(styled).color === "rgb(4, 5, 6)") outcomes.sheet = "applied";
  outcomes.fetch = await fetch("https://evil.example/").then(() => "done", (error) => error.name);
  outcomes.image = await new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve("done");
    image.onerror = () => resolve("refused");
    image.src = "https://evil.example/x.png";
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  return outcomes;
}"""
REFUSED = {
    "eval": "EvalError",
    "Function": "EvalError",
    "innerHTML": "TypeError",
    "insertAdjacentHTML": "TypeError",
    "write": "TypeError",
    "srcdoc": "TypeError",
    "script": "TypeError",
    "text": "TypeError",
    "worker": "TypeError",
    "policy": "TypeError",
    "timer": "not run",
    "handler": "not run",
    "inline": "not run",
    "style": "not applied",
    "sheet": "not applied",
    "fetch": "TypeError",
    "image": "refused",
}


@pytest.mark.allow_console
def test_a_page_cannot_be_framed(shared: Page, server_url: str) -> None:
    shared.goto(f"{server_url}quadratic.html")
    framed = shared.evaluate(
        """() => new Promise((resolve) => {
          const frame = document.createElement("iframe");
          frame.onload = () => resolve(frame.contentDocument?.title ?? "refused");
          frame.src = location.href;
          document.body.append(frame);
        })"""
    )
    assert framed in {"refused", ""}


# ---------------------------------------------------------------- hostile links

LINKS = {
    "v=9": "another version",
    "v=1&__proto__=1": "damaged",
    "v=1&v=1": "damaged",
    "v=1&x=%E0%A4%A": "damaged",
    "<img src=x onerror=alert(1)>": "damaged",
    "x=" + "9" * 70_000: "longer than any link",
}


@pytest.mark.allow_console
@pytest.mark.parametrize("name", PAGES)
def test_a_page_refuses_hostile_links_and_what_a_foreign_script_tries(
    shared: Page, server_url: str, name: str
) -> None:
    if name in WITH_LINKS:
        refuses_hostile_links(shared, f"{server_url}{name}.html")
    else:
        shared.goto(f"{server_url}{name}.html")
    assert shared.evaluate(ATTEMPTS) == REFUSED


def refuses_hostile_links(page: Page, address: str) -> None:
    """Open hostile links. For each link, the page must say that it ignores the link, and why."""
    page.goto("about:blank")
    for fragment, sentence in LINKS.items():
        page.goto(f"{address}#{fragment}")  # only the first link loads the page
        told = page.get_by_role("status").filter(has_text=sentence)
        expect(told.first).to_be_visible()
        expect(told.first).to_contain_text("not used")
        told.first.evaluate("(element) => { element.textContent = ''; }")
    assert page.evaluate("({}).polluted === undefined && [].polluted === undefined")


MARKUP = "<img src=x onerror=self.hit=1><b>x</b>"


@pytest.mark.with_python
@pytest.mark.parametrize("name", ["quadratic.html", "tape.html"])
def test_markup_in_a_links_formula_is_only_shown_as_text(page: Page, server_url: str, name: str) -> None:
    other = "&at=2,3&to=1,0&mode=gradient&step=0" if name == "tape.html" else ""
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(f"{server_url}{name}")
    preset = page.evaluate("() => new URLSearchParams(location.hash.slice(1)).get('preset') ?? 'power'")
    page.goto("about:blank")
    page.goto(f"{server_url}{name}#v=1&preset={preset}&f={quote(MARKUP)}{other}")
    field = page.locator("#formula")
    expect(field).to_have_value(MARKUP)
    refusal = (
        "This equation" if name == "tape.html" else "There is no name “img” here"
    )  # Quadratic draws equations
    expect(page.locator("#formula-note")).to_contain_text(refusal, timeout=PYTHON_TIMEOUT_MS)
    assert page.locator("main img").count() == 0
    assert page.locator("main b", has_text="x").count() == 0
    assert page.evaluate("self.hit === undefined")


@pytest.mark.with_python
def test_a_links_program_is_shown_and_not_run(page: Page, server_url: str) -> None:
    program = "import js\njs.hit = 1\nprint(987 * 1000 + 654)\n"
    page.goto(f"{server_url}playground.html#v=1&code={quote(program)}")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled(timeout=PYTHON_TIMEOUT_MS)
    expect(page.locator("main")).to_contain_text("js.hit = 1", timeout=PYTHON_TIMEOUT_MS)
    page.wait_for_timeout(500)
    expect(page.locator("main")).not_to_contain_text("987654")
