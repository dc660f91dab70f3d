"""Functions accept and return values of every type, including nested containers."""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import eglantine as eg

Engines = Callable[..., Any]


class Pair(NamedTuple):
    a: eg.Real
    b: eg.Real


@dataclasses.dataclass
class Circle:
    centre: eg.Vec(2, eg.Real)  # type: ignore[valid-type]
    radius: eg.Real


@eg.struct
class Shape:
    outline: eg.Vec(3, Pair)  # type: ignore[valid-type]
    visible: eg.Bool
    layer: eg.Fin(4)  # type: ignore[valid-type]
    note: eg.Unit


def identity(of: Any) -> Any:
    return eg.fn([of], of)(lambda x: x)


@pytest.mark.parametrize(
    ("of", "value"),
    [
        (eg.Real, 2.5),
        (eg.Real, -0.0),
        (eg.Real, float("inf")),
        (eg.Bool, True),
        (eg.Bool, False),
        (eg.Unit, None),
        (eg.Fin(5), 4),
        (eg.Vec(3, eg.Real), [1.0, 2.0, 3.0]),
        (eg.Vec(0, eg.Real), []),
        (eg.Vec(2, eg.Bool), [True, False]),
        (eg.Vec(2, eg.Fin(7)), [6, 0]),
        (eg.Vec(2, eg.Vec(3, eg.Real)), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        (eg.Vec(2, eg.Vec(0, eg.Real)), [[], []]),
        (eg.Vec(0, eg.Vec(2, eg.Real)), []),
        (eg.Vec(2, eg.Unit), [None, None]),
        (eg.Vec(2, (eg.Real, eg.Bool)), [(1.0, True), (2.0, False)]),
        (eg.Vec(0, (eg.Real, eg.Bool)), []),
        (
            eg.Vec(2, {"x": eg.Real, "v": eg.Vec(1, eg.Real)}),
            [{"x": 1.0, "v": [2.0]}, {"x": 3.0, "v": [4.0]}],
        ),
        ((eg.Real, eg.Bool, eg.Unit), (1.0, True, None)),
        ((), ()),
        ((eg.Real,), (1.0,)),
        ({}, {}),
        ({"b0": eg.Real, "b": eg.Vec(2, eg.Real)}, {"b0": 1.0, "b": [2.0, 3.0]}),
        ({"deep": {"deeper": (eg.Real, {"x": eg.Fin(2)})}}, {"deep": {"deeper": (1.0, {"x": 1})}}),
        (Pair, Pair(1.0, 2.0)),
        (Circle, Circle([1.0, 2.0], 3.0)),
        (Shape, Shape([Pair(0.0, 1.0), Pair(2.0, 3.0), Pair(4.0, 5.0)], True, 3, None)),
        (eg.Vec(eg.Fin(2), Pair), [Pair(1.0, 2.0), Pair(3.0, 4.0)]),
    ],
)
def test_a_value_of_any_type_is_returned_unchanged(engines: Engines, of: Any, value: Any) -> None:
    result = engines(identity(of), value)
    assert result == value
    assert type(result) is type(value)


def test_float_bool_and_none_may_be_used_as_types() -> None:
    f = eg.fn([float, bool, None], (float, bool, None))(lambda x, p, u: (x, p, u))
    assert f(1.0, True, None) == (1.0, True, None)


def test_types_with_equal_contents_are_equal() -> None:
    assert eg.Vec(2, eg.Real) == eg.Vec(eg.Fin(2), eg.Real)
    assert eg.Vec(2, eg.Real) != eg.Vec(3, eg.Real)
    assert eg.Fin(2) != eg.Fin(3)
    assert repr(eg.Vec(2, {"x": eg.Fin(3)}).of) == "{'x': Fin(3)}"


def test_a_struct_decorator_makes_a_frozen_dataclass() -> None:
    assert Shape([], True, 0, None).layer == 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        Shape([], True, 0, None).layer = 1  # type: ignore[misc]


def test_a_struct_local_to_a_function_may_be_annotated_with_strings() -> None:
    @eg.struct
    class Local:
        x: eg.Real
        y: eg.Real

    @eg.fn
    def swapped(p: Local) -> Local:
        return Local(p.y, p.x)

    assert swapped(Local(1.0, 2.0)) == Local(2.0, 1.0)


def test_a_struct_has_methods_that_work_on_traced_fields(engines: Engines) -> None:
    @eg.struct
    class Complex:
        re: eg.Real
        im: eg.Real

        def __mul__(self, other: Complex) -> Complex:
            return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    square = eg.fn([Complex], Complex)(lambda z: z * z)
    assert engines(square, Complex(1.0, 2.0)) == Complex(-3.0, 4.0)


def test_integers_are_accepted_as_reals_and_returned_as_floats(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Vec(2, eg.Real)], (eg.Real, eg.Vec(2, eg.Real)))(lambda x, v: (x, v))
    result = engines(f, 2, [1, 2])
    assert result == (2.0, [1.0, 2.0])
    assert {type(result[0]), *map(type, result[1])} == {float}


