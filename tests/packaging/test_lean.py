"""Removing comments and blanks from scripts does not change the programs."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.building import built
from tools import lean
from tools.modules import STATIC
from tools.node import find_node
from tools.packs import packed
from tools.served_files import Library

MOST_KB = 60
"""The largest size of our scripts that a page may load before it can be used, in kilobytes after gzip."""
ENTRIES = [
    "pages/quadratic/main",
    "pages/diagrams/main",
    "pages/home/main",
    "pages/billiards/main",
    "pages/bril/main",
    "pages/fit/main",
    "pages/playground/main",
    "pages/regression/main",
    "pages/robot/main",
    "pages/sparse/main",
    "pages/tape/main",
    "pages/learn/main",
]
EXPORTS = """
const [plain, lean] = await Promise.all(process.argv.slice(1).map((path) => import(path)));
const entry = ([name, value]) => [name, typeof value, JSON.stringify(value)];
const shown = (module) => Object.entries(module).map(entry);
console.log(JSON.stringify([shown(plain), shown(lean)]));
"""


@pytest.fixture(scope="module", autouse=True)
def built_site() -> None:
    built()


def test_a_lean_script_has_the_exports_of_its_source() -> None:
    texts = lean.SCRIPTS / "texts.js"
    made = lean.path_of(texts.read_bytes())
    copy = lean.LEAN.parent / ".lean-texts.mjs"
    copy.write_bytes(made.read_bytes())
    try:
        done = find_node().run(["--input-type=module", "-e", EXPORTS, texts.as_uri(), copy.as_uri()])
    finally:
        copy.unlink()
    plain, small = json.loads(done.stdout)
    assert plain == small
    assert len(plain) > len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_scripts_that_a_page_loads_first_are_small(entry: str) -> None:
    names = packed(f"js/{entry}.js")
    assert names is not None
    sizes = [len(gzip.compress(lean.lean((STATIC / name).read_bytes()), 6)) for name in names]
    assert sum(sizes) < 1000 * MOST_KB


def test_a_script_edited_after_the_build_is_served_unchanged() -> None:
    path = lean.SCRIPTS / "page" / "shell.js"
    content = path.read_bytes()
    assert b"/** @" in content
    assert b"/** @" not in Library(lean.SCRIPTS).read(path).plain
    edited = content + b"// edited\n"
    assert lean.lean(edited) == edited
