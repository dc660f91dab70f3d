"""Write `figures/script.min.js`, the minified script of all figures.

Run `python -m tools.figure_script` after a change of the JavaScript in `pyodide_pkg/eglantine/figures`.
Otherwise a test fails.
"""

from __future__ import annotations

from tools.bootstrap import ROOT, SetupError
from tools.node import NODE_MODULES, find_node

FOLDER = ROOT / "pyodide_pkg" / "eglantine" / "figures"
SCRIPT = FOLDER / "script.min.js"


def made() -> str:
    """Bundle the JavaScript modules into one script with esbuild.

    Raises:
        SetupError: esbuild cannot read a module.
    """
    options = [
        "--bundle",
        "--minify",
        "--format=iife",
        "--target=es2022",
        "--charset=utf8",
        "--log-level=error",
    ]
    esbuild = NODE_MODULES / "esbuild" / "bin" / "esbuild"
    done = find_node().run([esbuild, FOLDER / "page.js", *options])
    if done.returncode != 0:
        raise SetupError(
            f"esbuild cannot read a module of figures:\n{done.stderr.strip()}\nCorrect the module."
        )
    return done.stdout


if __name__ == "__main__":
    SCRIPT.write_text(made(), encoding="utf-8", newline="\n")
