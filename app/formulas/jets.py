"""Value, gradient and Hessian of straight-line scalar code, all in one builder.

The builder holds the function's rows, and the reverse sweep appends the gradient's rows. Then all these rows
are differentiated in forward mode, in one direction after the other. Each direction visits only the rows that
its column of the Hessian needs. Forward mode on the whole gradient function would give the same numbers, but
it would differentiate every row in every direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import eglantine as eg
from eglantine.inside import (
    ARITY,
    NO_TANGENT,
    SCALARS,
    STRAIGHT,
    ZERO,
    Block,
    Builder,
    Chooses,
    Function,
    Ledger,
    activity,
    begin_sweep,
    planned,
)
from eglantine.types import Type


def jet_of(f: eg.Fn, argnums: Sequence[int], result: Type) -> eg.Fn:
    """The function that returns value, gradient and Hessian of a function of Reals.

    f: straight-line scalar code without a derivative rule of its own.
    argnums: the arguments to differentiate by.
    result: the type of the result. It has one Real for the value, one for each entry of the gradient, and one
        for each entry of the Hessian's upper triangle, row by row.
    """
    old = f.function
    assert old.block is not None
    assert old.block.operations <= STRAIGHT
    block = jet_block(old.block, argnums)
    function = Function(
        f"jet of {old.name}", old.params, result, block, order=old.order + 1, param_names=old.param_names,
        span=old.span, leaf_params=old.leaf_params, leaf_results=block.result_types,
    )  # fmt: skip
    return eg.Fn(function, (), f.__wrapped__)


def jet_block(block: Block, wanted: Sequence[int]) -> Block:
    """Extend a straight-line block that returns one Real by its first and second derivatives.

    The new block returns the Real, its derivatives with respect to the parameters at the positions `wanted`,
    and the upper triangle of its second derivatives, row by row.
    """
    by = [block.params[k] for k in wanted]
    push = _swept(block, by)
    columns = [push.column(k, param) for k, param in enumerate(by)]
    upper = [column[k] for k in range(len(by)) for column in columns[k:]]
    return push.b.finish([block.results[0], *push.results, *upper])


def hessian_block(block: Block, wanted: Sequence[int]) -> Block:
    """A block with all second derivatives of a straight-line block's one Real, row by row.

    Each derivative off the diagonal is computed once and returned twice.
    """
    by = [block.params[k] for k in wanted]
    push = _swept(block, by)
    columns = [push.column(k, param) for k, param in enumerate(by)]
    return push.b.finish([columns[max(j, k)][min(j, k)] for j in range(len(by)) for k in range(len(by))])


def _swept(block: Block, by: Sequence[int]) -> _Push:
    """Extend a block by its gradient, and prepare the forward differentiation of the gradient."""
    plan = planned(block, activity(block, [param in by for param in block.params]), block.results)
    b = Builder.resume(plan.forward)
    ledger = Ledger()
    sweep = begin_sweep(plan, b, ledger=ledger)
    sweep.contribute(block.results[0], b.const(1.0))
    sweep.run()
    return _Push(b, [sweep.total(param) for param in by], ledger.slopes)


class _Push:
    """Differentiates a builder's rows in forward mode, and appends the tangents to the same builder.

    first: for each row, the position of the first result that needs it.
    needed: the rows that any result needs, in order and without parameters.
    slopes: the known partial derivatives, by row.
    """

    def __init__(self, b: Builder, results: Sequence[int], slopes: dict[int, Sequence[int]]) -> None:
        self.b, self.results, self.slopes = b, results, slopes
        self.sources, rows, n = tuple(b.sources), tuple(b.rows), len(results)
        first, needed = [n] * (len(rows) + len(b.consts)), []
        for k in range(n - 1, -1, -1):
            first[results[k]] = k
        for i in range(len(rows) - 1, 0, -1):
            k, row = first[i], rows[i]
            if k < n and row[0] != "param":
                needed.append((i, row))
                for a in row[1 : 1 + ARITY[row[0]]]:
                    if k < first[a]:  # noqa: PLR1730 - without a call
                        first[a] = k
        self.first, self.needed = first, needed[::-1]

    def column(self, k: int, param: int) -> list[int]:
        """The tangents of results 0 to k in the direction of a parameter."""
        b, sources, first = self.b, self.sources, self.first
        tan = [ZERO] * (len(first) + len(b.consts))
        tan[param] = b.const(1.0)
        for i, row in self.needed:
            if first[i] > k:
                continue
            op, x = row[0], row[1]
            dx, dy = tan[x], tan[row[2]] if len(row) > 2 and op != "powi" else ZERO
            if not (dx or dy or op == "select"):
                continue
            b.source = (sources[i], op)
            if op == "mul":
                tan[i] = b.add(dx and b.mul(row[2], dx), dy and b.mul(x, dy))
            elif op == "add":
                tan[i] = b.add(dx, dy)
            elif op == "sub":
                tan[i] = b.sub(dx, dy)
            elif op == "select":
                tan[i] = b.select(x, dy, tan[row[3]])
            elif (op == "pow_by_y" and not dy) or (op == "pow_by_x" and not dx):
                # Only one operand has a tangent, and for that operand the row has the same rule as `mul`.
                tan[i] = b.mul(row[2], dx) if dx else b.mul(x, dy)
            else:
                tan[i] = self._tangent(i, row, dx, dy)
        return [tan[row] for row in self.results[: k + 1]]

    def _tangent(self, i: int, row: Any, dx: int, dy: int) -> int:
        """The tangent of a row, computed from its partial derivatives."""
        b, (op, x, *other) = self.b, row
        slopes = self.slopes.get(i)
        if slopes is None:
            rule = SCALARS[op].derivative
            if isinstance(rule, Chooses):
                return b.select(rule.first(b, x, row[2]), dx, dy)
            if rule is NO_TANGENT:
                return ZERO
            slopes = rule(b, x, *other, i)
            self.slopes[i] = slopes
        return b.add(dx and b.mul(slopes[0], dx), dy and b.mul(slopes[1], dy))
