"""Pages are made from one template and one file of texts, and preload the scripts that they need."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.pseudo_language import ENGLISH, EXPORTED, exported, pseudo_language
from tools import filling, modules, pages
from tools.bootstrap import ROOT, SetupError
from tools.filling import fill_slots, fill_words
from tools.modules import imports_of
from tools.node import find_node
from tools.packs import packed
from tools.pages import (
    SCRIPT_TEXTS,
    STATIC,
    TEXTS,
    Page,
    read_page,
    read_pages,
    write_pages,
)

NAMES = [page.name for page in read_pages()]
OWN = [name for name in NAMES if name != "index"]
SPOKEN = frozenset({"alt", "aria-description", "aria-label", "aria-roledescription", "placeholder", "title"})
NAMES_OF_FORMATS = frozenset({"CSV", "JSON", "PNG", "SVG"})


class Reader(HTMLParser):
    """Collects a page's elements, and the words (except code) that visitors see or hear."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.in_code = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.elements.append((tag, known))
        self.in_code = self.in_code or tag == "code"
        self.words += [known[name] for name in SPOKEN & known.keys()]
        if tag == "meta" and known.get("name") == "description":
            self.words.append(known["content"])

    def handle_endtag(self, tag: str) -> None:
        self.in_code = self.in_code and tag != "code"

    def handle_data(self, data: str) -> None:
        if not self.in_code:
            self.words.append(data)

    def addresses(self) -> Iterator[str]:
        for _, attributes in self.elements:
            yield from (attributes[name] for name in ("href", "src") if name in attributes)


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("english")
    write_pages(folder)
    return folder


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("strange")
    language = folder / "texts.strange.mjs"
    language.write_text(pseudo_language(TEXTS, TEXTS.as_uri()), encoding="utf-8")
    write_pages(folder, language=language)
    return folder


