"""Build the files of ours that the pages load into `static/build/`: the wheel, precompiled Python, presets.

`static/build/manifest.json` lists the results: {"version": 1, "wheel", "python", "stdlib", "sources",
 "presets", "billiards", "robot", "pythonPath", "snapshot", "snapshotInfo", "digests", "lock", "engine",
 "engineScript", "sandbox", "sandboxWorker", "handed"}.
Every name except the wheel's carries a hash of the content, so these files never change.

* `python` is a zip of eglantine and app as .pyc. Unpack it to `pythonPath`, where tracebacks name its files.
  It only keeps the docstrings of public names, for `help`.
* `sources` has the same modules as .py. Fetch it only to show lines of our code in an error.
* `stdlib` replaces Pyodide's python_stdlib.zip (`stdLibURL`). The modules that a start loads are .pyc in it.
* `engine` and `engineScript` replace pyodide.asm.wasm and pyodide.asm.mjs (tools/engine.py).
* `snapshot` is the memory of a Python that has loaded the files above (tools/make_snapshot.mjs).
  `snapshotInfo` holds, as JSON, the other data that a page needs to continue from it.
* `digests` holds, as JSON, the SHA-256 of the files that a page keeps: `engine`, and the unpacked `snapshot`.
* `sandbox` is the document of the frame in which visitors' programs run (tools/sandbox.py), and
  `sandboxWorker` is the script of its worker.
* `handed` lists, as JSON, the files that a page may hand to that worker: {part: [address, SHA-256 of the
  unpacked file]}.
* `lock` replaces Pyodide's list of packages. It is empty, because no other origin is ever asked.
* `plot` is `<eglantine-plot>` as one script (tools/plot.py), which the Quadratic page gives away.
* `presets` lists the presets' compiled modules. It is absent if there are none. Every other .json file that
  `tools.presets` writes has a key too, its name without the suffix. The billiards page's is `billiards`.

A step is repeated only if the hash of its inputs has changed. `.inputs.json` beside the results remembers the
hashes. The pages themselves (tools/pages.py) are written last.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import importlib.util
import json
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.bootstrap import ROOT, SetupError, finished, say
from tools.engine import engine_sources, make_engine, pyodide_with
from tools.files import one_at_a_time, write_atomically
from tools.lean import SCRIPTS, make_lean
from tools.node import find_node
from tools.pages import STATIC, write_pages
from tools.plot import make_plot, plot_sources
from tools.sandbox import make_frame, make_worker, sandbox_sources
from tools.vendor import PACKAGES_FOLDER, PACKAGES_INDEX, VENDOR, last_lines

BUILD = ROOT / "static" / "build"
PACKAGE = ROOT / "pyodide_pkg" / "eglantine"
APP = ROOT / "app"
PYTHON_PATH = "/lib/python3.14/site-packages"
"""The page unpacks `python` and `sources` here, into Pyodide's site-packages."""
STDLIB_PATH = "/lib/python314.zip"
"""Pyodide mounts its standard library here."""
WITHOUT_ASSERTS = 1
"""Python's level of optimisation that leaves out asserts. Ours only tell types."""
WITHOUT_DOCSTRINGS = 2
"""Python's level of optimisation that leaves out asserts and docstrings."""
MANIFEST_VERSION = 1
SNAPSHOT_FORMAT = ROOT / "static" / "js" / "worker" / "snapshot-format.js"
IN_SNAPSHOT = ("app.service", "app.playground.service", "random")
"""Modules that are already imported in a snapshot. A page that loads it must seed `random` anew."""
RECORD = ".inputs.json"
LOCK = ".building"
"""A build holds this lock. A second build waits for it, and then finds everything made."""
BROTLI = ROOT / "tools" / "brotli.mjs"
BROTLI_SUFFIX = ".br"
GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""
HANDED = {
    "worker": "sandboxWorker",
    "engine": "engine",
    "snapshot": "snapshot",
    "stdlib": "stdlib",
    "python": "python",
}
"""Parts of the sandboxed Python → their keys in the manifest."""
HASH_DIGITS = 12
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The oldest date that a zip can hold. A fixed date makes the bytes depend on the content alone."""
COMPRESSED = ".gzip"
"""A folder of gzipped copies for the server, named by the sha256 of their content."""
WORTH_PRECOMPRESSING = 64 * 1024
"""In bytes. The server compresses a smaller file in about a millisecond when it is asked for."""
COMPRESSIBLE = frozenset({".css", ".html", ".js", ".json", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest"})
"""Suffixes of files that gzip makes smaller. Zips, wheels and fonts are already compressed."""


@dataclass(frozen=True)
class Step:
    """One step of the build.

    inputs: a hash of everything from which the step's files are made.
    make: writes the files into the given folder and returns {manifest key: file name}.
    """

    name: str
    inputs: str
    make: Callable[[Path], dict[str, str]]


def build() -> dict[str, object]:
    """Bring `static/build/` up to date and return its manifest. `static/vendor/` must be complete.

    Raises:
        SetupError: a step failed. The message says which one and what to do.
    """
    with one_at_a_time(BUILD / LOCK):
        return build_alone()


def build_alone() -> dict[str, object]:
    """Do the work of `build`. The caller holds the lock."""
    record = read_record()
    for step in steps(record):
        if is_current(record.get(step.name), step.inputs):
            continue
        say(f"building: {step.name}")
        record[step.name] = {"inputs": step.inputs, "files": run_step(step)}
        write_atomically(BUILD / RECORD, json.dumps(record, indent=1, sort_keys=True))
    remove_stale(record)
    manifest = manifest_of(record)
    write_atomically(BUILD / "manifest.json", json.dumps(manifest, indent=1, sort_keys=True) + "\n")
    write_pages()
    return manifest


def steps(record: dict[str, dict[str, object]]) -> Iterable[Step]:
    """All steps, in order. Run each before asking for the next: later steps read the results in `record`."""
    package, app = python_files(PACKAGE), python_files(APP)
    ours = content_hash([*package, *app])
    tools = [
        *sorted((ROOT / "tools").glob("presets*.py")),
        ROOT / "tools" / "gaits.json",
        *sorted((ROOT / "tools").glob("math*.py")),
    ]
    compiler = content_hash([ROOT / "tools" / "build.py", ROOT / "tools" / "compile_pyc.mjs"])
    public = content_hash([ROOT / "tools" / "wheel_sources.py"])
    pyodide = content_hash(
        [VENDOR / "pyodide" / "python_stdlib.zip", VENDOR / "pyodide" / "pyodide.asm.wasm"]
    )
    imports = standard_imports([*package, *app])
    wheel = [*package, ROOT / "pyproject.toml", ROOT / "LICENSE", ROOT / "tools" / "wheel_sources.py"]
    yield Step("wheel", content_hash(wheel), make_wheel)
    yield Step("python", combine(ours, compiler, public, pyodide), make_python)
    yield Step("stdlib", combine(*imports, compiler, pyodide), lambda target: make_stdlib(target, imports))
    yield Step("engine", content_hash(engine_sources()), make_named_engine)
    bases = {
        key: name
        for step in ("python", "stdlib", "engine")
        for key, name in named_files(record[step]).items()
    }
    maker = content_hash([ROOT / "tools" / "make_snapshot.mjs", SNAPSHOT_FORMAT])
    yield Step(
        "snapshot", combine(*bases.values(), maker, pyodide), lambda target: make_snapshot(target, bases)
    )
    engine_script = BUILD / bases["engineScript"]
    yield Step(
        "sandbox",
        combine(content_hash(sandbox_sources()), engine_script.name),
        lambda target: make_sandbox(target, engine_script),
    )
    large = [BUILD / name for step in ("engine", "snapshot") for name in named_files(record[step]).values()]
    yield Step("brotli", content_hash([*large, BROTLI]), lambda target: make_brotli(target, large))
    yield Step("presets", combine(ours, content_hash(tools)), make_presets)
    yield Step("plot", content_hash(plot_sources()), make_plot_script)
    scripts = sorted(SCRIPTS.rglob("*.js"))
    yield Step(
        "lean", content_hash([*scripts, ROOT / "tools" / "lean.py"]), lambda target: without_files(make_lean)
    )
    if VENDOR.exists():
        large = sorted(path for path in VENDOR.rglob("*") if path.suffix in COMPRESSIBLE)
        large += [BUILD / name for name in named_files(record["engine"]).values()]
        yield Step("gzip", content_hash(large), lambda target: precompress(large))


def python_files(folder: Path) -> list[Path]:
    """Every file of a package except caches, in a fixed order."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def content_hash(paths: Iterable[Path]) -> str:
    """One hash of the names and contents of files, which does not depend on their order."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def combine(*parts: str) -> str:
    """One hash of several texts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def standard_imports(paths: Iterable[Path]) -> list[str]:
    """The modules of the standard library that these sources import anywhere, sorted."""
    imported: set[str] = set()
    for path in paths:
        if path.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
            if isinstance(node, ast.Import):
                imported.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module)
    return sorted(name for name in imported if name.split(".")[0] in sys.stdlib_module_names)


