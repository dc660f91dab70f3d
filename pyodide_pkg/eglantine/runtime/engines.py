"""Choose the engine that runs WebAssembly here: the browser or wasmtime."""

from __future__ import annotations

import sys
from functools import lru_cache

from .hosts import Host


def default_host(interruptible: bool = False) -> Host:
    """Return the host for this Python: the page's engine in a browser, wasmtime elsewhere."""
    return _host(sys.platform, interruptible)


@lru_cache(maxsize=2)
def _host(platform: str, interruptible: bool) -> Host:
    if platform == "emscripten":
        from .browser import PyodideHost

        return PyodideHost()
    from .native import WasmtimeHost

    return WasmtimeHost(interruptible)
