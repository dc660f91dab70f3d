"""Kernels: live compiled functions that take and return ordinary Python values."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Protocol

from . import errors
from .errors import CompileError, EglantineError, LimitError, ShapeError, TypeMismatchError, span_of
from .hosts import Abi, Host, HostFunction, Instance, Stop, Trapped
from .interp import DIVIDED_BY_ZERO
from .marshal import flatten, has_array, unflatten
from .optimise import optimise
from .printer import pretty
from .typeof import count
from .types import Real, Type

ABI_VERSION: Final = 1

_FORMATS: Final = {"f64": "d", "i32": "i"}
_SIZES: Final = {"f64": 8, "i32": 4}
_FLOATS: Final = {float}


class Artifact(Protocol):
    """What emission makes: bytes, their contract, their text, and where each trap comes from."""

    @property
    def wasm(self) -> bytes:
        """The module."""

    @property
    def abi(self) -> Abi:
        """Its contract."""

    @property
    def wat(self) -> str:
        """Its text."""

    @property
    def trap_sources(self) -> Sequence[Any]:
        """For each of the ABI's traps, where in the user's program it belongs; may be left empty."""


def default_host() -> Host:
    """What runs modules here: the page's engine in a browser, wasmtime elsewhere."""
    return _host(sys.platform)


@lru_cache(maxsize=1)
def _host(platform: str) -> Host:
    if platform == "emscripten":
        from .runtime_pyodide import PyodideHost

        return PyodideHost()
    from .runtime_wasmtime import WasmtimeHost

    return WasmtimeHost()


async def kernel_async(
    artifact: Artifact, params: Sequence[Type], result: Type, hosts: Sequence[HostFunction] = ()
) -> Kernel:
    """A kernel, instantiated without blocking the page."""
    instance = await default_host().instantiate_async(artifact.wasm, artifact.abi, hosts)
    return Kernel(artifact, params, result, hosts, instance=instance)


# ---------------------------------------------------------------- where leaves lie in memory


@dataclass(frozen=True, slots=True)
class _Scalars:
    """Scalars that lie side by side: where, how they are packed, and which of the leaves they are."""

    at: int
    packed: struct.Struct
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Array:
    """An array leaf in memory."""

    at: int
    dtype: str
    dims: tuple[int, ...]
    position: int

    @property
    def size(self) -> int:
        """Its bytes."""
        size = _SIZES[self.dtype]
        for n in self.dims:
            size *= n
        return size


def _layout(places: Iterable[Any]) -> tuple[list[_Scalars], list[_Array]]:
    """The scalars, in runs that have no gap, and the arrays among an ABI's leaves."""
    arrays: list[_Array] = []
    runs: list[list[tuple[int, Any]]] = []
    end = None
    for position, place in enumerate(places):
        if place["dims"]:
            arrays.append(_Array(place["at"], place["dtype"], tuple(place["dims"]), position))
            continue
        if place["at"] != end:
            runs.append([])
        runs[-1].append((position, place))
        end = place["at"] + _SIZES[place["dtype"]]
    return [_run(run) for run in runs], arrays


def _run(run: list[tuple[int, Any]]) -> _Scalars:
    packed = struct.Struct("<" + "".join(_FORMATS[place["dtype"]] for _, place in run))
    return _Scalars(run[0][1]["at"], packed, tuple(position for position, _ in run))


def _bytes_of(value: Any, leaf: _Array) -> Any:
    """An array leaf's value, nested lists or a buffer of doubles, as bytes in memory's order."""
    if isinstance(value, memoryview):
        return value.cast("B") if value.nbytes else b""
    for _ in leaf.dims[1:]:
        value = chain.from_iterable(value)
    return memoryview(array(_FORMATS[leaf.dtype], value)).cast("B")


def _array_of(data: Any, leaf: _Array) -> Any:
    """Bytes of memory as an array leaf's value: a buffer of its dimensions, or empty lists."""
    if not leaf.size:
        return _empty(leaf.dims)
    flat: Any = memoryview(data).cast("B")
    return flat.cast(_FORMATS[leaf.dtype], leaf.dims)


def _empty(dims: tuple[int, ...]) -> list[Any]:
    return [_empty(dims[1:]) for _ in range(dims[0])] if dims else []


# ---------------------------------------------------------------- kernels


