"""Compute Jacobians in forward or reverse mode, whichever needs fewer operations."""

from __future__ import annotations

from typing import Any

from eglantine.analysis.work import work
from eglantine.errors import MissingDerivativeError
from eglantine.optimise.pipeline import optimise

from .eager import derived
from .fn import Fn
from .jacobians import _jacrev, jacfwd_fn


def jacobian(f: Any, argnums: Any = 0) -> Any:
    """Make a function that returns the Jacobian of f. It uses either forward mode or reverse mode.

    We build the code for both modes, and use the code that runs fewer operations. Usually this is forward
    mode if f has fewer arguments than results, and reverse mode if f has more arguments than results.

    The Jacobian has the structure of f's result, but with a gradient in place of each Real. A gradient has
    the structure of the argument.
    """
    return derived(f, lambda g: jacobian_fn(g, argnums), "jacobian", 1, ("jacobian", repr(argnums)))


def jacobian_fn(f: Fn, argnums: Any) -> Fn:
    """Make the Jacobian of f in the mode that runs fewer operations.

    If both modes run equally many operations, use forward mode.
    """
    forward = jacfwd_fn(f, argnums)
    try:
        reverse = _jacrev(f, argnums)
    except MissingDerivativeError:  # f has a custom derivative that works only in forward mode
        return forward
    return min(forward, reverse, key=lambda made: work(optimise(made.function)))
