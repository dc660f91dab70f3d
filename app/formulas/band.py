"""A proven bound on how far a formula may be from its Taylor polynomial, by interval arithmetic.

Let Q be the Taylor polynomial of f of order n about the point p. By Taylor's theorem, there is a point ξ on
the line from p to p + s·d such that f(p + s·d) − Q(p + s·d) = s^(n + 1)·c(ξ, d). Here c(ξ, d) is the
coefficient of t^(n + 1) in the Taylor series of t ↦ f(ξ + t·d). If we evaluate c with an `eg.Interval` for
each coordinate of ξ and d, the result is an interval that contains c for all points and directions in these
intervals.

Taylor's theorem needs a smooth function. Operations such as abs or floor have kinks or jumps, but they are
smooth in a box that contains no kink and no jump. By interval arithmetic we try to prove that a box contains
none of them. Without this proof we return no bound.

We cut a disc around p into sectors, and each sector into rings. In a sector, the directions are (±1, m) or
(m, ±1), with an interval of slopes m. The point ξ may be anywhere between p and the ring. So the bound for a
ring also includes the intervals of all rings that are closer to p.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import eglantine as eg
from eglantine import formulas
from eglantine.inside import Builder, Function, block_of, fused
from eglantine.types import as_type

OCTANT_SECTORS: Final = 4
SECTORS: Final = 8 * OCTANT_SECTORS
RINGS: Final = 4
HIGHEST: Final = 4
"""The highest order of a Taylor polynomial for which we prove bounds. For higher orders, interval arithmetic
takes long, and the bounds are wide."""
SMOOTH: Final = frozenset((
    "add", "sub", "mul", "div", "neg", "powi", "pow", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2",
    "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "erf", "hypot", "lgamma", "polygamma0", "polygamma1", "polygamma2", "polygamma3",
    "polygamma_n",
))  # fmt: skip
"""The operations without kinks and jumps. If a derivative of such an operation has a pole in a box, the
derivative's interval is unbounded."""
STEPS: Final = frozenset(("floor", "ceil", "trunc", "nearest", "sign"))
"""The operations that are smooth wherever their result is constant."""
QUOTIENTS: Final = frozenset(("mod", "floordiv"))
"""The operations that are smooth wherever the quotient, rounded down to an integer, is constant."""
CHOICES: Final = frozenset(("min", "max", "lt", "le", "gt", "ge", "eq", "ne"))
"""The operations that are smooth wherever their two operands differ."""
DECIDED: Final = frozenset(("select", "and", "or", "xor", "not", "real_i1"))
"""The operations on conditions. They are smooth wherever no condition changes between true and false."""

Bounds = list[list[float | None]]
"""For each of the RINGS + 1 radii 0, R/RINGS … R, a number for each border between sectors."""


class RoughnessError(eg.EglantineError):
    """Intervals cannot prove that an operation of the formula is smooth."""


def proven_band(
    f: eg.Fn,
    order: int,
    point: Sequence[float],
    region: Sequence[float],
    radius: float,
    rest: Sequence[float],
) -> dict[str, Any]:
    """Return bounds of the remainder f − Q in a disc, where Q is the Taylor polynomial of f at the point.

    The result is a dict. "least" and "most" are bounds that hold in the whole disc. "low" and "high" give
    better bounds at each place. They are tables of numbers at the nodes of a grid of radii and angles.
    Between the nodes, use linear interpolation. Let (u, v) be the offset from the point, in the units of
    `radius`, and s the larger of |u| and |v|. Then the remainder is between s^(order + 1)·low and
    s^(order + 1)·high. A bound that cannot be proven is None.

    order: the order of Q.
    radius: the disc's radius, in halves of the region's width and height. The bounds ignore places outside
        the region.
    rest: the values of the formula's letters except x and y.

    Raises: RoughnessError.
    """
    if not 1 <= order <= HIGHEST:
        msg = f"The order of a proven band is from 1 to {HIGHEST}, but it is {order}. Choose a lower order."
        raise ValueError(msg)
    smoothness, count = _smoothness(f)
    bases = eg.interp(smoothness)
    run = eg.interp(_coefficient(f, order + 1))
    columns, least, most = [], 0.0, 0.0
    for sector in range(SECTORS):
        column: list[tuple[float, float]] = []
        low, high = math.inf, -math.inf
        for place, direction, farthest in _boxes(sector, point, region, radius):
            if place is not None and not low == -math.inf < high == math.inf:
                ends = _enclosure(run, (bases, count), place, direction, rest)
                low, high = min(low, ends[0]), max(high, ends[1])
                scale = farthest ** (order + 1) * (1 + 1e-12)
                least, most = min(least, low * scale), max(most, high * scale)
            column.append((low, high))
        columns.append(column)
    bounds = {"low": _nodes(columns, 0, min), "high": _nodes(columns, 1, max)}
    return {**bounds, "least": _finite(least), "most": _finite(most)}


def _coefficient(f: eg.Fn, order: int) -> eg.Fn:
    @eg.fn([eg.Real] * (2 + len(f.function.params)), eg.Real)
    def coefficient(du: Any, dv: Any, x: Any, y: Any, *rest: Any) -> Any:
        return eg.taylor(lambda t: f(x + t * du, y + t * dv, *rest), 0.0, order=order)[order]

    return coefficient


