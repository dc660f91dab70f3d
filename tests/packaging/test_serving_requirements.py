"""The build for `python3 serve.py` needs only the packages in tools/requirements.txt."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from tools.bootstrap import ROOT

WITHOUT = """import importlib.abc, runpy, sys

missing = {missing!r}

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"{{name}} is not in tools/requirements.txt", name=name)

sys.meta_path.insert(0, Missing())
sys.argv = ["tools.book", {folder!r}]
runpy.run_module("tools.book", run_name="__main__")
"""


def pinned(name: str) -> set[str]:
    """Return the normalised names of the packages in a file of requirements."""
    lines = (ROOT / "tools" / name).read_text(encoding="utf-8").splitlines()
    return {normal(line.partition("==")[0]) for line in lines if "==" in line}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_book_is_built_with_the_packages_that_serve_py_installs(tmp_path: Path) -> None:
    others = pinned("requirements-test.txt")
    assert "numpy" in others
    modules = packages_distributions().items()
    missing = {module for module, packages in modules if others.issuperset(map(normal, packages))}
    program = WITHOUT.format(missing=missing, folder=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert any(tmp_path.iterdir())
