"""Turn the graph of an energy into a function of rows, so that it can be differentiated and compiled.

Terms have the same shape if they consist of the same operations. If enough terms have the same shape, each
becomes a round of one loop. We write out all other terms one by one. This code runs in Pyodide and on
CPython, and imports only the compiler.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any, NamedTuple

import eglantine as eg
from eglantine.functions.fn import Fn
from eglantine.ir.builder import Builder
from eglantine.ir.program import Function, Loop
from eglantine.ir.row_types import F64, I32, Array
from eglantine.optimise.rolling.rebuild import index_at
from eglantine.optimise.rolling.rolled import rolled
from eglantine.types import Real, TupleType

from .gradient import add_terms, gradient_of, is_ready
from .graphs import Graph, Stage
from .operations import FOLDS, MAKERS, Writing, add_steps, operation
from .pieces import FEW, Pieces, Shape
from .rounds import Rounds, penalty

LEAST_ROLLED = 5000
"""The least number of rows of loose operations that are searched for repetitions.

The search takes as long as compiling 40 % of the rows, and the loops that it finds must be optimised. So
making a module takes longer, even if the module becomes 3 times shorter. The search pays only if the module
would be long and is evaluated some hundred times.
"""
LEAST_SAVED = 64
"""The least number of steps that a loop must save. Otherwise, its rounds are written one after another."""

Group = tuple[Shape, bool]
"""A shape, and whether its terms are constraints."""


def energy(graph: Graph, stage: Stage) -> Fn:
    """Make a stage's function (x, frozen, weight) → Σ objectives + weight · Σ max(constraint, 0)².

    x: the inputs that the stage moves, in the order of `stage.inputs`.
    frozen: all other inputs, in ascending order.
    """
    return Energies(graph).of(stage, calls=True).energy()


def energy_and_gradient(graph: Graph, stage: Stage) -> Fn:
    """Make the function (x, frozen, weight) → (φ, ∂φ/∂x). The number φ is the stage's energy."""
    return Fn(Energies(graph).of(stage).energy_and_gradient()[0])


