"""Join the figure's modules of JavaScript into one script."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Final

MODULES: Final = ("numbers.js", "frames.js", "solids.js", "drawing.js", "figure.js")
"""The modules, each after those it imports. No two define the same name."""
START: Final = """globalThis.eglantineFigures ??= wakeFigures;
globalThis.eglantineFigures(document);
addEventListener("DOMContentLoaded", () => globalThis.eglantineFigures(document));"""


@lru_cache(maxsize=1)
def script() -> str:
    """The script of all figures. It may stand on a page several times, and the first one serves all."""
    return "(() => {\n" + "\n".join(map(_bare, MODULES)) + f"\n{START}\n}})();\n"


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _bare(name: str) -> str:
    """A module without comments, indentation, imports and the word `export`."""
    text = re.sub(r"/\*\*.*?\*/\s?", "", _read(name), flags=re.DOTALL)
    lines = [re.sub(r"^export ", "", line.strip()) for line in text.split("\n")]
    return "\n".join(line for line in lines if line and not line.startswith(("//", "import ")))
