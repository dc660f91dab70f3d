"""`python -m tools.documents.building FOLDER`: build the pages of the documentation.

Writes these files into FOLDER:

* documents.json: a list of pages, each with its name, title, lead, source and content. The first page lists
  all documents.
* search.json: all sections for the search, as [address, page title, section title, text].
* the pictures of all documents.
"""

from __future__ import annotations

import html
import json
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "pyodide_pkg")]

from tools.documents import reference, search  # noqa: E402
from tools.documents.contents import DOCS, HOME, PARTS, REFERENCE, Document, documents  # noqa: E402
from tools.documents.markup import Rendered, render  # noqa: E402
from tools.documents.signatures import summary  # noqa: E402
from tools.files import with_hash  # noqa: E402

TITLE = "Documentation"
LEAD = "A tutorial, guides, a reference of every name, and how Eglantine works inside."
REFERENCE_TITLE = "Reference"
REFERENCE_LEAD = "Every public name of the package, with its types, its errors and an example."
DEEPEST_IN_LIST = 2
"""The deepest level of headings that are listed beside a document."""


def main(folder: Path) -> None:
    """Write the documentation's files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {one: _text(one) for one in documents()}
    rendered = {one: render(text, _Links(one, folder), is_run=one.is_run) for one, text in texts.items()}
    titles = {one: _title(one, rendered[one]) for one in rendered}
    pages = [
        _page(HOME, TITLE, LEAD, "tools/documents/contents.py", _list_of_all(), False),
        _page(REFERENCE, REFERENCE_TITLE, REFERENCE_LEAD, "tools/documents/reference.py", _names(), False),
    ]
    sections: list[search.Section] = []
    for one, made in rendered.items():
        source = one.path.relative_to(ROOT).as_posix()
        pages.append(_page(one.name, titles[one], one.lead, source, _body(one, made), made.has_programs))
        sections += search.of_document(one.name, titles[one], made)
    _write(folder / "documents.json", pages)
    _write(folder / "search.json", search.written([*sections, *search.of_book()]))


def _text(document: Document) -> str:
    text = document.path.read_text(encoding="utf-8")
    return reference.written(text) if document.is_reference else text


def _title(document: Document, rendered: Rendered) -> str:
    """The title: the document's first heading."""
    return rendered.headings[0].text if rendered.headings else document.short


def _page(name: str, title: str, lead: str, source: str, body: str, has_programs: bool) -> dict[str, Any]:
    content = (
        '<form class="search" role="search"><input type="text" name="q" autocomplete="off" '
        'spellcheck="false" enterkeyhint="search" data-label="searchDocs" '
        'data-placeholder="searchDocs"></form>\n'
        '<div class="results" role="status" hidden></div>\n'
        f'<details class="list" lang="en"><summary>{TITLE}</summary>{_list(name)}</details>\n'
        f'<article class="prose" lang="en">\n{body}</article>\n'
    )
    page = {"name": name, "title": title, "lead": lead, "source": source, "content": content}
    return page | {"sandbox": "playground"} if has_programs else page


def _body(document: Document, rendered: Rendered) -> str:
    """Make the content of a document's page: a list of headings, the text, and links to the neighbours."""
    listed = [one for one in rendered.headings if 1 < one.level <= DEEPEST_IN_LIST]
    items = "".join(f'<li><a href="#{one.anchor}">{html.escape(one.text)}</a></li>\n' for one in listed)
    on_page = f'<details class="on-page"><summary>On this page</summary><ul>\n{items}</ul></details>\n'
    return (on_page if len(listed) > 1 else "") + rendered.html + _neighbours(document)


def _neighbours(document: Document) -> str:
    """Make the HTML of links to the previous document and to the next document."""
    known = documents()
    place = known.index(document)
    links = [f"<span>Before: {_link(one)}</span>" for one in known[max(place - 1, 0) : place]]
    links += [f"<span>Next: {_link(one)}</span>" for one in known[place + 1 : place + 2]]
    return f'<nav class="neighbours" aria-label="Documents">{" ".join(links)}</nav>\n'


