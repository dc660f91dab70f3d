"""Running modules on CPython, in wasmtime."""

from __future__ import annotations

import _thread
import ctypes
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import lru_cache
from typing import Any, Final

from .errors import CompileError
from .hosts import Abi, HostFunction, Imports, Instance, Stop, Trapped, memory_refused
from .layout import KERNEL_MODULE
from .wasm import PAGE_BYTES

try:
    import wasmtime
except ImportError:
    wasmtime = None  # type: ignore[assignment]

STACK_BYTES: Final = 2 << 20
"""The most stack that compiled code may use: as much as wasmtime allows without being set up for more."""

LONGEST_WAIT: Final = 0.1
"""Seconds after which Windows sees a signal, where no wait ends by one."""

_STOPS: Final = {
    "UNREACHABLE": Stop.UNREACHABLE,
    "STACK_OVERFLOW": Stop.STACK,
    "INTEGER_DIVISION_BY_ZERO": Stop.DIVISION,
    "MEMORY_OUT_OF_BOUNDS": Stop.MEMORY,
}


class WasmtimeHost:
    """wasmtime: one engine for all modules, and a store for each, so that memory is freed with its kernel.

    interruptible: whether a signal whose handler raises ends what runs. Each module then has an engine of its
    own, and looks at that engine's epoch in every round of a loop and call of a function.
    """

    memory = None

    def __init__(self, interruptible: bool = False) -> None:
        self.interruptible = interruptible

    def instantiate(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Any = None
    ) -> Instance:
        """A live module; see `hosts.Host`."""
        if wasmtime is None:
            raise CompileError(
                "Found no WebAssembly engine, expected wasmtime; run `pip install eglantine[native]`, or use "
                "eg.interp to run without one."
            )
        if lender is None:
            engine = _new_engine(True) if self.interruptible else _engine()
            store, imports, lent = wasmtime.Store(engine), Imports(abi, hosts), {}
        else:
            store, lent = lender.store, lender.exports
            imports = Imports(abi, hosts) if hosts else lender.imports
            lender.grow(abi["memory"]["bytes"])
        try:
            module = wasmtime.Module(store.engine, wasm)
            wanted: list[Any] = module.imports
            given = [
                lent[entry.name]
                if entry.module == KERNEL_MODULE
                else wasmtime.Func(store, entry.type, imports.functions[entry.module, entry.name])
                for entry in wanted
            ]
            instance = wasmtime.Instance(store, module, given)
        except wasmtime.WasmtimeError as error:
            if "mmap" in str(error) or "allocate" in str(error):
                raise memory_refused(abi["memory"]["bytes"]) from None
            raise CompileError(
                f"Found a module that wasmtime does not take ({error}); expected a valid one. This is a "
                "fault of Eglantine's; please report it."
            ) from error
        memory, interruptible = (lender or self).memory, (lender or self).interruptible
        return _Instance(store, instance.exports(store), abi, imports, memory, interruptible)

    async def instantiate_async(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Any = None
    ) -> Instance:
        """The same: wasmtime has no thread that must not wait."""
        return self.instantiate(wasm, abi, hosts, lender)


@lru_cache(maxsize=1)
def _engine() -> wasmtime.Engine:
    return _new_engine(False)


def _new_engine(interruptible: bool) -> wasmtime.Engine:
    config = wasmtime.Config()
    config.max_wasm_stack = STACK_BYTES
    config.epoch_interruption = interruptible
    return wasmtime.Engine(config)


class _Memory:
    """A memory, which several instances may share; `view` is all of it as a buffer."""

    __slots__ = ("_memory", "_store", "view")

    def __init__(self, store: wasmtime.Store, memory: Any) -> None:
        self._store = store
        self._memory = memory
        self.refresh()

    def refresh(self) -> None:
        """Take the buffer anew: the memory has grown."""
        found = self._memory.get_buffer_ptr(self._store) if self._memory else bytearray()
        self.view = memoryview(found).cast("B")

    def grow(self, size: int) -> None:
        missing = -(-(size - len(self.view)) // PAGE_BYTES)
        if missing <= 0:
            return
        try:
            self._memory.grow(self._store, missing)
        except wasmtime.WasmtimeError:
            raise memory_refused(size) from None
        self.refresh()


class _Instance:
    """A module in its store."""

    __slots__ = ("_enter", "_grows", "_trap", "exports", "imports", "interruptible", "memory", "store")

    def __init__(
        self,
        store: wasmtime.Store,
        exports: Any,
        abi: Abi,
        imports: Imports,
        memory: _Memory | None,
        interruptible: bool,
    ) -> None:
        self.store = store
        self.imports = imports
        self.exports = exports
        self._trap = exports.get("trap")
        enter = _entry(store, exports[abi["export"]])
        self._enter = _interruptible(store, enter) if interruptible else enter
        self.interruptible = interruptible
        self._grows = "max_pages" in abi["memory"]
        self.memory = memory or _Memory(store, exports.get(abi["memory"]["export"]))

    def size(self) -> int:
        return len(self.memory.view)

    def write(self, at: int, data: Any) -> None:
        self.memory.view[at : at + len(data)] = data

    def read(self, at: int, size: int) -> memoryview:
        return self.memory.view[at : at + size]

    def call(self) -> None:
        try:
            self._enter()
        except BaseException:
            self.imports.reraise()
            raise
        finally:
            if self._grows:
                self.memory.refresh()

    def grow(self, size: int) -> None:
        self.memory.grow(size)

    def refuel(self, units: int) -> None:
        self.exports["fuel"].set_value(self.store, wasmtime.Val.i64(units))

    def trap(self) -> int:
        if self._trap is None:
            return 0
        number: int = self._trap.value(self.store)
        self._trap.set_value(self.store, 0)
        return number

    def js(self, loop: Callable[[], tuple[bytes, Abi]]) -> Any:  # noqa: ARG002 - as hosts.Instance has it
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


def _interruptible(store: Any, enter: Callable[[], None]) -> Callable[[], None]:
    """What calls `enter` and ends it by the next epoch where a signal's handler raises.

    Python runs handlers in its main thread, between instructions of its own; so that thread waits, and
    another one is in the compiled code.
    """

    def call() -> None:
        store.set_epoch_deadline(1)
        if threading.current_thread() is not threading.main_thread():
            return enter()
        raised: list[BaseException] = []
        done = threading.Event()  # an interrupted `Thread.join` may take its thread for ended

        def run() -> None:
            try:
                enter()
            except BaseException as error:  # noqa: BLE001 - raised again by who waits
                raised.append(error)
            done.set()

        try:
            _thread.start_new_thread(copy_context().run, (run,))
            while not done.wait(LONGEST_WAIT):
                pass
        except BaseException:
            store.engine.increment_epoch()
            done.wait()
            raise
        if raised:
            raise raised[0]
        return None

    return call


def _trapped(trap: Any) -> Trapped:
    code = trap.trap_code
    return Trapped(_STOPS.get(code.name, Stop.OTHER) if code else Stop.OTHER)
