"""If all texts of the pages are in an invented language, no page shows English."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link
from e2e.visitor import with_python
from tests.packaging.pseudo_language import ENGLISH, pseudo_language
from tools import pages
from tools.bootstrap import ROOT
from tools.pages import SCRIPT_TEXTS, TEXTS, write_pages
from tools.server import start

if TYPE_CHECKING:
    from playwright.sync_api import Page

SETTLED_MS = 1500
UNITS = frozenset({"ms", "kB", "MB", "MiB", "KiB"})
FUNCTIONS = frozenset({"exp", "ln", "log", "sin", "cos", "sqrt"})
"""The names of mathematical functions, which are the same in all languages."""
FORMATS = frozenset({"PNG", "SVG", "CSV"})
SPOKEN = """() => {
  const shown = (element) => element.closest("[hidden], .katex, script, style, sub") === null;
  const spoken = ["aria-label", "title", "placeholder", "alt", "aria-roledescription", "aria-valuetext"];
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Element) {
      if (!shown(node)) continue;
      words.push(...spoken.map((name) => node.getAttribute(name) ?? ""));
    } else if (shown(node.parentElement)) words.push(node.data);
  }
  return [document.title, ...words];
}"""


@pytest.fixture(scope="session")
def server_url(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a copy of the site with texts in an invented language. Yield its address."""
    assert server_url  # `server_url` has built it
    site = tmp_path_factory.mktemp("strange") / "site"
    shutil.copytree(ROOT / "static", site, copy_function=linked)
    for texts in SCRIPT_TEXTS:
        copy = site / texts.relative_to(ROOT / "static")
        english = copy.rename(copy.with_name(f"english-{copy.name}"))
        copy.write_text(pseudo_language(texts, f"./{english.name}"), encoding="utf-8")
    language = site.parent / "texts.mjs"
    language.write_text(pseudo_language(TEXTS, TEXTS.as_uri()), encoding="utf-8")
    for page in site.glob("*.html"):
        page.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "packed", lambda script: None)  # the packs contain the English texts
        write_pages(site, language=language)
    server = start(site)
    yield server.url
    server.close()


def linked(source: str, target: str) -> None:
    """Make a hard link to a file, or copy the file if the system cannot link."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def english_on(page: Page) -> set[str]:
    """Return the words on a page that look English, except units and names of formats and functions."""
    spoken = page.evaluate(SPOKEN)
    return {word for text in spoken for word in ENGLISH.findall(text)} - UNITS - FORMATS - FUNCTIONS


def ready(page: Page, address: str) -> None:
    """Open a page and wait until Python has loaded."""
    page.goto(address)
    with_python(page)


def test_the_quadratic_page_speaks_the_language_of_its_file(page: Page, server_url: str) -> None:
    ready(page, f"{server_url}quadratic.html")
    assert english_on(page) == set()
    for option in page.locator("[name=preset] option").all()[:3]:
        page.locator("[name=preset]").select_option(option.get_attribute("value"))
        assert english_on(page) - formula_of(page) == set()
    page.locator("#formula").fill("x + y")
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))
    assert english_on(page) == set()


def formula_of(page: Page) -> set[str]:
    """Return the words in the formula, such as "sin", which are the same in every language."""
    return set(ENGLISH.findall(page.locator("#formula").input_value()))


@pytest.mark.parametrize("fragment", ["v=9&preset=saddle", "v=1&preset=saddle&region=0,0,0,1", "broken"])
def test_a_refused_link_is_refused_in_the_language_of_the_file(
    tab: Page, server_url: str, fragment: str
) -> None:
    open_link(tab, f"{server_url}quadratic.html#{fragment}")
    expect(tab.locator(".notice")).not_to_have_text("")
    assert english_on(tab) == set()


def test_the_billiards_page_speaks_the_language_of_its_file(page: Page, server_url: str) -> None:
    ready(page, f"{server_url}billiards.html")
    assert english_on(page) == set()
    page.locator(".optimise").click()
    page.locator(".play").click()
    expect(page.locator(".outcome")).not_to_have_text("")
    page.locator("[name=cushions]").check()
    page.locator("[name=field]").select_option("loss")
    assert english_on(page) == set()
    page.goto(f"{server_url}billiards.html#v=9")
    expect(page.locator(".notice")).not_to_have_text("")
    assert english_on(page) == set()


def test_the_robot_page_speaks_the_language_of_its_file(page: Page, server_url: str) -> None:
    ready(page, f"{server_url}robot.html")
    assert english_on(page) == set()
    page.locator(".edit").click()
    page.locator(".train").click()
    expect(page.locator(".iteration")).not_to_have_text("0")
    assert english_on(page) == set()
    page.goto(f"{server_url}robot.html#v=9")
    expect(page.locator(".notice")).not_to_have_text("")
    assert english_on(page) == set()


@pytest.mark.parametrize("name", ["regression", "tape", "playground"])
def test_every_other_page_speaks_the_language_of_its_file(page: Page, server_url: str, name: str) -> None:
    page.goto(f"{server_url}{name}.html")
    page.wait_for_load_state("load")
    page.wait_for_timeout(SETTLED_MS)
    assert english_on(page) == set()
