"""Run a function in several threads at once. The other functions are examples that threads can call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import eglantine as eg

THREADS = 8
N = 40
V = eg.Vec(N, eg.Real)


def in_threads(work: Callable[[int], Any]) -> list[Any]:
    """Run work(0) to work(7) in eight threads at the same time. Return the results.

    If a thread raises an exception, raise this exception.
    """
    start = threading.Barrier(THREADS)
    found: list[Any] = [None] * THREADS
    errors: list[BaseException] = []

    def run(k: int) -> None:
        try:
            start.wait()
            found[k] = work(k)
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    threads = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "a thread waits forever"
    if errors:
        raise errors[0]
    return found


@eg.fn
def polynomial(x: eg.Real, y: eg.Real) -> eg.Real:
    return x * x * 3.0 - y * 2.0 + 1.0


@eg.fn
def scaled(v: V, x: eg.Real) -> V:
    return eg.vec(N, lambda i: v[i] * x + 1.0)
