"""Type checkers understand the annotations of an `fn`, such as `Annotated` and float."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest

import eglantine as eg

Point = Annotated[eg.Array, eg.Vec(2, eg.Real)]


@eg.fn
def scaled(
    p: Point, by: Annotated[float, eg.Real, "a factor"] = 2.0
) -> Annotated[eg.Array, eg.Vec(2, eg.Real)]:
    return p * by


def test_annotated_can_wrap_a_type() -> None:
    assert repr(scaled) == "<fn scaled(Vec(2, Real), Real) -> Vec(2, Real)>"
    assert scaled([1.0, 2.0]) == [2.0, 4.0]
    assert eg.compile(scaled)([1.0, 2.0], by=3.0) == [3.0, 6.0]
    assert eg.compile(lambda x: x + 1.0, [Annotated[float, eg.Real]])(1.0) == 2.0
    assert eg.fn([Annotated[float, "a plain note"]])(lambda x: x)(1.0) == 1.0
    assert (
        repr(eg.fn([Annotated[object, {"a": eg.Real}]])(lambda d: d["a"]).function.params) == "({'a': Real},)"
    )


def test_fields_of_structs_may_be_annotated() -> None:
    @eg.struct
    class Ball(NamedTuple):
        at: Annotated[eg.Array, eg.Vec(2, eg.Real)]
        mass: Annotated[float, eg.Real]

    f = eg.fn([Ball])(lambda ball: ball.at * ball.mass)
    assert f(Ball([1.0, 2.0], 3.0)) == [3.0, 6.0]
    assert eg.fn([Annotated[Ball, Ball]])(lambda ball: ball.mass)(Ball([1.0, 2.0], 3.0)) == 3.0


def test_an_annotation_without_a_type_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="A type is needed here, but this is str"):
        eg.fn([Annotated[str, "a note"]])(lambda x: x)


def test_a_decorated_function_keeps_its_signature() -> None:
    assert list(inspect.signature(scaled).parameters) == ["p", "by"]


PROGRAM = '''
from typing import Annotated
import eglantine as eg

@eg.fn
def power(x: eg.Real, y: eg.Real = 2.0) -> eg.Real:
    """x to the power y."""
    return x * y

@eg.fn
def mixed(v: Annotated[eg.Array, eg.Vec(2, eg.Real)], scale: Annotated[float, eg.Real]) -> eg.Array:
    return 2.0 * v - v / scale

@eg.fn(control_flow=True)
def up(x: float) -> float:
    while x < 1.0:
        x = 2.0 * x
    return x

total = eg.fn([eg.Vec(2, eg.Real)], eg.Real)(lambda v: v[0] + v[1])
reveal_type(power)
reveal_type(power(1.0, y=3.0))
reveal_type(up(0.5))
total([1.0, 2.0])
total.defjvp
eg.grad(power)(2.0)
eg.compile(power)(2.0)
power("a")
'''


def test_mypy_knows_the_signature_of_a_decorated_function(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    package = Path(eg.__file__).parents[1]
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\nstrict = true\nmypy_path = {package}\n")
    out, err, _ = api.run(
        ["--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), str(program)]
    )
    assert not err
    lines = [line.removeprefix(str(program)) for line in out.splitlines()]
    ours = [line for line in lines if line.startswith(":")]
    told = [line.split(": ", 1)[1] for line in ours]
    assert told[0].startswith('note: Revealed type is "eglantine.functions.fn.Signed[[x')
    assert (
        told[1:3] == ['note: Revealed type is "float"'] * 2
        or told[1:3] == ['note: Revealed type is "builtins.float"'] * 2
    )
    assert len(told) == 4, told
    assert told[3].startswith('error: Argument 1 to "__call__" of "Signed" has incompatible type "str"')
