"""Gates: one call at a time for kernels that share a memory."""

from __future__ import annotations

import os
import threading
from _thread import get_ident
from collections.abc import Callable
from typing import Any, Final

from eglantine.errors import EglantineError

LONGEST_WAIT: Final = 0.1
"""Seconds after which a waiting thread looks again even if no other thread has woken it."""

_FORKED: Final = (
    "Another thread was running this kernel when this process was forked, so it cannot run here. "
    "Compile it again in this process."
)
_CIRCLE: Final = (
    "Threads wait for each other: {name} is being run by a thread that waits for a kernel which "
    "this thread runs. Call kernels in one order, or compile kernels of their own for opaque "
    "functions."
)
_WITHIN: Final = (
    "{name} was called within a call of it, or of a kernel that shares its memory, as when an "
    "opaque function calls the kernel that it is called from. Both calls use the same memory, so "
    "one must end before the other begins. Compile another kernel for the inner call."
)


class Gate:
    """Lets one thread at a time use a memory and the engine's store that the memory is in.

    free: has one element while nobody uses the memory, else none. `del free[0]` takes the memory: that is one
        instruction, hence atomic. No signal handler can run between it and a `try` right after it, as one
        can after the call of a lock's method. It also takes a third of a lock's time.
    owner: the thread that took it; else 0.
    waiting: how many threads wait.
    cell: in Pyodide, the object by which scripts know that a call is going on; None until one asks.
    """

    __slots__ = ("_broken", "_condition", "_process", "cell", "free", "owner", "waiting")

    def __init__(self) -> None:
        self.free: list[None] = [None]
        self.owner = 0
        self.waiting = 0
        self.cell: Any = None
        self._broken = ""
        self._condition = threading.Condition()
        self._process = os.getpid()

    def run(self, name: str, action: Callable[..., Any], *args: Any) -> Any:
        """Run action(*args) while no other thread uses the memory.

        name: the kernel's name, for messages.
        Raises: what `wait` and the action raise.
        """
        me = get_ident()
        while True:  # `Kernel.__call__` repeats these lines, as a call would double their time
            free = self.free
            try:
                del free[0]
                break
            except IndexError:
                self.wait(me, name)
        self.owner = me
        try:
            return action(*args)
        finally:
            self.owner = 0
            free.append(None)
            if self.waiting:
                self.wake()

    def wait(self, me: int, name: str) -> None:
        """Return when the memory may be free; the caller then tries again.

        me: the thread that calls.
        Raises: EglantineError if the memory can never be free for this thread.
        """
        if self._process != os.getpid():
            self._renew()
        if self._broken:
            raise EglantineError(self._broken)
        principals = _principals(me)
        if self.owner in principals:
            raise EglantineError(_WITHIN.format(name=name))
        condition, outer = self._condition, _awaited.get(me)
        with condition:
            self.waiting += 1
            _awaited[me] = self
            try:
                if self._in_circle(principals):
                    condition.wait(LONGEST_WAIT)  # the states that we read may not have held at the same time
                    if self._in_circle(principals):
                        raise EglantineError(_CIRCLE.format(name=name))
                elif not self.free:
                    condition.wait(LONGEST_WAIT)
            finally:
                self.waiting -= 1
                if outer is None:
                    _awaited.pop(me, None)
                else:
                    _awaited[me] = outer

    def wake(self) -> None:
        """Wake one of the waiting threads."""
        if self._process != os.getpid():
            self._renew()
            return
        with self._condition:
            self._condition.notify()

    def close(self, reason: str) -> None:
        """Let no thread in from now on; each gets an error with this sentence."""
        self._broken = reason
        self.free = []

    def _renew(self) -> None:
        """Reset in a forked child, which has only the thread that forked."""
        self._process = os.getpid()
        self._condition = threading.Condition()
        self.waiting = 0
        if not self.free and self.owner != threading.main_thread().ident:
            self._broken = _FORKED

    def _in_circle(self, principals: set[int]) -> bool:
        """Whether the thread inside this gate waits, directly or through others, for one of these threads."""
        gate: Gate | None = self
        seen: set[int] = set()
        while gate is not None and gate.owner and gate.owner not in seen:
            owner = gate.owner
            if owner in principals:
                return True
            seen.add(owner)
            waits = [awaited for thread, awaited in _awaited.copy().items() if owner in _principals(thread)]
            gate = waits[0] if waits else None
        return False


# A gate must know what the threads of a process wait for, so this state is the process's, not a module's.
_awaited: dict[int, Gate] = {}
"""The gate of each waiting thread, by the thread."""
_principal: dict[int, int] = {}
"""The principal of each thread that runs compiled code for another thread, by the thread."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_awaited.clear)


def run_for(principal: int, action: Callable[[], None]) -> None:
    """Run action() in this thread for the thread `principal`, which waits in the meantime."""
    me = get_ident()
    _principal[me] = principal
    try:
        action()
    finally:
        del _principal[me]


def _principals(thread: int) -> set[int]:
    """Return the thread, the thread that waits for its work, and so on."""
    found = {thread}
    while (thread := _principal.get(thread, 0)) and thread not in found:
        found.add(thread)
    return found
