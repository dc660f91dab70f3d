"""Fixtures that start a development server for a small folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.asking import FILES, SECRET
from tools.server import Server, start


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    root = folder / "static"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    (folder / "static-sibling").mkdir()
    (folder / "static-sibling" / "secret.txt").write_text(SECRET, encoding="utf-8")
    if hasattr(os, "symlink"):
        (root / "link.txt").symlink_to(folder / "secret.txt")
        (root / "folder").symlink_to(folder, target_is_directory=True)
        (root / "loop.txt").symlink_to(root / "loop.txt")
        (root / "inside.js").symlink_to(root / "js" / "main.js")
    return root


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[Server]:
    running = start(site)
    yield running
    running.close()
