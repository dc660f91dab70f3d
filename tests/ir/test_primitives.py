"""Every engine computes all primitives and their derivatives correctly, even at extreme values and kinks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import pytest
from mpmath import mp

import eglantine as eg
from eglantine.emit.module import emit
from eglantine.formulas.parser import parse
from eglantine.interpreter.machine import run as run_rows
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES, SCALARS
from eglantine.ir.program import Function
from eglantine.ir.row_types import F64, I1, I32, I64
from eglantine.ir.rules import LIBRARY, NO_TANGENT
from eglantine.mathlib.functions import FUNCTIONS, SHARED
from eglantine.mathlib.library import library
from eglantine.optimise.pipeline import optimise, ready_library
from eglantine.trace.scalars import binary, unary
from tests.emit.node import node
from tests.emit.running import function, run_each
from tests.ir.table import DESCRIBED, INTEGERS
from tests.laws.comparing import bits

DIFFERENTIABLE = [name for name, primitive in PRIMITIVES.items() if primitive.derivative is not NO_TANGENT]
SMOOTH = [name for name in DIFFERENTIABLE if DESCRIBED[name].smooth]
TOLERANCE = 1e-11
"""The allowed error of derivatives up to order three, divided by max(1, |exact value|). It is large, because
terms may cancel."""
HIGH_WORD, LOW_WORD = 32, 0xFFFFFFFF


def test_every_primitive_is_in_the_table_of_expected_values() -> None:
    assert DESCRIBED.keys() == PRIMITIVES.keys()


def test_every_differentiable_primitive_has_expected_derivatives() -> None:
    for name in DIFFERENTIABLE:
        assert DESCRIBED[name].smooth or DESCRIBED[name].kinks, name


@pytest.mark.parametrize("op", [op for op, of in SCALARS.items() if of.notation and of.notation.doc])
def test_a_documented_function_is_in_eg_math_and_in_formulas(op: str) -> None:
    notation = SCALARS[op].notation
    assert notation is not None
    name = notation.name or op
    assert getattr(eg.math, name).__doc__ == notation.doc
    arguments = ", ".join("xy"[: len(SCALARS[op].operands)])
    for written in (name, *notation.aliases):
        tree = parse(f"{written}({arguments})", ("x", "y"))
        assert tree.nodes[-1].name == name


def test_each_library_function_is_a_primitive_or_a_shared_helper() -> None:
    primitives = {name for name, of in PRIMITIVES.items() if of.wasm is LIBRARY}
    assert primitives | {shared.__name__ for shared in SHARED} == FUNCTIONS.keys()


# ---------------------------------------------------------------- values


def on_all_engines(f: Function, cases: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Call f with each case on all engines. Check that the results are equal, and return them."""
    expected = [run_rows(f, case, library) for case in cases]
    ready = optimise(f)
    artifact = emit(ready, ready_library)
    in_wasmtime = run_each(artifact, cases)
    for case, found, leaves in zip(cases, expected, in_wasmtime, strict=True):
        assert bits(run_rows(ready, case, library)) == bits(found), (case, "optimised")
        assert bits(leaves) == bits(found), (case, "wasmtime")
    v8 = node()
    if v8 is not None:
        for case, found, call in zip(cases, expected, v8.run(artifact, cases), strict=True):
            assert bits(call.result) == bits(found), (case, "V8")
    return expected


def program(name: str) -> Function:
    """Make a function that applies the primitive `name`. Split a 64-bit result into two 32-bit words."""
    b = Builder()
    primitive = PRIMITIVES[name]
    rows = []
    for dtype in primitive.operands:
        if dtype == "i64":
            rows.append(b.un("int_f64", b.param(F64)))
        else:
            rows.append(b.param({"f64": F64, "i1": I1, "i32": I32(min(INTEGERS), max(INTEGERS))}[dtype]))
    result = b.un(name, *rows) if len(rows) == 1 else b.bi(name, *rows)
    if b.type_of(result) is I64:
        words = [
            b.bi("lshr_u", result, b.constant(HIGH_WORD, I64)),
            b.bi("land", result, b.constant(LOW_WORD, I64)),
        ]
        return function(b, [b.un("real_i64", word) for word in words])
    return function(b, [result])


def expected_leaves(name: str, value: Any) -> list[Any]:
    """Convert a primitive's expected result to the leaves that the function `program(name)` must return."""
    result = PRIMITIVES[name].result
    if result is I64:
        return [float((value & (1 << 64) - 1) >> HIGH_WORD), float(value & LOW_WORD)]
    return [value]


def agrees(found: Any, value: Any, ulps: int, scaled: float = 0.0) -> bool:
    """True if `found` and `value` have equal bits or differ only slightly.

    `ulps` and `scaled` limit the difference. If `value` is 0, infinite or NaN, the bits must be equal.
    """
    if bits(found) == bits(value):
        return True
    if not ulps or not math.isfinite(value) or value == 0.0:
        return False
    return bool(abs(found - value) <= ulps * math.ulp(value) + scaled * max(1.0, abs(value)))


@pytest.mark.parametrize("name", DESCRIBED)
def test_values_at_the_edges_equal_those_of_python_numpy_and_mpmath(name: str) -> None:
    described = DESCRIBED[name]
    found = on_all_engines(program(name), described.cases)
    for case, leaves in zip(described.cases, found, strict=True):
        for leaf, value in zip(leaves, expected_leaves(name, described.value(*case)), strict=True):
            near = agrees(leaf, value, described.ulps, described.scaled)
            assert near, f"{name}{case}: {leaf!r}, expected {value!r}"


