"""A usual run draws the same values in every process, and a nightly run reports its seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bootstrap import ROOT

DRAWS = """
import hashlib
from hypothesis import given, settings, strategies as st
{imports}

@settings(max_examples=40)
@given(st.integers(), st.floats(), st.text())
def test_drawing(n, x, text):
    with open({log!r}, "a", encoding="utf-8") as log:
        log.write(ascii((n, x, text)) + "\\n")

def test_failing():
    assert False
"""
"""The source of a test module that records the values that Hypothesis draws."""
CONSTANTS = "\n".join(f"NUMBER_{k} = {987_654_321 + k}" for k in range(200))
"""The source of a module with many numbers. By default, Hypothesis would draw these numbers if another test
had loaded the module."""
PLUGINS = ("-p", "tests.conftest", "-p", "no:cacheprovider", "-p", "no:playwright", "-p", "no:xdist")
SEEDS = ("EGLANTINE_SEED", "EGLANTINE_NIGHTLY", "CI", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER")


def drawn(folder: Path, imports: str = "", **environment: str) -> tuple[str, str]:
    """In a new process, run tests that draw random values. Return these values and pytest's output."""
    log = folder / "drawn.txt"
    log.unlink(missing_ok=True)
    (folder / "constants_of_ours.py").write_text(CONSTANTS, encoding="utf-8")
    module = folder / "test_drawing.py"
    module.write_text(DRAWS.format(imports=imports, log=str(log)), encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if name not in SEEDS}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS, str(module)],
        cwd=ROOT,
        env={**inherited, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return log.read_text(encoding="utf-8"), done.stdout


def test_usual_runs_draw_the_same_values_in_every_process(tmp_path: Path) -> None:
    first, said = drawn(tmp_path, PYTHONHASHSEED="1")
    assert "seeds: the usual seeds, the same in every run" in said
    assert "This run drew from" not in said
    again, _ = drawn(tmp_path, imports="import constants_of_ours", PYTHONHASHSEED="2", CI="true")
    assert again == first


def test_a_nightly_failure_shows_the_seed_that_repeats_it(tmp_path: Path) -> None:
    repeated = {"EGLANTINE_NIGHTLY": "1", "EGLANTINE_SEED": "42"}
    first, said = drawn(tmp_path, **repeated)
    assert said.count("EGLANTINE_NIGHTLY=1 EGLANTINE_SEED=42") == 2  # in the header and with the failure
    assert drawn(tmp_path, **repeated)[0] == first
    assert drawn(tmp_path, EGLANTINE_NIGHTLY="1", EGLANTINE_SEED="43")[0] != first


def test_two_nightly_runs_have_different_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import seeds

    monkeypatch.setattr(seeds, "NIGHTLY", True)
    monkeypatch.setenv(seeds.VARIABLE, "")  # monkeypatch then restores the variable after the test
    monkeypatch.delenv(seeds.VARIABLE)
    tonight = seeds.first_seed(7)
    assert tonight == seeds.seed_of_today()
    assert os.environ[seeds.VARIABLE] == str(tonight)
    monkeypatch.setattr(seeds, "seed_of_today", lambda: tonight + (1 << seeds.SEEDS_A_DAY_BITS))
    assert seeds.first_seed(7) == tonight  # after midnight, the run keeps its seed
    monkeypatch.setattr(seeds, "NIGHTLY", False)
    monkeypatch.delenv(seeds.VARIABLE)
    assert seeds.first_seed(7) == 7