def test_fields_of_a_struct_may_be_given_in_any_order(engines: Engines) -> None:
    f = eg.fn([{"a": eg.Real, "b": eg.Real}], eg.Real)(lambda s: s["a"] - s["b"])
    assert engines(f, {"b": 1.0, "a": 5.0}) == 4.0


def test_an_argument_may_be_a_dict_for_a_struct_or_a_list_for_a_vec() -> None:
    f = eg.fn([Circle], eg.Real)(lambda c: c.centre[0] * c.radius)
    assert f({"centre": (2.0, 3.0), "radius": 4.0}) == 8.0


def test_a_function_may_return_a_dict_for_a_struct_class(engines: Engines) -> None:
    f = eg.fn([eg.Real], Circle)(lambda x: {"centre": [x, 2 * x], "radius": 1})
    assert engines(f, 3.0) == Circle([3.0, 6.0], 1.0)


# ---------------------------------------------------------------- NumPy and other buffers


def test_a_numpy_argument_gives_a_numpy_result(engines: Engines) -> None:
    double = eg.fn([eg.Vec(3, eg.Real)], eg.Vec(3, eg.Real))(lambda v: v * 2)
    result = engines(double, np.array([1.0, 2.0, 3.0]))
    assert isinstance(result, np.ndarray)
    assert result.dtype == np.float64
    assert result.tolist() == [2.0, 4.0, 6.0]
    assert isinstance(engines(double, [1.0, 2.0, 3.0]), list)


def test_arrays_of_two_dimensions_are_vecs_of_vecs_in_any_memory_order(engines: Engines) -> None:
    of = eg.Vec(2, eg.Vec(3, eg.Real))
    transposed = eg.fn([of], eg.Vec(3, eg.Vec(2, eg.Real)))(
        lambda m: eg.vec(3, lambda i: eg.vec(2, lambda j: m[j][i]))
    )
    m = np.arange(6.0).reshape(2, 3)
    for given in (m, np.asfortranarray(m), m.astype(np.float32), m.astype(np.int64)):
        result = engines(transposed, given)
        assert isinstance(result, np.ndarray)
        assert (result == m.T).all()


def test_numpy_scalars_are_accepted_as_plain_numbers(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Bool, eg.Fin(3)], eg.Real)(
        lambda x, p, i: eg.select(p, x * np.float64(2), eg.real(i))
    )
    assert engines(f, np.float64(1.5), np.bool_(True), np.int64(2)) == 3.0
    assert engines(f, np.float32(1.5), np.True_, np.uint8(2)) == 3.0


def test_a_numpy_scalar_may_be_the_left_operand_of_a_traced_value(engines: Engines) -> None:
    f = eg.fn([eg.Real], (eg.Real, eg.Real, eg.Bool))(
        lambda x: (np.float64(2) * x, np.float64(2) - x, np.float64(2) < x)
    )
    assert engines(f, 3.0) == (6.0, -1.0, True)


def test_a_numpy_array_captured_by_a_function_is_a_constant(engines: Engines) -> None:
    weights = np.array([1.0, 2.0, 3.0])
    f = eg.fn([eg.Vec(3, eg.Real)], eg.Real)(lambda v: eg.dot(v, weights))
    assert engines(f, [1.0, 1.0, 1.0]) == 6.0
    g = eg.fn([eg.Vec(3, eg.Real)], eg.Vec(3, eg.Real))(lambda v: weights * v + weights)
    assert engines(g, [1.0, 1.0, 1.0]) == [2.0, 4.0, 6.0]


def test_arrays_and_memoryviews_are_accepted_as_vecs(engines: Engines) -> None:
    total = eg.fn([eg.Vec(3, eg.Real)], eg.Real)(eg.sum)
    numbers = array("d", [1.0, 2.0, 3.0])
    assert engines(total, numbers) == 6.0
    assert engines(total, memoryview(numbers)) == 6.0


def test_a_gradient_by_a_numpy_array_is_a_numpy_array(engines: Engines) -> None:
    f = eg.fn([eg.Vec(2, eg.Real)], eg.Real)(lambda v: eg.dot(v, v))
    gradient = engines(eg.grad(f), np.array([1.0, 2.0]))
    assert isinstance(gradient, np.ndarray)
    assert gradient.tolist() == [2.0, 4.0]


# ---------------------------------------------------------------- inferred types


def test_a_result_without_a_declared_type_is_inferred(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real):  # type: ignore[no-untyped-def]
        return {"value": x, "pair": (x > 0, None), "list": [x, 1], "number": 2}

    assert engines(f, 3.0) == {"value": 3.0, "pair": (True, None), "list": [3.0, 1.0], "number": 2.0}


def test_a_list_of_indices_has_the_largest_of_their_bounds(engines: Engines) -> None:
    f = eg.fn([eg.Fin(3), eg.Fin(9)])(lambda i, j: [i, j])
    assert engines(f, 2, 8) == [2, 8]


def test_asarray_makes_a_list_a_vec_of_a_known_type(engines: Engines) -> None:
    f = eg.fn([eg.Real])(lambda x: (eg.asarray([], eg.Vec(0, eg.Real)), eg.asarray([x, 2])))
    assert engines(f, 1.0) == ([], [1.0, 2.0])
