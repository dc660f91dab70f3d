"""Derivatives of random programs obey laws. For example, jvp is linear, and vjp is its transpose."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import eglantine as eg
from eglantine.leaves import tangent_type
from tests.laws.comparing import inner, jvp_of, programs, reals, vjp_of
from tests.programs import REAL, Plan, Style, arguments, function_of, plans, tangents_of, where_differentiable

TOTAL, SMOOTH = Style(total=True), Style(smooth=True, total=True)
LARGEST = 1e6
"""The size of values above which we skip a program. The rounding errors of larger values are too large for a
comparison."""


def tame(value: Any) -> bool:
    """True if all floats in a value are finite and not huge."""
    return all(abs(x) < LARGEST for x in reals(value))


def directions(data: st.DataObject, f: Any) -> list[Any]:
    """A random tangent for each argument of f."""
    return [data.draw(tangents_of(tangent_type(of))) for of in f.function.params]


def close(a: float, b: float, scale: float, tolerance: float = 1e-8) -> bool:
    """True if |a − b| is at most `tolerance` · (1 + `scale`)."""
    return abs(a - b) <= tolerance * (1.0 + scale)


def combined(f: Callable[..., float], *values: Any) -> Any:
    """Apply f to corresponding floats of `values`, which must have equal shapes."""
    first = values[0]
    if isinstance(first, float):
        return f(*values)
    if isinstance(first, dict):
        return {name: combined(f, *(value[name] for value in values)) for name in first}
    if isinstance(first, list | tuple):
        return type(first)(combined(f, *parts) for parts in zip(*values, strict=True))
    return first


@settings(max_examples=programs(100))
@given(st.data())
@where_differentiable
def test_vjp_is_the_transpose_of_jvp(data: st.DataObject) -> None:
    plan = data.draw(plans(TOTAL))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    v = directions(data, f)
    w = data.draw(tangents_of(tangent_type(f.function.result)))
    _, dy = jvp_of(f)(*x, *v)
    ct_x = vjp_of(f)(*x, w)
    assume(tame(dy) and tame(ct_x))
    (forward, size), (backward, other) = inner(w, dy), inner(ct_x, tuple(v))
    assert close(forward, backward, size + other)


@settings(max_examples=programs(100))
@given(st.data())
@where_differentiable
def test_jvp_is_linear_in_its_tangent(data: st.DataObject) -> None:
    plan = data.draw(plans(TOTAL))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    v, w = directions(data, f), directions(data, f)
    pushed = jvp_of(f)
    both = [combined(lambda a, b: a - 2.0 * b, a, b) for a, b in zip(v, w, strict=True)]
    dys = [reals(pushed(*x, *t)[1]) for t in (v, w, both)]
    assume(all(map(tame, dys)))
    for a, b, c in zip(*dys, strict=True):
        assert close(a - 2.0 * b, c, abs(a) + abs(b))


def shifted(x: Sequence[Any], v: Sequence[Any], h: float) -> list[Any]:
    """Return x + h·v. If the tangent of an argument is None, return the argument unchanged."""
    return [a if d is None else combined(lambda p, q: p + h * q, a, d) for a, d in zip(x, v, strict=True)]


@settings(max_examples=programs(100))
@given(st.data())
@where_differentiable
def test_jvp_is_the_limit_of_differences(data: st.DataObject) -> None:
    plan = data.draw(plans(SMOOTH).filter(continuous))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    v = directions(data, f)
    y, dy = jvp_of(f)(*x, *v)
    assume(tame(y) and max(map(abs, reals(dy)), default=0.0) < 100.0)
    coarse, fine = ([reals(f(*shifted(x, v, s * h))) for s in (1, -1)] for h in (2e-4, 1e-4))
    for d, p, m, q, n in zip(reals(dy), *coarse, *fine, strict=True):
        first, second = (p - m) / 4e-4, (q - n) / 2e-4
        # If f has a large third derivative, differences are inaccurate. Skip such a case.
        assume(abs(first - second) < 1e-4)
        assert math.isclose((4.0 * second - first) / 3.0, d, rel_tol=1e-5, abs_tol=1e-5)


def continuous(plan: Plan) -> bool:
    """True if a plan has no jumps, no kinks and no custom rule."""
    text = repr(plan)
    return not any(word in text for word in ("'cmp'", "'div'", "'norm'", "rule=True"))


def without_rules(plan: Plan) -> bool:
    """True if a plan has no custom rule. Then all combinations of modes give the same derivative."""
    return "rule=True" not in repr(plan)


@settings(max_examples=programs(100))
@given(st.data())
@where_differentiable
def test_second_derivatives_agree_in_every_order_of_modes(data: st.DataObject) -> None:
    plan = data.draw(plans(TOTAL, scalar=True, size=8).filter(without_rules))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    over = (0, 1)
    assert plan.params[:2] == (REAL, REAL)
    found = {
        "forward over reverse": eg.jacfwd(eg.grad(f, over), over)(*x),
        "reverse over forward": eg.jacrev(eg.jacfwd(f, over), over)(*x),
        "reverse over reverse": eg.jacrev(eg.jacrev(f, over), over)(*x),
        "forward over forward": eg.jacfwd(eg.jacfwd(f, over), over)(*x),
        "hessian": eg.hessian(f, over)(*x),
    }
    assume(all(map(tame, found.values())))
    wanted = reals(found["forward over forward"])
    scale = max(map(abs, wanted))
    for name, hessian in found.items():
        for a, b in zip(reals(hessian), wanted, strict=True):
            assert close(a, b, 10.0 * scale), (name, found)
    (_, xy), (yx, _) = found["reverse over reverse"]
    assert close(xy, yx, 10.0 * scale), found


@settings(max_examples=programs(100))
@given(st.data())
@where_differentiable
def test_jvp_of_vjp_is_vjp_of_jvp(data: st.DataObject) -> None:
    plan = data.draw(plans(TOTAL, scalar=True, size=8).filter(without_rules))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    v = directions(data, f)
    pulled, pushed = vjp_of(f), jvp_of(f)
    _, forward = jvp_of(pulled)(*x, 1.0, *v, 0.0)
    backward = vjp_of(pushed)(*x, *v, (0.0, 1.0))[: len(x)]
    assume(tame(forward) and tame(backward))
    scale = max(map(abs, reals(forward)), default=0.0)
    for a, b in zip(reals(forward), reals(backward), strict=True):
        assert close(a, b, 10.0 * scale)
