"""Rules of the reverse sweep for rows without inner blocks: primitives, choices, arrays and accumulators.

Each rule passes the cotangent of row i on to the row's operands.
"""

from __future__ import annotations

from typing import Any

from eglantine.errors import no_derivative_of
from eglantine.ir.primitives import PRIMITIVES, SCALARS
from eglantine.ir.row_types import ZERO, Array, Row
from eglantine.ir.rules import NO_TANGENT, Chooses

from .slopes import times_slope
from .sweep import Sweep


def inactive_rule(sweep: Sweep, _: int, row: Row) -> None:
    """Raise an error, because this operation has no derivative."""
    raise no_derivative_of(row[0], sweep.b.source)


def constant_rule(_: Sweep, __: int, ___: Any) -> None:
    """Drop the cotangent of an array of constants."""


# ------------------------------------------------------------ primitives


def primitive_rule(sweep: Sweep, i: int, row: Row) -> None:
    """ct_x += ct_z · ∂z/∂x for each operand x. The table of primitives has the partial derivatives."""
    b, env, op, active, cotangents = sweep.b, sweep.env, row[0], sweep.act.flags, sweep.cotangents
    ct = cotangents.numbers[i]
    partials = sweep.partials.get(i) or PRIMITIVES[op].derivative
    if isinstance(partials, Chooses):
        _choose(sweep, partials.first(b, env[row[1]], env[row[2]]), row[1], row[2], ct)
        return
    if partials is NO_TANGENT:
        raise no_derivative_of(op, b.source)
    slopes = sweep.ledger.slopes[i] = partials(b, *[env[a] for a in row[1:]], env[i])
    for a, slope in zip(row[1:], slopes, strict=True):
        if active[a] and (part := times_slope(b, ct, slope)):
            cotangents.contribute(a, part)


def add_rule(sweep: Sweep, i: int, row: Row) -> None:
    """z = x + y: ct_x += ct_z, ct_y += ct_z."""
    ct = sweep.cotangents.numbers[i]
    sweep.contribute(row[1], ct)
    sweep.contribute(row[2], ct)


def sub_rule(sweep: Sweep, i: int, row: Row) -> None:
    """z = x - y: ct_x += ct_z, ct_y -= ct_z."""
    ct = sweep.cotangents.numbers[i]
    sweep.contribute(row[1], ct)
    if sweep.masks.differ(row[1], row[2]):
        sweep.contribute(row[2], sweep.b.neg(ct))
    else:
        sweep.cotangents.subtract(row[2], ct)


def mul_rule(sweep: Sweep, i: int, row: Row) -> None:
    """z = x · y: ct_x += ct_z · y, ct_y += ct_z · x."""
    if sweep.masks.differ(row[1], row[2]):
        primitive_rule(sweep, i, row)
        return
    b, env, active, ct = sweep.b, sweep.env, sweep.act.flags, sweep.cotangents.numbers[i]
    for a, other in ((row[1], row[2]), (row[2], row[1])):
        if active[a]:
            sweep.contribute(a, b.mul(ct, env[other]))


def powi_rule(sweep: Sweep, i: int, row: Row) -> None:
    """z = xⁿ: ct_x += ct_z · n · xⁿ⁻¹."""
    (slope,) = SCALARS["powi"].derivative(sweep.b, sweep.env[row[1]], row[2], sweep.env[i])
    sweep.contribute(row[1], sweep.b.mul(sweep.cotangents.numbers[i], slope))


# ------------------------------------------------------------ choices


def _choose(sweep: Sweep, p: int, x: int, y: int, ct: int) -> None:
    """Contribute `ct` to x if p is true, else to y."""
    if sweep.act.flags[x]:
        sweep.contribute(x, sweep.b.select(p, ct, ZERO))
    if sweep.act.flags[y]:
        sweep.contribute(y, sweep.b.select(p, ZERO, ct))


def select_rule(sweep: Sweep, i: int, row: Row) -> None:
    """Add to the cotangents of the operands x and y of z = select(p, x, y).

    ct_x gets ct_z where p is true, and ct_y gets ct_z where p is false. If x is needed only where p is true,
    ct_x needs no mask. Otherwise this rule masks it. The same holds for y.
    """
    b, env, masks = sweep.b, sweep.env, sweep.masks
    ct = sweep.total(i)
    assert masks.when is not None
    p, now = row[1], masks.now
    for a, holds in ((row[2], True), (row[3], False)):
        if not sweep.act.flags[a]:
            continue
        if p <= 0 or isinstance(sweep.block.types[a], Array) or not now <= masks.when.rows[a]:
            masks.now = masks.where(p, holds)
            sweep.contribute(a, ct)
            masks.now = now
        elif (p, holds) in masks.when.rows[a]:  # no mask is needed, so skip the set operations
            sweep.contribute(a, ct)
        else:
            sweep.contribute(a, b.select(env[p], *((ct, ZERO) if holds else (ZERO, ct))))


# ------------------------------------------------------------ parameters and results


def param_rule(sweep: Sweep, i: int, _: Any) -> None:
    """Add the cotangent of a captured array to its outer accumulator.

    For all other parameters the rule does nothing.
    """
    cotangents = sweep.cotangents
    if i in cotangents.outer:
        gathered = cotangents.arrays[i]
        if gathered.acc is None:
            cotangents.acc_of(i)
        cotangents.flush(gathered)


def proj_rule(sweep: Sweep, i: int, row: Row) -> None:
    """Record the cotangent of a result. The rule of the call, loop or branch reads it later."""
    ct = sweep.masks.masked(sweep.total(i), row[1], i)
    sweep.cotangents.results.setdefault(row[1], {})[row[2]] = ct


# ------------------------------------------------------------ arrays


def index_rule(sweep: Sweep, i: int, row: Row) -> None:
    """z = v[k]: ct_v[k] += ct_z."""
    cotangents = sweep.cotangents
    gathered = cotangents.arrays.get(i)
    if gathered is not None and gathered.acc is not None:  # a view of the accumulator of v
        cotangents.flush(gathered)
    else:
        cotangents.contribute_at(row[1], row[2], cotangents.total(i))


def update_rule(sweep: Sweep, i: int, row: Row) -> None:
    """z is the array v with a new element k: ct_x += ct_z[k], ct_v += ct_z.

    For `update_add`, z[k] is v[k] + x. For `update`, z[k] is x, so ct_v[k] does not change.
    """
    b, at = sweep.b, sweep.env[row[2]]
    ct = sweep.total(i)
    sweep.contribute(row[3], b.index(ct, at))
    sweep.contribute(row[1], ct if row[0] == "update_add" else b.update(ct, at, ZERO))


def stack_rule(sweep: Sweep, i: int, row: Row) -> None:
    """z = [x, …]: ct_x += ct_z[k]."""
    b = sweep.b
    ct = sweep.total(i)
    for k, a in enumerate(row[1]):
        if sweep.act.flags[a]:
            sweep.contribute(a, b.index(ct, b.int_const(k)))


# ------------------------------------------------------------ accumulators


def acc_read_rule(sweep: Sweep, i: int, row: Row) -> None:
    """Record the cotangent of an accumulator's sum. The rows that add to the accumulator read it later."""
    sweep.cotangents.sums[row[1]] = sweep.masks.masked(sweep.total(i), row[1], i)


def add_to_rule(sweep: Sweep, _: int, row: Row) -> None:
    """acc += x: ct_x += ct_acc."""
    if sweep.act.flags[row[2]]:
        sweep.contribute(row[2], sweep.cotangents.of_accumulator(row[1]))
