"""Draw texts of the repository, to see how many of them a new reader has to read twice.

`python -m tools.samples SEED [COUNT] [--of FOLDER]` prints COUNT texts (40 by default), each with the line of
code that it belongs to. The texts are docstrings, comments, paragraphs of documents, and texts of pages and
messages. FOLDER is the checkout of another project, to compare with.
"""

from __future__ import annotations

import argparse
import ast
import html
import io
import random
import re
import subprocess
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

from tools.bootstrap import ROOT

FEWEST_WORDS = 6
"""Shorter texts are names and labels."""
NOT_PROSE = ("docs/benchmarks.md", "docs/reference/", "CHANGELOG.md", "tests/data/", "static/vendor/")
"""Tables, texts that are generated from docstrings, and files of others."""
PARAGRAPHS = frozenset({"p", "li", "dd", "figcaption", "summary", "td", "noscript"})
WORD = re.compile(r"[A-Za-z’']{2,}")
JS_COMMENT = re.compile(r"/\*\*(.*?)\*/|((?:^[ \t]*//[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
DIRECTIVE = re.compile(r"(?:type: ignore|noqa|pragma|fmt:|ruff:|mypy:|eslint-|@ts-)")
"""Comments for tools."""
TAGS = re.compile(r"@\w+|\{[^}]*\}")
"""The parts of a JSDoc comment that are code."""
MD_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
MD_PARAGRAPH = re.compile(r"^(?![ \t]*(?:\||#|<|\[|    ))\S.*(?:\n(?![-*|#]|\d+\.)[^\n]+)*", re.MULTILINE)
JS_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')


@dataclass(frozen=True)
class Text:
    """A text and its place. owner: the line of code that the text belongs to, or an empty string."""

    file: str
    line: int
    text: str
    owner: str = ""

    def __str__(self) -> str:
        """Return the place, the line of code and the text, for a reader."""
        owner = f"\n    {self.owner}" if self.owner else ""
        return f"{self.file}:{self.line}{owner}\n{textwrap.indent(self.text, '    | ')}"


def main() -> None:
    """Print a sample."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int, nargs="?", default=40)
    parser.add_argument("--of", type=Path, default=ROOT)
    options = parser.parse_args()
    drawn = random.Random(options.seed).sample(texts(options.of), options.count)  # noqa: S311 (no secret)
    for number, text in enumerate(drawn, start=1):
        print(f"[{number}] {text}\n")


def texts(root: Path = ROOT) -> list[Text]:
    """Return all texts of a repository that have at least FEWEST_WORDS words."""
    readers = {
        ".py": of_python, ".js": of_javascript, ".mjs": of_javascript, ".md": of_markdown, ".html": of_html,
    }  # fmt: skip
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
    found: list[Text] = []
    for file in filter(None, listed.decode().split("\0")):
        read = readers.get(Path(file).suffix)
        if read is not None and not file.startswith(NOT_PROSE):
            found += read(file, (root / file).read_text(encoding="utf-8"))
    return [text for text in found if len(WORD.findall(TAGS.sub("", text.text))) >= FEWEST_WORDS]


def of_python(file: str, source: str) -> Iterator[Text]:
    """Find docstrings (also those of constants), comments, and the texts of messages."""
    lines = source.splitlines()
    tree = ast.parse(source)
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for before, statement in pairwise([None, *body]):
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                docstrings.add(id(value))
                owner = before or node
                at = lines[owner.lineno - 1].strip() if isinstance(owner, ast.stmt) else ""
                yield Text(file, value.lineno, textwrap.dedent("    " + value.value).strip(), at)
    yield from python_comments(file, source, lines)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        at = lines[node.lineno - 1].strip() if isinstance(node, ast.expr) else ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings | parts and is_prose(node.value):
                yield Text(file, node.lineno, node.value.strip(), at)
        elif isinstance(node, ast.JoinedStr) and is_prose(ast.unparse(node)):
            yield Text(file, node.lineno, ast.unparse(node), at)


def python_comments(file: str, source: str, lines: list[str]) -> Iterator[Text]:
    """Join the comments of adjoining lines. A comment belongs to the next line of code, or to its own."""
    block: list[tuple[int, str]] = []
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    for number, comment in [*comments, (len(lines) + 2, "")]:
        if block and (number != block[-1][0] + 1):
            last = block[-1][0]
            own = lines[last - 1].split("#")[0].strip()
            parts = [part.lstrip("# ") for _, part in block]
            text = " ".join(part for part in parts if not DIRECTIVE.match(part))
            yield Text(file, block[0][0], text, own or (lines[last].strip() if last < len(lines) else ""))
            block = []
        block.append((number, comment))


def of_javascript(file: str, source: str) -> Iterator[Text]:
    """Find comments and the texts of pages."""
    lines = source.splitlines()
    for match in JS_COMMENT.finditer(source):
        text = re.sub(r"^\s*(?:\*|//) ?", "", match[1] or match[2], flags=re.MULTILINE).strip()
        end = source.count("\n", 0, match.end())
        if not DIRECTIVE.match(text):
            yield Text(
                file,
                source.count("\n", 0, match.start()) + 1,
                text,
                lines[end].strip() if end < len(lines) else "",
            )
    without_comments = JS_COMMENT.sub(lambda hidden: re.sub(r"[^\n]", " ", hidden[0]), source)
    for match in JS_TEXT.finditer(without_comments):
        if is_prose(match[1] or match[2] or ""):
            line = source.count("\n", 0, match.start())
            yield Text(file, line + 1, match[1] or match[2], lines[line].strip()[:160])


def of_markdown(file: str, source: str) -> Iterator[Text]:
    """Find paragraphs and items of lists. Code and tables are left out."""
    prose = MD_CODE.sub(lambda code: re.sub(r"[^\n]", "", code[0]), source)
    for match in MD_PARAGRAPH.finditer(prose):
        yield Text(file, prose.count("\n", 0, match.start()) + 1, match[0])


class Paragraphs(HTMLParser):
    """Collects the texts of a page's paragraphs."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file, self.found, self.line = file, list[Text](), 0
        self.open: list[str] | None = None

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        """Begin a paragraph."""
        if tag in PARAGRAPHS:
            self.open, self.line = [], self.getpos()[0]

    def handle_endtag(self, tag: str) -> None:
        """End a paragraph."""
        if tag in PARAGRAPHS and self.open is not None:
            self.found.append(Text(self.file, self.line, " ".join("".join(self.open).split())))
            self.open = None

    def handle_data(self, data: str) -> None:
        """Add to the open paragraph."""
        if self.open is not None:
            self.open.append(html.unescape(data))


def of_html(file: str, source: str) -> list[Text]:
    """Find the paragraphs of a page."""
    paragraphs = Paragraphs(file)
    paragraphs.feed(source)
    return paragraphs.found


def is_prose(text: str) -> bool:
    """Whether a string is not code, and has a sentence with at least FEWEST_WORDS words."""
    has_words = len(re.findall(r"\b[a-z]{2,}\b", text)) >= FEWEST_WORDS
    return has_words and bool(re.search(r"[.?…](?:['\" ]|$)", text)) and "\n " not in text


if __name__ == "__main__":
    main()
