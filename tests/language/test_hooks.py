"""`eg.hook` passes a cotangent through the user's function and changes nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg


def test_a_hook_changes_the_gradient_and_not_the_value() -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return eg.hook(lambda ct: -ct, x * x) * 3.0

    assert f(2.0) == 12.0
    assert eg.grad(f)(2.0) == -12.0
    assert eg.compile(eg.grad(f))(2.0) == -12.0


def test_forward_mode_ignores_a_hook() -> None:
    f = eg.fn([eg.Real])(lambda x: eg.hook(lambda ct: 100.0 * ct, x) * x)
    assert eg.jvp(f, (3.0,), (1.0,)) == (9.0, 6.0)
    assert eg.jacfwd(f)(3.0) == 6.0
    assert eg.grad(f)(3.0) == 303.0


def test_a_hook_takes_values_of_any_type_and_clips_their_cotangents() -> None:
    P = {"a": eg.Vec(2, eg.Real), "n": eg.Fin(3), "b": eg.Real}

    def clipped(ct: Any) -> Any:
        return {"a": [eg.math.clip(c, -1.0, 1.0) for c in ct["a"]], "n": None, "b": ct["b"]}

    @eg.fn
    def f(p: P) -> eg.Real:
        q = eg.hook(clipped, p)
        return 5.0 * q["a"][0] - 0.5 * q["a"][1] + q["b"] * eg.real(q["n"])

    assert eg.grad(f)({"a": [1.0, 1.0], "n": 2, "b": 4.0}) == {"a": [1.0, -0.5], "n": None, "b": 2.0}


def test_a_hook_in_a_loop_acts_in_each_round() -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return eg.fori_loop(0, 3, lambda _, c: eg.hook(lambda ct: 2.0 * ct, c) * x, 1.0)

    # The loop computes x³. In reverse mode, the hook doubles the cotangent in each of the three rounds.
    # So the gradient is x²·(1 + 2 + 4).
    assert eg.grad(f)(3.0) == 9.0 * 7.0
    assert eg.compile(eg.grad(f))(3.0) == 63.0


def test_hooks_act_on_each_reverse_sweep_of_a_second_derivative() -> None:
    f = eg.fn([eg.Real])(lambda x: eg.hook(lambda ct: 10.0 * ct, x) ** 3)
    assert eg.grad(f)(2.0) == 120.0
    assert eg.hessian(f)(2.0) == 120.0  # Forward over reverse mode calls the hook once.
    assert eg.grad(eg.grad(f))(2.0) == 10.0 * 120.0  # Reverse over reverse mode calls the hook twice.


def test_a_hook_can_print_the_cotangent(capsys: pytest.CaptureFixture[str]) -> None:
    def seen(ct: Any) -> Any:
        eg.debug_print("ct = {}", ct)
        return ct

    f = eg.fn([eg.Real])(lambda x: eg.hook(seen, x) * 4.0)
    assert f(1.0) == 4.0
    assert capsys.readouterr().out == ""
    assert eg.grad(f)(1.0) == 4.0
    assert capsys.readouterr().out == "ct = 4.0\n"


def test_outside_a_trace_eg_hook_returns_its_value() -> None:
    assert eg.hook(lambda ct: 2 * ct, 3.0) == 3.0


def test_a_hook_must_be_a_function_that_captures_no_traced_values() -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"eg\.hook\(f_ct, x\)"):
        eg.fn([eg.Real])(lambda x: eg.hook(2.0, x))
    f = eg.fn([eg.Real])(lambda x: eg.hook(lambda ct: ct * x, x))
    with pytest.raises(eg.EscapedTracerError):
        eg.grad(f)(1.0)
