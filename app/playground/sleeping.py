"""`time.sleep` in a program of the playground: it blocks, as it does everywhere else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE_SECONDS: Final = 0.02
"""A sleeping program looks this often whether it is to stop."""


def blocking(wait: Callable[[float], object]) -> Callable[[float], None]:
    """A `sleep` that blocks.

    wait: blocks for a number of milliseconds, and raises KeyboardInterrupt if the program is to stop.
    """

    def sleep(seconds: float, /) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")  # CPython's words
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            wait(1000 * min(left, SLICE_SECONDS))

    return sleep
