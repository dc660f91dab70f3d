"""`check_grads`: compare derivatives of every mode and order with finite differences."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.derivatives import jvp_fn, vjp_fn
from eglantine.functions.fn import (
    Fn,
    argument_types,
    as_fn,
    bound_arguments,
    check_function,
    sequence_of_arguments,
)
from eglantine.leaves import leaves, tangent_type
from eglantine.plain.marshal import flatten, unflatten
from eglantine.plain.typeof import shown
from eglantine.types import Type

STEP = 2.0**-9
"""The first step of the finite differences, as a fraction of max(1, |x|).

Its fourth power, a measure of the differences' error, is near the rounding error.
"""

SHORTER_STEPS = (2.0**-14, 2.0**-19)
"""First steps that we try if `STEP` gives inaccurate differences, for example across a kink."""

ROUNDING = 2.0**-48
"""The rounding error of a value, as a fraction of the value. This error matters if steps are short."""

VAGUE = 1e-2
"""The largest useful error of the finite differences, as a fraction of max(1, |derivative|).

If the error is larger, the differences cannot tell whether a derivative is right.
"""

RTOL = 1e-6
"""The default tolerance for a derivative, as a fraction of max(1, |derivative|)."""


@dataclass(frozen=True, slots=True)
class Check:
    """A comparison of one derivative with finite differences.

    what: the name of the derivative, such as "rev of fwd of f".
    found: the derivative that automatic differentiation computes.
    expected: the derivative that finite differences give.
    tolerance: the largest allowed |found − expected|.
    """

    what: str
    found: float
    expected: float
    tolerance: float

    @property
    def tells(self) -> bool:
        """True if the finite differences are accurate enough to judge the derivative."""
        return not self.tolerance > VAGUE * max(1.0, abs(self.found), abs(self.expected))

    @property
    def holds(self) -> bool:
        """True if the derivative agrees with the differences.

        If there is a NaN, or if the differences are inaccurate, the answer is false.
        """
        return self.tells and abs(self.found - self.expected) <= self.tolerance

    def __str__(self) -> str:
        verdict = "agrees" if self.holds else "DIFFERS" if self.tells else "CANNOT TELL"
        expected = f"by differences {self.expected!r} (± {self.tolerance:.1e})"
        return f"{verdict}  {self.what}: {self.found!r}, {expected}"


@dataclass(frozen=True, slots=True)
class Report:
    """The comparisons that one call of `check_grads` made."""

    checks: tuple[Check, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.checks))


def check_grads(
    f: Any,
    args: Sequence[Any],
    order: int = 2,
    modes: Sequence[str] = ("fwd", "rev"),
    *,
    rtol: float = RTOL,
    seed: int = 0,
) -> Report:
    """Compare f's derivatives at `args` with finite differences.

    We check all orders up to `order`. Each order is checked for all nestings of `modes`, such as forward over
    reverse.

    Each derivative is taken in a random direction, which depends on `seed`. Arguments larger than 1 move in
    proportion to their size. The differences are central, with Richardson extrapolation. We estimate the
    error of the differences and add it to the tolerance.

    If this error is larger than a hundredth of the derivative (near a pole or a jump, for example), we cannot
    tell whether the derivative is right. This counts as a failure.

    Raises: AssertionError with the report if a derivative is wrong or if we cannot tell. It is wrong if it
        differs by more than rtol·max(1, |expected|) plus the error. TypeMismatchError for unusable arguments,
        order or modes.
    """
    _check_options(order, modes, rtol)
    sequence_of_arguments(args, "the arguments of check_grads", "eg.check_grads(f, {})")
    check_function(f)
    g = as_fn(f, argument_types(args))
    bound_arguments(g, tuple(args))
    rng = random.Random(seed)  # noqa: S311 - directions, not secrets
    checks: list[Check] = []
    pending: list[tuple[str, Fn, list[Any]]] = [(g.__name__, g, list(args))]
    for _ in range(order):
        level, pending = pending, []
        for name, h, at in level:
            for mode in modes:
                check, inner = _compared(mode, name, h, at, rng, rtol)
                checks.append(check)
                pending.append(inner)
    report = Report(tuple(checks))
    if not all(check.holds or not check.tells for check in checks):
        raise AssertionError(
            f"Some derivatives differ from finite differences:\n{report}\nMake the derivative "
            "rules agree with the functions."
        )
    if not all(check.tells for check in checks):
        raise AssertionError(
            "These derivatives cannot be checked here, because the error of the finite differences is too "
            "large. Choose a point around which the function is smooth:\n"
            f"{report}"
        )
    return report


def _check_options(order: Any, modes: Any, rtol: Any) -> None:
    """Raise an error if the order, the modes or the tolerance cannot be used."""
    if type(order) is not int or order < 1:
        raise TypeMismatchError(
            f"The order of check_grads must be a whole number ≥ 1, but it is {shown(order)}. Write order=2."
        )
    if isinstance(modes, str) or not modes or any(mode not in _MODES for mode in modes):
        raise TypeMismatchError(
            "The modes of check_grads must be a tuple of 'fwd' (forward mode) and 'rev' (reverse "
            f"mode), but they are {modes!r}. Write modes={_modes_meant(modes)!r}."
        )
    if isinstance(rtol, bool) or not isinstance(rtol, float | int):
        raise TypeMismatchError(
            f"The rtol of check_grads must be a number, but it is {shown(rtol)}. Write rtol=1e-6."
        )


def _modes_meant(modes: Any) -> tuple[str, ...]:
    """Guess the modes that the user meant, from the first letters of their names."""
    given = (modes,) if isinstance(modes, str) else tuple(modes)
    meant = [mode for mode in _MODES for name in given if str(name)[:1].lower() == mode[0]]
    return tuple(dict.fromkeys(meant)) or ("fwd", "rev")


_MODES = {"fwd": jvp_fn, "rev": vjp_fn}


def _compared(
    mode: str, name: str, h: Fn, at: list[Any], rng: random.Random, rtol: float
) -> tuple[Check, tuple[str, Fn, list[Any]]]:
    """Compare one derivative with finite differences, and prepare the check of the next order.

    Forward mode gives ⟨w, J v⟩ and reverse mode gives ⟨Jᵀ w, v⟩. J is the Jacobian of h, and v and w are
    random. Return the comparison. Also return the derivative as a function, with its name and arguments.
    """
    v, w = _directions(h, at, rng)
    inner = _MODES[mode](h)
    more = v if mode == "fwd" else [w]
    results = inner(*at, *more)
    if mode == "fwd":
        computed = _inner(w, results[1], tangent_type(h.function.result))
    else:
        params = map(tangent_type, h.function.params)
        computed = sum(_inner(dx, ct, of) for dx, ct, of in zip(v, results, params, strict=True))
    expected, error = _difference(h, at, v, w)
    check = Check(f"{mode} of {name}", computed, expected, error + rtol * max(1.0, abs(expected)))
    return check, (check.what, inner, [*at, *more])


def _directions(h: Fn, at: list[Any], rng: random.Random) -> tuple[list[Any], Any]:
    """Make a random tangent for each argument, scaled to the argument's size, and a random cotangent."""
    v = [_random(of, _numbers(x, of), rng) for x, of in zip(at, h.function.params, strict=True)]
    return v, _random(h.function.result, (), rng)


