"""A batch returns the same bits as single calls, for any number of points and any type of column."""

from __future__ import annotations

import math
from array import array
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eglantine as eg
from tests.engines import bits
from tests.laws.comparing import programs
from tests.programs import arguments, function_of, plans


class Pair(NamedTuple):
    """A struct."""

    x: eg.Real
    p: eg.Bool


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y


def calls(k: Any, *columns: Any) -> list[Any]:
    """Call k once for each point, and return the results."""
    return [k(*point) for point in zip(*columns, strict=True)]


# ---------------------------------------------------------------- values


@pytest.mark.parametrize("n", [0, 1, 2, 2047, 2048, 2049, 5000])
def test_any_number_of_points_gives_the_bits_of_single_calls(n: int) -> None:
    k = eg.compile(eg.fn([eg.Real, eg.Real])(eg.value_and_grad(power, argnums=(0, 1))))
    xs = [0.25 + i / 512 for i in range(n)]
    ys = [2.0 - i / 256 for i in range(n)]
    assert bits(k.batch(xs, ys)) == bits(calls(k, xs, ys))


def test_the_number_of_points_may_differ_between_batches() -> None:
    k = eg.compile(power)
    for n in (3, 2000, 0, 1, 2000, 7):
        xs = [1.0 + i for i in range(n)]
        assert bits(k.batch(xs, xs[::-1])) == bits(calls(k, xs, xs[::-1]))


EVERY_TYPE = [
    (eg.Bool, [True, False, True]),
    (eg.Fin(7), [6, 0, 3]),
    (eg.Unit, [None, None]),
    (eg.Vec(3, eg.Real), [[1.0, -0.0, math.inf], [4.0, 5.0, 6.0]]),
    (eg.Vec(0, eg.Real), [[], []]),
    (eg.Vec(40, eg.Real), [[float(i + k) for i in range(40)] for k in range(3)]),
    (eg.Vec(2, eg.Vec(2, eg.Fin(9))), [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
    ((eg.Real, eg.Bool, ()), [(1.0, False, ()), (2.0, True, ())]),
    ({"b0": eg.Real, "b": eg.Vec(2, eg.Real)}, [{"b0": 1.0, "b": [2.0, 3.0]}, {"b0": 4.0, "b": [5.0, 6.0]}]),
    (Pair, [Pair(2.0, True), Pair(3.0, False)]),
    (eg.Vec(2, Pair), [[Pair(1.0, True), Pair(2.0, False)], [Pair(3.0, True), Pair(4.0, True)]]),
    (eg.Vec(2, (eg.Vec(2, eg.Real), eg.Real)), [[([1.0, 2.0], 3.0), ([4.0, 5.0], 6.0)]] * 2),
]


@pytest.mark.parametrize(("of", "column"), EVERY_TYPE, ids=[str(of) for of, _ in EVERY_TYPE])
def test_a_column_of_any_type_is_returned_unchanged(of: Any, column: list[Any]) -> None:
    k = eg.compile(eg.fn([of], of)(lambda x: x))
    assert repr(k.batch(column)) == repr(column)
    assert repr(k.batch(tuple(column))) == repr(column)


@settings(max_examples=programs(40))
@given(st.data())
def test_a_batch_of_any_program_gives_the_bits_of_single_calls(data: st.DataObject) -> None:
    plan = data.draw(plans())
    k = eg.compile(function_of(plan))
    points = [data.draw(arguments(plan, wild=wild)) for wild in (False, True, False)]
    if not points[0]:
        return
    singles: list[Any] = []
    try:
        singles = [k(*point) for point in points]
    except eg.ShapeError as error:
        with pytest.raises(type(error)):
            k.batch(*zip(*points, strict=True))
        return
    assert bits(k.batch(*zip(*points, strict=True))) == bits(singles)


def test_points_that_are_larger_than_a_chunk_run_one_by_one() -> None:
    n = 200_000
    k = eg.compile(eg.fn([eg.Vec(n, eg.Real)])(lambda v: (v[0], v * 2.0)))
    column = np.arange(2.0 * n).reshape(2, n)
    (first, doubled), (second, last) = k.batch(column)
    assert (first, second) == (0.0, n)
    assert np.array_equal(np.array([doubled, last]), 2.0 * column)


# ---------------------------------------------------------------- buffers


@pytest.mark.parametrize(
    "make",
    [
        lambda xs: array("d", xs),
        lambda xs: memoryview(array("d", xs)),
        np.array,
        lambda xs: range(len(xs)),
    ],
    ids=["array", "memoryview", "numpy", "range"],
)
def test_buffers_and_sequences_are_accepted_as_columns(make: Any) -> None:
    xs = [float(i) for i in range(1500)]
    k = eg.compile(eg.fn([eg.Real])(lambda x: x * x))
    assert list(k.batch(make(xs))) == [x * x for x in xs]


def test_columns_given_as_arrays_give_results_as_arrays() -> None:
    xs = np.linspace(0.5, 2.0, 3000)
    k = eg.compile(power)
    found = k.batch(xs, [2.0] * 3000)
    assert isinstance(found, np.ndarray)
    assert bits(found.tolist()) == bits(calls(k, xs.tolist(), [2.0] * 3000))
    rows = eg.compile(eg.fn([eg.Vec(3, eg.Real)])(lambda v: v * v))
    block = np.arange(12.0).reshape(4, 3)
    assert np.array_equal(rows.batch(block), block * block)
    assert np.array_equal(rows.batch(block[::2]), (block * block)[::2])
    assert rows.batch(block[:0]).shape == (0, 3)
    assert type(rows.batch(block.tolist())) is list


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("columns", "error", "sentence"),
    [
        (([1.0], [1.0, 2.0]), ValueError, "Column y must have 1 value like column x, but it has 2."),
        (
            ([1.0],),
            TypeError,
            r"takes 2 columns \(x, y\), but this call gives 1\.",
        ),
        (
            (1.0, 1.0),
            TypeError,
            r"Column x must be a sequence of values, but it is the float 1\.0",
        ),
        ((np.float64(1.0), 1.0), TypeError, "Column x must be a sequence of values"),
        (
            (["a"], [1.0]),
            TypeError,
            "Element 0 of column x must be a float, but it is the str 'a'",
        ),
    ],
)
def test_the_error_names_a_column_that_does_not_fit(
    columns: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        eg.compile(power).batch(*columns)


def test_a_function_without_parameters_cannot_run_a_batch() -> None:
    with pytest.raises(eg.TypeMismatchError, match="has no parameters, so it cannot run on columns"):
        eg.compile(eg.fn([])(lambda: 1.0)).batch()


def test_a_batch_works_after_another_ended_with_a_trap_or_a_host_error() -> None:
    k = eg.compile(eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)])(lambda v, i: v[i]))
    good = [[1.0, 2.0, 3.0]] * 2, [2, 0]
    with pytest.raises(eg.ShapeError, match="index") as raised:
        k.batch([[1.0, 2.0, 3.0]] * 2, [2, 3])
    assert raised.value.span is not None
    assert k.batch(*good) == [3.0, 1.0]

    asked = eg.opaque(lambda x: [1.0][int(x)], [eg.Real], eg.Real, pure=False)
    k = eg.compile(eg.fn([eg.Real])(asked))
    with pytest.raises(IndexError):
        k.batch([0.0, 1.0])
    assert k.batch([0.0, 0.0]) == [1.0, 1.0]
    assert k(0.0) == 1.0


