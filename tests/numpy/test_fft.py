"""The functions of `enp.fft` return NumPy's values on all engines, and have derivatives."""

from __future__ import annotations

import math
import random
from typing import Any

import mpmath
import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.numpy.fft import root
from tests.engines import run
from tests.seeds import NIGHTLY, first_seed

LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 16, 17, 30, 31, 34, 64, 97, 105)
ACCURACY = 1e-13


def numbers(n: int) -> list[complex]:
    draw = random.Random(n)  # noqa: S311 - numbers of a test
    return [complex(draw.uniform(-1, 1), draw.uniform(-1, 1)) for _ in range(n)]


def error(seen: Any, right: Any) -> float:
    """Return the relative error of `seen`, measured in the Euclidean norm."""
    difference = np.linalg.norm(np.asarray(seen) - right)
    return float(difference / np.linalg.norm(right))


@pytest.mark.parametrize("n", LENGTHS)
def test_a_transform_agrees_with_numpy(n: int) -> None:
    z = numbers(n)
    x = [value.real for value in z]
    assert error(enp.fft.fft(z), np.fft.fft(z)) < ACCURACY
    assert error(enp.fft.fft(x), np.fft.fft(x)) < ACCURACY
    assert error(enp.fft.rfft(x), np.fft.rfft(x)) < ACCURACY
    assert error(enp.fft.ifft(np.array(z)), np.fft.ifft(z)) < ACCURACY
    assert error(enp.fft.ifft(enp.fft.fft(z)), np.array(z)) < ACCURACY
    for length in (n, 2 * n, max(n - 3, 1)):
        assert error(enp.fft.irfft(z, length), np.fft.irfft(z, length)) < ACCURACY
    np.testing.assert_allclose(enp.fft.irfft(enp.fft.rfft(x), n).tolist(), x, atol=ACCURACY)
    assert enp.fft.fftfreq(n, 0.5).tolist() == np.fft.fftfreq(n, 0.5).tolist()
    assert enp.fft.rfftfreq(n, 0.5).tolist() == np.fft.rfftfreq(n, 0.5).tolist()


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
def test_lengths_axes_and_norms_of_transforms_agree_with_numpy(name: str) -> None:
    for k in range(200 if NIGHTLY else 12):
        draw = random.Random(first_seed(0) + k)  # noqa: S311 - cases of a test
        shape = tuple(draw.randint(1, 5) for _ in range(draw.randint(1, 3)))
        a = np.array([draw.uniform(-1, 1) for _ in range(math.prod(shape))]).reshape(shape)
        if name != "rfft":
            a = a + 1j * a[::-1]
        named = {
            "n": draw.choice([6, 1, 3, 6] if name == "irfft" else [None, 1, 3, 6]),
            "axis": draw.randrange(-len(shape), len(shape)),
            "norm": draw.choice([None, "backward", "ortho", "forward"]),
        }  # fmt: skip
        right = getattr(np.fft, name)(a, **named)
        seen = getattr(enp.fft, name)(a, **named)
        assert (seen.shape, seen.dtype) == (right.shape, right.dtype)
        np.testing.assert_allclose(seen, right, rtol=0, atol=1e-14 * max(1, np.linalg.norm(right)))


@pytest.mark.parametrize("n", [6, 17])
def test_all_engines_give_the_same_transforms(n: int) -> None:
    f = eg.fn([eg.Vec(n, eg.Complex)])(enp.fft.fft)
    z = [eg.Complex(value.real, value.imag) for value in numbers(n)]
    assert error([complex(w) for w in run(f, z)], np.fft.fft(numbers(n))) < ACCURACY


@pytest.mark.parametrize("n", [5, 12, 17])
def test_derivatives_agree_with_differences(n: int) -> None:
    def power(x: Any) -> Any:
        spectrum = enp.fft.rfft(x)
        return eg.vec(len(spectrum), lambda k: spectrum[k].re ** 2 + 0.5 * spectrum[k].im)

    eg.check_grads(eg.fn([eg.Vec(n, eg.Real)])(power), ([z.real for z in numbers(n)],))


def test_roots_of_unity_are_accurate() -> None:
    for n in (1, 2, 3, 7, 8, 24, 97, 1000):
        for k in range(-3, n + 3):
            with mpmath.workprec(200):
                right = mpmath.expjpi(mpmath.mpf(-2 * k) / n)
            c, s = root(k, n)
            assert abs(c - right.real) < 1.2e-16
            assert abs(s - right.imag) < 1.2e-16


@pytest.mark.parametrize(
    "f",
    [
        lambda: enp.fft.fft([1.0, 2.0], n=0),
        lambda: enp.fft.fft([1.0, 2.0], axis=1),
        lambda: enp.fft.fft([1.0, 2.0], norm="other"),
        lambda: enp.fft.rfft([1j, 2.0]),
        lambda: enp.fft.irfft([1.0]),
    ],
)
def test_wrong_arguments_are_errors(f: Any) -> None:
    with pytest.raises(eg.EglantineError):
        f()
