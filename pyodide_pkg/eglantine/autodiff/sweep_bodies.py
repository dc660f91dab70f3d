"""Rules of the sweep for loops and branches.

The reverse of a loop is a loop that runs from the last round to the first. Its body contains copies of the
forward rows that it needs, followed by the rows of an inner sweep. Accumulators sum the cotangents of
captured scalars and arrays. An example:

    loop k: 0 … n-1  carry c               loop k: n-1 … 0  carry ct_c
        y = sin(c * w)            becomes      c = carries[k]            stored by the forward loop
    return y                                   y = sin(c * w)            the body's rows, copied
                                               ct = ct_c * cos(c * w)    an inner sweep
                                               total_w += ct * c
                                           return ct * w

A new kind of loop needs a rule here, an entry in the table `reverse.BACKWARD`, and code in `residuals` that
chooses the values to store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from eglantine.analysis.activity import Activity
from eglantine.analysis.conditions import When
from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import F64, ZERO, Array, Row
from eglantine.rewrite.copying import copy_rows
from eglantine.rewrite.effects import stripped
from eglantine.rewrite.environment import PLAIN, Env, new_env
from eglantine.rewrite.nested import finish_cond

from .growing import trips
from .plans import Plan, planned
from .residuals import Stored, is_dear
from .sweep import Sweep

Captured = Sequence[tuple[int, int]]
"""The parameters of a body that stand for rows of the surrounding block, each with its row there."""


def body_sweep(
    outer: Sweep, plan: Plan, inner: Builder, env: Env, when: When | None, captured: Captured,
    recalled: Mapping[int, Stored] | None = None,
) -> Sweep:  # fmt: skip
    """Begin a sweep over the body of a loop or branch. `inner` must contain a copy of the body's rows.

    outer: the sweep of the surrounding block. Its accumulators receive the contributions to captured arrays.
    env: for each row of the body, its copy in `inner`.
    """
    body, act = plan.block, plan.act
    accs = {
        param: _acc_outside(outer, inner, a)
        for param, a in captured if isinstance(body.types[param], Array) and act.flags[param]
    }  # fmt: skip
    return Sweep(outer.rules, plan, inner, env, when, accs, outer.partials_of, recalled=recalled)


def _acc_outside(outer: Sweep, inner: Builder, a: int) -> Callable[[], int]:
    return lambda: inner.capture(outer.cotangents.acc_for_body(a))


class _Recalled(NamedTuple):
    """The stored values of a body's rows. The reverse reads them instead of computing them again.

    rows: for each stored row of the body, the row that reads its value.
    deeper: for each loop in the body, the arrays with the values of the loop's stored rows.
    """

    rows: dict[int, int]
    deeper: dict[int, Stored]


def _copied_body(
    outer: Sweep, body: Block, act: Activity, seeds: Sequence[int], inner: Builder, recalled: _Recalled,
    when: When | None, captured: Captured,
) -> Sweep:  # fmt: skip
    """Copy a body's forward rows into `inner`, without effects. Return a sweep over the body.

    seeds: the rows of the body that receive cotangents.
    """
    outer_accs = tuple(k for k, of in enumerate(body.param_types) if of.dtype == "acc")
    plan = planned(body, act, seeds, stripped(body, outer_accs), recalled.deeper)
    env = new_env(plan.forward, inner)
    for row, place in recalled.rows.items():
        env[row] = place
    for param, a in captured:
        if body.types[param].dtype != "acc":
            env[param] = inner.capture(outer.env[a])
    for param in body.params:
        if env[param] is None:
            env[param] = ZERO
    copy_rows(plan.forward, inner, env, PLAIN, None)
    return body_sweep(outer, plan, inner, env, when, captured, recalled.deeper)


def _captured_sums(outer: Sweep, body: Block, inner: Builder, captured: Captured) -> dict[int, int]:
    """Capture the cotangents of a body's accumulators. Return a dict: parameter → captured cotangent."""
    sums = {}
    for param, a in captured:
        if body.types[param].dtype == "acc":
            ct = outer.cotangents.of_accumulator(a)
            if ct:
                sums[param] = inner.capture(ct)
    return sums


def sum_over_rounds(outer: Sweep, sweep: Sweep, inner: Builder, captured: Captured) -> list[tuple[int, int]]:
    """Sum the cotangent of each captured number over all rounds, in a new accumulator.

    Return a pair for each sum: the captured row of the outer block, and the accumulator with the sum.
    sweep: the finished sweep of the body.
    """
    sums = []
    for param, a in captured:
        ct = sweep.cotangents.numbers[param]
        if sweep.block.types[param] == F64 and ct and outer.act.flags[a]:
            acc = outer.b.acc(())
            inner.add_to(inner.capture(acc), ct)
            sums.append((a, acc))
    return sums


