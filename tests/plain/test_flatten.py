"""A plain value is flattened into leaves and restored from them. Wrong values raise clear errors."""

from __future__ import annotations

from array import array
from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.leaves import leaves
from eglantine.plain.marshal import flatten, has_array, on_leaves, unflatten
from eglantine.plain.typeof import type_of
from eglantine.types import Bool, Fin, Real, Type, Unit, Vec, as_type


class Point(NamedTuple):
    x: Real
    y: Real


@dataclass(frozen=True)
class Disc:
    centre: Point
    radius: Real
    solid: Bool


STRUCT = as_type({"b0": Real, "b": Vec(2, Real)})
DISC = as_type(Disc)
ONE_DISC = Disc(Point(1.0, 2.0), 3.0, True)

# ---------------------------------------------------------------- values to leaves and back

PAIRS: list[tuple[Type, Any, list[Any]]] = [
    (Real, 1.5, [1.5]),
    (Bool, True, [True]),
    (Unit, None, []),
    (Fin(3), 2, [2]),
    (Vec(2, Real), [1.0, 2.0], [[1.0, 2.0]]),
    (Vec(0, Real), [], [[]]),
    (Vec(2, Vec(0, Real)), [[], []], [[[], []]]),
    (Vec(2, Unit), [None, None], []),
    (Vec(2, Bool), [True, False], [[True, False]]),
    (as_type((Real, Unit, Bool)), (1.0, None, False), [1.0, False]),
    (STRUCT, {"b0": 1.0, "b": [2.0, 3.0]}, [1.0, [2.0, 3.0]]),
    (DISC, ONE_DISC, [1.0, 2.0, 3.0, True]),
    (
        Vec(2, DISC),
        [ONE_DISC, Disc(Point(4.0, 5.0), 6.0, False)],
        [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0], [True, False]],
    ),
    (Vec(2, as_type((Real, Vec(1, Fin(9))))), [(1.0, [2]), (3.0, [4])], [[1.0, 3.0], [[2], [4]]]),
]


@pytest.mark.parametrize(("of", "value", "leaf_values"), PAIRS, ids=[str(pair[0]) for pair in PAIRS])
def test_a_value_is_flattened_into_leaves_and_rebuilt_from_them(
    of: Type, value: Any, leaf_values: list[Any]
) -> None:
    assert flatten(value, of) == leaf_values
    back = unflatten(of, leaf_values)
    assert back == value
    assert type(back) is type(value)


def _values(of: Type) -> st.SearchStrategy[Any]:
    """A strategy of plain values of a type."""
    name = type(of).__name__
    if name == "RealType":
        return st.floats(allow_nan=False)
    if name == "BoolType":
        return st.booleans()
    if name == "UnitType":
        return st.none()
    if name == "FinType":
        return st.integers(0, of.n - 1)
    if name == "VecType":
        return st.lists(_values(of.of), min_size=of.n, max_size=of.n)
    if name == "TupleType":
        return st.tuples(*map(_values, of.items))
    return st.fixed_dictionaries({field: _values(inner) for field, inner in of.fields})


TYPES = st.recursive(
    st.sampled_from([Real, Bool, Unit, Fin(4)]),
    lambda inner: (
        st.builds(Vec, st.integers(0, 3), inner)
        | st.lists(inner, max_size=3).map(lambda items: as_type(tuple(items)))
        | st.dictionaries(st.sampled_from("abc"), inner).map(as_type)
    ),
    max_leaves=6,
)


@given(TYPES.flatmap(lambda of: st.tuples(st.just(of), _values(of))))
def test_every_value_is_rebuilt_from_its_leaves(typed: tuple[Type, Any]) -> None:
    of, value = typed
    found = flatten(value, of)
    assert len(found) == len(leaves(of))
    assert unflatten(of, found) == value


