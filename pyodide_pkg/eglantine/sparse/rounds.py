"""Loops: all rounds together, one after another, or again and again until nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Protocol

from eglantine.ir.program import Block, Loop, Memo, size_of
from eglantine.ir.row_types import DYNAMIC, F64, Array, RowType

from .accumulators import Sums, View
from .arrays import chosen, under, whole
from .carries import COUNTS, FILLS, GATHERS, UNCHANGED, kinds_of, step_of
from .dependencies import (
    NOTHING,
    Depends,
    Parts,
    as_columns,
    either,
    entered,
    over_all,
    settled,
    united,
)
from .streams import Condition, Stream, TooLarge, Within, added, constant, counter, multiplied

Space = tuple[int, ...]

PATIENCE: Final = 4
"""If the carries still change after this many rounds, each array of a carry counts as one value."""

CARRIES: Final[Memo[tuple[list[str | None], int]]] = Memo("carries")


class Walking(Protocol):
    """The part of the walk that loops use."""

    steps: int
    everything: int
    guards: list[tuple[Condition, bool]]

    def frame(self, block: Block, arguments: Sequence[Any], space: Space) -> list[Any]:
        """The values of all rows of a block."""
        ...

    def block(self, block: Block, arguments: Sequence[Any], space: Space) -> list[Any]:
        """The values of a block's results."""
        ...

    def all_of(self, value: Any, space: Space, of: RowType) -> int:
        """All inputs that a value depends on, as bits."""
        ...


def loop_results(walk: Walking, loop: Loop, arguments: Sequence[Any], space: Space) -> list[Any]:
    """The values of a loop's results."""
    trips, inits, captures = loop.parts(arguments)
    count: Any = loop.count if loop.count is not None else trips[0] if trips else None
    if not isinstance(count, int):
        count = None
    types = loop.body.param_types[1:]
    if count is not None and count <= 0:
        return [*inits, *_empty(loop, space)]
    kinds, size = CARRIES.remember(loop.body, loop.carried, lambda: (kinds_of(loop), size_of(loop.body)))
    wide = [whole(x, space, _dims(of)) for x, of in zip((*inits, *captures), types, strict=True)]
    counted = loop.test is None and loop.extent != DYNAMIC
    if counted and None not in kinds and (count is not None or COUNTS not in kinds):
        return _together(walk, loop, count or loop.extent, kinds, wide, space)  # type: ignore[arg-type]
    if loop.test is None and count is not None and count * size <= walk.steps:
        walk.steps -= count * size
        return _one_by_one(walk, loop, count, inits, captures, space)
    return _until_settled(walk, loop, wide, space)


def _dims(of: RowType) -> tuple[int, ...]:
    return of.dims if isinstance(of, Array) else ()


def _is_real(of: RowType) -> bool:
    return (of.leaf if isinstance(of, Array) else of) is F64


def _empty(loop: Loop, space: Space) -> list[Any]:
    types = loop.body.result_types[loop.carried :]
    return [
        NOTHING if _is_real(of) else constant(0, (*space, loop.extent % DYNAMIC, *_dims(of))) for of in types
    ]


def _together(
    walk: Walking, loop: Loop, n: int, kinds: list[str], wide: list[Any], space: Space
) -> list[Any]:
    """Analyse all rounds at once: the rounds become one more loop, on which values in the body may depend."""
    k, inner = len(space), (*space, n)
    inits, captures = wide[: loop.carried], wide[loop.carried :]
    body, types = loop.body, loop.body.param_types[1:]
    carries: list[Any] = []
    for kind, init, of, param, result in zip(
        kinds, inits, types, loop.params.carries, body.results, strict=False
    ):
        if kind == UNCHANGED:
            carries.append(entered(init, k, n))
        elif kind == GATHERS:
            carries.append(NOTHING)
        elif kind == FILLS:
            carries.append(View(Sums(space, of.dims), ()))
        else:
            step = step_of(body, param, result) or 0
            base, step = ((n - 1) * step, -step) if loop.reverse else (0, step)
            carries.append(added(entered(init, k, n), counter(inner, k, base, step), inner))
    arguments = [counter(inner, k) if n > 1 else 0, *carries, *(entered(x, k, n) for x in captures)]
    values = walk.frame(body, arguments, inner)
    results: list[Any] = []
    for kind, init, carry, of, param, result in zip(
        kinds, inits, carries, types, loop.params.carries, body.results, strict=False
    ):
        if kind == UNCHANGED:
            results.append(init)
        elif kind == GATHERS:
            results.append(either(init, over_all(values[result], inner)))
        elif kind == FILLS:
            kept = _kept(body, result, param, values, init, k, of.dims)
            results.append(either(kept, carry.sums.total))
        else:
            step = step_of(body, param, result) or 0
            results.append(added(init, multiplied(n, step, space), space))
    for result, of in zip(body.results[loop.carried :], body.result_types[loop.carried :], strict=True):
        value = whole(values[result], inner, _dims(of))
        results.append(constant(value, (*inner, *_dims(of))) if isinstance(value, int) else value)
    return results


