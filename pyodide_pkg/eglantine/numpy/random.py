"""`eg.random`: random numbers as pure functions of a key, with JAX's bits.

A key is a Vec of two Reals, the 32-bit words of a Threefry key. Never use a key twice: `split` gives new
keys. All functions work on plain values and in traces. A loop may use keys that it computes itself.

The bits are the same as in `jax.random` with its default `jax_threefry_partitionable=True` and with
`jax_enable_x64=True`. `uniform` has JAX's 52 random bits. With bounds other than 0 and 1 it may differ in the
last place, because JAX's compiler fuses products with sums. `integers` gives the numbers of JAX's `randint`
for 64-bit integers. `permutation` and `choice` draw the same elements as in JAX. `normal` is √2·erf⁻¹ of a
uniform number, as in JAX. Our erf⁻¹ is accurate to 1e-14. JAX's numbers differ by a few units in the last
place, and by more in the far tails (up to 1e-10), where JAX's formula loses digits.

No function has a derivative with respect to its key. `uniform` has derivatives with respect to its bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.ir.rules import MAX_INDEX
from eglantine.plain.symbolic import current
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import real
from eglantine.trace.scalars import IndexValue
from eglantine.trace.shapes import Shape, axis_below, shape_of
from eglantine.trace.sums import vec
from eglantine.trace.traced import Traced, lift
from eglantine.types import Fin

from .building import array_of, built
from .calls import array_function
from .inverse_erf import inverse_erf
from .ordering import _order, searched
from .reductions import cumsum
from .shaping import as_shape, moveaxis, reshape
from .subscripts import sliced
from .threefry import threefry, threefry_word

WORDS = 2.0**32
LONGEST = 2**32 - 1
_NEXT_TO_MINUS_ONE = math.nextafter(-1.0, 0.0)
_LEAST_NORMAL = 2.0**-1022


def key(seed: Any) -> Any:
    """Make a key from a seed. The key has the same two words as the key that `jax.random.key(seed)` makes.

    seed: a whole number. Only its lowest 64 bits matter. A traced seed is a Real below 2⁵³ or an index.
    """
    if isinstance(seed, Traced):
        return _key_of(real(seed))
    whole = seed.is_integer() if isinstance(seed, float) else hasattr(seed, "__index__")
    if isinstance(seed, bool) or not whole:
        raise TypeMismatchError(f"A seed is a whole number, but this one is {seed!r}.")
    number = int(seed)
    return _known_key(number >> 32 & LONGEST, number & LONGEST)


@array_function("high", "low")
def _known_key(high: int, low: int) -> Any:
    return vec(2, lambda i: select(i == 0, float(high), float(low)))


def _key_of(seed: Any) -> Any:
    high = maths.floor(seed / WORDS)
    return array_of([high % WORDS, seed - high * WORDS])


def _words(k: Any, i: Any) -> tuple[Any, Any]:
    """Compute the two random words of element i. The index i must be below 2³²."""
    result: tuple[Any, Any] = threefry()(k[0], k[1], 0.0, real(i))
    return result


def _checked(k: Any) -> Any:
    if shape_of(k) != (2,):
        raise ShapeError(
            f"A key is a Vec of two words, but this array has the shape {shape_of(k)}. Make a key with "
            "eg.random.key(seed). eg.random.split returns several keys, so use one of them, as in keys[0]."
        )
    return array_of(k)


@array_function("n")
def split(key: Any, n: Any = 2) -> Any:
    """Make n new keys that are independent of each other. Return them as an array of shape (n, 2).

    n: a number or a shape. For a shape, the result has the shape (*n, 2).
    """
    k = _checked(key)
    shape = as_shape(n)
    keys = vec(math.prod(shape), lambda i: array_of(list(_words(k, i))))
    return keys if len(shape) == 1 else reshape(keys, (*shape, 2))


@array_function()
def fold_in(key: Any, data: Any) -> Any:
    """Make a new key from a key and a whole number below 2³², such as the index of a loop."""
    k = _checked(key)
    return array_of(list(_words(k, data)))


def _drawn(shape: Any, element: Any) -> Any:
    """Build an array of this shape from the elements element(0), element(1), … in row-major order."""
    of: Shape = as_shape(shape)

    def at(indices: tuple[Any, ...]) -> Any:
        place: Any = 0
        for i, n in zip(indices, of, strict=True):
            place = i if isinstance(place, int) and place == 0 else place * n + i
        return element(place)

    return built(of, at)


def _unit(words: tuple[Any, Any]) -> Any:
    """Make a number from 0 up to but not including 1. It has the highest 52 of the words' 64 bits."""
    high, low = words
    return (high * 2.0**20 + maths.floor(low * 2.0**-12)) * 2.0**-52


