"""Copy third-party code for the pages into `static/vendor/`, and check the hash of each file.

`python -m tools.vendor` runs this step. After a change of a package's pinned version, use `--update`, which
also rewrites the manifest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.bootstrap import ROOT, VENV, SetupError, enter, finished, pip, say
from tools.node import NODE_MODULES, TO_CHECK, TO_SERVE, Node, find_node

VENDOR = ROOT / "static" / "vendor"
MANIFEST = ROOT / "tools" / "vendor.json"
STAMP = ".inputs"
"""The name of a file in static/vendor and of a file in node_modules. It holds the hash of the files from
which its folder was made."""

MICROPIP = "micropip==0.11.1"
"""The package that installs wheels inside Pyodide, in the version that was released with Pyodide 314.0.7."""

PACKAGES = (
    "mpmath==1.4.1",  # visitors can use `eg.interp` with numbers of any precision
)
"""Pure Python packages that programs in the playground may install. All packages on which they depend are
also here."""
PACKAGES_FOLDER = "pypi"
PACKAGES_INDEX = "index.json"
"""The name of a file that lists these packages and micropip as {name: file}. app/playground/packages.py reads
it."""

COPIED = {
    "pyodide/pyodide.mjs": "pyodide/pyodide.mjs",
    "pyodide/pyodide.asm.mjs": "pyodide/pyodide.asm.mjs",
    "pyodide/pyodide.asm.wasm": "pyodide/pyodide.asm.wasm",
    "pyodide/pyodide-lock.json": "pyodide/pyodide-lock.json",
    "pyodide/python_stdlib.zip": "pyodide/python_stdlib.zip",
    "pyodide/pyodide.d.mts": "pyodide/pyodide.d.ts",
    "katex/katex.min.css": "katex/dist/katex.min.css",
    "katex/katex.d.ts": "katex/types/katex.d.ts",
}
"""Path in static/vendor → path in node_modules. A .d.ts or .d.mts holds the types of the module beside it."""

LONGEST_LINE = 300
"""The largest length, in characters, of a line in the message of another program. Longer lines are cut,
because a line of minified code can have a million characters."""

KATEX_FONTS = ("katex/dist/fonts", "*.woff2")

CODEMIRROR = {
    "@codemirror/state": "Compartment EditorSelection EditorState Prec StateEffect StateField",
    "@codemirror/view": "Decoration EditorView drawSelection highlightSpecialChars keymap lineNumbers",
    "@codemirror/language": (
        "HighlightStyle StreamLanguage bracketMatching indentOnInput indentUnit syntaxHighlighting"
    ),
    "@codemirror/lang-python": "globalCompletion localCompletionSource python pythonLanguage",
    "@codemirror/commands": "defaultKeymap history historyKeymap indentLess indentMore",
    "@codemirror/autocomplete": (
        "acceptCompletion autocompletion closeBrackets closeBracketsKeymap completionKeymap completionStatus"
    ),
    "@codemirror/lint": "lintGutter setDiagnostics",
    "@lezer/highlight": "tags",
}
"""Package → the names that our editors for programs import from it. The bundle contains nothing else."""
PENROSE = {
    "@penrose/core": "evalEnergy finalStage isOptimized nextStage prettyPrintFn showError step",
    "@penrose/core/dist/compiler/Domain": "compileDomain",
    "@penrose/core/dist/compiler/Substance": "compileSubstance",
    "@penrose/core/dist/compiler/Style": "compileStyle",
    "@penrose/core/dist/utils/CollectLabels": "collectLabels insertPending",
    "mathjax-full/js/adaptors/liteAdaptor.js": "liteAdaptor",
    "mathjax-full/js/handlers/html.js": "RegisterHTMLHandler",
    "mathjax-full/js/input/tex.js": "TeX",
    "mathjax-full/js/input/tex/AllPackages.js": "AllPackages",
    "mathjax-full/js/mathjax.js": "mathjax",
    "mathjax-full/js/output/svg.js": "SVG",
}
"""Package → the names that the page Diagrams imports from it to compile Penrose's programs. Penrose measures
formulas with MathJax, which needs a document. A worker has no document, so we use MathJax's own substitute
for a document, `liteAdaptor`."""


def reexports(packages: Mapping[str, str]) -> str:
    """Write a JavaScript module that re-exports names. `packages` is {package: names}."""
    return "".join(
        f'export {{ {", ".join(names.split())} }} from "{package}";\n' for package, names in packages.items()
    )


BUNDLED = {
    "codemirror.js": reexports(CODEMIRROR),
    "katex/katex.js": 'export { default, render, ParseError } from "katex";\n',
    "penrose.js": reexports(PENROSE),
}
"""Path in static/vendor → source of the entry that esbuild bundles into one minified ES module."""

TYPES = {"codemirror.d.ts": BUNDLED["codemirror.js"], "penrose.d.ts": BUNDLED["penrose.js"]}
"""Path in static/vendor → text of a .d.ts file with the types of a bundle. The text exports the same names as
the bundle's entry, and TypeScript finds their types in node_modules."""


