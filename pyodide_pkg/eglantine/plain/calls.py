"""Put the arguments of a call in order, whether they are given by position, by name or by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def positional(
    names: Sequence[str], args: Sequence[Any], named: Mapping[str, Any], defaults: Mapping[str, Any]
) -> tuple[Any, ...] | None:
    """Return the arguments in the order of the parameters, or None if they do not fit the parameters.

    names: the names of the parameters.
    args: the arguments that the call gives by position.
    named: the arguments that the call gives by name.
    defaults: the default values, by the names of their parameters.

    >>> positional(["x", "y", "z"], [1.0], {"z": 3.0}, {"y": 2.0})
    (1.0, 2.0, 3.0)
    """
    rest = names[len(args) :]
    if not named.keys() <= set(rest) or not set(rest) <= named.keys() | defaults.keys():
        return None
    return (*args, *(named[name] if name in named else defaults[name] for name in rest))
