"""The arguments of a kernel's call: by position, by name, or by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.calls import positional
from eglantine.words.spelling import count, listed


def arguments_of(
    kernel: str,
    names: Sequence[str],
    args: Sequence[Any],
    named: Mapping[str, Any],
    defaults: Mapping[str, Any],
) -> tuple[Any, ...]:
    """Return the arguments of a call in the order of the parameters. Fill in default values.

    kernel: the name of the kernel.
    names: the names of the kernel's parameters.
    Raises: TypeMismatchError unless each parameter gets one argument.
    """
    every = positional(names, args, named, defaults)
    if not named and (every is None or len(args) > len(names)):
        raise TypeMismatchError(
            f"{kernel} takes {count(len(names), 'argument')} ({', '.join(names)}), but this call gives "
            f"{len(args)}. Give one for each parameter."
        )
    if every is None:
        rest = names[len(args) :]
        because = "" if rest else ", because all arguments are given by position"
        raise TypeMismatchError(
            f"{kernel} takes {listed(rest) or 'nothing'} by name here{because}, but this call "
            f"gives {listed(sorted(named))}. Its parameters are {', '.join(names)}."
        )
    return every
