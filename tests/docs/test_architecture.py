"""The picture of the architecture shows the real imports. Documents name existing files and functions."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tools.rooms import PACKAGE, PICTURE, direct, layers, picture, rooms

ROOT = Path(__file__).resolve().parents[2]
BASES = (ROOT, PACKAGE, ROOT / "static", ROOT / "static" / "js", ROOT / "app" / "playground")
"""The folders to which the paths in the documents may be relative."""
MAPS = ("architecture.md", "differentiation.md", "abi.md", "pages.md", "security.md")
PLACEHOLDER = re.compile(r"NAME|parts/part\.html")
NAMED = re.compile(r"`([\w./-]+\.(?:py|js|mjs|html|md))(?:: (\w+(?:\.\w+)?))?`")


def named(document: str) -> list[tuple[str, str]]:
    """List the files that a document names, each with the function or class named after it (or "")."""
    return NAMED.findall((ROOT / "docs" / document).read_text(encoding="utf-8"))


def definitions(path: Path) -> set[str]:
    """Return the names that a Python module defines. A method's name is `Class.method`."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {
                f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)
            }
    return names


def test_the_picture_of_the_layers_shows_the_real_imports() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()


def test_arrows_of_the_picture_point_to_lower_layers() -> None:
    _, arrows = rooms()
    heights = {name: level for level, row in enumerate(layers(arrows)) for name in row}
    assert all(heights[name] < heights[other] for name, other in direct(arrows))
    with pytest.raises(ValueError, match="circle"):
        layers({"a": {"b"}, "b": {"a"}})


@pytest.mark.parametrize("document", MAPS)
def test_the_files_and_functions_that_a_document_names_exist(document: str) -> None:
    entries = named(document)
    assert entries
    for name, definition in entries:
        paths = [base / name for base in BASES if (base / name).exists()]
        assert paths or PLACEHOLDER.search(name), name
        if definition:
            assert any(definition in definitions(path) for path in paths), (name, definition)


def test_every_layer_has_a_paragraph() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {room for room in folders if f"**`{room}`**" not in text} == set()
