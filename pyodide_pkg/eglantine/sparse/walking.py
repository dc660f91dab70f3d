"""Go over the rows of a function and find the inputs that each row depends on.

A value depends on an input if a derivative can flow from one to the other. No derivative flows through a
comparison, a `floor` or the condition of a `select`. If a function has a custom rule, we follow the rule and
not the function's own rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from eglantine.autodiff.custom_rules import rule_function
from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import F64, I32, Array, Row, RowType

from .accumulators import Sums, View
from .arrays import chosen, element_at, replaced, under, whole
from .dependencies import (
    NOTHING,
    Depends,
    Parts,
    either,
    gathered,
)
from .rounds import loop_results
from .scalars import Act, Space, real, whole_number
from .streams import (
    Stream,
    Table,
    TooLarge,
    Within,
    constant,
)

DEEPEST: Final = 60
"""The largest depth of nested calls that we analyse. For deeper calls, results depend on all arguments."""

STEPS: Final = 600_000
"""The largest number of rows that we visit in loops that are analysed round by round."""


class Walk:
    """The state of a walk over a function.

    steps: how many more rows we may visit in loops that are analysed round by round.
    guards: pairs (condition, holds). Rows run only in the rounds where each condition equals its `holds`.
    everything: the set of all inputs, as a number. Bit k is 1 for each input k.
    """

    def __init__(self, inputs: int) -> None:
        self.everything = (1 << inputs) - 1
        self.steps = STEPS
        self.guards: list[tuple[Stream | Within, bool]] = []
        self.depth = 0
        self._plans: dict[int, tuple[Block, list[Any], list[tuple[int, Act]]]] = {}

    def frame(self, block: Block, arguments: Sequence[Any], space: Space) -> list[Any]:
        """Return the values of a block's rows, then of its constants. Constants have negative numbers."""
        plan = self._plans.get(id(block))
        if plan is None:
            plan = self._plans[id(block)] = (block, _empty_frame(block), _acts(block))
        values = plan[1].copy()
        for row, value in zip(block.params, arguments, strict=True):
            values[row] = value
        for i, act in plan[2]:
            values[i] = act(self, values, space)
        return values

    def block(self, block: Block, arguments: Sequence[Any], space: Space) -> list[Any]:
        """The values of a block's results."""
        values = self.frame(block, arguments, space)
        return [values[row] for row in block.results]

    def call(self, function: Function, arguments: Sequence[Any], space: Space) -> list[Any]:
        """The values of a function's results."""
        self.depth += 1
        try:
            if all(map(_depends_on_nothing, arguments)) and all(map(_is_real, function.leaf_results)):
                return [NOTHING] * len(function.leaf_results)
            if self.depth > DEEPEST:
                return self._all_of_all(function, arguments, space)
            if function.rule is not None and not all(map(_depends_on_nothing, arguments)):
                return self._by_rule(function, arguments, space)
            if function.block is None:
                return self._all_of_all(function, arguments, space)
            return self.block(function.block, arguments, space)
        finally:
            self.depth -= 1

    def _by_rule(self, function: Function, arguments: Sequence[Any], space: Space) -> list[Any]:
        rule, real_in, real_out = rule_function(function)
        primals = [NOTHING if real else x for x, real in zip(arguments, real_in, strict=True)]
        tangents = [x for x, real in zip(arguments, real_in, strict=True) if real]
        results = self.call(rule, [*primals, *tangents], space)
        values, rest = results[: len(real_out)], iter(results[len(real_out) :])
        return [next(rest) if real else value for value, real in zip(values, real_out, strict=True)]

    def _all_of_all(self, function: Function, arguments: Sequence[Any], space: Space) -> list[Any]:
        """Make each Real in a call's results depend on all inputs of all arguments."""
        total = NOTHING
        for x, of in zip(arguments, function.leaf_params, strict=True):
            if isinstance(x, Depends | Parts):
                total = either(total, Depends(self.all_of(x, space, of), frozenset()))
        return [total if _is_real(of) else None for of in function.leaf_results]

    def all_of(self, value: Any, space: Space, of: RowType) -> int:
        """Return all inputs that any element of a value depends on in any round, as bits."""
        try:
            value = whole(value, space, _dims(of))
            return gathered(value) if isinstance(value, Depends) else 0
        except TooLarge:
            return self.everything


def _depends_on_nothing(value: Any) -> bool:
    """Return True if a value depends on no input. Whole numbers depend on no input."""
    if isinstance(value, Parts):
        return all(map(_depends_on_nothing, value.elements))
    return not isinstance(value, Depends) or not (value.always or value.columns)


def _empty_frame(block: Block) -> list[Any]:
    constants = [
        NOTHING if of is F64 else int(x) for x, of in zip(block.consts, block.const_types, strict=True)
    ]
    return [NOTHING] + [None] * (len(block.rows) - 1) + constants[::-1]


def _acts(block: Block) -> list[tuple[int, Act]]:
    acts = []
    for i, row in enumerate(block.rows):
        if row[0] not in ("param", "zero", "print", "require"):
            acts.append((i, _act(block, i, row)))
    return acts


def _act(block: Block, i: int, row: Row) -> Act:
    op = row[0]
    make = _MAKERS.get(op)
    if make is not None:
        return make(block, i, row)
    primitive = PRIMITIVES[op]
    if primitive.result is F64:
        return real(op, row)
    return whole_number(op, row)


def _dims(of: RowType) -> tuple[int, ...]:
    return of.dims if isinstance(of, Array) else ()


def _is_real(of: RowType) -> bool:
    return (of.leaf if isinstance(of, Array) else of) is F64


