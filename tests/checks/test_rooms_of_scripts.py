"""Scripts are in layers called rooms. A script imports only from lower rooms. There are no import cycles."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest

from tools.modules import SCRIPTS, own_scripts

TEXTS = ("texts.js", "formula-texts.js")
ROOMS = ("model", *TEXTS, "gestures", "worker", "engine", "sandbox", "widgets", "plot", "page", "pages")
"""The rooms, the lowest room first. A room is a folder of static/js or a file with texts of several pages. It
imports only from rooms before it."""
ENTRIES = {
    "worker.js": "worker",
    "python-early.js": "engine",
    "sandbox-early.js": "engine",
    "theme-early.js": "model",
    "embed-early.js": "model",
    "embed.js": "model",
}
"""Script with which a page or a worker starts → the highest room from which the script may import. No other
script imports it."""
GALLERY = "pages/home/thumbnails.js"
"""A script that may load every page's `thumbnail.js`, because the home page shows a small picture of each
page."""
IMPORT = re.compile(r"""\b(from|import)\s*(\()?\s*"(\.[^"]+)\"""")

Imports = Mapping[str, frozenset[str]]


def imports_of(path: Path, root: Path) -> frozenset[str]:
    """Find the scripts that a script imports. Include dynamic imports, and types in JSDoc comments."""
    targets = (match[3] for match in IMPORT.finditer(path.read_text(encoding="utf-8")))
    resolved = ((path.parent / target).resolve() for target in targets)
    return frozenset(target.relative_to(root).as_posix() for target in resolved if root in target.parents)


def all_imports() -> Imports:
    """Each of our scripts with its imports."""
    return {path.relative_to(SCRIPTS).as_posix(): imports_of(path, SCRIPTS) for path in own_scripts()}


def room_of(script: str) -> str:
    """Return a script's folder below static/js. Return the script's own name if it is in no folder."""
    return PurePosixPath(script).parts[0]


def page_of(script: str) -> str | None:
    """Return the page that a script belongs to, or None if the script belongs to no page."""
    parts = PurePosixPath(script).parts
    return parts[1] if parts[0] == "pages" else None


def is_allowed(script: str, target: str) -> bool:
    """True if one script may import another."""
    if script == GALLERY and target.startswith("pages/") and target.endswith("/thumbnail.js"):
        return True
    room, other = room_of(script), room_of(target)
    if other not in ROOMS:
        return False
    if script in ENTRIES:
        return ROOMS.index(other) <= ROOMS.index(ENTRIES[script])
    if room == other:
        return page_of(script) == page_of(target)
    return ROOMS.index(other) < ROOMS.index(room)


def forbidden(imports: Imports) -> Iterator[str]:
    """Yield every forbidden import. For example, no script may import from a higher room or another page."""
    for script, targets in imports.items():
        yield from (f"{script} -> {target}" for target in sorted(targets) if not is_allowed(script, target))


def circles(imports: Imports) -> list[list[str]]:
    """Find the groups of scripts that import each other, directly or through other scripts."""
    left = {script: set(targets) & set(imports) for script, targets in imports.items()}
    while ends := [script for script, targets in left.items() if not targets]:
        left = {script: targets - set(ends) for script, targets in left.items() if script not in ends}
    reached = {script: reachable(script, left) for script in left}
    found = {
        frozenset({script, *(other for other in reached[script] if script in reached[other])})
        for script in left
    }
    return sorted(sorted(circle) for circle in found if len(circle) > 1)


def reachable(script: str, imports: Mapping[str, Collection[str]]) -> set[str]:
    """Find all scripts that a script imports, directly or through others."""
    known: set[str] = set()
    waiting = list(imports[script])
    while waiting:
        other = waiting.pop()
        if other not in known:
            known.add(other)
            waiting += imports[other]
    return known


def test_every_script_belongs_to_a_layer() -> None:
    scripts = set(all_imports())
    assert {room_of(script) for script in scripts - set(ENTRIES)} == set(ROOMS)
    assert set(ENTRIES) <= scripts


def test_scripts_import_only_from_lower_layers_and_not_from_other_pages() -> None:
    assert list(forbidden(all_imports())) == []


def test_no_scripts_import_each_other() -> None:
    """A page imports its parts. A part must not import the page, but gets everything as arguments."""
    assert circles(all_imports()) == []


def test_a_circle_of_imports_is_found() -> None:
    imports = {
        name: frozenset(targets)
        for name, targets in {"a": "b", "b": "cd", "c": "a", "d": "e", "e": ""}.items()
    }
    assert circles(imports) == [["a", "b", "c"]]


def test_the_gallery_loads_the_script_of_a_picture_on_demand() -> None:
    text = (SCRIPTS / GALLERY).read_text(encoding="utf-8")
    others = [
        match for match in IMPORT.finditer(text) if match[3].startswith("../") and "thumbnail.js" in match[3]
    ]
    pages = [match for match in others if match[3].count("/") == 2]
    assert len(pages) == 11
    assert all(match[2] == "(" for match in pages)


@pytest.mark.parametrize(
    ("script", "target"),
    [
        ("model/fit.js", "engine/kernel.js"),
        ("engine/kernel.js", "widgets/fields.js"),
        ("widgets/fields.js", "page/controls.js"),
        ("page/player.js", "pages/robot/robot.js"),
        ("plot/surface-plot.js", "page/player.js"),
        ("worker/python.js", "engine/kernel.js"),
        ("texts.js", "engine/checker.js"),
        ("pages/robot/robot.js", "pages/billiards/table.js"),
        ("pages/home/thumbnails.js", "pages/billiards/table.js"),
        ("pages/home/gallery.js", "pages/billiards/thumbnail.js"),
        ("engine/own-python.js", "worker.js"),
        ("python-early.js", "page/shell.js"),
    ],
)
def test_an_import_upwards_or_of_another_page_is_found(script: str, target: str) -> None:
    assert list(forbidden({script: frozenset({target})})) == [f"{script} -> {target}"]


@pytest.mark.parametrize(
    "line",
    [
        'import { a } from "../widgets/fields.js";',
        'import {\n  a,\n  b,\n} from "../widgets/fields.js";',
        'import * as a from "../widgets/fields.js";',
        'import "../widgets/fields.js";',
        'export { a } from "../widgets/fields.js";',
        'const later = () => import("../widgets/fields.js");',
        '/** @typedef {import("../widgets/fields.js").A} A */',
        '/** @param {readonly import("../widgets/fields.js").A[]} a */',
    ],
)
def test_every_notation_of_an_import_is_read(tmp_path: Path, line: str) -> None:
    path = tmp_path / "model" / "a.js"
    path.parent.mkdir()
    path.write_text(f"// A script.\n{line}\n", encoding="utf-8")
    assert imports_of(path, tmp_path) == {"widgets/fields.js"}
