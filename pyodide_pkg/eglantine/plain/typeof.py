"""Infer the type of a plain value, and make the errors about values of a wrong type."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number
from types import FunctionType
from typing import Any

from eglantine.errors import EglantineError, EscapedTracerError, ShapeError, TypeMismatchError, user_span
from eglantine.types import (
    Bool,
    FinType,
    Index,
    Real,
    StructType,
    TupleType,
    Type,
    Unit,
    Vec,
    VecType,
    field_name,
    field_names,
    is_container,
    line_of_reals,
    struct_of,
)
from eglantine.words.spelling import began

from .symbolic import Symbolic, current, function_told

_MOST_SHOWN = 40  # the largest number of characters of a value that an error message quotes
_FLOATS = {float}


def plain_scalar(value: Any) -> Any:
    """Convert a NumPy scalar or zero-dimensional array to a Python number. Return other values unchanged."""
    interface = getattr(value, "__array_interface__", None)
    if interface is not None and interface["shape"] == ():
        return value.item()
    return value


def is_number(value: Any) -> bool:
    """True for a number of any class: a `numbers.Number`, or a value with the operator `*` but no length."""
    kind = type(value)
    return isinstance(value, Number) or (hasattr(kind, "__mul__") and not hasattr(kind, "__len__"))


def type_of(value: Any, where: str = "this value") -> Type:
    """Infer the type of a plain value.

    A bool is a Bool, any other number is a Real, and None is a Unit. A tuple has a tuple type. A dict,
    dataclass or NamedTuple is a struct. A list, array or buffer is a Vec if all elements have the same type.

    Raises: TypeMismatchError, ShapeError.
    """
    if type(value) is list:  # test for lists first, because most arrays are lists
        return _list_type(value, where)
    value = plain_scalar(value)
    if value is None:
        return Unit  # type: ignore[no-any-return]
    if isinstance(value, bool):
        return Bool  # type: ignore[no-any-return]
    if isinstance(value, Index):
        return FinType(value.n)
    if isinstance(value, int | float):
        return Real  # type: ignore[no-any-return]
    if is_container(value):
        return _container_type(value, where)
    if isinstance(value, tuple):
        return TupleType(tuple(type_of(x, f"item {k} of {where}") for k, x in enumerate(value)))
    if isinstance(value, Mapping):
        fields = ((field_name(name), type_of(x, f"field {name!r} of {where}")) for name, x in value.items())
        return StructType(tuple(fields))
    if hasattr(value, "__array_interface__"):
        return _array_type(value, where)
    if isinstance(value, list) or hasattr(value, "tolist"):
        return _list_type(value if isinstance(value, list) else value.tolist(), where)
    if is_number(value):
        return Real  # type: ignore[no-any-return]
    raise mismatch(value, "a number, bool, None, tuple, dict, list or struct", where)


def _container_type(value: Any, where: str) -> Type:
    """Infer a struct's type from the annotations of its class. If that fails, use its values."""
    cls = type(value)
    try:
        return struct_of(cls)  # type: ignore[arg-type]
    except (TypeMismatchError, KeyError, NameError):
        given = ((name, getattr(value, name)) for name in field_names(cls))
        fields = ((name, type_of(x, f"field {name!r} of {where}")) for name, x in given)
        return StructType(tuple(fields), cls)


def _array_type(value: Any, where: str) -> Type:
    scalar = {"f": Real, "i": Real, "u": Real, "b": Bool}.get(value.dtype.kind)
    if scalar is None:
        raise mismatch(value, "an array of floats, integers or bools", where)
    of: Type = scalar
    for n in reversed(value.shape):
        of = Vec(n, of)
    return of


def _list_type(items: list[Any], where: str) -> Type:
    if not items:
        raise TypeMismatchError(
            f"{began(where)} is an empty list, which does not tell the type of its elements. Give the "
            "type, as in eg.asarray([], eg.Vec(0, eg.Real))."
        )
    if set(map(type, items)) <= _FLOATS:
        return line_of_reals(len(items))
    first = type_of(items[0], f"element 0 of {where}")
    for i, item in enumerate(items):
        of = type_of(item, f"element {i} of {where}")
        if of != first:
            kind = ShapeError if isinstance(of, VecType) and isinstance(first, VecType) else TypeMismatchError
            raise kind(
                f"Element {i} of {where} must have the type {first!r} like element 0, but its type is "
                f"{of!r}. Make the types the same."
            )
    return VecType(len(items), first)


def mismatch(value: Any, expected: str, where: str, advice: str = "") -> EglantineError:
    """Make the error for a value of a wrong type. `expected` describes a right value."""
    if isinstance(value, Symbolic) and current.get() is not None:
        return TypeMismatchError(
            f"{began(where)} must be {expected}, but it is {value!r}. Kernels and interpreted "
            "functions run outside of traces, so call the function that was compiled, not its kernel.",
        )
    if isinstance(value, Symbolic):
        return EscapedTracerError(
            f"{began(where)} must be {expected}, but it is {value!r}, outside the function it belongs "
            "to. Return it from there instead of storing it.",
            user_span(),
        )
    return TypeMismatchError(
        f"{began(where)} must be {expected}, but it is {shown(value)}. {advice or 'Change this value.'}"
    )


def shown(value: Any) -> str:
    """Describe a value for a message: by its repr if that is short, otherwise by its class."""
    if isinstance(value, FunctionType):
        return function_told(value)
    text = repr(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    article = "an" if name[0] in "aeiou" else "a"
    if len(text) > _MOST_SHOWN or "\n" in text:
        return f"{article} {name}"
    return text if value is None or isinstance(value, bool) else f"the {name} {text}"
