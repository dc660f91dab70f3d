"""The gradient of an energy, made while the energy is: nothing is differentiated that was finished before.

The loops of terms come last in an energy, and what reaches their sums is known: 1, or the weight. So a round
computes its terms and passes on their cotangents at once. The sweep goes over what comes before these loops.
"""

from __future__ import annotations

from typing import Any

from eglantine.analysis.activity import activity
from eglantine.analysis.conditions import conditions
from eglantine.autodiff.reverse import Sweep
from eglantine.ir.primitives import LOWERED
from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import Array
from eglantine.rewrite.environment import identity

from .operations import RULES, Writing

_UNFINISHED = frozenset({"call", "cond", "powi", "update_add", *LOWERED})


class Gradient(Sweep):
    """A block of a graph's operations being differentiated backward."""

    def __init__(self, block: Block, *rest: Any) -> None:
        super().__init__(block, *rest)
        self.rules = block.memo.get(RULES) or {}

    def add_terms(self, body: Writing, term: int, acc: int, ct: int, n: int) -> None:
        """Add a loop of n rounds whose terms go to an accumulator of which `ct` is the cotangent.

        body: its rows; what it captures are rows of the block.
        """
        block = body.finish([term])
        captured = list(zip(block.params[1:], body.captured, strict=True))
        act = activity(block, [False, *(self.act.flags[a] for _, a in captured)])
        accs = {
            param: self._outer(body, a)
            for param, a in captured
            if isinstance(block.types[param], Array) and act.flags[param]
        }
        sweep = Gradient(block, body, identity(block), act, conditions(block), accs)
        sweep.contribute(term, body.capture(ct))
        sweep.run()
        sums = self._scalar_sums(sweep, body, captured)
        body.add_to(body.capture(acc), term)
        self.b.loop(Loop(body.finish([]), n, n, False, 0), body.captured)
        for a, total in sums:
            self.contribute(a, self.b.acc_read(total))


def gradient_of(block: Block, b: Writing) -> Gradient:
    """A sweep of a block (x, …) by x; `b` goes on where the block ended."""
    active = [k == 0 for k in range(len(block.params))]
    return Gradient(block, b, identity(block), activity(block, active), conditions(block))


def is_ready(block: Block) -> bool:
    """Whether all operations of a block and of its loops have instructions."""
    bodies = [row[2].body for row in block.rows if row[0] == "loop"]
    return all(_UNFINISHED.isdisjoint(one.operations) for one in (block, *bodies))
