"""Find out whether a custom rule is linear in its tangents. Only a linear rule has a transpose.

Each value in a rule has a kind. The value is zero, depends only on the primals, is linear in the tangents, or
is not linear. In the last case the kind is a `Fault`, which names the first such row. A fault counts
only if it reaches a tangent that the rule returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from eglantine.analysis.liveness import acc_root
from eglantine.ir.primitives import PRIMITIVES, operands, total_table
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import Row

from .custom_rules import rule_function
from .once import memoised

NOTHING, FIXED, LINEAR, UNSEEN = range(4)
"""The kinds of values.

NOTHING: zero. FIXED: depends on the primals alone. LINEAR: linear in the tangents. UNSEEN: computed by opaque
functions, whose rows we cannot see. The value is linear if these functions are.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """The kind of a value that is not linear in the tangents.

    what: the predicate of a sentence about the rule, such as "divides by a tangent".
    source: the source of the first row that is not linear.
    """

    what: str
    source: Any


Kind: TypeAlias = int | Fault

_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_OF_ZERO_ZERO = frozenset({"neg", "abs", "sqrt", "floor", "ceil", "trunc", "nearest", "sign", "add", "sub"})
"""Operations whose result is zero if all operands are zero."""


def kinds_of_rule(function: Function) -> list[Kind]:
    """Return the kinds of the tangents that a rule returns, or an empty list if it takes no tangents.

    A returned tangent that depends only on the primals is a fault.
    """
    rule, real_in, _ = rule_function(function)
    block = rule.block
    assert block is not None
    tangents = sum(real_in)
    if not tangents:
        return []
    params = [FIXED] * (len(block.params) - tangents) + [LINEAR] * tangents
    of = _Rows(block, params).run()
    kinds: list[Kind] = []
    for row in block.results[len(function.leaf_results) :]:
        source = block.sources[row] if row > 0 else None
        fault = Fault("returns a tangent that does not depend on the tangents it is given", source)
        kinds.append(fault if of[row] == FIXED else of[row])
    return kinds


def _depends(kind: Kind) -> bool:
    """True if a value depends on tangents."""
    return isinstance(kind, Fault) or kind >= LINEAR


def _joined(source: Any, x: Kind, y: Kind) -> Kind:
    """Return the kind of x + y, which is also the kind of a choice between x and y."""
    if isinstance(x, Fault):
        return x
    if isinstance(y, Fault):
        return y
    if min(x, y) == FIXED and max(x, y) > FIXED:
        what = "adds a tangent and a value that depends on the primals alone, or chooses between them"
        return Fault(what, source)
    return max(x, y)


def _all_joined(source: Any, kinds: Sequence[Kind]) -> Kind:
    total: Kind = NOTHING
    for kind in kinds:
        total = _joined(source, total, kind)
    return total


