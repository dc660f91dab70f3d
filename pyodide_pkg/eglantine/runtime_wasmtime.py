"""Running modules on CPython, in wasmtime."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from .errors import CompileError
from .hosts import Abi, HostFunction, Imports, Instance, Stop, Trapped

try:
    import wasmtime
except ImportError:
    wasmtime = None  # type: ignore[assignment]

STACK_BYTES: Final = 2 << 20
"""The most stack that compiled code may use: as much as wasmtime allows without being set up for more."""

_STOPS: Final = {
    "UNREACHABLE": Stop.UNREACHABLE,
    "STACK_OVERFLOW": Stop.STACK,
    "INTEGER_DIVISION_BY_ZERO": Stop.DIVISION,
    "MEMORY_OUT_OF_BOUNDS": Stop.MEMORY,
}


class WasmtimeHost:
    """wasmtime: one engine for all modules, and a store for each, so that memory is freed with its kernel."""

    def instantiate(self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction]) -> Instance:
        """A live module; see `hosts.Host`."""
        if wasmtime is None:
            raise CompileError(
                "Found no WebAssembly engine, expected wasmtime; run `pip install eglantine[native]`, or use "
                "eg.interp to run without one."
            )
        store = wasmtime.Store(_engine())
        imports = Imports(abi, hosts)
        try:
            module = wasmtime.Module(store.engine, wasm)
            wanted: list[Any] = module.imports
            functions = [
                wasmtime.Func(store, entry.type, imports.functions[entry.module, entry.name])
                for entry in wanted
            ]
            instance = wasmtime.Instance(store, module, functions)
        except wasmtime.WasmtimeError as error:
            raise CompileError(
                f"Found a module that wasmtime does not take ({error}); expected a valid one. This is a "
                "fault of Eglantine's; please report it."
            ) from error
        return _Instance(store, instance.exports(store), abi, imports)

    async def instantiate_async(self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction]) -> Instance:
        """The same: wasmtime has no thread that must not wait."""
        return self.instantiate(wasm, abi, hosts)


@lru_cache(maxsize=1)
def _engine() -> wasmtime.Engine:
    config = wasmtime.Config()
    config.max_wasm_stack = STACK_BYTES
    return wasmtime.Engine(config)


class _Instance:
    """A module in its store; `memory` is its memory, as a buffer."""

    __slots__ = ("_enter", "_imports", "_store", "_trap", "memory")

    def __init__(self, store: wasmtime.Store, exports: Any, abi: Abi, imports: Imports) -> None:
        self._store = store
        self._imports = imports
        self._trap = exports.get("trap")
        self._enter = _entry(store, exports[abi["export"]])
        memory = exports.get(abi["memory"]["export"])
        self.memory = memoryview(memory.get_buffer_ptr(store) if memory else bytearray()).cast("B")

    def write(self, at: int, data: Any) -> None:
        self.memory[at : at + len(data)] = data

    def read(self, at: int, size: int) -> memoryview:
        return self.memory[at : at + size]

    def call(self) -> None:
        try:
            self._enter()
        except BaseException:
            self._imports.reraise()
            raise

    def trap(self) -> int:
        if self._trap is None:
            return 0
        number: int = self._trap.value(self._store)
        self._trap.set_value(self._store, 0)
        return number

    @property
    def js(self) -> Any:
        raise CompileError(
            "Found CPython, expected a browser: k.js exists only there; call the kernel itself."
        )


# ---------------------------------------------------------------- entering compiled code


def _entry(store: Any, main: Any) -> Callable[[], None]:
    """What calls `main`, a function without parameters and results.

    wasmtime-py's own call looks up the function's type each time and takes ten times as long as the C
    function behind it. Where that is not found under the names of today, its own call serves.
    """
    try:
        return _direct_entry(store, main)
    except (AttributeError, ImportError):
        return _documented_entry(store, main)


def _documented_entry(store: Any, main: Any) -> Callable[[], None]:
    def enter() -> None:
        try:
            main(store)
        except wasmtime.Trap as trap:
            raise _trapped(trap) from None

    return enter


def _direct_entry(store: Any, main: Any) -> Callable[[], None]:
    from wasmtime import _bindings, _func

    address = ctypes.c_void_p
    call = ctypes.CFUNCTYPE(address, address, address, address, ctypes.c_size_t, address)(
        ctypes.cast(_bindings._wasmtime_func_call_unchecked, address).value or 0
    )
    error_type: Any = ctypes.POINTER(_bindings.wasmtime_error_t)
    trap_type: Any = ctypes.POINTER(_bindings.wasm_trap_t)
    context = ctypes.cast(store._context(), address).value
    function, no_values, trap = main._func, _bindings.wasmtime_val_raw_t(), address()
    places = (context, ctypes.addressof(function), ctypes.addressof(no_values), 0, ctypes.addressof(trap))
    kept = (store, function, no_values)  # alive for as long as their addresses are used

    def enter(_: Any = kept) -> None:
        error = call(*places)
        if not (error or trap.value):
            return
        stopped: Exception
        if error:
            stopped = wasmtime.WasmtimeError._from_ptr(ctypes.cast(error, error_type))
        else:
            stopped = _trapped(wasmtime.Trap._from_ptr(ctypes.cast(trap, trap_type)))
            trap.value = None
        _func.maybe_raise_last_exn()  # what a host function raised, which is else kept for the next call
        raise stopped

    return enter


def _trapped(trap: Any) -> Trapped:
    code = trap.trap_code
    return Trapped(_STOPS.get(code.name, Stop.OTHER) if code else Stop.OTHER)
