"""Tests of `checkpoint`, `forward` and `nest_level`.

`checkpoint` saves memory and changes no result. `forward` gives the same derivative as reverse mode.
`nest_level` returns the number of enclosing derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import eglantine as eg
from tests.engines import HAS_WASM, bits

Engines = Callable[..., Any]
m = eg.math

N = 500
STAGES = 8
STATE = eg.Vec(N, eg.Real)


def stage(k: int) -> Callable[[Any], Any]:
    """Make a function that computes several intermediate arrays of length N."""

    def f(v: Any) -> Any:
        a = m.sin(v * (k + 1))
        b = m.exp(a) * v
        c = m.cos(b) + a
        return m.sqrt(1 + c * c) / (2 + m.sin(b * c))

    return f


def chain(wrap: Callable[[Any], Any]) -> eg.Fn:
    """Make a function that calls all stages one after another. `wrap` is applied to each stage."""
    stages = [wrap(eg.fn([STATE], STATE)(stage(k))) for k in range(STAGES)]

    def f(v: Any) -> Any:
        for g in stages:
            v = g(v)
        return eg.sum(v)

    return eg.fn([STATE], eg.Real)(f)


def plain(f: Any) -> Any:
    return f


# ---------------------------------------------------------------- checkpoint


@pytest.mark.skipif(not HAS_WASM, reason="wasmtime is not here")
def test_a_chain_of_checkpoints_stores_one_stage_and_all_arguments() -> None:
    """Checkpoints reduce memory from 336 kB to 88 kB. Each of 8 stages stores only its argument of 4 kB."""
    x = [k / N for k in range(N)]
    kept, checkpointed = (eg.compile(eg.grad(chain(wrap))) for wrap in (plain, eg.checkpoint))
    assert checkpointed.memory_bytes < kept.memory_bytes / 3
    assert bits(checkpointed(x)) == bits(kept(x))
    assert bits(eg.grad(chain(eg.checkpoint))(x)) == bits(kept(x))


@pytest.mark.parametrize("make", [eg.fn([eg.Real], eg.Real), eg.jit, lambda f: f])
def test_checkpoint_takes_an_fn_a_jit_or_a_plain_function(make: Any, engines: Engines) -> None:
    f = make(lambda x: m.sin(x) * m.exp(x))
    g = eg.checkpoint(f)
    assert engines(g, 0.7) == m.sin(0.7) * m.exp(0.7)
    assert engines(eg.grad(g), 0.7) == eg.grad(f)(0.7)
    assert isinstance(g, eg.Fn) == isinstance(f, eg.Fn)


def test_a_checkpoint_in_a_loop_and_a_branch_has_third_derivatives(
    engines: Engines,
) -> None:
    def body(x: Any, y: Any) -> Any:
        return m.sin(x * y) / (1 + x * x)

    def through(step: Any) -> eg.Fn:
        def f(x: Any, y: Any) -> Any:
            z = eg.fori_loop(0, 5, lambda i, z: z + step(z, y * eg.real(i)), x)
            return eg.cond(z > 0, lambda z: step(z, y), lambda z: z * y, z)

        return eg.fn([eg.Real, eg.Real], eg.Real)(f)

    f, g = through(body), through(eg.checkpoint(body))
    for derive in (plain, eg.grad, eg.hessian, lambda f: eg.grad(eg.grad(eg.grad(f)))):
        assert engines(derive(g), 0.3, 1.2) == pytest.approx(derive(f)(0.3, 1.2), rel=1e-12)
    eg.check_grads(g, (0.3, 1.2), order=3)


def test_a_checkpoint_may_capture_traced_values(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: eg.checkpoint(lambda t: m.sin(t * y))(x))
    eg.check_grads(f, (0.4, 1.3), order=2)
    assert engines(eg.grad(f, 1), 0.4, 1.3) == pytest.approx(0.4 * m.cos(0.4 * 1.3))


def test_a_print_inside_a_checkpoint_happens_once(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        eg.debug_print("x = {}", x)
        return m.sin(x) * x

    eg.value_and_grad(eg.fn([eg.Real], eg.Real)(lambda x: 2 * eg.checkpoint(f)(x)))(3.0)
    assert capsys.readouterr().out.split("\n") == ["x = 3.0", ""]


# ---------------------------------------------------------------- forward


class Spring(NamedTuple):
    stiffness: eg.Real
    damping: eg.Real


SHAPES = [
    ([eg.Real], lambda x: m.sin(x) * x, (0.7,)),
    ([eg.Real, eg.Real], lambda x, y: (x * y, m.exp(x - y)), (0.7, 1.1)),
    ([Spring, eg.Fin(3)], lambda s, i: {"a": s.stiffness * eg.real(i), "b": (s.damping**2, None)},
     (Spring(2.0, 0.3), 2)),
    ([eg.Vec(3, eg.Real), eg.Bool], lambda v, p: eg.select(p, v * v, m.sin(v)), ([0.1, 0.2, 0.3], True)),
    ([eg.Vec(20, eg.Real)], lambda v: eg.vec(4, lambda i: v[i] * eg.dot(v, v)),
     ([k / 9 for k in range(20)],)),
    ([eg.Vec(2, Spring), eg.Vec(3, eg.Vec(7, eg.Real))],
     lambda s, w: [eg.sum(2, lambda i: s[i].stiffness * s[i].damping), eg.sum(3, lambda j: eg.norm(w[j]))],
     ([Spring(1.0, 2.0), Spring(3.0, 4.0)], [[j + k / 3 for k in range(7)] for j in range(3)])),
]  # fmt: skip


@pytest.mark.parametrize(("types", "f", "args"), SHAPES)
def test_forward_changes_no_derivative_for_arguments_of_any_type(
    types: Any, f: Any, args: Any, engines: Engines
) -> None:
    plainly = eg.fn(types)(f)
    through = eg.forward(plainly)
    assert bits(engines(through, *args)) == bits(plainly(*args))
    eg.check_grads(through, args, order=2)
    engines(eg.jacrev(through), *args)


def test_forward_stores_no_carries_of_a_loop() -> None:
    """Reverse mode stores 1000 carries of the loop. Forward mode stores none."""
    steps = eg.fn([eg.Real], eg.Real)(lambda x: eg.fori_loop(0, 1000, lambda i, z: m.sin(z) + x, x))
    reverse, forward = (eg.compile(eg.grad(f)) for f in (steps, eg.forward(steps)))
    assert reverse.memory_bytes > 8000
    assert forward.memory_bytes < 300
    assert forward(0.3) == pytest.approx(reverse(0.3), rel=1e-12)


def test_forward_works_inside_a_loop_under_a_vjp_of_a_vjp(engines: Engines) -> None:
    step = eg.forward(eg.fn([eg.Real, eg.Real])(lambda x, y: (m.sin(x) * y, x / (1 + y * y))))

    def f(x: Any, y: Any) -> Any:
        a, b = eg.fori_loop(0, 4, lambda _, z: step(*z), (x, y))
        return a + b

    g = eg.fn([eg.Real, eg.Real], eg.Real)(eg.grad(eg.grad(f), 1))
    eg.check_grads(eg.fn([eg.Real, eg.Real], eg.Real)(f), (0.3, 0.8), order=3)
    eg.check_grads(g, (0.3, 0.8), order=1)
    engines(eg.grad(g), 0.3, 0.8)


def test_forward_may_capture_traced_values(engines: Engines) -> None:
    def f(x: Any, v: Any, i: Any) -> Any:
        below = i - 2
        return eg.forward(lambda t: m.sin(t * x) * v[i] + eg.real(below + below))(x * x)

    g = eg.fn([eg.Real, eg.Vec(3, eg.Real), eg.Fin(3)], eg.Real)(f)
    args = (0.4, [1.0, 2.0, 3.0], 1)
    assert engines(g, *args) == m.sin(0.4**3) * 2 - 2
    eg.check_grads(g, args, order=2)


def test_forward_uses_a_custom_rule(engines: Engines) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: x * x)
    f.defjvp(lambda primals, tangents: (f(primals[0]), 100 * tangents[0]))
    assert engines(eg.grad(eg.forward(f)), 3.0) == 100.0


@pytest.mark.parametrize("repeat", [lambda f, x: f(x), lambda f, x: eg.fori_loop(0, 1, lambda _, z: f(z), x)])
def test_a_print_inside_forward_happens_once(repeat: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        eg.debug_print("x = {}", x)
        return m.sin(x) * x

    eg.value_and_grad(eg.fn([eg.Real], eg.Real)(lambda x: 2 * repeat(eg.forward(f), x)))(3.0)
    assert capsys.readouterr().out.split("\n") == ["x = 3.0", ""]


# ---------------------------------------------------------------- nest_level


@pytest.mark.parametrize(
    ("use", "levels"),
    [
        (lambda f: f(1.0), [0]),
        (lambda f: eg.jit(f)(1.0), [0]),
        (lambda f: eg.grad(f)(1.0), [1]),
        (lambda f: eg.value_and_grad(f)(1.0), [1]),
        (lambda f: eg.jacfwd(f)(1.0), [1]),
        (lambda f: eg.jvp(f, (1.0,), (1.0,)), [1]),
        (lambda f: eg.vjp(f, 1.0), [1]),
        (lambda f: eg.linearize(f, 1.0), [1]),
        (lambda f: eg.hvp(f, (1.0,), (1.0,)), [2]),
        (lambda f: eg.hessian(f)(1.0), [2]),
        (lambda f: eg.grad(eg.grad(eg.grad(f)))(1.0), [3]),
        (lambda f: eg.grad(lambda x: x * eg.grad(f)(x))(1.0), [2]),
        (lambda f: eg.grad(lambda x: f(x) * eg.grad(f)(x))(1.0), [1, 2]),
        (lambda f: eg.grad(lambda x: eg.fori_loop(0, 2, lambda _, z: f(z), x))(1.0), [1]),
        (lambda f: eg.grad(eg.checkpoint(f))(1.0), [1]),
        (lambda f: eg.grad(eg.forward(f))(1.0), [1]),
        (lambda f: eg.grad(eg.jit(f))(1.0), [1]),
        (lambda f: eg.grad(lambda x: x + eg.jit(f)(x))(1.0), [1]),
        (lambda f: eg.grad(eg.fn([eg.Real], eg.Real)(f))(1.0), [0]),
        (lambda f: eg.grad(lambda x: x + eg.fn([eg.Real], eg.Real)(f)(x))(1.0), [1]),
    ],
)
def test_nest_level_counts_the_derivatives_that_a_function_is_traced_for(use: Any, levels: list[int]) -> None:
    seen = []

    def f(x: Any) -> Any:
        seen.append(eg.nest_level())
        return x * x * x

    use(f)
    assert seen == levels
    assert eg.nest_level() == 0


def test_a_jit_function_is_traced_anew_for_each_nest_level() -> None:
    f = eg.jit(lambda x: x * x if eg.nest_level() else x)
    assert (f(3.0), eg.grad(f)(3.0), f(3.0)) == (3.0, 6.0, 3.0)


def test_nest_level_is_0_in_a_rule_wherever_the_rule_is_first_needed() -> None:
    seen = []
    f = eg.fn([eg.Real], eg.Real)(lambda x: x * x)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        seen.append(eg.nest_level())
        return f(primals[0]), tangents[0]

    eg.grad(lambda x: x * eg.grad(f)(x))(1.0)
    assert set(seen) == {0}