def test_prints_and_impure_calls_happen_in_the_order_of_the_points(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @eg.fn
    def shown(x: eg.Real) -> eg.Real:
        eg.debug_print("{}", x)
        return x

    eg.compile(shown).batch([1.0, 2.0, 3.0])
    assert capsys.readouterr().out == "1.0\n2.0\n3.0\n"


# ---------------------------------------------------------------- columns


@eg.struct
class Ball(NamedTuple):
    """A struct for structs of columns."""

    x: eg.Real
    v: eg.Vec(2, eg.Real)  # type: ignore[valid-type]


def test_out_columns_returns_an_array_for_each_number_of_a_result() -> None:
    k = eg.compile(eg.value_and_grad(power, (0, 1)))
    xs, ys = [0.5 + i / 7 for i in range(2000)], [2.0 - i / 900 for i in range(2000)]
    value, (dx, dy) = k.batch(array("d", xs), ys, out="columns")
    assert [type(column) for column in (value, dx, dy)] == [array] * 3
    assert bits(list(zip(value, zip(dx, dy, strict=True), strict=True))) == bits(k.batch(xs, ys))
    value, (dx, dy) = k.batch(np.array(xs), ys, out="columns")
    assert [(type(c), c.dtype) for c in (value, dx, dy)] == [(np.ndarray, np.float64)] * 3
    assert bits(value.tolist()) == bits(k.batch(xs, ys, out="columns")[0].tolist())


@pytest.mark.parametrize(("of", "column"), EVERY_TYPE, ids=[str(of) for of, _ in EVERY_TYPE])
@pytest.mark.parametrize("numpy", [False, True])
def test_columns_of_any_type_contain_the_values_of_each_leaf(of: Any, column: list[Any], numpy: bool) -> None:
    k = eg.compile(eg.fn([of, eg.Real])(lambda x, _: x))
    beside = np.zeros(len(column)) if numpy else [0.0] * len(column)
    found = k.batch(column, beside, out="columns")

    def at(columns: Any, like: Any, *place: int) -> Any:
        if isinstance(like, dict):
            return {name: at(columns[name], item, *place) for name, item in like.items()}
        if isinstance(like, Pair):
            return Pair(at(columns.x, like.x, *place), at(columns.p, like.p, *place))
        if isinstance(like, tuple):
            return tuple(at(*pair, *place) for pair in zip(columns, like, strict=True))
        if isinstance(like, list):
            return [at(columns, item, *place, j) for j, item in enumerate(like)]
        for i in place:
            columns = None if columns is None else columns[i]
        return getattr(columns, "item", lambda: columns)()

    assert repr([at(found, like, i) for i, like in enumerate(column)]) == repr(column)


def test_columns_of_no_points_are_empty() -> None:
    k = eg.compile(eg.value_and_grad(power, (0, 1)))
    assert k.batch([], [], out="columns") == (array("d"), (array("d"), array("d")))
    assert k.batch(np.zeros(0), 2.0, out="columns")[0].shape == (0,)


def test_a_plain_number_among_columns_is_used_for_all_points() -> None:
    k = eg.compile(power)
    xs = [1.0 + i / 64 for i in range(3000)]
    assert bits(k.batch(xs, 2.5)) == bits(k.batch(xs, [2.5] * 3000))
    assert bits(k.batch(2, xs)) == bits(k.batch([2.0] * 3000, xs))
    assert bits(k.batch(xs, np.float64(2.5), out="columns").tolist()) == bits(k.batch(xs, 2.5))
    chosen = eg.compile(
        eg.fn([eg.Bool, eg.Fin(3), eg.Vec(3, eg.Real)])(lambda p, i, v: eg.select(p, v[i], 0.0))
    )
    assert chosen.batch(True, [0, 2], [[1.0, 2.0, 3.0]] * 2) == [1.0, 3.0]
    with pytest.raises(eg.TypeMismatchError, match=r"Element 0 of column i takes an index from 0 to 2"):
        chosen.batch(True, 3, [[1.0, 2.0, 3.0]])


def test_a_struct_of_columns_is_accepted_as_a_column_of_structs() -> None:
    k = eg.compile(eg.fn([Ball, eg.Real])(lambda ball, t: (Ball(ball.x + t, ball.v * t), ball.x < t)))
    xs, vs = array("d", [1.0, 2.0, 3.0]), np.arange(6.0).reshape(3, 2)
    points = [Ball(x, v) for x, v in zip(xs, vs.tolist(), strict=True)]
    assert k.batch(Ball(xs, vs.tolist()), 2.0) == k.batch(points, [2.0] * 3)
    moved, before = k.batch(Ball(xs, vs), 2.0, out="columns")
    assert isinstance(moved, Ball)
    assert moved.x.tolist() == [3.0, 4.0, 5.0]
    assert np.array_equal(moved.v, 2.0 * vs)
    assert before.tolist() == [True, False, False]
    pair = eg.compile(eg.fn([(eg.Real, {"a": eg.Real})])(lambda p: p[0] - p[1]["a"]))
    assert pair.batch((xs, {"a": 1.0})) == [0.0, 1.0, 2.0]
    assert pair.batch(tuple((x, {"a": 1.0}) for x in xs)) == [0.0, 1.0, 2.0]


def test_columns_may_be_given_by_name() -> None:
    k = eg.compile(power)
    assert k.batch(y=2.0, x=[1.0, 3.0]) == [1.0, 9.0]
    assert k.batch([1.0, 3.0], y=2.0, out="columns") == array("d", [1.0, 9.0])


def test_the_error_names_a_field_that_does_not_fit() -> None:
    k = eg.compile(eg.fn([Ball])(lambda ball: ball.x))
    with pytest.raises(eg.ShapeError, match=r"Field 'v' of column ball must have 3 values like field 'x' of"):
        k.batch(Ball([1.0, 2.0, 3.0], [[1.0, 2.0]]))
    with pytest.raises(TypeError, match=r"Field 'v' of column ball must be a sequence of values"):
        k.batch(Ball([1.0], 2.0))
    with pytest.raises(TypeError, match="but it is 'rows'"):
        k.batch([], out="rows")


# ---------------------------------------------------------------- modules


def test_a_batch_does_not_change_the_kernels_module_and_memory() -> None:
    k = eg.compile(power)
    wasm, before = k.wasm, k.memory_bytes
    k.batch([1.0] * 100_000, [2.0] * 100_000)
    assert k.wasm == wasm
    assert k.memory_bytes == before
    assert len(k._instance.memory.view) == 65536  # small columns fit into the existing page
    assert eg.compile_artifact(power).wasm == wasm
