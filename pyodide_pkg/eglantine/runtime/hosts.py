"""The interface to an engine. The browser and wasmtime each have a class with this interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Protocol

from eglantine.errors import LimitError

from .gates import Gate

Abi = dict[str, Any]
"""The contract between a module and its caller. `docs/architecture.md` describes it."""

HostFunction = Callable[..., Any]
"""A function that a module imports. It takes scalars, and returns None, a scalar, or a list of scalars."""


class Stop(Enum):
    """The reasons why compiled code stops early."""

    UNREACHABLE = "unreachable"
    STACK = "call stack exhausted"
    DIVISION = "division by zero"
    MEMORY = "access beyond the memory"
    OTHER = "an unknown trap"


class Trapped(Exception):  # noqa: N818
    """Compiled code stopped early. `stops.error_of` turns this exception into the error that users see."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.value)
        self.stop = stop


class Instance(Protocol):
    """A live module with its memory. Lock the gate before you call these methods."""

    gate: Gate
    """The gate of the module's memory. All instances that share the memory have the same gate."""

    def size(self) -> int:
        """Return the current size of the module's memory in bytes."""

    def grow(self, size: int) -> None:
        """Grow the module's memory to at least `size` bytes.

        Raises: LimitError if the engine has no more memory.
        """

    def refuel(self, units: int) -> None:
        """Give the next call a number of units of fuel."""

    def write(self, at: int, data: Any) -> None:
        """Copy bytes, or another buffer of bytes, into memory at address `at`."""

    def read(self, at: int, size: int) -> Any:
        """Return a buffer of the `size` bytes at address `at`. The buffer is valid until the next call."""

    def call(self) -> None:
        """Run the module's main function.

        Raises: Trapped, or the exception that a host function raised.
        """

    def trap(self) -> int:
        """Return the number of the trap that stopped the module, or 0 for none. Reset the stored number to 0.

        The traps of the ABI are numbered from 1.
        """

    def js(self, loop: Callable[[], tuple[bytes, Abi]]) -> Any:
        """Return a JavaScript function that calls the module without Python.

        loop: a function that returns a second module and its ABI. The second module loops over many points.
        Raises: CompileError outside a browser.
        """


class Host(Protocol):
    """An engine, which makes instances."""

    def instantiate(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Instance | None = None
    ) -> Instance:
        """Instantiate a module.

        hosts: the functions that the module imports, in the order of the ABI's imports.
        lender: another instance, or None. If there is a lender, the module also imports the lender's exports
            and uses the lender's memory.

        Raises: CompileError if the engine rejects the module.
        """

    async def instantiate_async(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Instance | None = None
    ) -> Instance:
        """Instantiate a module without blocking a page's main thread."""


def memory_refused(size: int, lacking: str = "") -> LimitError:
    """Return the error for an engine that cannot allocate `size` bytes of memory.

    lacking: the resource that is used up, or "" if it is not known.
    """
    because = f" ({lacking})" if lacking else ""
    return LimitError(
        f"A kernel needs {size:,} bytes of memory{because}, but the engine does not have them. Use "
        "fewer or smaller arrays, or let go of other kernels."
    )


class Imports:
    """The host functions that a module imports, wrapped so that an engine can call them.

    error: the exception that a host function raised in the last call, or None. `reraise` raises it again.
    functions: maps (module, name) to a wrapped function. It takes numbers and returns a number, None or a
        list of numbers.
    """

    __slots__ = ("error", "functions")

    def __init__(self, abi: Abi, hosts: Sequence[HostFunction]) -> None:
        self.error: BaseException | None = None
        self.functions = {
            (entry["module"], entry["name"]): self._ready(host, entry["results"])
            for entry, host in zip(abi["imports"], hosts, strict=True)
        }

    def _ready(self, host: HostFunction, results: Sequence[str]) -> HostFunction:
        convert = [float if dtype == "f64" else int for dtype in results]

        def call(*arguments: Any) -> Any:
            try:
                value = host(*arguments)
                values = value if isinstance(value, list | tuple) else (value,) * len(convert)
                numbers = [to(x) for to, x in zip(convert, values, strict=True)]
            except BaseException as error:
                self.error = error
                raise
            return numbers if len(numbers) > 1 else numbers[0] if numbers else None

        return call

    def reraise(self) -> None:
        """Raise the exception of a host function again, if one raised."""
        error, self.error = self.error, None
        if error is not None:
            raise error
