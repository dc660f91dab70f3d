"""Tests of custom derivatives of traced and opaque functions, and of side effects of opaque functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg

Engines = Callable[..., Any]
m = eg.math


def opaque_log() -> Any:
    log = eg.opaque(math.log, [eg.Real], eg.Real, pure=True)

    @log.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x,), (dx,) = primals, tangents
        return log(x), dx / x

    return log


def test_a_rule_replaces_the_derivative_of_a_transparent_function(engines: Engines) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: x * x)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x,), (dx,) = primals, tangents
        return f(x), 100 * dx

    assert engines(f, 3.0) == 9.0
    assert engines(eg.grad(f), 3.0) == 100.0
    assert eg.jvp(f, (3.0,), (2.0,)) == (9.0, 200.0)
    g = eg.fn([eg.Real], eg.Real)(lambda x: f(2 * x) + f(x))
    assert engines(eg.grad(g), 3.0) == 300.0


def test_defjvp_returns_the_rule() -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: x)

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        return primals[0], tangents[0]

    assert callable(rule)


def test_an_opaque_function_calls_the_host(engines: Engines) -> None:
    log = eg.opaque(math.log, [eg.Real], eg.Real, pure=True)
    assert log(2.0) == math.log(2.0)
    f = eg.fn([eg.Real], eg.Real)(lambda x: log(x) + 1)
    assert engines(f, 2.0) == math.log(2.0) + 1


def test_an_opaque_function_is_differentiated_by_its_rule_to_any_order(engines: Engines) -> None:
    log = opaque_log()
    assert engines(eg.grad(log), 4.0) == 0.25
    assert engines(eg.grad(eg.grad(log)), 4.0) == -0.0625
    assert engines(eg.grad(eg.grad(eg.grad(log))), 4.0) == 0.03125
    assert engines(eg.hessian(log), 4.0) == -0.0625


def test_a_rule_that_calls_its_function_gives_higher_derivatives_too(engines: Engines) -> None:
    exp = eg.opaque(math.exp, [eg.Real], eg.Real, pure=True)

    @exp.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        y = exp(primals[0])
        return y, y * tangents[0]

    f = eg.fn([eg.Real], eg.Real)(lambda x: exp(2 * x))
    for n, g in enumerate([f, eg.grad(f), eg.grad(eg.grad(f)), eg.grad(eg.grad(eg.grad(f)))]):
        assert engines(g, 0.5) == pytest.approx(2**n * math.e)


def test_a_rule_runs_once_when_a_derivative_is_first_needed() -> None:
    runs = []
    f = eg.fn([eg.Real], eg.Real)(lambda x: x * x)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        runs.append(None)
        (x,), (dx,) = primals, tangents
        return f(x), 2 * x * dx

    g = eg.fn([eg.Real], eg.Real)(lambda x: f(x) + f(x + 1))
    assert g(1.0) == 5.0
    assert runs == []
    assert eg.grad(g)(1.0) == 6.0
    assert eg.jvp(g, (1.0,), (1.0,)) == (5.0, 6.0)
    assert len(runs) == 1


def test_rules_may_refer_to_functions_defined_later(engines: Engines) -> None:
    f = eg.opaque(lambda x: x * x, [eg.Real], eg.Real, pure=True)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return f(primals[0]), twice(primals[0]) * tangents[0]

    twice = eg.fn([eg.Real], eg.Real)(lambda x: 2 * x)
    assert engines(eg.grad(f), 3.0) == 6.0


def test_a_rule_gets_zero_for_absent_tangents_and_none_for_bools(engines: Engines) -> None:
    seen = []
    f = eg.fn([eg.Real, eg.Real, eg.Bool], eg.Real)(lambda x, y, p: eg.select(p, x * y, 0))

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x, y, p), (dx, dy, dp) = primals, tangents
        seen.append(dp)
        return f(x, y, p), eg.select(p, dx * y + x * dy, 0)

    assert engines(eg.grad(f, 0), 3.0, 5.0, True) == 5.0
    assert engines(eg.grad(f, (0, 1)), 3.0, 5.0, True) == (5.0, 3.0)
    assert seen == [None]


def test_a_rule_works_for_a_function_of_vecs_and_structs(engines: Engines) -> None:
    f = eg.fn([{"v": eg.Vec(3, eg.Real), "k": eg.Fin(3)}], eg.Vec(3, eg.Real))(
        lambda s: s["v"] * s["v"][s["k"]]
    )

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (s,), (ds,) = primals, tangents
        assert ds["k"] is None
        return f(s), 10 * ds["v"]

    g = eg.fn([{"v": eg.Vec(3, eg.Real), "k": eg.Fin(3)}], eg.Real)(lambda s: eg.sum(f(s)))
    assert engines(eg.grad(g), {"v": [1.0, 2.0, 3.0], "k": 1}) == {"v": [10.0, 10.0, 10.0], "k": None}


def test_a_rule_is_used_inside_loops_and_branches(engines: Engines) -> None:
    log = opaque_log()
    f = eg.fn([eg.Vec(6, eg.Real)], eg.Real)(
        lambda v: eg.sum(6, lambda i: eg.cond(v[i] > 2, lambda: log(v[i]), lambda: 0))
    )
    v = [1.0, 2.0, 4.0, 8.0, 0.5, 16.0]
    assert engines(eg.grad(f), v) == [0.0, 0.0, 0.25, 0.125, 0.0, 0.0625]


def test_opaque_functions_take_and_return_bools_and_indices(engines: Engines) -> None:
    f = eg.opaque(lambda x, p, i: x > i and p, [eg.Real, eg.Bool, eg.Fin(5)], eg.Bool, pure=True)
    g = eg.fn([eg.Real, eg.Bool, eg.Fin(5)])(f)
    assert engines(g, 3.0, True, 2) is True
    assert engines(g, 1.0, True, 2) is False


def test_impure_functions_run_in_order_and_are_never_merged_or_dropped() -> None:
    seen: list[float] = []
    note = eg.opaque(seen.append, [eg.Real], eg.Unit)

    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        note(x)
        note(x)
        note(x + 1)
        return x

    assert f(1.0) == 1.0
    assert seen == [1.0, 1.0, 2.0]


def test_equal_calls_of_a_pure_function_are_merged() -> None:
    seen: list[float] = []

    def host(x: float) -> float:
        seen.append(x)
        return x

    note = eg.opaque(host, [eg.Real], eg.Real, pure=True)
    f = eg.fn([eg.Real], eg.Real)(lambda x: note(x) + note(x))
    assert f(1.0) == 2.0
    assert seen == [1.0]


def test_an_exception_in_an_opaque_function_reaches_the_caller() -> None:
    from tests.engines import HAS_WASM

    log = eg.opaque(math.log, [eg.Real], eg.Real)
    f = eg.fn([eg.Real], eg.Real)(log)
    with pytest.raises(ValueError, match=r"math domain error|positive"):
        f(-1.0)
    if HAS_WASM:
        with pytest.raises(ValueError, match=r"math domain error|positive"):
            eg.compile(f)(-1.0)


EFFECTS: dict[str, tuple[Any, list[float]]] = {
    "calls of a function that notes": (lambda note: _calling(lambda x: note(x) + x), [2.0, 2.0]),
    "a loop": (lambda note: lambda x: eg.sum(3, lambda i: note(x * eg.real(i)) * x), [0.0, 2.0, 4.0]),
    "a carry": (lambda note: lambda x: eg.fori_loop(0, 3, lambda i, c: note(c) * x, x), [2.0, 4.0, 8.0]),
    "a branch": (lambda note: lambda x: eg.cond(x > 0, lambda: note(x) + x, lambda: x), [2.0]),
    "a value that nothing uses": (lambda note: lambda x: (note(x), x)[1], [2.0]),
}


def _calling(f: Any) -> Any:
    inner = eg.fn([eg.Real], eg.Real)(f)
    return lambda x: inner(x) + inner(x)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", EFFECTS)
def test_effects_happen_once_in_values_and_in_all_derivatives(name: str, compiled: bool) -> None:
    from tests.engines import HAS_WASM

    if compiled and not HAS_WASM:
        pytest.skip("wasmtime is not here")
    make, expected = EFFECTS[name]
    seen: list[float] = []
    note = eg.opaque(lambda x: seen.append(x) or x, [eg.Real], eg.Real)
    note.defjvp(lambda primals, tangents: (note(primals[0]), tangents[0]))
    f = eg.fn([eg.Real], eg.Real)(make(note))
    derivatives = {
        "value": f,
        "grad": eg.grad(f),
        "value and grad": eg.value_and_grad(f),
        "jvp": eg.fn([eg.Real])(lambda x: eg.jvp(f, (x,), (1,))),
    }
    for mode, derivative in derivatives.items():
        run = eg.compile(derivative) if compiled else derivative
        seen.clear()
        run(2.0)
        assert seen == expected, mode


def _long(x: Any) -> Any:
    """Apply the sine thirty times. A function that contains this code is too long to be inlined."""
    for _ in range(30):
        x = m.sin(x)
    return x


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda note: lambda x: eg.cond(x > 0, lambda: note(x) * x, lambda: x), [2.0]),
        (lambda note: _calling(lambda x: _long(note(x) * x)), [2.0, 2.0]),
        (
            lambda note: (
                lambda x: eg.fori_loop(
                    0, 3, lambda i, c: eg.cond(c > 0, lambda: note(c + eg.real(i)) * c, lambda: c), x
                )
            ),
            [2.0, 5.0, 22.0],
        ),
        (
            lambda note: (
                lambda x: eg.sum(2, lambda i: eg.cond(x > 0, lambda: note(x + eg.real(i)) * x, lambda: x))
            ),
            [2.0, 3.0],
        ),
        (
            lambda note: (
                lambda x: eg.cond(
                    x > 0, lambda: eg.cond(x > 1, lambda: note(x) * x, lambda: x) * x, lambda: x
                )
            ),
            [2.0],
        ),
    ],
)
def test_reverse_mode_does_not_repeat_an_impure_call(make: Any, expected: list[float]) -> None:
    seen: list[float] = []
    note = eg.opaque(lambda x: seen.append(x) or x, [eg.Real], eg.Real)
    note.defjvp(lambda primals, tangents: (note(primals[0]), tangents[0]))
    eg.grad(eg.fn([eg.Real], eg.Real)(make(note)))(2.0)
    assert seen == expected