class Energies:
    """Builds the energies of a graph's stages.

    It cuts the graph into pieces only once, for all stages.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._pieces = Pieces(graph)

    def of(self, stage: Stage, calls: bool = False) -> Making:
        """Build the energy of a stage, but do not add the loops' terms to it yet.

        calls: if true, square roots with a bounded derivative become calls of `clamped_sqrt`, so that
            functions such as `eg.grad` can differentiate the energy.
        """
        groups, single = self._grouped(stage)
        making = Making(self._graph, stage, calls)
        used: set[int] = set()
        loops: list[tuple[Rounds, bool]] = []
        for (shape, constraint), outsides in groups.items():
            if is_loop(shape, len(outsides)):
                rounds = Rounds(shape.steps, outsides)
                loops.append((rounds, constraint))
                columns: Iterable[Sequence[int]] = rounds.columns
            else:
                columns = outsides
            for column in columns:
                if max(column, default=0) >= self._graph.first:
                    used.update(column)
        making.add_loose(self._pieces.loose, used.union([value for value, _ in single]))
        for value, constraint in single:
            making.add_term(making.row(value), constraint)
        if len(making.b.rows) >= LEAST_ROLLED:
            making.roll(used)
        if making.b.rules is None and not (calls or making.rolled):
            making.b.take_calls_out()
        for (shape, constraint), outsides in groups.items():
            if not is_loop(shape, len(outsides)):
                making.add_straight(shape, constraint, outsides)
        for rounds, constraint in loops:
            making.add_loop(rounds, constraint)
        return making

    def _grouped(self, stage: Stage) -> tuple[dict[Group, list[Sequence[int]]], list[tuple[int, bool]]]:
        """Group the pieces of a stage by their shape, and by whether their term is a constraint.

        Return a dict: group → for each piece, its outside values. Also return the terms that have no piece.
        """
        graph, of = self._graph, self._pieces.of
        groups: dict[Group, list[Sequence[int]]] = defaultdict(list)
        single: list[tuple[int, bool]] = []
        terms = [(graph.objectives[k], False) for k in stage.objectives]
        terms += [(graph.constraints[k], True) for k in stage.constraints]
        for value, constraint in terms:
            piece = of.get(value)
            if piece:
                groups[piece.shape, constraint].append(piece.outside)
            else:
                single.append((value, constraint))
        return groups, single


def is_loop(shape: Shape, n: int) -> bool:
    """True if a loop over n terms of this shape saves enough steps."""
    return n > FEW and (n - 1) * len(shape.steps) >= LEAST_SAVED


class Terms(NamedTuple):
    """A loop that computes terms of an energy. The terms are not yet added to the energy.

    body: the rows of one round.
    term: the row of `body` that computes the term of the round.
    rounds: the number of rounds.
    """

    body: Writing
    term: int
    rounds: int
    constraint: bool


class Making:
    """An energy that is being built.

    b: the rows so far.
    rolled: true if `roll` has turned some of the rows into loops.
    calls: if true, square roots with a bounded derivative are calls of `clamped_sqrt`. Otherwise they are
        `sqrt` rows that have their own derivative rules.
    """

    def __init__(self, graph: Graph, stage: Stage, calls: bool) -> None:
        self._graph = graph
        n, free = graph.n_inputs, stage.inputs
        fixed = sorted(set(range(n)).difference(free))
        b = self.b = Writing()
        self.rolled = False
        if calls:
            b.rules = None
        self._counts = len(free), len(fixed)
        self._arrays = b.param(Array(F64, (len(free),))), b.param(Array(F64, (len(fixed),)))
        self._weight = b.param(F64)
        self._inputs = free, fixed
        self._array = [0] * n
        self._at = [0] * n
        for array, inputs in zip(self._arrays, self._inputs, strict=True):
            for k, value in enumerate(inputs):
                self._array[value], self._at[value] = array, k
        self._rows: list[int | None] = [None] * (graph.first + len(graph.ops) + 1)  # operand −1 is the last
        self._numbers: list[Any] = [*[None] * n, *graph.consts, *[None] * (len(graph.ops) + 1)]
        """The numbers of the values that are constants. Other values get None."""
        self._known: dict[Any, int] = {}
        self._both: int | None = None
        self._sums: dict[bool, list[int]] = {False: [], True: []}
        self._accs: dict[bool, int] = {}
        self._loops: list[Terms] = []

    # ------------------------------------------------------------ values

    def row(self, value: int) -> int:
        """Return the row of an input, a constant or a loose operation (an operation that is in no piece)."""
        row = self._rows[value]
        if row is None:
            b, n = self.b, self._graph.n_inputs
            number = self._numbers[value]
            if value < n:
                row = b.index(self._array[value], b.int_const(self._at[value]))
            else:
                row = b.bool_const(number) if isinstance(number, bool) else b.const(number)
            self._rows[value] = row
        return row

    def add_loose(self, loose: Sequence[int], used: Iterable[int]) -> None:
        """Add the rows of loose operations (operations in no piece), if the values `used` need them."""
        graph, first = self._graph, self._graph.first
        needed = bytearray(len(self._rows))
        for value in used:
            needed[value] = value >= first  # add no row for an input that only loops use
        x, y, z = graph.a, graph.b, graph.c
        operations = []
        for value in reversed(loose):
            if needed[value]:
                k = value - first
                operations.append(k)
                needed[x[k]] = needed[y[k]] = needed[z[k]] = 1
        for value in compress(range(graph.n_inputs), needed):
            self.row(value)
        if len(operations) >= LEAST_ROLLED:
            self.b.rules = None  # `roll` moves rows, which then lose their derivative rules
        self._make(reversed(operations))

    def _make(self, operations: Iterable[int]) -> None:
        """Add the rows of operations. An operation on constants becomes a constant instead."""
        graph, b, rows, numbers, known = self._graph, self.b, self._rows, self._numbers, self._known
        first, ops, x, y, z = graph.first, graph.ops, graph.a, graph.b, graph.c
        folds, makers = [FOLDS[name] for name in graph.names], [MAKERS[name] for name in graph.names]
        find = known.get
        for k in operations:
            op, u, v, w = ops[k], x[k], y[k], z[k]
            if (c := numbers[u]) is not None:
                if v < 0:
                    numbers[first + k] = folds[op](c)
                    continue
                if (d := numbers[v]) is not None and (w < 0 or numbers[w] is not None):
                    numbers[first + k] = folds[op](c, d) if w < 0 else folds[op](c, d, numbers[w])
                    continue
            p = rows[u]
            if p is None:
                p = self.row(u)
            if v < 0:
                row = find((op, p))
                if row is None:
                    row = known[op, p] = makers[op](b, p)
                rows[first + k] = row
                continue
            q = rows[v]
            if q is None:
                q = self.row(v)
            if w < 0:
                row = find((op, p, q))
                if row is None:
                    row = known[op, p, q] = makers[op](b, p, q)
            else:
                r = self.row(w)
                row = find((op, p, q, r))
                if row is None:
                    row = known[op, p, q, r] = makers[op](b, p, q, r)
            rows[first + k] = row

    def roll(self, used: Iterable[int]) -> None:
        """Turn repeated sequences of rows into loops.

        The values `used` stay available, because later rows need them.
        """
        values = sorted(value for value in used if value >= self._graph.first)
        sums = [self._sum(constraint) for constraint in (False, True)]
        old = self.b.finish([*sums, *map(self.row, values)])
        new = rolled(old)
        if new is old:
            return
        self.b = Writing.resume(new)
        self.b.rules = None
        self.rolled = True
        self._sums = {False: [new.results[0]], True: [new.results[1]]}
        self._rows = [None] * len(self._rows)
        self._known = {}
        for value, row in zip(values, new.results[2:], strict=True):
            self._rows[value] = row

    def operation(self, *key: Any) -> int:
        """Return the row of an operation. `key` has its name and operands. If the row exists, reuse it."""
        row = self._known.get(key)
        if row is None:
            row = self._known[key] = operation(self.b, *key)
        return row

    def element(self, body: Builder, i: int, column: Sequence[int]) -> int:
        """Add a row to a loop's body, and return it.

        In round i, this row has the value with the number `column[i]` in the graph.
        """
        b, n = self.b, self._graph.n_inputs
        least, most = min(column), max(column)
        if least == most:
            return body.capture(self.row(least))
        at: Sequence[int]
        if most < n:
            array, at = self._array_of(column)
        elif least >= n and not {*map(type, numbers := [self._numbers[value] for value in column])} - {float}:
            return body.index(body.capture(b.table(tuple(numbers), F64)), i)
        else:
            distinct = dict.fromkeys(column)
            rows = [self.row(value) for value in distinct]
            places = dict(zip(distinct, range(len(rows)), strict=True))
            array, at = b.stack(rows, b.type_of(rows[0])), [places[value] for value in column]
        return body.index(body.capture(array), index_at(body, i, at))

    def _array_of(self, inputs: Sequence[int]) -> tuple[int, Sequence[int]]:
        """Return an array that contains these inputs, and the position of each input in the array."""
        if not self._counts[1]:
            return self._arrays[0], inputs  # no input is frozen, so input k is element k
        arrays = {self._array[value] for value in inputs}
        if len(arrays) == 1:
            return arrays.pop(), [self._at[value] for value in inputs]
        return self._all_inputs(), inputs

    def _all_inputs(self) -> int:
        """Return the array of all inputs.

        A loop that uses both frozen and free inputs needs this array.
        """
        if self._both is None:
            b = self.b
            acc = b.acc((self._graph.n_inputs,))
            for array, inputs in zip(self._arrays, self._inputs, strict=True):
                body = Builder(b)
                i = body.param(I32(0, len(inputs) - 1))
                to = body.acc_index(body.capture(acc), index_at(body, i, inputs))
                body.add_to(to, body.index(body.capture(array), i))
                b.loop(Loop(body.finish([]), len(inputs), len(inputs), False, 0), body.captured)
            self._both = b.acc_read(acc)
        return self._both

    # ------------------------------------------------------------ terms

    def add_loop(self, rounds: Rounds, constraint: bool) -> None:
        """Add the loop that computes the terms of one shape."""
        if constraint not in self._accs:
            self._accs[constraint] = self.b.acc(())
        self._loops.append(Terms(*rounds.terms(self, constraint), len(rounds), constraint))

    def add_straight(self, shape: Shape, constraint: bool, outsides: Sequence[Sequence[int]]) -> None:
        """Add the terms of pieces that have the same shape, without a loop."""
        for outside in outsides:
            rows = [self.row(value) for value in outside]
            self.add_term(add_steps(self.b, shape.steps, rows, self._known), constraint)

    def add_term(self, row: int, constraint: bool) -> None:
        """Add the term of an objective, or the penalty of a constraint."""
        self._sums[constraint].append(penalty(self.b, row) if constraint else row)

    def energy(self) -> Fn:
        """Finish the function that returns the energy."""
        b = self.b
        for body, term, n, constraint in self._loops:
            body.add_to(body.capture(self._accs[constraint]), term)
            b.loop(Loop(body.finish([]), n, n, False, 0), body.captured)
        return Fn(self._function([self._total()], Real))

    def energy_and_gradient(self) -> tuple[Function, bool]:
        """Finish the function that returns the energy and its gradient.

        Also return whether the function must still be optimised.
        """
        b, loops, (x, _) = self.b, self._loops, self._arrays
        captured = {a for loop in loops for a in loop.body.captured}
        sweep = gradient_of(b.finish([*self._sums[False], *self._sums[True], *captured]), b)
        cts = b.const(1.0), self._weight
        for body, term, n, constraint in reversed(loops):
            add_terms(sweep, body, term, self._accs[constraint], cts[constraint], n)
        for constraint, terms in self._sums.items():
            for row in terms:
                sweep.contribute(row, cts[constraint])
        sweep.run()
        results = [self._total(), sweep.total(x) or b.zeros(b.type_of(x))]
        function = self._function(results, TupleType((Real, eg.Vec(self._counts[0], Real))))
        assert function.block is not None
        return function, self.rolled or not is_ready(function.block)

    def _function(self, results: Sequence[int], of: Any) -> Function:
        """Finish a function that returns the given rows."""
        block = self.b.finish(results)
        free, fixed = self._counts
        return Function(
            self._graph.name,
            (eg.Vec(free, Real), eg.Vec(fixed, Real), Real),
            of,
            block,
            param_names=("x", "frozen", "weight"),
            leaf_params=block.param_types,
            leaf_results=block.result_types,
        )

    def _total(self) -> int:
        """Σ objectives + weight · Σ max(constraint, 0)²."""
        objective, violation = (self._sum(constraint) for constraint in (False, True))
        return self.b.add(objective, self.b.mul(self._weight, violation))

    def _sum(self, constraint: bool) -> int:
        """Add up the objectives, or the penalties of the constraints.

        If there are none, return the symbolic zero.
        """
        total = self.b.acc_read(self._accs[constraint]) if constraint in self._accs else 0
        for row in self._sums[constraint]:
            total = self.b.add(total, row)
        return total
