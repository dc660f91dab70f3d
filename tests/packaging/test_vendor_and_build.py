"""Third-party files have the expected hashes. The build makes all files in its manifest."""

from __future__ import annotations

import ast
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.building import built
from tools import build, vendor
from tools.bootstrap import ROOT, SetupError
from tools.files import BUILD, HASH_DIGITS
from tools.python_parts import PYTHON_PATH, STDLIB_PATH, compile_pyc, standard_imports

BYTECODE_FLAGS = slice(4, 8)
PAGE = 4096
"""The size of a page of memory in bytes, as in static/js/worker/snapshot-format.js."""
HASH_BASED_UNCHECKED = b"\x01\0\0\0"
"""The flags of a .pyc file that Python accepts without looking at the date or the content of the source (PEP
552)."""


@pytest.fixture(scope="module")
def manifest() -> dict[str, str]:
    return built()


def archive(name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO((BUILD / name).read_bytes()))


def test_the_lockfile_names_no_registry() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages = [package for path, package in lock["packages"].items() if path]
    assert not [package for package in packages if "resolved" in package]
    assert all(package["integrity"].startswith("sha512-") for package in packages)


def test_every_npm_package_is_pinned_to_one_version() -> None:
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    pins = {**package["dependencies"], **package["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", pin) for pin in pins.values())
    assert "codemirror" not in pins


def test_vendored_files_have_the_committed_hashes(manifest: dict[str, str]) -> None:
    expected = json.loads(vendor.MANIFEST.read_text(encoding="utf-8"))
    assert vendor.hashes(vendor.VENDOR) == expected
    assert {
        "codemirror.js",
        "katex/katex.js",
        "katex/katex.min.css",
        "pyodide/pyodide.mjs",
    } <= expected.keys()


def test_one_flipped_bit_in_any_vendored_file_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manifest: dict[str, str]
) -> None:
    expected = json.loads(vendor.MANIFEST.read_text(encoding="utf-8"))
    made = tmp_path / "vendor"
    shutil.copytree(vendor.VENDOR, made)
    monkeypatch.setattr(vendor, "VENDOR", made)
    assert vendor.is_current()
    for k, name in enumerate(expected):
        data = bytearray((made / name).read_bytes())
        data[(k * 7919) % len(data)] ^= 1 << k % 8
        (made / name).write_bytes(data)
    assert not vendor.is_current()
    with pytest.raises(SetupError) as caught:
        vendor.verify(made)
    assert all(f"{name}: sha256 " in str(caught.value) for name in expected)


def test_a_changed_file_is_named_with_both_hashes_and_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "a.js").write_bytes(b"changed")
    (tmp_path / "made" / "extra.js").write_bytes(b"")
    (tmp_path / "manifest.json").write_text('{"a.js": "00", "b.js": "11"}', encoding="utf-8")
    monkeypatch.setattr(vendor, "MANIFEST", tmp_path / "manifest.json")
    digest = hashlib.sha256(b"changed").hexdigest()
    with pytest.raises(SetupError) as caught:
        vendor.verify(tmp_path / "made")
    message = str(caught.value)
    assert f"a.js: sha256 {digest}, expected 00" in message
    assert "b.js: missing" in message
    assert "extra.js: not in the manifest" in message
    assert "--update" in message


def test_the_error_of_a_failing_npm_quotes_its_last_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Npm:
        def run_npm(self, arguments: list[str]) -> subprocess.CompletedProcess[str]:
            return subprocess.CompletedProcess(arguments, 1, "", "npm error network unreachable\n")

    monkeypatch.setattr(vendor, "NODE_MODULES", tmp_path)
    monkeypatch.setattr(vendor, "find_node", lambda _: Npm())
    with pytest.raises(SetupError, match=r"npm ci failed:\nnpm error network unreachable\n.*needs a network"):
        vendor.install_packages(checks=False)
    assert not (tmp_path / vendor.STAMP).exists()


def test_minified_code_in_a_message_is_shortened() -> None:
    assert vendor.last_lines("x" * 10_000) == "x" * vendor.LONGEST_LINE


