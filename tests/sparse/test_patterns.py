"""`eg.sparsity` returns the right patterns for simple functions with known dependencies."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg


def drawn(f: Any, *args: Any) -> list[str]:
    return str(eg.sparsity(f, *args)).split("\n")


def reals(n: int) -> Any:
    return eg.Vec(n, eg.Real)


def test_differences_of_neighbours_have_two_diagonals() -> None:
    f = eg.fn([reals(4)])(lambda x: eg.vec(3, lambda i: x[i + 1] - x[i]))
    pattern = eg.sparsity(f)
    assert drawn(f) == ["##..", ".##.", "..##"]
    assert pattern.shape == (3, 4)
    assert pattern[1][2] is True
    assert pattern[1][3] is False
    assert pattern == [[True, True, False, False], [False, True, True, False], [False, False, True, True]]
    assert (pattern.rows, pattern.cols) == ((0, 0, 1, 1, 2, 2), (0, 1, 1, 2, 2, 3))


def test_a_plain_function_takes_its_types_from_arguments() -> None:
    assert drawn(lambda x, y: (x * y, y), 1.0, 2.0) == ["##", ".#"]
    with pytest.raises(eg.TypeMismatchError, match="its pattern needs arguments"):
        eg.sparsity(lambda x: x)


def test_a_result_does_not_depend_on_conditions_and_step_functions() -> None:
    f = eg.fn([reals(3)])(
        lambda x: (eg.select(x[0] > 0.0, x[1], 2.0), eg.math.floor(x[2]) * x[1], x[0] % 2.0)
    )
    assert drawn(f) == [".#.", ".#.", "#.."]


def test_conditions_on_indices_give_exact_patterns() -> None:
    f = eg.fn([reals(4)])(lambda x: eg.vec(4, lambda i: eg.cond(i > 0, lambda: x[i - 1], lambda: 0.0)))
    assert drawn(f) == ["....", "#...", ".#..", "..#."]
    g = eg.fn([reals(4)])(lambda x: eg.vec(4, lambda i: eg.select((i != 1) & (i < 3), x[i], x[0])))
    assert drawn(g) == ["#...", "#...", "..#.", "#..."]


def test_a_read_at_an_index_from_the_arguments_depends_on_all_elements() -> None:
    f = eg.fn([reals(3), eg.Fin(2)])(lambda x, i: (x[i], x.at[i].set(0.0)))
    assert drawn(f) == ["##.", "#..", ".#.", "..#"]


def test_the_pattern_of_a_running_sum_is_triangular() -> None:
    f = eg.fn([reals(4)])(lambda x: eg.scan(lambda c, v: (c + v, c * 2.0), 0.0, x))
    assert drawn(f) == ["####", "....", "#...", "##..", "###."]


def test_an_element_that_is_set_depends_only_on_the_new_value() -> None:
    f = eg.fn([reals(4)])(
        lambda x: eg.fori_loop(0, 3, lambda i, c: c.at[i].set(x[3 - i]), eg.vec(4, lambda _: x[0]))
    )
    assert drawn(f) == ["...#", "..#.", ".#..", "#..."]


def test_the_pattern_of_a_while_loop_covers_any_number_of_rounds() -> None:
    def shifted(c: Any) -> Any:
        return eg.vec(4, lambda i: c[i] + eg.cond(i > 0, lambda: c[i - 1], lambda: 0.0))

    f = eg.fn([reals(4)])(lambda x: eg.while_loop(lambda c: eg.math.floor(c[0]) < 3.0, shifted, x))
    pattern = eg.sparsity(f)
    assert all(pattern[i][j] for i in range(4) for j in range(i + 1))
    keeps = eg.fn([reals(3)])(
        lambda x: eg.while_loop(lambda c: c[0] < 3.0, lambda c: eg.vec(3, lambda i: 2.0 * c[i] * x[i]), x)
    )
    assert drawn(keeps) == ["#..", ".#.", "..#"]


def test_an_element_of_a_product_with_a_matrix_depends_on_one_row() -> None:
    f = eg.fn([eg.Vec(2, reals(3)), reals(3)])(lambda A, x: A @ x)
    assert drawn(f) == ["###...###", "...######"]


def test_the_pattern_of_a_function_with_a_custom_rule_follows_the_rule() -> None:
    @eg.fn
    def f(x: eg.Real, y: eg.Real) -> eg.Real:
        return x * y

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return f(*primals), tangents[1]

    assert drawn(eg.fn([reals(2)])(lambda x: f(x[0], x[1]))) == [".#"]
    assert drawn(eg.fn([reals(2)])(lambda x: eg.stop_gradient(x[0]) * x[1])) == [".#"]


def test_the_columns_of_a_pattern_are_in_the_order_of_elements() -> None:
    point = {"a": eg.Real, "b": eg.Real}
    f = eg.fn([eg.Vec(2, point)])(lambda p: eg.vec(2, lambda i: {"a": p[i]["b"], "b": p[1 - i]["a"]}))
    assert drawn(f) == [".#..", "..#.", "...#", "#..."]


def test_a_hessian_has_an_entry_for_each_pair_of_interacting_arguments() -> None:
    f = eg.fn([reals(4)], eg.Real)(lambda x: x[0] * x[1] + eg.math.sin(x[2]) + 3.0 * x[3] + x[1] ** 2)
    assert drawn(eg.grad(f)) == [".#..", "##..", "..#.", "...."]


def test_a_pattern_may_have_no_rows_or_no_columns() -> None:
    assert eg.sparsity(eg.fn([reals(0)])(lambda x: x)).shape == (0, 0)
    assert eg.sparsity(eg.fn([reals(3)])(lambda x: 1.0)) == [[False] * 3]
    assert eg.sparsity(eg.fn([eg.Fin(3)])(lambda i: i)).shape == (0, 0)
    assert eg.sparsity(eg.fn([])(lambda: 1.0)).shape == (1, 0)


def test_the_pattern_of_a_chain_of_a_million_steps_is_found_quickly() -> None:
    n = 1_000_000
    f = eg.fn([reals(n)], eg.Real)(lambda x: eg.sum(n - 1, lambda i: (x[i + 1] - x[i] ** 2) ** 2))
    pattern = eg.sparsity(eg.grad(f))
    assert pattern.shape == (n, n)
    assert pattern.nnz == 3 * n - 2
    assert [j for j, on in enumerate(pattern[500_000]) if on] == [499_999, 500_000, 500_001]
