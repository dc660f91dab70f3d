"""Build the gradient of an energy together with the energy itself.

The last loops of an energy add up its terms. We know the cotangents of their sums in advance: 1 for
objectives, and the weight for constraints. So each round can compute its term and also the term's
contribution to the gradient. Reverse mode then differentiates only the rows before these loops.
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
    """Begin the reverse sweep that differentiates a block with respect to its first parameter, x.

    b: the builder that receives the rows of the block and of the derivatives.
    """
    active = [k == 0 for k in range(len(block.params))]
    plan = planned(block, activity(block, active), block.results)
    b.extend(plan.forward)
    return begin_sweep(plan, b, partials_of=_partials_of)


def _partials_of(block: Block) -> Mapping[int, Any]:
    """Return the entry of RULES for a block: derivative rules for some of its rows."""
    return RULES.get(block, None) or {}


def add_terms(outer: Sweep, body: Writing, term: int, acc: int, ct: int, n: int) -> None:
    """Build a loop of n rounds that adds the term of each round to the accumulator `acc`.

    Also differentiate the loop.
    outer: the reverse sweep of the block around the loop.
    body: the builder of the loop's body. It captures rows of the block around the loop.
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
    """True if Wasm has instructions for all operations of a block, so that it needs no optimisation."""
    bodies = [row[2].body for row in block.rows if row[0] == "loop"]
    return all(_UNFINISHED.isdisjoint(one.operations) for one in (block, *bodies))