def test_the_manifest_names_existing_files_with_their_hashes(manifest: dict[str, str]) -> None:
    assert (
        json.loads((BUILD / "manifest.json").read_text(encoding="utf-8"))["version"] == build.MANIFEST_VERSION
    )
    for key, suffix in (("python", "zip"), ("stdlib", "zip"), ("sources", "zip"), ("snapshot", "bin")):
        digest = hashlib.sha256((BUILD / manifest[key]).read_bytes()).hexdigest()
        assert manifest[key] == f"{key}-{digest[:HASH_DIGITS]}.{suffix}"
    assert (BUILD / manifest["wheel"]).exists()


def test_our_python_files_are_bytecode_that_needs_no_source(
    manifest: dict[str, str],
) -> None:
    with archive(manifest["python"]) as ours, archive(manifest["sources"]) as sources:
        modules = {name for name in ours.namelist() if name.endswith(".pyc")}
        assert modules == {f"{name}c" for name in sources.namelist() if name.endswith(".py")}
        assert "eglantine/__init__.pyc" in modules
        code = ours.read("eglantine/errors.pyc")
    assert code[BYTECODE_FLAGS] == HASH_BASED_UNCHECKED
    assert f"{PYTHON_PATH}/eglantine/errors.py".encode() in code


@pytest.mark.parametrize(
    ("module", "shown", "dropped"),
    [
        ("eglantine/errors", "EglantineError", ""),
        ("eglantine/functions/derivatives", "grad", "_pulled"),
        ("eglantine/functions/fn", "__call__", "bound_arguments"),
        ("app/playground/names", None, "first_line"),
    ],
)
def test_bytecode_keeps_the_docstrings_that_help_shows_and_no_others(
    manifest: dict[str, str], module: str, shown: str | None, dropped: str
) -> None:
    with archive(manifest["python"]) as ours, archive(manifest["sources"]) as sources:
        code, source = ours.read(f"{module}.pyc"), sources.read(f"{module}.py")
    if shown is not None:
        assert summary(source, shown) in code
    assert summary(source, dropped) not in code


def summary(source: bytes, name: str) -> bytes:
    """The first line of the docstring of a module's first definition with this name, or of the module."""
    tree = ast.parse(source)
    kinds = ast.ClassDef | ast.FunctionDef
    named = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == name]
    return (ast.get_docstring(named[0] if name else tree) or "").splitlines()[0].encode()


def test_a_first_visit_loads_at_most_six_point_eight_megabytes(manifest: dict[str, str]) -> None:
    """The limit applies to the Brotli copies of the engine, its script and the snapshot (docs/adr/0006)."""
    large = sum(
        (BUILD / f"{manifest[key]}.br").stat().st_size for key in ("engine", "engineScript", "snapshot")
    )
    assert large <= 6_800_000


def test_on_a_slow_connection_python_needs_three_point_five_megabytes(manifest: dict[str, str]) -> None:
    """The limit applies to the Brotli copies of the engine, its script and the light archive."""
    large = sum((BUILD / f"{manifest[key]}.br").stat().st_size for key in ("engine", "engineScript", "light"))
    assert large <= 3_500_000


def test_the_light_archive_has_what_a_start_needs_and_no_more(manifest: dict[str, str]) -> None:
    content = gzip.decompress((BUILD / manifest["light"]).read_bytes())
    start = 4 + int.from_bytes(content[:4], "little")
    (first, size), *ours = json.loads(content[4:start])
    assert first == ""
    assert start + size + sum(size for _, size in ours) == len(content)
    with zipfile.ZipFile(io.BytesIO(content[start : start + size])) as library:
        standard = set(library.namelist())
    assert {"asyncio/tasks.pyc", "json/decoder.pyc", "socket.pyc"} <= standard
    assert not {"ssl.pyc", "zipfile/__init__.pyc", "asyncio/streams.pyc"} & standard
    assert {"app/service.pyc", "eglantine/__init__.pyc"} <= {name for name, _ in ours}
    assert not [name for name, _ in ours if name.startswith(("eglantine/numpy/", "app/playground/"))]


