"""Jacobians by the mode that needs fewer operations."""

from __future__ import annotations

from typing import Any

from eglantine.analysis.work import work
from eglantine.errors import MissingDerivativeError
from eglantine.optimise.pipeline import optimise

from .eager import derived
from .fn import Fn
from .jacobians import _jacrev, jacfwd_fn


def jacobian(f: Any, argnums: Any = 0) -> Any:
    """The function that returns the Jacobian of f by forward or by reverse mode.

    Both modes are built, and the one that runs fewer operations is used. So a function with few arguments and
    many results uses forward mode. A function with many arguments and few results uses reverse mode.

    The Jacobian has the structure of the result, with the structure of the argument in place of each Real.
    """
    return derived(f, lambda g: jacobian_fn(g, argnums), "jacobian", 1, ("jacobian", repr(argnums)))


def jacobian_fn(f: Fn, argnums: Any) -> Fn:
    """The Jacobian of f by the mode that runs fewer operations.

    If both run equally many, forward mode is used.
    """
    forward = jacfwd_fn(f, argnums)
    try:
        reverse = _jacrev(f, argnums)
    except MissingDerivativeError:  # a custom derivative exists only for forward mode
        return forward
    return min(forward, reverse, key=lambda made: work(optimise(made.function)))
