"""Build the gradient of an energy together with the energy itself.

The loops of terms come last in an energy, and the cotangents of their sums are known: 1 for objectives, the
weight for constraints. So each round can compute its term and contribute the cotangents straight away. The
reverse sweep only covers the rows before these loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eglantine.analysis.activity import activity
from eglantine.analysis.conditions import conditions
from eglantine.autodiff.plans import planned
from eglantine.autodiff.reverse import begin_sweep
from eglantine.autodiff.sweep import Sweep
from eglantine.autodiff.sweep_bodies import body_sweep, sum_over_rounds
from eglantine.ir.primitives import LOWERED
from eglantine.ir.program import Block, Loop
from eglantine.rewrite.environment import identity

from .operations import RULES, Writing

_UNFINISHED = frozenset({"call", "cond", "powi", "update_add", *LOWERED})


def gradient_of(block: Block, b: Writing) -> Sweep:
    """Begin a sweep that differentiates a block (x, …) by x. `b` is the builder of the block's rows."""
    active = [k == 0 for k in range(len(block.params))]
    plan = planned(block, activity(block, active), block.results)
    b.extend(plan.forward)
    return begin_sweep(plan, b, partials_of=_partials_of)


def _partials_of(block: Block) -> Mapping[int, Any]:
    """The derivatives that RULES gives to some rows of a block."""
    return RULES.get(block, None) or {}


def add_terms(outer: Sweep, body: Writing, term: int, acc: int, ct: int, n: int) -> None:
    """Build a loop of n rounds that adds each round's term to the accumulator `acc`, and differentiate it.

    outer: the sweep of the block around the loop.
    body: the loop's rows. It captures rows of that block.
    ct: the cotangent of the accumulator.
    """
    block = body.finish([term])
    captured = list(zip(block.params[1:], body.captured, strict=True))
    plan = planned(block, activity(block, [False, *(outer.act.flags[a] for _, a in captured)]), [term])
    body.extend(plan.forward)
    sweep = body_sweep(outer, plan, body, identity(plan.forward), conditions(block), captured)
    sweep.contribute(term, body.capture(ct))
    sweep.run()
    sums = sum_over_rounds(outer, sweep, body, captured)
    body.add_to(body.capture(acc), term)
    outer.b.loop(Loop(body.finish([]), n, n, False, 0), body.captured)
    for a, total in sums:
        outer.contribute(a, outer.b.acc_read(total))


def is_ready(block: Block) -> bool:
    """True if a block can be emitted as it is, because all its operations have Wasm instructions."""
    bodies = [row[2].body for row in block.rows if row[0] == "loop"]
    return all(_UNFINISHED.isdisjoint(one.operations) for one in (block, *bodies))
