"""Draw `docs/rooms.svg`: the subpackages (*rooms*) of the compiler, with arrows for imports.

Run `python -m tools.rooms` after a change of the imports. A test compares the picture with the imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path

from tools.bootstrap import ROOT

PACKAGE = ROOT / "pyodide_pkg" / "eglantine"
PICTURE = ROOT / "docs" / "rooms.svg"
GROUND = "the ground"
"""The name of the box for modules that belong to no room and import nothing from rooms."""
FACE = "eg"
"""The name of the box for modules that belong to no room but import from rooms."""
BOX_WIDTH, BOX_HEIGHT, COLUMN_GAP, LAYER_GAP, MARGIN = 118, 40, 22, 34, 16
"""In pixels."""
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f1d1b; text-anchor: middle }
.count { font-size: 10.5px; fill: #6b6560 }
rect { fill: #faf8f5; stroke: #b9b2aa }
path { fill: none; stroke: #b9b2aa }
@media (prefers-color-scheme: dark) {
  text { fill: #ece8e3 } .count { fill: #a39c95 }
  rect { fill: #1d1b19; stroke: #5c5650 } path { stroke: #5c5650 }
}
"""


def modules() -> dict[str, Path]:
    """Find all modules of the package. Return {name: path}. A name omits `eglantine.` at its start."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").strip("."): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def imports(name: str, path: Path, names: Mapping[str, Path]) -> Iterator[str]:
    """Yield the package's modules that a module imports. Omit imports that are only for type checkers."""
    folder = name.split(".") if path.name == "__init__.py" and name else name.split(".")[:-1]
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
            continue
        for inner in ("body", "orelse", "finalbody", "handlers", "cases"):  # no import is in an expression
            found = getattr(node, inner, None)
            pending += found if isinstance(found, list) else []
        if not isinstance(node, ast.ImportFrom):
            continue
        parts = node.module.split(".") if node.module else []
        if node.level:
            parts = [*folder[: len(folder) - node.level + 1], *parts]
        elif parts[:1] == [PACKAGE.name]:
            parts = parts[1:]
        else:
            continue
        for alias in node.names:
            whole = ".".join([*parts, alias.name])
            yield whole if whole in names else ".".join(parts)


@cache
def rooms() -> tuple[dict[str, int], dict[str, set[str]]]:
    """Return {room: number of its modules} and {room: rooms that it imports}."""
    names = modules()
    folders = {name.split(".")[0] for name in names if "." in name}
    imported = {name: set(imports(name, path, names)) for name, path in names.items()}

    def room(name: str) -> str:
        first = name.partition(".")[0]
        if first in folders:
            return first
        return FACE if reaches(name, imported, folders) else GROUND

    sizes: dict[str, int] = {}
    arrows: dict[str, set[str]] = {}
    for name, others in imported.items():
        sizes[room(name)] = sizes.get(room(name), 0) + 1
        arrows.setdefault(room(name), set()).update(room(other) for other in others)
    for name, others in arrows.items():
        others.discard(name)
        if name != FACE:
            others.discard(FACE)
    return sizes, arrows


def reaches(name: str, imported: Mapping[str, set[str]], folders: set[str]) -> bool:
    """True if a module imports a room, directly or through modules outside all rooms."""
    seen: set[str] = set()
    pending = [name]
    while pending:
        module = pending.pop()
        if module.split(".")[0] in folders:
            return True
        if module not in seen:
            seen.add(module)
            pending += imported.get(module, ())
    return False


def layers(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """Sort the rooms into layers. Put each room above all rooms that it imports, as low as possible.

    Return the layers from the highest to the lowest.

    Raises: ValueError if the rooms import each other in a circle.
    """
    heights: dict[str, int] = {}
    while len(heights) < len(arrows):
        ready = [name for name in arrows if name not in heights and arrows[name] <= heights.keys()]
        if not ready:
            raise ValueError(
                f"The rooms {sorted(arrows.keys() - heights)} import each other in a circle. "
                "Remove one of the imports."
            )
        height = max(heights.values(), default=-1) + 1
        heights |= dict.fromkeys(ready, height)
    return [
        sorted(name for name in heights if heights[name] == height)
        for height in range(max(heights.values()), -1, -1)
    ]


def direct(arrows: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    """Return the arrows to draw. Omit an arrow if a chain of other arrows connects the same two rooms."""
    below: dict[str, set[str]] = {}
    for layer in reversed(layers(arrows)):
        for name in layer:
            below[name] = arrows[name].union(*(below[other] for other in arrows[name]))
    return {
        (name, other)
        for name, others in arrows.items()
        for other in others
        if not any(other in below[between] for between in others)
    }


def picture() -> str:
    """The picture as SVG."""
    sizes, arrows = rooms()
    rows = layers(arrows)
    widest = max(map(len, rows))
    width = 2 * MARGIN + widest * BOX_WIDTH + (widest - 1) * COLUMN_GAP
    height = 2 * MARGIN + len(rows) * BOX_HEIGHT + (len(rows) - 1) * LAYER_GAP
    places = {
        name: (
            (width - len(row) * BOX_WIDTH - (len(row) - 1) * COLUMN_GAP) / 2 + k * (BOX_WIDTH + COLUMN_GAP),
            MARGIN + level * (BOX_HEIGHT + LAYER_GAP),
        )
        for level, row in enumerate(rows)
        for k, name in enumerate(row)
    }
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
        "<title>The rooms of the compiler; an arrow goes from a room to one that it imports</title>",
        f"<style>{STYLE}</style>",
    ]
    for name, other in sorted(direct(arrows)):
        (x, y), (u, v) = places[name], places[other]
        x, y, u = x + BOX_WIDTH / 2, y + BOX_HEIGHT, u + BOX_WIDTH / 2
        bend = (v - y) / 2
        parts.append(f'<path d="M{x:g} {y:g}C{x:g} {y + bend:g} {u:g} {v - bend:g} {u:g} {v:g}"/>')
    for name, (x, y) in sorted(places.items()):
        middle = x + BOX_WIDTH / 2
        told = f"{sizes[name]} module{'s' if sizes[name] > 1 else ''}"
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4"/>'
            f'<text x="{middle:g}" y="{y + 18:g}">{escape(name)}</text>'
            f'<text class="count" x="{middle:g}" y="{y + 32:g}">{told}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
