"""Every public name has an example. Each code block of the documentation runs as on its page."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.docs.test_docs import run
from tools.documents.contents import Document, documents
from tools.documents.markup import render
from tools.documents.programs import Cell, cells, names_of, prerequisites, program, runs_in_a_page
from tools.documents.reference import entries, example_of, public_names, resolve, written
from tools.documents.signatures import markdown_of, signature

NO_PLACE = re.compile(r" \((nowhere)?\)$")
"""The pattern of the text that `run` adds to an error that has no place in a file."""
ROOT = Path(__file__).resolve().parents[2]
RUN = [one for one in documents() if one.is_run]
SAMPLED = {"tutorial": 9, "reference-diagrams": 6, "reference-numpy": 6}
"""Document with many blocks → a number n. A usual run tries every n-th block, and a nightly run tries all
blocks."""
IS_NIGHT = "EGLANTINE_NIGHTLY" in os.environ


def text_of(document: Document) -> str:
    text = document.path.read_text(encoding="utf-8")
    return written(text) if document.is_reference else text


def test_every_public_name_is_in_the_reference_once_and_has_an_example() -> None:
    found = [
        entry
        for one in documents()
        if one.is_reference
        for entry in entries(one.path.read_text(encoding="utf-8"))
    ]
    names = [entry.name for entry in found]
    assert sorted(names) == sorted(public_names())
    for entry in found:
        example = example_of(entry)
        assert example is not None, entry.name
        last = entry.name.rpartition(".")[2]
        if isinstance(resolve(entry.name), type):
            continue  # an example may get its objects from a function, and then it does not name the class
        assert re.search(rf"\b{last}\b", example), f"{entry.name}'s example does not use it"


@pytest.mark.parametrize("document", RUN, ids=lambda one: one.name)
def test_each_block_runs_after_only_the_blocks_that_it_needs(document: Document) -> None:
    pytest.importorskip("wasmtime")
    blocks = cells(text_of(document))
    assert blocks or document.name == "reference-command-line" or "static-host" in document.name
    step = 1 if IS_NIGHT else SAMPLED.get(document.name, 1)
    for k, block in [*enumerate(blocks)][::step]:
        alone = program(k, blocks)
        shown = run(Cell(1, alone, None), "page", {"__name__": "__main__"})
        shown = NO_PLACE.sub("", shown)
        printed = printed_before(k, blocks)
        assert shown.split()[len(printed) :] == (block.shown or "").split(), f"{document.path}:{block.line}"


def printed_before(k: int, blocks: list[Cell]) -> list[str]:
    """Return the words that earlier blocks print when block k runs. The page does not show these words."""
    before = "\n".join(blocks[j].code for j in prerequisites(blocks)[k])
    if "print(" not in before:
        return []
    return run(Cell(1, f"{before}\nNone", None), "page", {"__name__": "__main__"}).split()


def test_the_blocks_that_a_block_needs_define_or_change_its_names() -> None:
    codes = [
        "import eglantine as eg",
        "a = 1\nb = 2",
        "f = eg.fn(a)",
        "@f.rule\ndef _(p): return b",
        "b = 3",
        "f(b)",
    ]
    blocks = [Cell(1, code, None) for code in codes]
    assert prerequisites(blocks)[3] == (0, 1, 2)
    assert prerequisites(blocks)[5] == (0, 1, 2, 3, 4)
    failing = [*blocks[:4], Cell(1, "b = f(4)", "TypeMismatchError: no"), Cell(1, "b", None)]
    assert prerequisites(failing)[5] == (1,)
    assert names_of("def g(x):\n    y = x + later\n    return y\nlater = 1").needed == frozenset()
    assert runs_in_a_page("import math")
    assert not runs_in_a_page("import numpy as np")


def test_signatures_and_docstrings_become_markdown() -> None:
    def f(x, /, y: float = 1.0, *rest, flag: bool = False) -> float:  # type: ignore[no-untyped-def]
        ...

    assert signature(f, "eg.f") == "eg.f(x, /, y: float = 1.0, *rest, flag: bool = False) -> float"
    text = "The sum a*b*c.\n\nx: one line\n    and more.\nRaises: ShapeError if not.\n\n>>> 1 + 1\n2\n"
    assert markdown_of(text) == (
        "The sum a\\*b\\*c.\n\n\n- **`x`**: one line and more.\n\n- **Raises**: ShapeError if not.\n\n\n"
        "```python\n1 + 1\n```\n\n```\n2\n```\n"
    )
    assert resolve("eg.math.pi") == pytest.approx(3.141592653589793)


def test_markdown_becomes_html_with_the_sites_links_and_runnable_blocks() -> None:
    links = {"a.md": "a.html", "a.md#b": "a.html#b"}
    text = (
        "# Title\n\nSee [this](a.md#b) and [that](gone.md).\n\n## Part <one>\n\n"
        "```python\nx = 1 < 2\n```\n\n```\nTrue\n```\n\n| n |\n|---:|\n| 1 |\n"
    )
    made = render(text, links.get, is_run=True)
    assert 'See <a href="a.html#b">this</a> and that.' in made.html
    assert '<h2 id="part-one-">' in made.html or '<h2 id="part-one">' in made.html
    assert "<h1" not in made.html
    assert '<td class="n">' in made.html
    assert "style=" not in made.html
    assert 'data-needs=""' in made.html
    assert "<pre><samp>True\n</samp></pre>" in made.html
    assert made.has_programs
    assert [heading.text for heading, _ in made.sections] == ["Title", "Part <one>"]
    assert "x = 1 < 2" in made.sections[1][1]
    assert not render(text, links.get, is_run=False).has_programs


def test_the_built_pages_link_only_to_pages_and_headings_that_exist() -> None:
    build = ROOT / "static" / "build"
    manifest = json.loads((build / "manifest.json").read_text(encoding="utf-8"))
    pages = {
        one["name"]: one["content"]
        for one in json.loads((build / manifest["documents"]).read_text(encoding="utf-8"))
    }
    for name, content in pages.items():
        for address in re.findall(r'href="([^"]*)"', content):
            page, _, anchor = address.partition("#")
            other = page.removesuffix(".html") or name
            assert other in pages or (ROOT / "static" / f"{other}.html").exists(), (name, address)
            if anchor and other in pages:
                assert f'id="{anchor}"' in pages[other], (name, address)
    sections = json.loads((build / manifest["search"]).read_text(encoding="utf-8"))
    for address, *_ in sections:
        page, _, anchor = address.partition("#")
        assert not anchor or f'id="{anchor}"' in pages[page.removesuffix(".html")], address
    assert {"eg.grad", "enp.einsum", "dg.touching"} <= {title for _, _, title, _ in sections}
