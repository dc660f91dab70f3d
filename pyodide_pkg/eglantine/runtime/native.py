"""Run modules on CPython through wasmtime."""

from __future__ import annotations

import _thread
import ctypes
import os
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from eglantine.emit.layout import KERNEL_MODULE
from eglantine.errors import CompileError, LimitError
from eglantine.wasm.encoding import PAGE_BYTES

from .gates import LONGEST_WAIT, Gate, run_for
from .hosts import Abi, HostFunction, Imports, Instance, Stop, Trapped, memory_refused

try:
    import wasmtime
except ImportError:
    wasmtime = None  # type: ignore[assignment]

STACK_BYTES: Final = 2 << 20
"""The size of the stack of compiled code, in bytes. wasmtime's default configuration allows no more."""

FEW_MAPPINGS: Final = 64
"""The number of unused mappings below which a failed allocation is explained by a lack of mappings."""

_ABANDONED: Final = (
    "A second interrupt left this kernel while its opaque function was running, so it cannot run "
    "again. Compile it again."
)

_STOPS: Final = {
    "UNREACHABLE": Stop.UNREACHABLE,
    "STACK_OVERFLOW": Stop.STACK,
    "INTEGER_DIVISION_BY_ZERO": Stop.DIVISION,
    "MEMORY_OUT_OF_BOUNDS": Stop.MEMORY,
}


MOST_RESERVED: Final = 4096
"""The largest number of live memories that reserve 4 GiB of addresses each. Each of them takes two mappings,
and Linux allows a process 65,530 mappings."""

HEAP_BYTES: Final = 1 << 20
"""The largest size in bytes of a memory that lies on the heap if it reserves no addresses."""

PARALLEL_BYTES: Final = 100_000
"""The least size in bytes of a module that several threads compile. In a forked process, one thread does."""

_FIRST_PROCESS: Final = os.getpid()


class _Engines(NamedTuple):
    """The settings of an engine.

    interruptible: if true, compiled code compares the engine's epoch with a limit in every round of a loop
        and in every call.
    lean: if true, a memory reserves no addresses beyond its end. Compiled code then checks the bounds of each
        access.
    heap: if true, memories are allocated on the heap. The operating system then needs no mapping for them,
        but all bytes of a new memory must be written once.
    """

    interruptible: bool
    lean: bool = False
    heap: bool = False

    def engine(self) -> wasmtime.Engine:
        """Return an engine for a new store. If signals may interrupt calls, the store gets its own engine."""
        return self.new(False) if self.interruptible else _shared_engine(self, False)

    def module(self, engine: wasmtime.Engine, wasm: bytes) -> wasmtime.Module:
        """Compile a module for an engine with these settings.

        A pool of threads compiles large modules. A forked process has no such threads, so it does not use the
        pool.
        """
        if len(wasm) < PARALLEL_BYTES or os.getpid() != _FIRST_PROCESS:
            return wasmtime.Module(engine, wasm)
        compiled = wasmtime.Module(_shared_engine(self, True), wasm).serialize()
        return wasmtime.Module.deserialize(engine, compiled)

    def new(self, parallel: bool) -> wasmtime.Engine:
        """Make a new engine."""
        config = wasmtime.Config()
        config.max_wasm_stack = STACK_BYTES
        config.epoch_interruption = self.interruptible
        config.parallel_compilation = parallel
        if self.lean:
            config.memory_reservation = config.memory_guard_size = config.memory_reservation_for_growth = 0
            config.memory_init_cow = False
        if self.heap:
            config.signals_based_traps = False
        return wasmtime.Engine(config)


@lru_cache(maxsize=8)
def _shared_engine(engines: _Engines, parallel: bool) -> wasmtime.Engine:
    return engines.new(parallel)