def test_the_standard_library_is_complete_and_starts_from_bytecode(manifest: dict[str, str]) -> None:
    with archive(manifest["stdlib"]) as made, archive("../vendor/pyodide/python_stdlib.zip") as stock:
        names = set(made.namelist())
        files = {name for name in stock.namelist() if not name.endswith("/")}
        code = made.read("asyncio/__init__.pyc")
        without = made.read("textwrap.pyc")
    assert {re.sub(r"\.pyc$", ".py", name) for name in names} == files
    assert {"ast.pyc", "dataclasses.pyc", "_pyodide/_base.pyc"} <= names
    assert "mailbox.py" in names
    assert f"{STDLIB_PATH}/asyncio/__init__.py".encode() in code
    assert b"Remove any common leading whitespace" not in without  # the docstring of textwrap.dedent


@pytest.mark.parametrize("key", ["python", "stdlib"])
def test_a_snapshot_of_other_python_files_is_rebuilt(manifest: dict[str, str], key: str) -> None:
    record = build.read_record()
    before = next(step for step in build.steps(record) if step.name == "snapshot")
    assert build.is_current(record["snapshot"], before.inputs)
    record[key] = {"inputs": "", "files": {**build.named_files(record[key]), key: f"{key}-000000000000.zip"}}
    after = next(step for step in build.steps(record) if step.name == "snapshot")
    assert not build.is_current(record["snapshot"], after.inputs)


def test_a_snapshot_contains_only_whole_pages_that_are_not_empty(manifest: dict[str, str]) -> None:
    pages = gzip.decompress((BUILD / manifest["snapshot"]).read_bytes())
    info = json.loads(manifest["snapshotInfo"])
    count = int.from_bytes(pages[:4], "little")
    assert len(pages) == 4 + count * (4 + PAGE)
    numbers = [int.from_bytes(pages[4 + 4 * k : 8 + 4 * k], "little") for k in range(count)]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] * PAGE < info["heapBytes"]
    contents = pages[4 + 4 * count :]
    assert all(any(contents[k * PAGE : (k + 1) * PAGE]) for k in range(count))


def test_a_second_build_starts_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    built()
    # Fix the list of steps, in case someone edits the sources between the two builds.
    steps = list(build.steps(build.read_record()))
    monkeypatch.setattr(build, "steps", lambda _: steps)
    first = build.build()
    monkeypatch.setattr(build, "run_step", lambda step: pytest.fail(f"{step.name} was built again"))
    assert build.build() == first


def test_standard_modules_that_our_sources_import_are_bytecode(tmp_path: Path) -> None:
    source = tmp_path / "a.py"
    source.write_text(
        "import json, numpy\nfrom . import b\ndef f():\n    from os.path import join\n", encoding="utf-8"
    )
    assert standard_imports([source]) == ["json", "os.path"]


def test_a_source_that_does_not_compile_is_named(tmp_path: Path, manifest: dict[str, str]) -> None:
    broken = tmp_path / "sources.zip"
    with zipfile.ZipFile(broken, "w") as made:
        made.writestr("app/broken.py", "def f(:\n")
    with pytest.raises(SetupError, match=r"(?s)Compiling sources.zip inside Pyodide failed:.*app/broken\.py"):
        compile_pyc(broken, tmp_path / "made.zip", prefix=PYTHON_PATH)


def test_file_names_of_presets_get_hashes_at_any_depth_of_a_listing() -> None:
    names = {"a.wasm": "a-1.wasm"}
    listing = {"presets": [{"wasm": "a.wasm", "title": "see a.wasm"}], "n": 1}
    assert build.rename_in(listing, names) == {
        "presets": [{"wasm": "a-1.wasm", "title": "see a.wasm"}],
        "n": 1,
    }


def test_two_builds_at_the_same_time_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[int] = []
    most: list[int] = []

    def slow() -> dict[str, object]:
        inside.append(1)
        time.sleep(0.05)
        most.append(len(inside))
        inside.pop()
        return {}

    monkeypatch.setattr(build, "BUILD", tmp_path)
    monkeypatch.setattr(build, "build_alone", slow)
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda _: build.build(), range(4)))
    assert most == [1, 1, 1, 1]


def test_stale_results_are_removed_and_recorded_files_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "BUILD", tmp_path)
    for name in ("manifest.json", "python-new.zip", "python-old.zip", ".inputs.json"):
        (tmp_path / name).touch()
    build.remove_stale({"python": {"inputs": "", "files": {"python": "python-new.zip"}}})
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", "python-new.zip", ".inputs.json"}
