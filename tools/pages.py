"""Build the pages `static/NAME.html` from `static/pages/NAME.html` and a shared template, the *shell*.

A page's file begins with a comment that contains the page's fields. The rest is the content of `<main>`. The
shell is `static/pages/shell.html`. The build inserts texts from `static/pages/texts.js`, so that the browser
shows them at once:

* `data-text="KEY"` on an empty element puts the text KEY into it.
* `data-label="KEY"` sets the element's label to the text. A control shows the text as a tooltip, too.
* `data-content="KEY"` sets the content of a `<meta>`.
* `data-placeholder="KEY"` sets a placeholder, and `data-roledescription="KEY"` sets a role's description.
* `{{NAME a=b}}` is replaced by `static/pages/parts/NAME.html`, and `{{a}}` in this file is replaced by b.

The field `description` is the sentence under the page's title. The field `keys` lists keyboard shortcuts. For
example, `tab=reach` is a shortcut with the key KEYS.tab and the description KEY_USES.reach.

A page preloads the packed files of its script (tools/packs.py). The shell's style sheets are joined into one
file. `static/404.html` does not use the shell (tools/missing.py).
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tools.bootstrap import ROOT, SetupError, say
from tools.built_pages import built, read_built
from tools.embed import EMBED, Widget, embed_page
from tools.files import write_changed
from tools.filling import PAGES, fill_slots, fill_words, word
from tools.missing import MISSING, missing_page
from tools.modules import SCRIPTS, STATIC, imports_of, own_scripts
from tools.node import find_node
from tools.packs import STARTERS, packed

SHELL = "shell"
HOME = "index"
TEXTS = PAGES / "texts.js"
PAGE_TEXTS = sorted((PAGES / "texts").glob("*.js"))
"""The files with the words of single pages' HTML. The module `TEXTS` also contains these words."""
SCRIPT_TEXTS = sorted(SCRIPTS.rglob("*texts.js"))
"""The files with the words of the pages' scripts. The module `TEXTS` also exports these words."""
WORDS = ".words.json"
"""The name of a file in the build's folder. It holds the words that were read last, and the hash of the files
with these words."""
LICENCE = "build/source/LICENSE.txt"
SOURCES = "source"
"""The name of a folder in the build's folder. It contains the sources to which pages link."""
SANDBOXED = "playground"
"""The name of the Python service that runs visitors' programs in a sandboxed frame."""
FIELDS = frozenset(
    ("title", "description", "script", "early", "css", "class", "source", "fetch", "python", "keys")
) | {"sandbox", "chapters"}
SKIPPED_TO = "#main"
"""The address of the first link in the shell. This link leads to the page's content, past the menu."""

HEADING = re.compile(r"\s*<!--(.*?)-->\n?", re.DOTALL)
SHELL_STYLES = re.compile(r'(?:  <link rel="stylesheet" href="css/[\w-]+\.css">\n)+')
JOINED_STYLES = "css/packs/shell.css"
NAV_LINK = re.compile(r"[ \t]*<a ([^>]*?)href=\"((?:[\w-]+\.html)|\./|#[\w-]+|)\"([^>]*)></a>\n?")


@dataclass(frozen=True)
class Page:
    """A page's name, its fields, and the content of its `<main>` element."""

    name: str
    fields: Mapping[str, str]
    content: str

    @property
    def address(self) -> str:
        """The page's address in links."""
        return "./" if self.name == HOME else f"{self.name}.html"


def write_pages(target: Path = STATIC, *, language: Path = TEXTS) -> list[Path]:
    """Write all pages into a folder, and return their paths. Skip files that would not change.

    Raises:
        SetupError: a page uses a name that does not exist. The message says which name and where.
    """
    words = read_words(language)
    made, titles = read_built()
    pages = [*read_pages(), *(Page(*one) for one in made)]
    words = {**words, **titles}
    shell = with_joined_styles((PAGES / f"{SHELL}.html").read_text(encoding="utf-8"))
    texts = {target / f"{page.name}.html": render(page, pages, shell, words) for page in pages}
    texts[target / EMBED] = embed_page(widgets(pages, words), sandboxes(), words)
    texts[target / MISSING] = missing_page(words, linked_pages(), home="/")
    for path, text in texts.items():
        write_changed(path, text)
    for page in pages:
        publish_source(page)
    write_changed(STATIC / LICENCE, (ROOT / "LICENSE").read_text(encoding="utf-8"))
    return list(texts)


def with_joined_styles(shell: str) -> str:
    """Join the shell's style sheets into one file. Return the shell with a link to this file."""
    links = SHELL_STYLES.search(shell)
    assert links is not None
    sheets = [STATIC / address for address in re.findall(r'href="([^"]+)"', links[0])]
    write_changed(STATIC / JOINED_STYLES, "".join(path.read_text(encoding="utf-8") for path in sheets))
    return shell.replace(links[0], f'  <link rel="stylesheet" href="{JOINED_STYLES}">\n', 1)