def read(folder: Path, name: str) -> str:
    return (folder / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_in_another_language_contains_no_english(strange: Path, name: str) -> None:
    text = read(strange, name)
    words = [found for spoken in Reader(text).words for found in ENGLISH.findall(spoken)]
    assert set(words) <= NAMES_OF_FORMATS
    assert '<html lang="en-x-pseudo">' in text


def test_every_text_is_defined_once_and_available_to_the_html() -> None:
    names = [name for path in SCRIPT_TEXTS for name in EXPORTED.findall(path.read_text(encoding="utf-8"))]
    assert len(names) > 200
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert set(names) <= set(exported(TEXTS))


@pytest.mark.parametrize("name", NAMES)
def test_no_page_has_an_unfilled_placeholder(english: Path, name: str) -> None:
    text = read(english, name)
    assert not re.search(r"data-(text|label|placeholder|roledescription)=|\{\{", text)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_works_from_any_path_and_names_no_other_origin(english: Path, name: str) -> None:
    for address in Reader(read(english, name)).addresses():
        assert not re.match(r"/|[a-z]+:", address), address
        path = address.split("#")[0].removeprefix("./")
        assert (STATIC / (path or "index.html")).exists(), address


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_no_script_or_style_inline(english: Path, name: str) -> None:
    for tag, attributes in Reader(read(english, name)).elements:
        assert tag != "style"
        assert "style" not in attributes
        assert not [attribute for attribute in attributes if attribute.startswith("on")]
        if tag == "script":
            assert attributes["src"].endswith(".js")


CHAPTER = "regression"
"""The first chapter of the page Fit. Only this page and the page Fit link to it."""
MARKED = {
    "fit": [("fit.html", "page"), ("fit.html", "page")],
    CHAPTER: [("fit.html", "true"), ("regression.html", "page")],
}
"""Page with two links that are marked as current → these links. The first one is in the menu, and the second
one is at the top. A link is given by its address and its attribute `aria-current`."""


@pytest.mark.parametrize("name", NAMES)
def test_a_page_marks_its_own_link_and_links_every_other_page(english: Path, name: str) -> None:
    links = [attributes for tag, attributes in Reader(read(english, name)).elements if tag == "a"]
    own = "./" if name == "index" else f"{name}.html"
    marked = [(link["href"], link["aria-current"]) for link in links if "aria-current" in link]
    assert marked == MARKED.get(name, [(own, "page")])
    others = {"./", *(f"{other}.html" for other in OWN if other != CHAPTER or name in MARKED)}
    assert others <= {link["href"] for link in links}


@pytest.mark.parametrize("name", OWN)
def test_a_page_links_to_its_mathematics_and_to_its_source(english: Path, name: str) -> None:
    reader = Reader(read(english, name))
    assert "#mathematics" in reader.addresses()
    assert [attributes for _, attributes in reader.elements if attributes.get("id") == "mathematics"]
    source = next(page for page in read_pages() if page.name == name).fields["source"]
    published = f"build/source/{source}.txt"
    assert published in reader.addresses()
    assert (STATIC / published).read_bytes() == (ROOT / source).read_bytes()


@pytest.mark.parametrize("name", [page.name for page in read_pages() if "script" in page.fields])
def test_an_unpacked_page_preloads_the_imports_that_a_bundler_finds(
    unpacked: Path, imports: dict[str, Any], name: str
) -> None:
    elements = Reader(read(unpacked, name)).elements
    preloaded = preloads(elements)
    scripts = [attributes["src"] for tag, attributes in elements if is_module(tag, attributes)]
    assert scripts[0] == preloaded[0]
    assert set(preloaded) == set().union(*(bundled(script, imports) for script in scripts))
    assert len(preloaded) == len(set(preloaded))


@pytest.mark.parametrize("page", [page for page in read_pages() if "script" in page.fields])
def test_a_page_preloads_and_starts_its_packed_script(english: Path, page: Page) -> None:
    files = packed(page.fields["script"])
    assert files is not None
    elements = Reader(read(english, page.name)).elements
    scripts = [attributes["src"] for tag, attributes in elements if is_module(tag, attributes)]
    preloaded = preloads(elements)
    assert scripts[-1] == files[0] == f"js/packs/{page.fields['script'].split('/')[2]}/main.js"
    starters = [name for script in scripts[:-1] for name in imports_of(script)]
    assert sorted(preloaded) == sorted({*files, *starters})


def test_every_page_has_the_shells_styles_in_one_sheet(english: Path) -> None:
    shell = (pages.PAGES / "shell.html").read_text(encoding="utf-8")
    sheets = re.findall(r'^  <link rel="stylesheet" href="(.*?)">$', shell, re.MULTILINE)
    assert len(sheets) == 5
    joined = "".join((STATIC / sheet).read_text(encoding="utf-8") for sheet in sheets)
    assert (STATIC / pages.JOINED_STYLES).read_text(encoding="utf-8") == joined
    for name in NAMES:
        addresses = list(Reader(read(english, name)).addresses())
        assert pages.JOINED_STYLES in addresses
        assert not set(sheets) & set(addresses)


def preloads(elements: list[tuple[str, dict[str, str]]]) -> list[str]:
    """List the scripts in `static/js/` that a page preloads."""
    found = [attributes["href"] for _, attributes in elements if attributes.get("rel") == "modulepreload"]
    return [address for address in found if address.startswith("js/")]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the pages without packs. The server also does this after a script was edited."""
    folder = tmp_path_factory.mktemp("unpacked")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "packed", lambda script: None)
        write_pages(folder)
    return folder


@pytest.fixture(scope="module")
def imports(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Let esbuild list the imports of all modules that the pages load."""
    elements = [
        Reader(read(unpacked, page.name)).elements for page in read_pages() if "script" in page.fields
    ]
    scripts = [
        attributes["src"] for page in elements for tag, attributes in page if is_module(tag, attributes)
    ]
    folder = tmp_path_factory.mktemp("bundled")
    found = folder / "graph.json"
    esbuild = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"
    options = [
        "--bundle",
        "--format=esm",
        "--splitting",
        f"--outdir={folder}",
        f"--metafile={found}",
    ]
    done = find_node().run([esbuild, *dict.fromkeys(scripts), *options], cwd=STATIC)
    assert done.returncode == 0, done.stderr
    graph: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))["inputs"]
    return graph


def is_module(tag: str, attributes: dict[str, str]) -> bool:
    return tag == "script" and "type" in attributes


def bundled(script: str, graph: dict[str, Any]) -> set[str]:
    """Find all modules that a module needs directly or indirectly through static imports."""
    reached: set[str] = set()
    waiting = [script]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            imports = graph[name]["imports"]
            waiting += [each["path"] for each in imports if each["kind"] == "import-statement"]
    return reached


def test_the_html_contains_the_words_of_the_page(english: Path) -> None:
    assert '<button type="button" class="undo" disabled>Undo</button>' in read(english, "quadratic")
    assert '<nav aria-label="Pages">' in read(english, "quadratic")
    assert 'class="turn-left" aria-label="Turn left" title="Turn left">←' in read(english, "quadratic")


