"""Make `.venv`, an environment with pinned packages. This module needs only the standard library.

Every command of the repository first calls `enter("serve")`, or `enter` with another group of packages. If
the command already runs in `.venv` and the packages are installed, `enter` returns at once. Otherwise it
makes `.venv`, installs the packages, and runs the command again with the Python of `.venv`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

MINIMUM_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
RECORD = "eglantine.json"
"""The name of a file in the environment's folder. For each group of packages, it holds the hash of the
requirements that are installed."""

GROUPS = {
    "serve": ("requirements.txt",),
    "test": ("requirements.txt", "requirements-test.txt"),
    "node": ("requirements-node.txt",),
}
"""Group of packages → its requirement files in tools/. The last file of a group includes the others."""


class SetupError(Exception):
    """An error in the setup. Its message explains the problem and how to solve it."""


def say(text: str) -> None:
    """Print one line of progress and flush the output, because a pipe would delay it."""
    print(f"eglantine: {text}", flush=True)


def finished(
    command: Sequence[str], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program without input, and wait for its end. Return its output, even if the program fails."""
    return subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def enter(group: str, *, root: Path = ROOT) -> None:
    """Make sure that the current command runs in `.venv` with the packages of `group`.

    If necessary, make `.venv`, install the packages, and run the command again with the Python of `.venv`.

    Raises:
        SetupError: the environment cannot be made. The message says what to do.
    """
    if sys.version_info < MINIMUM_PYTHON:
        found = ".".join(map(str, sys.version_info[:3]))
        wanted = ".".join(map(str, MINIMUM_PYTHON))
        raise SetupError(
            f"This is Python {found}, but Eglantine needs {wanted} or newer. Run it with a newer python3."
        )
    venv = root / ".venv"
    python = venv_python(venv)
    if not runs(python):
        create(venv)
    install(group, venv)
    link_package(venv, root)
    if Path(sys.prefix).resolve() != venv.resolve():
        rerun(python)


def venv_python(venv: Path, *, windows: bool = os.name == "nt") -> Path:
    """Return the path of an environment's interpreter, even if the environment does not exist yet."""
    return venv / "Scripts" / "python.exe" if windows else venv / "bin" / "python"


def runs(python: Path) -> bool:
    """True if a Python interpreter starts and its version is at least MINIMUM_PYTHON."""
    if Path(sys.executable) == python:
        return True
    if not python.exists():
        return False
    check = f"import sys; sys.exit(sys.version_info < {MINIMUM_PYTHON!r})"
    try:
        return (
            subprocess.run([python, "-I", "-S", "-c", check], check=False, capture_output=True).returncode
            == 0
        )
    except OSError:
        return False


