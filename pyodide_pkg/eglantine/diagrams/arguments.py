"""Check the arguments of relations and of the functions that make shapes."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, TypeVar

from eglantine.errors import TypeMismatchError
from eglantine.plain.symbolic import described
from eglantine.trace.scalars import RealValue, is_plain_bool, is_plain_number
from eglantine.trace.traced import Traced
from eglantine.words.spelling import count, nearest

from .shapes import Shape

Relating = TypeVar("Relating", bound=Callable[..., Any])

MISFIT: Final = object()
"""The result of reading a value that is not of the wanted kind."""
LONGEST_INTEGER = 64
"""An error message shows integers with at most this many bits."""
LONGEST_VALUE = 100
"""An error message shows at most this many characters of a value."""


@dataclass(frozen=True)
class Kind:
    """A kind of argument.

    told: the kind in words. advice: a sentence that says what to write.
    read: the function that converts a value to this kind. If the value is of another kind, it returns MISFIT.
    """

    told: str
    advice: str
    read: Callable[[Any], Any]

    def of(self, value: Any, call: str, argument: str) -> Any:
        """Convert a value to this kind.

        Raises: TypeMismatchError if the value is of another kind. The error names the call and the argument.
        """
        found = self.read(value)
        if found is MISFIT:
            raise TypeMismatchError(
                f"{call} needs {self.told} for its argument {argument}, but it was given {told(value)}. "
                f"{self.advice}"
            )
        return found


def told(value: Any) -> str:
    """Describe an argument for an error message, such as "the circle A" or "3 (int)"."""
    if isinstance(value, Shape):
        return f"the {value.kind} {value.name}"
    if isinstance(value, int) and value.bit_length() > LONGEST_INTEGER:
        return f"an integer of {value.bit_length()} bits"
    text = described(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def number(value: Any) -> Any:
    """Return a traced number unchanged, and a plain number as a float. Return MISFIT for all other values."""
    if isinstance(value, RealValue):
        return value
    if isinstance(value, Traced) or is_plain_bool(value) or not is_plain_number(value):
        return MISFIT
    try:
        plain = float(value)
    except (TypeError, ValueError, OverflowError):
        return MISFIT
    return plain if math.isfinite(plain) else MISFIT


def point(value: Any) -> Any:
    """Return the middle of a shape, or a point (x, y). Return MISFIT for all other values."""
    if isinstance(value, Shape):
        return value.centre
    if not isinstance(value, tuple | list) or len(value) != 2:
        return MISFIT
    x, y = map(number, value)
    return MISFIT if x is MISFIT or y is MISFIT else (x, y)


def _place(value: Any) -> Any:
    return value if isinstance(value, Shape) else point(value)


def _line(value: Any) -> Any:
    """Return the shape, or the pair itself.

    `minimal_crossings` compares the objects in two pairs, so this function makes no new pair.
    """
    if isinstance(value, Shape):
        return value if len(value.points) >= 2 else MISFIT
    is_pair = isinstance(value, tuple | list) and len(value) == 2
    return value if is_pair and all(_place(end) is not MISFIT for end in value) else MISFIT


def _lines(value: Any) -> Any:
    if isinstance(value, str | Mapping | Shape | Traced) or not isinstance(value, Iterable):
        return MISFIT
    lines = tuple(value)
    return MISFIT if any(_line(line) is MISFIT for line in lines) else lines


NUMBER = Kind("a number", "Write a finite number, or an attribute of a shape such as a.x.", number)
TRUTH = Kind("True or False", "Write True or False.", lambda value: value if is_plain_bool(value) else MISFIT)
SHAPE = Kind(
    "a shape", "Write a shape, such as the result of d.circle().",
    lambda value: value if isinstance(value, Shape) else MISFIT,
)  # fmt: skip
PLACE = Kind(
    "a shape or a point (x, y)",
    "Write a shape, such as the result of d.circle(), or a pair of numbers.",
    _place,
)
LINE = Kind(
    "a line or a pair of points or shapes",
    "Write the result of d.line(), or a pair such as (a, b).",
    _line,
)
LINES = Kind(
    "a list of lines, or of pairs of points or shapes",
    "Write a list with results of d.line(), or with pairs such as (a, b).",
    _lines,
)
NUMBER_OR_PLACE = Kind(
    "a number, a shape or a point (x, y)",
    "Write an attribute such as a.x, a shape, or a pair of numbers.",
    lambda value: _place(value) if number(value) is MISFIT else number(value),
)


def takes(*kinds: Kind) -> Callable[[Relating], Relating]:
    """Make a decorator that checks the arguments of a relation. `kinds` has the kind of each argument.

    The relation gets the converted arguments. If they do not fit, the call raises a TypeMismatchError.
    """

    def decorate(relation: Relating) -> Relating:
        call = f"dg.{relation.__name__}"
        signature = inspect.signature(relation)
        kind_of = dict(zip(signature.parameters, kinds, strict=True))
        several = {name for name, one in signature.parameters.items() if one.kind is one.VAR_POSITIONAL}

        @wraps(relation)
        def checked(*args: Any, **named: Any) -> Any:
            try:
                bound = signature.bind(*args, **named)
            except TypeError:
                raise _misfit(call, kind_of, signature, args, named) from None
            for name, value in bound.arguments.items():
                kind = kind_of[name]
                bound.arguments[name] = (
                    tuple(kind.of(one, call, name) for one in value) if name in several
                    else kind.of(value, call, name)
                )  # fmt: skip
            return relation(*bound.args, **bound.kwargs)

        return checked  # type: ignore[return-value]

    return decorate


def _misfit(
    call: str, kind_of: Mapping[str, Kind], signature: inspect.Signature, args: tuple[Any, ...],
    named: Mapping[str, Any],
) -> TypeMismatchError:  # fmt: skip
    """Make the error for a call with a wrong number of arguments, or with a wrong name of an argument."""
    parameters = signature.parameters
    usage = f"Write {call}({', '.join(map(_parameter, parameters.values()))}). {_wanted(kind_of)}"
    for name in named:
        if name not in parameters:
            return TypeMismatchError(
                f"{call} has no argument {name}. {usage}", None, nearest(name, parameters)
            )
    by_place = [name for name, one in parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    if len(args) > len(by_place) == len(parameters):
        most = count(len(by_place), "argument")
        return TypeMismatchError(f"{call} takes at most {most}, but it was given {len(args)}. {usage}")
    for name in by_place[: len(args)]:
        if name in named:
            return TypeMismatchError(f"{call} was given two values for its argument {name}. {usage}")
    for name in by_place[len(args) :]:
        if name not in named and parameters[name].default is inspect.Parameter.empty:
            return TypeMismatchError(f"{call} needs a value for its argument {name}. {usage}")
    return TypeMismatchError(f"{call} cannot take its arguments by name here. {usage}")


def _parameter(one: inspect.Parameter) -> str:
    """Write a parameter as in a call: its name, with its default or with a star."""
    if one.kind is one.VAR_POSITIONAL:
        return f"*{one.name}"
    return one.name if one.default is one.empty else f"{one.name}={one.default!r}"


def _wanted(kind_of: Mapping[str, Kind]) -> str:
    """Say which kind each argument has, such as "It needs a shape for a and b, and a number for padding."."""
    names: dict[str, list[str]] = {}
    for name, kind in kind_of.items():
        names.setdefault(kind.told, []).append(name)
    parts = [f"{kind} for {' and '.join(each)}" for kind, each in names.items()]
    return f"It needs {', and '.join(parts)}."
