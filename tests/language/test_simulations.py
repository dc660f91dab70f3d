"""Simulations have the same values and derivatives as plain Python code.

The tests differentiate the plain Python code by a complex step, which is f(x + ih).imag / h.
"""

from __future__ import annotations

import cmath
import math
import random
import re
from typing import Any, NamedTuple

import numpy as np
import pytest

import eglantine as eg

STEP = 1e-30
"""The step h of the complex-step formula f'(x) ≈ Im f(x + ih) / h. Its square is negligible beside 1."""


def complex_step(f: Any, x: float) -> float:
    """Compute f'(x) by a complex step. f must be plain Python code that accepts complex numbers."""
    return f(complex(x, STEP)).imag / STEP


# ---------------------------------------------------------------- arrays that a loop reads and changes


def factorised(n: int, rows: Any, flat: bool) -> Any:
    """Compute the logarithm of a matrix's determinant by Gaussian elimination."""
    place = (lambda i, j: (i * n + j,)) if flat else (lambda i, j: (i, j))

    def at(a: Any, i: Any, j: Any) -> Any:
        return a[i * n + j] if flat else a[i][j]

    def column(i: Any, a: Any) -> Any:
        def row(j: Any, a: Any) -> Any:
            f = at(a, j, i) / at(a, i, i)
            return eg.fori_loop(i, n, lambda k, a: a.at[place(j, k)].add(-f * at(a, i, k)), a)

        return eg.fori_loop(i + 1, n, row, a)

    done = eg.fori_loop(0, n, column, rows)
    return eg.sum(n, lambda i: eg.math.log(at(done, i, i)))


@pytest.mark.parametrize("flat", [True, False])
def test_elimination_in_place_gives_the_inverse_as_the_gradient_of_log_det(flat: bool) -> None:
    n = 8
    a = np.random.default_rng(0).normal(size=(n, n)) + 6.0 * np.eye(n)
    of = eg.Vec(n * n, eg.Real) if flat else eg.Vec(n, eg.Vec(n, eg.Real))
    f = eg.fn([of], eg.Real)(lambda rows: factorised(n, rows, flat))
    argument = a.ravel() if flat else a
    value, slope = eg.compile(eg.value_and_grad(f))(argument)
    assert value == pytest.approx(math.log(np.linalg.det(a)), rel=1e-13)
    np.testing.assert_allclose(np.reshape(slope, (n, n)), np.linalg.inv(a).T, rtol=1e-11, atol=1e-14)
    assert eg.grad(f)(argument.tolist()) == np.asarray(slope).tolist()


def lattice(n: int, flat: bool) -> Any:
    """Fill an n × n table, and return its last entry.

    Each entry depends on its neighbours above and to the left.
    """

    @eg.fn([eg.Vec(n, eg.Real)], eg.Real)
    def ways(v: Any) -> Any:
        def at(d: Any, i: Any, j: Any) -> Any:
            return d[i * n + j] if flat else d[i][j]

        def step(d: Any, i: Any, j: Any) -> Any:
            new = 0.5 * at(d, i - 1, j) + v[i] * at(d, i, j - 1) * at(d, i - 1, j) + v[j]
            return d.at[i * n + j].set(new) if flat else d.at[i, j].set(new)

        def row(i: Any, d: Any) -> Any:
            return eg.fori_loop(1, n, lambda j, d: step(d, i, j), d)

        start = [0.1] * (n * n) if flat else [[0.1] * n] * n
        return at(eg.fori_loop(1, n, row, start), n - 1, n - 1)

    return ways


def plain_lattice(v: list[Any]) -> Any:
    n = len(v)
    d: list[list[Any]] = [[0.1] * n for _ in range(n)]
    for i in range(1, n):
        for j in range(1, n):
            d[i][j] = 0.5 * d[i - 1][j] + v[i] * d[i][j - 1] * d[i - 1][j] + v[j]
    return d[-1][-1]


@pytest.mark.parametrize("flat", [True, False])
def test_reverse_mode_stores_few_numbers_for_each_cell_of_a_filled_table(flat: bool) -> None:
    n = 20
    v = [0.3 * math.sin(k) for k in range(n)]
    kernel = eg.compile(eg.value_and_grad(lattice(n, flat)))
    value, slope = kernel(v)
    assert value == pytest.approx(plain_lattice(v), rel=1e-14)
    for k in range(n):
        by_hand = complex_step(lambda x, k=k: plain_lattice([*v[:k], x, *v[k + 1 :]]), v[k])
        assert slope[k] == pytest.approx(by_hand, rel=1e-12, abs=1e-15)
    assert kernel(v) == eg.value_and_grad(lattice(n, flat))(v)
    tables = 8 * n * n * n
    assert kernel.memory_bytes < 1.2 * tables, "a table is stored for each row, not for each cell"
    gathered = rf"\n {{4,}}%\d+: acc\[{n * n if flat else f'{n}, {n}'}\] = acc"
    assert not re.search(gathered, kernel.stages["traced"]), "no round adds up a whole table's cotangents"


