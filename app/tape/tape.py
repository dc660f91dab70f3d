"""A formula's tape: the compiler's own rows, with all that differentiating them either way computes.

Nothing is differentiated here a second time. Reverse mode is the compiler's sweep, which notes each addition
to a cotangent in a ledger. Forward mode is the compiler's too, and the partial derivatives are those of its
table. All of these are rows of one function, so that one module computes every number that the page shows.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import eglantine as eg
from app.algebra.expressions import is_undefined
from app.algebra.recognised import constant, from_rows
from app.algebra.tex import tex
from eglantine import Fn, formulas
from eglantine.inside import (
    F64,
    NO_TANGENT,
    SCALARS,
    ZERO,
    Array,
    Block,
    Builder,
    Chooses,
    Function,
    Ledger,
    activity,
    begin_sweep,
    block_of,
    fused,
    identity,
    operands,
    push,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.algebra.expressions import Expr

NAMES = ("x", "y")
"""The variables of the page's formulas."""
MOST_ROWS = 40
"""Operations that the page draws side by side."""
LARGEST_SHOWN = 60
"""How many parts a partial derivative's formula may have to be shown."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tape:
    """What there is to see of a function, and the function of it all.

    nodes: the inputs, then the operations, in the order in which they are computed. Each is a dict, see
        `_node`; numbers are places in what `numbers` returns, or None for a number that is always 0.
    result: which node is the function's value.
    numbers: the function (x…, dx…) → every number there is, one Vec.
    """

    nodes: list[dict[str, Any]]
    result: int
    numbers: Fn


@dataclass(frozen=True, slots=True)
class Contribution:
    """One addition to a cotangent: which row passes it on, through which of its operands."""

    user: int
    position: int
    term: int
    total: int


def tape_of(text: str, names: Sequence[str]) -> Tape:
    """The tape of a formula in the variables `names`.

    Raises: FormulaError, also for a constant; LimitError if it has more than MOST_ROWS operations;
        MissingDerivativeError.
    """
    f = formulas.to_fn(text, names)
    eg.grad(f, tuple(range(len(names))))  # what has no derivative is refused by the compiler, with its place
    block = fused(block_of(f.function))
    if block.results[0] < 0:
        message = f"The formula is a constant, so there is nothing to follow; use {' or '.join(names)} in it."
        raise eg.FormulaError(message)
    live = _live(block)
    if len(live) > MOST_ROWS:
        message = (
            f"The formula has {len(live)} operations; at most {MOST_ROWS} fit in this picture. "
            "Show a part of it."
        )
        raise eg.LimitError(message)
    return _Recording(block, names, live).tape()


def _live(block: Block) -> list[int]:
    """The operations that the result needs, in order."""
    needed = set(block.results)
    for i in range(len(block.rows) - 1, 0, -1):
        if i in needed:
            needed.update(operands(block.rows[i]))
    return [i for i in sorted(needed) if i > 0 and block.rows[i][0] != "param"]


class _Recording:
    """A block, resumed in a builder that also gets the rows of its derivatives."""

    def __init__(self, block: Block, names: Sequence[str], live: Sequence[int]) -> None:
        self.block = block
        self.b = Builder.resume(block)
        self.inputs = list(block.params)
        self.live = live
        self.names = dict(zip(self.inputs, names, strict=True))
        self.names |= {row: f"v{k + 1}" for k, row in enumerate(live)}
        self.slopes = {i: self._slopes(i) for i in live}
        self.directions = [self.b.param(F64) for _ in names]
        self.tangents = self._forward()
        self.cotangents, self.contributions = self._reverse()
        self.kept: dict[int, int] = {}
        """Rows whose numbers are shown, each with its place among them."""

    def _slopes(self, i: int) -> list[int]:
        """The partial derivative of row i by each of its operands, from the compiler's table."""
        b, (op, *rest) = self.b, self.block.rows[i]
        b.source = (self.block.sources[i], op)
        rule = SCALARS[op].derivative
        if isinstance(rule, Chooses):
            first, one, none = rule.first(b, *rest), b.const(1.0), b.const(0.0)
            return [b.select(first, one, none), b.select(first, none, one)]
        return [ZERO] * len(rest) if rule is NO_TANGENT else list(rule(b, *rest, i))

    def _forward(self) -> dict[int, int]:
        """The tangent of each row, by the compiler's forward mode."""
        rows = [*self.inputs, *self.live]
        whole = replace(self.block, results=tuple(rows))
        _, tangents = push(whole, self.b, self.inputs, [(dx,) for dx in self.directions], 1)
        return {row: dy[0] if dy else ZERO for row, dy in zip(rows, tangents, strict=True)}

    def _reverse(self) -> tuple[dict[int, int], dict[int, list[Contribution]]]:
        """The cotangent of each row, and how it came about, by the compiler's sweep."""
        block, b = self.block, self.b
        ledger = Ledger(additions=[])
        assert ledger.additions is not None
        act = activity(block, [True] * len(self.inputs))
        sweep = begin_sweep(block, b, identity(block), act, ledger=ledger)
        sweep.contribute(block.results[0], b.const(1.0))
        seeds = len(ledger.additions)
        sweep.run()
        contributions: dict[int, list[Contribution]] = {}
        seen: Counter[tuple[int, int]] = Counter()
        for i, row, term, total in ledger.additions[seeds:]:
            places = [k for k, a in enumerate(operands(block.rows[i])) if a == row]
            position = places[seen[i, row]]
            seen[i, row] += 1
            contributions.setdefault(row, []).append(Contribution(i, position, term, total))
        return {row: sweep.total(row) for row in self.names}, contributions

    def _share(self, i: int, position: int) -> int:
        """What one operand's tangent adds to that of row i."""
        dx = self.tangents.get(operands(self.block.rows[i])[position], ZERO)
        return self.b.mul(self.slopes[i][position], dx)

    # ------------------------------------------------------------ what is shown

    def tape(self) -> Tape:
        """All of it."""
        nodes = [self._node(row) for row in self.names]
        b, names = self.b, [self.names[row] for row in self.inputs]
        of = Array(F64, (len(self.kept),))
        block = b.finish([b.stack(list(self.kept), F64)])
        function = Function(
            "tape", (eg.Real,) * len(block.params), eg.Vec(len(self.kept), eg.Real), block,
            param_names=(*names, *(f"d{name}" for name in names)),
            leaf_params=block.param_types, leaf_results=(of,),
        )  # fmt: skip
        return Tape(nodes, list(self.names).index(self.block.results[0]), Fn(function))

    def _node(self, row: int) -> dict[str, Any]:
        """One row as the page reads it.

        name, op; power: of "powi" alone; tex: its operation, in the names of its operands.
        operands: {"number": its value, "tex"}, or {"node": which, "slope", "slopeTex", "share"}, where the
            share is what its tangent adds to this row's.
        value, tangent, cotangent: its numbers.
        contributions: the additions to its cotangent in their order: "user", "operand", "term" and "total".
        """
        is_input = row in self.inputs
        given = () if is_input else operands(self.block.rows[row])
        nodes = {place: k for k, place in enumerate(self.names)}
        return {
            "name": self.names[row],
            "op": "input" if is_input else self.block.rows[row][0],
            "power": self.block.rows[row][2] if self.block.rows[row][0] == "powi" else None,
            "tex": None if is_input else self._tex([row], given)[0],
            "operands": [self._operand(row, k, nodes) for k in range(len(given))],
            "value": self._keep(row),
            "tangent": self._keep(self.tangents[row]),
            "cotangent": self._keep(self.cotangents[row]),
            "contributions": [
                {"user": nodes[one.user], "operand": one.position, "term": self._keep(one.term),
                 "total": self._keep(one.total)}
                for one in self.contributions.get(row, ())
            ],
        }  # fmt: skip

    def _operand(self, row: int, k: int, nodes: dict[int, int]) -> dict[str, Any]:
        a = operands(self.block.rows[row])[k]
        if a < 0:
            value = self.b.value(a)
            return {"number": _number(float(value)), "tex": _tex_of(constant(value))}
        slope = self.slopes[row][k]
        return {
            "node": nodes[a],
            "slope": self._keep(slope),
            "slopeTex": self._tex([slope], self.names)[0] if slope else "0",
            "share": self._keep(self._share(row, k)),
        }

    def _tex(self, rows: Sequence[int], known: Iterable[int]) -> list[str | None]:
        """Rows as formulas in the names of others."""
        names = {row: self.names[row] for row in known if row > 0}
        shown = from_rows(self.b.rows, self.b.consts, names, rows, LARGEST_SHOWN)
        return [None if expr is None else _tex_of(expr) for expr in shown]

    def _keep(self, row: int) -> int | None:
        """The place of a row's number; None for the symbolic zero."""
        return self.kept.setdefault(row, len(self.kept)) if row else None