class WasmtimeHost:
    """The engine wasmtime.

    Several modules use the same engine. A module with its own memory has its own store, so the memory is
    freed when its kernel is freed. A common store for kernels with separate memories would save no addresses,
    and callers of one kernel would have to wait for calls of the other.

    A memory reserves 4 GiB of addresses, so compiled code need not check the bounds of an access. If the
    system refuses the addresses, or many memories exist, a new memory reserves nothing and compiled code
    checks the bounds.

    interruptible: if true, an exception in a signal's handler ends the running call. Each store then has its
        own engine, and compiled code checks for interruptions in every round of a loop and in every call.
    """

    def __init__(self, interruptible: bool = False) -> None:
        self._engines = _Engines(interruptible)
        self._reserved: WeakSet[_Memory] = WeakSet()
        self._most_reserved = MOST_RESERVED

    def instantiate(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Any = None
    ) -> Instance:
        """Instantiate a module, as `hosts.Host` describes it."""
        if wasmtime is None:
            raise CompileError(
                "There is no WebAssembly engine here, but running compiled code needs wasmtime. Run `pip "
                "install eglantine[native]`, or use eg.interp, which needs no engine."
            )
        if lender is not None:
            lender.grow(abi["memory"]["bytes"])
            imports = Imports(abi, hosts) if hosts else lender.imports
            return _live(wasm, abi, imports, lender.engines, lender)
        reserved = len(self._reserved)
        if reserved < self._most_reserved:
            try:
                instance = _live(wasm, abi, Imports(abi, hosts), self._engines)
            except LimitError:
                self._most_reserved = reserved  # the most that fit, until one is released
            else:
                self._reserved.add(instance.memory)
                return instance
        heap = abi["memory"]["bytes"] <= HEAP_BYTES
        return _live(wasm, abi, Imports(abi, hosts), _Engines(self._engines.interruptible, True, heap))

    async def instantiate_async(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Any = None
    ) -> Instance:
        """Instantiate a module synchronously, because on CPython every thread may wait."""
        if lender is None:
            return self.instantiate(wasm, abi, hosts)
        made: Instance = lender.gate.run(abi["name"], self.instantiate, wasm, abi, hosts, lender)
        return made


def _live(
    wasm: bytes, abi: Abi, imports: Imports, engines: _Engines, lender: _Instance | None = None
) -> _Instance:
    """Instantiate a module in the lender's store, or in a new store if there is no lender.

    Raises: CompileError if the engine rejects the module, LimitError if there is no memory for it.
    """
    store = lender.store if lender else wasmtime.Store(engines.engine())
    try:
        module = engines.module(store.engine, wasm)
        wanted: list[Any] = module.imports
        given = [
            lender.exports[entry.name]
            if lender and entry.module == KERNEL_MODULE
            else wasmtime.Func(store, entry.type, imports.functions[entry.module, entry.name])
            for entry in wanted
        ]
        instance = wasmtime.Instance(store, module, given)
    except wasmtime.WasmtimeError as error:
        if "mmap" in str(error) or "allocate" in str(error):
            raise memory_refused(abi["memory"]["bytes"], _lacking()) from None
        raise CompileError(
            f"wasmtime rejected this module ({error}). This is a fault of Eglantine. Please report it."
        ) from error
    return _Instance(store, instance.exports(store), abi, imports, engines, lender)


def _lacking() -> str:
    """Say which limit of the operating system this process has reached. Return "" if we cannot find it."""
    try:
        mappings = Path("/proc/self/maps").read_bytes().count(b"\n")
        most = int(Path("/proc/sys/vm/max_map_count").read_text())
        if mappings > most - FEW_MAPPINGS:
            return f"it takes mappings, and this process has {mappings:,} of {most:,}: vm.max_map_count"
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
    except (ImportError, OSError, ValueError):  # not Linux
        return ""
    if most != resource.RLIM_INFINITY:
        return f"this process may have {most >> 10:,} kB of addresses: ulimit -v"
    return ""


