"""Analyse loops: all rounds together, round after round, or repeatedly until the result does not change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from eglantine.analysis.callgraph import size_of
from eglantine.ir.program import Block, Loop, Memo
from eglantine.ir.row_types import DYNAMIC, F64, Array, RowType

from .accumulators import Sums, View
from .arrays import chosen, element_at, under, whole
from .carries import COUNTS, FILLS, GATHERS, SHIFTS, UNCHANGED, kinds_of, passes_of, step_of
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
from .overwriting import filled, fills_in_order, writes_of
from .streams import (
    Condition,
    Number,
    Stream,
    TooLarge,
    Within,
    added,
    as_stream,
    combined,
    constant,
    counter,
    inserted,
    multiplied,
)

Space = tuple[int, ...]

PATIENCE: Final = 4
"""The number of analysed rounds after which we no longer distinguish between carries.

If a carry still changes, all Reals in carries count as depending on all inputs that any carry depends on.
"""

CARRIES: Final[Memo[tuple[list[str | None], int, int]]] = Memo("carries")


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
    if not isinstance(count, int | Stream):
        count = None
    types = loop.body.param_types[1:]
    if isinstance(count, int) and count <= 0:
        return [*inits, *_empty(loop, space)]
    kinds, passes, size = CARRIES.remember(loop.body, loop.carried, lambda: _facts(loop))
    wide = [whole(x, space, _dims(of)) for x, of in zip((*inits, *captures), types, strict=True)]
    if loop.test is None and loop.extent != DYNAMIC:
        rounds = _rounds(loop, count, space)
        if None not in kinds and (count is not None or COUNTS not in kinds):
            return _together(walk, loop, rounds, kinds, passes, wide, space)  # type: ignore[arg-type]
        if count is not None and rounds.n * size <= walk.steps:
            walk.steps -= rounds.n * size
            return _one_by_one(walk, loop, rounds, inits, captures, space)
    return _until_settled(walk, loop, wide, space)


def _facts(loop: Loop) -> tuple[list[str | None], int, int]:
    """Return the kinds of a loop's carries, the number of passes over the body, and the size of the body."""
    kinds = kinds_of(loop)
    return kinds, passes_of(loop, kinds), size_of(loop.body)


class Rounds(NamedTuple):
    """The rounds of a loop.

    n: the largest number of rounds that can run. trips: the number of rounds that do run, or None if unknown.
    running: a condition that says which rounds run. It can also depend on the rounds of outer loops. None if
        all rounds run, or if the condition is not known.
    """

    n: int
    trips: Number
    running: Condition | None

    @property
    def all_run(self) -> bool:
        """True if we know that all rounds run."""
        return isinstance(self.trips, int) and self.running is None


def _rounds(loop: Loop, count: Number, space: Space) -> Rounds:
    k = len(space)
    n = loop.extent
    if isinstance(count, int):
        if loop.carried == len(loop.body.results):
            n = min(n, count)
        return Rounds(n, count, None if count >= n else Within((*space, n), k, 0, count - 1, holds=True))
    if count is None:
        return Rounds(n, None, None)
    inner = (*space, n)
    runs = combined(lambda i, most: int(i < most), (counter(inner, k), inserted(count, k, n)), inner)
    return Rounds(n, count, runs if isinstance(runs, Stream) else None)


def _dims(of: RowType) -> tuple[int, ...]:
    return of.dims if isinstance(of, Array) else ()


def _is_real(of: RowType) -> bool:
    return (of.leaf if isinstance(of, Array) else of) is F64


def _empty(loop: Loop, space: Space) -> list[Any]:
    types = loop.body.result_types[loop.carried :]
    return [
        NOTHING if _is_real(of) else constant(0, (*space, loop.extent % DYNAMIC, *_dims(of))) for of in types
    ]


