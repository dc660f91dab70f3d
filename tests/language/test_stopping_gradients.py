"""Tests of `eg.stop_gradient`, and of scans from the last element to the first."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg


def test_stop_gradient_returns_the_value_with_derivative_zero() -> None:
    f = eg.fn([eg.Real])(lambda x: x * eg.stop_gradient(x) + eg.stop_gradient(eg.math.sin(x)))
    assert f(3.0) == 9.0 + eg.math.sin(3.0)
    assert eg.grad(f)(3.0) == 3.0
    assert eg.jvp(f, (3.0,), (1.0,))[1] == 3.0
    assert eg.grad(eg.grad(f))(3.0) == 0.0


def test_a_value_of_any_type_can_be_stopped() -> None:
    of = {"v": eg.Vec(3, eg.Real), "k": eg.Fin(3)}
    f = eg.fn([of])(lambda d: eg.sum(d["v"] * eg.stop_gradient(d)["v"]) + d["v"][d["k"]])
    gradient = eg.compile(eg.grad(f))({"v": [1.0, 2.0, 3.0], "k": 1})
    assert gradient == {"v": [1.0, 3.0, 3.0], "k": None}


def body(carry: Any, x: Any) -> Any:
    return carry * 0.5 + x, carry * x


@pytest.mark.parametrize("checkpoint", [None, "sqrt"])
def test_a_reverse_scan_goes_from_the_last_to_the_first(checkpoint: Any) -> None:
    xs = [1.0, -2.0, 3.0, 0.5, 4.0, -1.0, 2.0]
    carry, ys = 0.25, []
    for x in xs[::-1]:
        carry, y = body(carry, x)
        ys.append(y)
    f = eg.fn([eg.Vec(7, eg.Real)])(lambda v: eg.scan(body, 0.25, v, checkpoint=checkpoint, reverse=True))
    assert f(xs) == (carry, ys[::-1])
    assert eg.compile(f)(xs) == (carry, ys[::-1])
    assert eg.scan(body, 0.25, xs, reverse=True) == (carry, ys[::-1])


def test_a_reverse_scan_has_the_gradient_of_a_scan_of_the_flipped_vec() -> None:
    of = [eg.Vec(5, eg.Real)]

    def total(pair: Any) -> Any:
        return pair[0] + eg.dot(pair[1], [1.0, 2.0, 3.0, 4.0, 5.0])

    backward = eg.fn(of)(lambda v: total(eg.scan(body, 0.25, v, reverse=True)))

    def of_flipped(v: Any) -> Any:
        carry, ys = eg.scan(body, 0.25, v[::-1])
        return total((carry, ys[::-1]))

    flipped = eg.fn(of)(of_flipped)
    xs = [1.0, -2.0, 3.0, 0.5, 4.0]
    assert eg.grad(backward)(xs) == eg.grad(flipped)(xs)