def vendor(*, checks: bool = False) -> None:
    """Make sure that `static/vendor/` is complete and verified. If `checks`, also install the linters.

    Raises:
        SetupError: npm, esbuild or pip failed, or a file's hash differs from the committed manifest.
    """
    install_packages(checks=checks)
    if is_current():
        return
    say("vendoring Pyodide, KaTeX, CodeMirror and Penrose into static/vendor")
    with tempfile.TemporaryDirectory(dir=VENDOR.parent, prefix=".vendor-") as folder:
        made = Path(folder, VENDOR.name)
        collect(made)
        verify(made)
        replace(made)


def update() -> None:
    """Collect all third-party files again, replace static/vendor by them, and rewrite the manifest.

    Raises:
        SetupError: npm, esbuild or pip failed.
    """
    install_packages(checks=True)
    with tempfile.TemporaryDirectory(dir=VENDOR.parent, prefix=".vendor-") as folder:
        made = Path(folder, VENDOR.name)
        collect(made)
        text = json.dumps(hashes(made), indent=1, sort_keys=True) + "\n"
        MANIFEST.write_text(text, encoding="utf-8", newline="\n")
        replace(made)
    say(f"wrote {MANIFEST.relative_to(ROOT).as_posix()}: read its diff before committing it")


def install_packages(*, checks: bool) -> None:
    """Install the lockfile's packages, unless they are already installed."""
    wanted = hash_of("package.json", "package-lock.json", ".npmrc")
    stamp = NODE_MODULES / STAMP
    have = stamp.read_text(encoding="utf-8").split() if stamp.exists() else []
    if have == [wanted, "all"] or (have == [wanted, "page"] and not checks):
        return
    node = find_node(TO_CHECK if checks else TO_SERVE)
    say("installing the pinned npm packages")
    done = node.run_npm(["ci", *([] if checks else ["--omit=dev"])])
    if done.returncode != 0:
        raise SetupError(
            f"npm ci failed:\n{last_lines(done.stderr or done.stdout)}\nThe first start needs a "
            "network and Node 18 or newer. Check both, and run this again."
        )
    stamp.write_text(f"{wanted} {'all' if checks else 'page'}\n", encoding="utf-8")


def last_lines(text: str, count: int = 12) -> str:
    """Return the last lines of a program's output, because they usually contain the error. Cut long lines."""
    return "\n".join(line[:LONGEST_LINE] for line in text.strip().splitlines()[-count:])


