"""Draw random arguments of the functions of `enp.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .draws import Case, Draw, array, axis, shape


def square_shape(draw: Draw) -> tuple[int, ...]:
    """Draw the shape of an array of square matrices. About 5 % of the shapes are not square."""
    n = draw.randint(0 if draw.random() < 0.1 else 1, 5)
    front = draw.choice([(), (), shape(draw, 1, 2, least=1)])
    return (*front, n, n + 1 if draw.random() < 0.05 else n)


def well_conditioned(a: Any) -> Any:
    """Add ±6 to the diagonal elements of matrices, so that rounding errors stay small."""
    if a.shape[-1] != a.shape[-2]:
        return a
    return a + np.sign(np.einsum("...ii->...i", a) + 0.1)[..., None] * 6.0 * np.eye(a.shape[-1])


def square(draw: Draw) -> Case:
    return (well_conditioned(array(draw, square_shape(draw))),), {}


def definite(draw: Draw) -> Case:
    (a,), _ = square(draw)
    return (a @ np.swapaxes(a, -1, -2) if a.shape[-1] == a.shape[-2] else a,), {}


def symmetric(draw: Draw) -> Case:
    """Matrices with separate eigenvalues."""
    (a,), _ = square(draw)
    if a.shape[-1] != a.shape[-2]:
        return (a,), {}
    return (0.2 * (a + np.swapaxes(a, -1, -2)) + np.diag(np.arange(a.shape[-1]) * 4.0),), {}


def system(draw: Draw) -> Case:
    (a,), _ = square(draw)
    n = a.shape[-2]
    right = draw.choice([(n,), (n, draw.randint(1, 3)), (*a.shape[:-2], n, 2), (n + 1,)])
    return (a, array(draw, right)), {}


def rectangle(draw: Draw) -> Case:
    front = draw.choice([(), (), shape(draw, 1, 1, least=1)])
    return (array(draw, (*front, draw.randint(1, 5), draw.randint(1, 5))),), {}


def decomposed(draw: Draw) -> Case:
    return rectangle(draw)[0], {"full_matrices": draw.random() < 0.5}


def reflected(draw: Draw) -> Case:
    return rectangle(draw)[0], {"mode": draw.choice(["reduced", "complete", "r"])}


def overdetermined(draw: Draw) -> Case:
    n = draw.randint(1, 4)
    rows = draw.randint(n, 6) if draw.random() < 0.7 else draw.randint(1, n)
    right = draw.choice([(rows,), (rows, 2), (rows + 1,)])
    return (array(draw, (rows, n)), array(draw, right)), {}


def power(draw: Draw) -> Case:
    return (*square(draw)[0], draw.randint(-3, 6)), {}


def normed(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3, least=1))
    of_vectors: list[Any] = [None, 0, 1, 2, 3, -1, np.inf, -np.inf, 2.5]
    of_matrices: list[Any] = [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]
    choices: list[Any] = [({}, [None])]
    if a.ndim < 3:
        choices.append(({}, of_vectors if a.ndim == 1 else of_matrices))
    choices.append(({"axis": axis(draw, a.ndim)}, of_vectors))
    if a.ndim > 1:
        choices.append(({"axis": tuple(draw.sample(range(-a.ndim, 0), 2))}, of_matrices))
    named, orders = draw.choice(choices)
    if named.get("axis", 0) is None and a.ndim == 3:
        orders = [None]
    return (a,), {"ord": draw.choice(orders), **named, "keepdims": draw.random() < 0.5}
