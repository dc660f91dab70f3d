"""Make functions of Reals for one data point: its residual, and derivatives with respect to the parameters.

The functions have no arrays and no loops, so they compile several times faster than functions of all points.
The page calls them once for each point (static/js/pages/fit/pointwise.js).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import eglantine as eg
from app.formulas.jets import hessian_block
from eglantine.inside import F64, ZERO, Block, Builder, Function, block_of, push
from eglantine.types import Type, as_type

POINT = ("x", "y", "weight")
"""The names of the first three parameters of each function."""


def residual(model: Callable[..., Any], p: Sequence[Any], x: Any, y: Any, weight: Any) -> Any:
    """Return (model − y)·weight. For a point of weight 0, return 0."""
    return eg.select(weight > 0.0, weight * (model(x, *p) - y), 0.0)


def functions_of_a_point(model: Callable[..., Any], n: int) -> dict[str, eg.Fn]:
    """Make four functions of one point. Return them in a dict with these keys:

    "residuals": the function (*point, *parameters) → the residual r.
    "jacobian": the function (*point, *parameters) → r, then the derivatives of r by the parameters.
    "along": the function (*point, *parameters, *v) → the second derivative of r along v.
    "curvature": the function (*point, *parameters, factor) → the Hessian of factor·r, row by row.

    model: the function (x, *parameters) that is fitted.
    n: the number of the model's parameters.
    """
    names = [*POINT, *(f"p{k}" for k in range(n))]
    reals = eg.fn([eg.Real] * len(names), eg.Real, names=names)
    point = reals(lambda x, y, weight, *p: residual(model, p, x, y, weight))
    block = block_of(point.function)
    return {
        "residuals": _of_reals(block, "residual"),
        "jacobian": _of_reals(_with_slopes(block), "slopes"),
        "along": _of_reals(_along(_along(block, n), n), "along"),
        "curvature": _of_reals(_curvature(block), "curvature"),
    }


def _of_reals(block: Block, name: str) -> eg.Fn:
    """Make a function from a block whose parameters and results are Reals."""
    types: tuple[Type, ...] = (eg.Real,) * len(block.params)
    result = eg.Real if len(block.results) == 1 else as_type((eg.Real,) * len(block.results))
    names = (*POINT, *(f"p{k}" for k in range(len(types) - len(POINT))))
    function = Function(
        name, types, result, block, param_names=names, leaf_params=block.param_types,
        leaf_results=block.result_types,
    )  # fmt: skip
    return eg.Fn(function, (), None)


def _with_slopes(block: Block) -> Block:
    """Add results to a residual's block: its derivatives with respect to all parameters."""
    b = Builder()
    given = [b.param(F64) for _ in block.params]
    n = len(given) - len(POINT)
    basis = [tuple(b.const(1.0) if j == k else ZERO for j in range(n)) for k in range(n)]
    [value], [slopes] = push(block, b, given, [*(None for _ in POINT), *basis], n)
    return b.finish([value, *(slopes or (b.const(0.0),) * n)])


def _along(block: Block, n: int) -> Block:
    """Differentiate a block along a direction v. The new block has n additional parameters: the numbers of v.

    A second call differentiates the result along the same v, and adds no parameters.
    """
    b = Builder()
    given = [b.param(F64) for _ in range(len(POINT) + 2 * n)]
    held, moving = len(POINT), [(dp,) for dp in given[-n:]]
    primals = given[: len(block.params)]
    tangents = [*[None] * held, *moving, *[None] * (len(primals) - held - n)]
    _, [slope] = push(block, b, primals, tangents, 1)
    return b.finish([slope[0] if slope and slope[0] else b.const(0.0)])


def _curvature(block: Block) -> Block:
    """Return a block that computes the Hessian of factor·residual. `factor` is a new parameter."""
    b = Builder.resume(block)
    factor = b.param(F64)
    scaled = b.finish([b.mul(factor, block.results[0])])
    return hessian_block(scaled, range(len(POINT), len(block.params)))