def widgets(pages: list[Page], words: Mapping[str, str]) -> Iterator[Widget]:
    """Yield the widgets that other sites can embed: the contents of all pages that use Python."""
    for page in pages:
        if "python" not in page.fields or page.name == HOME:
            continue
        where = f"{page.name}.html"
        slots = {"content": page.content, "keys": key_rows(page)}
        content, keys = (
            fill_words(fill_slots(f"{{{{{slot}}}}}", slots, where), words, where)
            for slot in ("content", "keys")
        )
        title = word(words, page.fields["title"], where)
        styles = " ".join(f"css/{name}" for name in page.fields.get("css", "").split())
        look, script = page.fields.get("class", ""), page.fields["script"]
        yield Widget(page.name, title, look, script, styles, keys, content)


def linked_pages() -> list[str]:
    """List the pages in the shell's navigation. Omit pages that do not exist."""
    shell = (PAGES / f"{SHELL}.html").read_text(encoding="utf-8")
    names = [Path(match[2]).stem for match in NAV_LINK.finditer(shell) if match[2].endswith(".html")]
    there = {page.name for page in read_pages()} | {page.name for page in read_built()[0]}
    return [name for name in names if name in there]


def read_words(language: Path) -> dict[str, str]:
    """Read the texts of a language. Return {key: text}, cached until a file of texts changes.

    Raises:
        SetupError: Node cannot read the file as a module.
    """
    sources = [language, *PAGE_TEXTS, *SCRIPT_TEXTS]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    cache = STATIC / "build" / WORDS
    try:
        known = json.loads(cache.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    if known.get("of") == digest:
        return dict(known["words"])
    done = find_node().run([ROOT / "tools" / "texts.mjs", language])
    if done.returncode != 0:
        raise SetupError(
            f"Node cannot read {language.name}:\n{done.stderr.strip()}\nCorrect the file, and run this again."
        )
    words: dict[str, str] = json.loads(done.stdout)
    write_changed(cache, json.dumps({"of": digest, "words": words}))
    return words


def read_pages() -> list[Page]:
    """Every page of `static/pages/`, by name."""
    return [read_page(path) for path in sorted(PAGES.glob("*.html")) if path.stem != SHELL]


def read_page(path: Path) -> Page:
    """Read a page's file. It begins with a comment that has a field on each line.

    Raises:
        SetupError: the comment is missing, or it has an unknown field.
    """
    text = path.read_text(encoding="utf-8")
    heading = HEADING.match(text)
    if heading is None:
        raise SetupError(
            f"{path.name} must begin with a comment that lists its fields. Begin it with <!-- title: … -->."
        )
    lines = [line.partition(":") for line in heading[1].splitlines() if line.strip()]
    fields = {name.strip(): value.strip() for name, _, value in lines}
    if unknown := sorted(fields.keys() - FIELDS):
        raise SetupError(
            f"{path.name} has the field {unknown[0]!r}. Choose from {', '.join(sorted(FIELDS))}."
        )
    return Page(path.stem, fields, text[heading.end() :].rstrip("\n"))


def render(page: Page, pages: list[Page], shell: str, words: Mapping[str, str]) -> str:
    """A page's whole HTML."""
    where = f"{page.name}.html"
    slots = {
        "language": word(words, "LANGUAGE", where),
        "title": html.escape(document_title(page, words, where)),
        "description": html.escape(word(words, page.fields.get("description", ""), where)),
        "address": page.address,
        "version": version(),
        "class": page.fields.get("class", ""),
        "head": "\n".join(f"  {line}" for line in head_of(page)),
        "heading": heading(page),
        "keys": key_rows(page),
        "source": source_address(page),
        "content": page.content,
    }
    text = link_up(shell, page, pages)
    return fill_words(fill_slots(text, slots, where), words, where).replace(' class=""', "")


def link_up(shell: str, page: Page, pages: list[Page]) -> str:
    """Mark the shell's link to the current page, and remove links to missing pages."""
    there = {other.address for other in pages}

    def linked(match: re.Match[str]) -> str:
        address = match[2]
        if address == page.address:
            return match[0].replace("<a ", '<a aria-current="page" ', 1)
        if address in (page.fields.get("within"), *(other for other, _ in chapters(page))):
            return match[0].replace("<a ", '<a aria-current="true" ', 1)
        is_there = address in {SKIPPED_TO, LICENCE} or (
            f'id="{address[1:]}"' in page.content if address.startswith("#") else address in there
        )
        return match[0] if is_there else ""

    text = NAV_LINK.sub(linked, shell)
    return (
        text if page.fields.get("source") else re.sub(r"[ \t]*<a href=\"\{\{source\}\}\".*?</a>\n?", "", text)
    )


def document_title(page: Page, words: Mapping[str, str], where: str) -> str:
    """Return the text for the page's `<title>` element."""
    title = word(words, page.fields.get("title", ""), where)
    return title if has_own_heading(page) else f"{title} · {word(words, 'name', where)}"


def has_own_heading(page: Page) -> bool:
    """True if the page's content contains the main heading."""
    return "<h1" in page.content


def heading(page: Page) -> str:
    """Make the HTML of the page's title, its description, and links to the chapters of its subject.

    Return "" if the page's content contains a main heading.
    """
    if has_own_heading(page):
        return ""
    title, description = page.fields.get("title", ""), page.fields.get("description", "")
    lines = [f'    <div class="head"><h1 data-text="{title}"></h1><p data-text="{description}"></p>']
    if links := list(chapters(page)):
        lines.append('      <ol class="chapters small" data-label="chapters">')
        for address, text in links:
            current = ' aria-current="page"' if address == page.address else ""
            lines.append(f'        <li><a href="{address}"{current} data-text="{text}"></a></li>')
        lines.append("      </ol>")
    return "\n".join(lines) + "</div>"


def chapters(page: Page) -> Iterator[tuple[str, str]]:
    """Yield (address, key of its text) for each chapter in the page's field `chapters`."""
    for pair in page.fields.get("chapters", "").split():
        name, _, text = pair.partition("=")
        yield f"{name}.html", text


def key_rows(page: Page) -> str:
    """Make the rows of the page's table of keyboard shortcuts, from the template `parts/key.html`."""
    pairs = (pair.partition("=") for pair in page.fields.get("keys", "").split())
    return "\n".join(f"{{{{key key={key} use={use}}}}}" for key, _, use in pairs)


def version() -> str:
    """The package's version."""
    return version_in((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@lru_cache
def version_in(text: str) -> str:
    """Find the version in the text of a pyproject.toml. The result is cached, because all pages need it."""
    return str(tomllib.loads(text)["project"]["version"])


def head_of(page: Page) -> Iterator[str]:
    """Yield the lines of a page's `<head>` that the shell lacks: styles, preloaded files and scripts."""
    early: list[str] = []
    if page.fields.get("python") == SANDBOXED or page.fields.get("sandbox"):
        yield from sandboxes()
    if service := page.fields.get("python"):
        early = imports_of(STARTERS[service])
        yield from (f'<link rel="modulepreload" href="{name}" fetchpriority="high">' for name in early)
        yield f'<script type="module" async src="{STARTERS[service]}" fetchpriority="high"></script>'
    for name in page.fields.get("css", "").split():
        yield f'<link rel="stylesheet" href="css/{name}">'
    if page.fields.get("figures"):
        yield f'<link rel="stylesheet" href="build/{built()["figureStyle"]}">'
        yield f'<script src="build/{built()["figureScript"]}" defer></script>'
    for name in fetched(page):
        kind = '"modulepreload"' if name.endswith(".js") else '"preload" as="fetch" crossorigin'
        yield f'<link rel={kind} href="build/{name}">'
    script = page.fields.get("script")
    files = imports_of(script) if script else []
    if script and (pack := packed(script)) is not None:
        files, script = pack, pack[0]
    yield from (f'<link rel="modulepreload" href="{name}">' for name in files if name not in early)
    for name in page.fields.get("early", "").split():
        yield f'<script src="{name}"></script>'
    if script:
        yield f'<script type="module" src="{script}"></script>'


def fetched(page: Page) -> Iterator[str]:
    """Yield the built files that a page preloads: the manifest, and the files in its field `fetch`."""
    keys = page.fields.get("fetch", "").split()
    if not keys:
        return
    yield "manifest.json"
    names = built()
    yield from (names[key] for key in keys if key in names)


def sandboxes() -> Iterator[str]:
    """Yield `<meta>` elements that contain the documents of the sandboxed frames."""
    files = built()
    for key in ("sandbox", "pictures"):
        if (name := files.get(key)) is not None:
            document = (STATIC / "build" / name).read_text(encoding="utf-8")
            yield f'<meta name="{key}" content="{html.escape(document)}">'


def source_address(page: Page) -> str:
    """Return the address at which visitors can read a copy of the page's source."""
    return f"build/{SOURCES}/{page.fields.get('source', '')}.txt"


def publish_source(page: Page) -> None:
    """Copy a page's source to `source_address(page)`. The page links to this copy.

    Raises:
        SetupError: the source does not exist.
    """
    source = page.fields.get("source")
    if not source:
        return
    if not (ROOT / source).exists():
        raise SetupError(f"{page.name}.html names a missing source, {source}. Correct the name.")
    write_changed(STATIC / source_address(page), (ROOT / source).read_text(encoding="utf-8"))


def refresher() -> Callable[[], None]:
    """Return a function that rewrites the pages if a source has changed since the function's last call.

    If an error prevents this, the function prints the error and keeps the old pages.
    """
    known: list[object] = []

    def refresh() -> None:
        seen: list[object] = [(path, path.stat().st_mtime_ns) for path in inputs()]
        if seen == known:
            return
        known[:] = seen
        try:
            write_pages()
        except SetupError as error:
            say(str(error))

    return refresh


def inputs() -> list[Path]:
    """List all files that determine the pages: sources, texts, scripts, styles and the build's manifest."""
    manifest = STATIC / "build" / "manifest.json"
    return [
        *sorted(PAGES.rglob("*.html")),
        TEXTS,
        *PAGE_TEXTS,
        *own_scripts(),
        *sorted((STATIC / "css").glob("*.css")),
        *([manifest] if manifest.exists() else []),
    ]
