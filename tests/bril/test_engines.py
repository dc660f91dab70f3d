"""The interpreter, wasmtime and V8 compute the same bits for values and derivatives of Bril programs."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine import bril
from eglantine.leaves import leaves
from eglantine.plain.marshal import unflatten
from tests.emit.node import node
from tests.laws.agreement import SECOND_ORDER, engines_agree
from tests.seeds import NIGHTLY

from .corpus import FEWER_ROUNDS, floats, with_constants_as_arguments
from .kinds import KINDS, Kind
from .test_gradients import NAMES

pytest.importorskip("wasmtime")

FEW_ROUNDS = 40.0
"""The largest float argument in usual runs. Larger arguments count the rounds of loops. We replace them by
this number, because the interpreter is slow."""
LAST_ROUND = FEWER_ROUNDS if NIGHTLY else "end: int = const 2001;"
"""A Bril instruction that sets the number of rounds of one program, float/leibniz. The number is small,
because the interpreter takes a second for 10,000 rounds."""
FLOATS_OF_BITS = "mixed/brilirs-only/fast-inverse-sqrt"
"""A program without a derivative, because it computes with the bits of a float."""


def of_first_order(program: Any, args: list[Any]) -> Any:
    """Make a function that computes a value, a tangent in forward mode, and gradients in reverse mode."""
    n = len(floats(program, args))
    made, failure = program._made_for(args)
    assert failure is None

    def run(*given: float) -> Any:
        x, dx = given[:n], given[n:]
        along = eg.jvp(made.f, x, dx)
        return along, eg.grad(made.f, tuple(range(n)))(*x), eg.grad(made.for_reverse, tuple(range(n)))(*x)

    return eg.fn([eg.Real] * (2 * n), names=[f"a{k}" for k in range(2 * n)])(run)


@pytest.mark.parametrize("name", [name for name in NAMES if name != FLOATS_OF_BITS])
def test_three_engines_agree_on_value_and_gradients_of_community_programs(name: str) -> None:
    program, args = with_constants_as_arguments(name, shorter=True, end=LAST_ROUND)
    if not NIGHTLY:
        args = [min(x, FEW_ROUNDS) if isinstance(x, float) else x for x in args]
    x = floats(program, args)
    engines_agree(of_first_order(program, program.arguments(tuple(args))), [[*x, *_directions(x)]], node())


def _directions(x: list[float]) -> list[float]:
    return [1.0 - k / 7 for k in range(len(x))]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_three_engines_agree_on_all_derivatives_up_to_second_order(kind: Kind) -> None:
    program = bril.parse(kind.text)
    values = program.arguments(kind.args)
    x = floats(program, values)
    engines_agree(of_first_order(program, values), [[*x, *_directions(x)]], node())
    f = program.function(*kind.args)
    for transform in SECOND_ORDER:
        g = transform(f)
        engines_agree(g, [[*x, *map(halves, g.function.params[len(x) :])]], node())


def halves(of: Any) -> Any:
    """Make a value of the type `of` in which every number is 0.5."""
    return unflatten(of, [0.5 for _ in leaves(of)])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_second_derivatives_agree_in_all_modes_and_with_differences(kind: Kind) -> None:
    program = bril.parse(kind.text)
    x = floats(program, program.arguments(kind.args))
    f = program.function(*kind.args)
    places = tuple(range(len(x)))
    reverse = lambda g: eg.jacrev(g, places)  # noqa: E731 - pairs of modes read best in one line each
    forward = lambda g: eg.jacfwd(g, places)  # noqa: E731
    found = [
        [list(row) for row in eg.jit(outer(inner(f)))(*x)]
        for outer, inner in [(forward, reverse), (reverse, forward), (reverse, reverse), (forward, forward)]
    ]
    for other in found[1:]:
        for row, again in zip(found[0], other, strict=True):
            assert again == pytest.approx(row, rel=1e-9, abs=1e-12)
    step = 1e-5
    for i in places:
        args = [list(kind.args), list(kind.args)]
        args[0][i] += step
        args[1][i] -= step
        above, below = (program.gradient(*given) for given in args)
        differences = [(a - b) / (2 * step) for a, b in zip(above, below, strict=True)]
        assert differences == pytest.approx(found[0][i], rel=1e-5, abs=1e-6)
