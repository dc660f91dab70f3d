"""`flat_columns` flattens nested lists level by level. It gives the same leaves as `flatten`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import eglantine as eg
from eglantine.leaves import leaves
from eglantine.plain.marshal import flatten
from eglantine.plain.nested import flat_columns


class Pair(NamedTuple):
    """A struct."""

    x: eg.Real
    p: eg.Bool


@eg.struct
class Ball:
    """A struct that is a dataclass."""

    at: eg.Vec(2, eg.Real)  # type: ignore[valid-type]
    kind: eg.Fin(3)  # type: ignore[valid-type]


VALUES: dict[str, tuple[Any, Any]] = {
    "a matrix": (eg.Vec(2, eg.Vec(3, eg.Real)), [[1.0, -0.0, 3.0], (4.0, 5, 6.0)]),
    "rank 3": (eg.Vec(2, eg.Vec(1, eg.Vec(2, eg.Real))), [[[1.0, 2.0]], [[3.0, 4.0]]]),
    "Bools": (eg.Vec(2, eg.Vec(2, eg.Bool)), [[True, False], [False, False]]),
    "indices": (eg.Vec(2, eg.Vec(2, eg.Fin(5))), [[0, 4], [1, 2]]),
    "no rows": (eg.Vec(0, eg.Vec(3, eg.Real)), []),
    "rows of nothing": (eg.Vec(2, eg.Vec(0, eg.Real)), [[], []]),
    "no indices": (eg.Vec(0, eg.Fin(3)), []),
    "Units": (eg.Vec(2, (eg.Unit, eg.Real)), [(None, 1.0), (None, 2.0)]),
    "tuples": (eg.Vec(2, (eg.Real, eg.Vec(2, eg.Bool))), [(1.0, [True, False]), (2.0, [False, True])]),
    "dicts": (eg.Vec(2, {"a": eg.Real, "b": eg.Vec(2, eg.Real)}), [{"a": 1.0, "b": [2.0, 3.0]}] * 2),
    "NamedTuples": (eg.Vec(2, Pair), [Pair(1.0, True), Pair(2.0, False)]),
    "dataclasses": (eg.Vec(2, Ball), [Ball([1.0, 2.0], 1), Ball([3.0, 4.0], 2)]),
    "Vecs of structs": (eg.Vec(2, eg.Vec(2, Pair)), [[Pair(1.0, True), Pair(2.0, False)]] * 2),
    "structs of Vecs of structs": (eg.Vec(1, (eg.Vec(2, (eg.Real, eg.Vec(1, eg.Bool))),)),
                                   [([(1.0, [True]), (2.0, [False])],)]),
}  # fmt: skip


def plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


@pytest.mark.parametrize("name", VALUES)
def test_flat_columns_contain_the_leaves(name: str) -> None:
    of, value = VALUES[name]
    columns = flat_columns(value, of.of)
    assert columns is not None
    expected = flatten(value, of)
    for column, leaf, one in zip(columns, leaves(of), expected, strict=True):
        assert [repr(float(x)) for x in column.tolist()] == [repr(float(x)) for x in np.ravel(one)]
        assert len(column) == leaf.size


@pytest.mark.parametrize("name", VALUES)
def test_nested_values_are_returned_unchanged_by_a_kernel(name: str) -> None:
    of, value = VALUES[name]
    found = eg.compile(lambda v: v, [of])(value)
    expected = eg.fn([of], of)(lambda v: v)(value)
    assert repr(found) == repr(expected)


def test_the_rows_of_a_matrix_may_be_arrays() -> None:
    of = eg.Vec(2, eg.Vec(3, eg.Real))
    rows = [np.array([1.0, 2.0, 3.0]), np.array([4, 5, 6])]
    assert eg.compile(lambda v: v[1], [of])(rows).tolist() == [4.0, 5.0, 6.0]


WRONG: dict[str, tuple[Any, Any]] = {
    "a text": (eg.Vec(2, eg.Vec(2, eg.Real)), [[1.0, 2.0], [3.0, "a"]]),
    "a bool": (eg.Vec(2, eg.Vec(2, eg.Real)), [[1.0, True], [3.0, 4.0]]),
    "a short row": (eg.Vec(2, eg.Vec(2, eg.Real)), [[1.0, 2.0], [3.0]]),
    "a row that is a number": (eg.Vec(2, eg.Vec(2, eg.Real)), [[1.0, 2.0], 3.0]),
    "a large integer": (eg.Vec(1, eg.Vec(1, eg.Real)), [[10**400]]),
    "an index out of range": (eg.Vec(1, eg.Vec(2, eg.Fin(3))), [[0, 3]]),
    "an integer for a Bool": (eg.Vec(1, eg.Vec(1, eg.Bool)), [[1]]),
    "a missing field": (eg.Vec(1, {"a": eg.Real}), [{"b": 1.0}]),
    "another field": (eg.Vec(1, {"a": eg.Real}), [{"a": 1.0, "b": 1.0}]),
    "another class": (eg.Vec(1, Pair), [(1.0, True)]),
    "a long tuple": (eg.Vec(1, (eg.Real,)), [(1.0, 2.0)]),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_on_nested_values_are_the_same_as_element_by_element(name: str) -> None:
    of, value = WRONG[name]
    calls: list[Callable[[], Any]] = [
        lambda: flatten(value, of, "argument v"),
        lambda: eg.compile(lambda v: v, [of])(value),
    ]
    told = []
    for call in calls:
        with pytest.raises(eg.EglantineError) as raised:
            call()
        told.append(raised.value.args[0].partition(" (")[0])
    assert told[0] == told[1]
