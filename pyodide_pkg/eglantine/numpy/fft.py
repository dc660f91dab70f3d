"""`enp.fft`: discrete Fourier transforms of Vecs of `eg.Complex`, of any length.

If all prime factors of the length are small, we do one pass for each factor (Cooley and Tukey, "An algorithm
for the machine calculation of complex Fourier series", 1965). Stockham's order needs no bit reversal.
Otherwise we compute a convolution with a chirp (Bluestein, "A linear filtering approach to the computation of
the discrete Fourier transform", 1970). The roots of unity are constants accurate to about half a unit in the
last place.

There are no derivative rules. The program itself is differentiated.
"""

from __future__ import annotations

import math
from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace.choices import select
from eglantine.trace.complexes import Complex
from eglantine.trace.shapes import axis_below, shape_of
from eglantine.trace.sums import vec
from eglantine.types import RealType, scalar_of

from .building import array_of
from .calls import array_function
from .shaping import moveaxis

LARGEST_FACTOR = 13
"""The largest prime factor that `_mixed` handles. For a length with a larger one, we use `_bluestein`."""
Pair = tuple[Any, Any]
"""The real and the imaginary parts of a Vec."""


@array_function("n", "axis", "norm")
def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The Fourier transform along an axis of a. Element k is the sum over j of a[j]·exp(−2πi·j·k/n).

    a: an array of Reals or of `eg.Complex`.
    n: the number of elements to transform. None means all elements along the axis. If there are more than n
        elements, the last ones are left out. If there are fewer, the missing elements count as 0.
    norm: "backward" or None for the sums, "ortho" for sums divided by √n, "forward" for sums divided by n.
    """
    return _along(a, n, axis, lambda part, m: _scaled(_transformed(part), _factor(norm, m, True)))


@array_function("n", "axis", "norm")
def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `fft`. Element k is the sum over j of a[j]·exp(2πi·j·k/n), divided by n.

    norm: "backward" or None for sums divided by n, "ortho" for sums divided by √n, "forward" for the sums.
    """
    return _along(a, n, axis, lambda part, m: _scaled(_inverse(part), _factor(norm, m, False)))


@array_function("n", "axis", "norm")
def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The first n//2 + 1 elements of the `fft` of an array of Reals. The others are their conjugates."""
    a = array_of(a)
    if not isinstance(scalar_of(a.type), RealType):
        raise ShapeError("rfft takes an array of Reals. Use fft for complex numbers.")

    def transform(part: Pair, m: int) -> Pair:
        re, im = _scaled(_transformed(part), _factor(norm, m, True))
        half = m // 2 + 1
        return vec(half, lambda k: re[k]), vec(half, lambda k: im[k])

    return _along(a, n, axis, transform)


