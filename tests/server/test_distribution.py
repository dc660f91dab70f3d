"""The server also serves the packages of a full Pyodide distribution."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.building import built
from tools.bootstrap import ROOT, SetupError
from tools.distribution import LOCK, distribution, read_lock
from tools.served_files import Library
from tools.vendor import VENDOR

MPMATH = next((VENDOR / "pypi").glob("mpmath-*.whl"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a distribution that lists a wheel, a missing wheel, and a package that is not a wheel."""
    shutil.copy(MPMATH, tmp_path / "algebra-1.0-py3-none-any.whl")
    digest = hashlib.sha256(MPMATH.read_bytes()).hexdigest()
    packages = {
        "algebra": {"file_name": "algebra-1.0-py3-none-any.whl", "sha256": digest},
        "missing": {"file_name": "missing-1.0-py3-none-any.whl", "sha256": digest},
        "openblas": {"file_name": "openblas.zip", "sha256": digest},
    }
    version, _ = read_lock(VENDOR / "pyodide" / LOCK)
    (tmp_path / LOCK).write_text(json.dumps({"info": {"abi_version": version}, "packages": packages}))
    return tmp_path


def test_the_wheels_of_a_distribution_are_served_and_listed(folder: Path) -> None:
    built()
    library = Library(ROOT / "static")
    plain = library.read(library.find("/build/manifest.json") or Path())
    assert library.find("/packages/algebra-1.0-py3-none-any.whl") is None
    library = Library(ROOT / "static")
    library.beside = distribution(folder)
    handed, before = (
        json.loads(json.loads(content)["handed"])
        for content in (library.read(library.find("/build/manifest.json") or Path()).plain, plain.plain)
    )
    assert handed.keys() == (before.keys() | {"package/algebra"}) - {"snapshot"}
    for name in ("package/algebra", "engine", "worker"):
        address, digest = handed[name]
        path = library.find(f"/{address}")
        assert path is not None
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    assert handed["engine"] != before["engine"]
    for address in ("packages/../pyodide-lock.json", "packages/pyodide-lock.json", "packages/"):
        assert library.find(f"/{address}") is None


def test_a_folder_without_a_suitable_distribution_is_an_error(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no Pyodide distribution"):
        distribution(tmp_path / "nowhere")
    lock = json.loads((folder / LOCK).read_text())
    (folder / LOCK).write_text(json.dumps(lock | {"info": {"abi_version": "0.1"}}))
    with pytest.raises(SetupError, match=r"with the ABI 0\.1, but the pages use"):
        distribution(folder)
    (folder / LOCK).write_text(json.dumps(lock))
    (folder / "algebra-1.0-py3-none-any.whl").unlink()
    with pytest.raises(SetupError, match="none of the wheels"):
        distribution(folder)
