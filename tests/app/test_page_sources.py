"""Scripts and formulas never execute text as code. Only the playground's sandbox runs a visitor's text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.bootstrap import ROOT
from tools.missing import MISSING
from tools.modules import own_scripts

STATIC = ROOT / "static"
MADE = {"vendor", "build"}
"""The folders in `static/` whose files the build makes."""
SCRIPTS = [STATIC / "sw.js", *sorted((STATIC / "pages").rglob("*.js")), *own_scripts()]
PAGES = sorted(path for path in STATIC.rglob("*.html") if not MADE & set(path.relative_to(STATIC).parts))

MAKES_CODE = {
    "eval": r"\beval\b",
    "Function": r"\bFunction\s*\(|\.constructor\s*\(|\[\s*['\"`]constructor",
    "a timer with text": r"\bset(Timeout|Interval)\s*\(\s*['\"`]",
    "markup": r"\b(inner|outer)HTML\b|insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|srcdoc|DOMParser"
    r"|createContextualFragment|document\s*\.\s*write",
    "a handler as text": r"setAttribute\(\s*['\"`]on",
    "an address that is code": r"javascript:|data:text/",
    "a script by address": r"\bimportScripts\b|\bnew (Shared)?Worker\b"
    r"|createElement\(\s*['\"`](script|iframe|object)",
    "another origin": r"['\"`(]\s*(https?:)?//[a-z]",
}
"""Name → the pattern of a dangerous kind of code. No script may contain it outside comments, except where
`ALLOWED` says so."""
ALLOWED = {
    ("engine/workers.js", "a script by address"),  # Trusted Types guard this script.
    ("engine/workers.js", "markup"),  # This is the sandboxed frame. Its policy allows one script.
    ("sandbox/frame.js", "a script by address"),  # This is Python's worker in an isolated frame.
}
XML_NAMES = re.compile(r"http://www\.w3\.org/(2000/svg|1999/xhtml|1998/Math/MathML)")


def without_comments(script: str) -> str:
    """Remove the comments from a script. Keep a `//` after a quote or a colon, because it is in a string."""
    script = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), script, flags=re.DOTALL)
    return re.sub(r"(?m)(?<![:'\"`(\\])//(?!['\"`]).*$", "", script)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(STATIC)))
def test_no_script_turns_text_into_code_or_markup_or_names_an_origin(path: Path) -> None:
    code = XML_NAMES.sub("", without_comments(path.read_text(encoding="utf-8")))
    name = path.relative_to(STATIC / "js").as_posix() if (STATIC / "js") in path.parents else path.name
    found = {what for what, pattern in MAKES_CODE.items() if re.search(pattern, code)}
    assert found == {what for allowed, what in ALLOWED if allowed == name}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(STATIC)))
def test_no_page_contains_inline_scripts_styles_or_foreign_addresses(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    if path.name == MISSING:  # it may have one <style>; test_server.py checks that the policy has its hash
        text = re.sub(r"<style>.*?</style>", "", text, count=1, flags=re.DOTALL)
    assert not re.search(r"<style|javascript:|<iframe|<object|<embed|<base", text)
    assert not re.search(r'<[a-z](?:"[^"]*"|[^<>"])*?\s(?:style|on[a-z]+)=', text)
    loaded = re.findall(
        r"""<(?:script|link|img|source|video|audio|use)\b[^>]*?\b(?:src|href)="([^"]*)""", text
    )
    assert [address for address in loaded if re.match(r"[a-z]+:|//", address)] == []


@pytest.mark.parametrize(
    ("what", "script"),
    [
        ("eval", "const x = eval(text);"),
        ("eval", "globalThis['eval'](text)"),
        ("Function", "new Function(text)()"),
        ("Function", "f.constructor('return 1')"),
        ("a timer with text", "setTimeout('go()', 1)"),
        ("markup", "node.innerHTML = text; // why"),
        ("a handler as text", "node.setAttribute('onclick', text)"),
        ("an address that is code", "link.href = 'javascript:go()'"),
        ("a script by address", "new Worker(address)"),
        ("another origin", "fetch('https://evil.example/')"),
        ("another origin", "import x from '//evil.example/x.js';"),
    ],
)
def test_each_pattern_matches_the_code_that_it_forbids(what: str, script: str) -> None:
    assert re.search(MAKES_CODE[what], without_comments(script))


def test_the_patterns_ignore_comments() -> None:
    script = "/* eval(x) */ const a = 1; // new Function(x)\n/** innerHTML\n */ const b = 'c';"
    assert [
        what for what, pattern in MAKES_CODE.items() if re.search(pattern, without_comments(script))
    ] == []


# ---------------------------------------------------------------- Python

RUNS_CODE = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "open",
    "input",
    "breakpoint",
    "run_js",
    "import_module",
}
METHODS = {
    "import_module",
    "open",
    "popen",
    "read_bytes",
    "read_text",
    "run_js",
    "system",
    "write_bytes",
    "write_text",
}
REACHES_OUT = {
    "builtins", "code", "codeop", "ctypes", "ftplib", "http", "imp", "importlib", "js", "marshal",
    "multiprocessing", "os", "pickle", "pyodide", "pyodide_js", "runpy", "shutil", "socket",
    "subprocess", "sys", "tempfile", "urllib", "webbrowser",
}  # fmt: skip
PLAYGROUND = {
    f"app.playground.{name}" for name in ("service", "program", "packages", "names", "pictures", "sleeping")
}
"""The modules of app that run a visitor's own program. They run only in the sandboxed frame."""


