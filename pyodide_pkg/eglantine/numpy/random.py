"""`eg.random`: random numbers as pure functions of a key, with the bits of `jax.random`.

A key is an array of two words, each a whole number below 2^32. A key gives the same numbers whenever it is
used, so draw each sample with a key of its own, which `split` makes.

`uniform` draws 52 bits, as JAX does for float64. `integers` draws as `jax.random.randint` does for int32.
"""

from __future__ import annotations

import math
import sys
from array import array
from functools import cache
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.functions.fn import Fn
from eglantine.mathlib.library import library
from eglantine.plain.symbolic import described
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import index, real
from eglantine.trace.shapes import Shape, shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.trace.views import element_at
from eglantine.types import Fin

from .building import built
from .calls import array_function
from .eager import Array
from .inverse_error import inverse_error
from .ordering import argsort
from .reductions import cumsum
from .shaping import as_shape, reshape

WORDS = 2.0**32
LARGEST_INT = 2**31 - 1
"""The largest number of integers to draw from, since Fin has 32 bits."""
TINY = sys.float_info.min
_BELOW_ONE = math.nextafter(1.0, 0.0)


@cache
def _threefry(name: str) -> Fn:
    return Fn(library(name))


def key(seed: int) -> Any:
    """The key of a seed, which is a whole number from 0 to 2^63 − 1.

    Returns: an `eg.Array` of two words. Give it to the functions below or to a kernel.
    """
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise TypeMismatchError(
            f"The seed must be a whole number from 0 to 2^63 - 1, but it is {described(seed)}."
        )
    return Array(array("d", [seed >> 32, seed & 0xFFFFFFFF]), (2,))


def _drawn(key: Any, shape: Shape, use: Any, words: str = "threefry") -> Any:
    """The array of this shape of `use(words)` of the words that the key gives at each place."""
    if shape_of(key) != (2,):
        raise ShapeError(
            f"A key is an array of 2 words, but this one has the shape {shape_of(key)}. Make one with "
            "eg.random.key(0)."
        )

    def at(indices: tuple[Any, ...]) -> Any:
        place: Any = 0.0
        for i, n in zip(indices, shape, strict=True):
            place = place * float(n) + real(i)
        made = _threefry(words)(key[0], key[1], 0.0, place)
        return use(*made) if isinstance(made, tuple) else use(made)

    return built(shape, at)


def _word(key: Any, shape: Shape) -> Any:
    """An array of words of 32 random bits."""
    return _drawn(key, shape, lambda word: word, "threefry_word")


@array_function("n")
def split(key: Any, n: int = 2) -> Any:
    """n new keys, independent of each other and of the samples of this key.

    Returns: an array of shape (n, 2). `first, second = eg.random.split(key)` takes it apart.
    """
    return _drawn(key, (n,), lambda first, second: built((2,), lambda i: _choose(i[0], first, second)))


def _choose(i: Any, first: Any, second: Any) -> Any:
    return (first, second)[i] if isinstance(i, int) else select(i == 0, first, second)


def _fraction(first: Any, second: Any) -> Any:
    """A number in [0, 1) of 52 random bits."""
    return (first * 2.0**20 + maths.floor(second * 2.0**-12)) * 2.0**-52


@array_function("shape")
def uniform(key: Any, shape: Any = (), low: Any = 0.0, high: Any = 1.0) -> Any:
    """Numbers spread evenly over [low, high), in an array of this shape. For () it is one number."""
    return _drawn(
        key, as_shape(shape), lambda *words: maths.maximum(low, _fraction(*words) * (high - low) + low)
    )


@array_function("shape")
def normal(key: Any, shape: Any = ()) -> Any:
    """Numbers of the standard normal distribution, in an array of this shape."""

    def at(first: Any, second: Any) -> Any:
        u = maths.maximum(-_BELOW_ONE, _fraction(first, second) * (1.0 + _BELOW_ONE) - _BELOW_ONE)
        return math.sqrt(2.0) * inverse_error()(u)

    return _drawn(key, as_shape(shape), at)


