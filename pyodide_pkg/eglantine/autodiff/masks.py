"""Masks: an arm that is not chosen contributes 0, even if its derivative is infinite.

If only one arm of a `select` uses a row, the row matters only when this arm is chosen. The sweep
differentiates the row as if the arm were always chosen. When it passes the cotangent to an operand that also
matters in other cases, a `select` replaces the cotangent by 0 in these other cases:

    forward   root = sqrt(x); y = select(x > 0, root, 0)
    reverse   ct_root = ct_y;  ct_x += select(x > 0, ct_root * 0.5 / root, 0)
"""

from __future__ import annotations

from eglantine.analysis.conditions import ALWAYS, Conditions, Joint, When, implied
from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import DYNAMIC, I32, ZERO, is_growing
from eglantine.rewrite.environment import Env

from .growing import length


class Masks:
    """Builds masks. A mask replaces a row's contribution by 0 if the row does not matter.

    now: the conditions of the current row, whose rule the sweep is running.
    """

    def __init__(self, block: Block, b: Builder, env: Env, when: When | None) -> None:
        self.block, self.b, self.env = block, b, env
        self.when = when and when._replace(joint=Joint([*when.joint.sets], {**when.joint.numbers}))
        self.now: Conditions = ALWAYS
        self._held: dict[Conditions, int] = {}
        """Set of conditions → the row that is true if all of them hold."""

    def lets_through(self, row: int) -> bool:
        """True if a contribution of the current row to `row` needs no mask."""
        return self.when is None or self.now <= self.when.rows[row]

    def differ(self, row: int, other: int) -> bool:
        """Return whether a contribution of the current row to `row` or `other` may need a mask."""
        if not self.now:
            return False
        assert self.when is not None
        return not (self.when.rows[row] is self.now is self.when.rows[other])

    def where(self, p: int, holds: bool) -> Conditions:
        """Return the conditions of the current row, together with the condition (p, holds)."""
        assert self.when is not None
        return self.when.joint.within(self.now, frozenset({(p, holds)}))

    def masked(self, ct: int, row: int, array: int = ZERO) -> int:
        """Mask a contribution to `row`. Return a row that is `ct` if the current row matters, otherwise 0.

        If the current row matters whenever `row` does, return `ct` itself.
        array: if `ct` is a growing array, a row of an array with as many elements. The default is `row`.
        """
        if not self.now:
            return ct
        assert self.when is not None
        masks = self.now - self.when.rows[row]
        if not masks:
            return ct
        ((p, holds), *others) = masks
        negated = p > 0 and not holds and not others
        condition = self.env[p] if negated else self._all_hold(masks)
        if not is_growing(self.b.type_of(ct)):
            return self.b.select(condition, ZERO, ct) if negated else self.b.select(condition, ct, ZERO)
        return self._masked_by_element(ct, condition, negated, array or row)

    def _masked_by_element(self, ct: int, condition: int, negated: bool, array: int) -> int:
        """Write a loop that masks each element of a growing array's cotangent."""
        body = Builder(self.b)
        i = body.param(I32(0, DYNAMIC - 1))
        element = body.index(body.capture(ct), i)
        arms = (ZERO, element) if negated else (element, ZERO)
        results = [body.select(body.capture(condition), *arms)]
        loop = Loop(body.finish(results), None, DYNAMIC, False, 0)
        count = length(self.block, self.b, self.env, array)
        return self.b.loop(loop, [*count, *body.captured])[0]

    def _all_hold(self, masks: Conditions) -> int:
        """Return a row that is true if all of these conditions hold.

        A negative number in `masks` refers to a large set of conditions. We build the row of such a set only
        once, and use it for all sets that contain the set.
        """
        assert self.when is not None
        joint, held = self.when.joint.sets, self._held
        pending = [] if masks in held else [masks]
        while pending:
            missing = [joint[~p] for p, _ in pending[-1] if p < 0 and joint[~p] not in held]
            if missing:
                pending += missing
                continue
            every = self.b.bool_const(True)
            for p, holds in sorted(self._not_implied(pending[-1]), reverse=True):
                one = self.env[p] if p > 0 else held[joint[~p]]
                every = self.b.bi("and", every, one if holds else self.b.un("not", one))
            held[pending.pop()] = every
        return held[masks]

    def _not_implied(self, masks: Conditions) -> Conditions:
        """Leave out each condition that follows from another condition in `masks`."""
        rows = self.block.rows
        return masks - {
            other for p, holds in masks for other in implied(rows, p, holds) if other != (p, holds)
        }
