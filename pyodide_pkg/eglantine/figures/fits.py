"""Fit a curve to points, in the page. When a reader drags a point, the page fits the curve again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from eglantine.errors import TypeMismatchError
from eglantine.functions.fn import fn
from eglantine.solvers.levenberg_marquardt import levenberg_marquardt
from eglantine.solvers.residuals import differentiated
from eglantine.trace.elementwise import as_vector, real
from eglantine.trace.maths import inf
from eglantine.trace.sums import vec
from eglantine.types import Real, Vec
from eglantine.words.spelling import listed

from .controls import Point, finite
from .models import Part, arguments, is_pair, part_of, range_of
from .signatures import taking

PIECES: Final = 80
"""The number of straight pieces of the fitted curve."""
BEGIN: Final = 1.0
"""The value of each parameter at the start of the fit."""
TOLERANCE: Final = 1e-12
MOST_ROUNDS: Final = 300.0
MARGIN: Final = 0.1
"""The margin of the picture on each side of the points, as a fraction of the range of the points."""


class Fit(NamedTuple):
    """The arguments of `eg.figure` for a fit."""

    label: str
    named: dict[str, Any]
    paths: dict[str, Any]
    says: tuple[str, Callable[..., Any]]


class _Problem(NamedTuple):
    """The function of a fit, the data, and the roles of the function's parameters.

    axis: the parameter that takes the xs of the data.
    unknowns: the parameters that the fit finds.
    controls: the parameters that have controls.
    dragged: the names of the points that readers can drag. The fit uses these points as data too.
    """

    part: Part
    axis: str
    unknowns: list[str]
    controls: list[str]
    dragged: list[str]
    data: list[tuple[float, float]]


def fit(f: Any, data: Any, named: Mapping[str, Any]) -> Fit:
    """Prepare the points, the curve and the sentence of a fit."""
    problem = _problem(f, data, named)
    shown = [*problem.data, *(named[name].at for name in problem.dragged)]
    ranges = {
        name: range_of(name, named[name]) if name in named else _around([point[k] for point in shown])
        for k, name in enumerate((problem.axis, "y"))
    }
    every = [*problem.controls, *problem.dragged]
    solved = _solver(problem)

    def best(values: Mapping[str, Any]) -> Any:
        """Compute points of the fitted curve."""
        found, _ = solved(values)
        low, high = ranges[problem.axis]
        xs = vec(PIECES + 1, lambda i: low + (high - low) / PIECES * real(i))
        return xs, vec(PIECES + 1, lambda i: _called(problem, xs[i], found, values))

    def points(values: Mapping[str, Any]) -> Any:
        return _points(problem, values)

    def numbers(values: Mapping[str, Any]) -> Any:
        found, cost = solved(values)
        return (*(found[k] for k in range(len(problem.unknowns))), 2 * cost)

    text = ", ".join(f"{name} = {{}}" for name in problem.unknowns)
    return Fit(
        problem.part.label,
        {**{name: named[name] for name in every}, **ranges},
        {"fit": _of(best, every, "fit"), "data": (_of(points, every, "data"), "dots")},
        (f"{text}, sum of squares {{}}", _of(numbers, every, "numbers")),
    )


def _problem(f: Any, data: Any, named: Mapping[str, Any]) -> _Problem:
    """Find the role of each parameter of a fit."""
    pairs = _pairs(data)
    part = part_of(f, {name: value for name, value in named.items() if name != "y"})
    ranged = [name for name in part.names if is_pair(named.get(name))]
    axis = ranged[0] if ranged else "x" if "x" in part.names else part.names[0]
    controls = [name for name in part.names if name in named and name != axis]
    dragged = [name for name in named if isinstance(named[name], Point) and name not in part.names]
    unknowns = [name for name in part.names if name not in (*controls, axis)]
    if spare := [name for name in named if name not in (axis, "y", *controls, *dragged)]:
        raise TypeMismatchError(
            f"eg.figure was given {spare[0]}, but {part.label} has no such parameter. Its parameters are "
            f"{listed(part.names)}."
        )
    if not unknowns:
        raise TypeMismatchError(
            f"A fit needs a parameter to find, but {part.label} has none. Leave out a control, or add "
            "a letter."
        )
    if len(pairs) + len(dragged) < len(unknowns):
        raise TypeMismatchError(
            f"A fit of {listed(unknowns)} needs at least {len(unknowns)} points, but there are "
            f"{len(pairs) + len(dragged)}. Give more points: data=[(0, 1), (1, 3)]."
        )
    return _Problem(part, axis, unknowns, controls, dragged, pairs)


def _pairs(data: Any) -> list[tuple[float, float]]:
    """The data as pairs of floats."""
    rows = [] if data is None else list(data)
    if not all(hasattr(row, "__len__") and len(row) == len(("x", "y")) for row in rows):
        raise TypeMismatchError("The data of a fit are pairs. Write data=[(0, 1), (1, 3), (2, 4)].")
    return [(finite(x, "An x of data"), finite(y, "A y of data")) for x, y in rows]


def _around(values: Sequence[float]) -> tuple[float, float]:
    """A range around these values."""
    low, high = min(values), max(values)
    margin = MARGIN * (high - low) or 1.0
    return low - margin, high + margin


def _points(problem: _Problem, values: Mapping[str, Any]) -> Any:
    """The xs and the ys of all points."""
    moving = [values[name] for name in problem.dragged]
    return tuple(
        as_vector(
            [one[k] * 1.0 for one in (*problem.data, *moving)], Vec(len(problem.data) + len(moving), Real)
        )
        for k in (0, 1)
    )


def _called(problem: _Problem, x: Any, found: Any, values: Mapping[str, Any]) -> Any:
    """Compute the function's value at x, with the fitted parameters."""
    fitted = {name: found[k] for k, name in enumerate(problem.unknowns)}
    return problem.part.call(*arguments(problem.part, {**values, **fitted, problem.axis: x})) * 1.0


def _solver(problem: _Problem) -> Callable[[Mapping[str, Any]], Any]:
    """Make the function that fits the curve. It takes the controls' values.

    It returns the fitted parameters and half the sum of squares.
    """
    n, count = len(problem.unknowns), len(problem.data) + len(problem.dragged)
    line = Vec(count, Real)

    @fn([Vec(n, Real), line, line, *[Real] * len(problem.controls)])
    def residuals(found: Any, xs: Any, ys: Any, *given: Any) -> Any:
        values = dict(zip(problem.controls, given, strict=True))
        return vec(count, lambda i: _called(problem, xs[i], found, values) - ys[i])

    known: list[tuple[Mapping[str, Any], Any]] = []

    def solved(values: Mapping[str, Any]) -> Any:
        for before, result in known:
            if all(before[name] is values[name] for name in values):
                return result
        given = [values[name] * 1.0 for name in problem.controls]
        ends = (vec(n, lambda _: -inf), vec(n, lambda _: inf))
        end = levenberg_marquardt(
            differentiated(residuals), vec(n, lambda _: BEGIN), (*_points(problem, values), *given), *ends,
            TOLERANCE, MOST_ROUNDS,
        )  # fmt: skip
        known.append((values, (end["x"], end["cost"])))
        return known[-1][1]

    return solved


def _of(function: Callable[[Mapping[str, Any]], Any], names: Sequence[str], name: str) -> Callable[..., Any]:
    """Make a function with the parameters `names`. It passes them to `function` as a dict."""
    return taking(names, lambda *given: function(dict(zip(names, given, strict=True))), name)
