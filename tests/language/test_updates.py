"""`v.at[i].set(x)` and `v.at[i].add(x)` return a new Vec. They copy v only if v is read later."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg

N = 60
V = eg.Vec(N, eg.Real)
START = [0.3 + 0.1 * ((7 * k) % 11) for k in range(N)]


def both(f: Any, *args: Any) -> Any:
    """Call f in the interpreter and as compiled code. Check that the values are equal, and return one."""
    value = f(*args)
    assert eg.compile(f)(*args) == value
    return value


def test_set_and_add_return_a_new_vec_and_do_not_change_the_old_one() -> None:
    @eg.fn
    def f(v: eg.Vec(4, eg.Real), i: eg.Fin(4), x: eg.Real) -> (eg.Vec(4, eg.Real), eg.Vec(4, eg.Real)):
        return v, v.at[i].set(x).at[0].add(v[i]).at[-1].set(0.5)

    assert both(f, [1.0, 2.0, 3.0, 4.0], 2, 9.0) == ([1.0, 2.0, 3.0, 4.0], [4.0, 2.0, 9.0, 0.5])


def test_a_slice_can_be_set_to_a_vec_or_to_one_value() -> None:
    @eg.fn
    def f(v: eg.Vec(5, eg.Real)) -> eg.Vec(5, eg.Real):
        return v.at[1:3].set([10.0, 20.0]).at[::2].add(1.0)

    assert both(f, [1.0, 2.0, 3.0, 4.0, 5.0]) == [2.0, 10.0, 21.0, 4.0, 6.0]


def test_several_indices_update_an_element_of_a_nested_vec() -> None:
    M = eg.Vec(3, eg.Vec(2, eg.Real))

    @eg.fn
    def f(m: M, i: eg.Fin(3), j: eg.Fin(2)) -> M:
        return m.at[i, j].add(100.0).at[0].set([7.0, 8.0]).at[2].add([0.5, 0.25])

    assert both(f, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 1, 1) == [[7.0, 8.0], [3.0, 104.0], [5.5, 6.25]]


def test_elements_of_an_updated_vec_can_be_structs_or_indices() -> None:
    P = {"x": eg.Real, "n": eg.Fin(9), "on": eg.Bool}

    @eg.fn
    def f(v: eg.Vec(3, P), k: eg.Vec(3, eg.Fin(5)), i: eg.Fin(3)) -> (eg.Vec(3, P), eg.Vec(3, eg.Fin(5))):
        return v.at[i].set({"x": 2.5, "n": 7, "on": True}), k.at[i].set(eg.Fin(5)(4))

    zero = {"x": 0.0, "n": 1, "on": False}
    new, k = both(f, [zero] * 3, [0, 1, 2], 1)
    assert new == [zero, {"x": 2.5, "n": 7, "on": True}, zero]
    assert k == [0, 4, 2]


def test_an_addition_to_a_tuple_or_struct_adds_each_of_its_reals() -> None:
    P = {"x": eg.Real, "y": eg.Real}

    @eg.fn
    def f(
        v: eg.Vec(3, P), w: eg.Vec(2, (eg.Real, eg.Real)), i: eg.Fin(3)
    ) -> (eg.Vec(3, P), eg.Vec(2, (eg.Real, eg.Real))):
        return v.at[i].add({"x": 1.0, "y": v[0]["x"]}), w.at[1].add((10.0, 20.0))

    v, w = [{"x": 5.0, "y": 0.0}] * 3, [(1.0, 2.0), (3.0, 4.0)]
    assert both(f, v, w, 2) == ([*v[:2], {"x": 6.0, "y": 5.0}], [(1.0, 2.0), (13.0, 24.0)])
    with pytest.raises(eg.TypeMismatchError, match="only if the elements consist of Reals"):
        eg.fn([eg.Vec(2, (eg.Real, eg.Bool))])(lambda v: v.at[0].add((1.0, True)))


def test_an_index_out_of_range_is_an_error() -> None:
    with pytest.raises(eg.ShapeError, match="index 4"):
        eg.fn([eg.Vec(4, eg.Real)])(lambda v: v.at[4].set(1.0))

    @eg.fn
    def f(v: eg.Vec(4, eg.Real), i: eg.Fin(9)) -> eg.Vec(4, eg.Real):
        return v.at[i].add(1.0)

    with pytest.raises(eg.ShapeError, match="out of range"):
        f([0.0] * 4, 5)
    with pytest.raises(eg.ShapeError, match="out of range"):
        eg.compile(f)([0.0] * 4, 5)


def test_assignment_to_an_element_is_an_error_with_advice() -> None:
    def f(v: Any) -> Any:
        v[0] = 1.0
        return v

    with pytest.raises(eg.TypeMismatchError, match=r"v\.at\[i\]\.set\(x\)"):
        eg.fn([eg.Vec(4, eg.Real)])(f)


def test_setting_a_slice_to_the_wrong_number_of_values_is_an_error() -> None:
    with pytest.raises(eg.ShapeError, match=r"slice of 3 elements .* given 2 values"):
        eg.fn([eg.Vec(4, eg.Real)])(lambda v: v.at[:3].set([1.0, 2.0]))


# ---------------------------------------------------------------- in loops


@eg.fn
def mixed(v: V) -> V:
    """Read and update elements in a loop. In some rounds, it reads and updates the same element."""

    def body(i: Any, c: Any) -> Any:
        x, y = c[(i * 3) % N], c[i]
        return c.at[i].set(eg.math.sin(y * x)).at[(i * 7) % N].add(x * y)

    return eg.fori_loop(0, N, body, v)


@eg.fn
def late(v: V) -> V:
    """Read the old array after the update. The compiler must therefore keep a copy of the old array."""

    def body(i: Any, c: Any) -> Any:
        d = c.at[i].set(2.0 * c[(i + 1) % N])
        return d.at[(i * 5) % N].add(c[i] - d[i])

    return eg.fori_loop(0, N, body, v)


@eg.fn
def swapped(v: V) -> V:
    """Update two carried arrays and swap them in each round."""

    def body(i: Any, c: Any) -> Any:
        a, b = c
        return b.at[i].set(a[(i * 3) % N]), a.at[(i * 5) % N].add(b[i])

    return eg.fori_loop(0, 7, body, (v, v.at[0].set(0.25)))[0]


@eg.fn
def nested(v: V) -> V:
    """Update an array in an outer loop and in an inner loop."""

    def outer(i: Any, c: Any) -> Any:
        return eg.fori_loop(0, 5, lambda j, d: d.at[(i + j) % N].add(d[(i * j) % N] * 0.5), c.at[i].set(c[0]))

    return eg.fori_loop(0, 9, outer, v)


@eg.fn
def branching(v: V) -> V:
    """Update a carried array in one arm of a branch. In each round, output element 3."""

    def body(c: Any, x: Any) -> Any:
        i, y = x
        d = eg.cond(y > 0.6, lambda: c.at[i].set(y * y), lambda: c)
        return d.at[(i * 7) % N].add(y), d[3]

    w, ys = eg.scan(body, v, (eg.vec(N, lambda i: i), v))
    return w + ys


def python_mixed(v: list[float]) -> list[float]:
    """The updates of `mixed` in plain Python."""
    from math import sin

    c = v.copy()
    for i in range(N):
        x, y = c[(i * 3) % N], c[i]
        c[i] = sin(y * x)
        c[(i * 7) % N] += x * y
    return c


def test_updates_in_a_loop_give_the_results_of_python_lists() -> None:
    assert both(mixed, START) == pytest.approx(python_mixed(START), rel=1e-13)


@pytest.mark.parametrize("f", [mixed, late, swapped, nested, branching])
def test_updates_in_loops_have_first_and_second_derivatives(f: Any) -> None:
    weights = [0.1 * ((3 * k) % 7) - 0.2 for k in range(N)]
    g = eg.fn([V], eg.Real)(lambda v: eg.dot(f(v), weights))
    both(f, START)
    both(eg.grad(g), START)
    both(eg.fn([V], V)(lambda v: eg.hvp(g, (v,), (weights,))[0]), START)
    off = [x + 0.01 for x in START]  # check_grads would fail at START, where `branching` is discontinuous
    eg.check_grads(g, (off,), order=2)


@pytest.mark.parametrize(("f", "copies"), [(mixed, 1), (nested, 1), (late, 3)])
def test_a_carried_array_is_updated_in_place_if_it_is_not_read_later(f: Any, copies: int) -> None:
    """Each function copies its argument once. `late` also reads the old array, and makes two more copies."""
    assert eg.compile(f).wat.count("memory.copy") == copies


def test_reverse_mode_stores_elements_that_were_read_instead_of_arrays() -> None:
    g = eg.compile(eg.grad(eg.fn([V], eg.Real)(lambda v: eg.sum(mixed(v)))))
    assert g.memory_bytes < 12 * 8 * N  # N stored arrays would need 8 · N · N bytes


def test_the_gradient_of_scatter_then_gather_is_the_transpose() -> None:
    order = [(7 * k + 3) % N for k in range(N)]

    @eg.fn
    def permuted(v: V) -> V:
        to = eg.asarray([eg.Fin(N)(k) for k in order])
        return eg.fori_loop(0, N, lambda i, c: c.at[to[i]].set(v[i]), [0.0] * N)

    assert both(permuted, START) == [START[order.index(k)] for k in range(N)]
    _, back = eg.vjp(permuted, START)
    assert back(START)[0] == [START[order[k]] for k in range(N)]
