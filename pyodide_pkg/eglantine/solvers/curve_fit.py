"""`eg.curve_fit`: the parameters of a model that fits data, with their standard deviations."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from eglantine.errors import FormulaError, NotFiniteError, ShapeError, TypeMismatchError, user_span
from eglantine.formulas import free_names, to_fn
from eglantine.functions.eager import _key_of
from eglantine.functions.fn import Fn, check_function
from eglantine.functions.fn import fn as make_fn
from eglantine.plain.typeof import shown, type_of
from eglantine.trace.sums import vec
from eglantine.types import Real, RealType, StructType, TupleType, Type, VecType, line_of_reals
from eglantine.words.spelling import count

from .flattening import _real_at, number_of_reals, numpy_of, plain_structure
from .least_squares import MOST_ROUNDS, outcome_of, solve
from .outcomes import Outcome
from .statuses import NOT_FINITE

_FLOATS = {float}


def curve_fit(
    model: Any,
    xdata: Any,
    ydata: Any,
    p0: Any,
    sigma: Any = None,
    bounds: Any = None,
    absolute_sigma: bool = False,
    *,
    tol: Any = None,
    maxiter: Any = MOST_ROUNDS,
) -> Outcome:
    """Fit a model to data: return the parameters p near p0 with the least sum of squared residuals.

    model: a function of one point and the parameters, model(x, *p) → Real, or a formula's text. In a text, x
        is the data (x1, x2, … if a point is a tuple), and all other letters are parameters, in natural order.
    xdata: a list or an array of points. A point is a number, a tuple of numbers, or a dict. If points have k
        coordinates, xdata may also be k sequences, with one number for each point, as in SciPy.
    ydata: a number for each point.
    p0: the parameters at the start. Give a list with one number for each parameter, or a dict that maps names
        to numbers. The field `x` of the outcome has the same structure.
    sigma: the standard deviation of each number in ydata. A residual is (model − y) / sigma. None means 1.
    bounds: a list of pairs (lo, hi) in the order of p0, where None means no bound. You can also give two
        structures like p0, one with all lower bounds and one with all upper bounds. A parameter whose two
        bounds are equal is not fitted, and its deviation is 0.
    absolute_sigma: true if sigma is in the units of ydata. Otherwise sigma gives only relative weights, and
        the deviations are multiplied by the residual deviation.
    tol, maxiter: they decide when the fit ends, and have the same meaning as for `least_squares`.

    The outcome has all fields of an outcome of `least_squares`. It also has `deviations` (the standard
    deviation of each parameter, in the structure of p0), `covariance` (a list of rows), `residual_sum` (the
    sum of squares), `residual_deviation` and `degrees_of_freedom`. A fit to new data with the same number of
    points is not compiled again.

    Raises: ShapeError if lengths differ, or if there are fewer points than parameters. NotFiniteError if data
        are not finite, or the model or its derivative is not finite at p0.
    """
    values = _numbers(ydata, "ydata")
    m = len(values)
    points, of_point = _points(xdata, m)
    weights = None if sigma is None else _weights(sigma, m)
    of = type_of(p0, "p0")
    fitted = _text_model(model, of_point, of) if isinstance(model, str) else _Model(model, of_point, of)
    if m < fitted.n:
        raise ShapeError(
            f"A fit needs at least as many points as parameters, but there are {count(m, 'point')} for "
            f"{count(fitted.n, 'parameter')}. Add points, or fix parameters at known values."
        )
    line = line_of_reals(m)
    xs = line if of_point is Real else VecType(m, of_point)
    types = [fitted.type, xs, line, *([] if weights is None else [line])]
    data = (points, values, *([] if weights is None else [weights]))
    key = ("curve_fit", fitted.key, weights is None)
    end = solve(lambda: _residuals(fitted, types, m), key, types, p0, data, bounds, tol, maxiter)
    if end["status"] == NOT_FINITE and end["nit"] == 0:
        raise _not_finite(end, points, values)
    return _outcome(end, fitted.type, m, fitted.n, absolute_sigma)


# ---------------------------------------------------------------- data


def _rows(data: Any, what: str) -> Any:
    """Return a list, buffer or NumPy array unchanged. Convert other iterables, such as tuples, to lists."""
    if hasattr(data, "__array_interface__") or isinstance(data, list | memoryview):
        return data
    if isinstance(data, str | Mapping) or not hasattr(data, "__iter__"):
        raise TypeMismatchError(f"{what} must be a list or an array of numbers, but it is {shown(data)}.")
    return data.tolist() if hasattr(data, "tolist") else list(data)


def _is_floats(data: Any) -> bool:
    """True for a list of floats, the usual kind of data."""
    return type(data) is list and set(map(type, data)) == _FLOATS


def _numbers(data: Any, what: str) -> Any:
    if _is_floats(data):
        return data
    rows = _rows(data, what)
    if not len(rows):
        raise ShapeError(f"{what} is empty, but a fit needs data. Give a number for each point.")
    of = type_of(rows, what)
    if of != VecType(len(rows), Real):
        raise TypeMismatchError(f"{what} must be a list of numbers, but its type is {of!r}.")
    return rows


def _points(xdata: Any, m: int) -> tuple[Any, Type]:
    """Return the points and the type of a point. Check that there are m points. ydata has m numbers."""
    if _is_floats(xdata) and len(xdata) == m:
        return xdata, Real
    rows = _rows(xdata, "xdata")
    if len(rows) and len(rows) != m:
        columns = [_rows(row, "xdata") for row in rows if hasattr(row, "__len__") and len(row) == m]
        if len(columns) != len(rows):
            raise ShapeError(
                f"xdata and ydata must have the same length, but xdata has {count(len(rows), 'point')} and "
                f"ydata has {count(m, 'number')}. Give a number for each point."
            )
        rows = [tuple(map(float, point)) for point in zip(*columns, strict=True)]
    if len(rows) == 0:
        raise ShapeError("xdata is empty, but a fit needs data. Give a point for each number in ydata.")
    of = type_of(rows, "xdata")
    assert isinstance(of, VecType)
    return rows, of.of


def _weights(sigma: Any, m: int) -> Any:
    """Check sigma. Return the standard deviation of each point."""
    if isinstance(sigma, int | float):
        sigma = [sigma] * m
    rows = _numbers(sigma, "sigma")
    if len(rows) != m:
        raise ShapeError(
            f"sigma must have one number for each of the {count(m, 'point')}, but it has {len(rows)}."
        )
    for k, value in enumerate(rows):
        if not 0.0 < value < math.inf:
            raise TypeMismatchError(
                f"The numbers of sigma must be finite and above 0, but number {k} is {float(value)!r}. "
                "Leave out points without a standard deviation."
            )
    return rows


# ---------------------------------------------------------------- the model


class _Model:
    """A model that takes its parameters in the structure of p0.

    make: a function that returns the fn (point, parameters) → Real.
    key: a key for the cache of compiled fits. Equal models have equal keys.
    """

    def __init__(self, model: Any, of_point: Type, of: Type) -> None:
        self.key: Hashable
        self.make: Callable[[], Fn]
        self.type = of
        self.n = number_of_reals(self.type, "p0")
        if isinstance(model, str):
            call, self.key = self._of_text(model, of_point), ("text", model, of_point, self.type)
            self.make = lambda: make_fn([of_point, self.type])(call)
            return
        check_function(model)
        f = make_fn([of_point, self.type], names=("x", "p"))(self._of_function(model))
        if not isinstance(f.function.result, RealType):
            raise TypeMismatchError(
                "A model must return one Real, because it gets one point at a time, but this one returned "
                f"{f.function.result!r}. Write it for a single x."
            )
        self.key = ("function", _key_of(None, f))
        self.make = lambda: f

    def _parts(self, p: Any) -> list[Any]:
        """The parameters in order."""
        if isinstance(self.type, VecType):
            return [p[k] for k in range(self.type.n)]
        return list(self.type.parts(p)) if isinstance(self.type, TupleType | StructType) else [p]

    def _of_text(self, text: str, of_point: Type) -> Callable[[Any, Any], Any]:
        size = number_of_reals(of_point, "a point")
        is_number = isinstance(of_point, RealType)
        letters = ["x"] if is_number else [f"x{k + 1}" for k in range(size)]
        names = _free_names(text, tuple(letters))
        if not is_number and "x" in names:
            raise FormulaError(
                f"The points of xdata are tuples, so the formula must use the names {', '.join(letters)}, "
                "but it has an x. Write x1 for the first number of a point.",
                user_span(),
            )
        if not names:
            raise FormulaError(
                f"The formula {text!r} has no parameters to fit. Write a letter for each, as in a*x + b.",
                user_span(),
            )
        given = list(self.type.names) if isinstance(self.type, StructType) else None
        if given is not None and sorted(given) != sorted(names):
            raise ShapeError(
                f"p0 must name the parameters of the formula ({', '.join(names)}), but it names "
                f"{', '.join(given)}."
            )
        if self.n != len(names):
            raise ShapeError(
                f"p0 must have a number for each parameter of the formula ({', '.join(names)}), but it has "
                f"{self.n}."
            )
        f = _formula(text, (*letters, *names))

        def call(x: Any, p: Any) -> Any:
            point = [x] if is_number else [_real_at(x, of_point, k) for k in range(size)]
            values = dict(zip(given or names, self._parts(p), strict=True))
            return f(*point, *(values[name] for name in names))

        return call

    def _of_function(self, model: Any) -> Callable[[Any, Any], Any]:
        """Return a function (point, parameters) that calls the model with the parameters as arguments."""
        names = _names(model)
        if not isinstance(self.type, StructType):
            k = len(self._parts_types())
            if names is not None and len(names) != k:
                raise ShapeError(
                    f"The model takes {count(len(names), 'parameter')} ({', '.join(names)}), but p0 has "
                    f"{k}. Give a start for each parameter."
                )
            return lambda x, p: model(x, *self._parts(p))
        given = self.type.names
        if names is not None and sorted(given) != sorted(names):
            raise ShapeError(
                f"The model takes the parameters {', '.join(names)}, but p0 names {', '.join(given)}. Give "
                "a start for each parameter by its name."
            )
        if names is None:
            return lambda x, p: model(x, **dict(zip(given, self._parts(p), strict=True)))

        def call(x: Any, p: Any) -> Any:
            values = dict(zip(given, self._parts(p), strict=True))
            return model(x, *(values[name] for name in names))

        return call

    def _parts_types(self) -> Sequence[Type]:
        if isinstance(self.type, VecType):
            return [self.type.of] * self.type.n
        return self.type.items if isinstance(self.type, TupleType | StructType) else [self.type]


@lru_cache(maxsize=64)
def _text_model(text: str, of_point: Type, of: Type) -> _Model:
    """Make a model from the text of a formula. `of` is the type of p0. The models are cached."""
    return _Model(text, of_point, of)


@lru_cache(maxsize=64)
def _free_names(text: str, letters: tuple[str, ...]) -> list[str]:
    return free_names(text, letters)


@lru_cache(maxsize=64)
def _formula(text: str, names: tuple[str, ...]) -> Fn:
    return to_fn(text, names)


def _names(model: Any) -> list[str] | None:
    """List the names of the model's parameters without defaults, or None if their number is not fixed."""
    if isinstance(model, Fn):
        return list(model.function.param_names[1:]) or None
    try:
        parameters = list(inspect.signature(getattr(model, "__wrapped__", model)).parameters.values())[1:]
    except (TypeError, ValueError):
        return None
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return None
    return [p.name for p in parameters if p.default is p.empty]