class _Memory:
    """A memory, which several instances may share. `view` is a buffer of the whole memory."""

    __slots__ = ("__weakref__", "_memory", "_store", "view")

    def __init__(self, store: wasmtime.Store, memory: Any) -> None:
        self._store = store
        self._memory = memory
        self.refresh()

    def refresh(self) -> None:
        """Make a new buffer, because the memory has grown."""
        found = self._memory.get_buffer_ptr(self._store) if self._memory else bytearray()
        self.view = memoryview(found).cast("B")

    def grow(self, size: int) -> None:
        missing = -(-(size - len(self.view)) // PAGE_BYTES)
        if missing <= 0:
            return
        try:
            self._memory.grow(self._store, missing)
        except wasmtime.WasmtimeError:
            raise memory_refused(size, _lacking()) from None
        self.refresh()


class _Instance:
    """A module in its store."""

    __slots__ = ("_enter", "_grows", "_trap", "engines", "exports", "gate", "imports", "memory", "store")

    def __init__(
        self,
        store: wasmtime.Store,
        exports: Any,
        abi: Abi,
        imports: Imports,
        engines: _Engines,
        lender: _Instance | None,
    ) -> None:
        self.store = store
        self.imports = imports
        self.exports = exports
        self.engines = engines
        self.gate: Gate = lender.gate if lender else Gate()
        self._trap = exports.get("trap")
        enter = _entry(store, exports[abi["export"]], imports)
        self._enter = _interruptible(store, enter, self.gate) if engines.interruptible else enter
        self._grows = "max_pages" in abi["memory"]
        self.memory: _Memory = (
            lender.memory if lender else _Memory(store, exports.get(abi["memory"]["export"]))
        )

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

    def js(self, loop: Callable[[], tuple[bytes, Abi]]) -> Any:  # noqa: ARG002 - the signature of hosts.Instance
        raise CompileError("k.js exists only in a browser, but this is CPython. Call the kernel itself.")


def _entry(store: Any, main: Any, imports: Imports) -> Callable[[], None]:
    """Return a function that calls `main`, which has no parameters and no results.

    In each call, wasmtime-py looks up the function's type. This takes ten times as long as the call itself,
    so we call wasmtime's C function directly. For this, we use private names of wasmtime-py. If a version
    does not have them, we call `main` in the documented way.
    """
    try:
        return _direct_entry(store, main, imports)
    except (AttributeError, ImportError):
        return _documented_entry(store, main)


def _documented_entry(store: Any, main: Any) -> Callable[[], None]:
    def enter() -> None:
        try:
            main(store)
        except wasmtime.Trap as trap:
            raise _trapped(trap) from None

    return enter


def _direct_entry(store: Any, main: Any, imports: Imports) -> Callable[[], None]:
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
    kept = (store, function, no_values)  # these objects must live as long as their addresses are used

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
        # All threads share LAST_EXCEPTION. A host function in another thread may have set it.
        raised = _func.LAST_EXCEPTION
        if raised is not None and imports.error in (None, raised):
            _func.LAST_EXCEPTION = None
            if imports.error is None and isinstance(stopped, Trapped) and stopped.stop is Stop.OTHER:
                # for example, a signal's handler raised the exception while a host function was called
                raise raised
        raise stopped

    return enter


def _interruptible(store: Any, enter: Callable[[], None], gate: Gate) -> Callable[[], None]:
    """Return a function that calls `enter`, and ends the call if a signal's handler raises an exception.

    Python runs handlers only in the main thread, and only while this thread runs no compiled code. So a
    second thread runs the compiled code while the main thread waits.
    """

    def call() -> None:
        store.set_epoch_deadline(1)
        if threading.current_thread() is not threading.main_thread():
            return enter()
        principal = threading.get_ident()
        raised: list[BaseException] = []
        done = threading.Event()  # an interrupted `Thread.join` may return before the thread has ended

        def run() -> None:
            try:
                run_for(principal, enter)
            except BaseException as error:  # noqa: BLE001 - the waiting thread raises it again
                raised.append(error)
            done.set()

        try:
            _thread.start_new_thread(copy_context().run, (run,))
            while not done.wait(LONGEST_WAIT):
                pass
        except BaseException:  # end the compiled code, but wait for a running opaque function
            store.engine.increment_epoch()
            try:
                done.wait()
            finally:
                if not done.is_set():  # a second signal ended the wait, but the thread is still running
                    gate.close(_ABANDONED)
            raise
        if raised:
            raise raised[0]
        return None

    return call


def _trapped(trap: Any) -> Trapped:
    code = trap.trap_code
    return Trapped(_STOPS.get(code.name, Stop.OTHER) if code else Stop.OTHER)
