"""Pack each page's scripts into a few files, because each file needs time on a slow network.

esbuild joins the modules that a page's script imports. Modules that the page imports later become separate
files. The modules that start Python early are not joined, because two scripts of a page use them.

If a module has changed since the build, the page does not use the pack but loads all modules separately. So
edits do not need a build.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tools.bootstrap import ROOT, SetupError
from tools.files import BUILD, write_atomically
from tools.modules import PACKS, SCRIPTS, STATIC, imports_of
from tools.node import NODE_MODULES, find_node

RECORD = BUILD / ".packs.json"
"""A file that holds the `Pack` of each page's script."""
STARTERS = {"pages": "js/python-early.js", "playground": "js/sandbox-early.js"}
"""Name of a Python service → the script that starts Python before the page's own scripts run. It does so only
if the device has already stored Python."""
LAST_LINES = 12


@dataclass(frozen=True)
class Pack:
    """The packed form of a page's script.

    files: the files that a browser loads first, as addresses below `static/`. The page's script is the first.
    modules: {address: hash} for all modules in the pack.
    """

    files: tuple[str, ...]
    modules: Mapping[str, str]


def packed(script: str) -> list[str] | None:
    """List the files of a script's pack. Return None if there is no pack, or if a module has changed."""
    pack = read_record().get(script)
    if pack is None or any(digest_of(name) != digest for name, digest in pack.modules.items()):
        return None
    return list(pack.files) if all((STATIC / name).exists() for name in pack.files) else None


def make_packs() -> None:
    """Pack the scripts of all pages.

    Raises:
        SetupError: esbuild cannot read a script.
    """
    single = sorted({name for starter in STARTERS.values() for name in imports_of(starter)})
    # esbuild writes relative addresses, so the temporary folder must be in the same folder as `PACKS`.
    made = Path(tempfile.mkdtemp(dir=SCRIPTS, prefix=".packing-"))
    made.chmod(0o755)
    try:
        record = {
            entry.relative_to(STATIC).as_posix(): asdict(make_pack(entry, made / entry.parent.name, single))
            for entry in sorted(SCRIPTS.glob("pages/*/main.js"))
        }
        shutil.rmtree(PACKS, ignore_errors=True)
        made.replace(PACKS)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    write_atomically(RECORD, json.dumps(record, indent=1))


def make_pack(entry: Path, target: Path, single: Iterable[str]) -> Pack:
    """Pack a page's script into the folder `target`.

    single: the addresses of modules that must stay files of their own.

    Raises:
        SetupError: esbuild cannot read a script.
    """
    described = run_esbuild(entry, target, single)
    outputs = described["outputs"]
    files: dict[str, None] = {}
    waiting = [(target / entry.name).relative_to(ROOT).as_posix()]
    while waiting:
        path = waiting.pop()
        if path not in files:
            files[path] = None
            waiting += imported_by_file(path, outputs)
    below, final = target.relative_to(ROOT).as_posix(), (PACKS / target.name).relative_to(ROOT).as_posix()
    first, *others = (path.replace(below, final, 1).removeprefix("static/") for path in files)
    read = sorted(name.removeprefix("static/") for name in described["inputs"])
    return Pack((first, *sorted(others)), {name: digest_of(name) for name in read})


def run_esbuild(entry: Path, target: Path, single: Iterable[str]) -> Mapping[str, Any]:
    """Write a script's pack into a folder. Return esbuild's description of its input and output files.

    Raises:
        SetupError: esbuild cannot read a script.
    """
    with tempfile.TemporaryDirectory(dir=BUILD, prefix=".making-") as folder:
        description = Path(folder, "description.json")
        options = [
            f"--outdir={target}",
            f"--metafile={description}",
            f"--external:{STATIC / 'vendor'}/*",
            *(f"--external:{STATIC / name}" for name in single),
            "--bundle",
            "--splitting",
            "--format=esm",
            "--minify-whitespace",
            "--target=es2022",
            "--charset=utf8",
            "--legal-comments=inline",
            "--log-level=error",
        ]
        done = find_node().run([NODE_MODULES / "esbuild" / "bin" / "esbuild", entry, *options], cwd=ROOT)
        if done.returncode != 0:
            lines = "\n".join(done.stderr.strip().splitlines()[-LAST_LINES:])
            raise SetupError(f"esbuild cannot pack a page's scripts:\n{lines}\nCorrect the named script.")
        described: dict[str, Any] = json.loads(description.read_text(encoding="utf-8"))
    return described


def imported_by_file(path: str, outputs: Mapping[str, Any]) -> Iterator[str]:
    """Yield the static imports of a file in the pack or of a module outside the pack.

    All paths are relative to the repository.
    """
    if path not in outputs:
        yield from (f"static/{name}" for name in imports_of(path.removeprefix("static/")))
        return
    for each in outputs[path]["imports"]:
        if each["kind"] == "import-statement":
            name: str = each["path"]
            yield os.path.normpath(f"{path}/../{name}") if each.get("external") else name


def read_record() -> dict[str, Pack]:
    """Read the packs of the last build. Return {address of a page's script: pack}."""
    try:
        record = json.loads(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {script: Pack(tuple(one["files"]), one["modules"]) for script, one in record.items()}


def digest_of(name: str) -> str:
    """Return a hash of a script's content, or "" if it does not exist. `name` is an address in `static/`."""
    path = STATIC / name
    try:
        status = path.stat()
    except OSError:
        return ""
    return digest_of_version(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1024)
def digest_of_version(path: Path, _changed_ns: int, _size: int) -> str:
    """Return a hash of a file's content. The hash is cached until the file's time or size changes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
