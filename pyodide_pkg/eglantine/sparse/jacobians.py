"""Sparse Jacobians and Hessians: a direction for each colour, then each entry is read from one direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from typing import Any, Final, NamedTuple

from eglantine.errors import TypeMismatchError
from eglantine.functions.derivatives import _gradient, _positions, derived_fn, jvp_fn, vjp_fn
from eglantine.functions.eager import derived
from eglantine.functions.fn import Fn
from eglantine.functions.structures import _flat_order, zero_of
from eglantine.ir.program import Memo
from eglantine.ir.row_types import I32
from eglantine.leaves import Leaf, leaves, tangent_type
from eglantine.trace.elementwise import real
from eglantine.trace.sums import vec
from eglantine.trace.traced import Traced, current_builder
from eglantine.trace.vectors import VecValue, rows_of, value_of
from eglantine.types import FinType, Real, RealType, StructType, TupleType, Type, VecType

from .colouring import Colouring, column_colouring, star_colouring
from .patterns import Banded, Pattern, has_leaves_in_order, pattern_of, real_leaves

MOST_CORRECTED: Final = 64
"""The most entries at both ends of a band that are written one by one."""

REVERSE_COST: Final = 2
"""How many directions of forward mode cost as much as one of reverse mode."""


class Sparse:
    """A sparse matrix.

    rows, cols: the places of the entries, row by row, as tuples.
    values: the entries.
    shape: how many rows and columns the matrix has.
    """

    directions: int | None = None
    """How many directions it was computed with."""

    def __init__(self, rows: Sequence[int], cols: Sequence[int], values: Any, shape: tuple[int, int]) -> None:
        self.rows, self.cols, self.values, self.shape = tuple(rows), tuple(cols), values, tuple(shape)

    @property
    def nnz(self) -> int:
        """The number of entries."""
        return len(self.rows)

    def dense(self) -> list[list[Any]]:
        """The matrix as a list of rows, with 0.0 where it has no entry."""
        m, n = self.shape
        matrix = [[0.0] * n for _ in range(m)]
        for i, j, value in zip(self.rows, self.cols, self.values, strict=True):
            matrix[i][j] = value
        return matrix

    def __repr__(self) -> str:
        m, n = self.shape
        return f"<Sparse {m} × {n} with {self.nnz} entries>"


def sparse_type(pattern: Pattern, directions: int) -> StructType:
    """The type of sparse matrices with a pattern. Its values hold only the entries."""
    of = VecType(pattern.nnz, Real)

    @dataclass(frozen=True, repr=False)
    class Entries(Sparse):
        values: Any

        shape = pattern.shape
        nnz = of.n

        rows = property(lambda self: pattern.rows)
        cols = property(lambda self: pattern.cols)

    Entries.directions = directions
    Entries.__annotations__ = {"values": of}
    Entries.__name__ = Entries.__qualname__ = "Sparse"
    return StructType((("values", of),), Entries)


class Reading(NamedTuple):
    """From where each entry is read.

    colours: the colour of each column (or row).
    places: for each entry, row by row, its colour and its position in the product with the colour's
        direction. None for a pattern of diagonals with a periodic colouring.
    """

    colours: Colouring
    places: tuple[Sequence[int], Sequence[int]] | None


class Plan(NamedTuple):
    """How a matrix is computed.

    pattern: in the order of elements. reverse: whether the directions are cotangents.
    """

    pattern: Pattern
    reading: Reading
    reverse: bool


PLANS: Final[Memo[Plan]] = Memo("sparse")


def sparse_jacobian(f: Any, argnums: Any = 0) -> Any:
    """The function that returns the Jacobian of f as a `Sparse`, from as few directions as its pattern needs.

    >>> import eglantine as eg
    >>> J = eg.sparse_jacobian(lambda x: eg.vec(2, lambda i: x[i] * x[i + 1]))([2.0, 3.0, 5.0])
    >>> J.rows, J.cols, J.values
    ((0, 0, 1, 1), (0, 1, 1, 2), [3.0, 2.0, 5.0, 3.0])

    A row is a Real of f's result, and a column is a Real of the argument. `rows` and `cols` are the places
    that can be other than 0 (see `eg.sparsity`).

    argnums: the position of the argument to differentiate by, or a tuple of positions.
    """
    return derived(
        f, lambda g: _sparse_jacobian(g, argnums), "sparse_jacobian", 1, ("sparse_jacobian", repr(argnums))
    )


def sparse_hessian(f: Any, argnums: Any = 0) -> Any:
    """The function that returns the Hessian of f as a `Sparse`, from as few directions as its pattern needs.

    f returns one Real. Both triangles are among the entries.

    >>> import eglantine as eg
    >>> H = eg.sparse_hessian(lambda x: x[0] ** 2 * x[1] + x[2])([2.0, 3.0, 5.0])
    >>> H.rows, H.cols, H.values
    ((0, 0, 1), (0, 1, 0), [6.0, 4.0, 4.0])

    argnums: the position of the argument to differentiate by, or a tuple of positions.
    """
    return derived(
        f, lambda g: _sparse_hessian(g, argnums), "sparse_hessian", 2, ("sparse_hessian", repr(argnums))
    )


def _sparse_jacobian(f: Fn, argnums: Any) -> Fn:
    wanted = _wanted(f, argnums, "sparse_jacobian")
    of = _type_of(f, wanted)
    out = tangent_type(f.function.result)
    plan = PLANS.remember(
        f.function, ("jacobian", tuple(wanted)), lambda: _plan_of_jacobian(f, wanted, out, of)
    )
    if plan.reverse:
        pulled = vjp_fn(f)

        def cotangent(args: Any, c: Any) -> Any:
            cts = pulled(*args, _seed(out, plan.reading.colours, c))
            return tuple(cts[k] for k in wanted)

        return _matrix(f, plan, of, cotangent, "sparse jacobian")
    pushed = jvp_fn(f, effects=False)
    return _matrix(
        f, plan, out, lambda args, c: pushed(*args, *_tangents(f, wanted, of, plan, c))[1], "sparse jacobian"
    )


def _sparse_hessian(f: Fn, argnums: Any) -> Fn:
    wanted = _wanted(f, argnums, "sparse_hessian")
    if not isinstance(f.function.result, RealType):
        raise TypeMismatchError(
            f"The sparse Hessian of {f.__name__} needs a function that returns one Real, but it returns "
            f"{f.function.result!r}. Use eg.sparse_jacobian, or eg.sparse_hessian of one of its results."
        )
    of = _type_of(f, wanted)
    gradient = _gradient(f, tuple(wanted), False)
    plan = PLANS.remember(
        f.function, ("hessian", tuple(wanted)), lambda: _plan_of_hessian(gradient, wanted, of)
    )
    pushed = jvp_fn(gradient, effects=False)
    return _matrix(
        f, plan, of, lambda args, c: pushed(*args, *_tangents(f, wanted, of, plan, c))[1], "sparse hessian"
    )


def _wanted(f: Fn, argnums: Any, what: str) -> list[int]:
    wanted = _positions(f, argnums)
    if len(set(wanted)) < len(wanted):
        raise TypeMismatchError(
            f"The argnums of eg.{what} must differ, but they are {argnums!r}. Name each position once."
        )
    return wanted


def _type_of(f: Fn, wanted: Sequence[int]) -> TupleType:
    return TupleType(tuple(tangent_type(f.function.params[k]) for k in wanted))


# ---------------------------------------------------------------- plans


def _plan_of_jacobian(f: Fn, wanted: Sequence[int], out: Type, of: Type) -> Plan:
    pattern = _in_order_of(wanted, f, pattern_of(f.function, real_leaves(f.function, wanted)))
    colours = column_colouring(pattern)
    by_rows: Colouring | None = None
    if colours.needed > REVERSE_COST and not isinstance(pattern, Banded):
        by_rows = column_colouring(pattern.transposed)
    reverse = by_rows is not None and REVERSE_COST * by_rows.needed < colours.needed
    if reverse:
        assert by_rows is not None
        reading = Reading(by_rows, _places(pattern, lambda i, j: (by_rows.of[i], j)))
        return _reordered(pattern, reading, out, of, reverse=True)
    if (
        isinstance(pattern, Banded)
        and colours.period
        and has_leaves_in_order(out)
        and has_leaves_in_order(of)
    ):
        return Plan(pattern, Reading(colours, None), False)
    reading = Reading(colours, _places(pattern, lambda i, j: (colours.of[j] % colours.needed, i)))
    return _reordered(pattern, reading, out, of, reverse=False)


def _plan_of_hessian(gradient: Fn, wanted: Sequence[int], of: Type) -> Plan:
    function = gradient.function
    pattern = _symmetric(_in_order_of(wanted, gradient, pattern_of(function, real_leaves(function, wanted))))
    colours = star_colouring(pattern)
    if colours.period:
        if isinstance(pattern, Banded) and has_leaves_in_order(of):
            return Plan(pattern, Reading(colours, None), False)
        colours = Colouring([j % colours.needed for j in colours.of], colours.needed)
    alone = []  # for each row, the colours that exactly one of its columns has
    for own in pattern.columns:
        seen: dict[int, int] = {}
        for j in own:
            seen[colours.of[j]] = seen.get(colours.of[j], 0) + 1
        alone.append({c for c, n in seen.items() if n == 1})

    def place(i: int, j: int) -> tuple[int, int]:
        c = colours.of[j]
        return (c, i) if c in alone[i] else (colours.of[i], j)

    return _reordered(pattern, Reading(colours, _places(pattern, place)), of, of, reverse=False)


def _in_order_of(wanted: Sequence[int], f: Fn, pattern: Pattern) -> Pattern:
    """The pattern with the columns of the parameters in the order of `wanted`, where they had their own."""
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
    """The pattern with each place that it or its mirror image has."""
    if isinstance(pattern, Banded) and all(
        pattern.bands.get(-d) == (lo + d, hi + d) for d, (lo, hi) in pattern.bands.items()
    ):
        return pattern
    mirrored = pattern.transposed
    if pattern == mirrored:
        return pattern
    pairs = zip(pattern.columns, mirrored.columns, strict=True)
    return Pattern(pattern.shape, [sorted({*a, *b}) for a, b in pairs])


def _places(pattern: Pattern, place: Callable[[int, int], tuple[int, int]]) -> tuple[list[int], list[int]]:
    colours, positions = [], []
    for i, own in enumerate(pattern.columns):
        for j in own:
            c, at = place(i, j)
            colours.append(c)
            positions.append(at)
    return colours, positions


def _reordered(pattern: Pattern, reading: Reading, out: Type, of: Type, *, reverse: bool) -> Plan:
    """The plan with the entries in the order of elements, where the pattern had them in that of leaves."""
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


# ---------------------------------------------------------------- directions and entries


def _tangents(f: Fn, wanted: Sequence[int], of: Type, plan: Plan, c: Any) -> list[Any]:
    tangents = [zero_of(tangent_type(item)) for item in f.function.params]
    for k, part in zip(wanted, _seed(of, plan.reading.colours, c), strict=True):
        tangents[k] = part
    return tangents


def _seed(of: Type, colours: Colouring, c: Any) -> Any:
    """The value of type `of` whose Reals are 1 where the colour is c, and 0 elsewhere."""
    b = current_builder()
    table = None
    if not colours.period:
        table = _table([colour % (colours.needed + 1) for colour in colours.of], colours.needed)
    rows, first = [], 0
    for leaf in leaves(of):

        def at(k: Any) -> Any:
            return real((k % colours.period if table is None else table[k]) == c)

        rows += rows_of(b, _over(leaf.dims, at, first), _vec_type(leaf))
        first += leaf.size
    return value_of(of, b, rows)


def _over(dims: Sequence[int], at: Callable[[Any], Any], first: Any) -> Any:
    """The array whose element is at(first + its flat position)."""
    if not dims:
        return at(first)
    inner = prod(dims[1:])
    return vec(dims[0], lambda i: _over(dims[1:], at, i * inner + first))


def _vec_type(leaf: Leaf) -> Type:
    of: Type = RealType()
    for n in reversed(leaf.dims):
        of = VecType(n, of)
    return of


def _table(entries: Sequence[int], largest: int) -> VecValue:
    b = current_builder()
    row = b.table(tuple(entries), I32(0, largest))
    return VecValue(VecType(len(entries), FinType(largest + 1)), None, [Traced(b, row)])


def _matrix(f: Fn, plan: Plan, out: Type, product: Callable[[Any, Any], Any], what: str) -> Fn:
    """The function of f's arguments that returns the matrix.

    out: the type of a product. product: the product with the direction of colour c at some arguments.
    """
    n = plan.reading.colours.needed
    of = sparse_type(plan.pattern, n)

    def body(_: list[int], args: Any) -> Any:
        if not plan.pattern.nnz:
            return of.pack([vec(0, lambda _: 0.0)])
        products = vec(n, lambda c: product(args, c))
        return of.pack([_entries(plan, out, products)])

    return derived_fn(f, f.function.params, f"{what} of {f.__name__}", body, of)


def _entries(plan: Plan, out: Type, products: Any) -> Any:
    if plan.reading.places is None:
        assert isinstance(plan.pattern, Banded)
        return _entries_of_bands(plan.pattern, plan.reading.colours, products.arrays()[0])
    colours, positions = plan.reading.places
    kinds = [leaf for leaf in leaves(out) if leaf.dtype == "f64"]
    starts = [0, *accumulate(leaf.size for leaf in kinds)]
    if len(kinds) == 1:
        return _gathered(kinds[0], products.arrays()[0], colours, positions)
    own: list[list[int]] = [[] for _ in kinds]
    for k, at in enumerate(positions):
        q = next(q for q in range(len(kinds)) if at < starts[q + 1])
        own[q].append(k)
    values = vec(len(colours), lambda _: 0.0)
    for q, (leaf, entries) in enumerate(zip(kinds, own, strict=True)):
        if entries:
            part = _gathered(
                leaf,
                products.arrays()[q],
                [colours[k] for k in entries],
                [positions[k] - starts[q] for k in entries],
            )
            values = _placed(values, part, entries)
    return values


def _placed(values: Any, part: Any, entries: Sequence[int]) -> Any:
    from eglantine.trace.loops import fori_loop

    at = _table(entries, len(values) - 1)
    return fori_loop(0, len(entries), lambda k, v: v.at[at[k]].set(part[k]), values)


def _gathered(leaf: Leaf, array: Traced, colours: Sequence[int], positions: Sequence[int]) -> Any:
    products = VecValue(VecType(_length(array), _vec_type(leaf)), None, [array])
    colour_of, position_of = _table(colours, max(colours)), _table(positions, max(leaf.size - 1, 0))

    def entry(k: Any) -> Any:
        value: Any = products[colour_of[k]]
        position = position_of[k]
        for d, n in enumerate(leaf.dims):
            inner = prod(leaf.dims[d + 1 :])
            value = value[position // inner % n if d else position // inner]
        return value

    return vec(len(colours), entry)


def _length(array: Traced) -> int:
    n: int = array.scope.types[array.row].dims[0]
    return n


def _entries_of_bands(pattern: Banded, colours: Colouring, array: Traced) -> Any:
    m, _ = pattern.shape
    distances = list(pattern.bands)
    width, p = len(distances), colours.period
    lo, hi = pattern.inside
    before = sum(len(pattern.row(i)) for i in range(lo))
    after = sum(len(pattern.row(i)) for i in range(hi, m))
    products = VecValue(VecType(p, VecType(m, RealType())), None, [array])
    shift = lo * width - before
    lift = -(distances[0] // p) * p
    if before + after > MOST_CORRECTED or lo >= hi:
        places = _places(pattern, lambda i, j: (j % p, i))
        return _gathered(Leaf("f64", (m,)), array, *places)
    steps = {b - a for a, b in pairwise(distances)}
    step = steps.pop() if len(steps) == 1 else 1 if not steps else 0
    table = None if step else _table([d + lift for d in distances], distances[-1] + lift)

    def entry(k: Any) -> Any:
        row, q = (k + shift) // width, (k + shift) % width
        distance = table[q] if table is not None else q * step + (distances[0] + lift)
        return products[(row + distance) % p][row]

    values = vec(pattern.nnz, entry)
    ends = [(k, i, j) for k, (i, j) in enumerate((i, j) for i in range(lo) for j in pattern.row(i))]
    first = pattern.nnz - after
    ends += [
        (first + k, i, j) for k, (i, j) in enumerate((i, j) for i in range(hi, m) for j in pattern.row(i))
    ]
    for k, i, j in ends:
        values = values.at[k].set(products[j % p][i])
    return values
