"""Write rows (IR operations) that compute value, gradient and Hessian of a scalar function without loops.

We start with the function's rows (operations), and reverse mode appends rows that compute the gradient. Then
we apply forward mode once for each parameter. Each application computes one column of the Hessian, and
differentiates only the rows that affect this column. Forward mode on the whole gradient function would
compute the same Hessian, but it would differentiate every row for every parameter.
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
    """Make the function that returns value, gradient and Hessian of a function of Reals.

    f: a function without loops, branches, arrays, and custom derivative rules.
    argnums: the positions of the arguments with respect to which we differentiate.
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
    """Add first and second derivatives to the results of a straight-line block that returns one Real.

    The new block returns this Real, then the gradient, then the Hessian's upper triangle, row by row.

    wanted: the positions of the parameters with respect to which we differentiate.
    """
    by = [block.params[k] for k in wanted]
    push = _swept(block, by)
    columns = [push.column(k, param) for k, param in enumerate(by)]
    upper = [column[k] for k in range(len(by)) for column in columns[k:]]
    return push.b.finish([block.results[0], *push.results, *upper])


def hessian_block(block: Block, wanted: Sequence[int]) -> Block:
    """Differentiate a block that returns one Real. The new block returns the Hessian, row by row.

    The Hessian is symmetric, so each entry off the diagonal is computed once and returned twice.
    """
    by = [block.params[k] for k in wanted]
    push = _swept(block, by)
    columns = [push.column(k, param) for k, param in enumerate(by)]
    return push.b.finish([columns[max(j, k)][min(j, k)] for j in range(len(by)) for k in range(len(by))])


def _swept(block: Block, by: Sequence[int]) -> _Push:
    """Add rows for the gradient to a block. Return an object that differentiates the gradient."""
    plan = planned(block, activity(block, [param in by for param in block.params]), block.results)
    b = Builder.resume(plan.forward)
    ledger = Ledger()
    sweep = begin_sweep(plan, b, ledger=ledger)
    sweep.contribute(block.results[0], b.const(1.0))
    sweep.run()
    return _Push(b, [sweep.total(param) for param in by], ledger.slopes)


class _Push:
    """Differentiates a builder's rows in forward mode. New rows are appended to the same builder.

    first: for each row, the position of the first result that depends on the row.
    needed: the rows that affect a result, in order and without parameters.
    slopes: maps a row to the rows of its partial derivatives, if reverse mode has computed them.
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
        """Append rows that compute the derivatives of results 0 to k with respect to a parameter."""
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
                # Only one operand depends on the parameter. The derivative with respect to this operand has
                # the same form as for `mul`: the other operand times the tangent.
                tan[i] = b.mul(row[2], dx) if dx else b.mul(x, dy)
            else:
                tan[i] = self._tangent(i, row, dx, dy)
        return [tan[row] for row in self.results[: k + 1]]

    def _tangent(self, i: int, row: Any, dx: int, dy: int) -> int:
        """Append the derivative of a row, from its partial derivatives and its operands' derivatives."""
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
