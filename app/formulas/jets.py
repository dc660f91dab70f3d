"""Value, gradient and Hessian of straight-line code of scalars, all in one builder.

The reverse sweep goes on where the function ends. Then the rows so far are differentiated forward, one
direction after the other, each in a loop of its own over what its column of the Hessian needs. The numbers
are those of forward mode over the gradient's function, which would push every row in all directions.
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
    identity,
)
from eglantine.types import Type


def jet_of(f: eg.Fn, argnums: Sequence[int], result: Type) -> eg.Fn:
    """The function of value, gradient and Hessian of a function of Reals.

    f: straight-line code of scalars, without a rule of its own.
    argnums: the arguments to differentiate by.
    result: its type, with one Real each for the value, the gradient and the upper triangle of the Hessian,
        row by row.
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
    """The block that returns the one Real of a straight block, its derivatives by the parameters at positions
    `wanted`, and the upper triangle of the second ones, row by row.
    """
    b = Builder.resume(block)
    by = [block.params[k] for k in wanted]
    act = activity(block, [param in by for param in block.params])
    ledger = Ledger()
    sweep = begin_sweep(block, b, identity(block), act, ledger=ledger)
    sweep.contribute(block.results[0], b.const(1.0))
    sweep.run()
    gradient = [sweep.total(param) for param in by]
    push = _Push(b, gradient, ledger.slopes)
    columns = [push.column(k, param) for k, param in enumerate(by)]
    upper = [column[k] for k in range(len(by)) for column in columns[k:]]
    return b.finish([block.results[0], *gradient, *upper])


class _Push:
    """The rows of a builder, which goes on, being differentiated forward.

    first: for each row, the first of the results that needs it.
    needed: the rows that any of them needs, parameters aside, in order.
    slopes: partial derivatives that are known, by row.
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
        """The tangents of results 0 … k in the direction of a parameter."""
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
                # Only the operand that `mul` treats alike has a tangent.
                tan[i] = b.mul(row[2], dx) if dx else b.mul(x, dy)
            else:
                tan[i] = self._tangent(i, row, dx, dy)
        return [tan[row] for row in self.results[: k + 1]]

    def _tangent(self, i: int, row: Any, dx: int, dy: int) -> int:
        """The tangent of a row by its partial derivatives."""
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
