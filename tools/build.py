"""Build the files that the pages load (the wheel, precompiled Python, presets and others) in `static/build/`.

`static/build/manifest.json` lists the results: {"version": 1, "wheel", "python", "stdlib", "sources",
"presets", "survey", "polynomials", "billiards", "robot", "pythonPath", "snapshot", "snapshotInfo", "light",
"digests", "lock",
"engine", "engineScript", "sandbox", "sandboxWorker", "penroseWorker", "pictures", "handed", "book",
"figureScript", "figureStyle", "tier", "tierModule", "tierLatex", "documents", "search"}.
Every file name except the wheel's contains a hash of the content, so a file with such a name never changes.

* `python` is a zip of eglantine and app as .pyc. It must be unpacked into the folder `pythonPath`. The zip
  contains only the docstrings of public names, for `help`.
* `sources` is a zip of these modules as .py. Pages fetch it only to show lines of our code in an error.
* `stdlib` replaces Pyodide's python_stdlib.zip (`stdLibURL`). In this zip, the modules that Python
  loads when it starts are .pyc.
* `engine` and `engineScript` replace pyodide.asm.wasm and pyodide.asm.mjs (tools/engine.py).
* `snapshot` is the memory of a Python that has loaded the files above (tools/make_snapshot.mjs).
  `snapshotInfo` holds, as JSON, the other data that a page needs to restore the snapshot.
* `light` is a small archive from which Python starts on a slow connection (tools/light.py).
* `digests` holds, as JSON, the SHA-256 of the files that a page stores for the next visit: `engine`, and the
  unpacked `snapshot` and `light`.
* `sandbox` is the document of the frame in which visitors' programs run (tools/sandbox.py), and
  `sandboxWorker` is the script of its worker. `penroseWorker` is the script of the worker that compiles
  Penrose's programs there. `pictures` is the document of the frames that draw the
  pictures of visitors' programs.
* `handed` lists, as JSON, the files that a page may hand to the sandbox's worker: {part: [address, SHA-256 of
  the unpacked file]}.
* Three more keys, `tier`, `tierModule` and `tierLatex`, name the script and the module of the first tier of
  formulas, and the script that reads formulas in LaTeX (tools/tier.py).
* `lock` is an empty list of packages. It replaces Pyodide's list, so pages load no packages from elsewhere.
* `plot` is `<eglantine-plot>` as one script (tools/plot.py). The Quadratic page offers it for download.
* `book` holds, as JSON, the pages of the book. The figures name the files of their kernels. `figureScript`
  and `figureStyle` are the script and the style of all figures (tools/book.py).
* `documents` holds, as JSON, the pages of the documentation. `search` holds the sections that the search
  looks through (tools/documents).
* `presets` lists the presets' compiled modules. Without presets, the key is absent. Every other .json
  file that `tools.presets` writes has a key, too: its name without the suffix, such as `billiards`.

A step is repeated only if the hash of its inputs has changed. The file `.inputs.json` in `static/build/`
contains these hashes. After all steps, the build writes the HTML pages (tools/pages.py).
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.bootstrap import ROOT, SetupError, finished, say
from tools.compressed import BROTLI, COMPRESSIBLE, digest_of, make_brotli, precompress
from tools.engine import engine_sources
from tools.files import BUILD, one_at_a_time, with_hash, write_atomically
from tools.lean import make_lean
from tools.light import light_sources, make_light
from tools.modules import STATIC, imports_of, own_scripts
from tools.packs import make_packs
from tools.pages import write_pages
from tools.plot import make_plot, plot_sources
from tools.python_parts import (
    APP,
    IN_SNAPSHOT,
    PACKAGE,
    PYTHON_PATH,
    SNAPSHOT_FORMAT,
    make_named_engine,
    make_python,
    make_sandbox,
    make_snapshot,
    make_stdlib,
    make_wheel,
    python_files,
    standard_imports,
)
from tools.sandbox import make_penrose, penrose_sources, sandbox_sources
from tools.vendor import PACKAGES_FOLDER, PACKAGES_INDEX, VENDOR, last_lines

BOOK = ROOT / "docs" / "book"
FIGURES = PACKAGE / "figures"
TIER_SCRIPTS = ("js/engine/first-tier.js", "js/model/formula/latex.js")
MANIFEST_VERSION = 1
RECORD = ".inputs.json"
PLOT = "eglantine-plot.js"
"""The name of a copy of the file `plot`. It never changes, so that other sites can load this copy."""
LOCK = ".building"
"""A file that a build locks. A second build waits for the lock, and then finds that all files are built."""
HANDED = {
    "worker": "sandboxWorker",
    "engine": "engine",
    "snapshot": "snapshot",
    "stdlib": "stdlib",
    "python": "python",
    "penrose": "penroseWorker",
}
"""Part of the sandboxed Python, or the worker for Penrose's programs → its key in the manifest."""