def _random(of: Type, at: Sequence[float], rng: random.Random) -> Any:
    sizes = iter(at)
    return with_numbers(tangent_type(of), lambda: rng.uniform(-1.0, 1.0) * max(1.0, abs(next(sizes, 0.0))))


def with_numbers(of: Type, number: Callable[[], float]) -> Any:
    """Make a value of type `of`, which consists of Reals only. Get each Real from a call of number()."""

    def nested(dims: Sequence[int]) -> Any:
        return [nested(dims[1:]) for _ in range(dims[0])] if dims else number()

    return unflatten(of, [nested(leaf.dims) for leaf in leaves(of)])


def _numbers(value: Any, of: Type) -> list[float]:
    """List all Reals of a value, in the order of its leaves. Indices and Bools are left out."""
    parts = zip(leaves(of), flatten(value, of), strict=True)
    return [x for leaf, part in parts if leaf.dtype == "f64" for x in _flat(part)]


def _flat(part: Any) -> list[float]:
    return [x for item in part for x in _flat(item)] if isinstance(part, list) else [float(part)]


def _inner(w: Any, dy: Any, of: Type) -> float:
    """Compute the inner product ⟨w, dy⟩ of a cotangent w and a tangent dy of type `of`."""
    return sum(a * b for a, b in zip(_numbers(w, tangent_type(of)), _numbers(dy, of), strict=True))


def _moved(value: Any, step: float, direction: Any, of: Type) -> Any:
    """Return the value with step·direction added to its Reals."""
    slopes = iter(_numbers(direction, tangent_type(of)))

    def moved(part: Any) -> Any:
        return [moved(item) for item in part] if isinstance(part, list) else part + step * next(slopes)

    parts = [
        moved(part) if leaf.dtype == "f64" else part
        for leaf, part in zip(leaves(of), flatten(value, of), strict=True)
    ]
    return unflatten(of, parts)


def _difference(h: Fn, at: Sequence[Any], v: Sequence[Any], w: Any) -> tuple[float, float]:
    """Estimate d/dt ⟨w, h(at + t·v)⟩ at t = 0 by central differences. Also bound the error.

    Central differences are not accurate at a jump or near a kink. If the bound is large, we also try shorter
    steps and one-sided differences. We return the estimate with the smallest bound.
    """
    params, result = h.function.params, h.function.result

    def value(step: float) -> float:
        moved = [_moved(x, step, dx, of) for x, dx, of in zip(at, v, params, strict=True)]
        return _inner(w, h(*moved), result)

    slope, error = _extrapolated(value, STEP)
    if not error > VAGUE * max(1.0, abs(slope)):
        return slope, error
    middle = value(0.0)
    others = [_extrapolated(value, step) for step in SHORTER_STEPS]
    others += [_to_one_side(value, middle, side * STEP) for side in (1.0, -1.0)]
    rounding = ROUNDING * abs(middle) / min(SHORTER_STEPS)
    candidates = [(slope, error), *((other, its_error + rounding) for other, its_error in others)]
    return min(candidates, key=lambda pair: pair[1])


def _to_one_side(value: Callable[[float], float], middle: float, step: float) -> tuple[float, float]:
    """Estimate the slope of `value` at 0 from points on one side of 0, and bound the error.

    middle: value(0.0). step: the largest step. If it is negative, the points are to the left of 0.
    """
    first, second, third = ((value(h) - middle) / h for h in (step, step / 2.0, step / 4.0))
    coarse, fine = 2.0 * second - first, 2.0 * third - second
    best = (4.0 * fine - coarse) / 3.0
    return best, 4.0 * abs(best - fine)


def _extrapolated(value: Callable[[float], float], step: float) -> tuple[float, float]:
    """Estimate the slope of `value` at 0 by Richardson extrapolation, and bound the error."""
    first, second, third = ((value(h) - value(-h)) / (2.0 * h) for h in (step, step / 2.0, step / 4.0))
    coarse, fine = (4.0 * second - first) / 3.0, (4.0 * third - second) / 3.0
    return fine, 4.0 * abs(fine - coarse)
