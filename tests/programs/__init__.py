"""Generate random well-typed programs for the laws.

`choices` makes random decisions, `drawing` turns them into plans, and `tracing` turns plans into functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from eglantine.errors import MissingDerivativeError
from tests.programs.choices import Choices, Recorded, drawn, shrunk
from tests.programs.drawing import PLAIN, Style, plan
from tests.programs.plans import REAL, Plan, tangent
from tests.programs.tracing import HOSTS, function_of

__all__ = [
    "HOSTS", "REAL", "Choices", "Plan", "Recorded", "Style", "arguments", "drawn", "function_of", "plan",
    "plans", "shrunk", "tangents_of", "where_differentiable",
]  # fmt: skip


def where_differentiable(test: Callable[..., None]) -> Callable[..., None]:
    """Wrap a test. If a program needs a derivative that is not implemented, the test skips the program."""

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        try:
            test(*args, **named)
        except MissingDerivativeError:
            reject()

    return run


@st.composite
def plans(draw: Any, style: Style = PLAIN, *, scalar: bool = False, size: int = 10) -> Plan:
    """A strategy of plans. See `drawing.plan`."""
    return plan(drawn(draw), style, scalar=scalar, size=size)


@st.composite
def arguments(draw: Any, of: Plan, *, wild: bool = False) -> list[Any]:
    """Draw the arguments of a program with Hypothesis. If `wild`, include infinities, NaN and −0."""
    return of.arguments(drawn(draw), wild=wild)


@st.composite
def tangents_of(draw: Any, of: Any) -> Any:
    """Draw a tangent with Hypothesis. The tangent's type `of` contains only Reals and Units."""
    return tangent(of, drawn(draw))
