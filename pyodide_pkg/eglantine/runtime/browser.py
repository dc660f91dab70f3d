"""Run modules in the JavaScript engine that Pyodide runs in."""

from __future__ import annotations

import json
from _thread import get_ident
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

from eglantine.emit.layout import KERNEL_MODULE
from eglantine.errors import CompileError, EglantineError
from eglantine.wasm.encoding import PAGE_BYTES

from .gates import Gate
from .hosts import Abi, HostFunction, Imports, Instance, Stop, Trapped, memory_refused


class PyodideHost:
    """The JavaScript engine around Pyodide."""

    def instantiate(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Any = None
    ) -> Instance:
        """Instantiate a module synchronously. Browsers limit its size to a few MB on the main thread."""
        import js
        from pyodide.ffi import JsException, to_js

        gate, imports, given = _imports(abi, hosts, lender)
        try:
            module = js.WebAssembly.Module.new(to_js(wasm))
            return _Instance(js.WebAssembly.Instance.new(module, given), abi, imports, gate)
        except JsException as error:
            raise _refused(error, abi) from None

    async def instantiate_async(
        self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction], lender: Any = None
    ) -> Instance:
        """Instantiate a module of any size without blocking the page."""
        import js
        from pyodide.ffi import JsException, to_js

        gate, imports, given = _imports(abi, hosts, lender)
        try:
            made = await js.WebAssembly.instantiate(to_js(wasm), given)
        except JsException as error:
            raise _refused(error, abi) from None
        return _Instance(made.instance, abi, imports, gate)


def _imports(abi: Abi, hosts: Sequence[HostFunction], lender: Any) -> tuple[Gate, Imports, Any]:
    """Return the memory's gate, the host functions, and the JavaScript object of all imports.

    This object contains the proxies of the host functions. If another kernel lends its memory, the object
    also contains that kernel's exports.
    """
    gate = lender.gate if lender else Gate()
    import js
    from pyodide.ffi import create_proxy, to_js

    imports = Imports(abi, hosts) if hosts or not lender else lender.imports
    modules: dict[str, Any] = {}
    if lender is not None:
        lender.grow(abi["memory"]["bytes"])
        modules[KERNEL_MODULE] = lender.exports
    for (module, name), function in imports.functions.items():
        modules.setdefault(module, {})[name] = create_proxy(_for_js(function, gate))
    return gate, imports, to_js(modules, dict_converter=js.Object.fromEntries)


def _for_js(function: HostFunction, gate: Gate) -> HostFunction:
    """Wrap a host function so that JavaScript can call it. Several results become a JavaScript array.

    While the function runs, the memory of the calling kernel is locked. So no kernel that uses this memory
    can be called.
    """
    from pyodide.ffi import to_js

    def call(*arguments: Any) -> Any:
        by_script = bool(gate.free)  # true if a script called the module: it does not lock the gate
        if by_script:
            del gate.free[0]
            gate.owner = get_ident()
        if gate.cell is not None:
            gate.cell.running = True
        try:
            value = function(*arguments)
        finally:
            if gate.cell is not None:
                gate.cell.running = by_script
            if by_script:
                gate.owner = 0
                gate.free.append(None)
        return to_js(value) if isinstance(value, list) else value

    return call


def _refused(error: Any, abi: Abi) -> EglantineError:
    if "allocat" in str(error) or "out of memory" in str(error).lower():
        return memory_refused(abi["memory"]["bytes"])
    return CompileError(
        f"The browser rejected this module ({error}). This is a fault of Eglantine. Please report it."
    )


class _Instance:
    """A module in the page's engine. It caches a typed array for each piece of memory that it accesses."""

    def __init__(self, instance: Any, abi: Abi, imports: Imports, gate: Gate) -> None:
        from pyodide.ffi import JsException

        self._abi = abi
        self.gate = gate
        self.imports = imports
        exports = self.exports = instance.exports
        self._main = getattr(exports, abi["export"])
        self._trap = getattr(exports, "trap", None)
        self._memory: Any = getattr(exports, abi["memory"]["export"], None)
        self._views: dict[tuple[int, int], Any] = {}
        self._detached = (ValueError, JsException)  # old views raise these errors after the memory has grown
        self._js: Any = None

    def _view(self, at: int, size: int) -> Any:
        view = self._views.get((at, size))
        if view is None:
            from js import Uint8Array

            view = self._views[at, size] = Uint8Array.new(self._memory.buffer, at, size)
        return view

    def write(self, at: int, data: Any) -> None:
        try:
            self._view(at, len(data)).assign(data)
        except self._detached:
            self._views.clear()
            self._view(at, len(data)).assign(data)

    def read(self, at: int, size: int) -> Any:
        try:
            data = self._view(at, size).to_bytes()
            if len(data) == size:
                return data
        except self._detached:
            pass
        self._views.clear()
        return self._view(at, size).to_bytes()

    def size(self) -> int:
        return int(self._memory.buffer.byteLength)

    def grow(self, size: int) -> None:
        from pyodide.ffi import JsException

        missing = -(-(size - self._memory.buffer.byteLength) // PAGE_BYTES)
        if missing > 0:
            try:
                self._memory.grow(missing)
            except JsException:
                raise memory_refused(size) from None

    def refuel(self, units: int) -> None:
        from js import BigInt

        self.exports.fuel.value = BigInt(units)

    def call(self) -> None:
        from pyodide.ffi import JsException

        try:
            self._main()
        except JsException as error:
            self.imports.reraise()
            raise Trapped(_stop(str(error))) from None
        except BaseException:
            self.imports.reraise()
            raise

    def trap(self) -> int:
        if self._trap is None:
            return 0
        number = int(self._trap.value)
        self._trap.value = 0
        return number

    def js(self, loop: Callable[[], tuple[bytes, Abi]]) -> Any:
        """Return the JavaScript function that calls the module. The first call makes this function."""
        if self._js is None:
            import js
            from pyodide.ffi import to_js

            wasm, abi = loop()
            described = [js.JSON.parse(json.dumps(of)) for of in (self._abi, abi)]
            if self.gate.cell is None:
                self.gate.cell = js.Object.new()
            self._js = _kernel_maker()(self.exports, described[0], to_js(wasm), described[1], self.gate.cell)
        return self._js


def _stop(message: str) -> Stop:
    """Find the reason for a stop in the error message of V8, SpiderMonkey or JavaScriptCore."""
    message = message.lower()
    if "unreachable" in message:
        return Stop.UNREACHABLE
    if "stack" in message or "recursion" in message:
        return Stop.STACK
    if "zero" in message:
        return Stop.DIVISION
    if "bounds" in message:
        return Stop.MEMORY
    return Stop.OTHER


@lru_cache(maxsize=1)
def _kernel_maker() -> Any:
    """Evaluate `kernel.js`. Return its function, which makes the JavaScript function of a kernel."""
    from pyodide.code import run_js
    from pyodide.ffi import JsException

    source = resources.files(__package__).joinpath("kernel.js").read_text(encoding="utf-8")
    try:
        return run_js(source)
    except JsException as error:
        raise CompileError(
            f"This page forbids evaluating JavaScript ({error}), but k.js needs it. Instantiate "
            "k.wasm with the page's own code, as k.abi describes."
        ) from None
