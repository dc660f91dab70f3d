"""Make a lean form of each script. A lean form has no comments and blanks, and is a third smaller.

The name of a lean form is the hash of its source. After an edit, a script has a new hash and therefore no
lean form. The server then sends the source, so edits do not need a build.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from tools.bootstrap import ROOT, SetupError
from tools.files import write_atomically
from tools.modules import SCRIPTS, own_scripts
from tools.node import NODE_MODULES, find_node

LEAN = ROOT / "static" / "build" / ".lean"
"""The folder of lean scripts, which have no comments and no needless blanks. Each is named by the sha256 of
its source."""
LAST_LINES = 12


def make_lean() -> None:
    """Write the lean forms of all scripts, and delete outdated lean forms.

    Raises:
        SetupError: esbuild cannot read a script.
    """
    scripts = own_scripts()
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
            raise SetupError(f"esbuild cannot read a script:\n{lines}\nCorrect the script that it names.")
        forms = {path_of(one.read_bytes()): Path(folder, one.relative_to(SCRIPTS)) for one in scripts}
        for path, form in forms.items():
            write_atomically(path, form.read_bytes())
    for path in LEAN.iterdir():
        if path not in forms:
            path.unlink()


def lean(content: bytes) -> bytes:
    """Return the lean form of a script. Return the script unchanged if it has no lean form."""
    path = path_of(content)
    return path.read_bytes() if path.exists() else content


def path_of(content: bytes) -> Path:
    """The path of a script's lean form."""
    return LEAN / hashlib.sha256(content).hexdigest()