def _together(walk: Walking, loop: Loop, rounds: Rounds, kinds: list[str], passes: int, wide: list[Any],
              space: Space) -> list[Any]:  # fmt: skip
    """Analyse all rounds at once. Values in the body may depend on different inputs in different rounds."""
    n, trips, running = rounds
    k, inner = len(space), (*space, n)
    inits, captures = wide[: loop.carried], wide[loop.carried :]
    body, types = loop.body, loop.body.param_types[1:]
    values: list[Any] = []
    for _ in range(passes):
        carries = _carries(loop, rounds, kinds, inits, values, space)
        arguments = [counter(inner, k) if n > 1 else 0, *carries, *(entered(x, k, n) for x in captures)]
        with _guard(walk, running):
            values = walk.frame(body, arguments, inner)
    results: list[Any] = []
    for kind, init, carry, of, param, result in zip(
        kinds, inits, carries, types, loop.params.carries, body.results, strict=False
    ):
        if kind == UNCHANGED:
            results.append(init)
        elif kind == GATHERS:
            results.append(either(init, over_all(_while(running, values[result], inner), inner)))
        elif kind == FILLS:
            results.append(_filled(loop, param, result, values, init, carry.sums.total, inner, rounds))
        elif kind == SHIFTS:
            results.append(_last(loop, rounds, values[result], init, space, _dims(of)))
        else:
            step = step_of(body, param, result) or 0
            results.append(added(init, multiplied(trips, step, space), space))
    for result, of in zip(body.results[loop.carried :], body.result_types[loop.carried :], strict=True):
        full = (*inner, *_dims(of))
        value = whole(values[result], inner, _dims(of))
        results.append(_while(running, constant(value, full) if isinstance(value, int) else value, full))
    return results


def _carries(loop: Loop, rounds: Rounds, kinds: Sequence[str], inits: Sequence[Any], values: Sequence[Any],
             space: Space) -> list[Any]:  # fmt: skip
    """Return the carries at the start of each round. `values` are the body's values in the previous pass."""
    n, trips, _ = rounds
    k, inner = len(space), (*space, n)
    body = loop.body
    carries: list[Any] = []
    for kind, init, param, result in zip(kinds, inits, loop.params.carries, body.results, strict=False):
        dims = _dims(body.types[param])
        if kind == UNCHANGED:
            carries.append(entered(init, k, n))
        elif kind == GATHERS:
            carries.append(NOTHING)
        elif kind == FILLS:
            carries.append(View(Sums(space, dims), ()))
        elif kind == SHIFTS:
            before = values[result] if values else NOTHING
            carries.append(_of_round_before(loop, rounds, before, init, space, dims))
        else:
            step = step_of(body, param, result) or 0
            if loop.reverse:
                init = added(init, multiplied(added(trips, -1, space), step, space), space)
                step = -step
            carries.append(added(entered(init, k, n), counter(inner, k, 0, step), inner))
    return carries


def _of_round_before(loop: Loop, rounds: Rounds, value: Any, init: Any, space: Space, dims: Space) -> Depends:
    """Return the carry that each round reads: first `init`, and then the `value` of the previous round."""
    n, k = rounds.n, len(space)
    inner = (*space, n)
    first, rest = Within(inner, k, 0, 0, holds=True), Within(inner, k, 1, n - 1, holds=True)
    if loop.reverse:
        first, rest = Within(inner, k, n - 1, n - 1, holds=True), Within(inner, k, 0, n - 2, holds=True)
    start = entered(init, k, n)
    if rounds.all_run or not loop.reverse:
        start = under(start, first, True, inner + dims)
    stacked = entered(whole(value, inner, dims), k, n)
    before = counter(inner, k, 1 if loop.reverse else -1)
    moved = element_at(stacked, inner, (n, *dims), before, (0, n - 1))
    return either(start, under(moved, rest, True, inner + dims))


