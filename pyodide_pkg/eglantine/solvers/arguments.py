"""The arguments that all solvers share: a function, a start, and further arguments of the function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.fn import Fn, argument_types, as_fn, check_function
from eglantine.plain.typeof import shown
from eglantine.types import Type


def function_and_types(f: Any, x0: Any, args: Any) -> tuple[Fn, Sequence[Type], tuple[Any, ...]]:
    """Return f as an fn, the types of all its arguments, and the arguments after x as a tuple.

    Raises: TypeMismatchError if f is not a function, or if args is not a sequence of the right length.
    """
    check_function(f)
    args = _as_tuple(args)
    made = as_fn(f, argument_types((x0, *args)), 2)
    types = made.function.params
    if len(types) != 1 + len(args):
        made(x0, *args)  # this raises the error about the number of arguments
    return made, types, args


def _as_tuple(args: Any) -> tuple[Any, ...]:
    if not isinstance(args, tuple | list):
        raise TypeMismatchError(
            "args must be a tuple with one value for each further argument, but here it is "
            f"{shown(args)}. Write args=(a,)."
        )
    return tuple(args)