def create(venv: Path) -> None:
    """Make an empty environment with venv or virtualenv. Remove an earlier environment first."""
    say(f"making {venv.name} with Python {sys.version.split()[0]}")
    shutil.rmtree(venv, ignore_errors=True)
    arguments = creation_arguments(
        has_pip=has_module("pip"),
        has_ensurepip=has_module("ensurepip"),
        has_virtualenv=has_module("virtualenv"),
    )
    done = subprocess.run(
        [sys.executable, *arguments, str(venv)], check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise SetupError(
            f"Creating {venv.name} failed ({' '.join(last) or 'no message'}). Install Python's venv module "
            "(Debian: apt-get install python3-venv), and run this again."
        )


def creation_arguments(*, has_pip: bool, has_ensurepip: bool, has_virtualenv: bool) -> list[str]:
    """Choose the arguments of a `python` command that makes an environment.

    If the current Python has pip, this pip can install packages into the environment. Otherwise the
    environment needs its own pip, which ensurepip or virtualenv installs.

    Raises:
        SetupError: this Python cannot make an environment into which packages can be installed.
    """
    if has_pip:
        return ["-m", "venv", "--without-pip"]
    if has_ensurepip:
        return ["-m", "venv"]
    if has_virtualenv:
        return ["-m", "virtualenv", "--quiet"]
    raise SetupError(
        "This Python has no pip, no ensurepip and no virtualenv, but needs one of them to install packages. "
        "Install one (Debian and Ubuntu: apt-get install python3-venv; others: your system's python3-pip)."
    )


def has_module(name: str) -> bool:
    """True if this Python can import `name`."""
    return importlib.util.find_spec(name) is not None


def requirements_hash(group: str, *, tools: Path = ROOT / "tools") -> str:
    """Return a hash of the requirement files of `group`, without their comments."""
    lines: list[str] = []
    for name in GROUPS[group]:
        text = (tools / name).read_text(encoding="utf-8")
        lines += [line.split("#")[0].strip() for line in text.splitlines()]
    return hashlib.sha256("\n".join(filter(None, lines)).encode()).hexdigest()


def install(group: str, venv: Path = VENV) -> None:
    """Install the pinned packages of `group`, unless they are already installed.

    Raises:
        SetupError: pip failed. pip's message is in the output above.
    """
    record = read_record(venv)
    wanted = {name: requirements_hash(name) for name in implied_groups(group)}
    if all(record.get(name) == digest for name, digest in wanted.items()):
        return
    say(f"installing the pinned packages ({', '.join(GROUPS[group])})")
    requirements = ROOT / "tools" / GROUPS[group][-1]
    command = [*pip(venv), "install", "--disable-pip-version-check", "--no-input", "--progress-bar=off"]
    done = subprocess.run(
        [*command, "--requirement", str(requirements)], check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode != 0:
        raise SetupError(
            f"Installing {requirements.name} failed (pip's output is above). The first start needs a "
            "network. Check the network, and run this again."
        )
    write_record(venv, {**record, **wanted})


def implied_groups(group: str) -> tuple[str, ...]:
    """List `group`, and the other groups that it includes."""
    files = set(GROUPS[group])
    return tuple(name for name, parts in GROUPS.items() if files.issuperset(parts))


def pip(venv: Path) -> list[str]:
    """Return a pip command that installs packages into `venv`.

    Use the environment's pip if it exists, and otherwise the pip of the current Python or of its base Python.
    """
    python = venv_python(venv)
    own = subprocess.run([python, "-m", "pip", "--version"], check=False, capture_output=True)
    if own.returncode == 0:
        return [str(python), "-m", "pip"]
    beneath = str(getattr(sys, "_base_executable", sys.executable))
    return [sys.executable if has_module("pip") else beneath, "-m", "pip", "--python", str(python)]


def read_record(venv: Path) -> dict[str, str]:
    """Return the installed requirements as {group: hash}, or {} if nothing was installed."""
    try:
        record = json.loads((venv / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def write_record(venv: Path, record: dict[str, str]) -> None:
    """Record the installed requirements."""
    (venv / RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def link_package(venv: Path, root: Path) -> None:
    """Write a .pth file, so that the environment's Python finds the repository's packages."""
    for site in site_packages(venv):
        link = site / "eglantine-repository.pth"
        text = f"{root / 'pyodide_pkg'}\n{root}\n"
        if not link.exists() or link.read_text(encoding="utf-8") != text:
            link.write_text(text, encoding="utf-8")


def site_packages(venv: Path) -> list[Path]:
    """Return a list with an environment's package folder. If there is no environment, the list is empty."""
    return [*venv.glob("lib/python3.*/site-packages"), *venv.glob("Lib/site-packages")][:1]


def rerun(python: Path) -> None:
    """Run this process's command with another interpreter. Then exit with the command's exit code."""
    command = [str(python), *original_arguments()]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(python, command)  # noqa: S606 – the same command, another interpreter
    try:
        sys.exit(subprocess.run(command, check=False).returncode)
    except KeyboardInterrupt:
        sys.exit(130)


def original_arguments() -> list[str]:
    """Return this process's command line after `python`. It begins with a script, or with `-m MODULE`."""
    spec = sys.modules["__main__"].__spec__
    if spec is None:
        return sys.argv
    return ["-m", spec.name.removesuffix(".__main__"), *sys.argv[1:]]
