"""GitHub workflows pass their linter, and use only modules, scripts and actions that exist."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import eglantine as eg

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
ACTIONS = ROOT / ".github" / "actions"
"""The folder of the steps that several workflows share."""


def test_the_linter_accepts_the_workflows() -> None:
    zizmor = Path(sys.executable).with_name("zizmor")
    done = subprocess.run(
        [zizmor, "--offline", "--config", ROOT / ".github" / "zizmor.yml", WORKFLOWS, ACTIONS],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflows_test_every_supported_python_on_three_systems() -> None:
    text = (WORKFLOWS / "tests.yml").read_text(encoding="utf-8")
    first = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    versions = re.findall(r'"(3\.\d+)"', text.split("python: [")[1].split("]")[0])
    assert first == f">={versions[0]}"
    assert [version.split(".")[1] for version in versions] == ["11", "12", "13", "14"]
    assert re.search(r"system: \[ubuntu-latest, macos-latest, windows-latest\]", text)


def test_the_modules_scripts_and_actions_that_the_workflows_run_exist() -> None:
    for path in WORKFLOWS.glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        for module in re.findall(r"python3? -m (tools\.\w+|tests)\b", text):
            folder = ROOT.joinpath(*module.split("."))
            assert folder.with_suffix(".py").exists() or (folder / "__main__.py").exists(), module
        for script in re.findall(r"python3 (\w+\.py)", text):
            assert (ROOT / script).exists()
        for action in re.findall(r"uses: \$/(\S+)", text):
            assert (ROOT / action / "action.yml").exists(), action


def test_the_citation_names_the_version() -> None:
    assert f"\nversion: {eg.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
