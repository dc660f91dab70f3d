"""Compile the graph of a diagram's energy so that people can drag its shapes.

We add two kinds of terms to the energy. A pull draws a point of a shape (a grip) to the pointer. A hold keeps
an input near its value. The strengths of pulls and holds become inputs of the graph.

The page calls three modules. The first computes the energy with its gradient. The second is a solver, which
calls the energy. One solver serves all diagrams up to a certain number of unknowns. The third computes the
numbers that the picture shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from eglantine.api import compile_artifact
from eglantine.emit.artifact import Artifact
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.ir.program import Function
from eglantine.ir.row_types import F64, Array
from eglantine.solvers.exterior_point import ExteriorPoint
from eglantine.solvers.hosted import hosted
from eglantine.solvers.problems import Problem, State, is_finite, line
from eglantine.solvers.statuses import NOT_FINITE, RUNNING
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import index, real
from eglantine.trace.loops import while_loop
from eglantine.trace.products import dot
from eglantine.types import Real, TupleType, Vec

from .compiling import compile_stages, every_input
from .graphs import Graph, Stage
from .operations import FOLDS, Writing, operation
from .stages import Host, absent
from .steppers import LATE

DRAG_DESCENT = 1e-4
"""The predicted descent of the energy below which a solve ends. The page's own diagrams use the same
number."""

Place = tuple[int | float, int | float]
"""A point. An int is the number of a value, and a float is the coordinate itself."""


@dataclass(frozen=True)
class Joined:
    """The graph of a diagram's energy. It also computes the values that only the picture needs.

    The files and `graph` number the values differently. The method `number` converts a file's number.
    """

    graph: Graph
    extra: int
    files_base: int
    drawn_consts: int

    def number(self, value: int) -> int:
        """Convert a value's number in the files to its number in `graph`."""
        n, k = self.graph.n_inputs - self.extra, len(self.graph.consts) - self.drawn_consts
        if value < n:
            return value
        if value < n + k:
            return value + self.extra
        if value < self.files_base:
            return value + self.extra + self.drawn_consts
        within = value - self.files_base
        return n + self.extra + k + within if within < self.drawn_consts else value + self.extra


def joined(graph: Graph, drawn: Mapping[str, Any], extra: int) -> Joined:
    """Append the values of a shapes file to a graph. Also add `extra` inputs to the graph.

    drawn: the content of the shapes file. The entries "consts", "op", "a", "b" and "c" describe the values.
    """
    consts = tuple(map(float, drawn["consts"]))
    base = graph.first + len(graph.ops)
    whole = Joined(replace(graph, consts=graph.consts + consts, n_inputs=graph.n_inputs + extra), extra, base,
                   len(consts))  # fmt: skip
    names = list(graph.names)
    codes = {name: k for k, name in enumerate(names)}
    for name in drawn["op"]:
        if name not in FOLDS:
            raise ValueError(f"There is no operation {name!r}.")
        if codes.setdefault(name, len(names)) == len(names):
            names.append(name)
    columns = [
        [whole.number(v) if v >= 0 else -1 for v in (*own, *drawn[key])]
        for key, own in (("a", graph.a), ("b", graph.b), ("c", graph.c))
    ]
    return replace(
        whole,
        graph=replace(
            whole.graph, names=tuple(names), ops=[*graph.ops, *(codes[name] for name in drawn["op"])],
            a=columns[0], b=columns[1], c=columns[2],
            objectives=tuple(map(whole.number, graph.objectives)),
            constraints=tuple(map(whole.number, graph.constraints)),
            x0=(*graph.x0, *[0.0] * extra), x_final=(*graph.x_final, *[0.0] * extra), references=(),
        ),
    )  # fmt: skip


