"""Traced Vecs, and conversions between values and the rows of their leaves."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from math import prod
from typing import Any

from eglantine.errors import ShapeError, TracerBoolError, TypeMismatchError, user_span
from eglantine.ir.builder import Builder
from eglantine.ir.row_types import leaf_row_type
from eglantine.leaves import leaves
from eglantine.plain.symbolic import Symbolic, current, described
from eglantine.types import (
    BoolType,
    FinType,
    RealType,
    StructType,
    TupleType,
    Type,
    UnitType,
    VecType,
    field_names,
    is_container,
    shape_of_type,
)
from eglantine.words.spelling import began, count

from .leaves import _OTHER, Fields, _fin_row, _subject, _unexpected, constant_or_stack, struct_parts
from .scalars import BoolValue, IndexValue, RealValue, bool_row, is_plain_bool, is_plain_number, real_row
from .traced import Traced, builder_for, call_site, lift, not_an_index, out_of_range

UNROLLED = 4
"""The largest length of a Vec whose arithmetic is written out element by element. Longer Vecs get a loop."""


class VecValue(Symbolic):
    """A traced Vec.

    A short Vec has a list of traced elements. A longer Vec has one array in memory for each leaf.
    """

    __slots__ = ("_arrays", "_elements", "type")
    __hash__ = object.__hash__
    __eglantine_operand__ = True

    def __init__(self, of: VecType, elements: list[Any] | None, arrays: list[Traced] | None) -> None:
        self.type = of
        self._elements = elements
        self._arrays = arrays

    @property
    def _noun(self) -> str:
        return repr(self.type)

    def __len__(self) -> int:
        return self.type.n

    def __bool__(self) -> bool:
        raise TracerBoolError(
            f"Python asked for the truth of {described(self)}, but only a known Bool is true or false. "
            "Write len(v) > 0 to ask whether it has elements, or eg.select(p, a, b) to choose by each "
            "element.",
            user_span(),
        )

    def __setitem__(self, i: Any, x: Any) -> None:
        raise TypeMismatchError(
            f"{began(described(self))} never changes, so its elements cannot be assigned. Make a new Vec: "
            "v = v.at[i].set(x)."
        )

    @property
    def at(self) -> Any:
        """`v.at[i].set(x)` returns a copy of v with x as v[i]. `v.at[i].add(x)` adds x to v[i] in a copy."""
        return import_module("eglantine.trace.updates").At(self, ())

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self.type.n))

    def __reversed__(self) -> Iterator[Any]:
        return (self[k] for k in reversed(range(self.type.n)))

    def __contains__(self, _: Any) -> bool:
        raise TypeMismatchError(
            "A traced Vec does not support `in`, because its elements are known only when the program "
            "runs. Compare the elements instead."
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the dimensions, outermost first, as in NumPy."""
        return shape_of_type(self.type)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements in all dimensions."""
        return prod(self.shape)

    def __getitem__(self, i: Any) -> Any:
        if not isinstance(i, int | Traced):
            return self._subscripted(i)
        if isinstance(i, Traced | bool):
            return self._at_traced(i)
        n = self.type.n
        if not -n <= i < n:
            raise out_of_range(f"the index {i}", n)
        return self._element(i % n)

    def __getattr__(self, name: str) -> Any:
        """`v.T`, `v.sum(axis=0)` and the other methods of arrays. `eglantine.numpy.methods` defines them."""
        if name.startswith("__"):
            raise AttributeError(f"'VecValue' object has no attribute {name!r}", name=name, obj=self)
        return import_module("eglantine.numpy.methods").method(self, name)

    def _subscripted(self, i: Any) -> Any:
        """`v[i]` if i is not a plain integer. The module `views` replaces this method by `subscripted`."""
        if hasattr(i, "__index__"):
            return self[i.__index__()]
        return self._at_traced(i)

    def _element(self, k: int) -> Any:
        """Element k. The index must be in range."""
        if self._elements is not None:
            return self._elements[k]
        b = builder_for(*self._arrays)  # type: ignore[misc]
        b.source = call_site(2)
        return self._pick(b, b.int_const(k))

    def _at_traced(self, i: Any) -> Any:
        b, row = self._checked(i)
        return self._pick(b, row)

    def _checked(self, i: Any) -> tuple[Builder, int]:
        """Check an index into this Vec. Return the builder for reading the element, and the index's row."""
        n = self.type.n
        if not isinstance(i, IndexValue):
            raise not_an_index(i)
        lo, hi = i.bounds
        if n and (hi < 0 or lo >= n):  # an empty Vec is only indexed in loops that never run
            raise out_of_range(f"an index from {lo} to {hi}", n)
        safe = lo >= 0 and hi < n
        b = builder_for(i, *self.arrays()) if safe else current.get()
        assert b is not None
        b.source = call_site(3)
        return b, b.check(lift(b, i), n)

    def _pick(self, b: Builder, i: int) -> Any:
        rows = [b.index(lift(b, array), i) for array in self.arrays()]
        return value_of(self.type.of, b, rows)

    def arrays(self) -> list[Traced]:
        """Return one array for each leaf. If the current block cannot use the stored arrays, make others."""
        if self._arrays is None or (self._elements is not None and not _is_seen(self._arrays)):
            elements = self._elements
            assert elements is not None
            assert current.get() is not None
            b = builder_for(*_refs(elements)) if _refs(elements) else current.get()
            assert b is not None
            token = current.set(b)  # elements without traced values must be built in `b` too
            try:
                rows = [rows_of(b, element, self.type.of) for element in elements]
            finally:
                current.reset(token)
            columns = list(zip(*rows, strict=True)) or [() for _ in leaves(self.type.of)]
            self._arrays = [
                Traced(b, b.stack(column, leaf_row_type(leaf)))
                for column, leaf in zip(columns, leaves(self.type.of), strict=True)
            ]
        return self._arrays

    def parts(self) -> Sequence[Any]:
        """The traced values in this Vec."""
        return self._elements if self._elements is not None else self._arrays or ()


