"""A vector of zeros with a single 1 is not stored. The optimiser computes its elements from indices."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine.optimise.pipeline import optimise
from eglantine.optimise.units import without_units
from tests.emit.node import node
from tests.laws.agreement import engines_agree

pytest.importorskip("wasmtime")

VEC = eg.Vec(20, eg.Real)
X = [0.5 * k - 4.25 for k in range(20)]


def operations(f: Any) -> set[str]:
    """Optimise a function, and list the operations in its blocks, loops and branches."""
    found: set[str] = set()
    blocks = [optimise(f.function).block]
    while blocks:
        block = blocks.pop()
        assert block is not None
        found |= block.operations
        blocks += [inner for row in block.rows if row[0] in ("loop", "cond") for inner in row[2].blocks]
    return found


def nested(x: Any) -> Any:
    return eg.sum(19, lambda i: x[i] * eg.sum(3, lambda k: x[k] * x[i + 1] + eg.real(k) * x[k]))


def in_branches(x: Any) -> Any:
    return eg.sum(
        20, lambda i: eg.cond(x[i] > 0.0, lambda: x[i] * x[0], lambda: eg.sum(4, lambda k: x[k] * x[k]))
    )


def in_a_loop_with_carry(x: Any) -> Any:
    return eg.fori_loop(0, 20, lambda i, c: c * 0.5 + x[i] * x[i], 1.0)


@pytest.mark.parametrize("f", [nested, in_branches, in_a_loop_with_carry])
@pytest.mark.parametrize("chunk", [1, 3])
def test_a_direction_whose_elements_are_only_read_needs_no_memory(f: Any, chunk: int) -> None:
    J = eg.jacfwd(eg.fn([VEC])(f), chunk=chunk)
    assert "update" not in operations(J)
    engines_agree(J, [(X,)], node())
    assert list(eg.compile(J)(X)) == pytest.approx(list(eg.grad(f)(X)), rel=1e-13)


def as_a_result(x: Any) -> Any:
    return x, eg.sum(20, lambda i: x[i] * x[i])


def as_a_carry(x: Any) -> Any:
    return eg.fori_loop(0, 19, lambda i, c: c.at[i].set(c[i + 1] * x[i]), x)


def as_an_element(x: Any) -> Any:
    return eg.vec(3, lambda i: eg.select(x[i] > 0.0, x, x * 2.0))


@pytest.mark.parametrize("f", [as_a_result, as_a_carry, as_an_element])
def test_a_direction_that_is_needed_as_a_whole_is_kept(f: Any) -> None:
    J = eg.jacfwd(eg.fn([VEC])(f), chunk=1)
    assert "update" in operations(J)
    engines_agree(J, [(X,)], node())


def test_the_pass_changes_nothing_when_it_runs_again() -> None:
    block = optimise(eg.jacfwd(eg.fn([VEC])(nested)).function).block
    assert block is not None
    assert without_units(block) is block