def test_random_updates_in_loops_agree_with_interpreter_and_differences() -> None:
    for seed in range(12):
        choose = random.Random(seed)  # noqa: S311 - programs, not secrets
        n, m, flat = choose.randint(2, 6), choose.randint(2, 18), seed % 2 == 0
        plan = [(choose.choice("sat"), choose.randrange(n), choose.randrange(m)) for _ in range(3)]

        def read(d: Any, i: Any, j: Any, n: int = n, m: int = m, flat: bool = flat) -> Any:
            return d[(i * m + j) % (n * m)] if flat else d[i % n][j % m]

        def place(d: Any, i: Any, j: Any, n: int = n, m: int = m, flat: bool = flat) -> Any:
            return d.at[(i * m + j) % (n * m)] if flat else d.at[i % n, j % m]

        def body(i: Any, d: Any, plan: Any = plan, read: Any = read, place: Any = place) -> Any:
            for kind, a, b in plan:
                x = eg.math.sin(read(d, i + a, 2 * i + b))
                if kind == "s":
                    d = place(d, i + b, i + a).set(x * read(d, i, i))
                elif kind == "a":
                    d = place(d, i, 3 * i + b).add(0.3 * x)
                else:
                    d = place(d, i, a).set(read(d, i + 1, b))
                    d = place(d, i + 1, b).set(x)
            return d

        def whole(d: Any, n: int = n, m: int = m, read: Any = read, body: Any = body) -> Any:
            d = eg.fori_loop(0, 7, body, d)
            return sum(math.cos(3 * i + j) * read(d, i, j) for i in range(n) for j in range(m))

        f = eg.fn([eg.Vec(n * m, eg.Real) if flat else eg.Vec(n, eg.Vec(m, eg.Real))], eg.Real)(whole)
        d = [[choose.uniform(-1, 1) for _ in range(m)] for _ in range(n)]
        argument = [x for row in d for x in row] if flat else d
        derived = eg.value_and_grad(f)
        assert eg.compile(derived)(argument) == derived(argument), seed
        eg.check_grads(f, (argument,), order=1)


# ---------------------------------------------------------------- motion


class Arms(NamedTuple):
    """The state of a double pendulum: two angles and their rates of change."""

    one: eg.Real
    two: eg.Real
    speed_one: eg.Real
    speed_two: eg.Real


def swing(s: Any, length: Any, sin: Any, cos: Any) -> tuple[Any, ...]:
    """Return the time derivative of the state of a double pendulum with equal masses.

    The first arm has length 1 and the second has length `length`.
    """
    between = s[0] - s[1]
    below = 3 - cos(2 * between)
    pull = -9.81 * (3 * sin(s[0]) + sin(s[0] - 2 * s[1]))
    one = pull - 2 * sin(between) * (s[3] ** 2 * length + s[2] ** 2 * cos(between))
    two = 2 * sin(between) * (2 * s[2] ** 2 + 2 * 9.81 * cos(s[0]) + s[3] ** 2 * length * cos(between))
    return s[2], s[3], one / below, two / (length * below)


def runge_kutta(s: Any, h: float, rates: Any) -> list[Any]:
    """Compute the state after a time h by the classical Runge-Kutta method of order four."""

    def ahead(k: Any, step: float) -> list[Any]:
        return [x + step * dx for x, dx in zip(s, k, strict=True)]

    k1 = rates(s)
    k2 = rates(ahead(k1, h / 2))
    k3 = rates(ahead(k2, h / 2))
    k4 = rates(ahead(k3, h))
    return [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(s, k1, k2, k3, k4, strict=True)]


def test_a_double_pendulums_derivative_agrees_with_a_complex_step() -> None:
    @eg.fn
    def end(start: Arms, length: eg.Real) -> eg.Real:
        def step(s: Any, _: Any) -> Any:
            return Arms(*runge_kutta(s, 0.01, lambda s: swing(s, length, eg.math.sin, eg.math.cos))), None

        return eg.scan(step, start, length=200)[0].two

    def plain(length: Any) -> Any:
        s: Any = [1.0, 1.5, 0.0, 0.3]
        for _ in range(200):
            s = runge_kutta(s, 0.01, lambda s: swing(s, length, cmath.sin, cmath.cos))
        return s[1]

    value, slope = eg.compile(eg.value_and_grad(end, 1))(Arms(1.0, 1.5, 0.0, 0.3), 0.8)
    assert value == pytest.approx(plain(0.8 + 0j).real, rel=1e-11)
    assert slope == pytest.approx(complex_step(plain, 0.8), rel=1e-10)


def test_the_cost_of_a_plan_found_by_descent_can_be_differentiated() -> None:
    horizon, rate = 12, 0.05

    @eg.fn
    def cost(pushes: eg.Vec(horizon, eg.Real), x: eg.Real, drift: eg.Real) -> eg.Real:
        def step(carry: Any, push: Any) -> Any:
            x, total = carry
            x = eg.math.sin(drift * x) + push
            return (x, total + x * x + 0.1 * push * push), None

        return eg.scan(step, (x, 0.0), pushes)[0][1]

    @eg.fn
    def planned(x: eg.Real, drift: eg.Real) -> eg.Real:
        def better(_: Any, pushes: Any) -> Any:
            return pushes - rate * eg.grad(cost)(pushes, x, drift)

        return cost(eg.fori_loop(0, 10, better, [0.0] * horizon), x, drift)

    def plain(drift: Any) -> Any:
        """Compute `planned` in plain Python. The gradient of the cost is written by hand."""
        pushes: list[Any] = [0.0] * horizon
        for turn in range(11):
            xs: list[Any] = [0.7]
            for push in pushes:
                xs.append(cmath.sin(drift * xs[-1]) + push)
            if turn == 10:
                break
            slopes, ct = [], 0.0 + 0j
            for k in reversed(range(horizon)):
                ct = ct + 2 * xs[k + 1]
                slopes.append(ct + 0.2 * pushes[k])
                ct = ct * cmath.cos(drift * xs[k]) * drift
            pushes = [u - rate * s for u, s in zip(pushes, reversed(slopes), strict=True)]
        return sum(x * x for x in xs[1:]) + 0.1 * sum(u * u for u in pushes)

    value, slope = eg.compile(eg.value_and_grad(planned, 1))(0.7, 1.2)
    assert value == pytest.approx(plain(1.2 + 0j).real, rel=1e-13)
    assert slope == pytest.approx(complex_step(plain, 1.2), rel=1e-11)