def test_a_rebuilt_list_is_a_new_object() -> None:
    of = as_type((Vec(2, Real), Vec(2, Real)))
    shared = [1.0, 2.0]
    first, second = unflatten(of, [shared, shared])
    first[0] = 9.0
    assert shared == [1.0, 2.0] == second
    given_list = [1.0, 2.0]
    (leaf,) = flatten(given_list, Vec(2, Real))
    assert leaf is not given_list


# ---------------------------------------------------------------- accepted values

TAKEN = [
    (Real, 3, 3.0),
    (Real, np.float64(1.5), 1.5),
    (Real, np.float32(0.5), 0.5),
    (Real, np.int64(2), 2.0),
    (Real, np.array(2.5), 2.5),
    (Bool, np.bool_(True), True),
    (Fin(3), np.int32(2), 2),
    (Vec(2, Real), (1, 2), [1.0, 2.0]),
    (Vec(2, Real), array("d", [1, 2]), [1.0, 2.0]),
    (Vec(2, Real), array("f", [1, 2]), [1.0, 2.0]),
    (Vec(2, Real), memoryview(array("d", [1, 2])), [1.0, 2.0]),
    (Vec(3, Real), range(3), [0.0, 1.0, 2.0]),
    (Vec(2, Real), np.array([1, 2]), [1.0, 2.0]),
    (Vec(2, Bool), np.array([True, False]), [True, False]),
    (Vec(2, Fin(5)), np.array([4, 0]), [4, 0]),
    (Vec(2, Vec(2, Real)), np.array([[1.0, 2.0], [3.0, 4.0]]).T, [[1.0, 3.0], [2.0, 4.0]]),
    (Vec(2, Vec(2, Real)), [np.array([1.0, 2.0]), [3, 4]], [[1.0, 2.0], [3.0, 4.0]]),
]


@pytest.mark.parametrize(("of", "value", "leaf"), TAKEN)
def test_numbers_and_arrays_of_all_kinds_are_accepted(of: Type, value: Any, leaf: Any) -> None:
    (found,) = flatten(value, of)
    assert repr(found) == repr(leaf)


def test_any_object_with_the_right_fields_is_accepted_as_a_struct() -> None:
    made = namedtuple("made", "radius solid centre")  # noqa: PYI024 - without types on purpose
    assert flatten(made(3.0, True, {"y": 2.0, "x": 1.0}), DISC) == flatten(ONE_DISC, DISC)


def test_a_buffer_of_doubles_is_not_copied_on_request() -> None:
    doubles = array("d", [1.0, 2.0])
    (leaf,) = flatten(doubles, Vec(2, Real), buffers=True)
    assert isinstance(leaf, memoryview)
    assert leaf.obj is doubles
    strided = np.arange(8.0).reshape(4, 2)[::2]
    (leaf,) = flatten(strided, Vec(2, Vec(2, Real)), buffers=True)
    assert leaf.tolist() == strided.tolist()


def test_fractions_and_other_numbers_are_accepted_only_on_request() -> None:
    assert flatten(Fraction(1, 3), Real, any_number=True) == [Fraction(1, 3)]
    assert flatten([1, Fraction(1, 3)], Vec(2, Real), any_number=True) == [[1, Fraction(1, 3)]]
    with pytest.raises(TypeMismatchError, match=r"eg\.interp"):
        flatten(Fraction(1, 3), Real)


# ---------------------------------------------------------------- refused values

