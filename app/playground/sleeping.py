"""`time.sleep` for programs of the playground. It blocks, as in ordinary Python."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE_SECONDS: Final = 0.02
"""The interval, in seconds, at which a sleeping program checks whether it must stop."""


def blocking(wait: Callable[[float], object]) -> Callable[[float], None]:
    """Make a `sleep` that blocks.

    wait: a function that blocks for a number of milliseconds, and raises KeyboardInterrupt if the program
        must stop.
    """

    def sleep(seconds: float, /) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")  # CPython's words
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            wait(1000 * min(left, SLICE_SECONDS))

    return sleep
