"""Recognise the dataclasses and NamedTuples that users define, and read their field annotations."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Mapping
from typing import Any

from .errors import TypeMismatchError


def is_named_tuple(cls: Any) -> bool:
    """True if `cls` is a class made by NamedTuple."""
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def is_struct_class(cls: Any) -> bool:
    """True if `cls` is a dataclass or a NamedTuple."""
    return isinstance(cls, type) and (is_named_tuple(cls) or dataclasses.is_dataclass(cls))


def is_container(value: Any) -> bool:
    """True if `value` is an instance of a dataclass or NamedTuple."""
    return is_struct_class(type(value))


def is_complex(value: Any, fields: tuple[tuple[str, Any], ...]) -> bool:
    """True if `value` is a complex number of Python, and the fields are named `re` and `im`."""
    return isinstance(value, complex) and [name for name, _ in fields] == ["re", "im"]


def field_names(cls: type) -> tuple[str, ...]:
    """The names of a dataclass's or NamedTuple's fields, in order."""
    if is_named_tuple(cls):
        return tuple(cls._fields)  # type: ignore[attr-defined]
    return tuple(field.name for field in dataclasses.fields(cls))


def hints_of(cls: type, local: Mapping[str, Any]) -> dict[str, Any]:
    """Return the annotations of a class and its bases.

    If an annotation is a string, evaluate it with the names of the class's module and the names in `local`.
    """
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        scope = dict(vars(sys.modules[base.__module__])) if base.__module__ in sys.modules else {}
        for name, hint in inspect.get_annotations(base).items():
            text = getattr(hint, "__forward_arg__", hint)
            try:
                hints[name] = eval(text, scope, local) if isinstance(text, str) else hint  # noqa: S307 - user's own
            except NameError as error:
                raise TypeMismatchError(
                    f"The annotation {text!r} of {cls.__name__}.{name} cannot be evaluated ({error}). "
                    "Define the types in this annotation before the class."
                ) from None
    return hints