REFUSED = [
    (Real, "1.5", TypeMismatchError, "Argument x must be a float, but it is the str '1.5'."),
    (Real, True, TypeMismatchError, "Argument x must be a float, but it is True. Use eg.real"),
    (Real, None, TypeMismatchError, "Argument x must be a float, but it is None."),
    (Real, [1.0], TypeMismatchError, "Argument x must be a float, but it is the list [1.0]."),
    (Real, 10**400, TypeMismatchError, "Argument x is an integer of 1329 bits"),
    (Real, 1j, TypeMismatchError, "Argument x must be a float, but it is the complex 1j."),
    (Bool, 1, TypeMismatchError, "Argument x must be a bool, but it is the int 1."),
    (Unit, 0.0, TypeMismatchError, "Argument x must be None, but it is the float 0.0."),
    (Fin(3), 3, TypeMismatchError, "Argument x takes an index from 0 to 2, but it is 3. Change the index."),
    (Fin(3), -1, TypeMismatchError, "Argument x takes an index from 0 to 2, but it is -1. Change the index."),
    (Fin(3), 1.0, TypeMismatchError, "Argument x must be an index from 0 to 2, but it is the float 1.0."),
    (Fin(3), True, TypeMismatchError, "Argument x must be an index from 0 to 2, but it is True."),
    (
        Vec(2, Real),
        [1.0],
        ShapeError,
        "Argument x must have 2 elements, because its type is Vec(2, Real), but it has 1.",
    ),
    (
        Vec(2, Real),
        np.zeros((3, 2)),
        ShapeError,
        "Argument x must have 2 elements, because its type is Vec(2, Real), but it has 3.",
    ),
    (
        Vec(2, Real),
        np.zeros((2, 2)),
        TypeMismatchError,
        "Element 0 of argument x must be a float, but it is ",
    ),
    (
        Vec(2, Real),
        "ab",
        TypeMismatchError,
        "Argument x must be a list of 2 elements, but it is the str 'ab'.",
    ),
    (
        Vec(2, Real),
        {1.0, 2.0},
        TypeMismatchError,
        "Argument x must be a list of 2 elements, but it is the set {1.0, 2.0}.",
    ),
    (
        Vec(2, Real),
        [1.0, "b"],
        TypeMismatchError,
        "Element 1 of argument x must be a float, but it is the str 'b'.",
    ),
    (
        Vec(2, Vec(1, Real)),
        [[1.0], []],
        ShapeError,
        "Element 1 of argument x must have 1 element, because its type is Vec(1, Real), but it has 0.",
    ),
    (as_type((Real, Real)), (1.0,), ShapeError, "Argument x must be a tuple of 2, but it is a tuple of 1."),
    (as_type((Real, Real)), 1.0, TypeMismatchError, "must be a tuple of 2, but it is the float 1.0."),
    (
        STRUCT,
        {"b0": 1.0},
        TypeMismatchError,
        "Argument x needs the fields 'b' too, but it has 'b0'. Add the missing fields.",
    ),
    (
        STRUCT,
        {"b0": 1.0, "b": [1, 2], "c": 0},
        TypeMismatchError,
        "Argument x must have only 'b0', 'b', but it also has 'c'.",
    ),
    (
        STRUCT,
        {"b0": True, "b": [1, 2]},
        TypeMismatchError,
        "Field 'b0' of argument x must be a float, but it is True.",
    ),
    (STRUCT, 1.0, TypeMismatchError, "must be a struct with the fields 'b0', 'b', but it is the float 1.0."),
]


@pytest.mark.parametrize(("of", "value", "error", "sentence"), REFUSED)
def test_the_error_names_the_place_of_a_value_that_does_not_fit(
    of: Type, value: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error) as raised:
        flatten(value, of)
    assert sentence in str(raised.value)


# ---------------------------------------------------------------- NumPy in results


def test_a_vec_is_rebuilt_as_an_array_on_request() -> None:
    of = as_type({"m": Vec(2, Vec(2, Real)), "p": Vec(2, Bool), "i": Vec(2, Fin(3)), "x": Real})
    found = unflatten(of, [[[1.0, 2.0], [3.0, 4.0]], [True, False], [0, 2], 5.0], numpy=True)
    assert found["m"].dtype == np.float64
    assert found["m"].shape == (2, 2)
    assert found["p"].dtype == np.bool_
    assert found["i"].tolist() == [0, 2]
    assert type(found["x"]) is float