@array_function("shape")
def uniform(key: Any, shape: Any = (), low: Any = 0.0, high: Any = 1.0) -> Any:
    """Random numbers from low up to but not including high, uniformly distributed."""
    k = _checked(key)

    def element(i: Any) -> Any:
        return maths.maximum(low, _unit(_words(k, i)) * (high - low) + low)

    return _drawn(shape, element)


@array_function("shape")
def normal(key: Any, shape: Any = ()) -> Any:
    """Random numbers of the normal distribution with mean 0 and variance 1."""
    k = _checked(key)

    def element(i: Any) -> Any:
        u = maths.maximum(_NEXT_TO_MINUS_ONE, _unit(_words(k, i)) * 2.0 + _NEXT_TO_MINUS_ONE)
        return math.sqrt(2.0) * inverse_erf()(u)

    return _drawn(shape, element)


# ---------------------------------------------------------------- whole numbers


@array_function("shape", "low", "high")
def integers(key: Any, shape: Any = (), low: int = 0, high: int | None = None) -> Any:
    """Random whole numbers from low up to but not including high, as Fins.

    low, high: whole numbers from 0 to 2³¹ − 1. integers(key, (), n) draws from 0 to n − 1.
    """
    k = _checked(key)
    first, end = (0, low) if high is None else (low, high)
    if not 0 <= first < end <= MAX_INDEX:
        raise ShapeError(
            f"integers needs 0 ≤ low < high ≤ {MAX_INDEX}, but low is {first} and high is {end}."
        )
    return _integers(k, shape, int(first), int(end))


def _integers(k: Any, shape: Any, low: int, high: int) -> Any:
    keys = [array_of(list(_words(k, i))) for i in (0, 1)]
    span = high - low
    shift = float(pow(2, 64, span))

    def element(i: Any) -> Any:
        upper, lower = (_remainder_of_words(_words(part, i), span) for part in keys)
        return _index(_remainder(_product(upper, shift, span) + lower, span), span) + low

    return _drawn(shape, element)


def _remainder(x: Any, m: int) -> Any:
    """x modulo m, exactly, for a whole number x from 0 to 2⁵³ − m."""
    rest = x - maths.floor(x / float(m)) * float(m)
    return select(rest < 0.0, rest + m, select(rest >= m, rest - m, rest))


def _product(x: Any, factor: float, m: int) -> Any:
    """x·factor modulo m, for x and factor below m < 2³¹. We split the factor, so no product is rounded."""
    high, low = divmod(int(factor), 1 << 16)
    return _remainder(_remainder(x * float(high), m) * 65536.0 + x * float(low), m)


def _remainder_of_words(words: tuple[Any, Any], m: int) -> Any:
    high, low = words
    return _remainder(_product(_remainder(high, m), float(pow(2, 32, m)), m) + low, m)


def _index(x: Any, n: int) -> Any:
    """A whole Real below n as an index."""
    b = current.get()
    assert b is not None
    row = b.un("wrap_i64", b.un("int_f64", lift(b, x)))
    return IndexValue(b, b.bi("imod", row, b.int_const(n)))


