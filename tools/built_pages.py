"""The pages that the build makes from documents: the pages of the book and of the documentation.

Their contents are in the build's folder. `tools/pages.py` adds the HTML that all pages share, such as the
navigation (the *shell*).
"""

from __future__ import annotations

import json
from typing import NamedTuple

from tools.bootstrap import ROOT

FOLDER = ROOT / "static" / "build"
BOOK_FIELDS = {
    "script": "js/pages/book/main.js", "css": "book.css", "class": "book", "figures": "yes",
    "within": "book.html", "keys": "tab=reach arrows=move shift=tenTimes help=help",
}  # fmt: skip
"""The fields of every page of the book. `figures`: the page needs the script and the style of figures.
`within`: the page whose link is marked in the menu."""
DOCUMENT_FIELDS = {
    "script": "js/pages/docs/main.js", "css": "docs.css", "class": "docs",
    "within": "docs.html", "keys": "slash=search upDown=chooseFound tab=reach help=help",
}  # fmt: skip
"""The fields of every page of the documentation. A page with programs also has the field `sandbox`, for the
sandboxed frame."""
FIELDS = {"book": BOOK_FIELDS, "documents": DOCUMENT_FIELDS}
"""Key of a list of pages in the build's manifest → the fields of all pages in this list."""


class BuiltPage(NamedTuple):
    """A page without its shell."""

    name: str
    fields: dict[str, str]
    content: str


def read_built() -> tuple[list[BuiltPage], dict[str, str]]:
    """Read the built pages. Return them and their texts: {"NAME:title": title, "NAME:lead": subtitle}."""
    pages: list[BuiltPage] = []
    words: dict[str, str] = {}
    for listing, usual in FIELDS.items():
        name = built().get(listing)
        if name is None or not (FOLDER / name).exists():
            continue
        for made in json.loads((FOLDER / name).read_text(encoding="utf-8")):
            title, lead = f"{made['name']}:title", f"{made['name']}:lead"
            words |= {title: made["title"], lead: made["lead"]}
            fields = {**usual, "title": title, "description": lead, "source": made["source"]}
            if "sandbox" in made:
                fields["sandbox"] = made["sandbox"]
            content = made["content"].replace("{{", "&#123;{")  # the contents hold no slots
            pages.append(BuiltPage(made["name"], fields, content))
    return pages, words


def built() -> dict[str, str]:
    """Return the build's manifest as {key: file name}, or {} before the first build."""
    manifest = FOLDER / "manifest.json"
    return dict(json.loads(manifest.read_text(encoding="utf-8"))) if manifest.exists() else {}
