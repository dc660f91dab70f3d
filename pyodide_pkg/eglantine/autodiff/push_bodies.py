"""Rules of the push for loops and branches.

A loop with tangents carries (c, dc …), and its results are (c, dc …, y, dy …). The arms of a branch with
tangents return (y, dy …).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.analysis.activity import Activity
from eglantine.analysis.liveness import Live
from eglantine.ir.builder import Builder, unify
from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import ZERO, Row, RowType
from eglantine.rewrite.copying import copy_rows
from eglantine.rewrite.environment import PLAIN, new_env
from eglantine.rewrite.nested import finish_cond

from .push import Push, Tangent


class _Body:
    """Rebuilds the body of a loop or branch, together with its tangents, in a new builder."""

    def __init__(self, outer: Push, block: Block, b: Builder, act: Activity, live: Live) -> None:
        self.outer, self.block, self.b = outer, block, b
        tan: list[Any] = [None] * (len(block.rows) + len(block.consts))
        self.push = Push(outer.rules, block, b, new_env(block, b), tan, act, live, outer.directions)

    def captured(self, a: int) -> tuple[int, Tangent]:
        """Capture a row of the surrounding block and its tangent. Return the body's rows for both."""
        dx = self.outer.tan[a]
        place = self.outer.env[a] or ZERO
        return self.b.capture(place), None if dx is None else tuple(self.b.capture(row) for row in dx)

    def bind(self, primals: Sequence[int], tangents: Sequence[Tangent]) -> None:
        """Set the values and tangents of the body's parameters."""
        push = self.push
        for param, x, dx in zip(self.block.params, primals, tangents, strict=True):
            push.env[param] = x
            push.tan[param] = dx if push.act.flags[param] else None

    def run(self) -> tuple[list[int], list[Tangent]]:
        """Build the values and tangents of all rows. Return the results and their tangents."""
        self.push.run()
        results, env = self.block.results, self.push.env
        ys = [env[row] or self.b.zeros(self.block.type_of(row)) for row in results]
        return ys, [self.push.tan[row] for row in results]


def loop_rule(push: Push, i: int, row: Row) -> Tangent:
    """Build a loop that computes values and tangents. Its carry and its arrays contain both."""
    b, env, directions = push.b, push.env, push.directions
    _, operands, loop = row
    counts, initial, captured = loop.parts(operands)
    params, carried, body, of = loop.params, loop.carried, loop.body, loop.body.result_types
    body_act, body_lives = push.act.nested[i][0], push.live.nested[i][1]
    inner = _Body(push, body, Builder(b), body_act, body_lives[0])
    index = inner.b.param(body.types[params.round])
    active = [body_act.flags[param] for param in params.carries]
    carries = [inner.b.param(body.types[param]) for param in params.carries]
    d_carries: list[Tangent] = [
        tuple(inner.b.param(body.types[param]) for _ in range(directions)) if on else None
        for param, on in zip(params.carries, active, strict=True)
    ]
    captures = [inner.captured(a) for a in captured]
    inner.bind([index, *carries, *(x for x, _ in captures)], [None, *d_carries, *(dx for _, dx in captures)])
    ys, dys = inner.run()
    results_active = push.act.multi[i]
    d_carry = _flatten(push, inner.b, dys[:carried], active, of[:carried])
    d_stack = _flatten(push, inner.b, dys[carried:], results_active[carried:], of[carried:])
    results = [*ys[:carried], *d_carry, *ys[carried:], *d_stack]
    d_initial = _flatten(push, b, [push.tan[a] for a in initial], active, of[:carried])
    test = _copied_test(push, loop, inner.b, captured, body_lives[1]) if loop.test else None
    block = inner.b.finish(results)
    pushed = Loop(block, loop.count, loop.extent, loop.reverse, carried + len(d_carry), test)
    starts = [env[a] or b.zeros(t) for a, t in zip(initial, of, strict=False)]
    rows = b.loop(pushed, [*(env[a] for a in counts), *starts, *d_initial, *inner.b.captured])
    c, d, s = carried, len(d_carry), len(ys) - carried
    env[i] = [*rows[:c], *rows[c + d : c + d + s], *rows[c + d + s + len(d_stack) :]]
    _note(push, i, results_active, [*rows[c : c + d], *rows[c + d + s :]])
    return None


def _copied_test(push: Push, loop: Loop, body: Builder, captured: Sequence[int], live: Live) -> Block:
    """Copy the test of a while loop. The copy has the same parameters as the loop's new body."""
    assert loop.test is not None
    test = Builder(push.b)
    env = new_env(loop.test, test)
    own = len(body.params) - len(body.captured)
    params = [test.param(body.types[row]) for row in body.params[:own]]
    values = [*params[: 1 + loop.carried], *(test.capture(push.env[a] or ZERO) for a in captured)]
    for param, x in zip(loop.test.params, values, strict=True):
        env[param] = x
    copy_rows(loop.test, test, env, PLAIN, live)
    unify([body, test], own)
    return test.finish([env[row] for row in loop.test.results])


def _flatten(
    push: Push, b: Builder, tangents: Sequence[Tangent], active: Sequence[bool], types: Sequence[RowType]
) -> list[int]:
    """List the tangents of each active row, one for each direction. Missing tangents are 0."""
    return [
        row or b.zeros(of)
        for dx, on, of in zip(tangents, active, types, strict=True) if on
        for row in (dx or (ZERO,) * push.directions)
    ]  # fmt: skip


def _note(push: Push, i: int, active: Sequence[bool], flat: Sequence[int]) -> None:
    """Record the tangents of the results of row i.

    flat: for each active result, the rows of its tangents, one for each direction (see `_flatten`).
    """
    rows = iter(flat)
    push.results[i] = [tuple(next(rows) for _ in range(push.directions)) if on else None for on in active]


def branch_rule(push: Push, i: int, row: Row) -> Tangent:
    """Rebuild a branch with tangents. Each arm returns the values, followed by their tangents."""
    _, operands, cond = row
    active = push.act.multi[i]
    arms, results = [], []
    for body, act, live in zip(cond.blocks, push.act.nested[i], push.live.nested[i][1], strict=True):
        inner = _Body(push, body, Builder(push.b, conditional=True), act, live)
        captures = [inner.captured(a) for a in operands[1:]]
        inner.bind([x for x, _ in captures], [dx for _, dx in captures])
        ys, dys = inner.run()
        arms.append(inner.b)
        results.append([*ys, *_flatten(push, inner.b, dys, active, body.result_types)])
    rows = finish_cond(push.b, push.env[operands[0]], arms, results, [True] * len(results[0]))
    n = len(cond.then.results)
    push.env[i] = rows[:n]
    _note(push, i, active, rows[n:])  # type: ignore[arg-type]
    return None