def _residuals(fitted: _Model, types: Sequence[Type], m: int) -> Fn:
    """The fn (p, points, values[, sigma]) → the residuals."""
    f = fitted.make()

    @make_fn(types)
    def residuals(p: Any, points: Any, values: Any, *sigma: Any) -> Any:
        def residual(i: Any) -> Any:
            difference = f(points[i], p) - values[i]
            return difference / sigma[0][i] if sigma else difference

        return vec(m, residual)

    return residuals


# ---------------------------------------------------------------- the outcome


def _not_finite(end: dict[str, Any], points: Any, values: Any) -> NotFiniteError:
    for k, residual in enumerate(end["fun"]):
        if not math.isfinite(residual):
            return NotFiniteError(
                f"The residual of point {k}, with x = {points[k]} and y = {values[k]}, is {residual} at p0, "
                "but it must be finite. Choose another p0, or leave out this point."
            )
    return NotFiniteError(
        "The derivative of the model with respect to its parameters is not finite at p0. Choose another p0."
    )


def _outcome(end: dict[str, Any], of: Type, m: int, n: int, absolute_sigma: bool) -> Outcome:
    outcome: Any = outcome_of(end)
    held = sum(end["inverse"][k][k] == 0.0 for k in range(n))  # by equal bounds
    total, freedom = 2.0 * end["cost"], m - (n - held)
    reason = ""
    if end["independent"] == 0.0:
        reason = "the data do not determine all parameters (the covariance is singular)"
    elif freedom == 0 and not absolute_sigma:
        reason = "there are no more points than parameters"
    if reason:
        covariance = [[math.inf] * n for _ in range(n)]
        outcome.message += f" The deviations are infinite, because {reason}."
    else:
        scale = 1.0 if absolute_sigma else total / freedom
        covariance = [[float(x) * scale for x in row] for row in end["inverse"]]
    deviations = [math.sqrt(covariance[k][k]) for k in range(n)]
    numpy = numpy_of(end["fun"])
    outcome.deviations = plain_structure(of, deviations, numpy)
    outcome.covariance = covariance if numpy is None else numpy.array(covariance)
    outcome.residual_sum = total
    outcome.residual_deviation = math.sqrt(total / freedom) if freedom else math.inf
    outcome.degrees_of_freedom = freedom
    fitted: Outcome = outcome
    return fitted
