"""Compare two ways to compute sparse Hessians: star colourings, and a prototype of edge pushing.

Edge pushing visits a function's operations once, from last to first. It stores a cotangent for each value,
and a second derivative for each pair of values that interact (an edge). So it computes the whole Hessian in
one pass. The prototype cannot handle loops, so it unrolls them. A third contestant does not unroll the loop
over the terms of a sum. It computes a small dense Hessian for each term and adds up the entries.

Source: Gower, Mello, "A New Framework for the Computation of Hessians", Optimization Methods and Software 27
(2012).
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import eglantine as eg
from bench.derivatives_peers import PROCESSOR_TIME, contest, kernel
from bench.measure import OURS, Row, Series

HOST = "CPython with wasmtime, edge pushing"
PUSHED = f"{OURS} (edge pushing, unrolled)"
BY_TERM = f"{OURS} (a dense Hessian for each term)"


@dataclass(frozen=True)
class Problem:
    """A sum of terms. Each term applies the same function to a few unknowns.

    places: for each term, the positions of its unknowns in the vector of all unknowns.
    affine: a function that computes the positions of term k from k. If it is None, the program looks the
        positions up in tables.
    """

    title: str
    unknowns: int
    term: Callable[..., Any]
    places: Sequence[tuple[int, ...]]
    affine: Callable[[Any], tuple[Any, ...]] | None = None

    def indices(self, k: Any) -> Sequence[Any]:
        """Return the positions of the unknowns of term k, as traced values. k is known only at run time."""
        return [table[k] for table in numbers(self)] if self.affine is None else self.affine(k)


def problems() -> Iterator[Problem]:
    n = 300
    yield Problem(
        f"tridiagonal, n = {n}", n, lambda a, b: 100.0 * squared(b - a * a) + squared(1.0 - a),
        [(i, i + 1) for i in range(n - 1)], lambda k: (k, k + 1),
    )  # fmt: skip
    yield Problem(
        f"arrow, n = {n}", n, lambda a, b: squared(a) * (squared(b) * b),
        [(0, i) for i in range(1, n)], lambda k: (0, k + 1),
    )  # fmt: skip
    side = 12
    pairs = neighbours(side)
    yield Problem(
        f"{len(pairs)} springs", 2 * side * side, spring,
        [(2 * a, 2 * a + 1, 2 * b, 2 * b + 1) for a, b in pairs],
    )  # fmt: skip
    side = 17
    yield Problem(
        f"five-point stencil, {side} × {side}", side * side,
        lambda a, b: squared(b - a) * a + squared(squared(b - a)), neighbours(side),
    )  # fmt: skip


def neighbours(side: int) -> list[tuple[int, int]]:
    """List the pairs of neighbours in a square grid."""
    across = [(i * side + j, i * side + j + 1) for i in range(side) for j in range(side - 1)]
    return across + [(i * side + j, i * side + side + j) for i in range(side - 1) for j in range(side)]


def spring(ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    dx, dy = bx - ax, by - ay
    return squared(root(dx * dx + dy * dy) - 1.0)


def squared(x: Any) -> Any:
    return x * x


def root(x: Any) -> Any:
    return x.root() if isinstance(x, Node) else eg.math.sqrt(x)


# ------------------------------------------------------------ edge pushing


class Operand(NamedTuple):
    """An operand of an operation, and the partial derivative with respect to this operand."""

    node: int
    partial: Any


class Node:
    """A value on the tape."""

    def __init__(self, tape: Tape, value: Any, operands: Sequence[Operand] = (), seconds: Any = ()) -> None:
        self.tape, self.value, self.operands = tape, value, operands
        self.seconds = seconds
        self.number = len(tape.nodes)
        tape.nodes.append(self)

    def _linear(self, other: Any, value: Any, mine: float, others: float) -> Node:
        operands = [Operand(self.number, mine)]
        if isinstance(other, Node):
            operands.append(Operand(other.number, others))
        return Node(self.tape, value, operands)

    def __add__(self, other: Any) -> Node:
        return self._linear(other, self.value + value_of(other), 1.0, 1.0)

    def __sub__(self, other: Any) -> Node:
        return self._linear(other, self.value - value_of(other), 1.0, -1.0)

    def __rsub__(self, other: float) -> Node:
        return self._linear(None, other - self.value, -1.0, 0.0)

    def __mul__(self, other: Any) -> Node:
        if other is self:
            operands = [Operand(self.number, 2.0 * self.value)]
            return Node(self.tape, self.value * self.value, operands, [(self.number, self.number, 2.0)])
        if not isinstance(other, Node):
            return Node(self.tape, self.value * other, [Operand(self.number, other)])
        operands = [Operand(self.number, other.value), Operand(other.number, self.value)]
        return Node(self.tape, self.value * other.value, operands, [(self.number, other.number, 1.0)])

    __radd__, __rmul__ = __add__, __mul__

    def root(self) -> Node:
        y = eg.math.sqrt(self.value)
        half = 0.5 / y
        second = -0.5 * half / self.value
        return Node(self.tape, y, [Operand(self.number, half)], [(self.number, self.number, second)])


def value_of(x: Any) -> Any:
    return x.value if isinstance(x, Node) else x


class Tape:
    """The values of a computation in order."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def hessian(self, result: Node) -> dict[tuple[int, int], Any]:
        """Compute the Hessian of `result` as {(a, b): second derivative} for inputs a ≤ b."""
        cotangents: dict[int, Any] = {result.number: 1.0}
        edges: dict[int, dict[int, Any]] = {}

        def grow(a: int, b: int, more: Any) -> None:
            for one, other in {(a, b), (b, a)}:
                own = edges.setdefault(one, {})
                own[other] = own[other] + more if other in own else more

        for node in reversed(self.nodes[: result.number + 1]):
            i = node.number
            if not node.operands:
                continue
            own = edges.pop(i, {})
            for p, w in own.items():
                if p != i:
                    del edges[p][i]
                push(grow, node.operands, i, p, w)
            if i not in cotangents:
                continue
            ct = cotangents.pop(i)
            for a, b, second in node.seconds:
                grow(a, b, ct * second)
            for j, partial in node.operands:
                more = ct * partial
                cotangents[j] = cotangents[j] + more if j in cotangents else more
        return {(a, b): w for a, own in edges.items() for b, w in own.items() if b >= a}