# ---------------------------------------------------------------- derivatives


def applied(name: str) -> eg.Fn:
    """The primitive as an `fn` of Reals."""
    n = len(PRIMITIVES[name].operands)
    op = unary if n == 1 else binary
    made: eg.Fn = eg.fn([eg.Real] * n, eg.Real)(lambda *x: op(name, *x))
    return made


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_both_modes_give_the_same_bits_at_the_edges_on_all_engines(name: str) -> None:
    f = applied(name)
    cases = DESCRIBED[name].cases
    for k in range(len(cases[0])):
        forward, reverse = eg.jacfwd(f, k), eg.grad(f, k)
        both = eg.fn(list(f.function.params))(lambda *x, a=forward, b=reverse: (a(*x), b(*x)))
        for case, (dy, ct_x) in zip(cases, on_all_engines(both.function, cases), strict=True):
            assert bits(dy) == bits(ct_x), case


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives_to_order_three_equal_mpmaths_in_all_nestings(name: str) -> None:
    smooth = DESCRIBED[name].smooth
    assert smooth is not None
    n = len(smooth.points[0])
    for order in range(1, smooth.order + 1):
        for by in itertools.combinations_with_replacement(range(n), order):
            exact = [derivative(smooth.function, at, by) for at in smooth.points]
            for modes in itertools.product((eg.jacfwd, eg.grad), repeat=order):
                g = applied(name)
                for mode, k in zip(modes, by, strict=True):
                    g = mode(g, k)
                for at, wanted in zip(smooth.points, exact, strict=True):
                    found = g(*at)
                    assert abs(found - wanted) <= TOLERANCE * max(1.0, abs(wanted)), (modes, by, at, found)


def derivative(f: Any, at: tuple[float, ...], by: tuple[int, ...]) -> float:
    """Differentiate f once for each operand number in `by`. For example, (0, 0, 1) gives ∂³f/∂x²∂y."""
    with mp.workdps(60):
        orders = tuple(by.count(k) for k in range(len(at)))
        point = tuple(map(mp.mpf, at))
        return float(
            mp.re(mp.diff(f, point if len(at) > 1 else point[0], orders if len(at) > 1 else len(by)))
        )


@pytest.mark.parametrize("name", SMOOTH)
def test_third_derivatives_have_the_same_bits_on_all_engines(name: str) -> None:
    smooth = DESCRIBED[name].smooth
    assert smooth is not None
    g = applied(name)
    for mode in (eg.grad, eg.jacfwd, eg.grad)[: smooth.order]:
        g = mode(g, 0)
    last = eg.fn(list(g.function.params))(lambda *x: (g(*x),))
    on_all_engines(last.function, [*smooth.points, *DESCRIBED[name].cases])


KINKS = [(name, at, slopes) for name in DIFFERENTIABLE for at, slopes in DESCRIBED[name].kinks]


@pytest.mark.parametrize(("name", "at", "slopes"), KINKS, ids=str)
def test_the_derivative_at_a_kink_follows_our_convention(
    name: str, at: tuple[float, ...], slopes: tuple[float | None, ...]
) -> None:
    f = applied(name)
    for k, wanted in enumerate(slopes):
        if wanted is not None:
            assert eg.grad(f, k)(*at) == wanted
            assert eg.jacfwd(f, k)(*at) == wanted


# -------------------------------------------------------------- powi and select


@pytest.mark.parametrize("n", [-3, -2, -1, 0, 1, 2, 3, 7])
def test_integer_powers_and_their_derivatives_equal_repeated_products(n: int) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: x**n)
    cases = DESCRIBED["neg"].cases
    both = eg.fn([eg.Real])(lambda x: (f(x), eg.grad(f)(x), eg.jacfwd(f)(x)))
    for (x,), (y, ct_x, dy) in zip(cases, on_all_engines(both.function, cases), strict=True):
        assert agrees(y, repeated(x, n), 4 if math.isfinite(x) else 0) or abs(y) < 1e-300
        assert bits(ct_x) == bits(dy)
    for x in (0.7, -1.3, 2.5):
        for order, g in enumerate(itertools.accumulate([eg.grad] * 3, lambda g, d: d(g), initial=f)):
            wanted = math.prod(n - k for k in range(order)) * x ** (n - order)
            assert g(x) == pytest.approx(wanted, rel=1e-13, abs=0.0)


def repeated(x: float, n: int) -> float:
    """Return x to the power n. If Python raises an error, such as for an overflow, return ±∞."""
    try:
        return math.pow(x, n) if x == x or n == 0 else math.nan
    except (OverflowError, ValueError):
        return math.copysign(math.inf, x) if n % 2 else math.inf


def test_select_ignores_the_side_that_is_not_chosen() -> None:
    f = eg.fn([eg.Bool, eg.Real, eg.Real], eg.Real)(eg.select)
    every = [(p, x, y) for p in (False, True) for (x, y) in DESCRIBED["add"].cases]
    both = eg.fn([eg.Bool, eg.Real, eg.Real])(
        lambda *args: (f(*args), *eg.grad(f, (1, 2))(*args), eg.jacfwd(f, 1)(*args), eg.jacfwd(f, 2)(*args))
    )
    for (p, x, y), found in zip(every, on_all_engines(both.function, every), strict=True):
        slopes = [1.0, 0.0] if p else [0.0, 1.0]
        assert bits(found) == bits([x if p else y, *slopes, *slopes])
