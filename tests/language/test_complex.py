"""Complex arithmetic agrees with Python's. Its derivatives satisfy the Cauchy-Riemann equations."""

from __future__ import annotations

import cmath
import operator
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
from tests.engines import run

Engines = Callable[..., Any]
m = eg.math
C = eg.Complex

POINTS = [0.7 + 0.4j, -1.2 + 0.5j, -0.3 - 2.0j, 1.5 - 0.1j, -2.0 + 0j, complex(-2.0, -0.0), 3j]
FUNCTIONS = ["exp", "log", "sqrt", "sin", "cos", "sinh", "cosh"]


def ours(z: complex) -> Any:
    return C(z.real, z.imag)


def close(z: Any, expected: complex) -> bool:
    return abs(complex(z) - expected) <= 1e-14 * max(1.0, abs(expected))


# ---------------------------------------------------------------- values


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow])
@pytest.mark.parametrize("z", POINTS)
@pytest.mark.parametrize("w", [0.3 - 1.1j, 2.5, -2, 1j])
def test_operators_agree_with_pythons_with_a_complex_on_either_side(op: Any, z: complex, w: Any) -> None:
    assert close(op(ours(z), w), op(z, w))
    assert close(op(w, ours(z)), op(w, z))
    assert close(run(eg.fn([C], C)(lambda x: op(x, w)), ours(z)), op(z, w))
    assert close(run(eg.fn([C], C)(lambda x: op(w, x)), ours(z)), op(w, z))
    if not isinstance(w, complex):
        assert close(run(eg.fn([C, eg.Real], C)(op), ours(z), w), op(z, w))
        assert close(run(eg.fn([eg.Real, C], C)(op), w, ours(z)), op(w, z))
    else:
        assert close(run(eg.fn([C, C], C)(op), ours(z), w), op(z, w))


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 2, 5, 10])
def test_an_integer_power_of_a_complex_is_a_repeated_product(n: int) -> None:
    assert close(run(eg.fn([C], C)(lambda z: z**n), C(0.8, -0.5)), (0.8 - 0.5j) ** n)
    assert C(0.0, 0.0) ** 2 == 0


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("z", POINTS)
def test_functions_of_complexes_agree_with_cmath(name: str, z: complex) -> None:
    f = eg.fn([C], C)(getattr(m, name))
    assert close(run(f, ours(z)), getattr(cmath, name)(z))
    assert close(getattr(ours(z), name)(), getattr(cmath, name)(z))


def test_real_imag_abs_phase_and_conjugate_agree_with_python(engines: Engines) -> None:
    f = eg.fn([C])(lambda z: (z.re, z.imag, abs(z), z.phase(), z.conj(), C.polar(abs(z), z.phase()), +z, -z))
    re, im, modulus, phase, conj, again, same, negative = engines(f, 3 - 4j)
    assert (re, im, modulus) == (3.0, -4.0, 5.0)
    assert phase == pytest.approx(cmath.phase(3 - 4j), rel=1e-15)
    assert conj == C(3.0, 4.0)
    assert close(again, 3 - 4j)
    assert (same, negative) == (C(3.0, -4.0), C(-3.0, 4.0))
    assert complex(same) == 3 - 4j


def test_complexes_are_equal_if_both_parts_are_equal(engines: Engines) -> None:
    f = eg.fn([C, C])(lambda z, w: (z == w, z != w, z == 1.0, z != 1j))
    assert engines(f, 1j, 1j) == (True, False, False, False)
    assert engines(f, 1 + 0j, 1j) == (False, True, True, True)
    assert C(1.0, 2.0) == 1 + 2j
    assert C(1.0, 2.0) != 1.0
    assert C(1.0, 2.0) != "1"
    assert not C(0.0, 0.0)
    with pytest.raises(eg.TracerBoolError):
        eg.fn([C], C)(lambda z: z if z == 1 else -z)


def test_complexes_work_in_vecs_sums_choices_and_loops(engines: Engines) -> None:
    v = [1j, 2 + 0j, 3 + 1j]
    f = eg.fn([eg.Vec(3, C), eg.Real], C)(lambda v, x: eg.sum(m.exp(v * 2j) + C(x, 1.0) * v))
    assert close(engines(f, v, 0.5), sum(cmath.exp(z * 2j) + (0.5 + 1j) * z for z in v))
    g = eg.fn([C], C)(lambda z: eg.fori_loop(0, 3, lambda i, w: eg.select(abs(w) < 9, w * w + z, w), C(0, 0)))
    assert close(engines(g, 0.5 + 0.5j), (0.5j + 0.5 + 0.5j) ** 2 + 0.5 + 0.5j)


