"""Patterns of Booleans. A pattern says which results of a function can depend on which inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from math import prod
from typing import Any, Final

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.functions.fn import Fn, argument_types, as_fn, check_function
from eglantine.functions.structures import _flat_order
from eglantine.ir.program import Function
from eglantine.ir.row_types import Array
from eglantine.leaves import leaves, tangent_type
from eglantine.plain.typeof import shown
from eglantine.types import StructType, TupleType, Type
from eglantine.words.spelling import began, count

from .arrays import whole
from .dependencies import NOTHING, Depends, as_columns, members
from .streams import ABSENT, LARGEST_TABLE, Stream
from .walking import Walk

MOST_PLACES: Final = 1 << 25
"""The largest number of True places in a pattern."""

MOST_SHOWN: Final = 200
"""The largest number of rows, or of columns, of a pattern that `str` draws as a picture."""


class Pattern(Sequence[list[bool]]):
    """A matrix of Booleans. Only the places of True are stored. `pattern[i][j]` is a bool.

    shape: the number of rows and the number of columns.
    columns: for each row, the numbers of the columns where the row is True, in ascending order.
    """

    def __init__(self, shape: tuple[int, int], columns: Sequence[Sequence[int]]) -> None:
        self.shape = shape
        self.columns = columns

    @property
    def nnz(self) -> int:
        """The number of True places."""
        return sum(map(len, self.columns))

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The row of each True place, row by row."""
        return tuple(chain.from_iterable([i] * len(own) for i, own in enumerate(self.columns)))

    @cached_property
    def cols(self) -> tuple[int, ...]:
        """The column of each True place, row by row."""
        return tuple(chain.from_iterable(self.columns))

    @cached_property
    def transposed(self) -> Pattern:
        """The pattern with rows and columns exchanged."""
        m, n = self.shape
        rows: list[list[int]] = [[] for _ in range(n)]
        for i, own in enumerate(self.columns):
            for j in own:
                rows[j].append(i)
        return Pattern((n, m), rows)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, tuple):
            row, column = i
            return self[row][column]
        if isinstance(i, slice):
            return [self._row(k) for k in range(len(self))[i]]
        try:
            return self._row(range(len(self))[i])
        except IndexError:
            raise ShapeError(
                f"This pattern has {len(self)} rows, so it has no row {i}. Use another number."
            ) from None

    def _row(self, i: int) -> list[bool]:
        row = [False] * self.shape[1]
        for j in self.columns[i]:
            row[j] = True
        return row

    def __iter__(self) -> Iterator[list[bool]]:
        return map(self._row, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Pattern):
            return self.shape == other.shape and list(map(list, self.columns)) == list(
                map(list, other.columns)
            )
        if isinstance(other, Sequence):
            return list(self) == [list(row) if isinstance(row, Sequence) else row for row in other]
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        if max(self.shape) > MOST_SHOWN:
            return repr(self)
        return "\n".join("".join("#" if on else "." for on in row) for row in self)

    def __repr__(self) -> str:
        m, n = self.shape
        return f"<pattern of {m} × {n} with {self.nnz} places>"


