"""Errors that Python or NumPy raise about traced values, in our words."""

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
from eglantine.words.spelling import nearest

from .callee import called, instead_of
from .leaves import Fields
from .scalars import IndexValue, RealValue
from .traced import Traced
from .types_of import is_traced
from .vectors import At, VecValue

_OURS = {
    "RealValue": "a traced Real", "BoolValue": "a traced Bool", "IndexValue": "a traced index",
    "VecValue": "a traced Vec", "Fields": "a traced struct", "At": "a place in a Vec (`v.at[i]`)",
}  # fmt: skip
_INNER_NAME = re.compile(r"'?\b(" + "|".join(_OURS) + r")\b'?")

_OF_VECS = {
    "append": "a Vec has a fixed length; put its elements into a new one, as in eg.asarray([*v, x])",
    "copy": "a Vec never changes, so leave .copy() out",
    "tolist": "a Vec is used like a list, so leave .tolist() out",
    "shape": "write len(v), and len(v[0]) for the rows of a Vec of Vecs",
    "size": "write len(v)",
    "T": "write eg.vec(len(v[0]), lambda j: eg.vec(len(v), lambda i: v[i][j]))",
    "max": f"write {OF_MATHS['amax']}",
    "min": f"write {OF_MATHS['amin']}",
}
_OF_PLACES = "write v.at[i].set(x) or v.at[i].add(x)"


def explained(error: Exception) -> EglantineError | None:
    """An error in our words, if it is about a traced value and was raised in the user's code; else None."""
    places = [*_calls(error)]
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
            f"Found a dict looked up by {described(error.args[0])}, which is known only when the "
            "program runs; "
            "expected a key that is known; write eg.select(x == a, u, v), or eg.asarray(items)[i].",
            span,
        )
    if isinstance(error, IndexError) and str(error).startswith("only integers"):
        return _array_index(frame, span)
    if isinstance(error, TypeError):
        return _type_error(str(error), frame, span)
    return None


def _calls(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    """The frames that led to an error, the innermost last, each with its instruction."""
    step = error.__traceback__
    while step:
        yield step.tb_frame, step.tb_lasti
        step = step.tb_next


def _attribute(value: Any, name: str, span: Span | None) -> EglantineError | None:
    if isinstance(value, Fields):
        near = name if name in value else nearest(name, value)
        advice = f"write d[{near!r}]" if near else f"its fields are {', '.join(value) or 'none at all'}"
        return TypeMismatchError(
            f"Found the field {name!r} asked of a struct with a dot; expected brackets, because a struct "
            f"without a class is a dict; {advice}.",
            span,
        )
    if isinstance(value, Symbolic | At):
        what = described(value) if isinstance(value, Symbolic) else _OURS["At"]
        return UnknownNameError(
            f"Found the attribute {name!r} asked of {what}, which has none of that name; "
            f"{_instead_of_attribute(value, name)}.",
            span,
        )
    if is_container(value) and is_traced(value):
        names = field_names(type(value))
        return TypeMismatchError(
            f"Found the field {name!r} asked of a {type(value).__name__}; expected one of "
            f"{', '.join(names)}.",
            span,
            nearest(name, names),
        )
    if isinstance(value, tuple) and is_traced(value):
        return TypeMismatchError(
            f"Found the field {name!r} asked of a tuple; expected a position; write t[0] for its first item, "
            "or declare a struct.",
            span,
        )
    return None


def _instead_of_attribute(value: Any, name: str) -> str:
    if isinstance(value, At):
        return _OF_PLACES
    if isinstance(value, VecValue) and name in _OF_VECS:
        return _OF_VECS[name]
    return f"write {OF_MATHS[name]}" if name in OF_MATHS else "use operators and the functions of eg.math"


def _array_index(frame: FrameType, span: Span | None) -> EglantineError | None:
    """The error of a NumPy array that is indexed by a traced value."""
    traced = [value for value in frame.f_locals.values() if isinstance(value, RealValue | IndexValue)]
    if not traced:
        return None
    table = text_at(span).partition("[")[0] or "table"
    index = next((value for value in traced if isinstance(value, IndexValue)), traced[0])
    if isinstance(index, IndexValue):
        advice = f"write eg.asarray({table})[i]"
    else:
        advice = f"find an index by comparing, and write eg.asarray({table})[i]"
    return TypeMismatchError(
        f"Found a NumPy array indexed by {described(index)}, which is known only when the program runs; "
        f"expected a Vec; {advice}.",
        span,
    )


def _type_error(message: str, frame: FrameType, span: Span | None) -> EglantineError | None:
    """A TypeError of Python's that names one of our classes, or None if it names none."""
    match = _INNER_NAME.search(message)
    if match is None:
        return _wrong_call(message, frame, span)
    value, text = _OURS[match[1]], text_at(span)
    if "not callable" in message:
        if match[1] == "At":
            return TypeMismatchError(f"Found {value} called like a function; {_OF_PLACES}.", span)
        return TypeMismatchError(
            f"Found {value} called like a function; expected a function before the brackets; write `*` for a "
            "product.",
            span,
        )
    if "has no len" in message:
        return TypeMismatchError(
            f"Found the length asked of {value}; expected a Vec, a tuple or a list, which have one.", span
        )
    if "divmod" in message:
        return TypeMismatchError(
            f"Found divmod of {value}; expected the operators; write (x // y, x % y).", span
        )
    if "@" in message and match[1] == "VecValue":
        return TypeMismatchError(
            "Found `@` between traced Vecs; expected products of Reals; write eg.dot(v, w), or for a matrix "
            "eg.vec(len(a), lambda i: eg.dot(a[i], v)).",
            span,
        )
    function = called(frame, text)
    advice = (function is not None and instead_of(function)) or "use operators and the functions of eg.math"
    told = _INNER_NAME.sub(lambda name: _OURS[name[1]], message)
    return TypeMismatchError(
        f"Found {value} where Python cannot use it ({told}); its numbers are known only when the "
        "program runs; "
        f"{advice}.",
        span,
    )


def _wrong_call(message: str, frame: FrameType, span: Span | None) -> EglantineError | None:
    """A TypeError of a call of ours with too few or too many arguments, or None if it is another."""
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
        f"Found a call of {name} with the wrong arguments ({message.partition('() ')[2]}); expected "
        f"{name}({parameters}); give it these.",
        span,
    )
