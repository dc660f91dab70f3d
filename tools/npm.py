"""`python -m tools.npm FOLDER`: write two npm packages as .tgz files.

* `eglantine-plot` defines the element `<eglantine-plot>`.
* `eglantine-figures` makes the figures of `eg.figure` in a page interactive. It contains a style sheet, too.

Both packages contain types and a README, and need no other package. Their version is the wheel's version.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "pyodide_pkg")]

import eglantine  # noqa: E402
from eglantine.figures.script import script  # noqa: E402
from eglantine.figures.style import STYLE  # noqa: E402
from tools.bootstrap import SetupError  # noqa: E402
from tools.node import find_node  # noqa: E402
from tools.plot import make_plot  # noqa: E402

TEXTS = ROOT / "tools" / "npm"
"""The folder of the packages' own files. It contains a folder for each package, with its README and its
types."""
PLOT, FIGURES = "eglantine-plot", "eglantine-figures"
WAKE = "export const wakeFigures = (root = document) => globalThis.eglantineFigures(root);\n"
ABOUT = {
    PLOT: "A custom element that shows a compiled formula with a point to drag.",
    FIGURES: "Wakes figures that eg.figure made: live pictures of functions, without Python.",
}
EXPORTS: Mapping[str, Mapping[str, object]] = {
    PLOT: {".": {"types": "./index.d.ts", "default": "./index.js"}},
    FIGURES: {".": {"types": "./index.d.ts", "default": "./index.js"}, "./style.css": "./style.css"},
}


def main(folder: Path) -> list[Path]:
    """Write each package as a .tgz file into a folder. Return the files.

    Raises:
        SetupError: npm failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [pack(name, folder) for name in EXPORTS]


def pack(name: str, folder: Path) -> Path:
    """Write one package, and return its file."""
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch, name)
        shutil.copytree(TEXTS / name, made)
        write_scripts(name, made)
        shutil.copyfile(ROOT / "LICENSE", made / "LICENSE")
        (made / "package.json").write_text(json.dumps(description(name), indent=2) + "\n", encoding="utf-8")
        done = find_node().run_npm(
            ["pack", "--silent", "--pack-destination", str(folder.resolve())], cwd=made
        )
        if done.returncode != 0:
            raise SetupError(f"npm cannot pack {name}:\n{done.stderr.strip()}\nCorrect this fault.")
    return folder / f"{name}-{eglantine.__version__}.tgz"


def write_scripts(name: str, made: Path) -> None:
    """Write a package's script. `eglantine-figures` also has a style sheet."""
    if name == PLOT:
        make_plot(made / "index.js")
        return
    (made / "index.js").write_text(script() + WAKE, encoding="utf-8", newline="\n")
    (made / "style.css").write_text(STYLE, encoding="utf-8", newline="\n")


def description(name: str) -> dict[str, object]:
    """Make a package's package.json. `sideEffects` is true, so that bundlers do not remove the import."""
    return {
        "name": name,
        "version": eglantine.__version__,
        "description": ABOUT[name],
        "license": "MIT",
        "type": "module",
        "types": "./index.d.ts",
        "exports": EXPORTS[name],
        "sideEffects": True,
        "keywords": ["automatic differentiation", "derivatives", "webassembly", "custom element"],
    }


if __name__ == "__main__":
    print("\n".join(map(str, main(Path(sys.argv[1])))))
