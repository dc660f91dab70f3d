"""Make a formula's tape: its rows in the compiler, and all numbers of forward mode and reverse mode.

This module does not differentiate anything itself. It uses the compiler's forward mode, reverse mode and
partial derivatives. Reverse mode also records each addition to a cotangent in a ledger. All results are rows
of one function, so one WebAssembly module computes every number that the page shows.
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
    operands,
    planned,
    push,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.algebra.expressions import Expr

NAMES = ("x", "y")
"""The names of the variables in the page's formulas."""
MOST_ROWS = 40
"""The largest number of operations of a formula. The page has no room for more."""
LARGEST_SHOWN = 60
"""The largest number of parts of a partial derivative's formula that is shown."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tape:
    """Everything that the page shows about a formula, and the function that computes the shown numbers.

    nodes: the inputs, then the operations in the order of computation, as dicts (see `_node`). For each
        computed number, a dict has the number's index in the result of `numbers`, or None if the number is
        always 0.
    result: the position in `nodes` of the formula's value.
    numbers: the function (x…, dx…) → all shown numbers as one Vec.
    """

    nodes: list[dict[str, Any]]
    result: int
    numbers: Fn


@dataclass(frozen=True, slots=True)
class Contribution:
    """One addition to a cotangent.

    user: the row that contributes. It adds a term to the cotangent of one of its operands.
    position: the position of the operand in `user`.
    term, total: the row of the added term, and the row of the sum after the addition.
    """

    user: int
    position: int
    term: int
    total: int


CONDITIONAL = frozenset(("select", "lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not", "xor"))
"""Operations on conditions."""


def tape_of(text: str, names: Sequence[str]) -> Tape:
    """Make the tape of a formula in the variables `names`.

    Raises:
        FormulaError: the text is not a formula, or it is a constant.
        LimitError: the formula has more than MOST_ROWS operations.
        MissingDerivativeError: an operation of the formula has no derivative.
    """
    f = formulas.to_fn(text, names)
    # raise an error with a place in the text if an operation of f has no derivative
    eg.grad(f, tuple(range(len(names))))
    block = fused(block_of(f.function))
    if block.results[0] < 0:
        message = f"The formula is a constant, so there is nothing to follow. Use {' or '.join(names)} in it."
        raise eg.FormulaError(message)
    live = _live(block)
    if any(block.rows[i][0] in CONDITIONAL for i in live):
        message = (
            "The formula has a condition, but this picture shows only operations on numbers. "
            "Show one case of it."
        )
        raise eg.FormulaError(message)
    if len(live) > MOST_ROWS:
        message = (
            f"The formula has {len(live)} operations, but at most {MOST_ROWS} fit in this picture. "
            "Show a part of it."
        )
        raise eg.LimitError(message)
    return _Recording(block, names, live).tape()


def _live(block: Block) -> list[int]:
    """List the rows of the operations that affect the result, in order."""
    needed = set(block.results)
    for i in range(len(block.rows) - 1, 0, -1):
        if i in needed:
            needed.update(operands(block.rows[i]))
    return [i for i in sorted(needed) if i > 0 and block.rows[i][0] != "param"]


class _Recording:
    """Appends the rows of the derivatives to a formula's rows."""

    def __init__(self, block: Block, names: Sequence[str], live: Sequence[int]) -> None:
        self.block = block
        self.b = Builder.resume(block)
        self.inputs = list(block.params)
        self.live = live
        self.names = dict(zip(self.inputs, names, strict=True))
        self.names |= {row: f"v{k + 1}" for k, row in enumerate(live)}
        self.slopes = {i: self._slopes(i) for i in live}
        self.directions = [self.b.param(F64) for _ in names]
        self.tangents = {row: dy[0] for row, dy in self._forward([(dx,) for dx in self.directions]).items()}
        one = self.b.const(1.0)
        self.chunk = self._forward([
            tuple(one if i == k else ZERO for i in range(len(names))) for k in range(len(names))
        ])  # fmt: skip
        self.cotangents, self.contributions = self._reverse()
        self.kept: dict[int, int] = {}
        """The place of each shown row in the result of `numbers`."""

    def _slopes(self, i: int) -> list[int]:
        """Append rows for the partial derivatives of row i with respect to its operands."""
        b, (op, *rest) = self.b, self.block.rows[i]
        b.source = (self.block.sources[i], op)
        rule = SCALARS[op].derivative
        if isinstance(rule, Chooses):
            first, one, none = rule.first(b, *rest), b.const(1.0), b.const(0.0)
            return [b.select(first, one, none), b.select(first, none, one)]
        return [ZERO] * len(rest) if rule is NO_TANGENT else list(rule(b, *rest, i))

    def _forward(self, directions: Sequence[tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """Append rows for the tangents of all rows, by the compiler's forward mode.

        directions: for each input, a list with the input's tangent for each direction. One pass of forward
            mode computes all directions.
        """
        count = len(directions[0])
        rows = [*self.inputs, *self.live]
        whole = replace(self.block, results=tuple(rows))
        _, tangents = push(whole, self.b, self.inputs, directions, count)
        return {row: tuple(dy or (ZERO,) * count) for row, dy in zip(rows, tangents, strict=True)}

    def _reverse(self) -> tuple[dict[int, int], dict[int, list[Contribution]]]:
        """Append the rows of reverse mode. Return the rows of the cotangents, and the additions to each."""
        block, b = self.block, self.b
        ledger = Ledger(additions=[])
        assert ledger.additions is not None
        plan = planned(block, activity(block, [True] * len(self.inputs)), block.results)
        # a formula has no loops, so reverse mode adds rows and does not change the block's own rows
        sweep = begin_sweep(plan, b, ledger=ledger)
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
        """Append a row for one term of row i's tangent: (derivative by an operand) · (operand's tangent)."""
        dx = self.tangents.get(operands(self.block.rows[i])[position], ZERO)
        return self.b.mul(self.slopes[i][position], dx)

    # ------------------------------------------------------------ the shown nodes

    def tape(self) -> Tape:
        """Build the tape. Describe the nodes first: `_node` collects the results of `Tape.numbers`."""
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
        """Describe a row for the page.

        name, op: the row's name and operation.
        power: the exponent of "powi", else None.
        tex: the operation as a formula in the names of its operands.
        operands: a constant operand is {"number": the constant's value, "tex"}. Every other operand is
            {"node": the operand's position in `nodes`, "slope", "slopeTex", "share"}. "slope" is the row's
            derivative with respect to the operand. "share" is the term that the operand adds to the row's
            tangent.
        value, tangent, cotangent: the indices of these numbers in the result of `numbers`.
        chunk: the indices of the row's derivatives with respect to each input, from one forward pass.
        contributions: the additions to the row's cotangent: {"user", "operand", "term", "total"}.
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
            "chunk": [self._keep(dy) for dy in self.chunk[row]],
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
        """Write rows as TeX formulas. Rows in `known` appear in a formula as names."""
        names = {row: self.names[row] for row in known if row > 0}
        shown = from_rows(self.b.rows, self.b.consts, names, rows, LARGEST_SHOWN)
        return [None if expr is None else _tex_of(expr) for expr in shown]

    def _keep(self, row: int) -> int | None:
        """Let the page show the number that a row computes.

        Return the number's index in the result of `numbers`, or None for a symbolic zero (always 0).
        """
        return self.kept.setdefault(row, len(self.kept)) if row else None


def _number(value: float) -> float | str:
    """Convert a number for JSON. JSON has no infinity and no NaN, so these become their JavaScript names."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _tex_of(expr: Expr) -> str:
    """Return the expression's TeX, or "" if the expression is undefined."""
    return "" if is_undefined(expr) else tex(expr)


def compile_tape(text: str, names: Sequence[str] = NAMES) -> dict[str, Any]:
    """Compile a formula's tape for the page: {"nodes", "result", "wasm", "abi", "cost": {"ms", "bytes"}}.

    Raises: the errors that `tape_of` lists.
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
    """An example: a formula, the point that the page shows first, and the id of its title."""

    id: str
    text: str
    point: tuple[float, float]


PRESETS = (
    Preset("survey", "log(x) + x y - sin(y)", (2, 5)),
    Preset("slides", "sin(x) cos(y)", (1, 1)),
    Preset("power", "x^y", (2, 3)),
    Preset("distance", "sqrt(x^2 + y^2)", (3, 4)),
    Preset("logistic", "1/(1 + exp(-x))", (0.5, 0)),
    Preset("valley", "(1 - x)^2 + 10 (y - x^2)^2", (-0.6, 0.8)),
    Preset("larger", "max(x y, x + y)", (3, 1)),
)
"""The examples that the page offers. The page shows the first of them when it opens. This example comes from
Table 2 of Baydin et al., Automatic differentiation in machine learning: a survey (2018)."""