def _kept(body: Block, result: int, param: int, values: list[Any], init: Any, k: int, dims: tuple[int, ...]
          ) -> Any:  # fmt: skip
    """The elements of the initial array that the rounds do not replace."""
    row = body.rows[result]
    if row[0] != "update" or row[1] != param or not isinstance(init, Depends) or init is NOTHING:
        return init
    index = values[row[2]]
    if not isinstance(index, Stream) or index.used != [k] or index.table or abs(index.strides[k]) != 1:
        return init
    if index.clips[k] is not None:
        return init
    ends = sorted((index.base, index.base + index.strides[k] * (index.dims[k] - 1)))
    condition = Within((*index.dims[:k], dims[0]), k, ends[0], ends[1], holds=True)
    return under(init, condition, False, (*index.dims[:k], *dims))


def _one_by_one(walk: Walking, loop: Loop, count: int, inits: Sequence[Any], captures: Sequence[Any],
                space: Space) -> list[Any]:  # fmt: skip
    carries = list(inits)
    body, carried = loop.body, loop.carried
    columns: list[list[Any]] = [[None] * count for _ in body.results[carried:]]
    for i in range(count - 1, -1, -1) if loop.reverse else range(count):
        results = walk.block(body, [i, *carries, *captures], space)
        carries = results[:carried]
        for column, value in zip(columns, results[carried:], strict=True):
            column[i] = value
    rest = loop.extent - count
    for column, of in zip(columns, body.result_types[carried:], strict=True):
        column += [NOTHING if _is_real(of) else None] * rest
    return [*carries, *map(Parts, columns)]


def _until_settled(walk: Walking, loop: Loop, wide: list[Any], space: Space) -> list[Any]:
    """Repeat the body, with an unknown number of the round, until the carries depend on nothing new."""
    inits, captures = wide[: loop.carried], wide[loop.carried :]
    types = loop.body.param_types[1 : 1 + loop.carried]
    carries = list(inits)
    tries = 0
    while True:
        results = walk.block(loop.body, [None, *carries, *captures], space)
        joined = [_joined(a, b, of, space) for a, b, of in zip(carries, results, types, strict=False)]
        if all(map(partial(_is_same, space), carries, joined, types)):
            break
        tries += 1
        if tries > PATIENCE:
            everywhere = 0
            for x, of in zip(joined, types, strict=True):
                everywhere |= walk.all_of(x, space, of) if _is_real(of) else 0
            if tries > 2 * PATIENCE:
                everywhere = walk.everything
            joined = [
                either(Depends(everywhere, frozenset()), NOTHING) if _is_real(of) else None for of in types
            ]
        carries = joined
    k, n = len(space), loop.extent
    stacked = []
    for value, of in zip(results[loop.carried :], loop.body.result_types[loop.carried :], strict=True):
        value = whole(value, space, _dims(of))
        stacked.append(entered(value, k, n) if isinstance(value, Depends) else None)
    return [*carries, *stacked, None]


def _is_same(space: Space, a: Any, b: Any, of: RowType) -> bool:
    """True if two dependencies are the same. False if that is not known."""
    if a == b:
        return True
    if not (isinstance(a, Depends) and isinstance(b, Depends)):
        return False
    places = space + _dims(of)
    over = range(len(places))
    try:
        one, other = (united(as_columns(x, places), places, over) for x in (a, b))
    except TooLarge:
        return False
    return one == other


def _joined(a: Any, b: Any, of: RowType, space: Space) -> Any:
    if not _is_real(of):
        return a if a is not None and type(a) is type(b) and a == b else None
    joined = chosen(whole(a, space, _dims(of)), whole(b, space, _dims(of)), None, space, _dims(of))
    return settled(joined.columns, joined.always)
