"""Turn Python's `for` and `while` over traced values into loop rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.trace.bodies import Body
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.scalars import IndexValue
from eglantine.trace.traced import current_builder
from eglantine.types import FinType

from .variables import State

_COUNT = ".count"
"""The name of the field in a loop's carry that counts the loop's rounds. No variable has such a name."""


def _counted(count: Any, run: Callable[[Any], None]) -> Callable[..., Any]:
    def loop(enter: Callable[[State], None], leave: Callable[[State], State], init: State) -> Any:
        def step(k: Any, carry: State) -> State:
            enter(carry)
            run(k)
            return leave(carry)

        return fori_loop(0, count, step, init)

    return loop


def _stoppable(count: Any, run: Callable[[Any], None], going: Callable[[], Any]) -> Callable[..., Any]:
    extent = max(count.bounds[1], 0) if isinstance(count, IndexValue) else count

    def loop(enter: Callable[[State], None], leave: Callable[[State], State], init: State) -> Any:
        def condition(carry: State) -> Any:
            enter(carry)
            return (carry[_COUNT] < count) & going()

        def step(carry: State) -> State:
            k = FinType(extent)(carry[_COUNT])
            enter(carry)
            run(k)
            return {**leave(carry), _COUNT: k + 1}

        last = while_loop(condition, step, {**init, _COUNT: FinType(extent + 1)(0)})
        return {name: x for name, x in last.items() if name != _COUNT}

    return loop


def _discarded(trial: Callable[[], None]) -> None:
    """Trace code and discard the rows."""
    b = current_builder()
    with Body(b, conditional=True):
        trial()
