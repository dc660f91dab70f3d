"""Give a function the names of its parameters, which figures read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from eglantine.functions.fn import Fn, fn
from eglantine.types import Real


def taking(names: Sequence[str], function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function with another name, and with these names for its parameters."""

    def made(*given: Any) -> Any:
        return function(*given)

    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD
    made.__signature__ = inspect.Signature([inspect.Parameter(one, kinds) for one in names])  # type: ignore[attr-defined]
    made.__name__ = name
    return made


def traced(
    names: Sequence[str], function: Callable[..., Any], name: str, types: Sequence[Any] | None = None
) -> Fn:
    """The function with these names for its parameters, traced. By default, the parameters are Reals."""
    result: Fn = fn(list(types or [Real] * len(names)))(taking(names, function, name))
    return result