@array_function("n", "axis", "norm")
def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `rfft`. It returns n Reals, by default 2·(m − 1), where m is the length of the axis.

    The imaginary parts of the first element and of the element n/2 count as 0.
    """
    a = array_of(a)
    shape = shape_of(a)
    k = axis_below(axis, len(shape), shape)
    length = 2 * (shape[k] - 1) if n is None else int(n)
    if length < 1:
        raise ShapeError(f"A transform needs at least one element, but its length here is {length}.")
    half = length // 2 + 1

    def transform(part: Pair, _: int) -> Pair:
        re, im = part

        def mirrored(i: Any) -> tuple[Any, Any, Any]:
            is_front = i < half
            return select(is_front, i, (length - i) % length), is_front, (i == 0) | (2 * i == length)

        def of_re(i: Any) -> Any:
            return re[mirrored(i)[0] % half]

        def of_im(i: Any) -> Any:
            j, is_front, is_real = mirrored(i)
            return select(is_real, 0.0, select(is_front, im[j % half], -im[j % half]))

        whole = vec(length, of_re), vec(length, of_im)
        return _scaled(_inverse(whole), _factor(norm, length, False))

    return _real_parts(_along(a, half, k, transform))


def _real_parts(a: Any) -> Any:
    if len(shape_of(a)) > 1:
        return vec(len(a), lambda i: _real_parts(a[i]))
    return vec(len(a), lambda i: a[i].re)


@array_function("n", "d")
def fftfreq(n: int, d: float = 1.0) -> Any:
    """The frequencies of `fft`'s elements, the negative ones last. d is the distance between samples."""
    step = 1.0 / (n * d)
    return array_of([(k if k < (n + 1) // 2 else k - n) * step for k in range(n)])


@array_function("n", "d")
def rfftfreq(n: int, d: float = 1.0) -> Any:
    """The frequencies of `rfft`'s elements. d is the distance between samples."""
    step = 1.0 / (n * d)
    return array_of([k * step for k in range(n // 2 + 1)])


def _factor(norm: str | None, n: int, forward: bool) -> float:
    """The number that the sums are divided by."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ShapeError(f"A transform has no norm {norm!r}. Write 'backward', 'ortho', 'forward' or None.")
    if norm == "ortho":
        return math.sqrt(n)
    return float(n) if (norm == "forward") == forward else 1.0


def _scaled(part: Pair, by: float) -> Pair:
    return part if by == 1.0 else (part[0] / by, part[1] / by)


def _along(a: Any, n: int | None, axis: int, transform: Any) -> Any:
    """Change the length of each Vec along an axis to n. Then apply `transform` to the Vec."""
    a = array_of(a)
    shape = shape_of(a)
    k = axis_below(axis, len(shape), shape)
    length = shape[k] if n is None else int(n)
    if length < 1:
        raise ShapeError(f"A transform needs at least one element, but its length here is {length}.")
    moved = moveaxis(a, k, -1) if k != len(shape) - 1 else a

    def below(part: Any) -> Any:
        if len(shape_of(part)) > 1:
            return vec(len(part), lambda i: below(part[i]))
        re, im = transform(_parts(part, length), length)
        return vec(len(re), lambda j: Complex(re[j], im[j]))

    result = below(moved)
    return moveaxis(result, -1, k) if k != len(shape) - 1 else result


def _parts(v: Any, n: int) -> Pair:
    """The real and imaginary parts of a Vec's first n elements. A shorter Vec is padded with zeros."""
    own = len(v)
    is_real = isinstance(scalar_of(v.type), RealType)

    def padded(of: Any) -> Any:
        if own >= n:
            return vec(n, lambda i: of(v[i]))
        return vec(n, lambda i: select(i < own, of(v[i % own]), 0.0) if own else 0.0)

    return padded(lambda z: z if is_real else z.re), padded(lambda z: 0.0 * z if is_real else z.im)


# ---------------------------------------------------------------- roots of unity


def root(k: int, n: int) -> tuple[float, float]:
    """Compute exp(−2πi·k/n) to about half an ulp. First reduce the angle to an eighth of a turn."""
    k %= n
    eighth, rest = divmod(8 * k, n)
    if eighth % 2:
        rest = n - rest
    angle = 2.0 * math.pi * rest / (8 * n)
    c, s = math.cos(angle), math.sin(angle)
    if eighth in (1, 2, 5, 6):
        c, s = s, c
    if eighth in (2, 3, 4, 5):
        c = -c
    return c, (s if eighth >= 4 else -s)


def _roots(numbers: list[int], n: int) -> Pair:
    """Return the real and the imaginary parts of `root(k, n)` for each k in `numbers`, as constant Vecs."""
    values = [root(k, n) for k in numbers]
    return array_of([c for c, _ in values]), array_of([s for _, s in values])


# ---------------------------------------------------------------- transforms


def _transformed(a: Pair) -> Pair:
    n = len(a[0])
    factors = _small_factors(n)
    return _bluestein(a, n) if factors is None else _mixed(a, n, factors)


def _inverse(a: Pair) -> Pair:
    """Compute the inverse transform times n: exchange re and im, transform, and exchange them again."""
    im, re = _transformed((a[1], a[0]))
    return re, im


def _small_factors(n: int) -> list[int] | None:
    """Factor n into fours and small primes. Return None if n has a large prime factor."""
    factors = []
    for p in (4, *range(2, LARGEST_FACTOR + 1)):
        while n % p == 0:
            factors.append(p)
            n //= p
    return factors if n == 1 else None


def _mixed(a: Pair, n: int, factors: list[int]) -> Pair:
    """Transform a Vec of length n with one pass for each factor of n.

    Let m be the product of the factors of all earlier passes. These passes have computed the transforms of
    n/m parts of the input. Part j has the elements j, j + n/m, j + 2n/m, …. Element k of its transform
    is element k + m·j of the Vec. The pass for a factor p combines p transforms at a time into one.
    """
    m = 1
    for p in factors:
        a = _pass(a, n, p, m)
        m *= p
    return a


def _pass(a: Pair, n: int, p: int, m: int) -> Pair:
    re, im = a
    parts = n // (m * p)
    turn_re, turn_im = _roots([q * k for k in range(m) for q in range(p)], m * p)

    def turned(k: Any, j: Any) -> list[Pair]:
        """The p inputs of one small transform, each multiplied by its root of unity."""
        numbers = []
        for q in range(p):
            x, y = re[k + m * (j + parts * q)], im[k + m * (j + parts * q)]
            if q and m > 1:
                c, s = turn_re[k * p + q], turn_im[k * p + q]
                x, y = x * c - y * s, x * s + y * c
            numbers.append((x, y))
        return numbers

    joined = vec(parts, lambda j: vec(m, lambda k: _joined(turned(k, j), p)))
    # joined[j][k][r] is element k + m·r of part j of the result, which has p·m elements

    def element(part: int, i: Any) -> Any:
        j, rest = i // (m * p), i % (m * p)
        return joined[j][rest % m][rest // m][part]

    return vec(n, lambda i: element(0, i)), vec(n, lambda i: element(1, i))


def _joined(numbers: list[Pair], p: int) -> list[Pair]:
    """The transform of p numbers."""
    if p == 2:
        (a, b), (c, d) = numbers
        return [(a + c, b + d), (a - c, b - d)]
    if p == 4:
        (a, b), (c, d), (e, f), (g, h) = numbers
        s, t, u, v = a + e, b + f, a - e, b - f
        w, x, y, z = c + g, d + h, c - g, d - h
        return [(s + w, t + x), (u + z, v - y), (s - w, t - x), (u - z, v + y)]
    results = []
    for r in range(p):
        re, im = numbers[0]
        for q in range(1, p):
            (x, y), (c, s) = numbers[q], root(q * r, p)
            re, im = re + (x * c - y * s), im + (x * s + y * c)
        results.append((re, im))
    return results


def _bluestein(a: Pair, n: int) -> Pair:
    """Transform for any n: convolve a·w with conj(w), and multiply by w. w[k] is exp(−πi·k²/n)."""
    size = 1 << (2 * n - 2).bit_length()
    w_re, w_im = _roots([k * k % (2 * n) for k in range(n)], 2 * n)
    kernel = [(0.0, 0.0)] * size
    for k in range(n):
        c, s = root(k * k % (2 * n), 2 * n)
        kernel[k] = kernel[-k % size] = (c, -s)
    factors = _small_factors(size)
    assert factors is not None
    f_re, f_im = _constant_transform(kernel)
    x = _product((w_re, w_im), a)

    def padded(v: Any) -> Any:
        return vec(size, lambda i: select(i < n, v[i % n], 0.0))

    y = _mixed((padded(x[0]), padded(x[1])), size, factors)
    z = _inverse(_product(y, (array_of(f_re), array_of(f_im))))

    def cut(v: Any) -> Any:
        return vec(n, lambda i: v[i] / float(size))

    return _product((w_re, w_im), (cut(z[0]), cut(z[1])))


def _product(a: Pair, b: Pair) -> Pair:
    n = len(a[0])
    return (
        vec(n, lambda i: a[0][i] * b[0][i] - a[1][i] * b[1][i]),
        vec(n, lambda i: a[0][i] * b[1][i] + a[1][i] * b[0][i]),
    )


def _constant_transform(values: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Transform a list of constants: transform its even and its odd elements, and combine the results.

    The number of elements is a power of 2.
    """

    def of(z: list[complex]) -> list[complex]:
        n = len(z)
        if n == 1:
            return z
        even, odd = of(z[::2]), of(z[1::2])
        turned = [complex(*root(k, n)) * x for k, x in enumerate(odd)]
        return [x + y for x, y in zip(even, turned, strict=True)] + [
            x - y for x, y in zip(even, turned, strict=True)
        ]

    result = of([complex(c, s) for c, s in values])
    return [z.real for z in result], [z.imag for z in result]


__all__ = ["fft", "fftfreq", "ifft", "irfft", "rfft", "rfftfreq"]
