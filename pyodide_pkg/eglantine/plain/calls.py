"""The arguments of a call: by position, by name, or by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def positional(
    names: Sequence[str], args: Sequence[Any], named: Mapping[str, Any], defaults: Mapping[str, Any]
) -> tuple[Any, ...] | None:
    """All arguments by position, or None if a parameter gets no argument or a name is not expected.

    names: the parameters' names. args, named: the arguments by position and by name. defaults: values of
        parameters that the call leaves out.

    >>> positional(["x", "y", "z"], [1.0], {"z": 3.0}, {"y": 2.0})
    (1.0, 2.0, 3.0)
    """
    rest = names[len(args) :]
    if not named.keys() <= set(rest) or not set(rest) <= named.keys() | defaults.keys():
        return None
    return (*args, *(named[name] if name in named else defaults[name] for name in rest))