def is_current(made: dict[str, object] | None, inputs: str) -> bool:
    """Whether a step's remembered result was made from these inputs and is still there."""
    if made is None or made["inputs"] != inputs:
        return False
    files = made["files"]
    return isinstance(files, dict) and all((BUILD / str(name)).exists() for name in files.values())


def run_step(step: Step) -> dict[str, str]:
    """Run a step in a folder of its own, then move its files into `static/build/`."""
    with tempfile.TemporaryDirectory(dir=BUILD, prefix=".making-") as folder:
        target = Path(folder)
        files = step.make(target)
        for path in target.iterdir():
            path.replace(BUILD / path.name)
    return files


def make_wheel(target: Path) -> dict[str, str]:
    """Build the wheel with the installed backend, which needs no network."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(target)]
    done = finished(command)
    wheels = sorted(target.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise SetupError(
            f"Building the wheel failed:\n{last_lines(done.stderr)}\nMend what it names, and run this again."
        )
    return {"wheel": wheels[0].name}


def make_python(target: Path) -> dict[str, str]:
    """Zip eglantine and app twice: as sources, and as Pyodide's .pyc with only the public docstrings."""
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
    """Write a zip of these files. Its bytes depend only on their names and contents."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, ZIP_EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def with_public_docstrings(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The modules among `files`, without the docstrings that `help` never shows. Lines keep their numbers."""
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
    """Write Pyodide's standard library, in which the modules that a start imports are .pyc."""
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
    """Write Pyodide's engine without the parts that nothing here uses."""
    script, module = make_engine(target)
    return {"engineScript": with_hash(script), "engine": with_hash(module)}