def test_an_argument_that_is_a_python_complex_is_traced_as_a_complex() -> None:
    assert eg.jit(lambda z: z * z)(1 + 2j) == -3 + 4j
    assert eg.jit(lambda v: v[0] + v[1])([1j, 2j]) == 3j
    assert eg.grad(abs)(3 + 4j) == C(0.6, 0.8)


def test_a_python_complex_in_a_trace_is_an_error_with_advice() -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"Use eg.Complex instead of Python's complex"):
        eg.fn([eg.Real])(lambda x: x * 1j)
    with pytest.raises(eg.TypeMismatchError, match=r"0j \(complex\) has no type here. Use an eg\.Complex"):
        eg.fn([C])(lambda z: eg.fori_loop(0, 3, lambda i, w: w * w + z, 0j))
    with pytest.raises(TypeError):
        C(1.0, 2.0) + "1"


# ---------------------------------------------------------------- derivatives

HOLOMORPHIC = [
    *(getattr(m, name) for name in FUNCTIONS),
    lambda z: z**3 - 2j * z,
    lambda z: (z + 1) / (z * z - 3j),
    lambda z: z ** (0.5 + 1j),
    lambda z: 2.0**z,
]


@pytest.mark.parametrize("f", HOLOMORPHIC)
@pytest.mark.parametrize("z", POINTS[:4])
def test_a_holomorphic_function_satisfies_the_cauchy_riemann_equations(f: Any, z: complex) -> None:
    for jacobian in (eg.jacfwd, eg.jacrev):
        J = run(jacobian(eg.fn([C], C)(f)), z)
        assert J.re.re == pytest.approx(J.im.im, rel=1e-13, abs=1e-14)
        assert J.re.im == pytest.approx(-J.im.re, rel=1e-13, abs=1e-14)
        h = 1e-6
        slope = (complex(f(ours(z + h))) - complex(f(ours(z - h)))) / (2 * h)
        assert complex(J.re.re, J.im.re) == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("f", HOLOMORPHIC)
def test_derivatives_of_both_orders_and_modes_agree_with_differences(f: Any) -> None:
    eg.check_grads(eg.fn([C], C)(f), (ours(0.7 + 0.4j),), order=2)


def test_the_gradient_of_a_complex_is_the_conjugate_of_jaxs(engines: Engines) -> None:
    """For z = u + iv, the gradient of |z|² is 2u + 2iv, and the gradient of Re z² = u² − v² is 2u − 2iv."""
    assert engines(eg.grad(eg.fn([C], eg.Real)(lambda z: (z * z.conj()).re)), 3 + 4j) == C(6.0, 8.0)
    assert engines(eg.grad(eg.fn([C], eg.Real)(lambda z: (z * z).re)), 3 + 4j) == C(6.0, -8.0)


def test_a_mandelbrot_orbit_has_the_derivative_of_its_recurrence(engines: Engines) -> None:
    """z ↦ z² + c, so dz/dc ↦ 2·z·dz/dc + 1."""

    @eg.fn
    def orbit(c: C) -> C:
        return eg.fori_loop(0, 12, lambda _, z: z * z + c, C(0.0, 0.0))

    for c in (-0.5 + 0.5j, 0.28 - 0.01j, -1.25 + 0.02j):
        z = dz = 0j
        for _ in range(12):
            z, dz = z * z + c, 2 * z * dz + 1
        assert close(engines(orbit, c), z)
        _, along = eg.jvp(orbit, (ours(c),), (C(1.0, 0.0),))
        assert complex(along) == pytest.approx(dz, rel=1e-12)
        assert complex(engines(eg.grad(lambda c: orbit(c).re), c)) == pytest.approx(dz.conjugate(), rel=1e-12)


def test_newtons_method_in_the_plane_finds_a_root(engines: Engines) -> None:
    def f(z: Any) -> Any:
        return z**3 - 1

    @eg.fn
    def newton(z: C) -> C:
        def step(_: Any, z: Any) -> Any:
            y, dy = eg.jvp(f, (z,), (C(1.0, 0.0),))
            return z - y / dy

        return eg.fori_loop(0, 8, step, z)

    assert close(engines(newton, -1 + 1j), cmath.exp(2j * cmath.pi / 3))