class Kernel:
    """A compiled function: `kernel(*args)` takes and returns ordinary Python values. It is not re-entrant.

    wasm: the module's bytes.
    abi: the contract by which anything else can call it.
    function: the IR that was compiled, if whoever compiled it says so.
    """

    def __init__(
        self,
        artifact: Artifact,
        params: Sequence[Type],
        result: Type,
        hosts: Sequence[HostFunction] = (),
        *,
        instance: Instance | None = None,
    ) -> None:
        abi = artifact.abi
        if abi["abi"] != ABI_VERSION:
            raise CompileError(
                f"Found a module of ABI {abi['abi']}, expected {ABI_VERSION}; compile it again."
            )
        self.function: Any = None
        self._artifact = artifact
        self._params = tuple(params)
        self._result = result
        self._where = [f"argument {param['name']}" for param in abi["params"]]
        self._instance = instance or default_host().instantiate(artifact.wasm, abi, hosts)
        self._scalars, self._arrays = _layout(place for param in abi["params"] for place in param["leaves"])
        places = abi["result"]["leaves"]
        self._results = len(places)
        self._result_scalars, self._result_arrays = _layout(places)
        self._put_reals = self._quick_write()
        self._get_real = self._quick_read()

    @property
    def wasm(self) -> bytes:
        """The module's bytes."""
        return self._artifact.wasm

    @property
    def abi(self) -> Abi:
        """The versioned contract: where arguments and results lie in memory, and what the module imports."""
        return self._artifact.abi

    @property
    def wat(self) -> str:
        """The module as text."""
        return self._artifact.wat

    @property
    def stages(self) -> dict[str, str]:
        """The program as printed IR after each pass, by the pass's name in order; empty if unknown."""
        if self.function is None:
            return {}
        passes: list[tuple[str, Any]] = []
        optimise(self.function, passes)
        return {"traced": pretty(self.function)} | {name: pretty(block) for name, block in passes}

    @property
    def memory_bytes(self) -> int:
        """How many bytes of memory the module uses."""
        return int(self.abi["memory"]["bytes"])

    @property
    def js(self) -> Any:
        """In a browser, the JavaScript function that calls the module with no Python in between."""
        return self._instance.js

    def __repr__(self) -> str:
        return f"<kernel {self.abi['name']}, {len(self.wasm)} bytes>"

    def __call__(self, *args: Any) -> Any:
        """The function's value.

        Raises: TypeMismatchError, ShapeError; what a host function raises; FuelError.
        """
        numpy = False
        if self._put_reals is not None and len(args) == len(self._params) and set(map(type, args)) == _FLOATS:
            self._put_reals(*args)
        else:
            self._write(args)
            numpy = any(map(has_array, args))
        try:
            self._instance.call()
        except Trapped as trapped:
            raise self._error(trapped.stop) from None
        if self._get_real is not None:
            return self._get_real()
        return unflatten(self._result, self._read(), numpy)

    # ---- memory

    def _quick_write(self) -> Callable[..., None] | None:
        """What writes the arguments if all are floats and all parameters Reals side by side; else None."""
        if self._arrays or len(self._scalars) != 1 or any(of != Real for of in self._params):
            return None
        write, at, pack = self._instance.write, self._scalars[0].at, self._scalars[0].packed.pack
        return lambda *args: write(at, pack(*args))

    def _quick_read(self) -> Callable[[], float] | None:
        """What reads the result if it is one Real; else None."""
        if self._result != Real:
            return None
        read, at, unpack = self._instance.read, self._result_scalars[0].at, struct.Struct("<d").unpack
        return lambda: unpack(read(at, 8))[0]

    def _write(self, args: tuple[Any, ...]) -> None:
        if len(args) != len(self._params):
            expected = ", ".join(where.removeprefix("argument ") for where in self._where)
            raise TypeMismatchError(
                f"Found {count(len(args), 'argument')} of {self.abi['name']}, expected {len(self._params)} "
                f"({expected})."
            )
        values = [
            leaf
            for value, of, where in zip(args, self._params, self._where, strict=True)
            for leaf in flatten(value, of, where, buffers=True)
        ]
        for run in self._scalars:
            self._instance.write(run.at, run.packed.pack(*(values[k] for k in run.positions)))
        for leaf in self._arrays:
            if leaf.size:
                self._instance.write(leaf.at, _bytes_of(values[leaf.position], leaf))

    def _read(self) -> list[Any]:
        values: list[Any] = [None] * self._results
        for run in self._result_scalars:
            numbers = run.packed.unpack(self._instance.read(run.at, run.packed.size))
            for position, number in zip(run.positions, numbers, strict=True):
                values[position] = number
        for leaf in self._result_arrays:
            values[leaf.position] = _array_of(self._instance.read(leaf.at, leaf.size), leaf)
        return values

    # ---- traps

    def _error(self, stop: Stop) -> EglantineError:
        """The error for a run that stopped before its end, as the module or else the engine tells it."""
        number = self._instance.trap()
        if number:
            trap = self.abi["traps"][number - 1]
            kind = getattr(errors, trap.get("error", "ShapeError"))
            sources = self._artifact.trap_sources
            error: EglantineError = kind(trap["message"], span_of(sources[number - 1]) if sources else None)
            return error
        match stop:
            case Stop.STACK:
                return LimitError(
                    "Found calls that nest deeper than the engine's stack; nest them less deeply."
                )
            case Stop.DIVISION:
                return ShapeError(DIVIDED_BY_ZERO)
        return CompileError(
            f"The compiled code stopped ({stop.value}), which it never should. This is a fault of "
            "Eglantine's; please report it."
        )
