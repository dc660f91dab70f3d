"""Scripts, modules, style sheets, classes and functions are short, and no long code is repeated."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from tools.bootstrap import ROOT

SCRIPTS = (
    ("static/js", "*.js"), ("static/pages", "*.js"), ("bench", "*.js"), ("pyodide_pkg", "*.js"),
    ("tools", "*.mjs"), ("tests", "*.mjs"), ("e2e", "*.mjs"),
)  # fmt: skip
"""The folders of our scripts, each with a pattern of the scripts' names."""
PAGES = (("static/pages", "*.html"), ("docs/book", "*.html"))
"""The folders of the HTML files that we write, each with a pattern of the files' names."""
WORKFLOWS = ((".github", "*.yml"),)
"""The folder of the workflows of continuous integration and of their shared actions, with a pattern of the
files' names."""
MOST_LINES = 400
MOST_CLASS_LINES = 350
LEAST_SHARED = 12
"""The smallest number of successive lines that may not be the same in two places. Such lines should move to
one place."""
FOLDERS = ("pyodide_pkg", "app", "tools", "bench", "docs", "tests", "e2e")
BUILD_HOOK = "tools/wheel_sources.py"
"""A module that may be longer than MOST_LINES, because Hatch loads a build hook as one file."""
MOST_FUNCTION_LINES = 60
"""The largest allowed number of lines of a function, without its docstring."""
HOT_LOOP = "pyodide_pkg/eglantine/emit/expressions.py: write_expressions"
"""The only function that may be longer. It runs for every row of a program, so it must be fast. Tests compare
it with `emit/watched.py`, which is simple and slow."""
SOURCE_AND_STRIPPED = "tests/packaging/test_wheel_sources.py"
"""A module that may repeat lines, because it contains a source before and after its comments are removed."""
COLOURS = "tokens.css"
"""The style sheet of colours, which may repeat lines. It lists the colours of each theme twice: for visitors
who choose the theme, and for systems that set it."""
CLASS = re.compile(r"^(?:export )?class (\w+).*?^}$", re.MULTILINE | re.DOTALL)


def texts_of(places: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Read the files in some folders. Leave out third-party packages and generated scripts."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder, names in places
        for path in sorted((ROOT / folder).rglob(names))
        if not {"node_modules", "packs"} & set(path.parts) and ".min." not in path.name
    }


def all_scripts() -> dict[str, str]:
    """The text of each of our scripts."""
    return texts_of(SCRIPTS)


def all_modules() -> dict[str, str]:
    """The text of each of our Python modules."""
    return texts_of((folder, "*.py") for folder in FOLDERS)


def all_sheets() -> dict[str, str]:
    """The text of each of our style sheets."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "static" / "css").glob("*.css"))
    }


@cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


def code(text: str) -> str:
    """Return a module's text after its imports, because equal imports do not count as repeated code."""
    body = parsed(text).body
    of_imports = [k for k, node in enumerate(body) if isinstance(node, ast.Import | ast.ImportFrom)]
    last = body[of_imports[-1]].end_lineno if of_imports else 0
    return "\n".join(text.splitlines()[last:])


def functions(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield all functions and methods in a list of statements, including nested functions."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        yield from functions(getattr(node, "body", ()))


def function_sizes(name: str, text: str) -> Iterator[tuple[str, int]]:
    """Yield each function's name and number of lines. The lines of its docstring do not count."""
    for node in functions(parsed(text).body):
        first, *rest = node.body
        is_documented = bool(rest) and ast.get_docstring(node) is not None
        start = rest[0].lineno if is_documented else first.lineno
        yield f"{name}: {node.name}", (node.end_lineno or start) - start + 1


def shared(scripts: Mapping[str, str], least: int) -> Iterator[tuple[str, ...]]:
    """Find repeated code. Yield the places that begin with the same `least` lines. Ignore blank lines."""
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, text in scripts.items():
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        for k in range(len(lines) - least + 1):
            window = lines[k : k + least]
            places[tuple(line for _, line in window)].append(f"{name}:{window[0][0]}")
    yield from (tuple(where) for where in places.values() if len(where) > 1)


def test_no_script_is_too_long() -> None:
    sizes = {name: len(text.splitlines()) for name, text in all_scripts().items()}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


def test_no_module_and_no_style_sheet_is_too_long() -> None:
    texts = {**all_modules(), **all_sheets()}
    assert len(texts) > 500
    sizes = {name: len(text.splitlines()) for name, text in texts.items() if name != BUILD_HOOK}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    sizes = dict(size for name, text in all_modules().items() for size in function_sizes(name, text))
    long = {name: size for name, size in sizes.items() if size > MOST_FUNCTION_LINES}
    assert [*long] == [HOT_LOOP]


def test_no_class_is_too_long() -> None:
    sizes = {
        f"{name}: {match[1]}": len(match[0].splitlines())
        for name, text in all_scripts().items()
        for match in CLASS.finditer(text)
    }
    assert len(sizes) > 50
    assert {name: size for name, size in sizes.items() if size > MOST_CLASS_LINES} == {}


def test_no_two_places_share_many_lines() -> None:
    sheets = {name: text for name, text in all_sheets().items() if name != COLOURS}
    workflows = texts_of(WORKFLOWS)
    assert {".github/workflows/tests.yml", ".github/actions/setup/action.yml"} < workflows.keys()
    written = {**all_scripts(), **sheets, **texts_of(PAGES), **workflows}
    assert len(written) > 450
    assert list(shared(written, LEAST_SHARED)) == []
    modules = {name: code(text) for name, text in all_modules().items() if name != SOURCE_AND_STRIPPED}
    assert list(shared(modules, LEAST_SHARED)) == []


def test_lines_that_occur_in_two_places_are_found() -> None:
    scripts = {"a.js": "one\ntwo\n\n  three\nfour\n", "b.js": "zero\n  one\n  two\nthree\n"}
    assert list(shared(scripts, 3)) == [("a.js:1", "b.js:2")]
    assert list(shared(scripts, 4)) == []