def _is_seen(arrays: Sequence[Traced]) -> bool:
    """Return True if the current block is inside the blocks of all these arrays, so it can use them."""
    around = []
    b = current.get()
    while b is not None:
        around.append(b)
        b = b.parent
    return all(array.scope in around for array in arrays)


def _refs(value: Any) -> list[Traced]:
    """All traced values inside a value."""
    traced_values: list[Traced] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Traced):
            traced_values.append(item)
        elif isinstance(item, VecValue):
            pending.extend(item.parts())
        elif isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
        elif is_container(item):
            pending.extend(getattr(item, name) for name in field_names(type(item)))
    return traced_values


def give_operators(elementwise: Callable[..., Any]) -> None:
    """Define the operators of Vecs. `elementwise` applies an operator to the elements of Vecs."""

    def forward(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda self, other: elementwise(f, self, other)

    def reflected(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda self, other: elementwise(f, other, self)

    def alone(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda self: elementwise(f, self)

    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor"):
        f = getattr(operator, name + "_" if name in ("and", "or") else name)
        setattr(VecValue, f"__{name}__", forward(f))
        setattr(VecValue, f"__r{name}__", reflected(f))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(VecValue, f"__{name}__", forward(getattr(operator, name)))
    for name in ("neg", "pos", "abs", "invert"):
        setattr(VecValue, f"__{name}__", alone(getattr(operator, name)))


def _no_operator(symbol: str) -> Any:
    """Make an operator that raises an error. Structs without a class get such operators."""

    def refuse(self: Fields, other: Any) -> Any:
        if getattr(type(other), "__eglantine_operand__", False) and not isinstance(other, VecValue):
            return NotImplemented
        name = next(iter(self), "x")
        raise TypeMismatchError(
            f"`{symbol}` works on Reals and Vecs, but not on a struct. Apply it to each field, as in "
            f"{{{name!r}: d[{name!r}] {symbol} 1.0}}."
        )

    return refuse


for _name, _symbol in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("pow", "**")):
    setattr(Fields, f"__{_name}__", _no_operator(_symbol))
    setattr(Fields, f"__r{_name}__", _no_operator(_symbol))


def value_of(of: Type, b: Builder, rows: Sequence[int]) -> Any:
    """Build a traced value of type `of`. Its leaves are `rows` of `b`."""
    value, rest = _take(of, b, list(rows))
    assert not rest
    return value


def _take(of: Type, b: Builder, rows: list[int]) -> tuple[Any, list[int]]:
    match of:
        case RealType():
            return RealValue(b, rows[0]), rows[1:]
        case BoolType():
            return BoolValue(b, rows[0]), rows[1:]
        case FinType():
            return IndexValue(b, rows[0]), rows[1:]
        case UnitType():
            return None, rows
        case VecType():
            n = len(leaves(of))
            return VecValue(of, None, [Traced(b, row) for row in rows[:n]]), rows[n:]
        case TupleType() | StructType():
            values = []
            for item in of.items:
                value, rows = _take(item, b, rows)
                values.append(value)
            return of.pack(values, Fields), rows
    raise AssertionError(of)


def rows_of(b: Builder, value: Any, of: Type, where: str = "") -> list[int]:
    """Convert the leaves of a value to rows of `b`. The value may contain traced values and plain numbers.

    where: the name of the value in error messages, such as "argument x".
    Raises: TypeMismatchError or ShapeError if the value is not of type `of`.
    """
    rows: list[int] = []
    _put(b, value, of, where, rows)
    return rows


def _put(b: Builder, value: Any, of: Type, where: str, rows: list[int]) -> None:
    match of:
        case RealType():
            is_real = isinstance(value, RealValue | IndexValue)
            if not is_real and (isinstance(value, Traced | bool) or not is_plain_number(value)):
                is_choice = isinstance(value, BoolValue | bool)
                advice = "Make a Real of it with eg.real." if is_choice else _OTHER
                raise _unexpected(value, of, where, advice)
            rows.append(real_row(b, value))
        case BoolType():
            if not isinstance(value, BoolValue) and not is_plain_bool(value):
                raise _unexpected(value, of, where)
            rows.append(bool_row(b, value))
        case FinType(n):
            rows.append(_fin_row(b, value, n, where))
        case UnitType():
            if value is not None:
                raise _unexpected(value, of, where)
        case VecType():
            _put_vec(b, value, of, where, rows)
        case TupleType(items):
            _put_tuple(b, value, items, where, rows)
        case StructType():
            for part, item, place in struct_parts(value, of, where):
                _put(b, part, item, place, rows)


def _put_tuple(b: Builder, value: Any, items: tuple[Type, ...], where: str, rows: list[int]) -> None:
    if not isinstance(value, tuple | list) or len(value) != len(items):
        raise _unexpected(value, TupleType(items), where)
    for k, (part, item) in enumerate(zip(value, items, strict=True)):
        _put(b, part, item, f"{where}[{k}]", rows)


def _put_vec(b: Builder, value: Any, of: VecType, where: str, rows: list[int]) -> None:
    if isinstance(value, VecValue) and value.type == of and value._elements is None:
        rows.extend(lift(b, array) for array in value.arrays())
        return
    try:
        parts = list(value)
    except TypeError:
        raise _unexpected(value, of, where) from None
    if isinstance(value, dict | str) or (isinstance(value, tuple) and is_container(value)):
        raise _unexpected(value, of, where)
    if len(parts) != of.n:
        raise ShapeError(
            f"{_subject(where)} must have {count(of.n, 'value')}, as its type {of!r} says, but it has "
            f"{count(len(parts), 'value')}. Add or remove values."
        )
    columns: list[list[int]] = [[] for _ in leaves(of.of)]
    for k, part in enumerate(parts):
        for column, row in zip(columns, rows_of(b, part, of.of, f"{where}[{k}]"), strict=True):
            column.append(row)
    for column, leaf in zip(columns, leaves(of.of), strict=True):
        rows.append(constant_or_stack(b, column, leaf_row_type(leaf)))


def _is_vector(value: Any) -> bool:
    return isinstance(value, VecValue | list) or bool(getattr(value, "shape", ()))
