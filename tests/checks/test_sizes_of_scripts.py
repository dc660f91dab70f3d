"""Scripts and classes stay short, and no two places share many lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from tools.bootstrap import ROOT

SCRIPTS = ROOT / "static" / "js"
MOST_LINES = 400
MOST_CLASS_LINES = 350
LEAST_SHARED = 12
"""If this many lines are the same in two places, they should move to one place."""
CLASS = re.compile(r"^(?:export )?class (\w+).*?^}$", re.MULTILINE | re.DOTALL)


def all_scripts() -> dict[str, str]:
    """The text of each of our scripts."""
    return {
        path.relative_to(SCRIPTS).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(SCRIPTS.rglob("*.js"))
    }


def shared(scripts: Mapping[str, str], least: int) -> Iterator[tuple[str, ...]]:
    """Groups of places where the next `least` lines are equal, ignoring blank lines and indentation."""
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, text in scripts.items():
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        for k in range(len(lines) - least + 1):
            window = lines[k : k + least]
            places[tuple(line for _, line in window)].append(f"{name}:{window[0][0]}")
    yield from (tuple(where) for where in places.values() if len(where) > 1)


def test_no_script_is_long() -> None:
    sizes = {name: len(text.splitlines()) for name, text in all_scripts().items()}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


def test_no_class_is_long() -> None:
    sizes = {
        f"{name}: {match[1]}": len(match[0].splitlines())
        for name, text in all_scripts().items()
        for match in CLASS.finditer(text)
    }
    assert len(sizes) > 50
    assert {name: size for name, size in sizes.items() if size > MOST_CLASS_LINES} == {}


def test_no_two_places_share_many_lines() -> None:
    assert list(shared(all_scripts(), LEAST_SHARED)) == []


def test_lines_that_stand_twice_are_found() -> None:
    scripts = {"a.js": "one\ntwo\n\n  three\nfour\n", "b.js": "zero\n  one\n  two\nthree\n"}
    assert list(shared(scripts, 3)) == [("a.js:1", "b.js:2")]
    assert list(shared(scripts, 4)) == []
