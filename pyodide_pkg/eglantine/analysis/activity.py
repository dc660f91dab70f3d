"""Find the rows of a block that can carry a tangent, given the parameters that carry one.

For each operation, `MARKS` contains the function that marks its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eglantine.errors import no_derivative_of
from eglantine.ir.primitives import PRIMITIVES, operands, total_table
from eglantine.ir.program import NESTING, Block
from eglantine.ir.row_types import Array, Row, RowType
from eglantine.ir.rules import NO_TANGENT

from .liveness import acc_root


def is_real(of: RowType) -> bool:
    """Return whether values of a row type have tangents. Reals, arrays of Reals and accumulators do."""
    return of.dtype in ("f64", "acc") or (isinstance(of, Array) and of.leaf.dtype == "f64")


_DIFFERENTIABLE = {op for op, primitive in PRIMITIVES.items() if primitive.derivative is not NO_TANGENT}


@dataclass(slots=True)
class Activity:
    """The rows of a block that can carry a tangent (the active rows).

    flags: a bool for each row, True if the row is active. Entries for the constants follow. A constant has a
        negative row number, which counts from the end of this list. Constants are never active.
    nested: for each loop or cond row, the activity of each of its bodies.
    multi: for each call, loop or cond row, a bool for each result, True if the result is active.
    """

    flags: list[bool]
    nested: dict[int, list[Activity]]
    multi: dict[int, list[bool]]

    def results(self, block: Block) -> list[bool]:
        """Return a bool for each result of the block: True if the result is active."""
        return [self.flags[row] for row in block.results]


Mark = Callable[[Block, int, Row, Activity], None]
"""`mark(block, i, row, result)` marks row i, and the accumulators that it adds to, in `result`."""


def activity(block: Block, active_params: Sequence[bool]) -> Activity:
    """Find the active rows of a block. `active_params` has a bool for each parameter.

    Raises: InternalError if a row reads the bits of an active Real, or if its operation is unknown.
    """
    rows = block.rows
    flags = [False] * (len(rows) + len(block.consts))
    result = Activity(flags, {}, {})
    for param, active in zip(block.params, active_params, strict=True):
        flags[param] = active and is_real(block.types[param])
    for i, row in enumerate(rows):
        if row[0] in _DIFFERENTIABLE:  # the rule `_differentiable`, inlined because calls are slow
            flags[i] = flags[row[1]] or flags[row[-1]]
        else:
            mark = MARKS.get(row[0])
            if mark is None:
                raise no_derivative_of(row[0], block.sources[i])
            mark(block, i, row, result)
    return result


def receiving(block: Block, act: Activity, seeds: Sequence[int]) -> set[int]:
    """Return the rows that can receive a cotangent if the rows `seeds` receive one.

    A call, loop or branch is included if one of its results or accumulators can receive a cotangent.
    Parameters that are accumulators are always included.
    """
    reached = {row for row in seeds if act.flags[row]}
    reached.update(param for param in block.params if block.types[param].dtype == "acc")
    for i in range(len(block.rows) - 1, 0, -1):
        row = block.rows[i]
        op = row[0]
        if op == "proj":
            if i in reached:
                reached.add(row[1])
        elif i in reached or (op in _MAY_ADD and _adds_to_reached(block, row, reached)):
            reached.add(i)
            reached.update(a for a in operands(row) if act.flags[a])
    return reached


_MAY_ADD = frozenset({"add_to", *NESTING})


def _adds_to_reached(block: Block, row: Row, reached: set[int]) -> bool:
    """True if a row adds to one of the accumulators in `reached`, or to a view of one."""
    return any(
        a > 0 and block.types[a].dtype == "acc" and acc_root(block, a) in reached for a in operands(row)
    )


def _mark_acc(block: Block, acc: int, flags: list[bool]) -> None:
    """Mark an accumulator as active. If it is a view of another accumulator, mark that one too."""
    flags[acc] = True
    while block.rows[acc][0] == "acc_index":
        acc = block.rows[acc][1]
        flags[acc] = True


# ---------------------------------------------------------------- rules


def _differentiable(_: Block, i: int, row: Row, result: Activity) -> None:
    """Mark a primitive that has partial derivatives as active if one of its operands is active."""
    result.flags[i] = result.flags[row[1]] or result.flags[row[-1]]


def _inactive(_block: Block, _i: int, _row: Row, _result: Activity) -> None:
    """Change no flag. A row without a tangent stays inactive.

    A parameter keeps the flag that the caller gave it.
    """


def _bits(block: Block, i: int, row: Row, result: Activity) -> None:
    """Raise an error if a row reads the bits of an active Real.

    If a program turned the bits back into a Real, this Real would have no tangent.
    """
    if result.flags[row[1]]:
        raise no_derivative_of(row[0], block.sources[i])


def _real(block: Block, i: int, row: Row, result: Activity) -> None:
    """Mark a row as active if it is real and one of its operands is active."""
    result.flags[i] = is_real(block.types[i]) and any(result.flags[a] for a in operands(row))


def _proj(block: Block, i: int, row: Row, result: Activity) -> None:
    """Mark row i if `multi` lists it as an active result of a call, loop or branch."""
    result.flags[i] = is_real(block.types[i]) and result.multi[row[1]][row[2]]


def _add_to(block: Block, _: int, row: Row, result: Activity) -> None:
    """Mark the accumulator as active if an active number or array is added to it."""
    if result.flags[row[2]]:
        _mark_acc(block, row[1], result.flags)


def _acc_read(block: Block, i: int, row: Row, result: Activity) -> None:
    """If an accumulator is active, also mark the row that reads its sums."""
    result.flags[i] = result.flags[acc_root(block, row[1])]


def _call(_: Block, i: int, row: Row, result: Activity) -> None:
    """Mark all real results of a call as active if an argument is active."""
    any_active = any(result.flags[a] for a in row[1])
    result.multi[i] = [any_active and is_real(of) for of in row[2].leaf_results]


def _loop(block: Block, i: int, row: Row, result: Activity) -> None:
    _, args, loop = row
    flags = result.flags
    _, inits, captures = loop.parts(args)
    args = [*inits, *captures]
    active = [False, *(flags[a] for a in args)]
    while True:
        inner = activity(loop.body, active)
        results = inner.results(loop.body)
        params = [inner.flags[param] for param in loop.body.params]
        grown = [
            active[k]
            or params[k]
            or (1 <= k <= loop.carried and results[k - 1] and is_real(loop.body.param_types[k]))
            for k in range(len(active))
        ]
        if grown == active:
            break
        active = grown
    for k, a in enumerate(args):
        if active[1 + k] and a > 0 and block.types[a].dtype == "acc":
            _mark_acc(block, a, flags)
    result.nested[i] = [inner]
    result.multi[i] = [active[1 + k] if k < loop.carried else r for k, r in enumerate(results)]


def _cond(block: Block, i: int, row: Row, result: Activity) -> None:
    _, args, cond = row
    flags = result.flags
    inner = []
    for body in (cond.then, cond.orelse):
        arm = activity(body, [flags[a] for a in args[1:]])
        inner.append(arm)
        for param, a in zip(body.params, args[1:], strict=True):
            if arm.flags[param] and a > 0 and block.types[a].dtype == "acc":
                _mark_acc(block, a, flags)
    result.nested[i] = inner
    then, orelse = inner[0].results(cond.then), inner[1].results(cond.orelse)
    result.multi[i] = [x or y for x, y in zip(then, orelse, strict=True)]


MARKS: Final[Mapping[str, Mark]] = total_table(
    "activity",
    {
        **dict.fromkeys(PRIMITIVES, _inactive),
        **dict.fromkeys(_DIFFERENTIABLE, _differentiable),
        **dict.fromkeys(("powi", "select", "index", "update", "update_add", "stack", "acc_index"), _real),
        **dict.fromkeys(("zero", "param", "zeros", "table", "acc", "check", "print", "require"), _inactive),
        "bits": _bits,
        "proj": _proj,
        "add_to": _add_to,
        "acc_read": _acc_read,
        "call": _call,
        "loop": _loop,
        "cond": _cond,
    },
)
"""The rule of each operation."""
