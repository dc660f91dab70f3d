"""The interface to engines: wasmtime and the browser both implement it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Protocol

from eglantine.errors import LimitError

from .gates import Gate

Abi = dict[str, Any]
"""The contract between a module and its caller; see `docs/architecture.md`."""

HostFunction = Callable[..., Any]
"""A function that a module imports: it takes scalars, and returns None, a scalar, or a list of scalars."""


class Stop(Enum):
    """The reasons why compiled code stops before its end."""

    UNREACHABLE = "unreachable"
    STACK = "call stack exhausted"
    DIVISION = "division by zero"
    MEMORY = "access beyond the memory"
    OTHER = "an unknown trap"


class Trapped(Exception):  # noqa: N818
    """Compiled code stopped before its end; `stops.error_of` turns this into an error with a sentence."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.value)
        self.stop = stop


class Instance(Protocol):
    """A live module: its memory and its entry. Only callers that have passed its gate call its methods."""

    gate: Gate
    """The gate of its memory, and of all instances that share the memory."""

    def size(self) -> int:
        """Return how many bytes its memory has now."""

    def grow(self, size: int) -> None:
        """Grow its memory to at least `size` bytes.

        Raises: LimitError if the engine has no more to give.
        """

    def refuel(self, units: int) -> None:
        """Give the next call a number of units of fuel."""

    def write(self, at: int, data: Any) -> None:
        """Copy an object with the buffer protocol, of bytes, into memory."""

    def read(self, at: int, size: int) -> Any:
        """Return a buffer of `size` bytes of memory, valid until the next call."""

    def call(self) -> None:
        """Run the entry.

        Raises: Trapped; or what a host function raised, as it was raised.
        """

    def trap(self) -> int:
        """Return the number of the trap that stopped the module (the ABI's first is 1), or 0; reset it."""

    def js(self, loop: Callable[[], tuple[bytes, Abi]]) -> Any:
        """Return the JavaScript function that calls the module without Python, if there can be one.

        loop: makes the module that loops over points, and its ABI.
        """


class Host(Protocol):
    """An engine: it makes instances."""

    def instantiate(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Instance | None = None
    ) -> Instance:
        """Instantiate a module.

        hosts: the functions it imports, in the order of the ABI's imports.
        lender: the instance whose exports it imports too, its memory among them, which then both have.

        Raises: CompileError if the engine does not take the module.
        """

    async def instantiate_async(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Instance | None = None
    ) -> Instance:
        """Instantiate a module without blocking a page's main thread."""


def memory_refused(size: int, lacking: str = "") -> LimitError:
    """Return the error for memory that an engine does not give.

    lacking: the resource that is used up, if it is known.
    """
    because = f" ({lacking})" if lacking else ""
    return LimitError(
        f"A kernel needs {size:,} bytes of memory{because}, but the engine does not have them. Use "
        "fewer or smaller arrays, or let go of other kernels."
    )


class Imports:
    """Host functions as an engine calls them: with numbers only, and without Python's exceptions.

    error: the exception that one of them raised in the last call.
    functions: by (module, name). Each takes numbers and returns a number, None or a list of numbers.
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
