"""The push: visit the rows of a block in order, and build the tangents of each active row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eglantine.analysis.activity import Activity
from eglantine.analysis.liveness import Live
from eglantine.errors import no_derivative_of
from eglantine.ir.builder import Builder
from eglantine.ir.folding import ARITHMETIC
from eglantine.ir.program import NESTING, Block
from eglantine.rewrite.copying import copy_row
from eglantine.rewrite.environment import PLAIN, Env

Tangent = tuple[int, ...] | None
"""One row for each direction, or None if there is no tangent at all.

A symbolic zero among these rows means that there is no tangent in that direction.
"""

PushRule = Callable[["Push", int, Any], Tangent]
"""`rule(push, i, row)` returns the tangent of row i.

The rules of calls, loops and branches return None and record the tangents of the results in `push.results`.
"""

STRUCTURED = frozenset({"call", *NESTING})
"""Operations whose rules build the values and the tangents together.

An active row with such an operation is not copied, because its rule builds the values.
"""


class Push:
    """The state of forward mode while it differentiates one block. It builds the tangents in `b`.

    rules: for each operation, its rule.
    env: for each row, its copy in `b`, or None if the row is not copied yet.
    tan: for each row and constant, its tangent.
    act: the rows that carry a tangent.
    live: the rows that are needed.
    directions: the number of directions.
    results: for each call, loop or branch, the tangents of its results.
    """

    def __init__(
        self, rules: Mapping[str, PushRule], block: Block, b: Builder, env: Env, tan: list[Any],
        act: Activity, live: Live, directions: int,
    ) -> None:  # fmt: skip
        self.rules, self.block, self.b, self.env, self.tan = rules, block, b, env, tan
        self.act, self.live, self.directions = act, live, directions
        self.results: dict[int, list[Tangent]] = {}

    def run(self) -> None:
        """Go over the rows in order."""
        block, b, env, tan = self.block, self.b, self.env, self.tan
        live, active = self.live, self.act.flags
        for i, row in enumerate(block.rows):
            op = row[0]
            if not live.flags[i] or op == "param" or not i:
                continue
            if env[i] is not None:
                pass
            elif op in ARITHMETIC:
                b.source = block.sources[i]
                env[i] = ARITHMETIC[op](b, env[row[1]], env[row[2]])
            elif op in STRUCTURED and self._is_active(i):
                b.source = (block.sources[i], op)
                self._rule_of(op)(self, i, row)
                continue
            else:
                copy_row(block, i, b, env, PLAIN, live)
            if active[i] or (op == "add_to" and tan[row[2]] is not None):
                b.source = (block.sources[i], op)
                tan[i] = self._rule_of(op)(self, i, row)

    def _rule_of(self, op: str) -> PushRule:
        rule = self.rules.get(op)
        if rule is None:
            raise no_derivative_of(op, self.b.source)
        return rule

    def _is_active(self, i: int) -> bool:
        """True if a call, loop or branch has a result or an accumulator with a tangent."""
        if any(self.act.multi[i]):
            return True
        return any(
            self.act.flags[a] for a in self.block.rows[i][1] if a > 0 and self.block.types[a].dtype == "acc"
        )
