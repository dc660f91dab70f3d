"""The types that users write, and how their values flatten into leaves.

    Real  Bool  Unit  Fin(n)  Vec(n, T)  (T, U)  {"name": T}  and dataclasses or NamedTuples of types

Values flatten depth first. A `Vec` adds a leading dimension to each leaf of its elements, so a `Vec` of
structs becomes a struct of arrays.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any, TypeVar, dataclass_transform, get_args, get_origin

from eglantine.words.advice import type_meant
from eglantine.words.spelling import indices_below

from .containers import field_names as field_names  # noqa: PLC0414 - for other rooms too
from .containers import hints_of, is_named_tuple, is_struct_class
from .containers import is_complex as is_complex  # noqa: PLC0414
from .containers import is_container as is_container  # noqa: PLC0414
from .errors import LimitError, ShapeError, TypeMismatchError
from .lengths import check_length, is_length

C = TypeVar("C")


class Type:
    """The base class of all types. Compare types with `==`."""

    __slots__ = ()

    def __call__(self, *_: Any) -> Any:
        """Raise an error. Only Fin(n) can be called: it makes an index.

        Raises: TypeMismatchError.
        """
        raise TypeMismatchError(
            f"{self!r} is a type, so it cannot be called to make a value. Write a value itself, such as 2.0 "
            "for a Real, or eg.real(i) to convert an index or a Bool to a Real."
        )


@dataclass(frozen=True, slots=True)
class RealType(Type):
    """The type of a number: a float64, with Python's operators and the functions of `eg.math`.

    Annotate parameters with it, or list it if a function has no annotations:

    >>> import eglantine as eg
    >>> @eg.fn
    ... def area(width: eg.Real, height: eg.Real) -> eg.Real:
    ...     return width * height
    >>> area(3.0, 2.0), eg.grad(area, (0, 1))(3.0, 2.0)
    (6.0, (2.0, 3.0))
    >>> eg.compile(lambda x: x ** 2, [eg.Real])(3.0)
    9.0
    """

    def __repr__(self) -> str:
        return "Real"


@dataclass(frozen=True, slots=True)
class BoolType(Type):
    """A truth value."""

    def __repr__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class UnitType(Type):
    """The type with one value, `None`."""

    def __repr__(self) -> str:
        return "Unit"


class Index(int):
    """A plain integer that was made by a call of Fin(n). If we infer its type, the type is Fin(n)."""

    n: int


@dataclass(frozen=True, slots=True)
class FinType(Type):
    """The type of the indices 0, …, n − 1. A call of the type converts an integer to an index.

    >>> Fin(3)(2)
    2
    """

    n: int

    def __call__(self, value: Any) -> Any:
        """Make an index of this type. Check plain integers now and traced integers at run time."""
        maker = getattr(value, "__eglantine_fin__", None)
        if maker is not None:
            return maker(self)
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeMismatchError(
                f"An index must be a whole number below {self.n}, but this one is {value!r}. "
                "Write a whole number."
            )
        index = Index(value)
        if not 0 <= index < self.n:
            raise ShapeError(
                f"{self!r} takes {indices_below(self.n)}, but it was given the index {index}. Use "
                "another index or a larger Fin."
            )
        index.n = self.n
        return index

    def __repr__(self) -> str:
        return f"Fin({self.n})"


@dataclass(frozen=True, slots=True)
class VecType(Type):
    """`n` values of one type."""

    n: int
    of: Type

    def __repr__(self) -> str:
        return f"Vec({self.n}, {self.of!r})"


def shape_of_type(of: Type) -> tuple[int, ...]:
    """The lengths of a Vec's dimensions, outermost first. Other types have the shape ()."""
    shape = []
    while isinstance(of, VecType):
        shape.append(of.n)
        of = of.of
    return tuple(shape)


def vec_type(shape: Iterable[int], of: Type) -> Type:
    """The type of an array of this shape with elements of type `of`."""
    for n in reversed(tuple(shape)):
        of = VecType(n, of)
    return of


@lru_cache(maxsize=256)
def line_of_reals(n: int) -> Type:
    """The type of a Vec of n Reals. The result is cached, so types compare quickly."""
    return VecType(n, Real)


