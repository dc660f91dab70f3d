"""Make the light archive: a small set of modules from which Python starts on a slow connection.

On a fast connection, Python starts from a snapshot of its memory, which is 3.4 MB in Brotli. The light
archive has a fifth of this size. Starting from it takes more computing time but less download time.

At its start, Pyodide imports modules that our code never uses, such as `ssl` and `zipfile`. To avoid these
imports, we replace some modules by short stand-ins (`STAND_INS`). If a module outside the archive is needed
later, the worker fetches the whole library and replaces the stand-ins by the real modules
(static/js/worker/light.js).
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tools.bootstrap import ROOT, SetupError
from tools.engine import pyodide_with
from tools.files import BUILD, with_hash
from tools.node import find_node
from tools.python_parts import PYTHON_PATH
from tools.vendor import last_lines

MAKER = ROOT / "tools" / "make_light.mjs"
STAND_INS = {
    "asyncio/__init__.py": """
from .coroutines import *
from .events import *
from .exceptions import *
from .futures import *
from .runners import *
from .tasks import *
from . import events

DefaultEventLoopPolicy = events._BaseDefaultEventLoopPolicy
set_event_loop_policy = events._set_event_loop_policy
""",
    "pyodide/_package_loader.py": """
class Path:
    def __init__(self, path):
        self.path = path

    def __str__(self):
        return self.path

SITE_PACKAGES, DSO_DIR = Path("/lib/python3.14/site-packages"), Path("/usr/lib")

def init_loaded_packages():
    pass
""",
    "pyodide/common.py": "",
    "socket.py": "from _socket import *",
    "subprocess.py": "PIPE, STDOUT, DEVNULL = -1, -2, -3",
}
"""Path of a module of the standard library or of Pyodide → its short stand-in. A stand-in contains only the
parts that Pyodide uses while it starts."""


def light_sources() -> list[Path]:
    """List the repository's files that determine the archive, except the package."""
    return [MAKER, ROOT / "tools" / "light.py"]


def make_light(target: Path, bases: dict[str, str]) -> dict[str, str]:
    """Write the light archive into the folder `target`.

    bases: {key: file name} of built files, with the keys "stdlib", "sources", "engine" and "engineScript".

    Raises:
        SetupError: Node failed.
    """
    library, archive = target / "abridged.zip", target / "light.bin"
    abridge(BUILD / bases["stdlib"], library)
    job = {
        "stdlib": str(library),
        "sources": str(BUILD / bases["sources"]),
        "pythonPath": PYTHON_PATH,
        "target": str(archive),
    }
    with pyodide_with(BUILD / bases["engineScript"], BUILD / bases["engine"]) as folder:
        done = find_node().run([MAKER, folder, json.dumps(job)])
    library.unlink()
    if done.returncode != 0:
        raise SetupError(
            "The light archive of Python's modules could not be made:\n"
            f"{last_lines(done.stderr)}\n"
            "If this output names one of Eglantine's sources, correct that source. Otherwise remove "
            "static/vendor, and run this again."
        )
    return {"light": with_hash(archive)}


def abridge(library: Path, target: Path) -> None:
    """Copy the zip of the standard library. Replace some of its modules by the stand-ins."""
    replaced = {f"{name}{suffix}" for name in STAND_INS for suffix in ("", "c")}
    with zipfile.ZipFile(library) as whole, zipfile.ZipFile(target, "w") as made:
        for name in whole.namelist():
            if name not in replaced:
                made.writestr(name, whole.read(name), zipfile.ZIP_STORED)
        for name, text in STAND_INS.items():
            made.writestr(name, text, zipfile.ZIP_STORED)
