"""Convert Markdown to HTML with markdown-it-py. Pygments highlights code blocks."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import lex
from pygments.lexers import get_lexer_by_name
from pygments.token import Token as Kinds

from tools.documents.programs import Cell, is_failing, prerequisites, runs_in_a_page

CLASSES = {
    Kinds.Comment: "c",
    Kinds.Keyword: "k",
    Kinds.Literal.Number: "n",
    Kinds.Literal.String: "s",
    Kinds.Operator.Word: "k",
}
"""Kind of word in code → its CSS class, which gives it a colour. Words of all other kinds look like ordinary
text."""
COLOURED = frozenset({"python", "html", "js", "javascript", "toml", "yaml", "bash"})
NOT_IN_AN_ADDRESS = re.compile(r"[^\w.]+")
ALIGNED = re.compile(r"text-align:(\w+)")

Link = Callable[[str], str | None]
"""Gives a link's address on the site, or None if the site does not have its target."""


class Heading(NamedTuple):
    """A heading: its level, the id of its element, and its text."""

    level: int
    anchor: str
    text: str


class Rendered(NamedTuple):
    """A document as HTML. `sections` contains each heading with the plain text below it."""

    html: str
    headings: tuple[Heading, ...]
    sections: tuple[tuple[Heading, str], ...]
    has_programs: bool


def reader() -> MarkdownIt:
    """The reader of Markdown that all documents share."""
    return MarkdownIt("commonmark", {"html": True}).enable("table")


def render(text: str, link: Link, *, is_run: bool) -> Rendered:
    """Convert a document to HTML. Omit the main title, because the page's template shows it.

    link: a function that converts the address of a link or picture.
    is_run: if true, visitors can run the document's blocks.
    """
    return _Renderer(link, is_run).render(text)


class _Renderer:
    """Walks over the tokens of one document."""

    def __init__(self, link: Link, is_run: bool) -> None:
        self.link = link
        self.is_run = is_run
        self.headings: list[Heading] = []
        self.sections: list[tuple[Heading, list[str]]] = []
        self.blocks: list[Cell] = []
        self.has_programs = False

    def render(self, text: str) -> Rendered:
        markdown = reader()
        tokens = markdown.parse(text)
        self.blocks = [*_blocks(tokens)]
        needs = prerequisites(self.blocks)
        parts: list[str] = []
        k = 0
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "heading_open":
                parts.append(self.heading(token, tokens[at + 1], markdown))
                at += 3
                continue
            if token.type == "fence" and token.info == "python":
                parts.append(self.cell(k, needs[k]))
                at += 2 if self.blocks[k].shown is not None else 1
                k += 1
                continue
            if token.type == "fence":
                parts.append(f"<pre><code>{coloured(token.content, token.info)}</code></pre>\n")
                self.tell(token.content)
            else:
                self.mend(token)
                parts.append(markdown.renderer.render([token], markdown.options, {}))
            at += 1
        told = tuple((heading, " ".join(" ".join(texts).split())) for heading, texts in self.sections)
        return Rendered("".join(parts), tuple(self.headings), told, self.has_programs)

    def heading(self, token: Token, inline: Token, markdown: MarkdownIt) -> str:
        """Record a heading. Return its HTML, or "" for the main title."""
        plain = "".join(child.content for child in inline.children or [])
        level = int(token.tag[1:])
        known = {one.anchor for one in self.headings}
        anchor = slug(plain)
        while anchor in known:
            anchor += "-"
        heading = Heading(level, anchor, plain)
        self.headings.append(heading)
        self.mend(inline)
        self.sections.append((heading, []))
        if level == 1:
            return ""
        shown = markdown.renderer.render([inline], markdown.options, {})
        return f'<{token.tag} id="{anchor}"><a href="#{anchor}">{shown}</a></{token.tag}>\n'

    def cell(self, k: int, needed: Sequence[int]) -> str:
        """Make the HTML of Python block k: its code, its output, and a button that runs it."""
        block = self.blocks[k]
        self.tell(block.code)
        shown = "" if block.shown is None else f"<pre><samp>{html.escape(block.shown)}</samp></pre>"
        can_run = self.is_run and runs_in_a_page("\n".join(self.blocks[j].code for j in (*needed, k)))
        self.has_programs |= can_run
        bar = (
            '<div class="bar"><button type="button" class="run" data-text="run"></button> '
            '<a class="open" href="playground.html" data-text="openInPlayground"></a></div>'
            if can_run
            else ""
        )
        fails = ' data-fails=""' if is_failing(block) else ""
        numbers = " ".join(map(str, needed))
        return (
            f'<div class="cell" data-cell="{k}" data-needs="{numbers}"{fails}>'
            f"<pre><code>{coloured(block.code, 'python')}</code></pre>{bar}{shown}</div>\n"
        )

    def mend(self, token: Token) -> None:
        """Convert a token's links, pictures and styles for the site. Add its text to the search index."""
        if style := token.attrs.pop("style", None):
            aligned = ALIGNED.search(str(style))
            token.attrs["class"] = "n" if aligned and aligned[1] == "right" else ""
        for child in token.children or []:
            if child.type == "image":
                child.attrs["src"] = self.link(str(child.attrs["src"])) or ""
        _relink(token, self.link)
        if token.type == "inline":
            self.tell(" ".join(child.content for child in token.children or []))

    def tell(self, text: str) -> None:
        """Add a text to the current section's plain text, for the search."""
        if self.sections:
            self.sections[-1][1].append(text)


def _relink(token: Token, link: Link) -> None:
    """Convert the links in a token for the site. If the site lacks a target, keep only the link's text."""
    kept: list[Token] = []
    depth_of_dropped = 0
    for child in token.children or []:
        if child.type == "link_open":
            address = link(str(child.attrs["href"]))
            if address is None:
                depth_of_dropped += 1
                continue
            child.attrs["href"] = address
        elif child.type == "link_close" and depth_of_dropped:
            depth_of_dropped -= 1
            continue
        kept.append(child)
    if token.children is not None:
        token.children = kept


def _blocks(tokens: Sequence[Token]) -> Iterator[Cell]:
    """Yield the Python blocks among a document's tokens, with the outputs that the document shows."""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "fence" and token.info == "python":
            has_output = following is not None and following.type == "fence" and not following.info
            line = token.map[0] + 2 if token.map else 1
            yield Cell(line, token.content, following.content if following and has_output else None)


def slug(text: str) -> str:
    """Make the HTML id of a heading from its text. Only names such as `eg.Fn` keep their capital letters."""
    short = NOT_IN_AN_ADDRESS.sub("-", text.split("(", maxsplit=1)[0] if "." in text else text).strip("-.")
    return short if "." in text and " " not in text.strip() else short.lower()


def coloured(code: str, language: str) -> str:
    """Convert code to HTML with elements for comments, keywords, numbers and strings."""
    if language not in COLOURED:
        return html.escape(code, quote=False)
    pieces: list[tuple[str, str]] = []
    for kind, text in lex(code, get_lexer_by_name(language)):
        name = next((CLASSES[one] for one in reversed(kind.split()) if one in CLASSES), "")
        if pieces and (pieces[-1][0] == name or not text.strip()):
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + text)
        else:
            pieces.append((name, text))
    return "".join(
        f'<span class="{name}">{html.escape(text, quote=False)}</span>'
        if name
        else html.escape(text, quote=False)
        for name, text in pieces
    )
