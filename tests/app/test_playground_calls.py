"""The playground calls, exports and lists functions, and loads packages."""

from __future__ import annotations

import re
import time
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from app.playground.names import names
from app.playground.packages import MissingPackageError, loading, resolved
from app.playground.places import Text
from app.playground.service import METHODS, sample
from app.playground.sleeping import SLICE_SECONDS, blocking
from tests.app.playing import POWER, Asked
from tools.bootstrap import ROOT


def test_a_call_takes_arguments_in_pythons_notation(ask: Asked) -> None:
    ask("run", POWER + "\nhalf = 0.5\n")
    assert ask("call", "f", "value", ["2", "half * 6"])["value"] == "8.0"
    assert ask("call", "f", "gradient", ["2.0", "3.0"])["value"] == repr(eg.grad(power, (0, 1))(2.0, 3.0))
    reply = ask("call", "f", "value", ["2", "half *"])
    assert (reply["ok"], reply["argument"]) == (False, 1)
    wrong = ask("call", "f", "value", ["2", "'three'"])
    assert (wrong["ok"], wrong["argument"]) == (False, None)
    assert "Argument y must be a float" in wrong["error"]["message"]


power = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: x**y)


def test_an_endless_loop_of_compiled_code_ends_with_an_error_at_its_place(ask: Asked) -> None:
    program = (
        "import eglantine as eg\n\n@eg.fn\ndef f(x: eg.Real) -> eg.Real:\n"
        "    return eg.while_loop(lambda c: c > 0.0, lambda c: c * 1.0, x)\n"
    )
    assert ask("run", program)["ok"]
    reply = ask("call", "f", "value", ["1.0"])
    assert reply["error"]["kind"] == "FuelError"
    assert ask("call", "f", "value", ["-1.0"])["value"] == "-1.0"


def test_prints_of_compiled_code_are_sent_as_notes(ask: Asked) -> None:
    ask(
        "run",
        "import eglantine as eg\n@eg.fn\ndef f(x: eg.Real):\n    eg.debug_print('x = {}', x)\n    return x\n",
    )
    reply = ask("call", "f", "value", ["2.5"])
    assert ask.printed == "x = 2.5\n"
    assert reply["args"] is None, "a page cannot run it without Python"


def test_kernels_and_jit_functions_are_listed_as_functions(ask: Asked) -> None:
    names_of = ask(
        "run", POWER + "\nk = eg.compile(f)\nh = eg.jit(lambda a: a * 2)\nh(3.0)\n_hidden = f\nn = 3\n"
    )
    assert [f["name"] for f in names_of["functions"]] == ["k", "h", "f"]


@pytest.mark.parametrize(
    "of",
    [eg.Real, eg.Bool, eg.Unit, eg.Fin(1), eg.Fin(9), eg.Vec(3, eg.Real), eg.Vec(40, eg.Vec(2, eg.Fin(4))),
     (eg.Real,), (eg.Real, eg.Bool), {"a": eg.Real, "b": eg.Vec(2, eg.Real)}, eg.Vec(0, eg.Real)],
)  # fmt: skip
def test_a_sample_argument_has_the_right_type(of: Any) -> None:
    f = eg.fn([of])(lambda x: x)
    (T,) = f.function.params
    value = eval(sample(T))  # noqa: S307 - our own text
    f(value)


def test_only_the_listed_methods_can_be_called(ask: Asked) -> None:
    assert set(METHODS) == {"run", "show", "call", "names", "export", "diagram"}
    with pytest.raises(ValueError, match="__class__"):
        ask("__class__")


# ---------------------------------------------------------------- the editor's names


def test_every_public_name_is_offered_with_a_description() -> None:
    offered = {entry["name"]: entry for entry in names()}
    assert set(eg.__all__) <= set(offered)
    assert offered["grad"]["signature"] == "(f, argnums=0, has_aux=False)"
    assert all(entry["about"] for entry in offered.values() if entry["kind"] != "constant")


def test_names_of_a_package_without_docstrings_are_described_too(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = BytesIO()
    folder = Path(eg.__file__).parent
    with zipfile.ZipFile(archive, "w") as target:
        for path in folder.rglob("*.py"):
            target.writestr(path.relative_to(folder.parent).as_posix(), path.read_bytes())
    with_docstrings = {entry["name"]: entry["about"] for entry in names()}
    monkeypatch.setattr(eg.grad, "__doc__", None)
    monkeypatch.setattr(eg.Fn, "__doc__", None)
    assert next(e for e in names() if e["name"] == "grad")["about"] == ""
    described = {entry["name"]: entry["about"] for entry in names(archive.getvalue())}
    assert described["grad"] == with_docstrings["grad"]
    assert described["Fn"] == with_docstrings["Fn"]


# ---------------------------------------------------------------- packages and places


def test_the_error_on_a_missing_package_names_our_counterpart(ask: Asked) -> None:
    program = 'raise ModuleNotFoundError("No module named \'numpy\'", name="numpy.linalg")'
    message = ask("run", program)["error"]["message"]
    assert "import eglantine.numpy as np" in message
    assert message.count(". ") == 0


def test_the_error_on_a_missing_package_names_the_available_packages() -> None:
    names = ["micropip", "mpmath"]
    assert resolved("MPmath>=1.0", names) == "mpmath"
    with pytest.raises(MissingPackageError, match=r"'numpy' .* can load only mpmath"):
        resolved("numpy", names)


def test_the_page_is_told_when_a_package_starts_and_ends_loading() -> None:
    told: list[dict[str, str]] = []

    def fail() -> None:
        with loading("mpmath", told.append):
            assert told == [{"loading": "mpmath"}]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert told == [{"loading": "mpmath"}, {"loaded": "mpmath"}]


def test_sleep_takes_the_given_time_and_can_be_interrupted() -> None:
    waited: list[float] = []

    def wait(ms: float) -> None:
        waited.append(ms)
        time.sleep(ms / 1000)

    start = time.perf_counter()
    blocking(wait)(0.1)
    assert time.perf_counter() - start >= 0.1
    assert max(waited) <= 1000 * SLICE_SECONDS

    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        blocking(interrupted)(60.0)
    with pytest.raises(ValueError, match="sleep length must be non-negative"):
        blocking(wait)(-1.0)


def test_a_function_is_exported_with_its_module(ask: Asked) -> None:
    ask("run", POWER)
    answer = ask("export", "f", "gradient")
    assert (answer["ok"], answer["name"]) == (True, "f")
    assert answer["files"].keys() == {"f.js", "f.d.ts", "f.html"}
    assert ask.bytes.startswith(b"\0asm")
    assert ask("export", "nowhere", "value")["ok"] is False


def test_offsets_count_utf16_code_units() -> None:
    text = Text("a𝒜b\n  cd\n")
    assert text.offset(1, len("a𝒜".encode())) == 3
    assert text.offset(2, 2) == 7
    assert text.whole_line(2) == (7, 9)
    assert text.offset(99, 0) == 10


def test_every_pass_of_the_compiler_has_a_name_on_the_page() -> None:
    compiler = (ROOT / "pyodide_pkg" / "eglantine" / "optimise" / "pipeline.py").read_text(encoding="utf-8")
    texts = (ROOT / "static" / "js" / "pages" / "playground" / "texts.js").read_text(encoding="utf-8")
    passes = re.findall(r'stages\.append\(\("([^"]+)"', compiler)
    assert len(passes) >= 3
    assert [name for name in passes if f'  "{name}": "' not in texts] == []