class Banded(Pattern):
    """A pattern that consists of diagonals. On diagonal number d, the column is d + the row.

    bands: maps the number of each diagonal to a pair: the first and the last row of this diagonal.
    """

    def __init__(self, shape: tuple[int, int], bands: dict[int, tuple[int, int]]) -> None:
        self.shape = shape
        self.bands = dict(sorted(bands.items()))

    @property
    def nnz(self) -> int:
        """The number of True places."""
        return sum(hi - lo + 1 for lo, hi in self.bands.values())

    @cached_property
    def inside(self) -> tuple[int, int]:
        """The rows that all diagonals cross, as (first, last + 1)."""
        lo = max((lo for lo, _ in self.bands.values()), default=0)
        hi = min((hi for _, hi in self.bands.values()), default=-1)
        return (lo, hi + 1) if lo <= hi else (0, 0)

    def row(self, i: int) -> list[int]:
        """The columns of row i."""
        return [i + d for d, (lo, hi) in self.bands.items() if lo <= i <= hi]

    @cached_property
    def columns(self) -> Sequence[Sequence[int]]:  # type: ignore[override]
        """For each row, the columns where it has True, in order."""
        return [self.row(i) for i in range(self.shape[0])]

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The row of each True place, row by row."""
        lo, hi = self.inside
        width = range(len(self.bands))
        before = [i for i in range(lo) for _ in self.row(i)]
        after = [i for i in range(hi, self.shape[0]) for _ in self.row(i)]
        return (*before, *[i for i in range(lo, hi) for _ in width], *after)

    @cached_property
    def cols(self) -> tuple[int, ...]:
        """The column of each True place, row by row."""
        lo, hi = self.inside
        distances = list(self.bands)
        before = [j for i in range(lo) for j in self.row(i)]
        after = [j for i in range(hi, self.shape[0]) for j in self.row(i)]
        return (*before, *[i + d for i in range(lo, hi) for d in distances], *after)

    @cached_property
    def transposed(self) -> Pattern:
        """The pattern with rows and columns exchanged."""
        m, n = self.shape
        return Banded((n, m), {-d: (lo + d, hi + d) for d, (lo, hi) in self.bands.items()})


def pattern_of(function: Function, wanted: Sequence[bool]) -> Pattern:
    """Return a function's pattern. `wanted` says which leaves of the parameters have columns.

    Only Reals have rows and columns. They are in the order of the leaves.
    """
    walk_inputs: list[Any] = []
    n = 0
    for of, on in zip(function.leaf_params, wanted, strict=True):
        real = (of.leaf if isinstance(of, Array) else of).dtype == "f64"
        if not on:
            walk_inputs.append(NOTHING if real else None)
            continue
        dims = of.dims if isinstance(of, Array) else ()
        walk_inputs.append(_input(n, dims))
        n += prod(dims)
    values = Walk(n).call(function, walk_inputs, ())
    outputs = []
    for value, of in zip(values, function.leaf_results, strict=True):
        dims = of.dims if isinstance(of, Array) else ()
        if (of.leaf if isinstance(of, Array) else of).dtype == "f64":
            outputs.append((whole(value, (), dims), dims))
    m = sum(prod(dims) for _, dims in outputs)
    if len(outputs) == 1 and len(outputs[0][1]) == 1:
        bands = _bands(outputs[0][0], m, n)
        if bands is not None:
            return Banded((m, n), bands)
    columns: list[list[int]] = []
    for value, dims in outputs:
        columns += _listed(value, dims, n)
    return Pattern((m, n), columns)


def _input(first: int, dims: tuple[int, ...]) -> Depends:
    """Return the dependency of an argument's elements, which are the inputs `first`, `first` + 1, …."""
    if not dims:
        return Depends(1 << first, frozenset())
    strides = [prod(dims[k + 1 :]) for k in range(len(dims))]
    if 0 in dims:
        return NOTHING
    return Depends(0, frozenset({Stream(first, dims, tuple(strides), (None,) * len(dims))}))


def _bands(value: Depends, m: int, n: int) -> dict[int, tuple[int, int]] | None:
    """Return the diagonals as in `Banded.bands`, or None if the places do not form diagonals without gaps."""
    if value.always:
        return None
    ranges: dict[int, list[tuple[int, int]]] = {}
    for column in value.columns:
        if len(column.dims) != 1 or column.table is not None or column.sets is not None:
            return None
        if column.strides != (1,):
            return None
        d = column.base
        lo, hi = column.clips[0] or (0, m - 1)
        lo, hi = max(lo, 0, -d), min(hi, m - 1, n - 1 - d)
        if lo <= hi:
            ranges.setdefault(d, []).append((lo, hi))
    bands = {}
    for d, own in ranges.items():
        own.sort()
        first, last = own[0]
        for lo, hi in own[1:]:
            if lo > last + 1:
                return None
            last = max(last, hi)
        bands[d] = (first, last)
    return bands


def _listed(value: Depends, dims: tuple[int, ...], n: int) -> list[list[int]]:
    """For each element of a result, list the columns of the inputs that the element depends on."""
    size = prod(dims)
    always = members(value.always)
    if not value.columns:
        return [always] * size
    sets: list[set[int]] = [set(always) for _ in range(size)]
    places = size * len(always)
    for column in as_columns(Depends(0, value.columns), dims):
        rank = len(dims)
        over = list(range(len(column.dims)))
        places += prod(column.dims)
        _check_places(places)
        numbers = _all_numbers(column, over)
        each = prod(column.dims[rank:])
        if column.sets is not None:
            lookup = column.sets.lookup()
            places += sum(len(lookup[x]) for x in numbers) - len(numbers)
            _check_places(places)
            for k, own in enumerate(sets):
                own.update(*(lookup[x] for x in numbers[k * each : (k + 1) * each]))
        elif each == 1:
            for own, number in zip(sets, numbers, strict=True):
                own.add(number)
        else:
            for k, own in enumerate(sets):
                own.update(numbers[k * each : (k + 1) * each])
    inputs = range(n)
    for own in sets:
        own.discard(ABSENT)
    return [sorted(own) if not own or max(own) < n else sorted(x for x in own if x in inputs) for own in sets]


