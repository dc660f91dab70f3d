"""`eg.odeint`: the solution of an ordinary differential equation at given times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from eglantine.errors import ShapeError
from eglantine.functions.eager import _key_of
from eglantine.functions.fn import Fn, argument_types, as_fn, check_function
from eglantine.functions.fn import fn as make_fn
from eglantine.numpy.building import array_of
from eglantine.numpy.eager import Array, as_result, is_numpy
from eglantine.numpy.mapping import arrays_of_parts
from eglantine.plain.symbolic import current
from eglantine.solvers.flattening import flat, number_of_reals, with_structure
from eglantine.solvers.problems import is_line
from eglantine.solvers.solves import solved
from eglantine.trace.choices import select
from eglantine.trace.elementwise import real
from eglantine.trace.loops import scan, while_loop
from eglantine.trace.traced import current_builder
from eglantine.trace.types_of import type_of
from eglantine.trace.vectors import rows_of, value_of
from eglantine.types import Real, RealType, StructType, TupleType, Type, VecType
from eglantine.words.spelling import count

from .dormand_prince import error_norm, first_step, next_step, on_curve, step
from .lines import each, without_gradient

TOLERANCE = 1.4e-8
"""The default of `rtol` and `atol`. It is about the square root of the rounding unit of a Real."""

SMALLEST_STEP = 2.0**-50
"""The smallest step, as a fraction of |t|. Rounding could make t + step equal to t for a smaller step.

