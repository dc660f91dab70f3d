"""Plans for sparse matrices: the pattern, the colours of the directions, and where to read each entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from eglantine.functions.fn import Fn
from eglantine.functions.structures import _flat_order
from eglantine.leaves import leaves, tangent_type
from eglantine.types import Type

from .bicolouring import bicolouring
from .colouring import Colouring, column_colouring, star_colouring
from .patterns import Banded, Pattern, has_leaves_in_order, pattern_of, real_leaves


class Reading(NamedTuple):
    """How to read entries of a matrix from the products that one mode computes.

    colours: the colour of each column, or of each row for reverse mode.
    places: two lists with one number for each entry that is read. The first list contains the colours of the
        entries. The second list contains the position of each entry in the product for its colour. None if
        the pattern consists of diagonals and its colouring is periodic.
    entries: the positions of these entries in the list of all entries, or None if all entries are read.
    """

    colours: Colouring
    places: tuple[Sequence[int], Sequence[int]] | None
    entries: Sequence[int] | None = None


class Plan(NamedTuple):
    """How to compute a sparse matrix.

    pattern: the matrix's pattern, with rows and columns in the order of elements.
    forward, reverse: how to read entries from the products of each mode, or None if a mode is not used.
    """

    pattern: Pattern
    forward: Reading | None
    reverse: Reading | None = None

    @property
    def directions(self) -> int:
        """The number of all directions."""
        return sum(reading.colours.needed for reading in (self.forward, self.reverse) if reading)


class Place(NamedTuple):
    """Where to read an entry of a matrix: at `position` in the product for the colour `colour`.

    is_reverse: true if reverse mode computes this product.
    """

    is_reverse: bool
    colour: int
    position: int


def plan_of_jacobian(f: Fn, wanted: Sequence[int], out: Type, of: Type) -> Plan:
    """Make the plan of a Jacobian.

    wanted: the positions of the arguments to differentiate by. of: the type of the tuple of these arguments.
    out: the type of f's result.
    """
    pattern = _in_order_of(wanted, f, pattern_of(f.function, real_leaves(f.function, wanted)))
    if isinstance(pattern, Banded):
        colours = column_colouring(pattern)
        if colours.period and has_leaves_in_order(out) and has_leaves_in_order(of):
            return Plan(pattern, Reading(colours, None))
        needed, of_columns = colours.needed, colours.of
        return _plan(pattern, colours, None, lambda i, j: Place(False, of_columns[j] % needed, i), out, of)
    found = bicolouring(pattern)
    columns, rows = found.columns.of, found.rows.of

    def place(i: int, j: int) -> Place:
        return Place(True, rows[i], j) if found.is_read_by_row(i, j) else Place(False, columns[j], i)

    return _plan(pattern, found.columns, found.rows, place, out, of)


def plan_of_hessian(gradient: Fn, wanted: Sequence[int], of: Type) -> Plan:
    """Make the plan of a Hessian from the function that returns the gradient."""
    function = gradient.function
    pattern = _symmetric(_in_order_of(wanted, gradient, pattern_of(function, real_leaves(function, wanted))))
    colours = star_colouring(pattern)
    if colours.period:
        if isinstance(pattern, Banded) and has_leaves_in_order(of):
            return Plan(pattern, Reading(colours, None))
        colours = Colouring([j % colours.needed for j in colours.of], colours.needed)
    alone = []  # for each row, the colours that only one of its columns has
    for own in pattern.columns:
        seen: dict[int, int] = {}
        for j in own:
            seen[colours.of[j]] = seen.get(colours.of[j], 0) + 1
        alone.append({c for c, n in seen.items() if n == 1})

    def place(i: int, j: int) -> Place:
        c = colours.of[j]
        return Place(False, c, i) if c in alone[i] else Place(False, colours.of[i], j)

    return _plan(pattern, colours, None, place, of, of)


def _in_order_of(wanted: Sequence[int], f: Fn, pattern: Pattern) -> Pattern:
    """Reorder a pattern's columns from the order of f's arguments to the order in `wanted`."""
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
    """Return the smallest symmetric pattern that contains all places of this pattern."""
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
    """Call place(row, column) for each entry, row by row. Return the colours and the positions as lists."""
    colours, positions = [], []
    for i, own in enumerate(pattern.columns):
        for j in own:
            c, at = place(i, j)
            colours.append(c)
            positions.append(at)
    return colours, positions


def _plan(pattern: Pattern, columns: Colouring, rows: Colouring | None, place: Callable[[int, int], Place],
          out: Type, of: Type) -> Plan:  # fmt: skip
    """Make a plan. `pattern` is in the order of leaves. The plan's entries are in the order of elements."""
    found = [place(i, j) for i, own in enumerate(pattern.columns) for j in own]
    if not has_leaves_in_order(out) or not has_leaves_in_order(of):
        row_of = {leaf: element for element, leaf in enumerate(_flat_order(out))}
        column_of = {leaf: element for element, leaf in enumerate(_flat_order(of))}
        entries = sorted(
            (row_of[i], column_of[j], own)
            for i, j, own in zip(pattern.rows, pattern.cols, found, strict=True)
        )
        ordered: list[list[int]] = [[] for _ in range(pattern.shape[0])]
        for i, j, _ in entries:
            ordered[i].append(j)
        pattern, found = Pattern(pattern.shape, ordered), [own for _, _, own in entries]
    if rows is None or not rows.needed:
        return Plan(pattern, _reading(columns, found, None))
    if not columns.needed:
        return Plan(pattern, None, _reading(rows, found, None))
    forward, reverse = (
        [k for k, own in enumerate(found) if own.is_reverse is is_reverse] for is_reverse in (False, True)
    )
    return Plan(pattern, _reading(columns, found, forward), _reading(rows, found, reverse))


def _reading(colours: Colouring, found: Sequence[Place], entries: Sequence[int] | None) -> Reading:
    own = found if entries is None else [found[k] for k in entries]
    return Reading(colours, ([place.colour for place in own], [place.position for place in own]), entries)
