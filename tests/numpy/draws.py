"""Draw random arguments of array functions, for the comparison with NumPy."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

Draw = random.Random
Case = tuple[tuple[Any, ...], dict[str, Any]]
MOST_ELEMENTS = 120
"""The largest number of elements of a drawn array. Larger arrays are slow in the interpreter and test nothing
new."""


def shape(draw: Draw, lowest: int = 0, highest: int = 4, least: int = 0) -> tuple[int, ...]:
    """Draw a shape with `lowest` to `highest` axes. An axis has from `least` to 5 elements."""
    while True:
        extents = [1, 2, 2, 3, 3, 4, 5, *range(least, 1)]
        drawn = tuple(draw.choice(extents) for _ in range(draw.randint(lowest, highest)))
        if np.prod(drawn) <= MOST_ELEMENTS:
            return drawn


def array(draw: Draw, of: tuple[int, ...], *, ties: bool = False) -> Any:
    """Draw an array of numbers from −3 to 3. If `ties` is true, draw integers, so that some are equal."""
    size = int(np.prod(of))
    numbers = [draw.randint(-3, 3) if ties else draw.uniform(-3, 3) for _ in range(size)]
    return np.array(numbers, dtype=float).reshape(of)


def axis(draw: Draw, rank: int, *, several: bool = False, none: bool = True) -> Any:
    """Draw an argument `axis` for an array with `rank` axes. About 5 % of these arguments are too large."""
    choices: list[Any] = [*([None] if none or not rank else []), *range(-rank, rank)]
    if several and rank > 1:
        choices.append(tuple(draw.sample(range(rank), 2)))
    return rank if draw.random() < 0.05 else draw.choice(choices)


def reduction(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1), ties=draw.random() < 0.3)
    if draw.random() < 0.1:
        a = np.where(a > 2.5, np.nan, a)
    return (a,), {"axis": axis(draw, a.ndim, several=True), "keepdims": draw.random() < 0.5}


def deviation(draw: Draw) -> Case:
    args, named = reduction(draw)
    return args, {**named, "ddof": draw.choice([0, 0.5])}


def single_axis(draw: Draw) -> Case:
    args, named = reduction(draw)
    return args, {**named, "axis": axis(draw, args[0].ndim)}


def along(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1), ties=draw.random() < 0.5)
    if draw.random() < 0.1:
        a = np.where(a > 2.5, np.nan, a)
    return (a,), {"axis": axis(draw, a.ndim)}


def one(draw: Draw) -> Case:
    return (array(draw, shape(draw, 1), ties=draw.random() < 0.3),), {}


def special(draw: Draw) -> Case:
    """Draw an array that contains infinities or NaNs."""
    a = array(draw, shape(draw, 1))
    return (np.where(a > 1.5, draw.choice([np.inf, -np.inf, np.nan]), a),), {}


def in_unit(draw: Draw) -> Case:
    """Draw numbers from −0.96 to 0.96 for functions such as arcsin."""
    return (array(draw, shape(draw, 1)) * 0.32,), {}


def positive(draw: Draw) -> Case:
    return (abs(array(draw, shape(draw, 1))) + 1.01,), {}


def pair_of(draw: Draw, rank: int = 4, *, ties: bool = False) -> list[Any]:
    """Draw two arrays. Usually their shapes can be broadcast together."""
    full = shape(draw, 1, rank)
    parts = []
    for _ in range(2):
        start = draw.randint(0, len(full) - 1)
        part = tuple(1 if draw.random() < 0.2 else n for n in full[start:])
        parts.append(array(draw, part, ties=ties))
    if draw.random() < 0.05:
        parts[1] = array(draw, (7,))
    if draw.random() < 0.1:
        parts[1] = draw.uniform(-2, 2)
    return parts


def two(draw: Draw) -> Case:
    return tuple(pair_of(draw, ties=draw.random() < 0.3)), {}


def division(draw: Draw) -> Case:
    left, right = pair_of(draw)
    return (left, np.where(abs(right) < 0.1, 0.5, right)[()]), {}


def power(draw: Draw) -> Case:
    left, right = pair_of(draw)
    return (abs(left) + 0.1, right), {}


def close(draw: Draw) -> Case:
    left, right = pair_of(draw, ties=True)
    named = {"equal_nan": True} if draw.random() < 0.3 else {}
    return (np.where(left == 3, np.nan, left), np.where(right == 3, np.nan, right * (1 + 1e-9))[()]), named


def choice(draw: Draw) -> Case:
    left, right = pair_of(draw)
    condition = array(draw, np.shape(left)) > 0
    return (condition, left, right), {}


def clipped(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1))
    lo, hi = sorted([draw.uniform(-3, 3), draw.uniform(-3, 3)])
    bounds = draw.choice([(lo, hi), (lo, None), (None, hi), (array(draw, a.shape[-1:]), 3.0)])
    return (a, *bounds), {}


def matrices(draw: Draw) -> Case:
    n, inner, m = (draw.randint(0 if draw.random() < 0.2 else 1, 4) for _ in range(3))
    front = shape(draw, 0, 2, least=1)
    left = array(draw, draw.choice([(inner,), (n, inner), (*front, n, inner)]))
    right = array(draw, draw.choice([(inner,), (inner, m), (*front, inner, m), (inner + 1, m)]))
    return (left, right), {}


def inner_product(draw: Draw) -> Case:
    n = draw.randint(1, 4)
    left, right = ((*shape(draw, 0, 2), n if draw.random() < 0.95 else n + 1) for _ in range(2))
    return (array(draw, left), array(draw, right)), {}


def flat_pair(draw: Draw) -> Case:
    return (array(draw, shape(draw, 1, 2)), array(draw, shape(draw, 1, 2))), {}


def vectors(draw: Draw) -> Case:
    front = shape(draw, 0, 2)
    left, right = (array(draw, (*draw.choice([(), front]), 3)) for _ in range(2))
    return (left, right), {}


def contraction(draw: Draw) -> Case:
    """Draw arguments of tensordot. `axes` is a number or two lists."""
    common = shape(draw, 1, 2)
    left = array(draw, (*shape(draw, 0, 2), *common))
    right = array(draw, (*common, *shape(draw, 0, 2)))
    k = len(common)
    lists = (list(range(left.ndim - k, left.ndim)), list(range(k)))
    return (left, right), {"axes": draw.choice([k, k, lists, 3])}


EINSUMS = (
    "ij,jk->ik", "ij,jk", "ij->ji", "ii->i", "ii", "ij->", "i,j->ij", "ij,ij->i", "ijk,ikl->ijl", "...i,...i",
    "...ij,jk->...ik", "ij,k", "ijk->kij", "i,i,i->", "ij,jk,kl->il", "ijkl->lkji", "ij,i->j", "a...b->b...a",
)  # fmt: skip


def einstein(draw: Draw) -> Case:
    text = draw.choice(EINSUMS)
    lengths = {letter: draw.randint(1, 3) for letter in "abijkl"}
    extra = shape(draw, 0, 2, least=1)
    arrays = []
    for term in text.partition("->")[0].split(","):
        before, _, after = term.partition("...")
        middle = extra if "..." in term else ()
        of = (*(lengths[c] for c in before), *middle, *(lengths[c] for c in after))
        arrays.append(array(draw, of if draw.random() < 0.97 else (*of, 2)))
    return (text, *arrays), {}


def diagonals(draw: Draw) -> Case:
    return (array(draw, shape(draw, 2, 4)),), {"k": draw.randint(-4, 4)}


def diagonal_matrix(draw: Draw) -> Case:
    return (array(draw, shape(draw, 1, 3)),), {"k": draw.randint(-2, 2)}


def offsets(draw: Draw) -> Case:
    a = array(draw, shape(draw, 2, 4))
    first, second = draw.sample(range(a.ndim), 2)
    named = {"axis1": first, "axis2": second} if draw.random() < 0.4 else {}
    return (a,), {"offset": draw.randint(-3, 3), **named}


def joined(draw: Draw) -> Case:
    of = shape(draw, 1, 4)
    k = draw.randrange(len(of))
    parts = [array(draw, (*of[:k], draw.randint(0, 3), *of[k + 1 :])) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.1:
        parts.append(array(draw, (9,)))
    return (parts,), {"axis": axis(draw, len(of)) if draw.random() < 0.2 else draw.choice([k, k - len(of)])}


def beside(draw: Draw) -> Case:
    """Draw arguments of hstack and vstack."""
    of = shape(draw, 1, 3, least=1)
    parts = [array(draw, of if draw.random() < 0.9 else (*of, 2)) for _ in range(draw.randint(1, 3))]
    return (parts,), {}


def stacked(draw: Draw) -> Case:
    of = shape(draw, 0, 3)
    parts = [array(draw, of if draw.random() < 0.95 else (*of, 2)) for _ in range(draw.randint(1, 3))]
    return (parts,), {"axis": draw.randint(-len(of) - 1, len(of))}


def reshaped(draw: Draw) -> Case:
    of = shape(draw, 1, 4)
    size = int(np.prod(of))
    n = draw.choice([k for k in range(1, size + 1) if size % k == 0] or [1])
    return (array(draw, of), draw.choice([(n, -1), (-1, n), (size,), (n, size // n, 1), (size + 1,), -1])), {}


def permuted(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 4))
    order = draw.sample(range(a.ndim), a.ndim)
    order[0] -= draw.choice([0, a.ndim])
    return (a,), {"axes": draw.choice([None, order, [0] * a.ndim])}


def moved(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 4))
    k = draw.randint(1, a.ndim)
    several = (draw.sample(range(a.ndim), k), draw.sample(range(-a.ndim, 0), k))
    return (a, *draw.choice([several, (axis(draw, a.ndim, none=False), 0)])), {}


def swapped(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 4))
    return (a, axis(draw, a.ndim, none=False), axis(draw, a.ndim, none=False)), {}


def expanded(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3))
    k = axis(draw, a.ndim + 1, none=False)
    return (a,), {"axis": draw.choice([k, (0, a.ndim + 1), (0, 0)])}


def squeezed(draw: Draw) -> Case:
    of = tuple(1 if draw.random() < 0.5 else n for n in shape(draw, 1, 4))
    return (array(draw, of),), {"axis": draw.choice([None, axis(draw, len(of))])}


def spread(draw: Draw) -> Case:
    full = shape(draw, 1, 4)
    part = tuple(1 if draw.random() < 0.3 else n for n in full[draw.randint(0, len(full) - 1) :])
    return (array(draw, part), (*full[:-1], 9) if draw.random() < 0.1 else full), {}


def flipped(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1))
    return (a,), {"axis": axis(draw, a.ndim, several=True)}


def rolled(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1))
    k = axis(draw, a.ndim, several=True)
    return (a, draw.randint(-7, 7) if draw.random() < 0.8 or k is None else (1, 2)), {"axis": k}


def tiled(draw: Draw) -> Case:
    reps = tuple(draw.randint(0, 3) for _ in range(draw.randint(1, 3)))
    return (array(draw, shape(draw, 1, 3)), draw.choice([reps, reps[0]])), {}


def repeated(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3))
    k = axis(draw, a.ndim)
    n = a.size if k is None else a.shape[k] if k < a.ndim else 1
    return (a, draw.choice([draw.randint(0, 3), [draw.randint(0, 2) for _ in range(n)]])), {"axis": k}


def quantiles(draw: Draw) -> Case:
    (a,), named = reduction(draw)
    return (a, draw.choice([draw.random(), 0.0, 1.0, [0.25, 0.5], 1.5])), named


def differences(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1))
    return (a,), {"n": draw.randint(0, 3), "axis": axis(draw, a.ndim, none=False)}


def convolved(draw: Draw) -> Case:
    parts = tuple(array(draw, (draw.randint(0 if draw.random() < 0.05 else 1, 6),)) for _ in range(2))
    return parts, {"mode": draw.choice(["full", "same", "valid"])}


def interpolated(draw: Draw) -> Case:
    n = draw.randint(1, 6)
    places = np.cumsum([draw.uniform(0.1, 1) for _ in range(n)])
    named = draw.choice([{}, {}, {"left": -9.0}, {"right": 7.0, "left": 1.0}, {"period": 1.7}])
    return (array(draw, shape(draw, 1)), places, array(draw, (n if draw.random() < 0.95 else n + 1,))), named


def shaped(draw: Draw) -> Case:
    return (draw.choice([shape(draw, 1), draw.randint(0, 5)]),), {}


def filled(draw: Draw) -> Case:
    of = shape(draw, 1)
    return (of, draw.choice([1.5, array(draw, of[-1:])])), {}


def identity(draw: Draw) -> Case:
    n, m, k = draw.randint(0, 5), draw.choice([None, draw.randint(0, 5)]), draw.randint(-3, 3)
    return draw.choice([((n, m), {"k": k}), ((n,), {})])


def ranged(draw: Draw) -> Case:
    stop = draw.randint(-4, 9)
    steps = ((stop,), (-2, stop), (stop, 1, -0.75), (0.5, stop, 0.7), (0, stop, 0))
    return draw.choice(steps), {}


def spaced(draw: Draw) -> Case:
    named = {"num": draw.randint(0, 12), "endpoint": draw.random() < 0.5}
    return (draw.uniform(-3, 3), draw.uniform(-3, 3)), named


def grids(draw: Draw) -> Case:
    parts = [array(draw, (draw.randint(0, 4),)) for _ in range(draw.randint(1, 4))]
    return tuple(parts), {"indexing": draw.choice(["xy", "ij"])}