def _bounds(of: RowType) -> tuple[int, int]:
    return (of.lo, of.hi) if isinstance(of, I32) else (0, 0)


# ---------------------------------------------------------------- rows that are not primitives


def _powi(block: Block, i: int, row: Row) -> Act:
    a, n = row[1], row[2]
    return lambda walk, values, space: values[a] if n else NOTHING


def _select(block: Block, i: int, row: Row) -> Act:
    _, p, a, b = row
    dims = _dims(block.types[i])
    return lambda walk, values, space: chosen(values[a], values[b], values[p], space, dims)


def _same(block: Block, i: int, row: Row) -> Act:
    a = row[1]
    return lambda walk, values, space: values[a]


def _index(block: Block, i: int, row: Row) -> Act:
    _, array, at = row
    dims, bounds = _dims(block.type_of(array)), _bounds(block.type_of(at))

    def act(walk: Walk, values: list[Any], space: Space) -> Any:
        own = values[array]
        if isinstance(own, View):
            return NOTHING  # the element is only read to change it
        return element_at(own, space, dims, values[at], bounds)

    return act


def _update(block: Block, i: int, row: Row) -> Act:
    op, array, at, x = row
    dims, bounds = _dims(block.types[i]), _bounds(block.type_of(at))
    keeps = op == "update_add"
    real = _is_real(block.types[i])

    def act(walk: Walk, values: list[Any], space: Space) -> Any:
        own = values[array]
        if isinstance(own, View):
            added_to = View(own.sums, ((values[at], bounds),))
            added_to.add(_guarded(walk, whole(values[x], space, dims[1:]), space + dims[1:]), space)
            return own
        if not real and not isinstance(values[at], int):
            return None
        if not real and own is None:
            return None
        return replaced(own, values[at], bounds, values[x], space, dims, keeps)

    return act


def _stack(block: Block, i: int, row: Row) -> Act:
    elements = row[1]
    return lambda walk, values, space: Parts([values[x] for x in elements])


def _zeros(block: Block, i: int, row: Row) -> Act:
    of = block.types[i]
    if _is_real(of):
        return lambda walk, values, space: NOTHING
    return lambda walk, values, space: constant(0, space + _dims(of))


def _table(block: Block, i: int, row: Row) -> Act:
    of = block.types[i]
    if _is_real(of):
        return lambda walk, values, space: NOTHING
    table = Table(row[1])

    def act(walk: Walk, values: list[Any], space: Space) -> Any:
        depth = len(space)
        return Stream(0, (*space, *of.dims), (0,) * depth + (1,), (None,) * (depth + 1), table)

    return act


def _acc(block: Block, i: int, row: Row) -> Act:
    dims = block.types[i].dims
    return lambda walk, values, space: View(Sums(space, dims), ())


def _acc_index(block: Block, i: int, row: Row) -> Act:
    _, acc, at = row
    bounds = _bounds(block.type_of(at))

    def act(walk: Walk, values: list[Any], space: Space) -> Any:
        view = values[acc]
        return View(view.sums, (*view.path, (values[at], bounds)))

    return act


def _add_to(block: Block, i: int, row: Row) -> Act:
    _, acc, x = row
    dims = _dims(block.type_of(x))

    def act(walk: Walk, values: list[Any], space: Space) -> None:
        value = whole(values[x], space, dims)
        if value is not NOTHING:
            values[acc].add(_guarded(walk, value, space + dims), space)

    return act


def _guarded(walk: Walk, value: Depends, dims: tuple[int, ...]) -> Depends:
    for condition, holds in walk.guards:
        value = under(value, condition, holds, dims)
    return value


def _acc_read(block: Block, i: int, row: Row) -> Act:
    acc = row[1]

    def act(walk: Walk, values: list[Any], space: Space) -> Any:
        view = values[acc]
        total = view.sums.total
        for index, bounds in view.path:
            total = element_at(total, view.sums.space, view.sums.dims, index, bounds)
        return total

    return act


def _call(block: Block, i: int, row: Row) -> Act:
    _, arguments, function = row
    return lambda walk, values, space: walk.call(function, [values[x] for x in arguments], space)


def _cond(block: Block, i: int, row: Row) -> Act:
    _, (p, *captures), cond = row
    dims = [_dims(of) for of in cond.then.result_types]

    def act(walk: Walk, values: list[Any], space: Space) -> list[Any]:
        condition = values[p]
        arguments = [values[x] for x in captures]
        if isinstance(condition, int):
            return walk.block(cond.then if condition else cond.orelse, arguments, space)
        results = []
        for arm, holds in ((cond.then, True), (cond.orelse, False)):
            if condition is not None:
                walk.guards.append((condition, holds))
            results.append(walk.block(arm, arguments, space))
            if condition is not None:
                walk.guards.pop()
        return [chosen(a, b, condition, space, own) for a, b, own in zip(*results, dims, strict=True)]

    return act


def _loop(block: Block, i: int, row: Row) -> Act:
    _, arguments, loop = row
    return lambda walk, values, space: loop_results(walk, loop, [values[x] for x in arguments], space)


def _proj(block: Block, i: int, row: Row) -> Act:
    _, a, k = row
    return lambda walk, values, space: values[a][k]


_MAKERS: Final[dict[str, Callable[[Block, int, Any], Act]]] = {
    "powi": _powi, "select": _select, "check": _same, "index": _index, "update": _update,
    "update_add": _update, "stack": _stack, "zeros": _zeros, "table": _table, "acc": _acc,
    "acc_index": _acc_index, "add_to": _add_to, "acc_read": _acc_read, "call": _call, "cond": _cond,
    "loop": _loop, "proj": _proj,
}  # fmt: skip
