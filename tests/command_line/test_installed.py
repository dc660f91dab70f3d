"""The command line works if only the wheel is installed, with and without wasmtime."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import venv
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from eglantine.command_line.main import parser
from tests.building import built
from tests.patience import PATIENCE_S
from tools.bootstrap import pip, venv_python
from tools.files import BUILD

LISTENING = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""A program that starts a command and lets it react to Ctrl-C. Background jobs of a shell and their children
would otherwise ignore Ctrl-C."""
COMMANDS = {"eval", "export", "figure", "fit", "minimize", "bril", "show", "completion"}
FILES = {
    "data.csv": "x,y\n0,3\n1,1.8\n2,1.3\n3,1.1\n4,1.05\n",
    "square.bril": "@main(x: float) {\n  y: float = fmul x x;\n  print y;\n}\n",
    "endless.bril": (
        "@main(x: float, y: float) {\n.body:\n  x: float = fmul x y;\n  more: bool = feq x x;\n"
        "  br more .body .end;\n.end:\n  print x;\n}\n"
    ),
    "slow.py": (
        "import time\nimport eglantine as eg\ntime.sleep(1.5)\n\n"
        "def cube(x: eg.Real) -> eg.Real:\n    return x ** 3\n"
    ),
}


@dataclass(frozen=True)
class Installation:
    """An environment with the installed command. `engine` is wasmtime's folder, or None without wasmtime."""

    command: Path
    folder: Path
    engine: Path | None

    @property
    def place(self) -> dict[str, str]:
        """Return the environment variables for the command."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        return kept if self.engine is None else {**kept, "PYTHONPATH": str(self.engine)}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        return subprocess.run(
            [self.command, *arguments],
            capture_output=True, text=True, check=False, env=self.place, cwd=self.folder, timeout=PATIENCE_S,
        )  # fmt: skip

    def on_terminal(self, *arguments: str, stop_at: str | None = None) -> tuple[int, str]:
        """Run the command with stderr on a terminal. Press Ctrl-C after the output `stop_at`.

        Return the exit code and the text on the terminal.
        """
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-c", LISTENING, self.command, *arguments],
            stdout=subprocess.DEVNULL, stderr=theirs, env=self.place, cwd=self.folder,
        ) as process:  # fmt: skip
            os.close(theirs)
            told = ""
            too_long = threading.Timer(PATIENCE_S, process.kill)
            too_long.start()
            while True:
                try:
                    piece = os.read(ours, 4096)
                except OSError:  # on Linux this error means that the other end is closed
                    break
                if not piece:
                    break
                told += piece.decode()
                if stop_at is not None and stop_at in told:
                    process.send_signal(signal.SIGINT)
                    stop_at = None
            too_long.cancel()
            os.close(ours)
            return process.wait(PATIENCE_S), told


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An environment with the installed wheel, and no other package."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home / "env", with_pip=False, symlinks=True)
    python = venv_python(home / "env")
    wheel = BUILD / built()["wheel"]
    subprocess.run(
        [*pip(home / "env"), "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True
    )
    folder = home / "work"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return Installation(python.with_name("eglantine"), folder, None)


@pytest.fixture(scope="module")
def with_engine(bare: Installation, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An environment with the installed wheel and wasmtime, and no other package."""
    spec = find_spec("wasmtime")
    assert spec is not None
    assert spec.origin is not None
    engine = tmp_path_factory.mktemp("engine")
    (engine / "wasmtime").symlink_to(Path(spec.origin).parent)
    return Installation(bare.command, bare.folder, engine)


def examples() -> dict[str, list[str]]:
    """Read the example in the help of each command, and return its arguments."""
    (parts,) = (action for action in parser()._actions if isinstance(action.choices, dict))
    told = {name: str(part.epilog) for name, part in dict(parts.choices or {}).items()}
    return {
        name: shlex.split(text.removeprefix("Example: eglantine ").split(" >> ")[0])
        for name, text in told.items()
    }


def test_the_example_of_each_command_works_without_an_engine(bare: Installation) -> None:
    answers = {}
    for name, example in examples().items():
        assert example[0] == name
        run = bare.run(*example, "--json")
        assert run.returncode == 0, run.stderr
        answers[name] = json.loads(run.stdout)
        assert isinstance(answers[name], dict)
        assert ("interpreter" in run.stderr) == (name in ("fit", "minimize"))
    assert answers.keys() == COMMANDS
    assert answers["eval"]["value"] == 8.0
    assert answers["bril"]["gradient"] == [6.0]
    assert all((bare.folder / file).exists() for file in answers["export"]["files"])


def test_commands_give_the_same_answers_with_an_engine(bare: Installation, with_engine: Installation) -> None:
    example = [*examples()["minimize"], "--json"]
    ours, theirs = with_engine.run(*example), bare.run(*example)
    assert ours.stderr == ""
    assert json.loads(ours.stdout) == json.loads(theirs.stdout)


def test_commands_have_the_documented_exit_codes(bare: Installation) -> None:
    assert bare.run("minimize", "-x", "x=0", "--method", "adam").returncode == 1
    wrong = bare.run("eval", "x +", "x=1")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.count("\n") == 1
    out_of_fuel = bare.run("bril", "run", "endless.bril", "0.5", "1", "--fuel", "1000")
    assert out_of_fuel.returncode == 2
    assert "fuel" in out_of_fuel.stderr


def test_progress_is_shown_only_on_a_terminal(bare: Installation) -> None:
    code, told = bare.on_terminal("show", "slow.py:cube")
    assert code == 0
    assert "show is still at work (1 s)" in told
    assert told.endswith("\r\033[K")
    assert bare.run("show", "slow.py:cube").stderr == ""


@pytest.mark.parametrize("action", ["run", "grad"])
def test_ctrl_c_ends_the_interpreter_and_compiled_code(with_engine: Installation, action: str) -> None:
    code, told = with_engine.on_terminal("bril", action, "endless.bril", "0.5", "1", stop_at="at work (1 s)")
    assert code == 130
    assert told.rstrip().endswith("eglantine: Stopped.")
    assert "Traceback" not in told


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion_works_in_bash(bare: Installation) -> None:
    (bare.folder / "completion.bash").write_text(bare.run("completion", "bash").stdout, encoding="utf-8")

    def completed(*words: str) -> set[str]:
        line = " ".join(map(shlex.quote, ("eglantine", *words)))
        script = f". ./completion.bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _eglantine; "
        script += 'echo "${COMPREPLY[@]}"'
        run = subprocess.run(
            ["bash", "-c", script], capture_output=True, text=True, check=True, cwd=bare.folder
        )
        return set(run.stdout.split())

    assert completed("ex") == {"export"}
    assert completed("show", "--w") == {"--wat"}
    assert completed("bril", "run", "sq") == {"square.bril"}