def make_sandbox(target: Path, engine: Path) -> dict[str, str]:
    """Write the document of the sandboxed frame, and its worker's script with the engine's script in it."""
    frame, worker = target / "sandbox.html", target / "sandbox-worker.js"
    make_frame(frame)
    make_worker(worker, engine)
    return {"sandbox": with_hash(frame), "sandboxWorker": with_hash(worker)}


def make_brotli(target: Path, paths: list[Path]) -> dict[str, str]:
    """Write copies of the large files in Brotli. The snapshot's copy is of its unpacked content.

    Raises:
        SetupError: Node failed.
    """
    worth = [path for path in paths if path.stat().st_size >= WORTH_PRECOMPRESSING]
    in_brotli({path: target / f"{path.name}{BROTLI_SUFFIX}" for path in worth})
    return {f"brotli/{path.name}": f"{path.name}{BROTLI_SUFFIX}" for path in worth}


def in_brotli(copies: Mapping[Path, Path]) -> None:
    """Write a copy of each file in Brotli. A gzipped file is unpacked first. A large file takes seconds.

    Raises:
        SetupError: Node failed.
    """
    jobs = [{"source": str(path), "target": str(copy)} for path, copy in copies.items()]
    done = find_node().run([BROTLI, json.dumps(jobs)])
    if done.returncode != 0:
        raise SetupError(f"Compressing with Brotli failed:\n{last_lines(done.stderr)}\nMend what it names.")


def make_snapshot(target: Path, bases: dict[str, str]) -> dict[str, str]:
    """Write the memory of a Python that has imported the pages' services (tools/make_snapshot.mjs).

    bases: the names of the files "stdlib", "python", "engine" and "engineScript" from which it starts.

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
            f"Making the snapshot of Python's memory failed:\n{last_lines(done.stderr)}\n"
            "If it names a source of ours, mend that; else remove static/vendor, and run this again."
        )
    return {"snapshot": with_hash(pages), "snapshot/info": with_hash(info)}


def compile_pyc(
    source: Path, target: Path, *, prefix: str, imports: list[str] | None = None, optimize: int = 0
) -> None:
    """Compile a zip of sources inside Pyodide under Node (with tools/compile_pyc.mjs).

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
            f"Compiling {source.name} inside Pyodide failed:\n{last_lines(done.stderr)}\n"
            "If it names a source of ours, mend that; else remove static/vendor, and run this again."
        )


def make_plot_script(target: Path) -> dict[str, str]:
    """Write `<eglantine-plot>` for use on any page."""
    script = target / "eglantine-plot.js"
    make_plot(script)
    return {"plot": with_hash(script)}