def with_pulls(whole: Joined, grips: Sequence[Place], free: Sequence[int]) -> Graph:
    """Add objectives to the graph: a pull for each grip, and a hold for each free input.

    The new objectives use the extra inputs in order. Each grip uses three: the strength of its pull, and the
    target's x and y. Then each free input uses two: the strength of its hold, and the value to keep.
    """
    graph = whole.graph
    names = list(graph.names)
    for name in ("sub", "mul", "add"):
        if name not in names:
            names.append(name)
    sub, mul, add = map(names.index, ("sub", "mul", "add"))
    consts = list(graph.consts)
    ops, a, b, c = list(graph.ops), list(graph.a), list(graph.b), list(graph.c)
    first_extra = graph.n_inputs - whole.extra
    plain = [at for grip in grips for at in grip if isinstance(at, float)]
    moved = len(plain)
    of_plain = iter(range(graph.n_inputs + len(consts), graph.n_inputs + len(consts) + moved))
    consts += plain
    border = graph.n_inputs + len(graph.consts)

    def shifted(value: int) -> int:
        return value + moved if value >= border else value

    a, b, c = ([shifted(v) for v in column] for column in (a, b, c))

    def put(op: int, x: int, y: int) -> int:
        ops.append(op)
        a.append(x)
        b.append(y)
        c.append(-1)
        return graph.n_inputs + len(consts) + len(ops) - 1

    terms = []
    for k, grip in enumerate(grips):
        weight = first_extra + 3 * k
        squares = []
        for axis, at in enumerate(grip):
            value = next(of_plain) if isinstance(at, float) else shifted(at)
            off = put(sub, value, weight + 1 + axis)
            squares.append(put(mul, off, off))
        terms.append(put(mul, weight, put(add, *squares)))
    for k, value in enumerate(free):
        hold = first_extra + 3 * len(grips) + 2 * k
        off = put(sub, value, hold + 1)
        terms.append(put(mul, hold, put(mul, off, off)))
    return replace(
        graph, names=tuple(names), consts=tuple(consts), ops=ops, a=a, b=b, c=c,
        objectives=(*map(shifted, graph.objectives), *terms),
        constraints=tuple(map(shifted, graph.constraints)),
    )  # fmt: skip


def compiled_energy(graph: Graph, pulls: int) -> Artifact:
    """Compile the module (x, frozen, weight) → (energy, gradient). Its energy has all terms and all pulls.

    pulls: the number of objectives that pull or hold a shape. They are the last objectives of the graph.
    """
    inputs = every_input(graph.stages)
    objectives = set[int]().union(*[stage.objectives for stage in graph.stages])
    constraints = set[int]().union(*[stage.constraints for stage in graph.stages])
    count = len(graph.objectives)
    stage = Stage(inputs, (*sorted(objectives), *range(count - pulls, count)), tuple(sorted(constraints)))
    return compile_stages(graph, [stage]).parts[0].artifact


