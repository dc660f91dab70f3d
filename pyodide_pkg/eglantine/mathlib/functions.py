"""Find the bodies of the library's functions by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.rules import LIBRARY

from . import explog, hyperbolic, inverse_trig, remainders, roots, special, trig

_MODULES: Final = (explog, trig, inverse_trig, roots, hyperbolic, special, remainders)

SHARED: Final = (
    hyperbolic.half_exp,
    special.lgamma_positive,
    special.polygamma_size,
    trig.sin_quadrant,
    trig.remainder_huge,
    remainders.remainder_rare,
    remainders.remainder_large,
)
"""Helper functions, which other functions call through `o.call`. No primitive has one of their names."""


def _body(name: str) -> Callable[..., Any]:
    """Find the function `name` in the module that defines it."""
    for module in _MODULES:
        function: Callable[..., Any] | None = getattr(module, name, None)
        if function is not None and function.__module__ == module.__name__:
            return function
    raise LookupError(f"The primitive {name!r} has no body. Add a function of that name to mathlib.")


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    **{name: _body(name) for name, primitive in PRIMITIVES.items() if primitive.wasm is LIBRARY},
    **{function.__name__: function for function in SHARED},
}
"""Maps names to functions: one function for each primitive that calls the library, and those in SHARED."""


def arity(name: str) -> int:
    """The number of f64 arguments of the named function."""
    return FUNCTIONS[name].__code__.co_argcount - 1
