"""Tests of Vecs: indexing, iteration, arithmetic, `eg.vec`, `eg.sum` and loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from tests.engines import raised

Engines = Callable[..., Any]

LENGTHS = [0, 1, 3, 4, 5, 17, 40]
"""Lengths of Vecs. They lie on both sides of two limits. From the one limit on, arithmetic becomes a loop,
and from the other limit on, constants become a table."""


def on_vecs(n: int, *, k: int = 2) -> Callable[[Callable[..., Any]], Any]:
    return eg.fn([eg.Vec(n, eg.Real)] * k)


def ramp(n: int, by: float = 1.0) -> list[float]:
    return [1.0 + by * i for i in range(n)]


# ---------------------------------------------------------------- indexing


def test_a_negative_integer_indexes_a_vec_from_the_end(engines: Engines) -> None:
    f = on_vecs(5, k=1)(lambda v: (v[0], v[4], v[-1], v[-5], v[np.int64(2)]))
    assert engines(f, [1.0, 2.0, 3.0, 4.0, 5.0]) == (1.0, 5.0, 5.0, 1.0, 3.0)


@pytest.mark.parametrize(
    "part",
    [
        slice(None),
        slice(1, 3),
        slice(-2, None),
        slice(None, None, -1),
        slice(0, 10, 2),
        slice(3, 1),
        slice(4, 1, -2),
    ],
)
def test_a_vec_slices_like_a_list(engines: Engines, part: slice) -> None:
    v = ramp(6)
    assert engines(on_vecs(6, k=1)(lambda v: v[part]), v) == v[part]


def test_an_index_known_only_at_run_time_selects_an_element(engines: Engines) -> None:
    f = eg.fn([eg.Vec(5, eg.Real), eg.Fin(5)], eg.Real)(lambda v, i: v[i] + v[4 - i])
    assert [engines(f, [1.0, 2.0, 3.0, 4.0, 5.0], i) for i in range(5)] == [6.0] * 5


def test_an_index_that_is_out_of_range_at_run_time_traps(engines: Engines) -> None:
    f = eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)], eg.Real)(lambda v, i: v[i - 2])
    assert engines(f, [1.0, 2.0, 3.0], 4) == 3.0
    for i in (0, 1, 5, 8):
        assert isinstance(raised(f, [1.0, 2.0, 3.0], i), eg.ShapeError)


def test_an_index_out_of_range_in_an_arm_that_does_not_run_does_not_trap(engines: Engines) -> None:
    f = eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)], eg.Real)(
        lambda v, i: eg.cond(i < 3, lambda: v[i], lambda: -1.0)
    )
    assert engines(f, [1.0, 2.0, 3.0], 2) == 3.0
    assert engines(f, [1.0, 2.0, 3.0], 8) == -1.0


def test_a_matrix_gives_its_rows_columns_and_elements(engines: Engines) -> None:
    of = eg.Vec(2, eg.Vec(3, eg.Real))
    m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    f = eg.fn([of, eg.Fin(2), eg.Fin(3)])(lambda m, i, j: (m[i], m[i][j], m[-1][j], [row[j] for row in m]))
    assert engines(f, m, 0, 2) == ([1.0, 2.0, 3.0], 3.0, 6.0, [3.0, 6.0])


def test_a_dynamic_index_into_a_vec_of_structs_gives_a_struct(engines: Engines) -> None:
    f = eg.fn([eg.Vec(3, {"x": eg.Real, "p": eg.Bool}), eg.Fin(3)])(lambda v, i: v[i])
    v = [{"x": float(k), "p": k == 1} for k in range(3)]
    assert [engines(f, v, i) for i in range(3)] == v


def test_indexing_by_a_vec_of_indices_gathers_elements(engines: Engines) -> None:
    f = eg.fn([eg.Vec(4, eg.Real), eg.Vec(3, eg.Fin(4))])(lambda v, at: eg.vec(3, lambda i: v[at[i]]))
    assert engines(f, [1.0, 2.0, 3.0, 4.0], [3, 0, 3]) == [4.0, 1.0, 4.0]
    g = eg.fn([eg.Vec(4, eg.Real), eg.Vec(3, eg.Fin(4))], eg.Real)(
        lambda v, at: eg.sum(f(v, at) * [1, 10, 100])
    )
    assert engines(eg.grad(g), [1.0, 2.0, 3.0, 4.0], [3, 0, 3]) == [10.0, 0.0, 0.0, 101.0]


def test_vecs_support_iteration_unpacking_and_len(engines: Engines) -> None:
    @eg.fn
    def f(v: eg.Vec(3, eg.Real)) -> eg.Real:  # type: ignore[valid-type]
        x, y, z = v
        assert len(v) == 3
        return x + 10 * y + 100 * z + 1000 * sum(v) + 10000 * next(iter(reversed(v)))

    assert engines(f, [1.0, 2.0, 3.0]) == 36321.0


def test_list_comprehensions_and_zip_work_on_vecs(engines: Engines) -> None:
    f = on_vecs(3)(lambda v, w: [a * b for a, b in zip(v, w, strict=True)])
    assert engines(f, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) == [4.0, 10.0, 18.0]


# ---------------------------------------------------------------- elementwise


@pytest.mark.parametrize("n", LENGTHS)
def test_arithmetic_is_elementwise(engines: Engines, n: int) -> None:
    f = on_vecs(n)(lambda v, w: (v + w, v - w, v * w, v / w, -v, abs(v), v**2, v // w, v % w))
    v, w = ramp(n), ramp(n, -0.3)
    pairs = list(zip(v, w, strict=True))
    result = engines(f, v, w)
    assert result[:6] == (
        [a + b for a, b in pairs], [a - b for a, b in pairs], [a * b for a, b in pairs],
        [a / b for a, b in pairs], [-a for a in v], v,
    )  # fmt: skip
    assert result[6] == [a * a for a in v]


@pytest.mark.parametrize("n", LENGTHS)
def test_scalars_broadcast_on_either_side(engines: Engines, n: int) -> None:
    f = eg.fn([eg.Vec(n, eg.Real), eg.Real])(
        lambda v, x: (v + x, x - v, 2 * v, v / 2, 1 / v, x**v, v > x, v > 2)
    )
    v = ramp(n)
    result = engines(f, v, 2.0)
    assert result[:5] == (
        [a + 2 for a in v],
        [2 - a for a in v],
        [2 * a for a in v],
        [a / 2 for a in v],
        [1 / a for a in v],
    )
    assert result[6:] == ([a > 2 for a in v], [a > 2 for a in v])


@pytest.mark.parametrize("n", [3, 17])
def test_a_list_or_an_array_may_be_an_operand_with_a_vec(engines: Engines, n: int) -> None:
    weights = ramp(n, 2.0)
    f = on_vecs(n, k=1)(lambda v: (v * weights, weights - v, np.array(weights) * v, v + np.array(weights)))
    v = ramp(n)
    product = [a * b for a, b in zip(v, weights, strict=True)]
    assert engines(f, v) == (
        product, [b - a for a, b in zip(v, weights, strict=True)], product,
        [a + b for a, b in zip(v, weights, strict=True)],
    )  # fmt: skip


def test_arithmetic_of_matrices_is_elementwise(engines: Engines) -> None:
    of = eg.Vec(2, eg.Vec(2, eg.Real))
    f = eg.fn([of, of])(lambda a, b: (a + b, 2 * a, a * [10, 100], eg.math.sqrt(a)))
    a = [[1.0, 4.0], [9.0, 16.0]]
    assert engines(f, a, a) == (
        [[2.0, 8.0], [18.0, 32.0]], [[2.0, 8.0], [18.0, 32.0]], [[10.0, 400.0], [90.0, 1600.0]],
        [[1.0, 2.0], [3.0, 4.0]],
    )  # fmt: skip


@pytest.mark.parametrize("n", [3, 9])
def test_comparison_and_logic_of_vecs_are_elementwise(engines: Engines, n: int) -> None:
    f = on_vecs(n)(lambda v, w: ((v < w) | (v == 2), ~(v < w), (v > 1) & (w != 1), (v < w) ^ True))
    v, w = [1.0, 2.0, 3.0] * (n // 3), [2.0, 1.0, 3.0] * (n // 3)
    less = [a < b for a, b in zip(v, w, strict=True)]
    assert engines(f, v, w) == (
        [p or a == 2 for p, a in zip(less, v, strict=True)], [not p for p in less],
        [a > 1 and b != 1 for a, b in zip(v, w, strict=True)], [not p for p in less],
    )  # fmt: skip


@pytest.mark.parametrize("n", [2, 9])
def test_select_with_a_vec_as_condition_is_elementwise(engines: Engines, n: int) -> None:
    f = on_vecs(n)(lambda v, w: eg.select(v > w, v, w))
    v, w = ramp(n), ramp(n, -1.0)
    assert engines(f, v, w) == list(map(max, v, w))
    assert engines(on_vecs(n, k=1)(lambda v: eg.math.where(v > 1, v, 0)), v) == [0.0, *v[1:]]


def test_arithmetic_of_vecs_of_indices_gives_indices(engines: Engines) -> None:
    f = eg.fn([eg.Vec(3, eg.Fin(4))])(lambda v: (v + 1, v * 2, v == 2, eg.real(v)))
    assert engines(f, [0, 2, 3]) == ([1, 3, 4], [0, 4, 6], [False, True, False], [0.0, 2.0, 3.0])


# ---------------------------------------------------------------- vec and sum


def test_vec_computes_its_elements_in_a_loop(engines: Engines) -> None:
    f = eg.fn([eg.Real])(lambda x: eg.vec(1000, lambda i: x * eg.real(i)))
    assert engines(f, 2.0) == [2.0 * i for i in range(1000)]
    rows = f.function.block.rows
    assert len(rows) < 10
    assert [row[0] for row in rows].count("loop") == 1


def test_vec_takes_elements_of_any_type_and_a_fin_as_its_length(engines: Engines) -> None:
    f = eg.fn([eg.Real])(
        lambda x: eg.vec(eg.Fin(3), lambda i: {"x": x, "i": i, "even": i % 2 == 0, "u": None, "t": (x, i)})
    )
    assert engines(f, 2.0) == [
        {"x": 2.0, "i": i, "even": i % 2 == 0, "u": None, "t": (2.0, i)} for i in range(3)
    ]


def test_vec_may_make_a_vec_of_length_zero(engines: Engines) -> None:
    f = eg.fn([eg.Real])(lambda x: eg.vec(0, lambda i: x * eg.real(i)))
    assert engines(f, 2.0) == []


def test_vecs_may_contain_vecs(engines: Engines) -> None:
    f = eg.fn([eg.Real])(lambda x: eg.vec(3, lambda i: eg.vec(4, lambda j: x * eg.real(i * 10 + j))))
    assert engines(f, 2.0) == [[2.0 * (i * 10 + j) for j in range(4)] for i in range(3)]
    triangle = eg.fn([eg.Real])(lambda x: eg.vec(4, lambda i: eg.sum(i, lambda j: x + eg.real(j))))
    assert engines(triangle, 2.0) == [0.0, 2.0, 5.0, 9.0]


def test_sum_adds_from_zero_in_index_order(engines: Engines) -> None:
    terms = [1e16, 1.0, -1e16, 1.0]
    total = 0.0
    for term in terms:
        total += term
    assert engines(on_vecs(4, k=1)(lambda v: eg.sum(4, lambda i: v[i])), terms) == total
    assert engines(on_vecs(4, k=1)(eg.sum), terms) == total
    assert math.copysign(1, engines(on_vecs(1, k=1)(eg.sum), [-0.0])) == 1.0


def test_sum_is_a_loop_and_not_unrolled() -> None:
    f = eg.fn([eg.Real])(lambda x: eg.sum(1000, lambda i: x * eg.real(i)))
    assert len(f.function.block.rows) < 10
    assert len(eg.grad(f).function.block.rows) < 10


def test_sum_adds_values_of_any_type_made_of_reals(engines: Engines) -> None:
    f = eg.fn([eg.Real])(lambda x: eg.sum(3, lambda i: {"v": [x, eg.real(i)], "t": (x * x, None)}))
    assert engines(f, 2.0) == {"v": [6.0, 3.0], "t": (12.0, None)}
    m = eg.fn([eg.Vec(20, eg.Vec(2, eg.Real))])(eg.sum)
    assert engines(m, [[1.0, 2.0]] * 20) == 60.0


def test_an_empty_sum_is_zero(engines: Engines) -> None:
    assert engines(on_vecs(0, k=1)(eg.sum), []) == 0.0
    assert engines(eg.fn([eg.Real])(lambda x: eg.sum(0, lambda i: [x, x])), 1.0) == [0.0, 0.0]


def test_a_loop_that_never_runs_may_index_a_vec_of_length_zero(engines: Engines) -> None:
    f = eg.fn([eg.Vec(0, eg.Real), eg.Real])(
        lambda v, x: (eg.vec(0, lambda i: v[i // 2] * x), eg.sum(0, lambda i: v[i]))
    )
    assert engines(f, [], 1.0) == ([], 0.0)
    assert engines(eg.grad(eg.fn([eg.Vec(0, eg.Real)], eg.Real)(eg.sum)), []) == []


def test_the_number_of_terms_of_a_sum_may_be_an_index(engines: Engines) -> None:
    f = eg.fn([eg.Fin(100), eg.Real])(lambda n, x: eg.sum(n, lambda i: x + eg.real(i)))
    assert [engines(f, n, 1.0) for n in (0, 1, 10, 99)] == [0.0, 1.0, 55.0, 4950.0]
    assert engines(eg.grad(f, 1), 10, 1.0) == 10.0


@pytest.mark.parametrize("n", [0, 1, 2, 4, 5, 50])
def test_dot_and_norm_agree_with_python(engines: Engines, n: int) -> None:
    f = on_vecs(n)(lambda v, w: (eg.dot(v, w), eg.norm(v)))
    v, w = ramp(n), ramp(n, -1.0)
    dot, norm = engines(f, v, w)
    assert dot == sum(a * b for a, b in zip(v, w, strict=True))
    assert norm == pytest.approx(math.hypot(*v), rel=1e-15)


def test_dot_takes_a_plain_list(engines: Engines) -> None:
    assert engines(on_vecs(2, k=1)(lambda v: eg.dot(v, [10, 100]) + eg.dot([1, 2], v)), [1.0, 2.0]) == 215.0
    assert eg.dot([1.0, 2.0], [3.0, 4.0]) == 11.0
    assert eg.norm([3.0, 4.0]) == 5.0


def test_vec_and_sum_outside_a_trace_give_plain_values() -> None:
    assert eg.vec(3, lambda i: i * 2) == [0, 2, 4]
    assert eg.sum(4, float) == 6.0
    assert eg.sum([1.0, 2.0]) == 3.0


def test_a_gradient_through_loops_is_right(engines: Engines) -> None:
    f = on_vecs(30, k=1)(lambda v: eg.sum(30, lambda i: v[i] ** 2 * eg.real(i)))
    v = ramp(30)
    assert engines(eg.grad(f), v) == [2 * x * i for i, x in enumerate(v)]
    pairs = on_vecs(6, k=1)(lambda v: eg.sum(6, lambda i: eg.sum(i, lambda j: v[i] * v[j])))
    v = ramp(6)
    assert engines(eg.grad(pairs), v) == pytest.approx([sum(v) - x for x in v])


def test_fori_loop_and_scan_carry_any_type(engines: Engines) -> None:
    f = eg.fn([eg.Real])(
        lambda x: eg.fori_loop(
            1, 6, lambda i, c: {"p": c["p"] * x, "s": c["s"] + eg.real(i)}, {"p": 1, "s": 0}
        )
    )
    assert engines(f, 2.0) == {"p": 32.0, "s": 15.0}
    g = on_vecs(4, k=1)(lambda v: eg.scan(lambda total, x: (total + x, total), 0, v))
    assert engines(g, [1.0, 2.0, 3.0, 4.0]) == (10.0, [0.0, 1.0, 3.0, 6.0])


def test_a_loop_may_carry_an_index_that_starts_at_a_plain_fin(engines: Engines) -> None:
    # f returns the index of the largest element.
    f = eg.fn([eg.Vec(5, eg.Real)])(
        lambda v: eg.fori_loop(1, 5, lambda i, best: eg.select(v[i] > v[best], i, best), eg.Fin(5)(0))
    )
    assert engines(f, [1.0, 4.0, 9.0, 2.0, 3.0]) == 2
    assert engines(f, [9.0, 4.0, 1.0, 2.0, 3.0]) == 0