class _Rows:
    """The kinds of the rows of one block.

    of: the kinds of the rows, then the kinds of the constants, the last constant first.
    multi: for each call, loop or branch, the kinds of its results.
    """

    def __init__(self, block: Block, params: Sequence[Kind]) -> None:
        self.block = block
        consts = [NOTHING if type(c) is float and c == 0.0 else FIXED for c in reversed(block.consts)]
        self.of: list[Kind] = [NOTHING] * len(block.rows) + consts  # type: ignore[assignment]
        self.multi: dict[int, list[Kind]] = {}
        for param, kind in zip(block.params, params, strict=True):
            self.of[param] = kind

    def run(self) -> list[Kind]:
        """Find the kind of every row. Return the list `of`."""
        for i, row in enumerate(self.block.rows):
            _KINDS[row[0]](self, i, row)
        return self.of

    def keep(self, i: int, row: Row) -> None:
        """Leave the kind unchanged: a parameter has the kind of its argument, other rows are zero."""

    def primitive(self, i: int, row: Row) -> None:
        """Derive the kind of a primitive from the kinds of its operands."""
        self.of[i] = _of_primitive(row[0], row, [self.of[a] for a in row[1:]], self.block.sources[i])

    def power(self, i: int, row: Row) -> None:
        """Set the kind of a power: a fault if the base depends on a tangent, else the base's kind."""
        self.of[i] = _changed(self.of[row[1]], "takes a power of a tangent", self.block.sources[i])

    def table(self, i: int, row: Row) -> None:
        """Set the kind of an array of constants: zero if all constants are zero, otherwise `FIXED`."""
        self.of[i] = FIXED if any(row[1]) else NOTHING

    def result(self, i: int, row: Row) -> None:
        """Look up the kind of a result of a call, loop or branch."""
        self.of[i] = self.multi[row[1]][row[2]]

    def add_to(self, i: int, row: Row) -> None:
        """Update the kind of an accumulator to which a value is added."""
        self._add(row[1], self.of[row[2]], self.block.sources[i])

    def acc_read(self, i: int, row: Row) -> None:
        """Set the kind of an array that is read from an accumulator to the accumulator's kind."""
        self.of[i] = self.of[acc_root(self.block, row[1])]

    def parts(self, i: int, row: Row) -> None:
        """Join the kinds of the operands of a choice or of an array operation.

        If the condition or index has a fault, the result has this fault.
        """
        self.of[i] = self._of_parts(row, self.block.sources[i])

    def _of_parts(self, row: Row, source: Any) -> Kind:
        number = {"select": (1,), "index": (2,), "update": (2,), "update_add": (2,)}.get(row[0], ())
        for place in number:
            if isinstance(fault := self.of[row[place]], Fault):
                return fault
        parts = [a for k, a in enumerate(operands(row), 1) if k not in number]
        return _all_joined(source, [self.of[a] for a in parts])

    def _add(self, acc: int, kind: Kind, source: Any) -> None:
        root = acc_root(self.block, acc)
        self.of[root] = _joined(source, self.of[root], kind)

    def _add_captured(self, inner: _Rows, params: Sequence[int], args: Sequence[int], source: Any) -> bool:
        """Update the kinds of the accumulators that a body captures. Return whether a kind changed."""
        changed = False
        for param, a in zip(params, args, strict=True):
            if a > 0 and self.block.types[a].dtype == "acc":
                root = acc_root(self.block, a)
                before = self.of[root]
                self._add(a, inner.of[param], source)
                changed = changed or self.of[root] != before
        return changed

    def _captured(self, a: int) -> Kind:
        is_acc = a > 0 and self.block.types[a].dtype == "acc"
        return self.of[acc_root(self.block, a)] if is_acc else self.of[a]

    def call(self, i: int, row: Row) -> None:
        """Record the kinds of a call's results."""
        _, args, function = row
        self.multi[i] = _of_call(function, [self.of[a] for a in args], self.block.sources[i])

    def loop(self, i: int, row: Row) -> None:
        """Find the kinds of a loop's results.

        Analyse the body repeatedly until the kinds of its carries and accumulators no longer change.
        """
        _, args, loop = row
        source, body, carried = self.block.sources[i], loop.body, loop.carried
        trips, inits, captured = loop.parts(args)
        carry = [self.of[a] for a in inits]
        ends = [self.of[a] for a in trips]
        changed = True
        while changed:
            given = [FIXED, *carry, *map(self._captured, captured)]
            inner = _Rows(body, given)
            of = inner.run()
            results = [of[a] for a in body.results]
            grown = [_joined(source, x, y) for x, y in zip(carry, results, strict=False)]
            added = self._add_captured(inner, loop.params.captures, captured, source)
            changed = added or grown != carry
            carry = grown
        if loop.test:
            ends.append(_Rows(loop.test, given).run()[loop.test.results[0]])
        self.multi[i] = self._decided(ends, [*carry, *results[carried:], FIXED], captured)

    def cond(self, i: int, row: Row) -> None:
        """Record the kinds of a branch's results."""
        _, (p, *args), cond = row
        source = self.block.sources[i]
        arms = []
        for body in cond.blocks:
            inner = _Rows(body, [*map(self._captured, args)])
            of = inner.run()
            arms.append([of[a] for a in body.results])
            self._add_captured(inner, body.params, args, source)
        kinds = [_joined(source, x, y) for x, y in zip(*arms, strict=True)]
        self.multi[i] = self._decided([self.of[p]], kinds, args)

    def _decided(self, by: Sequence[Kind], kinds: list[Kind], captured: Sequence[int]) -> list[Kind]:
        """Return the kinds of the results of a branch or loop.

        by: the kind of the branch's condition, or the kinds of the rows that determine the number of rounds.
        If one of these kinds is a fault, a tangent decides which code runs. Then this fault is the kind of
        every result and of every captured accumulator. Otherwise return `kinds`.
        """
        for fault in by:
            if isinstance(fault, Fault):
                for a in captured:
                    if a > 0 and self.block.types[a].dtype == "acc":
                        self._add(a, fault, fault.source)
                return [fault] * len(kinds)
        return kinds