def _shuffled(k: Any, n: int) -> Any:
    """Return the indices below n in a random order.

    Each round sorts the indices by random words. We do several rounds, because two words may be equal.
    """
    rounds = math.ceil(3 * math.log(max(1, n)) / math.log(LONGEST))
    order = vec(n, Fin(max(n, 1)))
    for _ in range(rounds):
        k, part = (array_of(list(_words(k, i))) for i in (0, 1))
        order = order[_random_order(part, n)]
    return order


def _random_order(k: Any, n: int) -> Any:
    return _order(vec(n, lambda i: threefry_word()(k[0], k[1], 0.0, real(i))))


def permutation(key: Any, x: Any, axis: int = 0) -> Any:
    """Put the parts of x along an axis in a random order. If x is a whole number, shuffle 0 … x − 1."""
    if isinstance(x, int) and not isinstance(x, bool):
        return _order_of(key, x)
    return _permuted(key, x, axis)


@array_function("n")
def _order_of(key: Any, n: int) -> Any:
    return _shuffled(_checked(key), n)


@array_function("axis")
def _permuted(key: Any, x: Any, axis: int) -> Any:
    along = axis_below(axis, len(shape_of(x)), shape_of(x))
    return sliced(x, along, _shuffled(_checked(key), shape_of(x)[along]))


def choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0) -> Any:
    """Draw random parts of `a` along an axis. If `a` is a whole number, draw from 0 … a − 1.

    replace: if true, a part may be drawn more than once.
    p: the probability of each part, or None if all are equally likely.
    """
    if isinstance(a, int) and not isinstance(a, bool):
        return _chosen(key, p, a, as_shape(shape), replace)
    return _taken(key, a, p, as_shape(shape), replace, axis)


@array_function("n", "shape", "replace")
def _chosen(key: Any, p: Any, n: int, shape: Shape, replace: bool) -> Any:
    """The indices that are drawn."""
    k, draws = _checked(key), math.prod(shape)
    if n < 1:
        raise ShapeError(f"choice needs at least one element to choose from, but there are {n}.")
    if not replace and draws > n:
        raise ShapeError(
            f"choice without replacement cannot draw {draws} elements from {n}. Draw at most {n}."
        )
    if p is not None and shape_of(p) != (n,):
        raise ShapeError(
            f"The argument `p` of choice must have one probability for each of {n} elements, but it has the "
            f"shape {shape_of(p)}."
        )
    if not replace:
        order = _shuffled(k, n) if p is None else _by_gumbel(k, n, p)
        return reshape(order[:draws], shape)
    if p is None:
        return _integers(k, shape, 0, n)
    sums = cumsum(p)
    return _drawn(shape, lambda i: searched(sums, sums[n - 1] * (1.0 - _unit(_words(k, i)))))


def _by_gumbel(k: Any, n: int, p: Any) -> Any:
    """Sort the indices i by log p[i] + g, largest first. g is a random number of Gumbel's distribution."""

    def rank(i: Any) -> Any:
        u = maths.maximum(_LEAST_NORMAL, _unit(_words(k, i)) * (1.0 - _LEAST_NORMAL) + _LEAST_NORMAL)
        return -(maths.log(p[i]) - maths.log(-maths.log(u)))

    return _order(vec(n, rank))


@array_function("shape", "replace", "axis")
def _taken(key: Any, a: Any, p: Any, shape: Sequence[int], replace: bool, axis: int) -> Any:
    k = axis_below(axis, len(shape_of(a)), shape_of(a))
    chosen = _chosen(key, p, shape_of(a)[k], shape, replace)
    parts = moveaxis(a, k, 0)
    if not shape:
        return parts[chosen]
    result = sliced(parts, 0, chosen)
    return moveaxis(result, list(range(len(shape))), [k + j for j in range(len(shape))])


__all__ = ["choice", "fold_in", "integers", "key", "normal", "permutation", "split", "uniform"]
