"""The builder, which makes all rows. It folds and merges rows while it adds them."""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import Any

from eglantine.errors import LimitError

from .folding import Folding
from .program import Cond, Function, Loop, loop_results
from .row_types import (
    F64,
    I32,
    MULTI,
    TRIPS,
    TRIPS_TYPE,
    ZERO,
    Acc,
    Array,
    RowType,
    ScalarType,
    either,
    element_type,
    joined,
    with_length,
)
from .rules import MAX_INDEX

SHORT = 16
"""The largest length of a stacked array that the builder handles element by element.

If an element of such an array changes, the builder stacks all elements again. If the array is added to an
accumulator, the builder adds each element.
"""


class Results(list[int]):
    """The rows that read the results of a call, loop or branch: one row for each result.

    row: the row number of the call, loop or branch itself.
    """

    __slots__ = ("row",)
    row: int


class Builder(Folding):
    """Builds a block: rows of scalars, arrays, accumulators, calls, loops and branches."""

    __slots__ = ()

    # ---------------------------------------------------------------- arrays

    def index(self, array: int, i: int) -> int:
        """Return element i of an array.

        If the array has several dimensions, the result is a view of the elements with first index i.
        """
        key = self.rows[array]
        of = element_type(self.types[array])
        if key[0] == "zeros":
            return self.zeros(of)
        if key[0] == "update" and (key[2] == i or (i < 0 and key[2] < 0)):
            return key[3] if key[2] == i else self.index(key[1], i)
        if i < 0:
            if key[0] == "stack":
                return key[1][self.consts[~i]]  # type: ignore[no-any-return]
            if key[0] == "table" and 0 <= self.consts[~i] < len(key[1]):  # else no result needs the element
                return self._constant(key[1][self.consts[~i]], of.leaf)
        return self.row(("index", array, i), of)

    def update(self, array: int, i: int, x: int, op: str = "update") -> int:
        """Return the array with element i set to x. If `op` is "update_add", add x to the element instead."""
        of, key = self.types[array], self.rows[array]
        if op == key[0] == "update" and key[2] == i:
            return self.update(key[1], i, x)
        if op == "update_add":
            if not x:
                return array
        elif i < 0 and key[0] == "stack" and of.dims[0] <= SHORT:
            elements = list(key[1])
            elements[self.consts[~i]] = x
            return self.stack(elements, element_type(of))
        x = x or self.zeros(element_type(of))
        if isinstance(of.leaf, I32):
            of = Array(joined(of.leaf, self.type_of(x).leaf), of.dims)
        return self.row((op, array, i, x), of)

    def stack(self, elements: Sequence[int], of: RowType) -> int:
        """Return an array of `elements`. Each of them has the type `of` or is the symbolic zero."""
        if not elements:
            return self.zeros(with_length(of, 0))
        if not any(elements):
            return self.zeros(with_length(of, len(elements)))
        source_array = self._array_of(elements)
        if source_array is not None:
            return source_array
        filled = tuple(row or self.zeros(of) for row in elements)
        if isinstance(of, I32):
            bounds = [self.interval(row) for row in filled]
            of = I32(min(b.lo for b in bounds), max(b.hi for b in bounds))
        return self.row(("stack", filled), with_length(of, len(elements)))

    def _array_of(self, elements: Sequence[int]) -> int | None:
        """Return the array that consists of `elements` in this order. Return None if there is none."""
        first = self.rows[elements[0]] if elements[0] > 0 else ("zero",)
        if first[0] != "index" or self.types[first[1]].dims[0] != len(elements):
            return None
        array = first[1]
        for k, row in enumerate(elements):
            key = self.rows[row] if row > 0 else ("zero",)
            if key[0] != "index" or key[1] != array or key[2] >= 0 or self.consts[~key[2]] != k:
                return None
        return array  # type: ignore[no-any-return]

    def table(self, values: tuple[Any, ...], leaf: ScalarType) -> int:
        """Return a constant array. Constant arrays with the same type and bits share a row."""
        key = (leaf, pack(f"{len(values)}d", *values) if leaf is F64 else values)
        number = self._index.get(key)
        if number is None:
            number = self._index[key] = self.effect(("table", values), Array(leaf, (len(values),)))
        return number

    def acc(self, dims: tuple[int, ...], length: Sequence[int] = ()) -> int:
        """Add an accumulator.

        length: the row of the accumulator's length if it is known only at run time, otherwise empty.
        """
        return self.effect(("acc", tuple(length), len(self.rows)), Acc(dims))

    def acc_index(self, acc: int, i: int) -> int:
        """A view of part of an accumulator."""
        return self.row(("acc_index", acc, i), element_type(self.types[acc]))

    def add_to(self, acc: int, x: int) -> None:
        """Add a row for acc += x. Zero needs no row, because sums begin with +0.0 and are never −0.0."""
        key = self.rows[max(x, ZERO)]
        if key[0] == "stack" and len(key[1]) <= SHORT:  # without a row for the array
            for k, element in enumerate(key[1]):
                self.add_to(self.acc_index(acc, self.int_const(k)), element)
        elif key[0] != "zeros" if x > 0 else x and self.consts[~x]:
            self.effect(("add_to", acc, x))

    def acc_read(self, acc: int) -> int:
        """Return the sums of an accumulator. After this, no row may add to the accumulator."""
        dims = self.types[acc].dims
        return self.effect(("acc_read", acc), Array(F64, dims) if dims else F64)

    def check(self, i: int, n: int) -> int:
        """Return a row with the same value as row i, but with the bounds 0 and n - 1.

        The compiled program checks i, unless the bounds in i's own type already show that i is valid.
        """
        bounds = self.interval(i)
        if bounds.lo >= 0 and bounds.hi < n:
            return i
        return self.row(("check", i, n), I32(max(bounds.lo, 0), max(min(bounds.hi, n - 1), 0)))

    def require(self, p: int, text: str) -> int:
        """Add a row that stops the program with the message `text` if p is false."""
        return ZERO if p < 0 and self.consts[~p] else self.effect(("require", (p,), text))

    # ---------------------------------------------------------------- structure

    def call(self, function: Function, args: Sequence[int]) -> Results:
        """Add a call of `function`. Return its results."""
        key = ("call", tuple(row or self.const(0.0) for row in args), function)
        add = self.row if function.pure or function.merges else self.effect
        return self.results_of(add(key, MULTI), function.leaf_results)

    def loop(self, loop: Loop, args: Sequence[int]) -> Results:
        """Add a loop. Return its results. For a while loop, also return the number of rounds."""
        if loop.count is not None and loop.count > MAX_INDEX:
            raise LimitError(
                f"A loop can have at most {MAX_INDEX:,} rounds, but this one has {loop.count:,}. Write "
                "two nested loops."
            )
        key = ("loop", tuple(args), loop)
        number = self.effect(key, MULTI)
        results = self.results_of(number, loop_results(loop))
        if loop.count is not None and len(results) > loop.carried:
            self._pass_through(loop, args[-len(loop.body.params) + 1 :], results)
        if loop.test:
            results.append(self.row(("proj", number, TRIPS), TRIPS_TYPE))
        return results

    def _pass_through(self, loop: Loop, args: Sequence[int], results: Results) -> None:
        """If a result of a loop is only a copy of a captured array, replace the result by that array."""
        body, params = loop.body, loop.body.params
        for k in range(loop.carried, len(body.results)):
            row = body.rows[body.results[k]] if body.results[k] > 0 else ("zero",)
            if row[0] == "index" and row[2] == params[0] and row[1] in params[1 + loop.carried :]:
                array = args[params.index(row[1]) - 1]
                if self.type_of(array) == self.types[results[k]]:
                    results[k] = array

    def cond(self, cond: Cond, args: Sequence[int]) -> Results:
        """Add a branch and return its results. The first of `args` is the condition."""
        number = self.effect(("cond", tuple(args), cond), MULTI)
        types = zip(cond.then.result_types, cond.orelse.result_types, strict=True)
        return self.results_of(number, [either(x, y) for x, y in types])

    def results_of(self, number: int, types: Sequence[RowType]) -> Results:
        """Add a row for each result of the call, loop or branch in row `number`. Return these rows."""
        results = Results([self.row(("proj", number, k), of) for k, of in enumerate(types)])
        results.row = number
        return results


def unify(bodies: Sequence[Builder], own: int = 0) -> list[int]:
    """Make all bodies capture the same rows in the same order. Return the captured rows.

    own: the number of parameters that come before the captures in each body.
    """
    if len(bodies) == 1:
        return bodies[0].captured.copy()
    shared = list(dict.fromkeys(row for b in bodies for row in b.captured))
    for b in bodies:
        b.reorder_params([*b.params[:own], *[b.capture(row) for row in shared]])
    return shared