@dataclass(frozen=True)
class Step:
    """One step of the build.

    inputs: a hash of the step's sources and tools.
    make: a function that writes the step's files into a folder, and returns {manifest key: file name}.
    """

    name: str
    inputs: str
    make: Callable[[Path], dict[str, str]]


def build() -> dict[str, object]:
    """Update `static/build/`, and return its manifest. `static/vendor/` must be complete.

    Raises:
        SetupError: a step failed. The message names the step and says what to do.
    """
    with one_at_a_time(BUILD / LOCK):
        return build_alone()


def build_alone() -> dict[str, object]:
    """Do the work of `build`. The caller must hold the lock, so that only one build runs at a time."""
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
    shutil.copyfile(BUILD / str(manifest["plot"]), BUILD / PLOT)
    write_pages()
    return manifest


def steps(record: dict[str, dict[str, object]]) -> Iterable[Step]:
    """Yield the steps in order. The caller must run each step before it asks for the next step."""
    package, app = python_files(PACKAGE), python_files(APP)
    ours = content_hash([*package, *app])
    tools = [
        *sorted((ROOT / "tools").glob("presets*.py")),
        ROOT / "tools" / "gaits.json",
        ROOT / "tools" / "digits.txt.gz",
        ROOT / "tools" / "layouts.mjs",
        *(STATIC / "js/pages/diagrams" / name for name in ("drawing.js", "layout.js")),
        *sorted((ROOT / "tools").glob("math*.py")),
    ]
    compiler = content_hash([ROOT / "tools" / "python_parts.py", ROOT / "tools" / "compile_pyc.mjs"])
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
    remembered = combine(*bases.values(), *IN_SNAPSHOT, maker, pyodide)
    yield Step("snapshot", remembered, lambda target: make_snapshot(target, bases))
    light = combine(*bases.values(), content_hash(light_sources()), pyodide)
    yield Step("light", light, lambda target: make_light(target, bases))
    engine_script = BUILD / bases["engineScript"]
    yield Step(
        "sandbox",
        combine(content_hash(sandbox_sources()), engine_script.name),
        lambda target: make_sandbox(target, engine_script),
    )
    yield Step("penrose", content_hash(penrose_sources()), make_penrose_worker)
    # Compressing a large file is slow, so each file has a separate step.
    for step in ("engine", "snapshot", "light"):
        yield brotli_step(f"brotli {step}", [BUILD / name for name in named_files(record[step]).values()])
    names = {name for script in TIER_SCRIPTS for name in imports_of(script)}
    tier = [ROOT / "tools" / "tier.py", *(STATIC / name for name in sorted(names))]
    yield Step("tier", combine(ours, content_hash(tier)), make_first_tier)
    yield Step("presets", combine(ours, content_hash(tools)), make_presets)
    yield Step("plot", content_hash(plot_sources()), make_plot_script)
    prose = [*python_files(BOOK), *sorted(BOOK.glob("*.html")), *sorted(FIGURES.glob("*.js"))]
    yield Step("book", combine(ours, content_hash([*prose, ROOT / "tools" / "book.py"])), make_book)
    written = [*prose, *document_sources()]
    yield Step("documents", combine(ours, content_hash(written)), make_documents)
    scripts = content_hash([*own_scripts(), ROOT / "tools" / "lean.py", ROOT / "tools" / "packs.py"])
    yield Step("scripts", scripts, lambda target: without_files(make_lean, make_packs))
    if VENDOR.exists():
        large = sorted(path for path in VENDOR.rglob("*") if path.suffix in COMPRESSIBLE)
        large += [BUILD / name for name in named_files(record["engine"]).values()]
        yield Step("gzip", content_hash(large), lambda target: precompress(large))