def compiled_numbers(graph: Graph, inputs: Sequence[int], values: Sequence[int]) -> Artifact:
    """Compile a module that takes the graph's inputs `inputs`, and returns the graph's values `values`.

    All other inputs are fixed to their values in `x_final`.
    """
    b = Writing()
    x = b.param(Array(F64, (len(inputs),)))
    rows: list[int | None] = [None] * (graph.first + len(graph.ops))
    for k, value in enumerate(inputs):
        rows[value] = b.index(x, b.int_const(k))
    needed = bytearray(len(rows))
    for value in values:
        needed[value] = 1
    for k in range(len(graph.ops) - 1, -1, -1):
        if needed[graph.first + k]:
            for operand in (graph.a[k], graph.b[k], graph.c[k]):
                if operand >= 0:
                    needed[operand] = 1
    for value in range(graph.first):
        if needed[value] and rows[value] is None:
            at = graph.x_final[value] if value < graph.n_inputs else graph.consts[value - graph.n_inputs]
            rows[value] = b.const(at)
    for k, op in enumerate(graph.ops):
        if needed[graph.first + k]:
            x_, y, z = (rows[v] if v >= 0 else None for v in (graph.a[k], graph.b[k], graph.c[k]))
            assert x_ is not None
            rows[graph.first + k] = operation(b, graph.names[op], x_, y, z)
    results = [rows[value] or 0 for value in values]
    block = b.finish([b.stack(results, F64)])
    n, m = len(inputs), len(values)
    function = Function(
        "numbers", (Vec(n, Real),), Vec(m, Real), block,
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return compile_artifact(Fn(function))


@cache
def compiled_drag_solver(capacity: int) -> Artifact:
    """Compile the module that minimises an energy. A later call can continue the search of an earlier one.

    It maps {x, n, evaluations, weight, reach, resumes, memory} to {x, fun, nit, nfev, status, weight,
    memory}.
    n: the most iterations. evaluations: the most evaluations, but a line search is always finished.
    weight: the first weight of the constraints, or 0 for the default weight. reach: the longest step.
    resumes: if positive, continue the search with `memory`, a result of an earlier call, even if the energy
        has changed since.
    The module imports the function that computes the energy, as in `stages.compiled_solver`.
    """
    vector = line(capacity)
    host = Host(absent, 0, capacity)
    energy = hosted("energy", host, {"x": vector, "weight": Real}, TupleType((Real, vector)))
    problem = Problem(capacity, energy, energy)
    steps = Vec(ExteriorPoint.memory, vector)
    memory = {
        "steps": steps, "changes": steps, "curvatures": Vec(ExteriorPoint.memory, Real), "scale": Real,
        "next": Real, "stored": Real, "weight": Real, "solves": Real, "solve_x": vector, "solve_fun": Real,
        "finishing": Real,
    }  # fmt: skip

    def solve(x: Any, n: Any, evaluations: Any, weight: Any, reach: Any, resumes: Any, kept: Any) -> Any:
        method = ExteriorPoint(descent=DRAG_DESCENT, reach=reach)
        goes_on = resumes > 0.0
        first = select(goes_on, kept["weight"], select(weight > 0.0, weight, method.weight))
        phi, gradient = problem.with_numbers(first).at(x)
        good = is_finite(phi) & is_finite(dot(gradient, gradient))
        own = {
            "steps": kept["steps"], "changes": kept["changes"], "curvatures": kept["curvatures"],
            "scale": select(goes_on, kept["scale"], 1.0),
            "next": index(select(goes_on, kept["next"], 0.0), method.memory),
            "stored": index(select(goes_on, kept["stored"], 0.0), method.memory + 1),
            "weight": first,
            "solves": select(goes_on, kept["solves"], select(weight > 0.0, LATE, 0.0)),
            "solve_x": select(goes_on, kept["solve_x"], x),
            "solve_fun": select(goes_on, kept["solve_fun"], maths.inf),
            "finishing": select(goes_on, kept["finishing"], 0.0),
        }  # fmt: skip
        start = {"x": x, "fun": phi, "jac": gradient, "nit": 0.0, "nfev": 1.0,
                 "status": select(good, RUNNING, NOT_FINITE), **own}  # fmt: skip

        def iterate(s: State) -> State:
            after = method.step(problem, s)
            nit = s["nit"] + after.pop("counts")
            return {**s, **after, "nit": nit}

        def is_unfinished(s: State) -> Any:
            return (s["status"] == RUNNING) & (s["nit"] < n) & (s["nfev"] < evaluations)

        end = while_loop(is_unfinished, iterate, start)
        after = {name: end[name] for name in memory} | {name: real(end[name]) for name in ("next", "stored")}
        told = {name: end[name] for name in ("x", "fun", "nit", "nfev", "status", "weight")}
        return {**told, "memory": after}

    return compile_artifact(make_fn([vector, Real, Real, Real, Real, Real, memory])(solve))


def evaluated(graph: Graph, x: Sequence[float]) -> list[Any]:
    """Compute all values of a graph at x."""
    folds = [FOLDS[name] for name in graph.names]
    values: list[Any] = [*x, *graph.consts]
    for op, u, v, w in zip(graph.ops, graph.a, graph.b, graph.c, strict=True):
        operands = [values[k] for k in (u, v, w) if k >= 0]
        try:
            values.append(folds[op](*operands))
        except (ArithmeticError, ValueError):
            values.append(float("nan"))
    return values
