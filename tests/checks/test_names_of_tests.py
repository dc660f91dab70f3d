"""Every test's name is short enough to read at a glance and occurs once in its file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from tools.bootstrap import ROOT

LONGEST = 70
"""The largest allowed number of characters of a test's name, with `test_`. So a name fits into one line of a
report."""
FILES = sorted(path for folder in ("tests", "e2e") for path in (ROOT / folder).rglob("*.py"))


@cache
def names_of(source: str) -> tuple[str, ...]:
    """List the names of a module's tests in their order. A name that is defined twice is listed twice."""
    return tuple(
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )


def complaints(path: str, source: str) -> Iterator[str]:
    """Yield a complaint about each name that is too long or occurs twice."""
    seen: set[str] = set()
    for name in names_of(source):
        if len(name) > LONGEST:
            yield f"{path}: {name} has {len(name)} characters, expected at most {LONGEST}: shorten the claim."
        if name in seen:
            yield f"{path}: {name} occurs twice, so pytest runs only the second: rename one."
        seen.add(name)


def test_no_name_is_longer_than_a_line_or_occurs_twice_in_its_file() -> None:
    found = [
        complaint
        for path in FILES
        for complaint in complaints(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_tests_of_both_folders_are_checked() -> None:
    files = {path.relative_to(ROOT).parts[0]: path for path in FILES if path.name.startswith("test_")}
    assert files.keys() == {"tests", "e2e"}
    assert all(names_of(path.read_text(encoding="utf-8")) for path in files.values())


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_name_that_is_too_long_is_found(kind: str) -> None:
    fitting, long = "test_" + "a" * (LONGEST - 5), "test_" + "a" * (LONGEST - 4)
    source = "".join(f"{kind} {name}() -> None:\n    pass\n" for name in (fitting, long))
    assert list(complaints("test_x.py", source)) == [
        f"test_x.py: {long} has 71 characters, expected at most 70: shorten the claim."
    ]


def test_a_name_that_occurs_twice_is_found() -> None:
    source = "def test_a(): pass\ndef test_b(): pass\ndef test_a(): pass\n"
    assert list(complaints("test_x.py", source)) == [
        "test_x.py: test_a occurs twice, so pytest runs only the second: rename one."
    ]
