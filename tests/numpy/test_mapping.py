"""Tests of `eg.vmap`: several results, shared arguments and all axes."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp

M = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_a_function_with_several_results_gives_several_arrays() -> None:
    totals, doubled = eg.vmap(lambda row: (row.sum(), 2.0 * row))(M)
    assert totals.tolist() == [3.0, 7.0, 11.0]
    assert doubled.tolist() == [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]


def test_a_struct_as_result_gives_a_struct_of_arrays() -> None:
    made = eg.vmap(lambda row: {"first": row[0], "rest": (row[1], enp.argmax(row))})(M)
    assert made["first"].tolist() == [1.0, 3.0, 5.0]
    assert [part.tolist() for part in made["rest"]] == [[2.0, 4.0, 6.0], [1, 1, 1]]


def test_vmap_in_a_trace_gives_the_same_arrays() -> None:
    @eg.fn([eg.Vec(3, eg.Vec(2, eg.Real))])
    def f(m: Any) -> Any:
        totals, doubled = eg.vmap(lambda row: (row.sum(), 2.0 * row))(m)
        return totals @ doubled

    assert eg.interp(f)(M) == [158.0, 200.0]
    assert eg.compile(f)(M) == [158.0, 200.0]


def test_vmap_can_share_arguments_and_map_along_other_axes() -> None:
    columns = eg.vmap(lambda column, scale: column * scale, in_axes=(1, None), out_axes=1)(M, 10.0)
    assert columns.tolist() == [[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]]


def test_different_lengths_are_an_error_that_states_both() -> None:
    with pytest.raises(eg.ShapeError, match="2 and 3 elements"):
        eg.vmap(lambda a, b: a + b)([1.0, 2.0, 3.0], [1.0, 2.0])
