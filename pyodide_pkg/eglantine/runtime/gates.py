"""Gates. A gate is a lock on a memory, so only one call at a time uses the memory."""

from __future__ import annotations

import os
import threading
from _thread import get_ident
from collections.abc import Callable
from typing import Any, Final

from eglantine.errors import EglantineError

LONGEST_WAIT: Final = 0.1
"""The time in seconds after which a waiting thread looks again, even if no other thread has woken it."""

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
    """A lock on a memory and on the engine's store of that memory. Only one thread at a time can lock it.

    free: a list with one element while no thread uses the memory, else empty. `del free[0]` locks the gate.
        This is one instruction, so it is atomic, and no signal handler can run between this instruction and a
        `try` right after it. `threading.Lock.acquire` would take three times as long, and a handler could run
        after the call.
    owner: the identifier of the thread that uses the memory, or 0.
    waiting: the number of threads that wait for the memory.
    cell: in Pyodide, a JavaScript object that shows scripts whether a call is running. It is None until a
        script needs it.
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
        Raises: any error that `wait` or the action raises.
        """
        me = get_ident()
        while True:  # `Kernel.__call__` repeats this code, because a call of `run` would be slower
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
        """Wait until another thread may have freed the memory. The caller then tries to lock the gate again.

        me: the identifier of the calling thread.
        name: the kernel's name, for messages.
        Raises: EglantineError if the calling thread would wait for ever.
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
                    condition.wait(LONGEST_WAIT)  # owners may change while we read them, so we check again
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
        """Close the gate for good. Threads that wait for the memory get an error with the text `reason`."""
        self._broken = reason
        self.free = []

    def _renew(self) -> None:
        """Reset the gate in a forked process, which has only a copy of the thread that called fork."""
        self._process = os.getpid()
        self._condition = threading.Condition()
        self.waiting = 0
        if not self.free and self.owner != threading.main_thread().ident:
            self._broken = _FORKED

    def _in_circle(self, principals: set[int]) -> bool:
        """True if there is a deadlock: the gate's owner is one of the threads `principals`, or waits for one.

        It may wait directly, or for other threads that wait.
        """
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


# These two tables are global, because all gates use them to find deadlocks.
_awaited: dict[int, Gate] = {}
"""For each waiting thread, the gate that it waits for."""
_principal: dict[int, int] = {}
"""For each thread that runs compiled code on behalf of another thread, that other thread."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_awaited.clear)


def run_for(principal: int, action: Callable[[], None]) -> None:
    """Run action() in this thread, for the thread `principal`, which must wait until action() has ended."""
    me = get_ident()
    _principal[me] = principal
    try:
        action()
    finally:
        del _principal[me]


def _principals(thread: int) -> set[int]:
    """Return the thread, its principal (the thread for which it runs code), that thread's principal, …."""
    found = {thread}
    while (thread := _principal.get(thread, 0)) and thread not in found:
        found.add(thread)
    return found
