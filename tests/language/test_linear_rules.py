"""A custom rule must be linear in its tangents. If it is not, forward and reverse mode raise an error."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg

Rule = Callable[[Any, Any], Any]
m = eg.math
host_sine = eg.opaque(math.sin, [eg.Real], eg.Real, pure=True)
host_sine.defjvp(lambda primals, tangents: (host_sine(primals[0]), m.cos(primals[0]) * tangents[0]))
host_half = eg.opaque(lambda x: x / 2, [eg.Real], eg.Real, pure=True)
host_half.defjvp(lambda primals, tangents: (host_half(primals[0]), tangents[0] / 2))


def with_rule(tangent: Rule, types: Any = (eg.Real,)) -> Any:
    """Make the function x² (or v·v for a Vec). Its custom rule is dy = tangent(primals, tangents)."""
    f = eg.fn([*types], eg.Real)(lambda *x: x[0] * x[0] if types[0] is eg.Real else eg.dot(x[0], x[0]))
    f.defjvp(lambda primals, tangents: (f(*primals), tangent(primals, tangents)))
    return f


def power_in_a_helper(t: Any) -> Any:
    return eg.fn([eg.Real], eg.Real)(lambda z: z**3)(t)


def while_of(t: Any) -> Any:
    return eg.while_loop(lambda c: c < t, lambda c: c + 1.0, 0.0 * t)


NOT_LINEAR: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "product": (lambda x, t: t * t, "multiplies a tangent by a tangent"),
    "quotient": (lambda x, t: x / t, "divides by a tangent"),
    "choice": (lambda x, t: eg.select(t > 0, t, 2 * t), "compares a tangent"),
    "branch": (lambda x, t: eg.cond(t > 0, lambda: t, lambda: 2 * t), "compares a tangent"),
    "added constant": (lambda x, t: t + 1, "adds a tangent and a value"),
    "added primal": (lambda x, t: x + t, "adds a tangent and a value"),
    "primal or tangent": (lambda x, t: eg.select(x > 0, x, t), "adds a tangent and a value"),
    "constant": (lambda x, t: 1.0, "does not depend on the tangents"),
    "primal": (lambda x, t: x, "does not depend on the tangents"),
    "abs": (lambda x, t: abs(t), "takes `abs` of a tangent"),
    "largest": (lambda x, t: m.maximum(t, 0.0), "takes `max` of a tangent"),
    "library": (lambda x, t: m.sin(t), "takes `sin` of a tangent"),
    "power": (lambda x, t: t**2, "takes a power of a tangent"),
    "in a helper": (lambda x, t: power_in_a_helper(t), "takes a power of a tangent"),
    "grows in a loop": (lambda x, t: eg.fori_loop(0, 3, lambda i, c: c * t, t), "multiplies a tangent"),
    "sum over a loop": (lambda x, t: eg.sum(3, lambda i: t + x), "adds a tangent and a value"),
    "while": (lambda x, t: while_of(t), "compares a tangent"),
    "nested": (
        lambda x, t: eg.fori_loop(0, 2, lambda i, c: c + eg.sum(2, lambda j: c * t), t),
        "multiplies a tangent",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NOT_LINEAR)
def test_reverse_mode_refuses_a_rule_that_is_not_linear(case: str) -> None:
    """In an earlier version, a rule with the tangent t·t gave the gradient 0, although jvp gave 9."""
    tangent, what = NOT_LINEAR[case]
    f = with_rule(lambda primals, tangents: tangent(primals[0], tangents[0]))
    with pytest.raises(eg.TypeMismatchError, match="must be linear in its tangents") as caught:
        eg.grad(f)
    assert what in caught.value.message
    assert caught.value.span is not None
    assert caught.value.span.source == __file__
    if case not in ("constant", "primal"):
        text = inspect.getsource(inspect.getmodule(with_rule)).splitlines()  # type: ignore[arg-type]
        line = text[caught.value.span.line - 1]
        assert line in inspect.getsource(tangent) or "t" in line


@pytest.mark.parametrize("case", NOT_LINEAR)
def test_forward_mode_refuses_a_rule_that_is_not_linear(case: str) -> None:
    tangent, _ = NOT_LINEAR[case]
    f = with_rule(lambda primals, tangents: tangent(primals[0], tangents[0]))
    for derivative in (lambda: eg.jvp(f, [3.0], [3.0]), lambda: eg.jacfwd(f)(3.0)):
        with pytest.raises(eg.TypeMismatchError, match="must be linear in its tangents"):
            derivative()


def test_the_error_points_to_the_line_that_is_not_linear() -> None:
    def rule(primals: Any, tangents: Any) -> Any:
        (x,), (t,) = primals, tangents
        twice = 2 * t
        square = twice * t
        return x * x, square + t

    f = eg.fn([eg.Real], eg.Real)(lambda x: x * x)
    f.defjvp(rule)
    for derivative in (lambda: eg.grad(f), lambda: eg.jvp(f, [3.0], [1.0])):
        with pytest.raises(eg.TypeMismatchError, match="multiplies a tangent by a tangent") as caught:
            derivative()
        assert caught.value.span is not None
        assert caught.value.span.line == rule.__code__.co_firstlineno + 3


def test_linearity_of_an_opaque_function_is_tested_by_calling_it() -> None:
    for derivative in (eg.grad, lambda f: eg.jvp(f, [3.0], [1.0])):
        with pytest.raises(eg.TypeMismatchError, match="in some direction and"):
            derivative(with_rule(lambda primals, tangents: host_sine(tangents[0])))
    f = with_rule(lambda primals, tangents: 4 * host_half(tangents[0]) * primals[0])
    assert eg.grad(f)(3.0) == 6.0
    assert eg.jvp(f, [3.0], [1.0]) == (9.0, 6.0)


def structured(primals: Any, tangents: Any) -> Any:
    (v,), (dv,) = primals, tangents
    table = eg.vec(3, lambda i: dv[i] * v[2 - i])
    doubled = eg.scan(lambda c, x: (c + x, 2 * c), 0.0, table)
    return doubled[0] + eg.sum(doubled[1]) + table.at[1].set(dv[0])[eg.Fin(3)(1)]


LINEAR: dict[str, Any] = {
    "product with a primal": (lambda p, t: 2 * p[0] * t[0], [eg.Real], (3.0,)),
    "nonlinear in the primal": (lambda p, t: m.exp(p[0]) ** 2 / p[0] * t[0], [eg.Real], (3.0,)),
    "choice by a primal": (lambda p, t: eg.select(p[0] > 0, t[0], 0.0), [eg.Real], (3.0,)),
    "branch by a primal": (
        lambda p, t: eg.cond(p[0] > 0, lambda: t[0] * p[0], lambda: -t[0]), [eg.Real], (3.0,)
    ),
    "zero": (lambda p, t: 0.0, [eg.Real], (3.0,)),
    "no primal's business": (lambda p, t: 0.0 * p[0], [eg.Real], (3.0,)),
    "a difference that vanishes": (lambda p, t: p[0] - p[0], [eg.Real], (3.0,)),
    "noise": (lambda p, t: (m.sin(p[0]) ** 2 + m.cos(p[0]) ** 2 - 1) * t[0], [eg.Real], (3.0,)),
    "quotient by a primal": (lambda p, t: -t[0] / p[0], [eg.Real], (3.0,)),
    "while by a primal": (
        lambda p, t: eg.while_loop(lambda c: c[0] < p[0], lambda c: (c[0] + 1, 2 * c[1]), (0.0, t[0]))[1],
        [eg.Real], (3.0,),
    ),
    "another derivative": (
        lambda p, t: eg.jvp(lambda x: m.sin(x) * m.maximum(x, 1.0), (p[0],), (t[0],))[1], [eg.Real], (3.0,)
    ),
    "of a Vec": (structured, [eg.Vec(3, eg.Real)], ([1.0, 2.0, 3.0],)),
    "with an index and a Bool": (
        lambda p, t: eg.select(p[2], t[0][p[1]], eg.sum(t[0])), [eg.Vec(3, eg.Real), eg.Fin(3), eg.Bool],
        ([1.0, 2.0, 3.0], 1, True),
    ),
    "of a struct": (
        lambda p, t: t[0]["a"] * p[0]["b"] + eg.sum(t[0]["c"]),
        [{"a": eg.Real, "b": eg.Real, "c": eg.Vec(2, eg.Real)}], ({"a": 1.0, "b": 2.0, "c": [3.0, 4.0]},),
    ),
    "outside its domain": (lambda p, t: m.sqrt(p[0] - 100) * t[0], [eg.Real], (101.0,)),
    "huge": (lambda p, t: 1e200 * p[0] * t[0], [eg.Real], (3.0,)),
    "long": (lambda p, t: eg.fori_loop(0, 10**6, lambda i, c: c, t[0]), [eg.Real], (3.0,)),
    "endless elsewhere": (
        lambda p, t: eg.while_loop(lambda c: c[0] != p[0], lambda c: (c[0] + 1, 2 * c[1]), (0.0, t[0]))[1],
        [eg.Real], (3.0,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LINEAR)
def test_a_rule_that_is_linear_is_accepted_in_both_modes(case: str) -> None:
    tangent, types, at = LINEAR[case]
    made = eg.fn(types, eg.Real)(lambda *x: 0.0)
    made.defjvp(lambda primals, tangents: (made(*primals), tangent(primals, tangents)))
    directions = [unit(of) for of in types]
    _, dy = eg.jvp(made, at, directions) if case != "long" else (0, None)
    pulled = eg.vjp(made, *at)[1](1.0) if case != "long" else eg.grad(made)
    if case != "long":
        assert total(pulled, directions) == pytest.approx(dy, rel=1e-12, abs=1e-12)


def unit(of: Any) -> Any:
    """Make a tangent of the type `of` in which every Real is 1."""
    match eg.types.as_type(of):
        case eg.types.RealType():
            return 1.0
        case eg.types.VecType(n, element):
            return [unit(element)] * n
        case eg.types.StructType(fields):
            return {name: unit(item) for name, item in fields}
    return None


def total(ct: Any, direction: Any) -> float:
    """Multiply the Reals of a cotangent and a tangent pairwise, and return the sum of the products."""
    if direction is None:
        return 0.0
    if isinstance(direction, dict):
        return sum(total(ct[key], direction[key]) for key in direction)
    if isinstance(direction, list | tuple):
        return sum(map(total, ct, direction))
    return float(ct * direction)


def test_checking_a_rule_repeats_no_print_or_call_of_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    calls = []
    note = eg.opaque(lambda x: calls.append(x) or x, [eg.Real], eg.Real)  # type: ignore[func-returns-value]
    note.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
    f = eg.fn([eg.Real], eg.Real)(lambda x: x)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        eg.debug_print("dx = {}", tangents[0])
        return primals[0], note(tangents[0])

    assert eg.jvp(f, [3.0], [2.0]) == (3.0, 2.0)
    assert capsys.readouterr().out == "dx = 2.0\n"
    assert calls == [2.0]


def test_a_product_of_tangents_that_is_not_returned_is_accepted() -> None:
    def tangent(primals: Any, tangents: Any) -> Any:
        unused = tangents[0] * tangents[0]
        del unused
        return tangents[0]

    assert eg.grad(with_rule(tangent))(3.0) == 1.0


def test_a_rule_is_checked_only_once() -> None:
    calls = []
    halved = eg.opaque(lambda x: calls.append(x) or x / 2, [eg.Real], eg.Real, pure=True)  # type: ignore[func-returns-value]
    halved.defjvp(lambda primals, tangents: (halved(primals[0]), tangents[0] / 2))
    f = with_rule(lambda primals, tangents: 4 * halved(primals[0]) * tangents[0])
    eg.jacfwd(f)
    first = len(calls)
    assert first > 0
    eg.jacfwd(f)
    eg.jacfwd(eg.fn([eg.Real], eg.Real)(lambda x: f(f(x))))
    assert len(calls) == first


def test_hooks_and_fixed_points_pass_the_check_of_linearity() -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.hook(lambda ct: m.minimum(ct, 1.0), 5 * x))
    assert eg.grad(f)(3.0) == 5.0
    assert eg.jvp(f, [3.0], [1.0]) == (15.0, 5.0)
    root = eg.fn([eg.Real], eg.Real)(lambda a: eg.fixed_point(lambda x, a: (x + a / x) / 2, 1.0, a))
    assert eg.grad(root)(4.0) == pytest.approx(0.25)
    assert eg.jvp(root, [4.0], [1.0])[1] == pytest.approx(0.25)
