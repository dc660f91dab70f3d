"""A loop that changes one array element per round can run two rounds at a time, with the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
from tests.emit.node import node
from tests.emit.test_tiles import code, matrix, of
from tests.laws.agreement import engines_agree

pytest.importorskip("wasmtime")

N = 9
INDEX = eg.Fin(N)
STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "a row minus a multiple of another row": lambda j, m: m.at[2, j].set(m[2][j] - m[0][0] * m[1][j]),
    "the same row": lambda j, m: m.at[2, j].set(m[2][j] * 0.5 - 3.0 * m[2][j]),
    "a quotient": lambda j, m: m.at[4, j].set(eg.math.sqrt(abs(m[4][j])) / 7.0),
    "a choice": lambda j, m: m.at[1, j].set(eg.select(m[1][j] > m[3][j], m[1][j] * 2.0, m[3][j] - 1.0)),
}


def changed(step: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """Make two nested loops. For each lo, the inner loop applies `step` to the columns lo to N − 1."""

    def f(m: Any) -> Any:
        factor = m[0][0]
        of_lo = lambda lo, m: eg.fori_loop(lo, N, lambda j, m: step(INDEX(j), m), m)  # noqa: E731
        return eg.fori_loop(0, N, of_lo, m), factor

    return f


@pytest.mark.parametrize("name", [name for name in STEPS if "multiple" not in name])
def test_rounds_that_change_their_own_element_run_in_pairs(name: str) -> None:
    f = eg.fn([of(N, N)])(changed(STEPS[name]))
    assert "f64x2" in code(f)
    engines_agree(f, [(matrix(N, N, seed, wild),) for seed, wild in ((1, False), (2, True))], node())


@pytest.mark.parametrize("rows", [(2, 1), (3, 3)])
def test_elimination_runs_in_pairs_even_within_one_row(rows: tuple[int, int]) -> None:
    i, k = rows

    @eg.fn([of(N, N), eg.Real, eg.Fin(N), eg.Fin(N)])
    def f(m: Any, factor: Any, i: Any, k: Any) -> Any:
        def eliminate(lo: Any, m: Any) -> Any:
            step = lambda j, m: m.at[i, j].set(m[i][j] - factor * m[k][j])  # noqa: E731
            return eg.fori_loop(lo + 1, N, step, m)

        return eg.fori_loop(0, N - 1, eliminate, m)

    assert "f64x2.sub" in code(f)
    cases = [(matrix(N, N, seed, wild), -1.25, i, k) for seed, wild in ((1, False), (2, True))]
    engines_agree(f, cases, node())


def test_elements_of_a_vec_change_in_pairs() -> None:
    def f(v: Any, w: Any) -> Any:
        return eg.fori_loop(0, 7, lambda j, v: v.at[j + 1].set(v[j + 1] * w[j] - w[j + 1] / 3.0), v)

    vec = eg.fn([eg.Vec(8, eg.Real), eg.Vec(8, eg.Real)])(f)
    assert "f64x2.mul" in code(vec)
    engines_agree(vec, [(matrix(1, 8, 1)[0], matrix(1, 8, 2)[0])], node())


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_loop_of_few_rounds_ends(n: int) -> None:
    """The bug: a loop of one round ran pairs of rounds until the end of the memory."""
    f = eg.fn([eg.Vec(n, eg.Real)] * 2)(
        lambda v, w: eg.fori_loop(0, n, lambda j, v: v.at[j].add(w[j] * v[j]), v)
    )
    engines_agree(f, [([1.5] * n, [-2.0] * n)], node())


@pytest.mark.parametrize("lo", [2, 3])
def test_an_index_out_of_range_stops_either_round_of_a_pair(lo: int) -> None:
    """Index 9 is out of range. It occurs in the second round of a pair (lo = 2) or in the first (lo = 3)."""

    @eg.fn([of(N, N), eg.Fin(4)])
    def f(m: Any, lo: Any) -> Any:
        step = lambda j, m: m.at[1, INDEX(lo + j)].set(m[1][INDEX(lo + j)] * 2.0 - m[3][INDEX(lo + j)])  # noqa: E731
        return eg.fori_loop(0, 8, step, m)

    assert "f64x2.sub" in code(f)
    with pytest.raises(eg.ShapeError, match="index"):
        eg.compile(f)(matrix(N, N, 1), lo)
    engines_agree(f, [(matrix(N, N, 1), k) for k in range(4)], node())


@pytest.mark.parametrize(
    "step",
    [
        lambda j, v: v.at[j + 1].set(v[j] * 2.0 - v[j + 1] / 3.0),  # It reads an earlier round's element.
        lambda j, v: v.at[7 - j].set(v[7 - j] * 2.0 - 1.0 / v[7 - j]),  # The index decreases.
        lambda j, v: v.at[j].set(v[j] * 2.0 - 1.0 / v[3]),  # It reads an element that another round changes.
        lambda j, v: v.at[2].set(v[2] * 2.0 - 1.0 / v[2]),  # It changes the same element in each round.
        lambda j, v: v.at[j].set(v[j] * 2.0).at[j].set(v[j] / 7.0 - 0.5),  # It changes an element twice.
        lambda j, v: v.at[j].set(eg.math.sin(v[j]) * 2.0 - v[j]),  # It calls a function.
    ],
)
def test_engines_agree_on_rounds_that_depend_on_each_other(step: Any) -> None:
    f = eg.fn([eg.Vec(8, eg.Real)])(lambda v: eg.fori_loop(0, 7, step, v))
    engines_agree(f, [(matrix(1, 8, 5)[0],)], node())


def test_rounds_that_print_print_in_their_order() -> None:
    """The bug: no value depends on a print, so prints were dropped from pairs of rounds."""

    def step(j: Any, v: Any) -> Any:
        eg.debug_print("{}", v[j])
        return v.at[j].set(v[j] * 2.0 - v[j] / 3.0)

    f = eg.fn([eg.Vec(8, eg.Real)])(lambda v: eg.fori_loop(0, 8, step, v))
    engines_agree(f, [(matrix(1, 8, 5)[0],)], node())


def test_unused_updates_are_not_written() -> None:
    f = eg.fn([eg.Vec(8, eg.Real)])(
        lambda v: (eg.fori_loop(0, 8, lambda j, v: v.at[j].set(v[j] * 2.0 - 1.0 / 3.0 * v[j]), v), v[0])[1]
    )
    assert "loop" not in code(f)
