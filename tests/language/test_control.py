"""`select` and `cond` choose between two values of any type. `cond` computes only the chosen value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import eglantine as eg

Engines = Callable[..., Any]


class Point(NamedTuple):
    x: eg.Real
    y: eg.Real


VALUES = [
    (eg.Real, 1.0, 2.0),
    (eg.Bool, True, False),
    (eg.Fin(5), 1, 4),
    (eg.Unit, None, None),
    (eg.Vec(2, eg.Real), [1.0, 2.0], [3.0, 4.0]),
    (eg.Vec(20, eg.Real), [1.0] * 20, [2.0] * 20),
    (eg.Vec(0, eg.Real), [], []),
    (eg.Vec(2, eg.Bool), [True, False], [False, True]),
    (eg.Vec(2, (eg.Real, eg.Bool)), [(1.0, True)] * 2, [(2.0, False)] * 2),
    (eg.Vec(9, Point), [Point(1.0, 2.0)] * 9, [Point(3.0, 4.0)] * 9),
    ((eg.Real, eg.Bool), (1.0, True), (2.0, False)),
    ({"a": eg.Real, "b": {"c": eg.Real}}, {"a": 1.0, "b": {"c": 2.0}}, {"a": 3.0, "b": {"c": 4.0}}),
    (Point, Point(1.0, 2.0), Point(3.0, 4.0)),
]


@pytest.mark.parametrize(("of", "a", "b"), VALUES)
def test_select_chooses_between_values_of_any_type(engines: Engines, of: Any, a: Any, b: Any) -> None:
    f = eg.fn([eg.Bool, of, of], of)(eg.select)
    assert engines(f, True, a, b) == a
    assert engines(f, False, a, b) == b


@pytest.mark.parametrize(("of", "a", "b"), VALUES)
def test_cond_chooses_between_values_of_any_type(engines: Engines, of: Any, a: Any, b: Any) -> None:
    f = eg.fn([eg.Bool, of, of], of)(lambda p, a, b: eg.cond(p, lambda a, b: a, lambda a, b: b, a, b))
    assert engines(f, True, a, b) == a
    assert engines(f, False, a, b) == b


def test_plain_numbers_and_bools_are_accepted_anywhere(engines: Engines) -> None:
    f = eg.fn([eg.Bool, eg.Real])(
        lambda p, x: (
            eg.select(p, 1, 2), eg.select(p, x, 2), eg.select(p, 1, x), eg.select(p, True, False),
            eg.select(True, x, 2), eg.cond(p, lambda: 1, lambda: x), eg.cond(False, lambda: 1, lambda: x),
            eg.select(p, (1, x), (x, 1)), eg.select(p, [1, x], [x, 1]),
        )
    )  # fmt: skip
    assert engines(f, True, 5.0) == (1.0, 5.0, 1.0, True, 5.0, 1.0, 5.0, (1.0, 5.0), [1.0, 5.0])
    assert engines(f, False, 5.0) == (2.0, 2.0, 5.0, False, 5.0, 5.0, 5.0, (5.0, 1.0), [5.0, 1.0])


def test_a_numpy_bool_is_accepted_as_a_bool() -> None:
    numpy = pytest.importorskip("numpy")
    yes, no = numpy.bool_(True), numpy.bool_(False)
    assert eg.select(yes, 1, 2) == 1
    assert eg.cond(no, lambda: 1, lambda: 2) == 2
    f = eg.fn([eg.Real])(lambda x: (eg.cond(yes, lambda: x, lambda: -x), eg.select(no, x, -x), yes))
    assert f(3.0) == (3.0, -3.0, True)


def test_select_and_cond_outside_a_trace_are_plain_choices() -> None:
    assert eg.select(True, 1, 2) == 1
    assert eg.cond(False, lambda: 1, lambda: 2) == 2


def test_arms_of_a_cond_may_capture_traced_values(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Real])(lambda x, y: eg.cond(x > y, lambda: x - y, lambda: y - x))
    assert engines(f, 1.0, 4.0) == 3.0
    assert engines(eg.grad(f, (0, 1)), 1.0, 4.0) == (-1.0, 1.0)
    assert engines(eg.grad(f, (0, 1)), 4.0, 1.0) == (1.0, -1.0)


def test_only_one_side_of_a_cond_runs(engines: Engines) -> None:
    seen: list[float] = []
    note = eg.opaque(lambda x: seen.append(x) or x, [eg.Real], eg.Real)
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.cond(x > 0, lambda: note(x), lambda: -x))
    assert f(-1.0) == 1.0
    assert seen == []
    assert f(2.0) == 2.0
    assert seen == [2.0]


def test_conds_may_be_nested_and_used_in_loops(engines: Engines) -> None:
    def sign(x: Any) -> Any:
        return eg.cond(x > 0, lambda: 1, lambda: eg.cond(x < 0, lambda: -1, lambda: 0))

    f = eg.fn([eg.Vec(5, eg.Real)])(lambda v: eg.vec(5, lambda i: sign(v[i])))
    assert engines(f, [-2.0, -0.0, 0.0, 1.0, math.nan]) == [-1.0, 0.0, 0.0, 1.0, 0.0]


def test_an_arm_may_contain_a_loop(engines: Engines) -> None:
    f = eg.fn([eg.Real])(lambda x: eg.cond(x > 0, lambda: eg.sum(10, lambda i: x * eg.real(i)), lambda: 0))
    assert engines(f, 2.0) == 90.0
    assert engines(f, -2.0) == 0.0
    assert engines(eg.grad(f), 2.0) == 45.0
    assert engines(eg.grad(f), -2.0) == 0.0


def test_an_untaken_arm_leaves_no_nan_in_the_gradient_of_a_cond(engines: Engines) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.cond(x > 0, lambda: eg.math.sqrt(x), lambda: 0))
    assert engines(eg.grad(f), 0.0) == 0.0
    assert engines(eg.grad(f), 4.0) == 0.25
    second = eg.grad(eg.grad(f))
    assert engines(second, 0.0) == 0.0
    assert engines(eg.grad(second), 4.0) == 0.01171875


def test_an_unchosen_side_leaves_no_nan_in_the_gradient_of_a_select(engines: Engines) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.select(x > 0, eg.math.sqrt(x), 0))
    assert engines(eg.grad(f), 0.0) == 0.0
    assert engines(eg.grad(f), 4.0) == 0.25


def test_a_parameter_that_only_the_unchosen_side_uses_has_gradient_zero(
    engines: Engines,
) -> None:
    f = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: eg.select(y > 0, x, 0))
    assert engines(eg.grad(f), 2.0, -1.0) == 0.0
    assert engines(eg.grad(f), 2.0, 1.0) == 1.0

    def first_of(x: Any, y: Any) -> Any:
        return eg.sum(3, lambda i: eg.select(i == 0, x[0] * y[i], y[i]))

    g = eg.fn([eg.Vec(1, eg.Real), eg.Vec(3, eg.Real)], eg.Real)(first_of)
    assert engines(eg.grad(g), [2.0], [3.0, 5.0, 7.0]) == [3.0]


def test_a_choice_between_indices_has_the_wider_bounds(engines: Engines) -> None:
    f = eg.fn([eg.Bool, eg.Fin(2), eg.Fin(9)])(
        lambda p, i, j: (eg.select(p, i, j), eg.cond(p, lambda: i, lambda: j))
    )
    assert engines(f, True, 1, 8) == (1, 1)
    assert engines(f, False, 1, 8) == (8, 8)