def make_presets(target: Path) -> dict[str, str]:
    """Compile the presets, and rename each of their files to carry its hash."""
    if importlib.util.find_spec("tools.presets") is None:
        say("no presets are compiled: there is no tools/presets.py yet")
        return {}
    command = [sys.executable, "-m", "tools.presets", str(target)]
    done = finished(command)
    listing = target / "presets.json"
    if done.returncode != 0 or not listing.exists():
        raise SetupError(
            f"Compiling the presets failed:\n{last_lines(done.stderr or done.stdout)}\n"
            "Run `python -m tools.presets FOLDER` to see it alone."
        )
    renamed = {path.name: with_hash(path) for path in sorted(target.iterdir()) if path != listing}
    content = rename_in(json.loads(listing.read_text(encoding="utf-8")), renamed)
    listing.write_text(
        json.dumps(content, separators=(",", ":"), ensure_ascii=False), encoding="utf-8", newline="\n"
    )
    keys = {old: old.removesuffix(".json") if old.endswith(".json") else f"presets/{old}" for old in renamed}
    return {"presets": with_hash(listing), **{keys[old]: new for old, new in renamed.items()}}


def rename_in(value: object, names: dict[str, str]) -> object:
    """A JSON value in which each string that is a file's old name is replaced by its new name."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [rename_in(item, names) for item in value]
    if isinstance(value, dict):
        return {key: rename_in(item, names) for key, item in value.items()}
    return value


def with_hash(path: Path) -> str:
    """Rename a file to carry a hash of its content (`a.zip` → `a-0123456789ab.zip`), and return its name."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:HASH_DIGITS]
    return path.replace(path.with_name(f"{path.stem}-{digest}{path.suffix}")).name


def without_files(make: Callable[[], None]) -> dict[str, str]:
    """Run a step that stores its own results."""
    make()
    return {}


def precompress(paths: Iterable[Path]) -> dict[str, str]:
    """Gzip large files into the server's cache, so that no request waits for the compression."""
    folder = BUILD / COMPRESSED
    folder.mkdir(exist_ok=True)
    for path in paths:
        content = path.read_bytes()
        if len(content) >= WORTH_PRECOMPRESSING:
            name = hashlib.sha256(content).hexdigest()
            write_atomically(folder / name, gzip.compress(content, compresslevel=9, mtime=0))
    return {}


def manifest_of(record: dict[str, dict[str, object]]) -> dict[str, object]:
    """The manifest that the pages read, built from the steps' results."""
    manifest: dict[str, object] = {"version": MANIFEST_VERSION, "pythonPath": PYTHON_PATH}
    for made in record.values():
        manifest.update({key: name for key, name in named_files(made).items() if "/" not in key})
    info = named_files(record["snapshot"])["snapshot/info"]
    manifest["snapshotInfo"] = (BUILD / info).read_text(encoding="utf-8")
    kept_by_pages = [named_files(record[step])[step] for step in ("engine", "snapshot")]
    manifest["digests"] = json.dumps(digests_of(kept_by_pages))
    manifest["handed"] = json.dumps(handed(manifest), sort_keys=True)
    lock = json.loads((VENDOR / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    manifest["lock"] = json.dumps({**lock, "packages": {}}, sort_keys=True)
    return manifest


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """The whole SHA-256 of each built file. A gzip file is unpacked first."""
    return {name: digest_of(BUILD / name) for name in names}


def handed(manifest: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """The files that a page may hand to the sandbox: each part's address below `static/`, and its SHA-256."""
    parts = {part: f"build/{manifest[key]}" for part, key in HANDED.items()}
    pypi = VENDOR / PACKAGES_FOLDER
    for name, file in json.loads((pypi / PACKAGES_INDEX).read_text(encoding="utf-8")).items():
        path = (pypi / file).resolve().relative_to(VENDOR.parent.resolve())
        parts[f"package/{name}"] = path.as_posix()
    return {part: (address, digest_of(STATIC / address)) for part, address in parts.items()}


def digest_of(path: Path) -> str:
    """The SHA-256 of a file. A gzip file is unpacked first."""
    content = path.read_bytes()
    plain = gzip.decompress(content) if content.startswith(GZIP) else content
    return hashlib.sha256(plain).hexdigest()


def named_files(made: dict[str, object]) -> dict[str, str]:
    """The files of one step's record, sorted by key, as they also are in the written record."""
    files = made["files"]
    assert isinstance(files, dict)
    return dict(sorted(files.items()))


def read_record() -> dict[str, dict[str, object]]:
    """The results of earlier builds, as {step: {"inputs": hash, "files": {key: name}}}."""
    try:
        record = json.loads((BUILD / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def remove_stale(record: dict[str, dict[str, object]]) -> None:
    """Delete old results that the record no longer names."""
    named = {"manifest.json"}
    for made in record.values():
        named.update(named_files(made).values())
    for path in BUILD.iterdir():
        if path.is_file() and path.name not in named and not path.name.startswith("."):
            path.unlink()