def _link(document: Document) -> str:
    return f'<a href="{document.name}.html">{html.escape(document.short)}</a>'


def _list(current: str) -> str:
    """Make the HTML list of all documents. Mark the document with the name `current`."""
    out: list[str] = []
    for part in PARTS:
        items = "".join(f"<li>{_marked(_link(one), one.name == current)}</li>\n" for one in part.documents)
        if part.title == REFERENCE_TITLE:
            names = f'<a href="{REFERENCE}.html">All names</a>'
            items = f"<li>{_marked(names, current == REFERENCE)}</li>\n{items}"
        out.append(f"<strong>{part.title}</strong>\n<ul>\n{items}</ul>\n")
    return f'<nav aria-label="{TITLE}">\n{"".join(out)}</nav>'


def _marked(link: str, is_current: bool) -> str:
    return link.replace("<a ", '<a aria-current="page" ', 1) if is_current else link


def _list_of_all() -> str:
    """Make the documentation's first page, which lists all documents, each with a sentence about it."""
    out = []
    for part in PARTS:
        items = "".join(f"<li>{_link(one)} {html.escape(one.lead)}</li>\n" for one in part.documents)
        if part.title == REFERENCE_TITLE:
            items = f'<li><a href="{REFERENCE}.html">All names</a> {REFERENCE_LEAD}</li>\n{items}'
        if part.title == "Learn":
            items += '<li><a href="book.html">Derivatives you can hold</a> A book with live figures.</li>\n'
        out.append(f'<h2>{part.title}</h2>\n<ul class="documents">\n{items}</ul>\n')
    return "".join(out)


def _names() -> str:
    """Make the reference's first page, which lists all public names, each with a sentence about it."""
    out = []
    for one in documents():
        if not one.is_reference:
            continue
        rows = "".join(
            f'<li><a href="{one.name}.html#{_anchor(entry.name, one)}"><code>{entry.name}</code></a> '
            f"{html.escape(summary(reference.resolve(entry.name)))}</li>\n"
            for entry in reference.entries(one.path.read_text(encoding="utf-8"))
        )
        listed = f'<ul class="names">\n{rows}</ul>\n' if rows else ""
        out.append(f"<h2>{_link(one)}</h2>\n<p>{html.escape(one.lead)}</p>\n{listed}")
    return "".join(out)


def _anchor(name: str, document: Document) -> str:
    """Return the HTML id of the heading that contains a name. A heading may contain several names."""
    return _anchors(document)[name]


def _anchors(document: Document) -> dict[str, str]:
    """Find all names in a file of the reference. Return {name: HTML id of its heading}."""
    text = document.path.read_text(encoding="utf-8")
    return {
        name: match[1].replace(", ", "-")
        for match in reference.HEADING.finditer(text)
        for name in match[1].split(", ")
    }


class _Links:
    """Converts the addresses of a document's links and pictures. Copies the pictures into a folder."""

    def __init__(self, document: Document, folder: Path) -> None:
        self.document = document
        self.folder = folder
        self.pages = {one.path.resolve(): one.name for one in documents()}

    def __call__(self, address: str) -> str | None:
        """Convert a relative address to an address on the site, or to None if the site lacks the target."""
        path, _, anchor = address.partition("#")
        if "://" in address:
            return None  # no page of the site names another origin
        if not path or path.endswith(".html"):
            return address
        target = (self.document.path.parent / path).resolve()
        if target in self.pages:
            return f"{self.pages[target]}.html" + (f"#{anchor}" if anchor else "")
        if target.is_relative_to(DOCS) and target.suffix in {".svg", ".png"} and target.exists():
            copy = self.folder / target.name
            if not [*self.folder.glob(f"{copy.stem}-*{copy.suffix}")]:
                shutil.copyfile(target, copy)
                return f"build/{with_hash(copy)}"
            return f"build/{next(self.folder.glob(f'{copy.stem}-*{copy.suffix}')).name}"
        return None


def _write(path: Path, data: object) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
