"""Make the error for a run that stopped early. The module's trap or the engine gives the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from eglantine import errors
from eglantine.errors import CompileError, EglantineError, LimitError, ShapeError, span_of
from eglantine.ir.traps import DIVIDED_BY_ZERO

from .hosts import Abi, Instance, Stop


class Stopped(Protocol):
    """The parts of an artifact that are needed to explain a trap."""

    @property
    def abi(self) -> Abi:
        """The contract, which has the message of each trap."""

    @property
    def trap_sources(self) -> Sequence[Any]:
        """For each trap of the ABI, the source of the row that traps. Empty if the sources are unknown."""


def error_of(stop: Stop, instance: Instance, artifact: Stopped) -> EglantineError:
    """Return the error to raise for a call that stopped."""
    number = instance.trap()
    if number:
        trap = artifact.abi["traps"][number - 1]
        kind = getattr(errors, trap.get("error", "ShapeError"))
        sources = artifact.trap_sources
        error: EglantineError = kind(trap["message"], span_of(sources[number - 1]) if sources else None)
        return error
    match stop:
        case Stop.STACK:
            return LimitError(
                "These calls nest deeper than the engine's stack allows. Nest them less deeply."
            )
        case Stop.DIVISION:
            return ShapeError(DIVIDED_BY_ZERO)
    return CompileError(
        f"The compiled code stopped ({stop.value}), which it never should. This is a fault of "
        "Eglantine. Please report it."
    )
