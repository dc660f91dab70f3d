"""From a graph to a function of the language: its rows made directly, by the builder that all programs use.

This module runs in Pyodide and on CPython; it needs the compiler alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import eglantine as eg
from bench.diagrams.graphs import Graph, Stage
from eglantine.build import Builder
from eglantine.functions import Fn
from eglantine.ir import F64, Array, Function
from eglantine.rolling import rolled

LEAST_ROOT = 1e-5
"""The derivative of `sqrt` is that at this root where the root is smaller."""


@eg.fn
def clamped_sqrt(x: eg.Real) -> eg.Real:
    """√x, whose derivative is bounded."""
    return eg.math.sqrt(x)


@clamped_sqrt.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = eg.math.sqrt(primals[0])
    return y, tangents[0] * (0.5 / eg.math.maximum(LEAST_ROOT, y))


def energy(graph: Graph, stage: Stage) -> Fn:
    """The function (x, frozen, weight) → Σ objectives + weight · Σ max(constraint, 0)² of a stage.

    x: the inputs that take part, in the order of `stage.inputs`; frozen: the others in order. What the terms
    have in common stands in loops.
    """
    b = Builder()
    n, free = graph.n_inputs, stage.inputs
    x, frozen, weight = b.param(Array(F64, (len(free),))), b.param(Array(F64, (n - len(free),))), b.param(F64)
    terms = [graph.objectives[k] for k in stage.objectives], [graph.constraints[k] for k in stage.constraints]
    rows = [0] * n + list(map(b.const, graph.consts)) + [0] * (len(graph.ops) + 1)  # the last is that of −1
    needed = needed_values(graph, [*terms[0], *terms[1]])
    fixed = sorted(set(range(n)).difference(free))
    for array, inputs in ((x, free), (frozen, fixed)):
        for k, value in enumerate(inputs):
            if needed[value]:
                rows[value] = b.index(array, b.int_const(k))
    _add_rows(graph, needed, b, rows)
    objectives, constraints = ([rows[value] for value in part] for part in terms)
    total = _sum(b, objectives)
    if constraints:
        violations = [b.bi("max", row, b.const(0.0)) for row in constraints]
        penalty = b.mul(weight, _sum(b, [b.mul(v, v) for v in violations]))
        total = b.add(total, penalty) if objectives else penalty
    block = rolled(b.finish([total]))
    params = (eg.Vec(len(free), eg.Real), eg.Vec(n - len(free), eg.Real), eg.Real)
    return Fn(
        Function(
            graph.name,
            params,
            eg.Real,
            block,
            param_names=("x", "frozen", "weight"),
            leaf_params=block.param_types,
            leaf_results=block.result_types,
        )
    )


def needed_values(graph: Graph, terms: Sequence[int]) -> bytearray:
    """For each value, and the one that is absent at the end, whether a term depends on it."""
    first = graph.n_inputs + len(graph.consts)
    needed = bytearray(first + len(graph.ops) + 1)
    for value in terms:
        needed[value] = 1
    for k in range(len(graph.ops) - 1, -1, -1):
        if needed[first + k]:
            _, a, b, c = graph.ops[k]
            needed[a] = needed[b] = needed[c] = 1
    return needed


def _add_rows(graph: Graph, needed: bytearray, b: Builder, rows: list[int]) -> None:
    """Make the rows of the operations; most are like an earlier one, which is found before all else."""
    unary, binary = UNARY, BINARY
    known: dict[tuple[str, int, int, int], int] = {}
    for value, (op, x, y, z) in enumerate(graph.ops, graph.n_inputs + len(graph.consts)):
        if not needed[value]:
            continue
        key = op, rows[x], rows[y], rows[z]
        row = known.get(key)
        if row is None:
            if y < 0:
                row = unary[op](b, rows[x])
            elif z < 0:
                row = binary[op](b, rows[x], rows[y])
            else:
                row = b.select(rows[x], rows[y], rows[z])
            known[key] = row
        rows[value] = row


def _sum(b: Builder, rows: Sequence[int]) -> int:
    total = rows[0] if rows else b.const(0.0)
    for row in rows[1:]:
        total = b.add(total, row)
    return total


def _un(op: str) -> Callable[[Builder, int], int]:
    return lambda b, x: b.un(op, x)


def _bi(op: str) -> Callable[[Builder, int, int], int]:
    return lambda b, x, y: b.bi(op, x, y)


UNARY: dict[str, Callable[[Builder, int], int]] = {
    "neg": Builder.neg,
    "sqrt": lambda b, x: b.call(clamped_sqrt.function, [x])[0],
    "sqrt_plain": _un("sqrt"),
    "sign": lambda b, x: b.bi("copysign", b.const(1.0), x),
    **{op: _un(op) for op in ("abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "expm1", "floor")},
    **{op: _un(op) for op in ("log", "log10", "log1p", "log2", "not", "sin", "sinh", "tan", "tanh", "trunc")},
}
BINARY: dict[str, Callable[[Builder, int, int], int]] = {
    "add": Builder.add,
    "sub": Builder.sub,
    "mul": Builder.mul,
    "div": Builder.div,
    "leq": _bi("le"),
    "geq": _bi("ge"),
    **{op: _bi(op) for op in ("and", "atan2", "eq", "gt", "lt", "or", "pow", "xor")},
}
