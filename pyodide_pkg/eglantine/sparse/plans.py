"""The plan of a sparse matrix: its pattern, the colours of its directions, and where each entry is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from eglantine.functions.fn import Fn
from eglantine.functions.structures import _flat_order
from eglantine.leaves import leaves, tangent_type
from eglantine.types import Type

from .colouring import Colouring, column_colouring, star_colouring
from .patterns import Banded, Pattern, has_leaves_in_order, pattern_of, real_leaves

REVERSE_COST: Final = 2
"""One direction of reverse mode costs as much as this many of forward mode."""


class Reading(NamedTuple):
    """The place from which each entry is read.

    colours: the colour of each column (or row).
    places: for each entry, row by row, its colour and its position in the product with the colour's
        direction. None for a pattern of diagonals with a periodic colouring.
    """

    colours: Colouring
    places: tuple[Sequence[int], Sequence[int]] | None


class Plan(NamedTuple):
    """The plan by which a matrix is computed.

    pattern: in the order of elements. reverse: whether the directions are cotangents.
    """

    pattern: Pattern
    reading: Reading
    reverse: bool


def plan_of_jacobian(f: Fn, wanted: Sequence[int], out: Type, of: Type) -> Plan:
    """The plan of a Jacobian.

    wanted: the positions of the arguments. out: the type of f's result. of: the type of these arguments.
    """
    pattern = _in_order_of(wanted, f, pattern_of(f.function, real_leaves(f.function, wanted)))
    colours = column_colouring(pattern)
    by_rows: Colouring | None = None
    if colours.needed > REVERSE_COST and not isinstance(pattern, Banded):
        by_rows = column_colouring(pattern.transposed)
    reverse = by_rows is not None and REVERSE_COST * by_rows.needed < colours.needed
    if reverse:
        assert by_rows is not None
        reading = Reading(by_rows, places(pattern, lambda i, j: (by_rows.of[i], j)))
        return _reordered(pattern, reading, out, of, reverse=True)
    if (
        isinstance(pattern, Banded)
        and colours.period
        and has_leaves_in_order(out)
        and has_leaves_in_order(of)
    ):
        return Plan(pattern, Reading(colours, None), False)
    reading = Reading(colours, places(pattern, lambda i, j: (colours.of[j] % colours.needed, i)))
    return _reordered(pattern, reading, out, of, reverse=False)


def plan_of_hessian(gradient: Fn, wanted: Sequence[int], of: Type) -> Plan:
    """The plan of a Hessian, from the gradient of its function."""
    function = gradient.function
    pattern = _symmetric(_in_order_of(wanted, gradient, pattern_of(function, real_leaves(function, wanted))))
    colours = star_colouring(pattern)
    if colours.period:
        if isinstance(pattern, Banded) and has_leaves_in_order(of):
            return Plan(pattern, Reading(colours, None), False)
        colours = Colouring([j % colours.needed for j in colours.of], colours.needed)
    alone = []  # the colours that exactly one column of a row has, for each row
    for own in pattern.columns:
        seen: dict[int, int] = {}
        for j in own:
            seen[colours.of[j]] = seen.get(colours.of[j], 0) + 1
        alone.append({c for c, n in seen.items() if n == 1})

    def place(i: int, j: int) -> tuple[int, int]:
        c = colours.of[j]
        return (c, i) if c in alone[i] else (colours.of[i], j)

    return _reordered(pattern, Reading(colours, places(pattern, place)), of, of, reverse=False)


def _in_order_of(wanted: Sequence[int], f: Fn, pattern: Pattern) -> Pattern:
    """Reorder a pattern's columns, which are in the order of the parameters, to the order of `wanted`."""
    if list(wanted) == sorted(wanted):
        return pattern
    sizes = {k: _size(tangent_type(f.function.params[k])) for k in wanted}
    starts, first = {}, 0
    for k in wanted:
        starts[k] = first
        first += sizes[k]
    new = [starts[k] + j for k in sorted(wanted) for j in range(sizes[k])]
    return Pattern(pattern.shape, [sorted(new[j] for j in own) for own in pattern.columns])


def _size(of: Type) -> int:
    return sum(leaf.size for leaf in leaves(of))


def _symmetric(pattern: Pattern) -> Pattern:
    """The pattern with all its places and their mirror images."""
    if isinstance(pattern, Banded) and all(
        pattern.bands.get(-d) == (lo + d, hi + d) for d, (lo, hi) in pattern.bands.items()
    ):
        return pattern
    mirrored = pattern.transposed
    if pattern == mirrored:
        return pattern
    pairs = zip(pattern.columns, mirrored.columns, strict=True)
    return Pattern(pattern.shape, [sorted({*a, *b}) for a, b in pairs])


def places(pattern: Pattern, place: Callable[[int, int], tuple[int, int]]) -> tuple[list[int], list[int]]:
    """For each entry, row by row, the colour and the position that `place` returns for its row and column."""
    colours, positions = [], []
    for i, own in enumerate(pattern.columns):
        for j in own:
            c, at = place(i, j)
            colours.append(c)
            positions.append(at)
    return colours, positions


def _reordered(pattern: Pattern, reading: Reading, out: Type, of: Type, *, reverse: bool) -> Plan:
    """The plan with its entries in the order of elements. The pattern has them in the order of leaves."""
    if has_leaves_in_order(out) and has_leaves_in_order(of):
        return Plan(pattern, reading, reverse)
    rows = {leaf: element for element, leaf in enumerate(_flat_order(out))}
    cols = {leaf: element for element, leaf in enumerate(_flat_order(of))}
    assert reading.places is not None
    entries = sorted(
        (rows[i], cols[j], c, at)
        for i, j, c, at in zip(pattern.rows, pattern.cols, *reading.places, strict=True)
    )
    columns: list[list[int]] = [[] for _ in range(pattern.shape[0])]
    for i, j, _, _ in entries:
        columns[i].append(j)
    places = ([c for _, _, c, _ in entries], [at for _, _, _, at in entries])
    return Plan(Pattern(pattern.shape, columns), Reading(reading.colours, places), reverse)