def _check_places(places: int) -> None:
    if places > MOST_PLACES:
        raise ShapeError(
            f"This pattern has about {places:,} True places, but it can have at most {MOST_PLACES:,}. Use a "
            "function with fewer inputs or outputs."
        )


def _all_numbers(column: Stream, over: list[int]) -> Sequence[int]:
    if prod(column.dims) <= LARGEST_TABLE or len(over) == 1:
        return column.column(over)
    numbers: list[int] = []
    rest = Stream(
        column.base, column.dims[1:], column.strides[1:], column.clips[1:], column.table, column.sets
    )
    for i in range(column.dims[0]):
        clip = column.clips[0]
        inner = rest._replace(base=column.base + i * column.strides[0])
        outside = clip is not None and not clip[0] <= i <= clip[1]
        numbers += [ABSENT] * prod(rest.dims) if outside else _all_numbers(inner, over[:-1])
    return numbers


def real_leaves(function: Function, wanted: Sequence[int]) -> tuple[bool, ...]:
    """Return a flag for each leaf of the parameters: True if it is real and its parameter is `wanted`."""
    flags = [
        k in wanted and leaf.dtype == "f64" for k, of in enumerate(function.params) for leaf in leaves(of)
    ]
    return (*flags, *(False,) * function.hidden)


def has_leaves_in_order(of: Type) -> bool:
    """Return True if sorting a value's Reals by leaf and sorting them by element give the same order."""
    if len(leaves(of)) <= 1:
        return True
    if isinstance(of, TupleType | StructType):
        return all(map(has_leaves_in_order, of.items))
    order = _flat_order(of)
    return order == list(range(len(order)))


def in_order_of_elements(pattern: Pattern, out: Type, of: Type) -> Pattern:
    """Reorder a pattern's rows and columns from the order of leaves to the order of elements."""
    if has_leaves_in_order(out) and has_leaves_in_order(of):
        return pattern
    rows, cols = _flat_order(out), _flat_order(of)
    places = {leaf: element for element, leaf in enumerate(cols)}
    return Pattern(pattern.shape, [sorted(places[j] for j in pattern.columns[i]) for i in rows])


def sparsity(f: Any, *args: Any) -> Pattern:
    """The pattern that says which Reals of f's result can depend on which Reals of the arguments.

    >>> import eglantine as eg
    >>> @eg.fn
    ... def f(x: eg.Vec(4, eg.Real)):
    ...     return eg.vec(3, lambda i: x[i + 1] - x[i])
    >>> print(eg.sparsity(f))
    ##..
    .##.
    ..##
    >>> eg.sparsity(f)[2][3]
    True

    A result depends on an argument if a derivative can flow from the argument to the result. No derivative
    flows through `floor` or through a condition. The pattern of a Hessian is `eg.sparsity(eg.grad(f))`. The
    pattern is exact if f reads Vecs only at indices that are known when tracing, or that are computed from a
    loop's index. If an index depends on arguments, we assume that it can have any value.

    args: values of the arguments. Only their types matter. Leave them out if f is an `fn` with types.
    Returns a matrix of bools with `shape`, `nnz`, `rows` and `cols`. Row i belongs to the i-th Real of the
    result, and column j belongs to the j-th Real of all arguments.
    """
    g = _typed(f, args)
    function = g.function
    pattern = pattern_of(function, real_leaves(function, range(len(function.params))))
    return in_order_of_elements(
        pattern, tangent_type(function.result), tangent_type(TupleType(function.params))
    )


def _typed(f: Any, args: Sequence[Any]) -> Fn:
    if isinstance(f, Fn):
        if args and len(args) != len(f.function.params):
            raise TypeMismatchError(
                f"{f.__name__} takes {count(len(f.function.params), 'argument')}, but eg.sparsity was given "
                f"{len(args)}. Leave the arguments out: write eg.sparsity({f.__name__})."
            )
        return f
    if not args:
        name = getattr(f, "__name__", None) or shown(f)
        name = "f" if name == "<lambda>" else name
        check_function(f)
        raise TypeMismatchError(
            f"{began(name)} has no types, so its pattern needs arguments. Write eg.sparsity({name}, x), or "
            "make the function an eg.fn."
        )
    return as_fn(f, argument_types(args))