def brotli_step(name: str, large: list[Path]) -> Step:
    """Make a step that compresses large files with Brotli."""
    return Step(name, content_hash([*large, BROTLI]), lambda target: make_brotli(target, large))


def content_hash(paths: Iterable[Path]) -> str:
    """Return a hash of the names and contents of files. The order of `paths` does not matter."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def combine(*parts: str) -> str:
    """One hash of several texts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def is_current(made: dict[str, object] | None, inputs: str) -> bool:
    """True if a step need not run, because its inputs have not changed and its files still exist."""
    if made is None or made["inputs"] != inputs:
        return False
    files = made["files"]
    return isinstance(files, dict) and all((BUILD / str(name)).exists() for name in files.values())


def run_step(step: Step) -> dict[str, str]:
    """Run a step in a temporary folder, then move its files into `static/build/`."""
    with tempfile.TemporaryDirectory(dir=BUILD, prefix=".making-") as folder:
        target = Path(folder)
        files = step.make(target)
        for path in target.iterdir():
            path.replace(BUILD / path.name)
    return files


def make_penrose_worker(target: Path) -> dict[str, str]:
    """Write the worker that compiles Penrose's programs."""
    script = target / "penrose.js"
    make_penrose(script)
    return {"penroseWorker": with_hash(script)}


def make_plot_script(target: Path) -> dict[str, str]:
    """Write the script that defines `<eglantine-plot>`, for use on any page."""
    script = target / "eglantine-plot.js"
    make_plot(script)
    return {"plot": with_hash(script)}


def make_book(target: Path) -> dict[str, str]:
    """Write the book's pages and the kernels of its figures."""
    run_module("tools.book", target)
    kernels = {f"book/{path.stem}": path.name for path in sorted(target.glob("*.wasm"))}
    return {
        "book": with_hash(target / "book.json"),
        "figureScript": with_hash(target / "figures.js"),
        "figureStyle": with_hash(target / "figures.css"),
        **kernels,
    }


def document_sources() -> list[Path]:
    """List the sources of the documentation, except the modules of the package."""
    files = [path for path in (ROOT / "docs").rglob("*") if path.suffix in {".md", ".svg", ".png"}]
    return [
        *files,
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        *python_files(ROOT / "tools" / "documents"),
    ]


def make_documents(target: Path) -> dict[str, str]:
    """Write the documentation's pages, the pictures in them, and the index of the search."""
    run_module("tools.documents.building", target)
    pictures = {f"documents/{path.stem}": path.name for path in sorted(target.glob("*.[sp][vn]g"))}
    return {
        "documents": with_hash(target / "documents.json"),
        "search": with_hash(target / "search.json"),
        **pictures,
    }


def make_first_tier(target: Path) -> dict[str, str]:
    """Write the three files of the first tier, which computes formulas on a page until Python is ready."""
    run_module("tools.tier", target)
    names = {"tier": "tier.js", "tierModule": "tier.wasm", "tierLatex": "tier-latex.js"}
    return {key: with_hash(target / name) for key, name in names.items()}


def run_module(name: str, target: Path) -> None:
    """Run a module of the build in a separate process. The module writes files into `target`.

    Raises:
        SetupError: the module failed.
    """
    done = finished([sys.executable, "-m", name, str(target)])
    if done.returncode != 0:
        raise SetupError(
            f"The module {name} failed:\n{last_lines(done.stderr or done.stdout)}\n"
            f"Run `python -m {name} FOLDER` to see the whole message."
        )


