"""Find the function of Python or NumPy that was called with a traced value. Say what to write instead."""

from __future__ import annotations

import re
from types import FrameType, ModuleType
from typing import Any

from eglantine.errors import calling_frame, text_at, user_span
from eglantine.words.advice import OF_MATHS

_CALLED = re.compile(r"([A-Za-z_]\w*(?:\.\w+)*)\s*\(")
_LIBRARIES = frozenset({"math", "cmath", "numpy", "scipy", "statistics", "jax", "torch"})

OF_BUILTINS = {
    "float": "Leave float(…) out, because a traced Real is a float already",
    "int": "Write eg.math.trunc(x), which stays a Real, or find an index by comparing",
    "round": "Write eg.math.round(x)",
    "complex": "Write eg.Complex(x, 0.0)",
    "range": "Write eg.fori_loop, eg.vec or eg.sum, which count up to a whole number or an index",
}


def advice_for_call() -> str | None:
    """Find the function that the user's code is calling. Say what to write instead, or return None."""
    function = called(calling_frame(), text_at(user_span()))
    return None if function is None else instead_of(function)


def called(frame: FrameType | None, text: str) -> Any:
    """Find the function that is called, such as np.sin for the text "np.sin(x)". Return None if unknown.

    frame: the stack frame that contains the call. text: the source text of the call.
    """
    match = _CALLED.match(text)
    if match is None or frame is None:
        return None
    first, *rest = match[1].split(".")
    for names in (frame.f_locals, frame.f_globals, frame.f_builtins):
        if first in names:
            value = names[first]
            break
    else:
        return None
    for name in rest:
        if not isinstance(value, ModuleType):
            return None
        value = vars(value).get(name)
    return value


def instead_of(function: Any) -> str | None:
    """Say what to write instead of a function of Python or NumPy ("Write …"), or return None."""
    name = getattr(function, "__name__", "")
    home = str(getattr(function, "__module__", "")).partition(".")[0]
    if home == "builtins":
        return OF_BUILTINS.get(name)
    if home not in _LIBRARIES and type(function).__name__ != "ufunc":
        return None
    ours = OF_MATHS.get(name)
    return (
        f"Write {ours}" if ours else f"Eglantine has no {name}, so compute it with the functions of eg.math"
    )
