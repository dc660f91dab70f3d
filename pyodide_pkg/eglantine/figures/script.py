"""Join the figure's modules of JavaScript into one script."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Final

MODULES: Final = (
    "numbers.js",
    "frames.js",
    "paths.js",
    "solids.js",
    "tables.js",
    "drawing.js",
    "takeaway.js",
    "figure.js",
)
"""The modules. Each comes after those that it imports. No two modules define the same name."""
QUOTED: Final = re.compile(r'("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|/\[.*?\]\+/)')
"""Parts of a line that keep their spaces: strings, templates and regular expressions."""
START: Final = """globalThis.eglantineFigures ??= wakeFigures;
globalThis.eglantineFigures(document);
addEventListener("DOMContentLoaded", () => globalThis.eglantineFigures(document));"""


@lru_cache(maxsize=1)
def script() -> str:
    """The script of all figures. A page may contain it several times. Then only the first copy is used."""
    return "(() => {\n" + "\n".join(map(_bare, MODULES)) + f"\n{START}\n}})();\n"


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _bare(name: str) -> str:
    """A module without comments, imports, the word `export`, and unneeded spaces."""
    text = re.sub(r"/\*\*.*?\*/\s?", "", _read(name), flags=re.DOTALL)
    lines = [re.sub(r"^export ", "", line.strip()) for line in text.split("\n")]
    kept = (line for line in lines if line and not line.startswith(("//", "import ")))
    return re.sub(r"(?<=[;,{([])\n", "", "\n".join(map(_squeezed, kept)))


def _squeezed(line: str) -> str:
    """A line without spaces around signs."""
    parts = QUOTED.split(re.sub(r"(?<=[;{]) // .*$", "", line))
    return "".join(part if k % 2 else _joined(part) for k, part in enumerate(parts))


def _joined(part: str) -> str:
    """Code without spaces around signs, and without brackets around a parameter that is alone.

    The space between two signs + or - remains.
    """
    joined = re.sub(r" ?([=*<>(){}\[\],;:?&|]|!==?) ?", r"\1", part)
    joined = re.sub(r"(?<![+\-/]) ([+\-/]) (?![+\-/])", r"\1", joined)
    return re.sub(r"(?<!\w)\((\w+)\)=>", r"\1=>", joined)
