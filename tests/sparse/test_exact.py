"""Sparsity patterns are exact if all indices are known. The tests compare them with brute force."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import eglantine as eg
from tests.programs.choices import Recorded
from tests.sparse.brute_force import brute_pattern
from tests.sparse.test_matrices import points, reals
from tests.sparse.test_patterns import drawn

N = 12


def table(entries: Sequence[int], bound: int) -> Any:
    """A Vec of known indices below `bound`."""
    return eg.asarray(list(entries), eg.Vec(len(entries), eg.Fin(bound)))


def listed(f: Any) -> list[list[int]]:
    return list(map(list, eg.sparsity(f).columns))


def check_exact(body: Callable[[Any], Any], n: int = N) -> None:
    """Make a function f from `body`. Check the sparsity patterns of f and of the gradient of Σ f(x)³."""
    f = eg.fn([reals(n)])(body)
    assert listed(f) == brute_pattern(f)
    gradient = eg.grad(eg.fn([reals(n)], eg.Real)(lambda x: cubes(body(x))))
    assert listed(gradient) == brute_pattern(gradient)


def cubes(value: Any) -> Any:
    """Sum the cubes of all Reals in a value."""
    if isinstance(value, tuple):
        total = 0.0
        for item in value:
            total = total + cubes(item)
        return total
    if hasattr(value, "__len__"):
        return eg.sum(len(value), lambda i: cubes(value[i]))
    return value**3


# ---------------------------------------------------------------- nodes with many neighbours


def springs(pairs: Sequence[tuple[int, int]], n: int) -> Any:
    """Make a function that computes the energy of springs. A spring joins a pair of nodes on a line."""

    def energy(x: Any) -> Any:
        a, b = (table([pair[k] for pair in pairs], n) for k in range(2))
        return eg.sum(len(pairs), lambda k: (x[b[k]] - x[a[k]]) ** 2 * x[a[k]])

    return eg.fn([reals(n)], eg.Real)(energy)


def neighbours(pairs: Sequence[tuple[int, int]], n: int) -> list[list[int]]:
    """The pattern of the Hessian of `springs`."""
    rows: list[set[int]] = [set() for _ in range(n)]
    for a, b in pairs:
        rows[a] |= {a, b}
        rows[b] |= {a, b}
    return list(map(sorted, rows))


def power_law(n: int) -> list[tuple[int, int]]:
    """List the edges of a random graph. A few of its nodes have hundreds of neighbours."""
    r = random.Random(1)  # noqa: S311 - it must repeat
    ends, pairs = [0], set()
    for node in range(1, n):
        for other in {r.choice(ends) for _ in range(3)}:
            pairs.add((other, node))
            ends += [other, node]
    shuffled = sorted(pairs)
    r.shuffle(shuffled)
    return shuffled


GRAPHS = {
    "a hub beside a chain": (300, [(i, i + 1) for i in range(299)] + [(0, i) for i in range(1, 300)]),
    "a star": (1000, [(i, 0) for i in range(1, 1000)]),
    "two stars": (600, [(i % 2, i) for i in range(2, 600)]),
    "a power law": (2000, power_law(2000)),
    "a large star": (20_000, [(0, i) for i in range(1, 20_000)]),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_node_with_many_neighbours_keeps_the_pattern_exact(name: str) -> None:
    n, pairs = GRAPHS[name]
    assert listed(eg.grad(springs(pairs, n))) == neighbours(pairs, n)


def test_a_node_with_many_neighbours_keeps_the_directions_few() -> None:
    n, pairs = GRAPHS["a hub beside a chain"]
    f = springs(pairs, n)
    H = eg.compile(eg.sparse_hessian(f))(points(n))
    assert H.directions <= 5
    assert H.nnz == sum(map(len, neighbours(pairs, n)))
    D = eg.compile(eg.hessian(f))(points(n))
    for i, j, value in zip(H.rows, H.cols, H.values, strict=True):
        assert value == pytest.approx(D[i][j], rel=1e-11, abs=1e-11)


def test_neighbours_of_neighbours_of_a_hub_are_found() -> None:
    n = 40
    edges = [(0, i) for i in range(1, n // 2)] + [(i, i + 1) for i in range(n // 2, n - 1)]
    a, b = [e[0] for e in edges], [e[1] for e in edges]

    def body(x: Any) -> Any:
        first, second = table(a, n), table(b, n)
        sums = eg.fori_loop(
            0, len(a), lambda k, y: y.at[first[k]].add(x[second[k]] ** 2), eg.vec(n, lambda _: 0.0)
        )
        return eg.vec(len(a), lambda k: sums[first[k]] * sums[second[k]])

    check_exact(body, n)


# ---------------------------------------------------------------- indices


def test_indices_from_tables_are_exact() -> None:
    own = [3, 1, 4, 1, 5, 7, 2, 6]
    check_exact(lambda x: eg.vec(7, lambda i: x[table(own, N)[i + 1]] * x[table(own, 8)[i] + 1]))
    check_exact(lambda x: eg.vec(4, lambda i: x[table(own, N)[2 * i]] * x[table(own, N)[2 * i + 1]]))
    check_exact(lambda x: eg.vec(8, lambda i: x[table(own, 8)[table(own, 8)[i]]] * x[i]))
    check_exact(lambda x: eg.vec(N, lambda k: x[k // 3] * x[(k * k) % 7]))


def test_tables_through_called_functions_are_exact() -> None:
    own = [3, 1, 4, 1, 5, 7, 2, 6]
    g = eg.fn([reals(N), eg.Fin(8)])(lambda x, i: x[table(own, 8)[i]] * x[i])
    check_exact(lambda x: eg.vec(8, lambda i: g(x, table(own, 8)[i])))


def test_elements_of_matrices_at_known_places_are_exact() -> None:
    def matrix(x: Any) -> Any:
        return eg.vec(3, lambda i: eg.vec(4, lambda j: x[4 * i + j]))

    t, u = [2, 0, 1], [3, 3, 1]
    check_exact(lambda x: eg.vec(3, lambda i: matrix(x)[table(t, 3)[i]][table(u, 4)[i]]))
    check_exact(lambda x: eg.vec(3, lambda i: matrix(x)[table(t, 3)[i]]))
    zeros = eg.vec(3, lambda _: eg.vec(4, lambda _: 0.0))
    check_exact(
        lambda x: eg.fori_loop(
            0, 3, lambda k, M: M.at[table(t, 3)[k], table(u, 4)[k]].add(x[k] * x[k + 1]), zeros
        )
    )


def test_conditions_on_tables_are_exact() -> None:
    own = [3, 1, 4, 1, 5, 7, 2, 6]

    def at(x: Any, i: Any) -> Any:
        t = table(own, 8)
        return eg.cond(t[i] % 2 == 0, lambda: eg.sum(3, lambda j: x[t[i] + j]), lambda: x[i])

    check_exact(lambda x: eg.vec(8, lambda i: at(x, i)))
    check_exact(lambda x: eg.vec(8, lambda i: eg.select((table(own, 8)[i] > 2) & (i != 4), x[i], x[11])))


def test_an_index_from_the_arguments_stays_conservative() -> None:
    def f(x: Any, k: Any) -> Any:
        return eg.vec(3, lambda i: x[table([1, 0, 2], 3)[i]] * x[k])

    assert drawn(eg.fn([reals(4), eg.Fin(2)])(f)) == ["##..", "##..", "###."]


# ---------------------------------------------------------------- loops


def test_loops_whose_number_of_rounds_is_in_a_table_are_exact() -> None:
    start, most = [0, 0, 3, 4, 4, 9], [0, 3, 1, 0, 5, 3]

    def row(x: Any, i: Any) -> Any:
        first, rounds = table(start, N), table(most, 6)
        return eg.fori_loop(0, rounds[i], lambda k, s: s + x[first[i] + k] ** 2, 0.0)

    check_exact(lambda x: eg.vec(6, lambda i: row(x, i)))
    check_exact(lambda x: eg.vec(N, lambda i: eg.fori_loop(0, i, lambda k, s: s + x[k] ** 2, 0.0)))
    check_exact(lambda x: eg.vec(N, lambda i: eg.fori_loop(0, i, lambda k, s: 0.5 * x[k] + x[0] ** 2, 0.0)))
    check_exact(
        lambda x: eg.vec(5, lambda i: eg.fori_loop(0, i, lambda k, c: (c[1] * x[k], x[k]), (x[i], x[11]))[0])
    )


def test_an_element_depends_only_on_its_last_value() -> None:
    def start(x: Any) -> Any:
        return eg.vec(5, lambda i: x[i])

    check_exact(
        lambda x: eg.fori_loop(0, 4, lambda k, y: y.at[table([2, 0, 1, 3], 4)[k]].set(x[k + 5]), start(x))
    )
    check_exact(
        lambda x: eg.fori_loop(0, 3, lambda k, y: y.at[table([2, 0, 2], 4)[k]].set(x[k + 5]), start(x))
    )
    check_exact(lambda x: eg.fori_loop(0, N, lambda k, y: y.at[k % 4].set(x[k]), start(x)))
    check_exact(
        lambda x: eg.fori_loop(0, N, lambda k, y: y.at[k % 4].set(x[k]).at[k % 3].add(x[0] * x[k]), start(x))
    )


def test_an_element_that_is_read_to_change_it_is_exact() -> None:
    t, u = [2, 0, 2, 3, 2, 0], [1, 1, 4, 0, 2, 2]

    def grown(x: Any, k: Any, y: Any) -> Any:
        i, j = table(t, 5)[k], table(u, 5)[k]
        return y.at[i].set(y[i] * eg.math.sin(x[k + 5])).at[j].set(x[j] - y.at[i].set(0.0)[j])

    check_exact(
        lambda x: eg.fori_loop(
            0, 6, lambda k, y: y.at[table(t, 5)[k]].set(y[table(t, 5)[k]] * x[k + 5]), x[:5]
        )
    )
    check_exact(lambda x: eg.fori_loop(0, 6, lambda k, y: grown(x, k, y), x[:5]))
    check_exact(lambda x: eg.fori_loop(0, 4, lambda k, y: y.at[k].set(y[k + 1] * x[k + 5]), x[:5]))
    check_exact(
        lambda x: eg.fori_loop(
            0, 6, lambda k, y: y.at[table(t, 5)[k]].set(eg.math.floor(y[table(t, 5)[k]]) + x[k]), x[:5]
        )
    )


def test_a_long_loop_that_adds_to_elements_it_reads_has_an_exact_pattern() -> None:
    n = 100_000
    places = [(7 * k) % n for k in range(n)]

    def body(x: Any) -> Any:
        t = table(places, n)
        return eg.fori_loop(
            0, n, lambda k, y: y.at[t[k]].set(y[t[k]] + x[k] * x[0]), eg.vec(n, lambda _: 0.0)
        )

    pattern = eg.sparsity(eg.fn([reals(n)])(body))
    assert pattern.nnz == 2 * n - 1
    assert pattern.columns[7] == [0, 1]


def test_a_loop_that_may_run_fewer_rounds_keeps_what_was_there() -> None:
    def f(x: Any, m: Any) -> Any:
        return eg.fori_loop(0, m, lambda k, y: y.at[k].set(x[0]), x)

    assert drawn(eg.fn([reals(4), eg.Fin(5)])(f)) == ["#...", "##..", "#.#.", "#..#"]


def test_a_carry_that_each_round_replaces_depends_on_the_round_before() -> None:
    check_exact(lambda x: eg.scan(lambda c, v: (v, c * v), x[3], x))
    check_exact(lambda x: eg.scan(lambda c, v: (v, c * v), 0.0, x, reverse=True))
    check_exact(lambda x: eg.scan(lambda c, v: ((v, c[0]), c[0] * c[1] * v), (x[5], 1.0), x)[1])
    check_exact(lambda x: eg.fori_loop(0, 3, lambda k, y: eg.vec(4, lambda i: x[i] * x[k]), x[:4]))
    check_exact(lambda x: eg.scan(lambda c, v: (c * v, c), 1.0, x, reverse=True))


def test_the_pattern_of_a_long_loop_with_the_element_before_is_banded() -> None:
    n = 200_000

    def body(c: Any, v: Any) -> Any:
        return (v, c[1] + (v - c[0]) ** 2 * v), None

    f = eg.fn([reals(n)], eg.Real)(lambda x: eg.scan(body, (1.0, 0.0), x)[0][1])
    assert eg.sparsity(f).nnz == n
    g = eg.fn([reals(n)])(lambda x: eg.scan(lambda c, v: (v, c * v), 1.0, x)[1])
    assert eg.sparsity(g).nnz == 2 * n - 1


# ---------------------------------------------------------------- random programs


class Drawing:
    """A random program of loops over tables."""

    def __init__(self, seed: int) -> None:
        self.choose = Recorded(f"exact {seed}").below
        self.random = random.Random(seed)  # noqa: S311 - it must repeat

    def index(self, i: Any, depth: int = 2) -> Any:
        """Compute a random index below N from the index i."""
        k = self.choose(6 if depth else 3)
        shift = self.choose(N)
        if k == 0:
            return i
        if k == 1:
            return (i + shift) % N
        if k == 2:
            return N - 1 - i
        if k == 3:
            return (2 * self.index(i, depth - 1) + shift) % N
        if k == 4:
            return self.index(i, depth - 1) // (1 + shift % 3)
        return table([self.random.randrange(N) for _ in range(N)], N)[self.index(i, depth - 1)]

    def element(self, x: Any, i: Any, depth: int = 2) -> Any:
        """A Real from elements of x."""
        k = self.choose(7 if depth else 2)
        if k < 2:
            return x[self.index(i)] * (1.5 if k else x[self.index(i)])
        if k == 2:
            return self.element(x, i, depth - 1) + eg.math.sin(self.element(x, i, depth - 1))
        if k == 3:
            inner, own = 1 + self.choose(3), self.index(i)
            return eg.sum(inner, lambda j: x[(own + j) % N] * x[self.index((i + j) % N, 1)])
        if k == 4:
            held, other = self.element(x, i, depth - 1), self.element(x, i, depth - 1)
            return eg.cond(self.index(i) < 4 + self.choose(5), lambda: held, lambda: other)
        if k == 5:
            rounds = self.index(i)
            return eg.fori_loop(0, rounds, lambda j, s: s + x[self.index(j, 1)] * x[i], 0.0)
        rounds = self.index(i)
        return eg.fori_loop(0, rounds, lambda j, s: x[self.index(j, 1)] * x[i], x[self.index(i)])

    def step(self, x: Any) -> Any:
        """A new Vec of N Reals from x."""
        k = self.choose(6)
        if k == 0:
            return eg.vec(N, lambda i: self.element(x, i))
        if k == 1:
            return eg.scan(
                lambda c, i: (x[self.index(i)], c * self.element(x, i, 1)), x[0], eg.vec(N, lambda i: i)
            )[1]
        if k == 2:
            zero = eg.vec(N, lambda _: 0.0)
            return eg.fori_loop(0, N, lambda i, y: y.at[self.index(i)].add(self.element(x, i)), zero)
        if k == 3:
            return eg.fori_loop(0, N, lambda i, y: y.at[self.index(i)].set(self.element(x, i)), x)
        if k == 4:
            return eg.fori_loop(
                0,
                N,
                lambda i, y: y.at[self.index(i)].set(self.element(x, i, 1)).at[self.index(i)].add(x[i]),
                x,
            )
        return eg.fori_loop(0, 2 + self.choose(2), lambda _, y: eg.vec(N, lambda i: self.element(y, i, 1)), x)


@pytest.mark.parametrize("seed", range(24))
def test_random_programs_over_tables_have_exact_patterns(seed: int) -> None:
    def body(x: Any) -> Any:
        drawing = Drawing(seed)
        for _ in range(2):
            x = drawing.step(x)
        return x

    f = eg.fn([reals(N)])(body)
    assert listed(f) == brute_pattern(f)
