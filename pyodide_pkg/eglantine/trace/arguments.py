"""Check the arguments that users pass: functions for `vec`, `cond` and loops, and texts to print."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.symbolic import described
from eglantine.words.spelling import began, count


def function(f: Any, place: str, example: str) -> Callable[..., Any]:
    """Check that `f` is a function, and return it.

    place: a phrase for the function, such as "the body of scan". example: a correct call. Error messages
        contain both texts.
    Raises: TypeMismatchError if `f` is not a function.
    """
    if callable(f):
        return f  # type: ignore[no-any-return]
    raise TypeMismatchError(f"{began(place)} must be a function, but it is {described(f)}. Write {example}.")


def result_of(f: Any, place: str, example: str, *args: Any) -> Any:
    """Call f with `args`, and return the result.

    place, example: two texts for error messages, as for `function`.
    Raises: TypeMismatchError if f is not a function or does not take `args`. All errors that f raises.
    """
    try:
        return f(*args)
    except TypeError as error:
        inner = error.__traceback__.tb_next if error.__traceback__ else None
        if inner is not None:  # the error was raised in `f`
            raise
        function(f, place, example)
        raise TypeMismatchError(
            f"{began(place)} must be a function of {count(len(args), 'argument')}, but it is "
            f"{described(f)}{_signature(f)}. Write {example}."
        ) from None


def _signature(f: Any) -> str:
    """Return a function's parameters for an error message, such as " of x, y", or "" if they are unknown."""
    try:
        names = [*inspect.signature(f).parameters]
    except (TypeError, ValueError):
        return ""
    return f" of {', '.join(names)}" if names else " without parameters"


SAMPLES = {"f64": 0.0, "i1": False, "i32": 0}
"""A value for each dtype. To test a text for `debug_print`, we format it with such values."""


def formatted(text: Any, values: Sequence[Any]) -> str:
    """Return text.format(*values).

    Raises: TypeMismatchError if `text` is not a string, or has no place for one of the values.
    """
    if not isinstance(text, str):
        raise TypeMismatchError(
            "eg.debug_print needs a text with a {} for each value, but its first argument is "
            f'{described(text)}. Write eg.debug_print("x = {{}}", x).'
        )
    try:
        told = text.format(*values)
        has_all = not values or "{" in text
    except (IndexError, KeyError, ValueError):
        has_all = False
    if not has_all:
        places = " ".join(["{}"] * len(values)) or "text"
        rest = ", …" if values else ""
        raise TypeMismatchError(
            f"eg.debug_print needs a {{}} in its text for each value, but {text!r} is printed with "
            f'{count(len(values), "value")}. Write eg.debug_print("{places}"{rest}).'
        )
    return told