def hash_of(*names: str) -> str:
    """Return a hash of several files of the repository."""
    digest = hashlib.sha256()
    for name in names:
        content = (ROOT / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def inputs_hash() -> str:
    """Return a hash of the files that determine the content of `static/vendor/`."""
    return hash_of("package.json", "package-lock.json", "tools/vendor.py", "tools/vendor.json")


def is_current() -> bool:
    """True if `static/vendor/` has the currently pinned versions and the hashes in the manifest."""
    stamp = VENDOR / STAMP
    if (
        not stamp.exists()
        or not MANIFEST.exists()
        or stamp.read_text(encoding="utf-8").strip() != inputs_hash()
    ):
        return False
    return not differences(hashes(VENDOR), json.loads(MANIFEST.read_text(encoding="utf-8")))


def collect(target: Path) -> None:
    """Collect all third-party files in a new folder."""
    for name, source in files_to_copy():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(NODE_MODULES / source, target / name)
    node = find_node()
    for name, entry in BUNDLED.items():
        bundle(node, entry, target / name)
    for name, exports in TYPES.items():
        (target / name).write_text(exports, encoding="utf-8", newline="\n")
    download(MICROPIP, target / "pyodide")
    for package in PACKAGES:
        download(package, target / PACKAGES_FOLDER)
    index_packages(target)


def files_to_copy() -> Iterator[tuple[str, str]]:
    """Yield (path in static/vendor, path in node_modules) for each file to copy."""
    yield from COPIED.items()
    folder, pattern = KATEX_FONTS
    for font in sorted((NODE_MODULES / folder).glob(pattern)):
        yield f"katex/fonts/{font.name}", f"{folder}/{font.name}"


def bundle(node: Node, entry: str, output: Path) -> None:
    """Bundle the JavaScript text `entry` and its imports into one minified module. Keep licence comments."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=NODE_MODULES, prefix=".entry-") as folder:
        source = Path(folder, "entry.js")
        source.write_text(entry, encoding="utf-8")
        options = [
            "--bundle",
            "--minify",
            "--format=esm",
            "--target=es2022",
            "--legal-comments=eof",
            "--log-level=warning",
        ]
        done = node.run(
            [NODE_MODULES / "esbuild" / "bin" / "esbuild", source, f"--outfile={output}", *options]
        )
    if done.returncode != 0 or done.stderr.strip():
        raise SetupError(
            f"esbuild could not make {output.name}:\n{last_lines(done.stderr)}\nRemove node_modules "
            "and run this command again. If you changed the pinned version of a package, check that "
            "tools/vendor.py still names what this version exports."
        )


def download(requirement: str, target: Path) -> None:
    """Download the wheel of a package for the Python version of Pyodide."""
    options = [
        "--no-deps",
        "--only-binary=:all:",
        "--python-version=3.14",
        "--quiet",
        "--disable-pip-version-check",
    ]
    command = [*pip(VENV), "download", *options, f"--dest={target}", requirement]
    done = finished(command)
    if done.returncode != 0:
        raise SetupError(
            f"Downloading {requirement} failed:\n{last_lines(done.stderr)}\nThe first start needs a "
            "network. Check it, and run this again."
        )


def index_packages(target: Path) -> None:
    """Write a JSON file {package: path of its wheel}. Paths are relative to this file's folder."""
    folder = target / PACKAGES_FOLDER
    wheels = [*folder.glob("*.whl"), *(target / "pyodide").glob("*.whl")]
    index = {wheel.name.split("-", 1)[0].replace("_", "-").lower(): wheel for wheel in wheels}
    text = json.dumps(
        {name: os.path.relpath(path, folder).replace(os.sep, "/") for name, path in index.items()},
        sort_keys=True,
    )
    (folder / PACKAGES_INDEX).write_text(text + "\n", encoding="utf-8", newline="\n")


def hashes(folder: Path) -> dict[str, str]:
    """Return {path: SHA-256} for all files in a folder except the stamp. Paths have forward slashes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != STAMP
    }


def verify(folder: Path) -> None:
    """Compare a folder with the committed manifest.

    Raises:
        SetupError: a file is missing, is not in the manifest, or has another hash.
    """
    expected = json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}
    wrong = differences(hashes(folder), expected)
    if wrong:
        listing = "\n".join(f"  {line}" for line in wrong)
        raise SetupError(
            f"Third-party files differ from the manifest tools/vendor.json:\n{listing}\nNothing was "
            "installed. Remove node_modules and run this again. If a pin was changed on purpose, run "
            "`python -m tools.vendor --update` and review the manifest's diff."
        )


def differences(found: dict[str, str], expected: dict[str, str]) -> list[str]:
    """Compare {path: SHA-256} with expected hashes. Return a line of text for each difference."""
    lines = [f"{name}: missing" for name in expected.keys() - found.keys()]
    lines += [f"{name}: not in the manifest" for name in found.keys() - expected.keys()]
    lines += [
        f"{name}: sha256 {found[name]}, expected {expected[name]}"
        for name in expected.keys() & found.keys()
        if found[name] != expected[name]
    ]
    return sorted(lines)


def replace(made: Path) -> None:
    """Replace `static/vendor/` by a newly collected folder."""
    (made / STAMP).write_text(inputs_hash() + "\n", encoding="utf-8")
    shutil.rmtree(VENDOR, ignore_errors=True)
    made.replace(VENDOR)


def main(arguments: list[str]) -> int:
    """Run the command `python -m tools.vendor`. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.vendor", description=__doc__)
    parser.add_argument("--update", action="store_true", help="rewrite the manifest from what the pins bring")
    options = parser.parse_args(arguments)
    try:
        enter("serve")
        if options.update:
            update()
        else:
            vendor()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
