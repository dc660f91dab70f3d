"""Make the project's environment: `.venv` with pinned packages. This module needs only the standard library.

Every command of the repository begins with `enter("serve")` or another group. Inside a complete environment,
`enter` returns at once. Otherwise it makes or completes `.venv` and runs the same command again with the
Python of `.venv`.
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
"""A file in the environment. It holds the hash of the installed requirements for each group of packages."""

GROUPS = {
    "serve": ("requirements.txt",),
    "test": ("requirements.txt", "requirements-test.txt"),
    "node": ("requirements-node.txt",),
}
"""Group → its requirement files in tools/. The last file includes the others."""


class SetupError(Exception):
    """The error that ends the setup. Its message says what was found, what was expected and what to do."""


def say(text: str) -> None:
    """Print one line of progress and flush the output, because a pipe would delay it."""
    print(f"eglantine: {text}", flush=True)


def finished(
    command: Sequence[str], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end without input. Capture its output, even if it fails."""
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
    """Make sure that this command runs in an environment with the packages of `group`.

    If it already does, return. Otherwise make the environment, and run the same command again in it.

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
    """The path of an environment's interpreter, even if the environment does not exist yet."""
    return venv / "Scripts" / "python.exe" if windows else venv / "bin" / "python"


def runs(python: Path) -> bool:
    """True if an interpreter starts and is new enough. It does not start if its Python was removed."""
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
    """Make an empty environment with venv or, if this Python cannot, with virtualenv."""
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
            f"Making {venv.name} failed ({' '.join(last) or 'no message'}). Install Python's venv "
            "module (Debian: apt-get install python3-venv), and run this again."
        )


def creation_arguments(*, has_pip: bool, has_ensurepip: bool, has_virtualenv: bool) -> list[str]:
    """Choose the arguments with which `python` makes an environment, by the modules that this Python has.

    An environment needs no pip of its own if this Python has pip, because that pip can install packages into
    it. So in this case we do not need ensurepip.

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
    """A hash of the pinned requirements of `group`. It changes if a pin changes, but not if only a comment
    changes.
    """
    lines: list[str] = []
    for name in GROUPS[group]:
        text = (tools / name).read_text(encoding="utf-8")
        lines += [line.split("#")[0].strip() for line in text.splitlines()]
    return hashlib.sha256("\n".join(filter(None, lines)).encode()).hexdigest()


def install(group: str, venv: Path = VENV) -> None:
    """Install the pinned packages of `group` unless the environment's record says that it has them.

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
            f"Installing {requirements.name} failed (pip's words are above). The first start needs a "
            "network, so check it and run this again."
        )
    write_record(venv, {**record, **wanted})


def implied_groups(group: str) -> tuple[str, ...]:
    """The groups that are installed too when `group` is installed, including `group` itself."""
    files = set(GROUPS[group])
    return tuple(name for name, parts in GROUPS.items() if files.issuperset(parts))


def pip(venv: Path) -> list[str]:
    """The command of a pip that can install into `venv`.

    It is the environment's own pip or, if there is none, that of this Python or of its base Python.
    """
    python = venv_python(venv)
    own = subprocess.run([python, "-m", "pip", "--version"], check=False, capture_output=True)
    if own.returncode == 0:
        return [str(python), "-m", "pip"]
    beneath = str(getattr(sys, "_base_executable", sys.executable))
    return [sys.executable if has_module("pip") else beneath, "-m", "pip", "--python", str(python)]


def read_record(venv: Path) -> dict[str, str]:
    """The installed requirements as {group: hash}. It is empty if nothing was installed."""
    try:
        record = json.loads((venv / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def write_record(venv: Path, record: dict[str, str]) -> None:
    """Record the installed requirements."""
    (venv / RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def link_package(venv: Path, root: Path) -> None:
    """Let the environment's Python import `eglantine`, `tests`, `tools` and so on from the repository."""
    for site in site_packages(venv):
        link = site / "eglantine-repository.pth"
        text = f"{root / 'pyodide_pkg'}\n{root}\n"
        if not link.exists() or link.read_text(encoding="utf-8") != text:
            link.write_text(text, encoding="utf-8")


def site_packages(venv: Path) -> list[Path]:
    """The folders of an environment's packages. The list is empty if the environment does not exist yet."""
    return [*venv.glob("lib/python3.*/site-packages"), *venv.glob("Lib/site-packages")][:1]


def rerun(python: Path) -> None:
    """Run the same command with another interpreter, and end with that process's exit code."""
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
    """The arguments with which this process was started, after `python`: a script, or `-m` and a module."""
    spec = sys.modules["__main__"].__spec__
    if spec is None:
        return sys.argv
    return ["-m", spec.name.removesuffix(".__main__"), *sys.argv[1:]]
