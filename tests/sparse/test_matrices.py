"""Tests of sparse Jacobians and Hessians: values, numbers of directions, and the cost of large matrices."""

from __future__ import annotations

import math
from array import array
from typing import Any

import pytest

import eglantine as eg
from eglantine.sparse.colouring import column_colouring, star_colouring
from eglantine.sparse.patterns import Pattern
from tests.laws.comparing import bits


def reals(n: int) -> Any:
    return eg.Vec(n, eg.Real)


def rosenbrock(n: int) -> Any:
    return eg.fn([reals(n)], eg.Real)(
        lambda x: eg.sum(n - 1, lambda i: 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2)
    )


def points(n: int) -> list[float]:
    return [math.sin(7.0 * k + 1.0) for k in range(n)]


def grid(x: Any, m: int) -> Any:
    """Add a term for each pair of neighbours in a grid of m × m numbers."""
    across = eg.sum(
        m, lambda i: eg.sum(m - 1, lambda j: (x[i * m + j + 1] - x[i * m + j]) ** 2 * x[i * m + j])
    )
    return across + eg.sum(m - 1, lambda i: eg.sum(m, lambda j: (x[i * m + m + j] - x[i * m + j]) ** 4))


def test_the_sparse_hessian_of_rosenbrocks_function_is_right() -> None:
    H = eg.sparse_hessian(rosenbrock(3))([0.1, 0.2, 0.3])
    assert H.rows == (0, 0, 1, 1, 1, 2, 2)
    assert H.cols == (0, 1, 0, 1, 2, 1, 2)
    assert H.values == pytest.approx([-66.0, -40.0, -40.0, 130.0, -80.0, -80.0, 200.0], rel=1e-14)
    assert H.shape == (3, 3)
    assert eg.compile(eg.sparse_hessian(rosenbrock(3)))([0.1, 0.2, 0.3]).values == H.values


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 17, 40])
def test_a_sparse_hessian_has_the_bits_of_the_dense_one(n: int) -> None:
    f = rosenbrock(n) if n > 1 else eg.fn([reals(1)], eg.Real)(lambda x: x[0] ** 3)
    H = eg.sparse_hessian(f)(points(n))
    assert bits(H.dense()) == bits(eg.hessian(f)(points(n)))
    assert H.directions == min(n, 3) if n != 3 else H.directions <= 3


def test_an_arrow_matrix_needs_two_directions() -> None:
    n = 60
    f = eg.fn([reals(n)], eg.Real)(lambda x: x[0] ** 2 * eg.sum(n - 1, lambda i: x[i + 1] ** 3))
    H = eg.sparse_hessian(f)(points(n))
    assert H.directions == 2
    D = eg.hessian(f)(points(n))
    for row, expected in zip(H.dense(), D, strict=True):
        assert row == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("m", [2, 3, 5, 8, 12])
def test_a_five_point_stencil_needs_at_most_six_directions(m: int) -> None:
    f = eg.fn([reals(m * m)], eg.Real)(lambda x: grid(x, m))
    H = eg.sparse_hessian(f)(points(m * m))
    assert H.directions <= 6
    if m < 6:
        assert bits(H.dense()) == bits(eg.hessian(f)(points(m * m)))


def test_a_jacobian_with_a_full_row_uses_reverse_mode() -> None:
    n = 30
    f = eg.fn([reals(n)])(lambda x: (eg.sum(n, lambda i: x[i] ** 2), x[0] * x[1]))
    J = eg.sparse_jacobian(f)(points(n))
    assert J.directions == 2
    x = points(n)
    assert J.dense() == [[2.0 * v for v in x], [x[1], x[0], *[0.0] * (n - 2)]]


def test_a_tridiagonal_jacobian_needs_three_directions() -> None:
    def residuals(x: Any) -> Any:
        n = len(x)

        def at(i: Any) -> Any:
            before = eg.cond(i > 0, lambda: x[i - 1], lambda: 0.0)
            after = eg.cond(i < n - 1, lambda: x[i + 1], lambda: 0.0)
            return (3.0 - 2.0 * x[i]) * x[i] - before - 2.0 * after + 1.0

        return eg.vec(n, at)

    for n in (2, 3, 9, 50):
        J = eg.sparse_jacobian(residuals)(points(n))
        assert J.directions <= 3
        assert bits(J.dense()) == bits(eg.jacfwd(residuals)(points(n)))


