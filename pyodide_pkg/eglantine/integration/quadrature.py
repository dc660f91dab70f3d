"""`eg.quad`: the integral of a function of one number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.eager import _key_of
from eglantine.functions.fn import Fn, argument_types, as_fn, check_function
from eglantine.functions.fn import fn as make_fn
from eglantine.plain.symbolic import current, described
from eglantine.solvers.solves import solved
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import as_vector, real
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.scalars import RealValue
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin, Real

from .lines import without_gradient

TOLERANCE = 1.49e-8
"""The default value of `epsabs` and of `epsrel`. SciPy has the same default."""

PIECES = 50
"""The default value of `limit`, which is the largest number of pieces of the interval."""

POSITIVE_NODES = (
    0.995657163025808080735527280689003, 0.973906528517171720077964012084452,
    0.930157491355708226001207180059508, 0.865063366688984510732096688423493,
    0.780817726586416897063717578345042, 0.679409568299024406234327365114874,
    0.562757134668604683339000099272694, 0.433395394129247190799265943165784,
    0.294392862701460198131126603103866, 0.148874338981631210884826001129720,
)  # fmt: skip
"""Kronrod's nodes in (0, 1), the largest first. The second, the fourth, … are also nodes of Gauss's rule."""

KRONROD = (
    0.011694638867371874278064396062192, 0.032558162307964727478818972459390,
    0.054755896574351996031381300244580, 0.075039674810919952767043140916190,
    0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
    0.123491976262065851077958109585166, 0.134709217311473325928054001771707,
    0.142775938577060080797094273138717, 0.147739104901338491374841515972068,
)  # fmt: skip
KRONROD_AT_ZERO = 0.149445554002916905664936468389821

GAUSS = (
    0.066671344308688137593568809893332, 0.149451349150580593145863396957658,
    0.219086362515982043995534934228163, 0.269266719309996355091226921569469,
    0.295524224714752870173815619188769,
)  # fmt: skip

NODES = (*(-x for x in POSITIVE_NODES), 0.0, *POSITIVE_NODES[::-1])
WEIGHTS = (*KRONROD, KRONROD_AT_ZERO, *KRONROD[::-1])
SPREAD_GAUSS = tuple(w for g in GAUSS for w in (0.0, g))
GAUSS_WEIGHTS = (*SPREAD_GAUSS, 0.0, *SPREAD_GAUSS[::-1])

ROUNDING = 50 * 2.0**-52
"""The least estimated error of a piece, as a fraction of the integral of |f| over the piece.

