"""Build the files from which pages start Python: modules, standard library, engine and snapshot."""

from __future__ import annotations

import ast
import json
import sys
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tools.bootstrap import ROOT, SetupError, finished
from tools.engine import make_engine, pyodide_with
from tools.files import BUILD, with_hash
from tools.node import find_node
from tools.sandbox import make_frame, make_pictures, make_worker
from tools.vendor import VENDOR, last_lines

PACKAGE = ROOT / "pyodide_pkg" / "eglantine"
APP = ROOT / "app"
PYTHON_PATH = "/lib/python3.14/site-packages"
"""Pyodide's folder site-packages. The page unpacks the zips `python` and `sources` into this folder."""
STDLIB_PATH = "/lib/python314.zip"
"""The path at which Pyodide mounts the zip of its standard library."""
WITHOUT_ASSERTS = 1
"""Python's level of optimisation that leaves out asserts. Our asserts only serve the type checker."""
WITHOUT_DOCSTRINGS = 2
"""Python's level of optimisation that leaves out asserts and docstrings."""
SNAPSHOT_FORMAT = ROOT / "static" / "js" / "worker" / "snapshot-format.js"
IN_SNAPSHOT = (
    "app.service",
    "app.playground.service",
    "app.fitting.fitter",
    "eglantine.formulas.free",
    "eglantine.formulas.letters",
    "random",
)
"""Modules that are already imported in a snapshot. One of them is `random`, so a page that loads a snapshot
must give it a new seed."""
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of all files in our zips, which is the oldest date that a zip can hold. With a fixed date, a zip's
bytes depend only on the files' contents."""


def python_files(folder: Path) -> list[Path]:
    """List the files of a package, except caches, in a fixed order."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def standard_imports(paths: Iterable[Path]) -> list[str]:
    """List the modules of the standard library that the given sources import, sorted by name."""
    imported: set[str] = set()
    for path in paths:
        if path.suffix == ".py":
            imported |= imports_in(path.read_bytes(), str(path))
    return sorted(name for name in imported if name.split(".")[0] in sys.stdlib_module_names)


@cache
def imports_in(source: bytes, path: str) -> frozenset[str]:
    """Find the full names of the modules that a source imports. The result is cached."""
    imported: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(source, path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported.add(node.module)
        for inner in ("body", "orelse", "finalbody", "handlers", "cases"):  # no import is in an expression
            found = getattr(node, inner, None)
            waiting += found if isinstance(found, list) else []
    return frozenset(imported)


def make_wheel(target: Path) -> dict[str, str]:
    """Build the wheel with the installed hatchling. This needs no network."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(target)]
    done = finished(command)
    wheels = sorted(target.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise SetupError(
            f"Building the wheel failed:\n{last_lines(done.stderr)}\nCorrect this fault, and run this again."
        )
    return {"wheel": wheels[0].name}


def make_python(target: Path) -> dict[str, str]:
    """Write two zips of eglantine and app: the sources, and .pyc files with only the public docstrings."""
    files = {
        path.relative_to(folder.parent).as_posix(): path.read_bytes()
        for folder in (PACKAGE, APP)
        for path in python_files(folder)
    }
    sources, documented = target / "sources.zip", target / "documented.zip"
    write_zip(sources, files)
    write_zip(documented, files | with_public_docstrings(files))
    compile_pyc(documented, target / "python.zip", prefix=PYTHON_PATH, optimize=WITHOUT_ASSERTS)
    documented.unlink()
    return {"sources": with_hash(sources), "python": with_hash(target / "python.zip")}


def write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip of `files`, which is {name: content}. Equal files always give equal bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, ZIP_EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def with_public_docstrings(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Remove private docstrings from the modules in `files`. Line numbers do not change."""
    from tools.wheel_sources import NOTHING, exports, without_private_docstrings

    public = exports(PACKAGE)
    package = f"{PACKAGE.name}/"
    return {
        name: without_private_docstrings(
            content.decode(),
            public.get(name.removeprefix(package).removesuffix(".py"), NOTHING)
            if name.startswith(package)
            else NOTHING,
        ).encode()
        for name, content in files.items()
        if name.endswith(".py")
    }


def make_stdlib(target: Path, imports: list[str]) -> dict[str, str]:
    """Write Pyodide's standard library as a zip, with .pyc files for the modules that a start needs."""
    stdlib = target / "stdlib.zip"
    compile_pyc(
        VENDOR / "pyodide" / "python_stdlib.zip",
        stdlib,
        prefix=STDLIB_PATH,
        imports=imports,
        optimize=WITHOUT_DOCSTRINGS,
    )
    return {"stdlib": with_hash(stdlib)}


def make_named_engine(target: Path) -> dict[str, str]:
    """Write a smaller version of Pyodide's engine (tools/engine.py)."""
    script, module = make_engine(target)
    return {"engineScript": with_hash(script), "engine": with_hash(module)}


def make_sandbox(target: Path, engine: Path) -> dict[str, str]:
    """Write the documents of the two sandboxed frames, and the script of the sandbox's Python worker."""
    frame, worker, pictures = (
        target / name for name in ("sandbox.html", "sandbox-worker.js", "pictures.html")
    )
    make_frame(frame)
    make_worker(worker, engine)
    make_pictures(pictures)
    return {"sandbox": with_hash(frame), "sandboxWorker": with_hash(worker), "pictures": with_hash(pictures)}


def make_snapshot(target: Path, bases: dict[str, str]) -> dict[str, str]:
    """Start Python in Node, import the pages' services, and write Python's memory as the snapshot.

    bases: {key: file name} of built files, with the keys "stdlib", "python", "engine" and "engineScript".

    Raises:
        SetupError: Node failed.
    """
    pages, info = target / "snapshot.bin", target / "snapshot-info.json"
    job = {
        "stdlib": str(BUILD / bases["stdlib"]),
        "python": str(BUILD / bases["python"]),
        "pythonPath": PYTHON_PATH,
        "imports": [*IN_SNAPSHOT],
        "pages": str(pages),
        "info": str(info),
    }
    script = ROOT / "tools" / "make_snapshot.mjs"
    with pyodide_with(BUILD / bases["engineScript"], BUILD / bases["engine"]) as folder:
        done = find_node().run([script, folder, json.dumps(job)])
    if done.returncode != 0:
        raise SetupError(
            "The snapshot of Python's memory could not be made:\n"
            f"{last_lines(done.stderr)}\n"
            "If this output names one of Eglantine's sources, correct that source. Otherwise remove "
            "static/vendor, and run this again."
        )
    return {"snapshot": with_hash(pages), "snapshot/info": with_hash(info)}


def compile_pyc(
    source: Path, target: Path, *, prefix: str, imports: list[str] | None = None, optimize: int = 0
) -> None:
    """Compile a zip of sources to a zip of .pyc files. Pyodide does this in Node (tools/compile_pyc.mjs).

    Raises:
        SetupError: a source does not compile, or Node failed.
    """
    job = {
        "source": str(source),
        "target": str(target),
        "prefix": f"{prefix}/",
        "imports": imports,
        "optimize": optimize,
    }
    script = ROOT / "tools" / "compile_pyc.mjs"
    done = find_node().run([script, VENDOR / "pyodide", json.dumps([job])])
    if done.returncode != 0:
        raise SetupError(
            f"Compiling {source.name} inside Pyodide failed:\n"
            f"{last_lines(done.stderr)}\n"
            "If this output names one of Eglantine's sources, correct that source. Otherwise remove "
            "static/vendor, and run this again."
        )