_KINDS: Final[Mapping[str, Callable[[_Rows, int, Any], None]]] = total_table(
    "linearity",
    {
        **dict.fromkeys(PRIMITIVES, _Rows.primitive),
        **dict.fromkeys(("zero", "param", "zeros", "acc", "acc_index", "print", "require"), _Rows.keep),
        **dict.fromkeys(("select", "stack", "index", "update", "update_add", "check"), _Rows.parts),
        "powi": _Rows.power,
        "table": _Rows.table,
        "proj": _Rows.result,
        "add_to": _Rows.add_to,
        "acc_read": _Rows.acc_read,
        "call": _Rows.call,
        "loop": _Rows.loop,
        "cond": _Rows.cond,
    },
)
"""For each operation, the method that finds the kind of a row with this operation."""


def _of_primitive(op: str, row: Row, kinds: list[Kind], source: Any) -> Kind:
    """The kind of a primitive's result."""
    for kind in kinds:
        if isinstance(kind, Fault):
            return kind
    x, y = kinds[0], kinds[-1]
    assert isinstance(x, int)
    assert isinstance(y, int)
    if (op == "sub" and row[1] == row[2]) or (op == "mul" and NOTHING in (x, y)):
        return NOTHING
    if max(x, y) < LINEAR:
        zero = x == NOTHING and (op == "div" or (op in _OF_ZERO_ZERO and y == NOTHING))
        return NOTHING if zero else FIXED
    match op:
        case "add" | "sub":
            return _joined(source, x, y)
        case "neg":
            return x
        case "mul" if min(x, y) == FIXED:
            return max(x, y)
        case "mul":
            return Fault("multiplies a tangent by a tangent", source)
        case "div" if y < LINEAR:
            return x
        case "div":
            return Fault("divides by a tangent", source)
    what = "compares a tangent" if op in _COMPARISONS else f"takes `{op}` of a tangent"
    return Fault(what, source)


def _changed(kind: Kind, what: str, source: Any) -> Kind:
    return kind if isinstance(kind, Fault) or kind < LINEAR else Fault(what, source)


def _of_call(function: Function, kinds: list[Kind], source: Any) -> list[Kind]:
    """Return the kinds of a call's results. `kinds` contains the kinds of the arguments."""
    n = len(function.leaf_results)
    for kind in kinds:
        if isinstance(kind, Fault):
            return [kind] * n
    if function.transposed is not None:
        residuals = len(kinds) - function.linear
        if any(map(_depends, kinds[:residuals])):
            what = f"calls {function.name}, a linear map, with an operator that depends on a tangent"
            return [Fault(what, source)] * n
        return [_all_joined(source, kinds[residuals:])] * n
    depends = any(map(_depends, kinds))
    if function.block is None or (not depends and NOTHING not in kinds):
        return [UNSEEN if depends else FIXED] * n
    return list(memoised(function, ("kinds", *kinds), partial(_of_results, function, kinds)))


def _of_results(function: Function, kinds: Sequence[Kind]) -> list[Kind]:
    assert function.block is not None
    of = _Rows(function.block, kinds).run()
    return [of[row] for row in function.block.results]