It accounts for rounding errors.
"""

Integrand = Callable[[Any], Any]
State = dict[str, Any]


def quad(
    f: Any, a: Any, b: Any, args: Any = (), *,
    epsabs: float = TOLERANCE, epsrel: float = TOLERANCE, limit: int = PIECES,
) -> tuple[Any, Any]:  # fmt: skip
    """Return the integral of f(x, *args) for x from a to b, and an estimate of its absolute error.

    >>> import eglantine as eg
    >>> value, error = eg.quad(eg.math.sin, 0.0, eg.math.pi)
    >>> round(value, 12), error < 1e-12
    (2.0, True)

    f: an `fn`, a `jit` or a plain function that returns one Real. It is not called at a and b.
    a, b: the limits. A limit that is a plain number may be infinite. A traced limit must be finite.
    args: a tuple of further arguments, or one argument. New values need no new compilation.
    epsabs, epsrel: the interval is divided until the error is at most epsabs, or at most epsrel·|value|.
    limit: the largest number of pieces. If more are needed, the returned error exceeds both tolerances.

    The method is QUADPACK's (Piessens and others, *QUADPACK*, 1983, `QAG` and `QAGI`): Kronrod's rule of 21
    points integrates each piece, and its difference from Gauss's rule of 10 points estimates the error. The
    piece with the greatest error is halved next. The integral has derivatives of any order with respect to
    the limits, args and the values that f captures. They treat the pieces and the error as constants.

    Raises: TypeMismatchError if f does not return one Real.
    """
    check_function(f)
    args = tuple(args) if isinstance(args, tuple | list) else (args,)
    settings = float(epsabs), float(epsrel), max(int(limit), 1)
    ends = _infinite(a), _infinite(b)
    if current.get() is not None:
        return _integral(f, a, b, args, ends, settings)
    a, b = (0.0 if end else limit for end, limit in zip(ends, (a, b), strict=True))
    types = argument_types((a, b, *args))
    made = as_fn(f, (Real, *types[2:]), 2)

    def program() -> Fn:
        return make_fn(list(types))(lambda a, b, *args: _integral(made, a, b, args, ends, settings))

    value, error = solved(("quad", _key_of(f, made), types, ends, settings), program, (a, b, *args))
    return value, error


def _infinite(limit: Any) -> int:
    """Return 1 if a limit is the plain number ∞, -1 if it is −∞, and 0 for any other limit."""
    if not isinstance(limit, float | int) or not math.isinf(limit):
        return 0
    return 1 if limit > 0 else -1


def _integral(
    f: Any, a: Any, b: Any, args: tuple[Any, ...], ends: tuple[int, int], settings: tuple[float, float, int]
) -> tuple[Any, Any]:
    """Compute the integral and its error within a trace."""

    def at(x: Any) -> Any:
        value = f(x, *args)
        if isinstance(value, float | int):
            return real(value)
        if not isinstance(value, RealValue):
            raise TypeMismatchError(
                f"eg.quad integrates a function that returns one Real, but this one returns "
                f"{described(value)}. Call eg.quad once for each of its Reals."
            )
        return value

    if ends[0] and ends[0] == ends[1]:
        return real(0.0), real(0.0)
    if ends == (0, 0):
        return _adaptive(at, real(a), real(b), *settings)
    return _adaptive(_on_unit_interval(at, real(a), real(b), ends), real(0.0), real(1.0), *settings)


def _on_unit_interval(f: Integrand, a: Any, b: Any, ends: tuple[int, int]) -> Integrand:
    """Make a function g. Its integral from 0 to 1 equals the integral of f from a to b.

    At least one of a and b is infinite. If only b is infinite, we substitute x = a + (1 − u)/u. The other
    cases are similar. `QAGI` does the same.
    ends: a number for a and a number for b. 1 means ∞, -1 means −∞, and 0 means a finite limit.
    """
    low, high = ends
    if low and high:

        def whole(u: Any) -> Any:
            x = (1.0 - u) / u
            both = sum_(2, lambda side: f(select(side == 0, x, -x)))
            return high * both / (u * u)

        return whole
    if high:
        return lambda u: high * f(a + high * (1.0 - u) / u) / (u * u)
    return lambda u: -low * f(b + low * (1.0 - u) / u) / (u * u)


def _pieces(f: Integrand, a: Any, b: Any) -> Callable[[State], State]:
    """Return a function that computes the integral over a piece, and its error, by Kronrod's rule.

    A piece stores its left end and its width. They give the nodes, which are the points where f is called. A
    piece also stores its left end and width as fractions of the interval from a to b (`start` and `part`).
    The fractions say how far each node moves when a or b moves. Derivatives by a and b need these fractions.
    """
    nodes, weights, gauss = as_vector(list(NODES)), as_vector(list(WEIGHTS)), as_vector(list(GAUSS_WEIGHTS))
    n = len(NODES)
    a_moves, b_moves = a - without_gradient(a), b - without_gradient(b)

    def piece(s: State) -> State:
        half, half_part = 0.5 * s["width"], 0.5 * s["part"]

        def at(i: Any) -> Any:
            u = s["start"] + half_part + half_part * nodes[i]
            return f(s["left"] + half + half * nodes[i] + (a_moves * (1.0 - u) + b_moves * u))

        values = vec(n, at)
        integral = sum_(n, lambda i: weights[i] * values[i])
        difference = abs(integral - sum_(n, lambda i: gauss[i] * values[i]))
        mean = 0.5 * integral
        roughness = sum_(n, lambda i: weights[i] * abs(values[i] - mean))
        ratio = 200.0 * difference / select(roughness > 0.0, roughness, 1.0)
        sharper = roughness * maths.minimum(1.0, ratio * maths.sqrt(ratio))
        error = select((roughness > 0.0) & (difference > 0.0), sharper, difference)
        rounding = ROUNDING * sum_(n, lambda i: weights[i] * abs(values[i]))
        error = without_gradient(maths.maximum(error, rounding) * abs(half))
        return {**s, "integral": integral * (half + half_part * (b_moves - a_moves)), "error": error}

    return piece


def _adaptive(f: Integrand, a: Any, b: Any, epsabs: float, epsrel: float, limit: int) -> tuple[Any, Any]:
    """Integrate f from a to b with at most `limit` pieces. Return the integral and its error."""
    piece = _pieces(f, a, b)
    left, width = without_gradient(a), without_gradient(b - a)
    whole = piece({"left": left, "width": width, "start": real(0.0), "part": real(1.0)})
    begin = {name: vec(limit, _first(value)) for name, value in whole.items()}
    carry = {"pieces": begin, "count": 1.0}

    def total(s: State, name: str) -> Any:
        return sum_(limit, lambda i: s["pieces"][name][i])

    def goes_on(s: State) -> Any:
        enough = maths.maximum(epsabs, epsrel * abs(total(s, "integral")))
        return (s["count"] < limit) & (total(s, "error") > enough)

    def divided(s: State) -> State:
        pieces = s["pieces"]
        k = _greatest(pieces["error"], limit)
        width, part = 0.5 * pieces["width"][k], 0.5 * pieces["part"][k]

        def half_of_piece(side: Any) -> Any:
            left = pieces["left"][k] + real(side) * width
            return piece(
                {"left": left, "width": width, "start": pieces["start"][k] + real(side) * part, "part": part}
            )

        halves = vec(2, half_of_piece)

        def replaced(name: str) -> Any:
            first, second, old = halves[0][name], halves[1][name], pieces[name]
            return vec(limit, lambda i: select(i == k, first, select(real(i) == s["count"], second, old[i])))

        return {"pieces": {name: replaced(name) for name in pieces}, "count": s["count"] + 1.0}

    end = while_loop(goes_on, divided, carry)
    return total(end, "integral"), without_gradient(total(end, "error"))


def _first(value: Any) -> Callable[[Any], Any]:
    return lambda i: select(i == 0, value, 0.0)


def _greatest(errors: Any, n: int) -> Any:
    """The index of the greatest error."""

    def greater(i: Any, best: Any) -> Any:
        is_greater = errors[i] > best[1]
        return select(is_greater, i, best[0]), select(is_greater, errors[i], best[1])

    return fori_loop(0, n, greater, (Fin(n)(0), errors[0]))[0]