def loop_rule(sweep: Sweep, i: int, row: Row) -> None:
    """Build the reverse of loop i, which carries the cotangents of the carries. Contribute its results."""
    _, operands, loop = row
    b, body, act, params = sweep.b, loop.body, sweep.act.nested[i][0], loop.params
    counts, initial, _ = loop.parts(operands)
    captured = loop.captured(operands)
    result_cts = sweep.cotangents.results.get(i, {})
    if loop.count == 0:
        for k, ct in result_cts.items():
            if k < loop.carried:
                sweep.contribute(initial[k], ct)
        return
    inner = type(b)(b)
    index = inner.param(body.types[params.round])
    active = [k for k, param in enumerate(params.carries) if act.flags[param]]
    carry_cts = {k: inner.param(body.types[params.carries[k]]) for k in active}
    sum_cts = _captured_sums(sweep, body, inner, captured)
    if not result_cts and not sum_cts:
        return
    recalled = _recall(sweep, i, inner)
    recalled.rows[params.round] = index
    when = sweep.masks.when and sweep.masks.when.nested[i][0]
    seeds = [body.results[k] for k in carry_cts.keys() | result_cts.keys()]
    round_sweep = _copied_body(sweep, body, act, seeds, inner, recalled, when, captured)
    round_sweep.cotangents.sums.update(sum_cts)
    for k, ct in carry_cts.items():
        round_sweep.contribute(body.results[k], ct)
    for k in range(loop.carried, len(body.results)):
        if k in result_cts:
            round_sweep.contribute(body.results[k], inner.index(inner.capture(result_cts[k]), index))
    round_sweep.run()
    sums = sum_over_rounds(sweep, round_sweep, inner, captured)
    next_cts = [
        round_sweep.total(params.carries[k]) or inner.zeros(inner.types[carry_cts[k]]) for k in active
    ]
    direction = loop.reverse != bool(active)  # independent rounds run in forward order
    backward = Loop(inner.finish(next_cts), loop.count, loop.extent, direction, len(active))
    rounds = [trips(b, sweep.env[i])] if loop.test else [sweep.env[a] for a in counts]
    starts = [result_cts.get(k) or b.zeros(body.types[params.carries[k]]) for k in active]
    initial_cts = b.loop(backward, [*rounds, *starts, *inner.captured])
    sweep.cotangents.flush_bodies()
    for a, acc in sums:
        sweep.contribute(a, b.acc_read(acc))
    for k, ct in zip(active, initial_cts, strict=True):
        sweep.contribute(initial[k], ct)


def _recall(sweep: Sweep, i: int, inner: Builder) -> _Recalled:
    """In each round of the reverse loop, read the values that the forward loop stored in the same round.

    inner: the builder of the reverse loop's body.
    """
    plan, env, index = sweep.plan, sweep.env, inner.params[0]
    returned = {path: env[row] for path, row in plan.returned[i].items()}
    stored = {path: env[row] for path, row in plan.stored[i].items()}
    recalled = _Recalled({}, {})
    for path, array in (returned | sweep.recalled.get(i, {}) | stored).items():
        element = inner.index(inner.capture(array), index)
        if len(path) == 1:
            recalled.rows[path[0]] = element
        else:
            recalled.deeper.setdefault(path[0], {})[path[1:]] = element
    return recalled


def _results_read(sweep: Sweep, i: int, n: int) -> list[int]:
    """Return the copies of the n results of row i, and ZERO for a result that the block does not read."""
    results = [ZERO] * n
    for reader in sweep.readers.get(i, ()):
        results[sweep.block.rows[reader][2]] = sweep.env[reader] or ZERO
    return results


def branch_rule(sweep: Sweep, i: int, row: Row) -> None:
    """Build the reverse of a branch. Its arms return the cotangents of the captured numbers."""
    _, (condition, *args), cond = row
    b, masks = sweep.b, sweep.masks
    result_cts = sweep.cotangents.results.get(i, {})
    wanted = [a for a in dict.fromkeys(args) if sweep.act.flags[a] and sweep.block.types[a] == F64]
    returned = _results_read(sweep, i, len(cond.then.results))
    assert masks.when is not None
    arms, totals = [], []
    for body, act, when in zip(cond.blocks, sweep.act.nested[i], masks.when.nested[i], strict=True):
        inner = Builder(b, conditional=True)
        captured = list(zip(body.params, args, strict=True))
        sum_cts = _captured_sums(sweep, body, inner, captured)
        recalled = _Recalled({}, {})
        for result, value in zip(body.results, returned, strict=True):
            if value and result > 0 and is_dear(body, result):
                recalled.rows[result] = inner.capture(value)
        seeds = [body.results[k] for k in result_cts]
        arm_sweep = _copied_body(sweep, body, act, seeds, inner, recalled, when, captured)
        arm_sweep.cotangents.sums.update(sum_cts)
        for k, ct in result_cts.items():
            arm_sweep.contribute(body.results[k], inner.capture(ct))
        arm_sweep.run()
        arms.append(inner)
        totals.append(_totals_of_arm(arm_sweep, inner, captured, wanted))
    used = [any(column) for column in zip(*totals, strict=True)]
    results = [[ct for ct, on in zip(arm, used, strict=True) if on] for arm in totals]
    passed_on = finish_cond(b, sweep.env[condition], arms, results, [True] * sum(used))
    sweep.cotangents.flush_bodies()
    for a, total in zip([a for a, on in zip(wanted, used, strict=True) if on], passed_on, strict=True):
        sweep.contribute(a, total)  # type: ignore[arg-type]


def _totals_of_arm(sweep: Sweep, inner: Builder, captured: Captured, wanted: Sequence[int]) -> list[int]:
    """For each row in `wanted`, return its cotangent from one arm, or the symbolic zero."""
    totals = dict.fromkeys(wanted, ZERO)
    for param, a in captured:
        if a in totals and sweep.act.flags[param]:
            totals[a] = inner.add(totals[a], sweep.cotangents.numbers[param])
    return [totals[a] for a in wanted]