def dotted(path: Path) -> str:
    """The name of a module of app."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


ON_A_FORMULAS_WAY = sorted([
    *(path for path in (ROOT / "app").rglob("*.py") if dotted(path) not in PLAYGROUND),
    *(ROOT / "pyodide_pkg" / "eglantine" / "formulas").glob("*.py"),
])  # fmt: skip


def knocks(tree: ast.AST) -> Iterator[str]:
    """List a module's calls and imports that could run text as code or leave the interpreter."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in RUNS_CODE:
                yield name
            case ast.Call(func=ast.Attribute(attr=name)) if name in METHODS:
                yield name
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name.split(".")[0] in REACHES_OUT)
            case ast.ImportFrom(module=str(module), level=0) if module.split(".")[0] in REACHES_OUT:
                yield module


def imports_of(path: Path) -> set[str]:
    """List the modules of `app` that a module imports. Also list the imported names as `module.name`."""
    room = dotted(path).split(".") if path.name == "__init__.py" else dotted(path).split(".")[:-1]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = room[: len(room) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module.split(".")[0] == "app":
                names |= {module, *(f"{module}.{each.name}" for each in node.names)}
    return names


@pytest.mark.parametrize("path", ON_A_FORMULAS_WAY, ids=lambda path: path.stem)
def test_no_module_that_reads_formulas_runs_text_or_uses_the_system(path: Path) -> None:
    assert list(knocks(ast.parse(path.read_text(encoding="utf-8")))) == []


def test_the_pages_python_does_not_import_the_runner_of_programs() -> None:
    reached: set[str] = set()
    pending = ["app.service"]
    while pending:
        name = pending.pop()
        path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        if name not in reached and path.exists():
            reached.add(name)
            pending += imports_of(path)
    assert {"app.algebra.display", "app.simulations.tables", "app.simulations.walkers"} <= reached
    assert reached & PLAYGROUND == set()


def test_calls_and_imports_that_run_text_are_found() -> None:
    text = "import os\nfrom pyodide.code import run_js\neval(x)\nimportlib.import_module(x)\ncode.run_js(x)"
    assert list(knocks(ast.parse(text))) == ["os", "pyodide.code", "eval", "import_module", "run_js"]