@array_function("low", "high", "shape")
def integers(key: Any, low: int, high: int, shape: Any = ()) -> Any:
    """Whole numbers from low up to but not including high, each as likely as the others.

    low, high: known when tracing. If low is 0, the numbers are of the type Fin(high), else Reals.
    Raises: TypeMismatchError.
    """
    if type(low) is not int or type(high) is not int or not 0 < high - low <= LARGEST_INT:
        raise TypeMismatchError(
            f"integers draws from low up to high, two whole numbers with low < high that are at most "
            f"{LARGEST_INT} apart, but here low is {described(low)} and high is {described(high)}."
        )
    span = high - low
    # These are JAX's steps in 32-bit arithmetic, where products and sums are taken modulo 2^32.
    multiplier = (2**16 % span) ** 2 % 2**32 % span
    sizes = as_shape(shape)
    words = [_word(part, sizes) for part in _both(split(key))]

    def at(indices: tuple[Any, ...]) -> Any:
        upper, lower = (element_at(word, indices) % float(span) for word in words)
        offset = (_product(upper, multiplier) + lower) % WORDS % float(span)
        return index(offset, span) if low == 0 else offset + float(low)

    return built(sizes, at)


def _product(word: Any, n: int) -> Any:
    """word·n modulo 2^32. It is made of two products that are below 2^53, so all steps are exact."""
    upper = word * float(n >> 16) % 2.0**16
    return (upper * 2.0**16 + word * float(n & 0xFFFF)) % WORDS


def _both(keys: Any) -> tuple[Any, Any]:
    return keys[0], keys[1]


def _shuffled(key: Any, n: int) -> Any:
    """The indices below n in random order: they are sorted by random words, as often as JAX does."""
    order = built((n,), lambda i: Fin(max(n, 1))(i[0]))
    for _ in range(math.ceil(3 * math.log(max(1, n)) / math.log(WORDS - 1.0))):
        key, part = _both(split(key))
        places = argsort(_word(part, (n,)))
        order = _taken(order, places)
    return order


def _taken(v: Any, places: Any) -> Any:
    return vec(len(places), lambda i: v[places[i]])


@array_function("n")
def _of_indices(key: Any, n: int) -> Any:
    return _shuffled(key, n)


@array_function()
def _of_rows(key: Any, x: Any) -> Any:
    return _taken(x, _shuffled(key, len(x)))


def permutation(key: Any, x: Any) -> Any:
    """The rows of the array x in random order. For a whole number n, the indices below n in random order."""
    return _of_indices(key, x) if type(x) is int else _of_rows(key, x)


def choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None) -> Any:
    """Rows of the array a, drawn at random. For a whole number n, indices below n.

    replace: whether a row may be drawn more than once.
    p: the probability of each row; without it all are equally likely.
    Raises: ShapeError if more rows are asked for than there are, and none may be drawn twice.
    """
    n = a if type(a) is int else len(a)
    count = math.prod(as_shape(shape))
    if count and (n < 1 or (not replace and count > n)):
        raise ShapeError(
            f"choice cannot draw {count} of {n} rows{'' if replace else ' without drawing one twice'}. Draw "
            "fewer, or give more."
        )
    if type(a) is int:
        return _indices_drawn(key, p, n, as_shape(shape), bool(replace))
    return _rows_drawn(key, a, p, as_shape(shape), bool(replace))


@array_function("n", "shape", "replace")
def _indices_drawn(key: Any, p: Any, n: int, shape: Shape, replace: bool) -> Any:
    if p is not None:
        return _weighted(key, p, n, shape, replace)
    if replace:
        return integers(key, 0, n, shape)
    return reshape(_first(_shuffled(key, n), math.prod(shape)), shape)


@array_function("shape", "replace")
def _rows_drawn(key: Any, a: Any, p: Any, shape: Shape, replace: bool) -> Any:
    places = _indices_drawn(key, p, len(a), shape, replace)
    return built(shape, lambda indices: a[element_at(places, indices)])


def _weighted(key: Any, p: Any, n: int, shape: Shape, replace: bool) -> Any:
    """Indices of given probabilities."""
    if shape_of(p) != (n,):
        raise ShapeError(
            f"p has the shape {shape_of(p)}, but there are {n} rows to draw. Give one number for each."
        )
    if replace:
        sums = cumsum(p)
        draws = _drawn(key, shape, _fraction)

        def at(indices: tuple[Any, ...]) -> Any:
            r = sums[n - 1] * (1.0 - element_at(draws, indices))
            below = sum_(n, lambda i: select(sums[i] < r, 1.0, 0.0))
            return index(below, n)

        return built(shape, at)
    noise = _drawn(key, (n,), lambda *words: -maths.log(-maths.log(maths.maximum(TINY, _fraction(*words)))))
    order = argsort(-(noise + maths.log(p)))
    return reshape(_first(order, math.prod(shape)), shape)


def _first(v: Any, n: int) -> Any:
    return vec(n, lambda i: v[i])