def _smoothness(f: eg.Fn) -> tuple[eg.Fn, int]:
    """Make a function whose results show where f is smooth. Return the function and a number `count`.

    The function returns f's value, then `count` numbers p, then some more numbers q. If in a box every p is
    positive and every q is constant, f is smooth in this box.

    Raises: RoughnessError.
    """
    block = fused(block_of(f.function))
    b = Builder.resume(block)
    positive: list[int] = []
    constant: list[int] = []
    for k, row in enumerate(block.rows[1:], 1):
        operation = row[0]
        if operation == "pow":  # its exponent may be any number
            positive.append(row[1])
        elif operation == "abs":
            positive.append(k)
        elif operation in CHOICES:
            positive.append(b.un("abs", b.sub(row[1], row[2])))
        elif operation == "copysign":
            positive += [b.un("abs", x) for x in row[1:3]]
        elif operation == "atan2":  # it jumps where x is negative and y is 0
            positive.append(b.bi("max", row[2], b.un("abs", row[1])))
        elif operation in STEPS:
            constant.append(k)
        elif operation in QUOTIENTS:
            constant.append(b.bi("floordiv", row[1], row[2]))
        elif operation != "param" and operation not in SMOOTH | DECIDED:
            msg = f"No bound can be proven of a formula with the operation {operation}. Use another formula."
            raise RoughnessError(msg)
    finished = b.finish([block.results[0], *positive, *constant])
    result = as_type((eg.Real,) * len(finished.results))
    return eg.Fn(Function(
        "smoothness", f.function.params, result, finished, param_names=f.function.param_names,
        leaf_params=f.function.leaf_params, leaf_results=finished.result_types,
    )), len(positive)  # fmt: skip


def _enclosure(
    run: Any,
    smoothness: tuple[Any, int],
    place: Sequence[eg.Interval],
    direction: Sequence[eg.Interval],
    rest: Sequence[float],
) -> tuple[float, float]:
    """Return a lower and an upper bound of c over a box of places and directions."""
    letters = [eg.Interval(value) for value in rest]
    numbers, count = smoothness
    # The interpreter may return a constant as an int. Adding an interval turns it into an interval.
    value, *others = (number + eg.Interval(0.0) for number in numbers(*place, *letters))
    positive, constant = others[:count], others[count:]
    is_smooth = all(x.lo > 0 for x in positive) and all(x.lo == x.hi for x in constant)
    if value.is_empty or not is_smooth:
        return -math.inf, math.inf
    ends = run(*direction, *place, *letters) + eg.Interval(0.0)
    return (-math.inf, math.inf) if ends.is_empty else (ends.lo, ends.hi)


def _boxes(
    sector: int, point: Sequence[float], region: Sequence[float], radius: float
) -> Iterator[tuple[list[eg.Interval] | None, list[eg.Interval], float]]:
    """For each ring of a sector, yield a box of places, a box of directions, and the largest s.

    Each place of the ring is the centre of the disc plus s times a direction. The box of places is None if
    the ring is outside the region.
    """
    half = [eg.Interval(region[1]) - region[0], eg.Interval(region[3]) - region[2]]
    half = [width * 0.5 for width in half]
    octant, step = divmod(sector, OCTANT_SECTORS)
    quarter, back = divmod(octant, 2)
    first, last = step / OCTANT_SECTORS, (step + 1) / OCTANT_SECTORS
    if back:
        first, last = (OCTANT_SECTORS - step - 1) / OCTANT_SECTORS, (OCTANT_SECTORS - step) / OCTANT_SECTORS
    slopes = eg.Interval(first, last)
    ones = eg.Interval(1.0)
    u, v = (slopes, ones) if back else (ones, slopes)
    for _ in range(quarter):
        u, v = -v, u
    direction = [u * half[0], v * half[1]]
    for ring in range(RINGS):
        # The direction (±1, m) has the length √(1 + m²), so the distance r belongs to s = r/√(1 + m²).
        near = ring * radius / RINGS / math.hypot(1.0, last)
        far = (ring + 1) * radius / RINGS / math.hypot(1.0, first)
        s = eg.Interval(max(0.0, near * (1 - 1e-12)), far * (1 + 1e-12))
        spread = [eg.Interval(at) + s * along for at, along in zip(point, direction, strict=True)]
        ends = [
            (max(x.lo, lo), min(x.hi, hi))
            for x, lo, hi in zip(spread, region[::2], region[1::2], strict=True)
        ]
        yield [eg.Interval(*x) for x in ends] if all(lo <= hi for lo, hi in ends) else None, direction, s.hi


def _nodes(columns: list[list[tuple[float, float]]], end: int, worst: Any) -> Bounds:
    """For each node of the grid, choose the widest bound among the cells that touch the node."""
    return [
        [
            _finite(worst(
                columns[sector - side][cell][end]
                for side in (0, 1)
                for cell in range(max(ring - 1, 0), min(ring, RINGS - 1) + 1)
            ))
            for sector in range(SECTORS)
        ]
        for ring in range(RINGS + 1)
    ]  # fmt: skip


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def answered(text: str, names: Sequence[str], order: int, *disc: Any) -> dict[str, Any]:
    """Answer a page's request: {"ok": True} with the bounds of a formula, or {"ok": False, "error"}."""
    try:
        return {"ok": True, **proven_band(formulas.to_fn(text, names), order, *disc)}
    except eg.EglantineError as error:
        return {"ok": False, "error": {"message": str(error)}}