def _number(value: float) -> float | str:
    """A number as JSON has it; one that is not finite by the name that JavaScript reads."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _tex_of(expr: Expr) -> str:
    """The expression's TeX; "" for one that is no number."""
    return "" if is_undefined(expr) else tex(expr)


def compile_tape(text: str, names: Sequence[str] = NAMES) -> dict[str, Any]:
    """A formula's tape as the page takes it: {"nodes", "result", "wasm", "abi", "cost": {"ms", "bytes"}}.

    Raises: as `tape_of`.
    """
    start = time.perf_counter()
    tape = tape_of(text, names)
    artifact = eg.compile_artifact(tape.numbers)
    ms = 1000 * (time.perf_counter() - start)
    return {
        "nodes": tape.nodes,
        "result": tape.result,
        "wasm": artifact.wasm,
        "abi": artifact.abi,
        "cost": {"ms": ms, "bytes": len(artifact.wasm)},
    }


@dataclass(frozen=True, slots=True)
class Preset:
    """A formula that is worth following, and where to begin; the page's texts name it by its id."""

    id: str
    text: str
    point: tuple[float, float]


PRESETS = (
    Preset("survey", "log(x) + x y - sin(y)", (2, 5)),
    Preset("power", "x^y", (2, 3)),
    Preset("distance", "sqrt(x^2 + y^2)", (3, 4)),
    Preset("logistic", "1/(1 + exp(-x))", (0.5, 0)),
    Preset("valley", "(1 - x)^2 + 10 (y - x^2)^2", (-0.6, 0.8)),
    Preset("larger", "max(x y, x + y)", (3, 1)),
)
"""The default first: that of Baydin et al., Automatic differentiation in machine learning: a survey (2018),
Table 2."""
