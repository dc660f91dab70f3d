"""Several threads can call kernels and compile functions at the same time. Results do not change."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from eglantine.emit import module as emit
from tests.runtime.several_threads import N, V, in_threads, polynomial, scaled

pytestmark = pytest.mark.usefixtures("switching_often")

# ---------------------------------------------------------------- calls


def test_threads_may_share_a_kernel_of_scalars() -> None:
    kernel = eg.compile(polynomial)

    def work(k: int) -> None:
        for j in range(4500):
            x, y = float(j), float(k)
            assert kernel(x, y) == 3.0 * x * x - 2.0 * y + 1.0

    in_threads(work)


@pytest.mark.parametrize("numpy", [False, True])
def test_threads_do_not_overwrite_each_others_results_of_arrays(numpy: bool) -> None:
    kernel = eg.compile(scaled)

    def work(k: int) -> None:
        v = [float(k)] * N
        found = []
        for j in range(300):
            result = kernel(np.array(v) if numpy else v, float(j))
            assert isinstance(result, np.ndarray) == numpy
            found.append(result)
        for j, result in enumerate(found):
            assert list(result) == [k * j + 1.0] * N

    in_threads(work)


def test_threads_may_run_batches_of_one_kernel() -> None:
    kernel = eg.compile(polynomial)

    def work(k: int) -> None:
        for j in range(2):
            xs, ys = [float(i + j) for i in range(2500)], [float(k)] * 2500
            assert kernel.batch(xs, ys) == [3.0 * x * x - 2.0 * k + 1.0 for x in xs]

    in_threads(work)


def test_threads_may_run_kernels_that_share_a_memory() -> None:
    lender = eg.compile(scaled)
    kernels = [lender, *(eg.compile(scaled, memory=lender) for _ in range(3))]

    def work(k: int) -> None:
        kernel = kernels[k % 4]
        for j in range(300):
            assert kernel([float(k)] * N, float(j)) == [k * j + 1.0] * N

    in_threads(work)


def test_kernels_compiled_into_one_memory_at_the_same_time_do_not_overlap() -> None:
    lender = eg.compile(scaled)
    kernels = in_threads(lambda _: eg.compile(scaled, memory=lender))
    extents = sorted((k.abi["memory"]["base"], k.abi["memory"]["bytes"]) for k in kernels)
    ends = [end for _, end in extents]
    assert all(end <= begin for end, (begin, _) in zip(ends, extents[1:], strict=False))
    for k, kernel in enumerate(kernels):
        assert kernel([float(k)] * N, 2.0) == [2.0 * k + 1.0] * N


def test_running_out_of_fuel_does_not_affect_other_threads() -> None:
    @eg.fn
    def rounds(n: eg.Fin(1000)) -> eg.Real:
        return eg.sum(n, lambda i: eg.real(1.0))

    kernel = eg.compile(rounds, fuel=100)

    def work(k: int) -> None:
        for j in range(300):
            if (j + k) % 2:
                assert kernel(60) == 60.0
            else:
                with pytest.raises(eg.FuelError):
                    kernel(500)

    in_threads(work)


def test_threads_may_share_a_kernel_whose_memory_grows() -> None:
    kernel = eg.compile(eg.value_and_grad(power))
    alone = {float(n): (1.5**n, n * 1.5 ** (n - 1)) for n in (3, 50, 700, 1500)}

    def work(k: int) -> None:
        for j in range(150):
            n = [*alone][(j + k) % 4]
            value, slope = kernel(1.5, n)
            assert (value, slope) == (pytest.approx(alone[n][0]), pytest.approx(alone[n][1]))

    in_threads(work)


@eg.fn
def power(x: eg.Real, n: eg.Real) -> eg.Real:
    return eg.while_loop(lambda s: s[1] < n, lambda s: (s[0] * x, s[1] + 1.0), (x * 0.0 + 1.0, n * 0.0))[0]


def test_threads_may_share_an_interruptible_kernel() -> None:
    kernel = eg.compile(polynomial, interruptible=True)

    def work(k: int) -> None:
        for j in range(300):
            assert kernel(float(j), float(k)) == 3.0 * j * j - 2.0 * k + 1.0

    threads = threading.Thread(target=in_threads, args=(work,))
    threads.start()
    for j in range(300):  # in the main thread, at the same time as the other threads
        assert kernel(float(j), 9.0) == 3.0 * j * j - 17.0
    threads.join()


def test_threads_may_make_the_first_calls_of_a_jit_function_together() -> None:
    for _ in range(6):
        f = eg.jit(lambda x, v: eg.dot(v, v) * x)
        gradient = eg.jit(eg.grad(lambda x, v: eg.dot(v, v) * x * x))

        def work(k: int, f: Any = f, gradient: Any = gradient) -> Any:
            for n in range(1, 5):
                v = [float(k)] * n
                for x in (2.0, 3.0):
                    assert f(x, v) == n * k * k * x
                    assert gradient(x, v) == 2.0 * n * k * k * x
            return f.specialise((eg.Real, eg.Vec(3, eg.Real)))

        made = in_threads(work)
        assert all(fn is made[0] for fn in made)


def test_an_exception_in_a_host_function_reaches_the_calling_thread() -> None:
    """wasmtime-py stores one exception for all threads. A thread must not get another thread's exception."""

    def checked(x: float) -> float:
        if x > 0.0:
            raise KeyError(x)
        return x

    host = eg.opaque(checked, [eg.Real], eg.Real)

    def work(k: int) -> None:
        raising = eg.compile(eg.fn([eg.Real])(lambda x: host(x) + 1.0))
        trapping = eg.compile(eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)])(lambda v, i: v[i]))
        for j in range(200):
            x = float(1000 * k + j + 1)
            with pytest.raises(KeyError) as raised:
                raising(x)
            assert raised.value.args == (x,)
            assert raising(-1.0) == 0.0
            with pytest.raises(eg.ShapeError):
                trapping([1.0, 2.0, 3.0], 7)

    in_threads(work)


