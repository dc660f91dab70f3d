"""Kernels work in Pyodide, which runs in Node for these tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import eglantine
from eglantine.types import Bool, Real, Unit, Vec
from tests.patience import PATIENCE_S

from .modules import COPY, artifact, host

ROOT = Path(__file__).resolve().parents[2]
PYODIDE = ROOT / "node_modules" / "pyodide" / "pyodide.mjs"
HERE = Path(__file__).parent

PAIR = {"x": Real, "v": Vec(2, Vec(2, Real)), "p": Bool, "u": Unit}
PRODUCT = "(f64.store (i32.const 16) (f64.mul (f64.load (i32.const 0)) (f64.load (i32.const 8))))"
TRAPPING = """(global.set $trap (i32.const 1))
  (if (f64.gt (f64.load (i32.const 0)) (f64.const 0)) (then unreachable)) (global.set $trap (i32.const 0))"""
SEVERAL = """(local $p i32) (call $h0 (f64.load (i32.const 0))) (local.set $p) (drop)
  (f64.store (i32.const 8) (f64.mul (f64.load (i32.const 0)) (f64.const 2)))
  (i32.store (i32.const 16) (local.get $p)) (call $h1)"""
TRAPS = [{"message": "An index is out of range. Choose one from 0 to 2."}]


def modules() -> dict[str, Any]:
    """Build the modules for `in_pyodide.py`. Return a dict from names to (hexadecimal bytes, ABI)."""
    made = {
        "product": artifact([Real, Real], Real, PRODUCT),
        "identity": artifact([PAIR], PAIR, COPY.format(to=48)),
        "trapping": artifact([Real], Unit, TRAPPING, traps=TRAPS),
        "recursing": artifact([Real], Unit, "(call $f)", declarations="(func $f (call $f))"),
        "dividing": artifact([Real], Unit, "(drop (i32.div_s (i32.const 1) (i32.const 0)))"),
        "straying": artifact([Real], Unit, "(drop (f64.load (i32.const -1)))"),
        "calling": artifact(
            [Real],
            Real,
            "(f64.store (i32.const 8) (call $h0 (f64.load (i32.const 0))))",
            imports=[host("h0", ["f64"], ["f64"])],
        ),
        "several": artifact(
            [Real],
            (Real, Bool),
            SEVERAL,
            imports=[host("h0", ["f64"], ["f64", "i32"]), host("h1", [], [])],
        ),
    }
    assert made["identity"].abi["result"]["leaves"][0]["at"] == 48
    return {name: [module.wasm.hex(), json.dumps(module.abi)] for name, module in made.items()}


def test_kernels_work_in_pyodide(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not PYODIDE.exists():
        pytest.skip(
            "node or node_modules/pyodide is not there; the end-to-end tests cover the browser's host"
        )
    package = Path(eglantine.__file__).parent.parent
    (tmp_path / "script.py").write_text(
        (HERE / "in_pyodide.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    runner = (HERE / "pyodide_host.mjs").read_text(encoding="utf-8")
    (tmp_path / "run.mjs").write_text(
        f"globalThis.modules = {json.dumps(modules())};\n{runner}", encoding="utf-8"
    )
    command = [node, tmp_path / "run.mjs", PYODIDE, package, tmp_path / "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.endswith("passed\n")