def scalar_of(of: Type) -> Type:
    """Return the type of an array's elements. A type that is not a Vec is returned unchanged."""
    while isinstance(of, VecType):
        of = of.of
    return of


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """Values of several types, by position."""

    items: tuple[Type, ...]

    def pack(self, values: Iterable[Any], _: Any = None) -> Any:
        """The tuple of these values."""
        return tuple(values)

    def parts(self, value: Any) -> Any:
        """The values by position."""
        return value

    def of(self, items: Iterable[Type]) -> Type:
        """Return the tuple type with these items."""
        return TupleType(tuple(items))

    def __repr__(self) -> str:
        return "(" + ", ".join(map(repr, self.items)) + ("," if len(self.items) == 1 else "") + ")"


@dataclass(frozen=True, slots=True)
class StructType(Type):
    """The type of a struct. A struct has named fields, and each field has its own type.

    container: the class of the structs that functions return. It is `dict` for a struct without a class.
    """

    fields: tuple[tuple[str, Type], ...]
    container: type = dict

    @property
    def items(self) -> list[Type]:
        """The fields' types."""
        return [item for _, item in self.fields]

    @property
    def names(self) -> list[str]:
        """The fields' names."""
        return [name for name, _ in self.fields]

    def pack(self, values: Iterable[Any], named: Callable[..., Any] = dict) -> Any:
        """Make a struct of these values.

        If the struct has no class, call `named` with pairs (name, value).
        """
        fields = named(zip(self.names, values, strict=True))
        return fields if self.container is dict else self.container(**fields)

    def parts(self, value: Any) -> list[Any]:
        """The fields of a dict or struct."""
        return [value[name] if isinstance(value, dict) else getattr(value, name) for name in self.names]

    def of(self, items: Iterable[Type]) -> Type:
        """Return a struct type with the same names and class, and with `items` as the types of the fields."""
        return StructType(tuple(zip(self.names, items, strict=True)), self.container)

    def __repr__(self) -> str:
        inner = ", ".join(f"{name!r}: {of!r}" for name, of in self.fields)
        return f"{{{inner}}}" if self.container is dict else f"{self.container.__name__}({inner})"


Real: Any = RealType()
Bool: Any = BoolType()
Unit: Any = UnitType()


def Fin(n: Any) -> Any:  # noqa: N802 - the name of a type
    """The type of indices below `n`.

    >>> import eglantine as eg
    >>> pick = eg.fn([eg.Vec(3, eg.Real), eg.Fin(3)])(lambda v, i: v[i])
    >>> pick([1.0, 10.0, 100.0], 2)
    100.0
    """
    if not is_length(n):
        raise TypeMismatchError(
            f"The bound of Fin must be a whole number, but it is {n!r}. Write eg.Fin(3), say."
        )
    n = int(n)
    check_length(n)
    return FinType(n)


def written_type(of: Type) -> str:
    """Write a type in the user's notation.

    >>> written_type(VecType(3, RealType()))
    'eg.Vec(3, eg.Real)'
    """
    return re.sub(r"\b(Real|Bool|Unit|Fin|Vec)\b", r"eg.\1", repr(of))


def Vec(n: Any, of: Any = ...) -> Any:  # noqa: N802 - the name of a type
    """The type of `n` values of type `of`. `n` is a whole number or a `Fin`.

    >>> import eglantine as eg
    >>> @eg.fn
    ... def length(v: eg.Vec(2, eg.Real)) -> eg.Real:
    ...     return eg.math.sqrt(v[0] ** 2 + v[1] ** 2)
    >>> length([6.0, 8.0]), eg.grad(length)([6.0, 8.0])
    (10.0, [0.6000000000000001, 0.8])

    For type checkers, write `v: Annotated[eg.Array, eg.Vec(2, eg.Real)]`. A matrix is a Vec of Vecs:

    >>> eg.fn([eg.Vec(2, eg.Vec(2, eg.Real))])(lambda m: m @ m)([[1.0, 1.0], [0.0, 1.0]])
    [[1.0, 2.0], [0.0, 1.0]]
    """
    if of is ...:
        is_type = isinstance(n, Type) and not isinstance(n, FinType)
        length, element = (3, written_type(n)) if is_type else (n if is_length(n) else 3, "eg.Real")
        raise TypeMismatchError(
            f"A Vec needs a length and the type of its elements, but Vec({n!r}) lacks "
            f"{'a length' if is_type else 'a type'}. Write eg.Vec({length}, {element})."
        )
    if isinstance(n, FinType):
        n = n.n
    if not is_length(n):
        is_type = isinstance(n, Type)
        example = f"eg.Vec({of!r}, {written_type(n)})" if is_type else "eg.Vec(3, eg.Real)"
        advice = f"The length comes first: write {example}." if is_type else f"Write {example}, say."
        raise TypeMismatchError(
            f"The length of a Vec must be a whole number or a Fin, but this one is {n!r}. {advice}"
        )
    n = int(n)
    check_length(n)
    return _of_depth(VecType(n, as_type(of)))


