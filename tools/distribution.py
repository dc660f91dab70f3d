"""`serve.py --pyodide FOLDER`: let programs in the playground load packages of a full Pyodide distribution.

FOLDER contains a `pyodide-lock.json`, and the wheels of the packages in this list. Packages with compiled C
need Pyodide's original engine. So with this option, the playground uses neither our smaller engine
(docs/adr/0005) nor a snapshot.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools.bootstrap import SetupError, say
from tools.compressed import digest_of
from tools.files import BUILD, with_hash
from tools.sandbox import make_worker
from tools.vendor import VENDOR

LOCK = "pyodide-lock.json"
PACKAGES = "packages"
"""The first part of the addresses of all served packages."""
ENGINE = VENDOR / "pyodide" / "pyodide.asm.wasm"
ENGINE_SCRIPT = VENDOR / "pyodide" / "pyodide.asm.mjs"


@dataclass(frozen=True)
class Distribution:
    """The packages of a Pyodide distribution.

    files: {file name: path} of the wheels to serve.
    handed: {part: (address, SHA-256)} for the files that a page may pass to the sandbox: the wheels, the
        engine and the worker.
    """

    files: dict[str, Path]
    handed: dict[str, tuple[str, str]]

    def manifest(self, content: bytes) -> bytes:
        """Add the packages to the build's manifest. Return the new manifest."""
        manifest = json.loads(content)
        handed = {name: part for name, part in json.loads(manifest["handed"]).items() if name != "snapshot"}
        manifest["handed"] = json.dumps({**self.handed, **handed, **self._engine()}, sort_keys=True)
        return json.dumps(manifest).encode()

    def _engine(self) -> dict[str, tuple[str, str]]:
        return {name: self.handed[name] for name in ("engine", "worker")}


def distribution(folder: Path) -> Distribution:
    """Read a distribution's folder. Write a sandbox worker that uses Pyodide's original engine.

    Raises:
        SetupError: the folder contains no distribution, or a distribution of another version.
    """
    version, packages = read_lock(folder / LOCK)
    ours, _ = read_lock(VENDOR / "pyodide" / LOCK)
    if version != ours:
        raise SetupError(
            f"{folder} holds a Pyodide with the ABI {version}, but the pages use {ours}. Download the full "
            "distribution with the pages' ABI."
        )
    files: dict[str, Path] = {}
    handed: dict[str, tuple[str, str]] = {}
    for name, package in packages.items():
        path = folder / package["file_name"]
        if path.suffix == ".whl" and path.is_file():
            files[path.name] = path
            handed[f"package/{name}"] = (f"{PACKAGES}/{path.name}", package["sha256"])
    if not files:
        raise SetupError(
            f"{folder} holds none of the wheels that its {LOCK} names. Unpack the full distribution there."
        )
    with TemporaryDirectory(dir=BUILD, prefix=".making-") as making:  # two servers may start at once
        worker = Path(making, "sandbox-worker-full.js")
        make_worker(worker, ENGINE_SCRIPT)
        made = worker.with_name(with_hash(worker))
        worker_name = made.replace(BUILD / made.name).name
    handed["worker"] = (f"build/{worker_name}", digest_of(BUILD / worker_name))
    handed["engine"] = ("vendor/pyodide/pyodide.asm.wasm", digest_of(ENGINE))
    say(f"programs can load {len(files)} packages from {folder}")
    return Distribution(files, handed)


def read_lock(path: Path) -> tuple[str, dict[str, Any]]:
    """Read the list of a distribution's packages. Return the version of Pyodide's C ABI, and {name: package}.

    Raises: SetupError: the folder has no list of packages.
    """
    try:
        lock = json.loads(path.read_text(encoding="utf-8"))
        return str(lock["info"]["abi_version"]), dict(lock["packages"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(
            f"{path.parent} is no Pyodide distribution: it has no readable {path.name}. Name the folder into "
            "which you unpacked the full distribution."
        ) from error
