"""`python -m tools.book FOLDER`: build the figures and the chapters of the book (docs/book).

Writes these files into FOLDER:

* NAME.wasm and NAME-aside.wasm: the kernels of each figure.
* figures.js and figures.css: the script and the style of all figures.
* book.json: a list of pages, each with its name, title, lead, source and content. The first page is the table
  of contents.

The name of a kernel's file contains a hash of the file's content. The HTML of the figures contains these
names, so the build must not rename the files.
"""

from __future__ import annotations

import hashlib
import html
import importlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "pyodide_pkg")]

from docs.book import CHAPTERS, TITLE  # noqa: E402
from docs.book.shown import written  # noqa: E402
from eglantine.figures.script import script  # noqa: E402
from eglantine.figures.style import STYLE  # noqa: E402
from tools.files import HASH_DIGITS  # noqa: E402

FOLDER = ROOT / "docs" / "book"
HEADING = re.compile(r"<!--(.*?)-->\s*", re.DOTALL)
SLOT = re.compile(r"\{\{(figure:|check:|choose:)?(\w+)(?:\|([^}]*))?\}\}")
CONTENTS = "book"
"""The name of the book's first page, which is the table of contents."""


class Chapter(NamedTuple):
    """A chapter, as read from its files in docs/book.

    number: the chapter's number, or 0 for the page of contents.
    prose: the chapter's HTML with placeholders such as `{{figure:NAME}}` and `{{NAME}}`.
    figures: {name: function that makes the figure}.
    numbers: {name of a placeholder: number}.
    markup: {name of a placeholder: HTML, such as a table}.
    """

    number: int
    title: str
    lead: str
    prose: str
    figures: Mapping[str, Any]
    numbers: Mapping[str, Any]
    markup: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of its page."""
        return f"derivatives-{self.number}" if self.number else CONTENTS

    @property
    def link(self) -> str:
        """A link to its page."""
        return f'<a href="{self.name}.html">{html.escape(self.title)}</a>'


def main(folder: Path) -> None:
    """Write the book's files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    chapters = [chapter(number) for number in (0, *CHAPTERS)]
    pages = [page(one, chapters, folder) for one in chapters]
    (folder / "figures.js").write_text(script(), encoding="utf-8", newline="\n")
    (folder / "figures.css").write_text(STYLE, encoding="utf-8", newline="\n")
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    (folder / "book.json").write_text(text, encoding="utf-8", newline="\n")


def chapter(number: int) -> Chapter:
    """Read a chapter from its HTML file and its Python module.

    Raises:
        ValueError: the HTML file does not begin with a comment that contains the title and the lead.
    """
    stem = f"chapter_{number}" if number else "contents"
    path = FOLDER / f"{stem}.html"
    text = path.read_text(encoding="utf-8")
    heading = HEADING.match(text)
    fields = dict(re.findall(r"^(title|lead): (.+)$", heading[1] if heading else "", re.MULTILINE))
    if heading is None or fields.keys() != {"title", "lead"}:
        msg = f"{path.name} does not begin with a comment of two lines, title: … and lead: …. Write it."
        raise ValueError(msg)
    module = importlib.import_module(f"docs.book.{stem}")
    markup = getattr(module, "HTML", {})
    return Chapter(
        number, fields["title"], fields["lead"], text[heading.end() :], module.FIGURES, module.NUMBERS, markup
    )


def page(one: Chapter, chapters: list[Chapter], folder: Path) -> dict[str, str]:
    """Make a chapter's page: replace the placeholders in its prose, and add links to the neighbours."""
    count = 0

    def filled(match: re.Match[str]) -> str:
        nonlocal count
        kind, name, label = match.groups()
        if kind == "check:":
            return check(one.numbers[name], label or "Your answer")
        if kind == "choose:":
            return choose(int(name), label.split("|"))
        if kind:
            count += 1
            return figure(one, name, f"{one.number}.{count}", folder)
        if name == "chapters":
            return "\n".join(
                f"<li>{other.number}. {other.link}. {html.escape(other.lead)}</li>"
                for other in chapters
                if other.number
            )
        return one.markup[name] if name in one.markup else written(one.numbers[name])

    content = SLOT.sub(filled, one.prose)
    return {
        "name": one.name,
        "title": f"{one.number}. {one.title}" if one.number else TITLE,
        "lead": one.lead,
        "source": f"docs/book/chapter_{one.number}.py" if one.number else "docs/book/contents.html",
        "content": f'<article class="prose" lang="en">\n{content}{neighbours(one, chapters)}</article>',
    }


def figure(one: Chapter, name: str, number: str, folder: Path) -> str:
    """Write a figure's kernels into the folder. Return the figure's HTML with its number and its caption."""
    shown = one.figures[name]()
    kernel, aside = shown.figure.wasm, shown.figure.aside_wasm
    stem = f"{one.name}-{name}-{hashlib.sha256(kernel + aside).hexdigest()[:HASH_DIGITS]}"
    (folder / f"{stem}.wasm").write_bytes(kernel)
    if aside:
        (folder / f"{stem}-aside.wasm").write_bytes(aside)
    fragment = shown.figure.html(inline=False, script=False, style=False, stem=stem)
    return (
        f'<figure class="shown" id="{name}">\n{fragment}'
        f'<figcaption><a href="#{name}">Figure {number}</a> {shown.caption()}</figcaption>\n</figure>'
    )


def check(answer: float, label: str) -> str:
    """Make the HTML of an exercise that asks for a number."""
    field = '<input type="number" step="any" required>'
    return answer_form(float(answer), f"<label>{html.escape(label)} {field}</label>")


def choose(right: int, options: Sequence[str]) -> str:
    """Make the HTML of a multiple-choice exercise. `right` is the number of the right option, from 1."""
    items = "".join(f'<option value="{k}">{html.escape(text)}</option>' for k, text in enumerate(options, 1))
    field = f'<select required><option value="">Choose</option>{items}</select>'
    return answer_form(right, f"<label>Your answer {field}</label>")


def answer_form(answer: float, field: str) -> str:
    """Make the HTML of a form for an answer. The page's script shows the form and checks the answer."""
    return (
        f'<form class="check" data-answer="{answer!r}" hidden>{field} <button>Check</button> '
        '<output data-right="Right!" data-wrong="Not yet. Try again, or open the answer."></output></form>'
    )


def neighbours(one: Chapter, chapters: list[Chapter]) -> str:
    """Make the HTML of links to the previous chapter and to the next chapter."""
    place = chapters.index(one)
    links = [f"<span>Before: {chapters[place - 1].link}</span>"] if place else []
    links += [f"<span>Next: {other.link}</span>" for other in chapters[place + 1 : place + 2]]
    return f'<nav class="neighbours" aria-label="Chapters">{" ".join(links)}</nav>\n'


if __name__ == "__main__":
    main(Path(sys.argv[1]))