def test_a_sparse_jacobian_takes_structures_and_several_arguments() -> None:
    point = {"a": eg.Real, "b": reals(2)}

    @eg.fn
    def f(p: point, k: eg.Fin(3), y: eg.Vec(2, point)):
        return {"u": eg.vec(2, lambda i: p["b"][i] * y[i]["a"]), "v": p["a"] * y[1]["b"][0], "w": k}

    x = ({"a": 2.0, "b": [3.0, 5.0]}, 1, [{"a": 7.0, "b": [11.0, 13.0]}, {"a": 17.0, "b": [19.0, 23.0]}])
    J = eg.sparse_jacobian(f, (0, 2))(*x)
    assert J.shape == (3, 9)
    assert dict(zip(zip(J.rows, J.cols, strict=True), J.values, strict=True)) == {
        (0, 1): 7.0, (0, 3): 3.0, (1, 2): 17.0, (1, 6): 5.0, (2, 0): 19.0, (2, 7): 2.0,
    }  # fmt: skip
    swapped = eg.sparse_jacobian(f, (2, 0))(*x)
    assert dict(zip(zip(swapped.rows, swapped.cols, strict=True), swapped.values, strict=True)) == {
        (0, 7): 7.0, (0, 0): 3.0, (1, 8): 17.0, (1, 3): 5.0, (2, 6): 19.0, (2, 4): 2.0,
    }  # fmt: skip
    assert eg.sparse_jacobian(f, 2)(*x).shape == (3, 6)


def test_a_sparse_matrix_can_be_computed_inside_a_function() -> None:
    @eg.fn
    def trace(x: reals(5)) -> eg.Real:
        H = eg.sparse_hessian(rosenbrock(5))(x)
        return eg.sum(len(H.rows), lambda k: H.values[k])

    dense = eg.hessian(rosenbrock(5))(points(5))
    assert trace(points(5)) == pytest.approx(sum(map(sum, dense)), rel=1e-12)
    third = eg.grad(trace)(points(5))
    eg.check_grads(trace, (points(5),))
    assert len(third) == 5


def test_a_mistake_with_a_sparse_matrix_is_an_error_with_a_message() -> None:
    f = eg.fn([reals(3)])(lambda x: x)
    with pytest.raises(eg.TypeMismatchError, match="returns one Real"):
        eg.sparse_hessian(f)
    with pytest.raises(eg.TypeMismatchError, match="argnums"):
        eg.sparse_jacobian(f, 3)
    with pytest.raises(eg.TypeMismatchError, match="must differ"):
        eg.sparse_jacobian(f, (0, 0))


def test_a_sparse_matrix_may_have_no_entries() -> None:
    H = eg.sparse_hessian(eg.fn([reals(3)], eg.Real)(lambda x: x[0] + 2.0 * x[1]))([1.0, 2.0, 3.0])
    assert (H.rows, H.cols, H.values, H.shape) == ((), (), [], (3, 3))
    J = eg.sparse_jacobian(eg.fn([reals(0)])(lambda x: x))
    assert eg.compile(J)([]).shape == (0, 0)


def test_a_sparse_matrix_can_be_made_by_hand() -> None:
    matrix = eg.Sparse((0, 1), (1, 0), [2.0, 3.0], (2, 2))
    assert matrix.dense() == [[0.0, 2.0], [3.0, 0.0]]


# ---------------------------------------------------------------- colourings


def pattern(rows: list[list[int]], n: int) -> Pattern:
    return Pattern((len(rows), n), rows)


def symmetric(n: int, edges: list[tuple[int, int]]) -> Pattern:
    rows: list[set[int]] = [{i} for i in range(n)]
    for i, j in edges:
        rows[i].add(j)
        rows[j].add(i)
    return pattern([sorted(row) for row in rows], n)


def is_star_colouring(of: Pattern, colours: Any) -> bool:
    """True if neighbours have different colours, and each path of four vertices has three colours or more."""
    near = [[j for j in row if j != i] for i, row in enumerate(of.columns)]
    for v, own in enumerate(near):
        for w in own:
            if colours[v] == colours[w]:
                return False
            for x in near[w]:
                for y in near[x]:
                    if x != v and y != w and colours[x] == colours[v] and colours[y] == colours[w]:
                        return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_get_star_colourings(seed: int) -> None:
    import random

    r = random.Random(seed)  # noqa: S311 - it must repeat
    n = r.randrange(1, 40)
    edges = [(r.randrange(n), r.randrange(n)) for _ in range(r.randrange(3 * n))]
    of = symmetric(n, [(i, j) for i, j in edges if i != j])
    found = star_colouring(of)
    assert is_star_colouring(of, found.of)
    columns = column_colouring(of)
    for row in of.columns:
        assert len({columns.of[j] for j in row}) == len(row)


