"""Policies of differentiation: `checkpoint` recomputes intermediate values, `forward` uses forward mode.

`nest_level` counts how deep derivatives nest. `rolled` turns repeated code into loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from eglantine.ir.program import Function, Memo
from eglantine.leaves import tangent_type
from eglantine.optimise.rolling.rolled import rolled as rolled_block
from eglantine.plain.symbolic import current
from eglantine.trace.sums import sum_
from eglantine.trace.traced import current_builder
from eglantine.trace.tracer import trace
from eglantine.trace.vectors import value_of
from eglantine.types import RealType, StructType, TupleType, Type, VecType

from .closures import closed_of, from_zero
from .derivatives import derived_fn
from .eager import derived
from .fn import Fn
from .jacobians import jacfwd_fn
from .structures import each_real, structured, zero_of

COLUMNS: Memo[tuple[Function, Function]] = Memo("columns")


def nest_level() -> int:
    """Return how many times the code that is being traced will be differentiated (the level).

    For a plain function or a `jit`, the level is 0 if only its value is needed. Each `grad`, `vjp`, `jacfwd`
    and so on around it adds 1, and a Hessian adds 2. An `fn` is traced only once, so it has the level of the
    place where it is defined. A derivative rule has level 0.
    Source: `nestlevel` of Zygote (Innes, "Don't Unroll Adjoint", 2018).
    """
    b = current.get()
    return b.order if b else 0


def checkpoint(f: Any) -> Any:
    """Make a copy of f. Reverse mode recomputes the copy's intermediate values instead of storing them.

    Reverse mode stores only the arguments of f. In a chain of checkpointed functions, it therefore needs
    memory for the intermediate values of only one function at a time.
    """

    def make(g: Fn) -> Fn:
        return Fn(replace(g.function, policy="checkpoint"), g.hidden, g.__wrapped__)

    return derived(f, make, "checkpoint")


def forward(f: Any) -> Any:
    """Make a copy of f that is always differentiated in forward mode, even inside reverse mode.

    The Jacobian of f is computed together with f's value. Reverse mode then only multiplies the cotangent by
    the Jacobian. This is faster if f has few arguments and many operations. If the arguments have more than
    16 Reals in all, a loop computes the Jacobian.
    Source: `forwarddiff` of Zygote.
    """
    return derived(f, _forward, "forward")


def rolled(f: Any) -> Any:
    """Make a copy of f in which loops replace repeated code. The program becomes shorter.

    This helps long code without loops (generated code, for example) that repeats a few operations many times
    with different operands. Functions without repeated code do not change. The copy returns the same bits as
    f, except that a long sum is +0 if all its terms are −0. Its derivatives may be rounded differently.
    """

    def make(g: Fn) -> Fn:
        block = g.function.block and rolled_block(g.function.block)
        if block is g.function.block:
            return g
        return Fn(replace(g.function, block=block), g.hidden, g.__wrapped__)

    return derived(f, make, "rolled")


def _forward(f: Fn) -> Fn:
    closed = closed_of(f)
    function = closed.function
    everything = tuple(range(len(function.params)))

    def make_columns() -> tuple[Function, Function]:
        token = current.set(None)
        try:
            with_jacobian = jacfwd_fn(closed, everything, with_value=True)
            return with_jacobian.function, _contraction(closed, everything)
        finally:
            current.reset(token)

    def columns() -> tuple[Function, Function]:
        return COLUMNS.remember(function, None, make_columns)

    by_forward_mode = replace(function, name=f.__name__, policy="forward", columns=columns, rule=None)
    if not f.hidden:
        return Fn(by_forward_mode, (), f.__wrapped__)

    def body(rows: list[int], _: Any) -> Any:
        b = current_builder()
        return value_of(function.result, b, b.call(by_forward_mode, from_zero(b, f, rows)))

    return derived_fn(f, f.function.params, f.__name__, body, function.result)


def _contraction(f: Fn, wanted: Sequence[int]) -> Function:
    """Make the function (Jacobian, ct_y) → (ct_x, …). It returns a cotangent for each argument."""
    of = TupleType(tuple(tangent_type(f.function.params[k]) for k in wanted))
    out = tangent_type(f.function.result)
    types = [each_real(out, of), out]
    return trace(lambda J, ct_y: _contracted(out, of, J, ct_y), types, of, name=f"vjp of {f.__name__}")[0]


def _contracted(out: Type, of: Type, J: Any, ct: Any) -> Any:
    """Multiply a cotangent by a Jacobian: sum up cotangent · gradient over all Reals of f's result.

    out: the type of the cotangents of f's result. of: the type of the gradients in the Jacobian.
    J: the Jacobian of f. ct: the cotangent of f's result.
    """
    match out:
        case RealType():
            return structured(of, [J], lambda parts: parts[0] * ct)
        case VecType(n, element):
            return sum_(n, lambda i: _contracted(element, of, J[i], ct[i]))
        case TupleType() | StructType():
            parts = zip(out.items, out.parts(J), out.parts(ct), strict=True)
            terms = [_contracted(item, of, *pair) for item, *pair in parts]
        case _:
            terms = []
    total = terms[0] if terms else zero_of(of)
    for term in terms[1:]:
        total = structured(of, [total, term], sum)
    return total
