"""Make a smaller version of Pyodide's engine. It lacks the parts that only compiled C libraries need."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.bootstrap import ROOT, SetupError
from tools.node import find_node
from tools.vendor import VENDOR, last_lines

PYODIDE = VENDOR / "pyodide"
MAKER = ROOT / "tools" / "slim_engine.mjs"
STOCK = ("pyodide.asm.mjs", "pyodide.asm.wasm")
"""The names that the engine's script and module have in Pyodide."""
BESIDE = ("pyodide.mjs", "pyodide-lock.json")
"""The other files that Pyodide needs under Node."""


def users() -> list[Path]:
    """List the scripts that use the engine. The smaller engine keeps all functions that the scripts call."""
    scripts = ROOT / "static" / "js"
    workers = [*sorted((scripts / "worker").glob("*.js")), scripts / "sandbox" / "worker.js"]
    return [PYODIDE / "pyodide.mjs", *workers, ROOT / "tools" / "make_snapshot.mjs"]


def engine_sources() -> list[Path]:
    """All files from which the engine is made."""
    return [MAKER, *(PYODIDE / name for name in STOCK), *users()]


def make_engine(target: Path) -> tuple[Path, Path]:
    """Write the engine's script and module into a folder.

    Raises:
        SetupError: Node failed, or tools/slim_engine.mjs does not know this version of Pyodide.
    """
    script_target, module_target = target / "engine.mjs", target / "engine.wasm"
    script, module = (str(PYODIDE / name) for name in STOCK)
    job = {"script": script, "module": module, "users": [str(path) for path in users()]}
    job |= {"scriptTarget": str(script_target), "moduleTarget": str(module_target)}
    done = find_node().run([MAKER, json.dumps(job)])
    if done.returncode != 0:
        raise SetupError(
            "Python's engine could not be made:\n"
            f"{last_lines(done.stderr)}\n"
            "If Pyodide was changed, adapt tools/slim_engine.mjs. Otherwise remove static/vendor, and run "
            "this again."
        )
    return script_target, module_target


@contextmanager
def pyodide_with(script: Path, module: Path) -> Iterator[Path]:
    """Make a temporary folder with a copy of Pyodide that uses the given engine. Node can run it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for beside in BESIDE:
            shutil.copyfile(PYODIDE / beside, folder / beside)
        for path, stock in zip((script, module), STOCK, strict=True):
            shutil.copyfile(path, folder / stock)
        yield folder
