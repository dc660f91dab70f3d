"""Compiled solves. Calls with the same function and types share one kernel."""

from __future__ import annotations

import atexit
import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import Any, Final

from eglantine.api import compile as compile_kernel
from eglantine.errors import CompileError
from eglantine.functions.fn import Fn

KEPT: Final = 128
"""The largest number of kernels that we keep. If there are more, we drop the least recently used kernel."""

_solves: OrderedDict[Hashable, Callable[..., Any]] = OrderedDict()


def solved(key: Hashable, make: Callable[[], Fn], args: Sequence[Any], fuel: int | None = None) -> Any:
    """Call the function that make() returns, with the arguments `args`. Compile it only once for each key.

    fuel: the limit on the work of one call, or None for no limit. Use different keys for different limits.

    If there is no WebAssembly engine, warn once and run the function in the interpreter.
    """
    run = _solves.get(key)
    if run is None:
        run = _solves[key] = _runner(make(), fuel)
        while len(_solves) > KEPT:
            _solves.popitem(last=False)
    else:
        _solves.move_to_end(key)
    return run(*args)


def _runner(f: Fn, fuel: int | None) -> Callable[..., Any]:
    try:
        return compile_kernel(f, interruptible=False, fuel=fuel)
    except CompileError as error:
        _warn(str(error))
        return f.interpreted


@cache
def _warn(reason: str) -> None:
    """Warn that solvers run in the interpreter. Each reason is shown once."""
    warnings.warn(f"Solvers run in the interpreter here, which is slow. {reason}", stacklevel=6)


@atexit.register
def _let_go() -> None:
    """Free the kernels at exit, while the WebAssembly engine still exists."""
    _solves.clear()
