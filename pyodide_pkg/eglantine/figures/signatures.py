"""Name the parameters of a function. Figures read these names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from eglantine.functions.fn import Fn, fn
from eglantine.types import Real


def taking(names: Sequence[str], function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a function with a new name and new parameter names."""

    def made(*given: Any) -> Any:
        return function(*given)

    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD
    made.__signature__ = inspect.Signature([inspect.Parameter(one, kinds) for one in names])  # type: ignore[attr-defined]
    made.__name__ = name
    return made


def traced(
    names: Sequence[str], function: Callable[..., Any], name: str, types: Sequence[Any] | None = None
) -> Fn:
    """Trace a function. Give it a name, names for its parameters, and types (by default Real)."""
    result: Fn = fn(list(types or [Real] * len(names)))(taking(names, function, name))
    return result