def test_words_are_escaped() -> None:
    words = {"a": 'x < "y" & z'}
    assert fill_words('<p data-text="a"></p>', words, "p") == '<p>x &lt; "y" &amp; z</p>'
    assert (
        fill_words('<a data-label="a"></a>', words, "p")
        == '<a aria-label="x &lt; &quot;y&quot; &amp; z" title="x &lt; &quot;y&quot; &amp; z"></a>'
    )
    assert (
        fill_words('<b class="c" data-text="a" hidden></b>', {"a": "1"}, "p") == '<b class="c" hidden>1</b>'
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('<p data-text="nowhere"></p>', r"p.html asks for the text 'nowhere', .*\. Add it to a texts.js"),
        ('<p data-label="nowhere"></p>', "p.html asks for the text 'nowhere'"),
        (
            '<p data-text="name">Rose</p>',
            r'data-text="name" is on an element with content\. Empty the element',
        ),
    ],
)
def test_a_page_that_cannot_be_filled_is_an_error_with_a_message(text: str, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        fill_words(text, {"name": "Eglantine"}, "p.html")


def test_a_missing_part_is_an_error_with_a_message() -> None:
    with pytest.raises(
        SetupError,
        match=r"p.html names \{\{nowhere\}\}, which does not exist. Write static/pages/parts/nowhere.html",
    ):
        fill_slots("<p>{{nowhere}}</p>", {}, "p.html")


def test_a_part_of_a_page_is_inserted_with_its_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "outer.html").write_text('<i>{{inner key=b}}</i> <u data-text="{{key}}"></u>\n')
    (tmp_path / "parts" / "inner.html").write_text('<b data-text="{{key}}"></b>\n')
    monkeypatch.setattr(filling, "PAGES", tmp_path)
    expected = '<p><i><b data-text="b"></b></i> <u data-text="a"></u></p>'
    assert fill_slots("<p>{{outer key=a}}</p>", {}, "p.html") == expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<p></p>", "p.html must begin with a comment that lists its fields"),
        (
            "<!--\ntitle: name\nstyle: red\n-->",
            r"p.html has the field 'style'\. Choose from chapters, class, css",
        ),
    ],
)
def test_a_wrong_heading_is_an_error_with_a_message(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "p.html").write_text(text, encoding="utf-8")
    with pytest.raises(SetupError, match=sentence):
        read_page(tmp_path / "p.html")


def test_a_page_file_consists_of_fields_and_content(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text("<!--\ntitle: name\ncss: a.css b.css\n-->\n<p></p>\n", encoding="utf-8")
    assert read_page(tmp_path / "p.html") == Page("p", {"title": "name", "css": "a.css b.css"}, "<p></p>")


def test_an_import_of_a_missing_file_is_an_error_with_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modules, "STATIC", tmp_path)
    (tmp_path / "a.js").write_text('import {\n  b,\n} from "./b.js";\n', encoding="utf-8")
    with pytest.raises(SetupError, match=r"The module b\.js is imported, but it does not exist"):
        imports_of("a.js")


def test_all_notations_of_imports_are_followed_except_types_and_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modules, "STATIC", tmp_path)
    (tmp_path / "a.js").write_text(
        '// import { z } from "./z.js";\n/** @typedef {import("./y.js").Y} Y */\n'
        'import "./b.js";\nimport { c } from "./c.js";\nimport * as d from "./d.js";\n'
        'export { e } from "./e.js";\nexport * from "./f.js";\nimport {\n  g,\n  h,\n} from "./g.js";\n'
        'const later = () => import("./later.js");\n',
        encoding="utf-8",
    )
    for name in "bcdefg":
        (tmp_path / f"{name}.js").touch()
    assert imports_of("a.js") == [f"{name}.js" for name in "abcdefg"]


def test_the_next_request_of_a_page_gets_a_changed_text(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[None] = []
    monkeypatch.setattr(pages, "write_pages", lambda: written.append(None))
    refresh = pages.refresher()
    refresh()
    refresh()
    assert len(written) == 1
    monkeypatch.setattr(pages, "inputs", lambda: [TEXTS])
    refresh()
    assert len(written) == 2


def test_a_page_that_cannot_be_made_is_reported_and_the_old_page_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise SetupError("p.html asks for the text 'nowhere'.")

    monkeypatch.setattr(pages, "write_pages", fail)
    pages.refresher()()
    assert "p.html asks for the text 'nowhere'." in capsys.readouterr().out


def test_a_page_that_would_not_change_is_not_written(tmp_path: Path) -> None:
    first = write_pages(tmp_path)
    for path in first:
        os.utime(path, ns=(1, 1))
    write_pages(tmp_path)
    assert {path.stat().st_mtime_ns for path in first} == {1}