def test_an_empty_array_keeps_its_shape() -> None:
    assert unflatten(Vec(2, Vec(0, Real)), [[[], []]], numpy=True).shape == (2, 0)


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        (np.zeros(2), True),
        ([np.zeros(2)], True),
        ((1.0, {"a": np.zeros(1)}), True),
        (Point(np.zeros(1), 0), True),
        (np.float64(1.0), False),
        (np.array(1.0), False),
        ([1.0], False),
        ([], False),
        (None, False),
    ],
)
def test_arrays_inside_containers_are_found(value: Any, holds: bool) -> None:
    assert has_array(value) is holds


# ---------------------------------------------------------------- types of values


@pytest.mark.parametrize(
    ("value", "of"),
    [
        (1, Real),
        (1.0, Real),
        (np.float32(1), Real),
        (True, Bool),
        (np.bool_(False), Bool),
        (None, Unit),
        (Fraction(1, 2), Real),
        (1j, Real),
        ((1, True), as_type((Real, Bool))),
        ({"a": 1}, as_type({"a": Real})),
        ([1, 2.5], Vec(2, Real)),
        ([[1, 2]], Vec(1, Vec(2, Real))),
        ([(1, True)], Vec(1, as_type((Real, Bool)))),
        (np.zeros((2, 3)), Vec(2, Vec(3, Real))),
        (np.array([1, 2]), Vec(2, Real)),
        (np.array([True]), Vec(1, Bool)),
        (np.zeros((0, 3)), Vec(0, Vec(3, Real))),
        (np.array(2.0), Real),
        (array("d", [1]), Vec(1, Real)),
        (ONE_DISC, DISC),
        (Point(1, 2), as_type(Point)),
    ],
)
def test_the_type_of_a_value_is_inferred(value: Any, of: Type) -> None:
    assert type_of(value) == of


def test_a_class_without_types_has_the_types_of_its_values() -> None:
    pair = namedtuple("pair", "a b")  # noqa: PYI024 - without types on purpose
    found = type_of(pair(1.0, [True]))
    assert found.fields == (("a", Real), ("b", Vec(1, Bool)))
    assert unflatten(found, [1.0, [True]]) == pair(1.0, [True])


@pytest.mark.parametrize(
    ("value", "error", "sentence"),
    [
        ([], TypeMismatchError, "This value is an empty list"),
        ([[1.0], []], TypeMismatchError, "Element 1 of this value is an empty list"),
        (
            [1.0, True],
            TypeMismatchError,
            "Element 1 of this value must have the type Real like element 0, but its type is Bool.",
        ),
        (
            [[1.0], [1.0, 2.0]],
            ShapeError,
            (
                "Element 1 of this value must have the type Vec(1, Real) like element 0, "
                "but its type is Vec(2, Real)."
            ),
        ),
        (
            "abc",
            TypeMismatchError,
            "This value must be a number, bool, None, tuple, dict, list or struct, but it is the str 'abc'.",
        ),
        (np.array(["a"]), TypeMismatchError, "must be an array of floats, integers or bools, but it is "),
        ({"a": object()}, TypeMismatchError, "Field 'a' of this value must be "),
    ],
)
def test_the_error_names_a_value_that_has_no_type(value: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as raised:
        type_of(value)
    assert sentence in str(raised.value)


# ---------------------------------------------------------------- host functions


def test_a_host_function_gets_values_and_its_result_becomes_leaves() -> None:
    def mirrored(p: Point, solid: bool, v: list[float]) -> Any:
        assert isinstance(p, Point)
        assert solid is True
        return {"p": Point(p.y, p.x), "n": sum(v)}

    result = as_type({"p": Point, "n": Real})
    call = on_leaves(mirrored, [as_type(Point), Bool, Vec(2, Real)], result, "mirrored")
    assert call(1.0, 2.0, 1, [3.0, 4.0]) == [2.0, 1.0, 7.0]


def test_a_host_functions_result_of_the_wrong_type_is_an_error() -> None:
    call = on_leaves(lambda x: "no", [Real], Real, "log")
    with pytest.raises(TypeMismatchError, match="The result of log must be a float, but it is"):
        call(1.0)
