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
    """Make a function that returns the Jacobian of f. It is computed in forward or in reverse mode.

    We build both, and use the one that runs fewer operations. Usually this is forward mode if f has fewer
    arguments than results, and reverse mode if it has more.

    The Jacobian has the structure of f's result, but each Real in it is replaced by a value with the
    structure of the argument: the derivatives of this Real.
    """
    return derived(f, lambda g: jacobian_fn(g, argnums), "jacobian", 1, ("jacobian", repr(argnums)))


def jacobian_fn(f: Fn, argnums: Any) -> Fn:
    """Make the Jacobian of f in the mode that runs fewer operations.

    If the numbers are equal, forward mode is used.
    """
    forward = jacfwd_fn(f, argnums)
    try:
        reverse = _jacrev(f, argnums)
    except MissingDerivativeError:  # a custom derivative has only a rule for forward mode
        return forward
    return min(forward, reverse, key=lambda made: work(optimise(made.function)))
