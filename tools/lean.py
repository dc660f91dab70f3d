"""Our scripts without comments and blanks: a third less travels, and nothing else is changed.

They are kept by the hash of what they were made from, and whoever serves a script looks there first. So a
script that was edited since is served as it is, and an editor need not wait for anything.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from tools.bootstrap import ROOT, SetupError
from tools.files import write_atomically
from tools.node import NODE_MODULES, find_node

SCRIPTS = ROOT / "static" / "js"
LEAN = ROOT / "static" / "build" / ".lean"
"""Folder of lean scripts by the sha256 of what they were made from."""
LAST_LINES = 12


def make_lean() -> None:
    """Keep a lean form of each of our scripts, and no others.

    Raises:
        SetupError: a script is none.
    """
    scripts = sorted(SCRIPTS.rglob("*.js"))
    LEAN.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=LEAN.parent, prefix=".making-") as folder:
        options = [
            f"--outdir={folder}",
            f"--outbase={SCRIPTS}",
            "--minify-whitespace",
            "--target=es2022",
            "--charset=utf8",
            "--legal-comments=inline",
            "--log-level=error",
        ]
        done = find_node().run([NODE_MODULES / "esbuild" / "bin" / "esbuild", *scripts, *options])
        if done.returncode != 0:
            lines = "\n".join(done.stderr.strip().splitlines()[-LAST_LINES:])
            raise SetupError(f"esbuild cannot read a script:\n{lines}\nMend what it names.")
        kept = {path_of(script.read_bytes()): Path(folder, script.relative_to(SCRIPTS)) for script in scripts}
        for path, made in kept.items():
            write_atomically(path, made.read_bytes())
    for path in LEAN.iterdir():
        if path not in kept:
            path.unlink()


def lean(content: bytes) -> bytes:
    """The lean form of a script, or the script as it is where none was made of it."""
    path = path_of(content)
    return path.read_bytes() if path.exists() else content


def path_of(content: bytes) -> Path:
    """Where a script's lean form is kept."""
    return LEAN / hashlib.sha256(content).hexdigest()