If a smaller step is needed, the solution ends, and all later values are NaN."""


def odeint(f: Any, y0: Any, ts: Any, *args: Any, rtol: float = TOLERANCE, atol: float = TOLERANCE) -> Any:
    """Solve dy/dt = f(y, t, *args) with y(ts[0]) = y0. Return y at each of the times ts.

    >>> import eglantine as eg
    >>> ys = eg.odeint(lambda y, t: -y, 1.0, [0.0, 1.0, 2.0])
    >>> [round(y, 7) for y in ys]
    [1.0, 0.3678794, 0.1353353]

    f: an `fn`, a `jit` or a plain function. It returns dy/dt, which has the structure of y.
    y0: Reals in any structure.
    ts: the times, increasing or decreasing.
    args: further arguments of f. New values of the same types need no new compilation.
    rtol, atol: the relative and the absolute tolerance. A step is accepted if the root mean square of
        error/(atol + rtol·|y|) over all Reals of y is at most 1.

    The result has one more axis than y0: the first axis has an entry for each time. If y0 is a struct or a
    tuple, each of its parts has this axis. If even tiny steps fail, for example near a pole, all later values
    are NaN.

    The method is Dormand and Prince's, with adaptive steps of order 5 and interpolation of order 4 within a
    step. It is not meant for stiff equations. f is not called beyond the last time. The result has
    derivatives of any order. The derivatives treat the step sizes as constants.

    Raises: ShapeError if f does not return as many Reals as y0 has, or if times given as plain numbers are
        not in order.
    """
    check_function(f)
    if current.get() is not None:
        return _solution(f, y0, array_of(ts), args, float(rtol), float(atol))
    y0, ts, *rest = (value.tolist() if isinstance(value, Array) else value for value in (y0, ts, *args))
    types = argument_types((y0, ts, *rest))
    _check_times(types[1], ts)
    made = as_fn(f, (types[0], Real, *types[2:]), 2)
    settings = float(rtol), float(atol)

    def program() -> Fn:
        return make_fn(list(types))(lambda y0, ts, *args: _solution(made, y0, ts, args, *settings))

    key = ("odeint", _key_of(f, made), types, settings)
    result = solved(key, program, (y0, ts, *rest))
    return as_result(result, _stacked(types[0], len(ts)), any(map(is_numpy, (y0, ts))))


def _check_times(of: Type, ts: Any) -> None:
    """Raise an error if the times are not a list of numbers, or if the numbers are not in order."""
    if not is_line(of):
        raise ShapeError(
            f"The times of eg.odeint must be a list of numbers, but their type is {of!r}. Write "
            "eg.odeint(f, y0, [0.0, 1.0])."
        )
    pairs = list(pairwise(ts))
    if any(a > b for a, b in pairs) and any(a < b for a, b in pairs):
        k = next(k for k, (a, b) in enumerate(pairs) if (a > b) == (ts[0] <= ts[-1]) and a != b)
        raise ShapeError(
            f"The times of eg.odeint must increase or decrease throughout, but time {k} is {ts[k]} and time "
            f"{k + 1} is {ts[k + 1]}. Sort them."
        )


def _stacked(of: Type, n: int) -> Type:
    """Return the type of n values of type `of`. A struct or tuple becomes a struct or tuple of Vecs."""
    match of:
        case TupleType(items):
            return TupleType(tuple(_stacked(item, n) for item in items))
        case StructType():
            return of.of([_stacked(item, n) for item in of.items])
    return VecType(n, of)


def _solution(f: Any, y0: Any, ts: Any, args: Sequence[Any], rtol: float, atol: float) -> Any:
    """Compute the solution at the times `ts` within a trace."""
    of = type_of(y0)
    n = number_of_reals(of, "the start of eg.odeint")
    times = type_of(ts)
    if not is_line(times):
        raise ShapeError(
            f"The times of eg.odeint must be a Vec of Reals, but their type is {times!r}. Write "
            "eg.odeint(f, y0, [0.0, t])."
        )
    start = flat(y0, of)
    y = each(n, lambda i: real(start[i]))

    def structured(reals: Any) -> Any:
        if isinstance(of, RealType):
            return reals[0]
        b = current_builder()
        return value_of(of, b, rows_of(b, with_structure(of, lambda k: reals[k]), of, "the state"))

    def slopes(t: Any, y: Any) -> Any:
        value = f(structured(y), t, *args)
        slopes_of = type_of(value)
        several = number_of_reals(slopes_of, "the result of f")
        if several != n:
            raise ShapeError(
                f"f must return a slope for each Real of y, but y has {count(n, 'Real')} and f returns "
                f"{several}. Return the derivative of y in the structure of y."
            )
        reals = flat(value, slopes_of)
        return each(n, lambda i: real(reals[i]))

    return _integrated(slopes, n, y, ts, structured, rtol, atol)


def _integrated(slopes: Any, n: int, start: Any, ts: Any, structured: Any, rtol: float, atol: float) -> Any:
    """Solve the equation. Return the solution at the times `ts`. `start` has the Reals of y at ts[0]."""
    begin, end = ts[0], ts[len(ts) - 1]
    sign = without_gradient(select(end >= begin, 1.0, -1.0))
    first = slopes(begin, start)
    span = without_gradient(abs(end - begin))
    h = without_gradient(first_step(slopes, n, begin, start, first, sign, span, rtol, atol))
    nothing = each(n, lambda _: 0.0)
    carry = {
        "y": start, "slopes": first, "t": begin, "next": h,
        "from": begin, "width": 1.0, "curve": (start, nothing, nothing, nothing, nothing),
    }  # fmt: skip

    def goes_on(s: Any, target: Any) -> Any:
        return (sign * (target - s["t"]) > 0.0) & (s["next"] > SMALLEST_STEP * abs(s["t"]))

    def stepped(s: Any) -> Any:
        left = without_gradient(abs(end - s["t"]))
        is_last = s["next"] >= left
        size = select(is_last, left, s["next"])
        h = sign * size
        after, there, error, curve = step(slopes, n, s["t"], s["y"], s["slopes"], h)
        ratio = without_gradient(error_norm(n, error, s["y"], after, rtol, atol))
        good = ratio <= 1.0
        now = s["t"] + h
        now = select(is_last, now + without_gradient(end - now), now)
        new = {
            "y": after, "slopes": there, "t": now, "next": next_step(size, ratio),
            "from": s["t"], "width": h, "curve": curve,
        }  # fmt: skip
        return chosen(good, new, {**s, "next": next_step(size, ratio)})

    def at(s: Any, target: Any) -> Any:
        s = while_loop(lambda s: goes_on(s, target), stepped, s)
        part = (target - s["from"]) / s["width"]
        part = select(sign * (target - s["t"]) > 0.0, math.nan, part)
        return s, structured(each(n, lambda i: on_curve(s["curve"], part, i)))

    return arrays_of_parts(scan(at, carry, ts)[1])


def chosen(condition: Any, yes: Any, no: Any) -> Any:
    """Choose one of two states."""
    if isinstance(yes, dict):
        return {name: chosen(condition, yes[name], no[name]) for name in yes}
    if isinstance(yes, tuple):
        return tuple(chosen(condition, a, b) for a, b in zip(yes, no, strict=True))
    return select(condition, yes, no)