def push(grow: Callable[[int, int, Any], None], operands: Sequence[Operand], i: int, p: int, w: Any) -> None:
    """Replace an edge of weight w between i and p by edges between p and each operand of i.

    If i is p, the new edges connect each pair of operands of i.
    """
    if p == i:
        for at, (a, first) in enumerate(operands):
            for b, second in operands[at:]:
                grow(a, b, first * second * w)
        return
    for a, partial in operands:
        grow(a, p, (2.0 if a == p else 1.0) * partial * w)


def pushed(problem: Problem) -> Any:
    """Make the function that computes one triangle of the Hessian by edge pushing."""

    @eg.fn([eg.Vec(problem.unknowns, eg.Real)])
    def hessian(x: Any) -> Any:
        tape = Tape()
        inputs = [Node(tape, x[i]) for i in range(problem.unknowns)]
        total: Any = None
        for place in problem.places:
            term = problem.term(*(inputs[i] for i in place))
            total = term if total is None else total + term
        found = tape.hessian(total)
        return [found[place] for place in triangle(problem)]

    return hessian


# ------------------------------------------------------------ the others


def summed(problem: Problem) -> Any:
    """The sum of the terms as a loop."""

    @eg.fn([eg.Vec(problem.unknowns, eg.Real)], eg.Real)
    def f(x: Any) -> Any:
        return eg.sum(
            len(problem.places), lambda k: problem.term(*(x[index] for index in problem.indices(k)))
        )

    return f


def numbers(problem: Problem) -> list[Any]:
    """For each argument of the term function, list the positions of the unknowns that the terms pass."""
    of = eg.Vec(len(problem.places), eg.Fin(problem.unknowns))
    return [eg.asarray(list(own), of) for own in zip(*problem.places, strict=True)]


def by_term(problem: Problem, H: Any) -> Any:
    """Make a function that computes a small dense Hessian for each term, and adds up the entries of H."""
    at = {place: k for k, place in enumerate(zip(H.rows, H.cols, strict=True))}
    width = len(problem.places[0])
    pairs = [(a, b) for a in range(width) for b in range(width)]
    targets = [[at[place[a], place[b]] for place in problem.places] for a, b in pairs]
    term = eg.fn([eg.Vec(width, eg.Real)], eg.Real)(lambda v: problem.term(*(v[i] for i in range(width))))
    small = eg.hessian(term)

    @eg.fn([eg.Vec(problem.unknowns, eg.Real)])
    def hessian(x: Any) -> Any:
        of = eg.Vec(len(problem.places), eg.Fin(H.nnz))
        goals = [eg.asarray(target, of) for target in targets]

        def add(k: Any, values: Any) -> Any:
            own = small([x[index] for index in problem.indices(k)])
            for (a, b), goal in zip(pairs, goals, strict=True):
                values = values.at[goal[k]].set(values[goal[k]] + own[a][b])
            return values

        return eg.fori_loop(0, len(problem.places), add, eg.vec(H.nnz, lambda _: 0.0))

    return hessian


# ------------------------------------------------------------ rows


def rows(*, check: bool) -> Iterator[Row]:
    """Yield two rows for each problem: the times to evaluate the Hessian, and the times to compile it."""
    for problem in problems():
        yield from rows_of(problem, check=check)


def rows_of(problem: Problem, *, check: bool) -> Iterator[Row]:
    x = array("d", [k % 12 + 0.1 * math.sin(k) for k in range(problem.unknowns)])
    H = eg.compile(eg.sparse_hessian(summed(problem)))(x)
    kernels, times = {}, {}
    for name, make in makers(problem, H).items():
        began = time.process_time()
        kernels[name] = eg.compile(make())
        times[name] = Series(((time.process_time() - began) * 1e3,))
    places = triangle(problem)
    order = {place: k for k, place in enumerate(zip(H.rows, H.cols, strict=True))}
    ours = {
        OURS: kernel(kernels[OURS], x, lambda H: (H.values[order[place]] for place in places)),
        PUSHED: kernel(kernels[PUSHED], x, iter),
        BY_TERM: kernel(kernels[BY_TERM], x, lambda values: (values[order[place]] for place in places)),
    }
    sizes = ", ".join(f"{len(compiled.wasm):,} B" for compiled in kernels.values())
    note = f"{H.directions} directions for {H.nnz:,} entries. Modules: {sizes}. {PROCESSOR_TIME}"
    yield contest(f"Hessian, {problem.title}", "µs", ours, [], check=check, note=note, host=HOST)
    if not check:
        yield Row("  definition → callable", "ms", times, host=HOST)


def makers(problem: Problem, H: Any) -> dict[str, Callable[[], Any]]:
    return {
        OURS: lambda: eg.sparse_hessian(summed(problem)),
        PUSHED: lambda: pushed(problem),
        BY_TERM: lambda: by_term(problem, H),
    }


def triangle(problem: Problem) -> list[tuple[int, int]]:
    """List (row, column) of the nonzero entries in the upper triangle of the Hessian, in order."""
    return sorted({(a, b) for place in problem.places for a in place for b in place if a <= b})
