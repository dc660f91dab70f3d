"""The sweep: visit the rows of a block from the end. Each row contributes to its operands' cotangents.

The loop of `Sweep.run` itself handles the most frequent operations, because calls would be slow. For any
other operation it calls the rule in the table `reverse.BACKWARD`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from eglantine.analysis.conditions import ALWAYS, When
from eglantine.errors import no_derivative_of
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import NESTING
from eglantine.rewrite.environment import Env

from .cotangents import Cotangents
from .ledger import Ledger, PartialsOf, only_the_table
from .masks import Masks
from .plans import Plan
from .residuals import Stored
from .slopes import over_root

Rule = Callable[["Sweep", int, Any], None]
"""`rule(sweep, i, row)` passes the cotangent of row i on to its operands."""

ELSEWHERE = frozenset({"add_to", "call", *NESTING})
"""Operations whose rules run even if the row itself has no cotangent.

The cotangents belong to the row's results or to an accumulator.
"""


class Sweep:
    """The state of reverse mode while it differentiates one block. It builds new rows in `b`.

    A caller sets the cotangents of the results with `contribute`, calls `run`, and reads the cotangents of
    the parameters with `total`.

    rules: for each operation, its rule.
    plan: the block, its active rows, and the values that its forward rows keep.
    env: for each forward row of the plan, its copy in `b`.
    when: the conditions under which each row matters, or None if all rows always matter.
    outer: for each array parameter of a body, a function that returns the accumulator of its contributions.
    partials_of: returns partial derivatives that replace those of the table (see `PartialsOf`).
    ledger: the record of the sweep's work.
    recalled: for each loop, the rows of `b` with arrays that an outer loop has stored.
    """

    def __init__(
        self, rules: Mapping[str, Rule], plan: Plan, b: Builder, env: Env, when: When | None,
        outer: Mapping[int, Callable[[], int]] | None = None, partials_of: PartialsOf = only_the_table,
        ledger: Ledger | None = None, recalled: Mapping[int, Stored] | None = None,
    ) -> None:  # fmt: skip
        block, act = plan.block, plan.act
        self.rules, self.plan, self.block, self.b, self.env, self.act = rules, plan, block, b, env, act
        self.partials_of, self.partials = partials_of, partials_of(block)
        self.ledger = ledger or Ledger()
        self.masks = Masks(block, b, env, when)
        self.cotangents = Cotangents(
            block, b, env, act.flags, self.masks, outer or {}, self.ledger.additions
        )  # fmt: skip
        self.contribute, self.total = self.cotangents.contribute, self.cotangents.total
        self.recalled = recalled or {}

    @cached_property
    def readers(self) -> dict[int, list[int]]:
        """Maps each call, loop or branch to the rows that read its results."""
        readers: dict[int, list[int]] = {}
        for i, row in enumerate(self.block.rows):
            if row[0] == "proj":
                readers.setdefault(row[1], []).append(i)
        return readers

    def run(self) -> None:
        """Go over the rows from the end."""
        if self.ledger.additions is None:
            self._run_fast()
        else:
            self.run_by_rules()
        self.masks.now = ALWAYS

    def run_by_rules(self) -> None:
        """Visit the rows from the end, and call each row's rule. `_run_fast` does the same in less time."""
        block, b, cotangents, masks = self.block, self.b, self.cotangents, self.masks
        for i in range(len(block.rows) - 1, 0, -1):
            row = block.rows[i]
            if masks.when is not None:
                masks.now = masks.when.rows[i]
            if cotangents.numbers[i] or i in cotangents.arrays or row[0] in ELSEWHERE:
                b.source = (block.sources[i], row[0])
                cotangents.user = i
                self._rule_of(row[0])(self, i, row)

    def _run_fast(self) -> None:  # noqa: C901, PLR0912 - a call for each common row would be slow
        block, b, env, ct, active = self.block, self.b, self.env, self.cotangents.numbers, self.act.flags
        masks, arrays = self.masks, self.cotangents.arrays
        rows, sources, when, now = block.rows, block.sources, masks.when and masks.when.rows, ALWAYS
        for i in range(len(rows) - 1, 0, -1):
            c = ct[i]
            row = rows[i]
            op = row[0]
            if when is not None:
                now = masks.now = when[i]
            if c:
                b.source = (sources[i], op)
                if now and when and op in PRIMITIVES and not (when[row[1]] is now is when[row[-1]]):
                    self._rule_of(op)(self, i, row)
                elif op == "mul":
                    x, y = row[1], row[2]
                    if active[x]:
                        part = b.mul(c, env[y])
                        ct[x] = b.add(ct[x], part) if ct[x] else part
                    if active[y]:
                        part = part if x == y else b.mul(c, env[x])
                        ct[y] = b.add(ct[y], part) if ct[y] else part
                elif op == "add":
                    x, y = row[1], row[2]
                    if active[x]:
                        ct[x] = b.add(ct[x], c) if ct[x] else c
                    if active[y]:
                        ct[y] = b.add(ct[y], c) if ct[y] else c
                elif op == "sub":
                    x, y = row[1], row[2]
                    if active[x]:
                        ct[x] = b.add(ct[x], c) if ct[x] else c
                    if active[y]:
                        ct[y] = b.sub(ct[y], c)
                elif op == "sqrt" and i not in self.partials and (root := env[i]) > 0:
                    x, half = row[1], b.const(0.5)
                    part = over_root(b, c, half, root) or b.mul(c, b.div(half, root))
                    ct[x] = b.add(ct[x], part) if ct[x] else part
                else:
                    self._rule_of(op)(self, i, row)
            elif i in arrays or op in ELSEWHERE:
                b.source = (sources[i], op)
                self._rule_of(op)(self, i, row)

    def _rule_of(self, op: str) -> Rule:
        rule = self.rules.get(op)
        if rule is None:
            raise no_derivative_of(op, self.b.source)
        return rule
