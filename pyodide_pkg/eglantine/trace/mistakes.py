"""Explain errors that Python or NumPy raise about traced values."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import FrameType
from typing import Any

from eglantine.errors import (
    EglantineError,
    Span,
    TypeMismatchError,
    UnknownNameError,
    is_of_numpy,
    is_written_here,
    span_of,
    text_at,
)
from eglantine.plain.symbolic import Symbolic, described
from eglantine.types import field_names, is_container
from eglantine.words.advice import OF_MATHS
from eglantine.words.spelling import began, nearest

from .callee import called, instead_of
from .leaves import Fields, fields_told
from .scalars import IndexValue, RealValue
from .traced import Traced
from .types_of import is_traced
from .updates import At
from .vectors import VecValue

_OURS = {
    "RealValue": "a traced Real", "BoolValue": "a traced Bool", "IndexValue": "a traced index",
    "VecValue": "a traced Vec", "Fields": "a traced struct", "At": "a place in a Vec (`v.at[i]`)",
}  # fmt: skip
_INNER_NAME = re.compile(r"'?\b(" + "|".join(_OURS) + r")\b'?")

_OF_VECS = {
    "append": "A Vec has a fixed length, so put its elements into a new one, as in eg.asarray([*v, x])",
    "copy": "A Vec never changes, so leave .copy() out",
    "tolist": "A Vec is used like a list, so leave .tolist() out",
}
_OF_PLACES = "Write v.at[i].set(x) or v.at[i].add(x)"


def explained(error: Exception) -> EglantineError | None:
    """Convert Python's error about a traced value to an error that explains it. None for other errors."""
    places = [*_calls(error)]
    if isinstance(error, AttributeError) and isinstance(error.obj, VecValue):
        while places and is_written_here(places[-1][0].f_code):  # our code finds the methods of a Vec
            places.pop()
    if not places or is_written_here(places[-1][0].f_code):
        return None
    own = [(frame, lasti) for frame, lasti in places if not is_of_numpy(frame)]
    frame, lasti = own[-1]
    if is_written_here(frame.f_code):
        return None
    span = span_of((frame.f_code, lasti))
    if isinstance(error, AttributeError):
        return _attribute(error.obj, str(error.name), span)
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], Traced):
        return TypeMismatchError(
            f"A dict needs a key that is known, but this key is {described(error.args[0])}, which is "
            "known only when the program runs. Write eg.select(x == a, u, v), or eg.asarray(items)[i].",
            span,
        )
    if isinstance(error, IndexError) and str(error).startswith("only integers"):
        return _array_index(frame, span)
    if isinstance(error, TypeError):
        return _type_error(str(error), frame, span)
    return None


def _calls(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    """Yield (frame, offset of the instruction) for each call that led to an error.

    The innermost call comes last.
    """
    step = error.__traceback__
    while step:
        yield step.tb_frame, step.tb_lasti
        step = step.tb_next


def _attribute(value: Any, name: str, span: Span | None) -> EglantineError | None:
    if isinstance(value, Fields):
        near = name if name in value else nearest(name, value)
        advice = f"Write d[{near!r}]" if near else fields_told(value).rstrip(".")
        return TypeMismatchError(
            f"A struct without a class is a dict, so its fields are read with brackets, but here {name!r} "
            f"is read with a dot. {advice}.",
            span,
        )
    if isinstance(value, Symbolic | At):
        what = described(value) if isinstance(value, Symbolic) else _OURS["At"]
        return UnknownNameError(
            f"{began(what)} has no attribute {name!r}. {_instead_of_attribute(value, name)}.",
            span,
        )
    if is_container(value) and is_traced(value):
        names = field_names(type(value))
        return TypeMismatchError(
            f"The struct {type(value).__name__} has no field {name!r}. {fields_told(names)}",
            span,
            nearest(name, names),
        )
    if isinstance(value, tuple) and is_traced(value):
        return TypeMismatchError(
            f"A tuple has no field {name!r}, because its items have positions instead of names. Write "
            "t[0] for its first item, or declare a struct.",
            span,
        )
    return None


def _instead_of_attribute(value: Any, name: str) -> str:
    if isinstance(value, At):
        return _OF_PLACES
    if isinstance(value, VecValue) and name in _OF_VECS:
        return _OF_VECS[name]
    return f"Write {OF_MATHS[name]}" if name in OF_MATHS else "Use operators and the functions of eg.math"


def _array_index(frame: FrameType, span: Span | None) -> EglantineError | None:
    """Make the error for a traced index into a NumPy array. Return None if no traced value is found."""
    traced = [value for value in frame.f_locals.values() if isinstance(value, RealValue | IndexValue)]
    if not traced:
        return None
    table = text_at(span).partition("[")[0] or "table"
    index = next((value for value in traced if isinstance(value, IndexValue)), traced[0])
    if isinstance(index, IndexValue):
        advice = f"Write eg.asarray({table})[i]"
    else:
        advice = f"Find an index by comparing, and write eg.asarray({table})[i]"
    return TypeMismatchError(
        f"This NumPy array is indexed by {described(index)}, which is known only when the program "
        f"runs. Only a Vec takes such an index. {advice}.",
        span,
    )


def _type_error(message: str, frame: FrameType, span: Span | None) -> EglantineError | None:
    """Make a better error for a TypeError about our classes or functions. None for other errors."""
    match = _INNER_NAME.search(message)
    if match is None:
        return _wrong_call(message, frame, span)
    value, text = _OURS[match[1]], text_at(span)
    if "not callable" in message:
        if match[1] == "At":
            return TypeMismatchError(
                f"{began(value)} is called like a function, but it is none. {_OF_PLACES}.", span
            )
        return TypeMismatchError(
            f"{began(value)} is called like a function, but only a function can stand before the "
            "brackets. Write `*` for a product.",
            span,
        )
    if "has no len" in message:
        return TypeMismatchError(
            f"{began(value)} has no length. Use len on a Vec, a tuple or a list instead.", span
        )
    if "divmod" in message:
        return TypeMismatchError(
            f"divmod needs plain numbers, but it was given {value}. Use the operators: write (x // y, x % "
            "y).",
            span,
        )
    if "@" in message and match[1] == "VecValue":
        return TypeMismatchError(
            "Traced Vecs have no operator `@`. Write eg.dot(v, w), which multiplies their Reals, or for "
            "a matrix eg.vec(len(a), lambda i: eg.dot(a[i], v)).",
            span,
        )
    function = called(frame, text)
    advice = (function is not None and instead_of(function)) or "Use operators and the functions of eg.math"
    told = _INNER_NAME.sub(lambda name: _OURS[name[1]], message)
    return TypeMismatchError(
        f"Python cannot use {value} here, because its numbers are known only when the program runs "
        f"({told}). {advice}.",
        span,
    )


def _wrong_call(message: str, frame: FrameType, span: Span | None) -> EglantineError | None:
    """Make a better error for a call with too many or too few arguments. None for other errors."""
    text = text_at(span)
    function = called(frame, text)
    home = str(getattr(function, "__module__", "")).partition(".")[0]
    problem = re.match(r"\w+\(\) (missing|takes|got)", message)
    if problem is None or home != "eglantine":
        return None
    name = text.partition("(")[0].strip()
    plain = inspect.signature(function).parameters.values()
    parameters = ", ".join(str(parameter.replace(annotation=parameter.empty)) for parameter in plain)
    return TypeMismatchError(
        f"{name} was called with the wrong arguments ({message.partition('() ')[2]}). Write it as "
        f"{name}({parameters}).",
        span,
    )
