"""Make the search index, which contains the plain text of all sections in the documentation and the book."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docs.book import CHAPTERS
from tools.bootstrap import ROOT
from tools.documents.markup import Rendered

BOOK = ROOT / "docs" / "book"
TAGS = re.compile(r"<(script|style|svg|math)\b.*?</\1>|<[^>]*>|\{\{[^}]*\}\}", re.DOTALL)
LONGEST = 1500
"""The largest number of characters of a section's text in the index. A longer text is cut, because nobody
searches for the numbers in long tables."""


class Section(NamedTuple):
    """A section. `page` is the title of its page, and `title` is the section's own title."""

    address: str
    page: str
    title: str
    text: str


def of_document(name: str, title: str, rendered: Rendered) -> Iterator[Section]:
    """The sections of a document."""
    for heading, text in rendered.sections:
        address = f"{name}.html" if heading.level == 1 else f"{name}.html#{heading.anchor}"
        yield Section(address, title, "" if heading.level == 1 else heading.text, text[:LONGEST])


def of_book() -> Iterator[Section]:
    """The sections of the book's chapters."""
    for number in CHAPTERS:
        text = (BOOK / f"chapter_{number}.html").read_text(encoding="utf-8")
        title = re.search(r"^title: (.+)$", text, re.MULTILINE)
        assert title is not None
        first, *rest = re.split(r"<h2[^>]*>", text.split("-->", 1)[1])
        page = f"{number}. {title[1]}"
        yield Section(f"derivatives-{number}.html", page, "", plain(first))
        for section in rest:
            heading, _, prose = section.partition("</h2>")
            yield Section(f"derivatives-{number}.html", page, plain(heading), plain(prose))


def plain(text: str) -> str:
    """The words of a piece of HTML."""
    return " ".join(html.unescape(TAGS.sub(" ", text)).split())[:LONGEST]


def written(sections: Iterable[Section]) -> list[list[str]]:
    """The index as JSON-able data."""
    return [list(section) for section in sections]
