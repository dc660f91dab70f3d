"""Find our scripts, and the modules that a script imports, without running it."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from tools.bootstrap import ROOT, SetupError

STATIC = ROOT / "static"
SCRIPTS = STATIC / "js"
PACKS = SCRIPTS / "packs"
"""The folder of packed scripts (tools/packs.py). It contains a folder for each page."""
IMPORT = re.compile(r"^(?:import|export)\s(?:[^;\"]*?\sfrom\s*)?\"(\.[^\"]+)\"", re.MULTILINE)


def own_scripts() -> list[Path]:
    """List our scripts, except packs. (Unfinished packs are in a hidden folder.)"""
    folders = [path for path in SCRIPTS.iterdir() if path != PACKS and not path.name.startswith(".")]
    return sorted([*SCRIPTS.glob("*.js"), *(script for folder in folders for script in folder.rglob("*.js"))])


def imports_of(script: str) -> list[str]:
    """List a module and all modules that it imports, directly or indirectly, as addresses below `static/`.

    Raises:
        SetupError: one of the modules does not exist.
    """
    modules: dict[str, None] = {}
    waiting = [STATIC / script]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(STATIC).as_posix()
        if name in modules:
            continue
        if not path.exists():
            raise SetupError(
                f"The module {name} is imported, but it does not exist. Write it, or correct the import."
            )
        modules[name] = None
        waiting += [
            Path(os.path.normpath(path.parent / target))
            for target in imported_by(path.read_text(encoding="utf-8"))
        ]
    first, *others = modules
    return [first, *sorted(others)]


@lru_cache(maxsize=1024)
def imported_by(script: str) -> tuple[str, ...]:
    """Find the addresses in a script's static imports."""
    return tuple(IMPORT.findall(script))