def make_presets(target: Path) -> dict[str, str]:
    """Compile the presets. Add a hash to the name of each file."""
    if importlib.util.find_spec("tools.presets") is None:
        say("no presets are compiled: there is no tools/presets.py yet")
        return {}
    done = finished([sys.executable, "-m", "tools.presets", str(target)])
    listing = target / "presets.json"
    if done.returncode != 0 or not listing.exists():
        raise SetupError(
            f"Compiling the presets failed:\n{last_lines(done.stderr or done.stdout)}\n"
            "Run `python -m tools.presets FOLDER` to see the whole message."
        )
    renamed = {path.name: with_hash(path) for path in sorted(target.iterdir()) if path != listing}
    content = rename_in(json.loads(listing.read_text(encoding="utf-8")), renamed)
    listing.write_text(
        json.dumps(content, separators=(",", ":"), ensure_ascii=False), encoding="utf-8", newline="\n"
    )
    keys = {old: old.removesuffix(".json") if old.endswith(".json") else f"presets/{old}" for old in renamed}
    return {"presets": with_hash(listing), **{keys[old]: new for old, new in renamed.items()}}


def rename_in(value: object, names: dict[str, str]) -> object:
    """Copy a JSON value, and replace old names of files by new names. `names` is {old: new}."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [rename_in(item, names) for item in value]
    if isinstance(value, dict):
        return {key: rename_in(item, names) for key, item in value.items()}
    return value


def without_files(*makers: Callable[[], None]) -> dict[str, str]:
    """Run functions that write their own files. Return {}, because the manifest does not list them."""
    for make in makers:
        make()
    return {}


def manifest_of(record: dict[str, dict[str, object]]) -> dict[str, object]:
    """Make the manifest, which pages read, from the results of all steps."""
    manifest: dict[str, object] = {"version": MANIFEST_VERSION, "pythonPath": PYTHON_PATH}
    for made in record.values():
        manifest.update({key: name for key, name in named_files(made).items() if "/" not in key})
    info = named_files(record["snapshot"])["snapshot/info"]
    manifest["snapshotInfo"] = (BUILD / info).read_text(encoding="utf-8")
    kept_by_pages = [named_files(record[step])[step] for step in ("engine", "snapshot", "light")]
    manifest["digests"] = json.dumps(digests_of(kept_by_pages))
    manifest["handed"] = json.dumps(handed(manifest), sort_keys=True)
    lock = json.loads((VENDOR / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    manifest["lock"] = json.dumps({**lock, "packages": {}}, sort_keys=True)
    return manifest


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Return {name: SHA-256} for built files. Unpack gzip files first."""
    return {name: digest_of(BUILD / name) for name in names}


def handed(manifest: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """Return the files that a page may pass to the sandbox: {part: (address below `static/`, SHA-256)}."""
    parts = {part: f"build/{manifest[key]}" for part, key in HANDED.items()}
    pypi = VENDOR / PACKAGES_FOLDER
    for name, file in json.loads((pypi / PACKAGES_INDEX).read_text(encoding="utf-8")).items():
        path = (pypi / file).resolve().relative_to(VENDOR.parent.resolve())
        parts[f"package/{name}"] = path.as_posix()
    return {part: (address, digest_of(STATIC / address)) for part, address in parts.items()}


def named_files(made: dict[str, object]) -> dict[str, str]:
    """Return the files of a recorded step, sorted by key: {manifest key: file name}."""
    files = made["files"]
    assert isinstance(files, dict)
    return dict(sorted(files.items()))


def read_record() -> dict[str, dict[str, object]]:
    """Read the results of earlier builds: {step: {"inputs": hash, "files": {key: name}}}."""
    try:
        record = json.loads((BUILD / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def remove_stale(record: dict[str, dict[str, object]]) -> None:
    """Delete old files in the build's folder. Keep the manifest and the files that `record` names."""
    named = {"manifest.json", PLOT}
    for made in record.values():
        named.update(named_files(made).values())
    for path in BUILD.iterdir():
        if path.is_file() and path.name not in named and not path.name.startswith("."):
            path.unlink()