MAX_DEPTH = 63
"""The largest depth of nested types. Python's buffers have at most 64 dimensions, and a batch adds one."""


def _of_depth(of: Any, around: int = 0) -> Any:
    if around + _depth(of) > MAX_DEPTH:
        raise LimitError(
            f"Types can nest at most {MAX_DEPTH} deep, but these nest deeper. Use a longer Vec or a "
            "struct with more fields instead."
        )
    return of


@lru_cache(maxsize=4096)
def _depth(of: Type) -> int:
    """Return how many levels a type nests. Results are cached, so the recursion stays shallow."""
    match of:
        case VecType(_, element):
            return 1 + _depth(element)
        case TupleType() | StructType():
            return 1 + max(map(_depth, of.items), default=0)
    return 0


@dataclass_transform(frozen_default=True)
def struct(cls: type[C]) -> type[C]:
    """Make a struct from a class with annotated fields. An ordinary class becomes a dataclass."""
    if not isinstance(cls, type):
        raise TypeMismatchError(
            f"eg.struct turns a class into a struct, but it was given {cls!r}. Write @eg.struct above the "
            "class."
        )
    if not dataclasses.is_dataclass(cls) and not is_named_tuple(cls):
        cls = dataclass(frozen=True)(cls)
    hints = hints_of(cls, sys._getframe(1).f_locals)
    cls.__annotations__ = {name: hints[name] for name in inspect.get_annotations(cls)}
    struct_of(cls)  # type: ignore[arg-type]
    return cls


@cache
def struct_of(cls: type) -> StructType:
    """Return the struct type for the annotations of a dataclass or NamedTuple."""
    try:
        hints = hints_of(cls, {})
        return StructType(tuple((name, as_type(hints[name])) for name in field_names(cls)), cls)
    except RecursionError:
        raise TypeMismatchError(
            f"The struct {cls.__name__} contains itself, so its size is not known. Use a Vec of its parts."
        ) from None


def as_type(written: Any, around: int = 0) -> Type:
    """Convert a user's notation for a type to our type. For example, a tuple of types becomes a `TupleType`.

    around: the number of types inside which this type is nested.
    Raises: TypeMismatchError if this is not a notation for a type, LimitError if types nest too deep.
    """
    if isinstance(written, Type):
        return _of_depth(written, around)  # type: ignore[no-any-return]
    if isinstance(written, dict | tuple) and around >= MAX_DEPTH:
        _of_depth(TupleType(()), around)
    if isinstance(written, dict):
        return StructType(tuple((field_name(name), as_type(of, around + 1)) for name, of in written.items()))
    if isinstance(written, tuple):
        return TupleType(tuple(as_type(of, around + 1) for of in written))
    if written is None or written is type(None):
        return Unit  # type: ignore[no-any-return]
    if written is bool:
        return Bool  # type: ignore[no-any-return]
    if written is float:
        return Real  # type: ignore[no-any-return]
    if get_origin(written) is Annotated:
        return as_type(_annotated(*get_args(written)), around)
    if is_struct_class(written):
        return struct_of(written)
    shown = getattr(written, "__name__", None) or repr(written)
    raise TypeMismatchError(
        f"A type is needed here, but this is {shown}. Use Real, Bool, Unit, Fin(n), Vec(n, T), a "
        f"tuple or a dict of types, or a struct class.{type_meant(written)}"
    )


def _annotated(written: Any, *notes: Any) -> Any:
    """Return the first type in `notes`. If `notes` has no type, return `written`."""
    kinds = (Type, dict, tuple)
    return next((note for note in notes if isinstance(note, kinds) or is_struct_class(note)), written)


def field_name(name: Any) -> str:
    """Return the name of a dict's field.

    Raises: TypeMismatchError if it is not a string.
    """
    if isinstance(name, str):
        return name
    raise TypeMismatchError(
        f"A struct's fields have names, but this dict has the key {name!r} ({type(name).__name__}). Write "
        f'{{"x{name if isinstance(name, int) else ""}": …}}, or use a tuple or a list, which have positions.'
    )
