"""Array programs that JAX ran much faster than our kernels, in our first comparison on CPython."""

from __future__ import annotations

from typing import Any

from bench.array_problems import Problem
from tests.numpy.forty.linear import gauss_jordan, lu_factors, page_rank

PAGES, UNKNOWNS, SIDE, REACH = 64, 32, 64, 3
DAMPING = 0.85


def ranks(np: Any, links: Any) -> Any:
    """Compute PageRank. The weight of a link is x² + 0.1, where x is the link's entry in `links`."""
    return page_rank(np, links * links + 0.1, DAMPING)


def upper(np: Any, a: Any) -> Any:
    """The upper factor of an LU decomposition."""
    return lu_factors(np, a)[1]


def filtered(_: Any, image: Any, kernel: Any) -> Any:
    """Convolve an image with a kernel, at all positions where the whole kernel is inside the image."""
    n = SIDE - REACH + 1
    return sum(kernel[i, j] * image[i : i + n, j : j + n] for i in range(REACH) for j in range(REACH))


def square_of_product(np: Any, a: Any, b: Any) -> Any:
    """Return the sum of the squared entries of a matrix product."""
    product = a @ b
    return np.sum(product * product)


SLOWER_ONCE = {
    "pagerank": Problem(f"PageRank, {PAGES} pages, 20 rounds", ranks, ((PAGES, PAGES),)),
    "gauss_jordan": Problem(
        f"Gauss–Jordan elimination, n = {UNKNOWNS}", gauss_jordan, ((UNKNOWNS, UNKNOWNS), (UNKNOWNS,))
    ),
    "lu": Problem(f"LU decomposition, n = {UNKNOWNS}", upper, ((UNKNOWNS, UNKNOWNS),)),
    "filter": Problem(f"convolution, {SIDE}×{SIDE} with 3×3", filtered, ((SIDE, SIDE), (REACH, REACH))),
    "product": Problem(
        f"square of a matrix product, {SIDE}×{SIDE}: value and gradient", square_of_product,
        ((SIDE, SIDE), (SIDE, SIDE)), (0, 1),
    ),
}  # fmt: skip
"""Name → problem."""