def test_threads_may_run_the_interpreter_together() -> None:
    f = eg.fn([eg.Real])(lambda x: eg.sum(20, lambda i: eg.math.sin(x * eg.real(i))))
    expected = [f(float(j)) for j in range(20)]
    again = eg.fn([eg.Real])(lambda x: eg.sum(20, lambda i: eg.math.sin(x * eg.real(i))))
    for found in in_threads(lambda _: [again(float(j)) for j in range(20)]):
        assert found == expected


@pytest.mark.nightly
def test_threads_may_make_a_hundred_thousand_calls_of_each_kind() -> None:
    scalar, arrays, lender = eg.compile(polynomial), eg.compile(scaled), eg.compile(scaled)
    borrower, jitted = eg.compile(scaled, memory=lender), eg.jit(lambda x, y: x * x * 3.0 - y * 2.0 + 1.0)

    def work(k: int) -> None:
        for j in range(12_500):
            x, y, v = float(j), float(k), [float(k)] * N
            assert scalar(x, y) == jitted(x, y) == 3.0 * x * x - 2.0 * y + 1.0
            assert arrays(v, x) == (lender, borrower)[k % 2](v, x) == [k * j + 1.0] * N

    in_threads(work)


# ---------------------------------------------------------------- compiling


def programs() -> list[Any]:
    """Make functions that share callees, derivatives and mathlib functions."""
    shared = eg.fn([eg.Real])(lambda x: eg.math.exp(eg.math.sin(x)) + x**2.5)
    made: list[Any] = [shared, eg.grad(shared), eg.grad(eg.grad(shared)), eg.value_and_grad(power), power]
    for c in range(1, 6):
        line = eg.fn([eg.Real, eg.Real])(lambda x, y, c=c: eg.math.log(x * c) * y - eg.math.tanh(y + c))
        made += [line, eg.grad(line, (0, 1)), eg.hessian(line, (0, 1))]
    made.append(eg.grad(eg.fn([V])(lambda v: eg.sum(N, lambda i: shared(v[i]) * shared(v[N - 1 - i])))))
    return made


def test_compiling_in_several_threads_gives_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(emit, "_kept", {})
    expected = [eg.compile_artifact(f).wasm for f in programs()]
    monkeypatch.setattr(emit, "_kept", {})
    everybodys = programs()  # all threads compile these functions

    def work(k: int) -> list[bytes]:
        order = [*range(k, len(everybodys)), *range(k)]
        made = {j: eg.compile_artifact(everybodys[j]).wasm for j in order}
        own = [eg.compile_artifact(f).wasm for f in programs()]
        assert own == [made[j] for j in range(len(made))]
        return own

    assert all(found == expected for found in in_threads(work))
