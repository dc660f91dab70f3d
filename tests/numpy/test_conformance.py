"""Functions of arrays agree with NumPy: values, shapes and refusals, for drawn shapes and arguments."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp
from tests.seeds import NIGHTLY

CASES = 200 if NIGHTLY else 12
Draw = random.Random
Case = tuple[tuple[Any, ...], dict[str, Any]]


def shape(draw: Draw, lowest: int = 0, highest: int = 4, least: int = 0) -> tuple[int, ...]:
    """A shape of few elements: most extents are small, and some are 0."""
    rank = draw.randint(lowest, highest)
    extents = [least, 1, 2, 3, 3, 4, 5] if rank < 4 else [1, 2, 3]
    return tuple(draw.choice(extents) for _ in range(rank))


def array(draw: Draw, of: tuple[int, ...], *, ties: bool = False) -> Any:
    """Numbers between −3 and 3; with `ties` whole ones."""
    size = int(np.prod(of))
    numbers = [draw.randint(-3, 3) if ties else draw.uniform(-3, 3) for _ in range(size)]
    return np.array(numbers, dtype=float).reshape(of)


def axis(draw: Draw, rank: int, *, several: bool = False) -> Any:
    """An axis of an array of this rank, several of them, or None; sometimes one that does not exist."""
    choices: list[Any] = [None, *range(-rank, rank)]
    if several and rank > 1:
        choices.append(tuple(draw.sample(range(rank), 2)))
    return draw.choice([*choices, rank]) if draw.random() < 0.1 else draw.choice(choices)


def reduction(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1), ties=draw.random() < 0.3)
    return (a,), {"axis": axis(draw, a.ndim, several=True), "keepdims": draw.random() < 0.5}


def along(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, least=1), ties=draw.random() < 0.5)
    return (a,), {"axis": axis(draw, a.ndim)}


def one(draw: Draw) -> Case:
    return (array(draw, shape(draw, 1)),), {}


def two(draw: Draw) -> Case:
    """Two arrays that broadcast, or, sometimes, do not."""
    full = shape(draw, 1, 3)
    parts = []
    for _ in range(2):
        part = tuple(1 if draw.random() < 0.2 else n for n in full[draw.randint(0, len(full) - 1) :])
        parts.append(array(draw, part))
    if draw.random() < 0.1:
        parts[1] = array(draw, (7,))
    return tuple(parts), {}


def matrices(draw: Draw) -> Case:
    n, inner, m = draw.randint(1, 4), draw.randint(1, 4), draw.randint(1, 4)
    front = shape(draw, 0, 2, least=1)
    left = array(draw, draw.choice([(inner,), (n, inner), (*front, n, inner)]))
    right = array(draw, draw.choice([(inner,), (inner, m), (*front, inner, m), (inner + 1, m)]))
    return (left, right), {}


def diagonals(draw: Draw) -> Case:
    return (array(draw, shape(draw, 2, 2, least=1)),), {"k": draw.randint(-2, 2)}


def joined(draw: Draw) -> Case:
    of = shape(draw, 1, 3, least=1)
    k = draw.randrange(len(of))
    parts = [array(draw, (*of[:k], draw.randint(1, 3), *of[k + 1 :])) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.1:
        parts.append(array(draw, (9,)))
    return (parts,), {"axis": draw.choice([k, k - len(of)])}


def stacked(draw: Draw) -> Case:
    of = shape(draw, 1, 2, least=1)
    return ([array(draw, of) for _ in range(draw.randint(1, 3))],), {"axis": draw.randint(0, len(of))}


def reshaped(draw: Draw) -> Case:
    of = shape(draw, 1, 3, least=1)
    size = int(np.prod(of))
    n = draw.choice([k for k in range(1, size + 1) if size % k == 0])
    return (array(draw, of), draw.choice([(n, -1), (-1, n), (size,), (n, size // n, 1), (size + 1,)])), {}


def quantiles(draw: Draw) -> Case:
    (a,), named = reduction(draw)
    return (a, draw.random()), named


def convolved(draw: Draw) -> Case:
    parts = tuple(array(draw, (draw.randint(1, 6),)) for _ in range(2))
    return parts, {"mode": draw.choice(["full", "same", "valid"])}


def interpolated(draw: Draw) -> Case:
    n = draw.randint(1, 6)
    places = np.cumsum([draw.uniform(0.1, 1) for _ in range(n)])
    return (array(draw, shape(draw, 1, 2, least=1)), places, array(draw, (n,))), {}


REDUCTIONS = ("sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "median")
ALONG = ("cumsum", "cumprod", "sort", "argmax", "argmin")
OF_ONE = (
    "exp", "sin", "cos", "tanh", "floor", "ceil", "sign", "abs", "square", "arctan", "isnan", "isfinite",
    "transpose", "ravel", "flip", "zeros_like", "ones_like",
)  # fmt: skip
OF_TWO = ("add", "multiply", "divide", "maximum", "minimum", "arctan2", "hypot", "outer", "isclose")
TABLE: dict[str, Callable[[Draw], Case]] = {
    **dict.fromkeys(REDUCTIONS, reduction),
    **dict.fromkeys(ALONG, along),
    **dict.fromkeys(OF_ONE, one),
    **dict.fromkeys(OF_TWO, two),
    **dict.fromkeys(("matmul", "dot"), matrices),
    **dict.fromkeys(("tril", "triu", "diag"), diagonals),
    "concatenate": joined, "stack": stacked, "reshape": reshaped, "quantile": quantiles,
    "convolve": convolved, "interp": interpolated,
}  # fmt: skip
EMPTY_REFUSED = frozenset({"mean", "var", "std", "median", "quantile", "max", "min", "argmax", "argmin"})
"""Ours refuse to reduce no elements, where NumPy may warn and give NaN."""


def plain(value: Any) -> Any:
    """Arrays as nested lists."""
    if isinstance(value, list):
        return [plain(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_function_agrees_with_numpy(name: str) -> None:
    for k in range(CASES):
        draw = random.Random(f"{name} {k} {os.environ.get('EGLANTINE_SEED', '')}")  # noqa: S311 - cases of a test
        args, named = TABLE[name](draw)
        told = f"case {k}: {[getattr(a, 'shape', a) for a in args]} {named}"
        if any(isinstance(a, np.ndarray) and a.size == 0 and a.ndim > 1 for a in args):
            args = tuple(np.ones([n or 1 for n in a.shape]) if isinstance(a, np.ndarray) else a for a in args)
        if any(isinstance(a, np.ndarray) and a.size == 0 for a in args):
            continue
        try:
            expected = getattr(np, name)(*args, **named)
        except (ValueError, TypeError, np.exceptions.AxisError):
            with pytest.raises(eg.EglantineError):
                getattr(enp, name)(*map(plain, args), **named)
            continue
        given = getattr(enp, name)(*map(plain, args), **named)
        of_numpy = getattr(enp, name)(*args, **named)
        for result in (given, of_numpy):
            seen = np.asarray(result.tolist() if hasattr(result, "tolist") else result)
            assert seen.shape == np.shape(expected), told
            np.testing.assert_allclose(seen, expected, rtol=1e-12, atol=1e-13, err_msg=told)