def test_large_grids_and_paths_have_few_colours() -> None:
    m = 40
    edges = [(i * m + j, i * m + j + 1) for i in range(m) for j in range(m - 1)]
    edges += [(i * m + j, i * m + m + j) for i in range(m - 1) for j in range(m)]
    of = symmetric(m * m, edges)
    found = star_colouring(of)
    assert found.needed <= 6
    assert is_star_colouring(of, found.of)
    assert star_colouring(symmetric(50, [(k, k + 1) for k in range(49)])).needed == 3
    assert star_colouring(symmetric(2000, [(0, k) for k in range(1, 2000)])).needed == 2


# ---------------------------------------------------------------- cost


def rounds(k: Any, *args: Any) -> int:
    """Count the loop rounds in a call. The count equals the least fuel with which the call succeeds."""
    least, most = -1, 1
    while not _suffices(k, most, args):
        least, most = most, 4 * most
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if _suffices(k, middle, args) else (middle, most)
    return most


def _suffices(k: Any, fuel: int, args: tuple[Any, ...]) -> bool:
    k.fuel = fuel
    try:
        k(*args)
    except eg.FuelError:
        return False
    return True


def test_a_large_sparse_hessian_has_a_small_module_and_takes_linear_work() -> None:
    kernels = {n: eg.compile(eg.sparse_hessian(rosenbrock(n)), fuel=1) for n in (1_000, 4_000, 100_000)}
    sizes = [len(k.wasm) for k in kernels.values()]
    assert max(sizes) < 1.05 * min(sizes)
    work = {n: rounds(kernels[n], array("d", points(n))) for n in (1_000, 4_000)}
    assert work[4_000] < 4.1 * work[1_000]
    large = kernels[100_000]
    large.fuel = 110 * work[1_000]
    H = large(array("d", points(100_000)))
    assert (len(H.values), len(H.rows), H.directions) == (299_998, 299_998, 3)
    middle = H.rows.index(50_000)
    assert H.cols[middle : middle + 3] == (49_999, 50_000, 50_001)


def springs(n: int) -> Any:
    """Make a function that computes the energy of a net of springs. The nodes form a grid of n × n points."""
    nodes = n * n
    pairs = [(i * n + j, i * n + j + 1) for i in range(n) for j in range(n - 1)]
    pairs += [(i * n + j, i * n + n + j) for i in range(n - 1) for j in range(n)]
    firsts, seconds_ = [a for a, _ in pairs], [b for _, b in pairs]

    def energy(x: Any) -> Any:
        of = eg.Vec(len(pairs), eg.Fin(nodes))
        a, b = eg.asarray(firsts, of), eg.asarray(seconds_, of)

        def term(k: Any) -> Any:
            dx = x[2 * b[k]] - x[2 * a[k]]
            dy = x[2 * b[k] + 1] - x[2 * a[k] + 1]
            return (eg.math.sqrt(dx * dx + dy * dy) - 1.0) ** 2

        return eg.sum(len(pairs), term)

    return eg.fn([reals(2 * nodes)], eg.Real)(energy), len(pairs)


def test_a_sparse_hessian_of_springs_is_a_twentieth_of_the_work_of_dense() -> None:
    f, count = springs(23)
    assert count == 1012
    x = array(
        "d", [1.3 * (k // 2 % 23 if k % 2 == 0 else k // 46) + 0.1 * math.sin(k) for k in range(2 * 23 * 23)]
    )
    plenty = 10**9
    sparse, dense = eg.compile(eg.sparse_hessian(f), fuel=plenty), eg.compile(eg.hessian(f), fuel=plenty)
    H, D = sparse(x), dense(x)
    for i, j, value in zip(H.rows, H.cols, H.values, strict=True):
        assert math.isclose(value, D[i][j], rel_tol=1e-9, abs_tol=1e-9)
    assert sum(entry != 0.0 for row in D for entry in row) <= H.nnz
    assert 20 * rounds(sparse, x) < rounds(dense, x)
