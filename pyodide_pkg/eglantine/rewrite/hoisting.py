"""Move rows out of a loop if they have the same value in every round.

Before                        After
    loop i:                       y = a * b
        y = a * b                 loop i:
        z = y + v[i]                  z = y + v[i]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from eglantine.analysis.liveness import Live
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import ARITY, PRIMITIVES, operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import Row, interval

from .environment import Env, Options, new_env
from .nested import Nested
from .outermost import farthest_out, outer_element, outer_sum, passed_in
from .plain_rows import copy_plain_row

_MOVABLE = frozenset(PRIMITIVES) | {"select", "powi", "index", "stack"}

_TRAPPING = frozenset({"ifloordiv", "imod", "iquotient", "iremainder"})


def hoist(
    body: Block, b: Builder, outer: dict[int, int], options: Options, live: Live | None, may_not_run: bool
) -> list[int]:
    """Build rows of a loop's body in `b`, outside the loop, if all their operands come from outside.

    outer: maps the body's captured parameters to the captured rows of `b`. We add the hoisted rows to it.
    may_not_run: true if the body may run 0 times. Rows that may trap then stay in the body.
    Returns further rows of `b` that the lowered body captures: one row for each `update_add` in the body
    whose array and index come from outside. The row is the old element of the array. If the addend comes from
    outside too, the row is the sum of the old element and the addend.
    """
    elements: list[int] = []
    if not outer:
        return elements
    env = new_env(body, b)
    is_outside = bytearray(len(body.rows)) + bytearray([1]) * len(body.consts)
    for param, place in outer.items():
        env[param] = place
        is_outside[param] = 1
    for i, row in enumerate(body.rows):
        op = row[0]
        if op not in _MOVABLE:
            is_read = op == "update_add" and options.lower and (not live or live.flags[i])
            if is_read and is_outside[row[1]] and is_outside[row[2]]:
                array, at, x = env[row[1]], env[row[2]], row[3]
                both = is_outside[x]
                elements.append(outer_sum(b, array, at, env[x]) if both else outer_element(b, array, at))
            continue
        n = ARITY[op]
        if n == 2:
            if not (is_outside[row[1]] and is_outside[row[2]]):
                continue
        elif not all(map(is_outside.__getitem__, operands(row))):
            continue
        if (live and not live.flags[i]) or (may_not_run and _may_trap(body, row)) or max(operands(row)) < 0:
            continue
        env[i] = outer[i] = _lift(body, i, b, env, options)
        is_outside[i] = 1
    return elements


def _may_trap(body: Block, row: Row) -> bool:
    """True if a row divides by an index that may be 0."""
    if row[0] not in _TRAPPING:
        return False
    divisor = interval(body.type_of(row[2]))
    return divisor.lo <= 0 <= divisor.hi


def _lift(body: Block, i: int, b: Builder, env: Env, options: Options) -> int:
    """Build row i of a loop's body in the outermost block that has its operands. Return the row of `b`."""
    row = body.rows[i]
    n = ARITY[row[0]]
    uses = [a for a in (row[1] if n < 0 else row[1 : 1 + n]) if a]
    places = {a: env[a] for a in uses}
    target = b
    between: list[Builder] = []
    if not _may_trap(body, row):
        target, places, between = farthest_out(b, places)
    places_in_b = {a: env[a] for a in uses}
    for a, place in places.items():
        env[a] = place
    target.source = body.sources[i]
    copy_plain_row(body, i, target, env, options)
    for a, place in places_in_b.items():
        env[a] = place
    return passed_in(env[i], between)


def drop_captures(b: Builder, results: Iterable[int | None]) -> None:
    """Remove captures that a copied body no longer uses, because the rows that used them have moved out."""
    if not b.captured:
        return
    used = set(results)
    for key in b.rows:
        n = ARITY[key[0]]
        if n == 2:
            used.add(key[1])
            used.add(key[2])
        elif n:
            used.update(key[1] if n < 0 else key[1 : 1 + n])
    own = len(b.params) - len(b.captured)
    used_captures = []
    for number, row in zip(b.params[own:], b.captured, strict=True):
        if number in used:
            used_captures.append((number, row))
        else:
            b.release(number, row)
    if len(used_captures) < len(b.captured):
        b.captured[:] = [row for _, row in used_captures]
        b.reorder_params([*b.params[:own], *(number for number, _ in used_captures)])


def reuse(arm: Nested, b: Builder, outer: Mapping[int, int], live: Live | None) -> None:
    """If the builder `b` around an arm has a row that is equal to a row of the arm, let the arm capture it.

    outer: maps the arm's parameters to the captured rows of `b`.
    """
    env = new_env(arm.block, b)
    for param, place in outer.items():
        env[param] = place
    for i, row in enumerate(arm.block.rows):
        op = row[0]
        if (live is None or live.flags[i]) and (op in PRIMITIVES or op == "index"):
            uses = row[1:]
            places = [env[a] for a in uses]
            if None not in places and (computed := b.known(op, places)):
                env[i] = computed
                arm.env[i] = arm.b.capture(computed)
                arm.b.known(op, [arm.env[a] for a in uses], arm.env[i])
