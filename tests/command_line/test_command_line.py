"""Tests of the command line's output, exit codes and errors. Each error is one sentence."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from eglantine.command_line.main import main

ROOT = Path(__file__).resolve().parents[2]
PLACE = {**os.environ, "PYTHONPATH": str(ROOT / "pyodide_pkg")}
SQUARE = "@main(x: float) {\n  y: float = fmul x x;\n  print y;\n}\n"


def eglantine(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, because starting another Python would take longer."""
    words = [*map(str, arguments)]
    out, told = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(told), warnings.catch_warnings():
        warnings.simplefilter("default")
        code = main(words)
    return subprocess.CompletedProcess(words, code, out.getvalue(), told.getvalue())


def started(*arguments: str | Path, without: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a new process. The process cannot import the package `without`."""
    code = f"import sys; sys.modules[{without!r}] = None; " if without else "import sys; "
    code += "from eglantine.command_line.main import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True, text=True, env=PLACE, check=False,
    )  # fmt: skip


def answer(*arguments: str | Path) -> dict[str, object]:
    run = eglantine(*arguments, "--json")
    assert run.returncode == 0, run.stderr
    told: dict[str, object] = json.loads(run.stdout)
    return told


def test_the_package_runs_as_a_command() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "eglantine", "--version"],
        capture_output=True, text=True, env=PLACE, check=True,
    )  # fmt: skip
    assert run.stdout.startswith("eglantine ")


def test_eval_gives_value_gradient_and_hessian() -> None:
    told = answer("eval", "x^2 y", "x=2", "y=3")
    assert told == {"value": 12.0, "gradient": {"x": 12.0, "y": 4.0}, "hessian": [[6.0, 4.0], [4.0, 0.0]]}
    assert "d/dx" in eglantine("eval", "x^2 y", "x=2", "y=3").stdout
    assert answer("eval", "1 + 1")["value"] == 2.0
    assert answer("eval", "-x", "x=-2")["value"] == 2.0
    assert answer("eval", "log(x)", "x=0")["value"] == "-inf"


def test_export_works_without_an_engine(tmp_path: Path) -> None:
    run = started("export", "x^2 + y", tmp_path / "out", without="wasmtime")
    assert run.returncode == 0, run.stderr
    assert {path.suffix for path in (tmp_path / "out").iterdir()} >= {".wasm", ".js", ".ts"}


def test_a_function_in_a_file_is_exported_and_shown(tmp_path: Path) -> None:
    program = tmp_path / "own.py"
    program.write_text(
        "import eglantine as eg\n\ndef cube(x: eg.Real) -> eg.Real:\n    return x ** 3\n", encoding="utf-8"
    )
    assert eglantine("export", f"{program}:cube", tmp_path / "out").returncode == 0
    assert "powi" in eglantine("show", f"{program}:cube").stdout
    assert "(module" in eglantine("show", f"{program}:cube", "--wat").stdout
    assert "digraph" in eglantine("show", f"{program}:cube", "--graph").stdout
    missing = eglantine("show", f"{program}:square")
    assert missing.returncode == 2
    assert "has no square" in missing.stderr


def test_figure_writes_one_file(tmp_path: Path) -> None:
    told = answer("figure", "a sin(x)", "-o", tmp_path / "figure.html")
    assert told["bytes"] == (tmp_path / "figure.html").stat().st_size


@pytest.mark.parametrize(
    "text",
    [
        "x,y\n0,3\n1,1.8\n2,1.3\n3,1.1\n4,1.05\n",
        "0;3\n1;1,8\n2;1,3\n3;1,1\n4;1,05\n",
        "# own\n0\t3\n1\t1.8\n2\t1.3\n3\t1.1\n4\t1.05\n",
    ],
)  # fmt: skip
def test_fit_reads_commas_semicolons_and_tabs(tmp_path: Path, text: str) -> None:
    data = tmp_path / "data.csv"
    data.write_text(text, encoding="utf-8")
    told = answer("fit", data, "a exp(-b x) + c", "a=2")
    parameters = told["parameters"]
    assert isinstance(parameters, dict)
    assert parameters["a"] == pytest.approx(2.017283862, rel=1e-8)
    assert told["degrees_of_freedom"] == 2


def test_minimize_prints_the_minimum() -> None:
    told = answer("minimize", "(x-1)^2 + (y-x^2)^2", "x=0", "y=-1")
    assert told["fun"] == pytest.approx(0, abs=1e-12)
    assert told["x"] == pytest.approx({"x": 1, "y": 1}, abs=1e-5)
    assert told["status"] == "converged"


def test_a_solve_that_fails_has_exit_code_1() -> None:
    run = eglantine("minimize", "exp(x)", "x=0", "--method", "gradient-descent")
    assert run.returncode in (0, 1)
    unbounded = eglantine("minimize", "-x", "x=0", "--method", "adam")
    assert unbounded.returncode == 1
    assert "Not converged" in unbounded.stdout


def test_a_process_ends_with_the_commands_exit_code() -> None:
    run = started("eval", "x^y", "x=2")
    assert run.returncode == 2
    assert run.stderr.startswith("eglantine: ")


def test_solvers_run_without_an_engine_and_print_a_warning() -> None:
    run = started("minimize", "(x-1)^2", "x=0", without="wasmtime")
    assert run.returncode == 0
    assert "interpreter" in run.stderr
    assert "x = " in run.stdout


POWERS = """@main(n: int, p: bool, x: float) {
  print p; cells: ptr<float> = alloc n; store cells x; free cells;
  y: float = fmul x x; print y;
}"""


def test_the_command_bril_runs_and_differentiates_programs(tmp_path: Path) -> None:
    program = tmp_path / "square.bril"
    program.write_text(SQUARE, encoding="utf-8")
    assert eglantine("bril", "run", program, "3").stdout == "9.00000000000000000\n"
    assert answer("bril", "grad", program, "3")["gradient"] == [6.0]
    assert answer("bril", "grad", program, "3", "--mode", "forward")["gradient"] == [6.0]
    powers = tmp_path / "powers.bril"
    powers.write_text(POWERS)
    rows = answer("bril", "descend", powers, "2", "true", "3.0", "--step", "0.25", "-n", "2")["rows"]
    assert rows == [[[2, True, 3.0], 9.0], [[2, True, 1.5], 2.25]]
    failed = eglantine("bril", "run", powers, "-1", "true", "3.0")
    assert (failed.returncode, failed.stdout) == (2, "true\n")
    assert "asked for -1" in failed.stderr
    rows = answer("bril", "descend", program, "3", "--step", "0.25", "-n", "2")["rows"]
    assert rows == [[3.0, 9.0], [1.5, 2.25]]


def test_bril_reads_a_pipe_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writer:
        written = writer.submit(pipe.write_text, SQUARE, encoding="utf-8")
        assert eglantine("bril", "run", pipe, "3").stdout == "9.00000000000000000\n"
        written.result()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SQUARE.encode())))
    assert eglantine("bril", "grad", "-", "-3").stdout == "-6.0\n"


def test_a_file_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.bril"
    wrong.write_bytes(b"@main\xff")
    for command in (["bril", "run", wrong], ["fit", wrong, "a x"]):
        run = eglantine(*command)
        assert run.returncode == 2
        assert "wrong.bril is not text in UTF-8: its byte 6 is not valid." in run.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_every_command(shell: str) -> None:
    script = eglantine("completion", shell).stdout
    for word in ("eval", "export", "figure", "fit", "minimize", "bril", "show", "descend", "zsh"):
        assert re.search(rf"\b{word}\b", script)


@pytest.mark.parametrize("command", ["eval", "export", "figure", "fit", "minimize", "bril", "show"])
def test_help_has_an_example(command: str) -> None:
    run = eglantine(command, "--help")
    assert run.returncode == 0
    assert f"Example: eglantine {command}" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["eval", "x^y", "x=2"], "needs a number for y"),
        (["eval", "x", "x=2", "z=1"], "has no letter z"),
        (["eval", "x", "x=two"], "x must be a number"),
        (["eval", "x +", "x=1"], ""),
        (["fit", "nowhere.csv", "a x"], "There is no file nowhere.csv"),
        (["show", "nowhere.py:f"], "There is no file nowhere.py"),
        (["bril", "run", "nowhere.bril"], "There is no file nowhere.bril"),
        (["minimize", "x", "x=0", "--method", "bfsg"], "Did you mean `bfgs`?"),
        (["bril", "run", "."], "Is a directory"),
        (["bril", "run"], "The following arguments are required: FILE. See"),
        (["bril", "descend", "a.bril", "-n", "-3"], "must be 0 or a larger whole number, but it is -3"),
        (["bril", "run", "a.bril", "--fuel", "two"], "but it is two"),
        (["-V"], "required: COMMAND"),
        (["frobnicate"], "invalid choice"),
        ([], "required"),
    ],
)
def test_wrong_use_prints_one_sentence_on_stderr(arguments: list[str], told: str) -> None:
    run = eglantine(*arguments)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("eglantine: ")
    assert run.stderr.count("\n") == 1
    assert told in run.stderr
