"""Our version of Pyodide's engine omits parts that only C libraries need. Its results do not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import built
from tools import engine
from tools.bootstrap import SetupError
from tools.files import BUILD
from tools.node import find_node

ASK = """
import { pathToFileURL } from "node:url";
const [folder, stdLibURL] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const said = [];
const stdout = (line) => said.push(line);
const python = await loadPyodide({ indexURL: folder, stdLibURL, stdout });
python.globals.set("twice", (x) => 2 * x);
python.FS.writeFile("/given", "given");
const answer = python.runPython(`
import array, json, math, re, sys, zlib
print(sys.version)
numbers = array.array("d", [math.lgamma(k + 0.5) for k in range(40)])
try:
    1 / 0
except ZeroDivisionError as error:
    caught = str(error)
digest = zlib.crc32(numbers.tobytes())
json.dumps([twice(21), caught, digest, open("/given").read(), sorted(sys.modules)])
`);
console.log(JSON.stringify([said, JSON.parse(answer)]));
"""


@pytest.fixture(scope="module")
def manifest() -> dict[str, str]:
    """The manifest of the build."""
    return built()


def answers(folder: Path, stdlib: Path, scratch: Path) -> str:
    """Run a script in the Python engine in `folder`, and return the text that it prints."""
    script = scratch / "ask.mjs"
    script.write_text(ASK, encoding="utf-8")
    done = find_node().run([script, folder, stdlib])
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_our_engine_gives_the_same_answers_as_pyodides(manifest: dict[str, str], tmp_path: Path) -> None:
    stdlib = BUILD / manifest["stdlib"]
    script, module = (engine.PYODIDE / name for name in engine.STOCK)
    with engine.pyodide_with(script, module) as folder:
        expected = answers(folder, stdlib, tmp_path)
    with engine.pyodide_with(BUILD / manifest["engineScript"], BUILD / manifest["engine"]) as folder:
        assert answers(folder, stdlib, tmp_path) == expected
    assert "3.14" in expected


def test_our_engine_has_a_third_of_the_script_and_a_tenth_of_the_exports(
    manifest: dict[str, str], tmp_path: Path
) -> None:
    script, stock = (engine.PYODIDE / name for name in engine.STOCK)
    ours = BUILD / manifest["engine"]
    assert (BUILD / manifest["engineScript"]).stat().st_size < script.stat().st_size / 3
    count = tmp_path / "count.mjs"
    count.write_text(
        'import { readFileSync } from "node:fs";\n'
        "const moduleOf = (path) => new WebAssembly.Module(readFileSync(path));\n"
        "const count = (path) => WebAssembly.Module.exports(moduleOf(path)).length;\n"
        "console.log(process.argv.slice(2).map(count).join(' '));\n"
    )
    left, all_of_them = map(int, find_node().run([count, ours, stock]).stdout.split())
    assert 0 < left < all_of_them / 10


def test_for_another_pyodide_the_error_names_the_missing_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "pyodide"
    other.mkdir()
    for name in (*engine.STOCK, *engine.BESIDE):
        (other / name).write_bytes((engine.PYODIDE / name).read_bytes())
    script = other / engine.STOCK[0]
    script.write_text(script.read_text(encoding="utf-8").replace("var wasmImports={", "var imports={"))
    monkeypatch.setattr(engine, "PYODIDE", other)
    with pytest.raises(SetupError, match=r"(?s)“var wasmImports=\{” is not once.*slim_engine\.mjs"):
        engine.make_engine(tmp_path)
    assert not (tmp_path / "engine.wasm").exists()
