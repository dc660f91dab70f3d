"""One step of Dormand and Prince's Runge–Kutta method, and a curve that interpolates within the step.

The step has order 5. A second formula of order 4 estimates the error.
Source: Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, second edition, II.4 (step
sizes), table II.5.2 (the pair) and section II.6 (the curve of order 4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.trace import maths
from eglantine.trace.choices import select

from .lines import each, total

TIMES = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
"""The times at which we compute slopes, as fractions of the step."""

STAGES: tuple[tuple[float, ...], ...] = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
"""For each stage, the weights of the slopes of the earlier stages.

The y of the last stage is the solution of order 5 at the end of the step."""

ERRORS = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
"""The weights of the slopes in the estimated error: the solution of order 5 minus the solution of order 4."""

MIDDLE = (
    -12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072,
    701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423,
)  # fmt: skip
"""The weights of the slopes in the last coefficient of the curve that interpolates within a step."""

SAFETY, LEAST_FACTOR, GREATEST_FACTOR = 0.9, 0.2, 10.0
"""The next step is SAFETY times the best step. It is at least LEAST_FACTOR times, and at most GREATEST_FACTOR
times this step."""

Slopes = Callable[[Any, Any], Any]


def step(slopes: Slopes, n: int, t: Any, y: Any, first: Any, h: Any) -> tuple[Any, Any, Any, Any]:
    """Compute one step from time t.

    Return four values: y at the end of the step, the slopes there, the estimated error of this y, and the
    five coefficients of the curve that interpolates within the step.

    slopes: the function (t, y) → dy/dt. n: the number of Reals in y.
    first: the slopes at the start of the step.
    h: the size of the step. It is negative if t decreases.
    """
    stages = [first]
    end = y
    for time, weights in zip(TIMES[1:], STAGES[1:], strict=True):
        end = _stage(n, y, h, weights, stages)
        stages.append(slopes(t + h * time, end))
    error = each(n, lambda i: h * weighted(ERRORS, stages, i))
    rise = each(n, lambda i: end[i] - y[i])
    bend = each(n, lambda i: h * first[i] - rise[i])
    after = each(n, lambda i: rise[i] - h * stages[-1][i] - bend[i])
    last = each(n, lambda i: h * weighted(MIDDLE, stages, i))
    return end, stages[-1], error, (y, rise, bend, after, last)


def _stage(n: int, y: Any, h: Any, weights: tuple[float, ...], stages: list[Any]) -> Any:
    return each(n, lambda i: y[i] + h * weighted(weights, stages, i))


def weighted(weights: tuple[float, ...], stages: list[Any], i: Any) -> Any:
    """Multiply the slope of Real i in each stage by the stage's weight. Return the sum."""
    terms = [weight * stage[i] for weight, stage in zip(weights, stages, strict=True) if weight]
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


def on_curve(curve: Any, part: Any, i: Any) -> Any:
    """Return the value of Real i at a time within a step.

    curve: the five coefficients of the step's curve, from `step`.
    part: the time as a fraction of the step. It is 0 at the step's start and 1 at its end.
    """
    y, rise, bend, after, last = (coefficient[i] for coefficient in curve)
    rest = 1.0 - part
    return y + part * (rise + rest * (bend + part * (after + rest * last)))


def error_norm(n: int, error: Any, before: Any, after: Any, rtol: float, atol: float) -> Any:
    """Return the root mean square of error / allowed error. The step is accepted if the result is ≤ 1."""

    def square(i: Any) -> Any:
        ratio = error[i] / (atol + rtol * maths.maximum(abs(before[i]), abs(after[i])))
        return ratio * ratio

    return maths.sqrt(total(n, square) / n)


def next_step(h: Any, error: Any) -> Any:
    """Compute the next step's size from this step's size and error norm. A NaN norm gives a smaller step."""
    best = SAFETY * maths.exp(-0.2 * maths.log(error))
    most = select(error <= 1.0, GREATEST_FACTOR, 1.0)
    least = select(error <= 1.0, 1.0, LEAST_FACTOR)
    return h * select(error == 0.0, GREATEST_FACTOR, select(best > least, maths.minimum(best, most), least))


def first_step(
    slopes: Slopes, n: int, t: Any, y: Any, first: Any, sign: Any, span: Any, rtol: float, atol: float
) -> Any:
    """Choose the size of the first step from the slopes and their rate of change (section II.4)."""

    def norm(v: Callable[[Any], Any]) -> Any:
        def square(i: Any) -> Any:
            ratio = v(i) / (atol + rtol * abs(y[i]))
            return ratio * ratio

        return maths.sqrt(total(n, square) / n)

    size, slope = norm(lambda i: y[i]), norm(lambda i: first[i])
    small = (size < 1e-5) | (slope < 1e-5)
    trial = maths.minimum(select(small, 1e-6, 0.01 * size / select(small, 1.0, slope)), span)
    there = slopes(t + sign * trial, each(n, lambda i: y[i] + sign * trial * first[i]))
    change = norm(lambda i: there[i] - first[i]) / select(trial > 0.0, trial, 1.0)
    greater = maths.maximum(slope, change)
    flat = greater <= 1e-15
    order = select(flat, maths.maximum(1e-6, trial * 1e-3), (0.01 / select(flat, 1.0, greater)) ** 0.2)
    return maths.minimum(maths.minimum(100.0 * trial, order), span)
