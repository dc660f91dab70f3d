"""The wheel: pure, small, deterministic, and whole in an environment that has nothing else."""

from __future__ import annotations

import re
import subprocess
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tools.bootstrap import ROOT, pip, venv_python
from tools.build import PACKAGE, make_wheel

LARGEST_WHEEL = 150_000
"""Bytes: what a page loads of ours before anyone can edit."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    return folder / make_wheel(folder)["wheel"]


@pytest.fixture(scope="module")
def project() -> dict[str, object]:
    project: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    return project


def metadata(wheel: Path, name: str) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as archive:
        path = next(path for path in archive.namelist() if path.endswith(f".dist-info/{name}"))
        return dict(Parser().parsestr(archive.read(path).decode("utf-8")))


def test_the_wheel_is_pure_python_for_every_platform(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert metadata(wheel, "WHEEL")["Root-Is-Purelib"] == "true"
    with zipfile.ZipFile(wheel) as archive:
        suffixes = {Path(name).suffix for name in archive.namelist() if ".dist-info/" not in name}
    assert suffixes <= {".py", ".typed"}


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size <= LARGEST_WHEEL


def test_the_wheel_holds_the_package_and_its_licence_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    sources = {f"eglantine/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*.py")}
    assert {name for name in names if ".dist-info/" not in name} - {"eglantine/py.typed"} == sources
    assert not [name for name in names if "test" in name.lower() or "__pycache__" in name]
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_same_sources_give_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = tmp_path / make_wheel(tmp_path)["wheel"]
    assert again.read_bytes() == wheel.read_bytes()


def test_the_package_requires_nothing(wheel: Path, project: dict[str, object]) -> None:
    assert project["dependencies"] == []
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode("utf-8").splitlines()
    required = [line for line in lines if line.startswith("Requires-Dist:")]
    assert all("extra ==" in line for line in required)
    assert metadata(wheel, "METADATA")["Requires-Python"] == ">=3.11"


def test_the_version_is_the_same_wherever_it_stands(wheel: Path, project: dict[str, object]) -> None:
    version = project["version"]
    assert metadata(wheel, "METADATA")["Version"] == version
    source = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    assert re.findall(r'^__version__(?:: \w+)? = "(.*)"$', source, re.MULTILINE) == [version]


def test_the_wheel_installs_into_a_bare_environment_and_imports(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    python = venv_python(tmp_path / "bare")
    command = [
        *pip(tmp_path / "bare"),
        "install",
        "--no-index",
        "--no-deps",
        str(wheel),
    ]
    subprocess.run(command, check=True, capture_output=True, text=True)
    program = "import eglantine, sys; print(eglantine.__file__); print(eglantine.__version__)"
    done = subprocess.run(
        [python, "-I", "-c", program], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    path, version = done.stdout.split()
    assert Path(path).is_relative_to(tmp_path)
    assert version == metadata(wheel, "METADATA")["Version"]
