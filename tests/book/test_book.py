"""The book: the numbers that each figure shows are right, and the pages are complete."""

from __future__ import annotations

import importlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from docs.book import CHAPTERS
from docs.book.shown import filled, written
from tools import book

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 600_000
"""The number of characters below which the content of each page must stay, before compression."""


def module(kind: str, chapter: int) -> Any:
    return importlib.import_module(kind.format(chapter))


EVERY = [(chapter, name) for chapter in CHAPTERS for name in module("docs.book.chapter_{}", chapter).FIGURES]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    book.main(folder)
    return folder


@pytest.mark.parametrize(("chapter", "name"), EVERY)
def test_the_numbers_in_the_claim_of_a_figure_are_right(chapter: int, name: str) -> None:
    shown = module("docs.book.chapter_{}", chapter).FIGURES[name]()
    claims = module("tests.book.claims_{}", chapter)
    relative, absolute = getattr(claims, "RELATIVE", 1e-9), getattr(claims, "ABSOLUTE", 1e-15)
    assert shown.numbers == pytest.approx(claims.CLAIMS[name], rel=relative, abs=absolute, nan_ok=True)
    assert shown.caption()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_numbers_in_the_text_of_a_chapter_are_right(chapter: int) -> None:
    numbers = module("docs.book.chapter_{}", chapter).NUMBERS
    expected = module("tests.book.claims_{}", chapter).NUMBERS
    assert numbers == pytest.approx(expected, rel=1e-9)


def test_the_book_has_at_least_thirty_figures() -> None:
    assert len(EVERY) >= 30


def test_every_figure_is_in_its_chapter_and_every_page_is_linked(built: Path) -> None:
    pages = json.loads((built / "book.json").read_text(encoding="utf-8"))
    assert [page["name"] for page in pages] == ["book", *(f"derivatives-{number}" for number in CHAPTERS)]
    for number, page in zip(CHAPTERS, pages[1:], strict=True):
        names = [name for chapter, name in EVERY if chapter == number]
        assert sorted(re.findall(r'class="shown" id="(\w+)"', page["content"])) == sorted(names)
        assert f'href="derivatives-{number}.html"' in pages[0]["content"]
        assert len(page["content"]) < MOST_BYTES
        assert page["content"].count('<div class="exercise">') >= 3
        assert (
            len(set(re.findall(r'href="(?!derivatives-|book)[\w-]+\.html', page["content"]))) >= 1
        )  # goes deeper


def test_each_exercise_has_an_answer_and_a_field_that_checks_it(built: Path) -> None:
    for page in json.loads((built / "book.json").read_text(encoding="utf-8"))[1:]:
        _, *exercises = page["content"].split('<div class="exercise">')
        parts = [[one.count(tag) for tag in ("<details>", '<form class="check"')] for one in exercises]
        assert parts == [[1, 1]] * len(exercises), page["name"]


def test_every_kernel_that_a_figure_names_exists(built: Path) -> None:
    text = (built / "book.json").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w-]+\.wasm(?=\\\")", text))
    written_files = {path.name for path in built.glob("*.wasm")}
    assert written_files
    assert written_files <= named


def test_a_caption_names_all_its_numbers_and_no_others() -> None:
    assert filled("{a} of {b}", {"a": 0.5, "b": 21447}) == "0.5 of 21\u202f447"
    assert written("x < y") == "x &lt; y"
    with pytest.raises(KeyError, match="names"):
        filled("{a}", {"a": 1, "b": 2})
