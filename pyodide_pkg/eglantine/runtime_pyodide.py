"""Running modules where Pyodide runs: in the page's own engine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

from .errors import CompileError
from .hosts import Abi, HostFunction, Imports, Instance, Stop, Trapped


class PyodideHost:
    """The JavaScript engine around Pyodide."""

    def instantiate(self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction]) -> Instance:
        """A live module, at once: possible in a worker, and on a main thread up to some megabytes."""
        import js
        from pyodide.ffi import JsException, to_js

        imports, proxies = _imports(abi, hosts)
        try:
            module = js.WebAssembly.Module.new(to_js(wasm))
            return _Instance(js.WebAssembly.Instance.new(module, proxies), abi, imports)
        except JsException as error:
            raise _refused(error) from None

    async def instantiate_async(self, wasm: bytes, abi: Abi, hosts: Sequence[HostFunction]) -> Instance:
        """A live module of any size, without blocking the page."""
        import js
        from pyodide.ffi import JsException, to_js

        imports, proxies = _imports(abi, hosts)
        try:
            made = await js.WebAssembly.instantiate(to_js(wasm), proxies)
        except JsException as error:
            raise _refused(error) from None
        return _Instance(made.instance, abi, imports)


def _imports(abi: Abi, hosts: Sequence[HostFunction]) -> tuple[Imports, Any]:
    """The host functions, and the object of proxies of them that the engine wants."""
    import js
    from pyodide.ffi import create_proxy, to_js

    imports = Imports(abi, hosts)
    modules: dict[str, dict[str, Any]] = {}
    for (module, name), function in imports.functions.items():
        modules.setdefault(module, {})[name] = create_proxy(_for_js(function))
    return imports, to_js(modules, dict_converter=js.Object.fromEntries)


def _for_js(function: HostFunction) -> HostFunction:
    """A function whose several results come in a JavaScript array."""
    from pyodide.ffi import to_js

    def call(*arguments: Any) -> Any:
        value = function(*arguments)
        return to_js(value) if isinstance(value, list) else value

    return call


def _refused(error: Any) -> CompileError:
    return CompileError(
        f"Found a module that the browser does not take ({error}); expected a valid one. This is a fault of "
        "Eglantine's; please report it."
    )


class _Instance:
    """A module in the page's engine; pieces of its memory that were asked for are kept as views."""

    def __init__(self, instance: Any, abi: Abi, imports: Imports) -> None:
        from js import Uint8Array

        self._instance = instance
        self._abi = abi
        self._imports = imports
        exports = instance.exports
        self._main = getattr(exports, abi["export"])
        self._trap = getattr(exports, "trap", None)
        memory = getattr(exports, abi["memory"]["export"], None)
        self._memory = Uint8Array.new(memory.buffer if memory is not None else 0)
        self._views: dict[tuple[int, int], Any] = {}
        self._js: Any = None

    def _view(self, at: int, size: int) -> Any:
        view = self._views.get((at, size))
        if view is None:
            view = self._views[at, size] = self._memory.subarray(at, at + size)
        return view

    def write(self, at: int, data: Any) -> None:
        self._view(at, len(data)).assign(data)

    def read(self, at: int, size: int) -> Any:
        return self._view(at, size).to_bytes()

    def call(self) -> None:
        from pyodide.ffi import JsException

        try:
            self._main()
        except JsException as error:
            self._imports.reraise()
            raise Trapped(_stop(str(error))) from None
        except BaseException:
            self._imports.reraise()
            raise

    def trap(self) -> int:
        if self._trap is None:
            return 0
        number = int(self._trap.value)
        self._trap.value = 0
        return number

    @property
    def js(self) -> Any:
        """The JavaScript function; made when first asked for."""
        if self._js is None:
            from js import JSON

            self._js = _kernel_maker()(self._instance.exports, JSON.parse(json.dumps(self._abi)))
        return self._js


def _stop(message: str) -> Stop:
    """Why the engine stopped, by the words of V8, SpiderMonkey or JavaScriptCore."""
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
    """`kernel.js`, evaluated."""
    from pyodide.code import run_js
    from pyodide.ffi import JsException

    source = resources.files(__package__).joinpath("kernel.js").read_text(encoding="utf-8")
    try:
        return run_js(source)
    except JsException as error:
        raise CompileError(
            f"Found a page that forbids evaluating JavaScript ({error}), expected one that allows it for "
            "k.js; instantiate k.wasm with the page's own code, by k.abi."
        ) from None
