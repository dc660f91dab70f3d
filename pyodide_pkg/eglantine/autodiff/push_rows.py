"""Rules of the push for rows without blocks: primitives, choices, arrays and accumulators.

Each rule returns the tangent of row i, given the tangents of its operands.
"""

from __future__ import annotations

from collections.abc import Sequence

from eglantine.errors import no_derivative_of
from eglantine.ir.primitives import PRIMITIVES, SCALARS
from eglantine.ir.row_types import ZERO, Array, Row
from eglantine.ir.rules import NO_TANGENT, Chooses

from .push import Push, Tangent


def inactive_rule(push: Push, _: int, row: Row) -> Tangent:
    """Raise an error, because no row of this operation carries a tangent."""
    raise no_derivative_of(row[0], push.b.source)


# ------------------------------------------------------------ primitives


def primitive_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = f(x, …): dz = Σ ∂z/∂x · dx, with the partial derivatives from the table of primitives."""
    b, env, op = push.b, push.env, row[0]
    partials = PRIMITIVES[op].derivative
    if isinstance(partials, Chooses):
        return _choose(push, partials.first(b, env[row[1]], env[row[2]]), row[1], row[2])
    if partials is NO_TANGENT:
        raise no_derivative_of(op, b.source)
    return _sum(push, row[1:], partials(b, *[env[a] for a in row[1:]], env[i]))


def _sum(push: Push, operands: Sequence[int], slopes: Sequence[int]) -> Tangent:
    """Return Σ slope · tangent over the operands that have a tangent."""
    add, mul = push.b.add, push.b.mul
    total: list[int] | None = None
    for a, slope in zip(operands, slopes, strict=True):
        tangent = push.tan[a]
        if tangent is not None and total is None:
            total = [mul(slope, dx) for dx in tangent]
        elif tangent is not None:
            total = [add(t, mul(slope, dx)) for t, dx in zip(total or (), tangent, strict=True)]
    return None if total is None else tuple(total)


def add_rule(push: Push, _: int, row: Row) -> Tangent:
    """z = x + y: dz = dx + dy."""
    zero = (ZERO,) * push.directions
    return tuple(map(push.b.add, push.tan[row[1]] or zero, push.tan[row[2]] or zero))


def sub_rule(push: Push, _: int, row: Row) -> Tangent:
    """z = x - y: dz = dx - dy."""
    zero = (ZERO,) * push.directions
    return tuple(map(push.b.sub, push.tan[row[1]] or zero, push.tan[row[2]] or zero))


def mul_rule(push: Push, _: int, row: Row) -> Tangent:
    """z = x · y: dz = y · dx + x · dy."""
    return _sum(push, row[1:], (push.env[row[2]], push.env[row[1]]))


def powi_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = xⁿ: dz = n · xⁿ⁻¹ · dx."""
    (slope,) = SCALARS["powi"].derivative(push.b, push.env[row[1]], row[2], push.env[i])
    return tuple(push.b.mul(slope, dx) for dx in push.tan[row[1]])


# ------------------------------------------------------------ choices and results


def select_rule(push: Push, _: int, row: Row) -> Tangent:
    """z = select(p, x, y): dz = select(p, dx, dy)."""
    return _choose(push, push.env[row[1]], row[2], row[3])


def _choose(push: Push, p: int, x: int, y: int) -> Tangent:
    zero = (ZERO,) * push.directions
    pairs = zip(push.tan[x] or zero, push.tan[y] or zero, strict=True)
    return tuple(push.b.select(p, dx, dy) for dx, dy in pairs)


def proj_rule(push: Push, _: int, row: Row) -> Tangent:
    """Return the tangent that the rule of a call, loop or branch has recorded for one result."""
    tangent: Tangent = push.results[row[1]][row[2]]
    return tangent


# ------------------------------------------------------------ arrays


def index_rule(push: Push, _: int, row: Row) -> Tangent:
    """z = v[k]: dz = dv[k]."""
    return tuple(_element(push, dv, push.env[row[2]]) for dv in push.tan[row[1]])


def _element(push: Push, dv: int, k: int) -> int:
    """Return element k of an array's tangent, or the symbolic zero if the element is 0.0."""
    if not dv:
        return ZERO
    row = push.b.index(dv, k)
    return ZERO if row < 0 and push.b.value(row) == 0.0 else row


def update_rule(push: Push, i: int, row: Row) -> Tangent:
    """z is v with element k replaced by x: dz is dv with element k replaced by dx.

    If x is added to element k instead, then dx is added to element k of dv.
    """
    b, at = push.b, push.env[row[2]]
    zero = (ZERO,) * push.directions
    zeros = b.zeros(push.block.types[i])
    pairs = zip(push.tan[row[1]] or zero, push.tan[row[3]] or zero, strict=True)
    return tuple(b.update(dv or zeros, at, dx, row[0]) if dv or dx else ZERO for dv, dx in pairs)


def stack_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = [x, …]: dz = [dx, …]."""
    of = push.block.types[i]
    element = Array(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf
    columns = [push.tan[a] or (ZERO,) * push.directions for a in row[1]]
    return tuple(push.b.stack(column, element) for column in zip(*columns, strict=True))


# ------------------------------------------------------------ accumulators


def acc_rule(push: Push, i: int, row: Row) -> Tangent:
    """A new accumulator in each direction."""
    length = [push.env[a] for a in row[1]]
    return tuple(push.b.acc(push.block.types[i].dims, length) for _ in range(push.directions))


def acc_index_rule(push: Push, _: int, row: Row) -> Tangent:
    """b = part k of the accumulator a: db = part k of da, for each direction."""
    return tuple(push.b.acc_index(acc, push.env[row[2]]) for acc in push.tan[row[1]])


def add_to_rule(push: Push, _: int, row: Row) -> Tangent:
    """Add dx to the tangents' accumulators. A symbolic zero adds no row."""
    for acc, dx in zip(push.tan[row[1]], push.tan[row[2]], strict=True):
        push.b.add_to(acc, dx)
    return None


def acc_read_rule(push: Push, _: int, row: Row) -> Tangent:
    """Return the sums in the tangents' accumulators."""
    return tuple(push.b.acc_read(acc) for acc in push.tan[row[1]])