def _last(loop: Loop, rounds: Rounds, value: Any, init: Any, space: Space, dims: Space) -> Depends:
    """Return the body's `value` in the last round, or `init` if no round runs."""
    n, trips, _ = rounds
    at = 0 if loop.reverse else added(trips, -1, space)
    last: Depends = element_at(whole(value, (*space, n), dims), space, (n, *dims), at, (0, n - 1))
    if isinstance(trips, int):
        return last
    runs = combined(lambda most: int(most > 0), (trips,), space)
    result: Depends = chosen(last, init, runs, space, dims)
    return result


@contextmanager
def _guard(walk: Walking, running: Condition | None) -> Iterator[None]:
    """Within the `with` statement, assume that rows run only in the rounds where `running` is true."""
    if running is None:
        yield
        return
    walk.guards.append((running, True))
    yield
    walk.guards.pop()


def _while(running: Condition | None, value: Any, dims: Space) -> Any:
    """Replace a value by NOTHING (or 0) in the rounds that do not run."""
    if running is None:
        return value
    if isinstance(value, Depends):
        return under(value, running, True, dims)
    if isinstance(value, Stream):
        missing = len(dims) - len(running.dims)
        wide = as_stream(running, dims)
        wide = wide._replace(
            dims=dims, strides=wide.strides + (0,) * missing, clips=wide.clips + (None,) * missing
        )
        return combined(lambda runs, x: x if runs else 0, (wide, value), dims)
    return value


def _filled(loop: Loop, carry: int, result: int, values: list[Any], init: Any, total: Depends, inner: Space,
            rounds: Rounds) -> Depends:  # fmt: skip
    """Return the dependencies of an array that a loop fills. total: the dependencies of written values."""
    dims: Space = loop.body.types[carry].dims
    writes = writes_of(loop.body, carry, result, values)
    k = len(inner) - 1
    index = fills_in_order(writes, k)
    if all(write.adds for write in writes) or (index is not None and init is NOTHING):
        return either(init, total)
    if index is None or not rounds.all_run:
        known = rounds.all_run or rounds.running is not None
        array = filled(writes, init, inner, dims, rounds.running, reverse=loop.reverse) if known else None
        return array if array is not None else either(init, total)
    ends = sorted((index.base, index.base + index.strides[k] * (index.dims[k] - 1)))
    condition = Within((*index.dims[:k], dims[0]), k, ends[0], ends[1], holds=True)
    return either(under(init, condition, False, (*index.dims[:k], *dims)), total)


def _one_by_one(walk: Walking, loop: Loop, rounds: Rounds, inits: Sequence[Any], captures: Sequence[Any],
                space: Space) -> list[Any]:  # fmt: skip
    carries = list(inits)
    body, carried = loop.body, loop.carried
    types = body.param_types[1 : 1 + carried]
    trips = rounds.trips
    n = trips if isinstance(trips, int) else rounds.n
    columns: list[list[Any]] = [[None] * n for _ in body.results[carried:]]
    for i in range(n - 1, -1, -1) if loop.reverse else range(n):
        runs: Any = 1
        if not isinstance(trips, int):
            runs = combined(i.__lt__, (trips,), space)
        with _guard(walk, runs if isinstance(runs, Stream) else None):
            results = walk.block(body, [i, *carries, *captures], space)
        carries = [
            chosen(new, old, runs, space, _dims(of))
            for new, old, of in zip(results, carries, types, strict=False)
        ]
        for column, value in zip(columns, results[carried:], strict=True):
            column[i] = value
    rest = loop.extent - n
    for column, of in zip(columns, body.result_types[carried:], strict=True):
        column += [NOTHING if _is_real(of) else None] * rest
    return [*carries, *map(Parts, columns)]


def _until_settled(walk: Walking, loop: Loop, wide: list[Any], space: Space) -> list[Any]:
    """Analyse one round repeatedly until the carries no longer change. The index of the round is unknown."""
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
    """Return True if we know that two dependencies are equal."""
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
