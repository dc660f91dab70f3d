"""Call derivatives outside a trace. The first call is interpreted, and later calls run compiled code.

The interpreter and the compiled code return the same bits. An `fn` never changes, so the `fn` itself is the
key of its derivatives in the cache. A plain function may read variables that have changed since the last
call. So each call traces the function again, and uses compiled code if an earlier trace had the same rows.
"""

from __future__ import annotations

import atexit
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

from eglantine.emit.module import emit
from eglantine.errors import CompileError, EglantineError, LimitError
from eglantine.ir.printer import pretty, reachable
from eglantine.ir.program import NESTING, Function
from eglantine.optimise.pipeline import optimise, ready_library
from eglantine.plain.symbolic import current
from eglantine.runtime.kernel import Kernel
from eglantine.trace.tracer import by_position
from eglantine.types import Type

from .fn import Fn, argument_types, as_fn, check_function

KEPT: Final = 512
"""The largest number of functions in the cache. The least recently used function is removed first."""


class Run:
    """An `fn` that is interpreted in its first call and compiled for its second call."""

    def __init__(self, f: Fn) -> None:
        self.f = f
        self._calls = 0
        self._kernel: Kernel | None = None

    def __call__(self, args: Sequence[Any], interpreted: Callable[..., Any] | None = None) -> Any:
        """Compute f's value for plain arguments, one for each parameter.

        interpreted: the function to call if there is no kernel. By default, it interprets f. We also call it
            if the kernel raises an error. So the error message does not depend on whether there is a kernel.
        """
        self._calls += 1
        if self._calls == 2:
            self._kernel = _kernel_of(self.f.function)
        if self._kernel is not None and not any(arg is ... for arg in args):
            try:
                return self._kernel(*args)
            except EglantineError:
                pass
        return (interpreted or self.f.interpreted)(*args)

    def let_go(self) -> None:
        """Forget the kernel."""
        self._kernel = None


_runs: OrderedDict[Hashable, Run] = OrderedDict()


@atexit.register
def _let_go() -> None:
    """Free the kernels at exit, before the WebAssembly engine is gone."""
    for run in _runs.values():
        run.let_go()


def run_for(key: Hashable, make: Callable[[], Fn]) -> Run:
    """Return the cached `Run` for a key. If there is none, make a `Run` of make() and cache it."""
    run = _runs.get(key)
    if run is None:
        run = _runs.setdefault(key, Run(make()))
        while len(_runs) > KEPT:
            _runs.popitem(last=False)
    else:
        _runs.move_to_end(key)
    return run


def _kernel_of(function: Function) -> Kernel | None:
    """Compile a function. Return None if that fails, or if the function calls Python or prints."""
    token = current.set(None)
    try:
        artifact = emit(optimise(function), ready_library, name=function.name)
        if artifact.abi["imports"]:
            return None
        return Kernel(artifact, function.params, function.result, interruptible=_may_not_end(function))
    except (CompileError, LimitError):
        return None
    finally:
        current.reset(token)


def _may_not_end(function: Function) -> bool:
    """True if a function has a while loop. Users must be able to stop such a function with Ctrl-C."""
    pending = [callee.block for callee in reachable(function) if callee.block is not None]
    while pending:
        for row in pending.pop().rows:
            if row[0] in NESTING:
                if getattr(row[2], "test", None):
                    return True
                pending.extend(row[2].blocks)
    return False


def _key_of(f: Any, g: Fn) -> Hashable:
    """Make a key for the cache. Functions with equal keys have the same derivatives.

    f: the user's function. g: the `fn` that was made from f.
    """
    callees = reachable(g.function)
    rules = tuple(callee.rule for callee in callees)
    if isinstance(f, Fn):
        return g.function, rules
    function = g.function
    return function.params, function.result, pretty(function), tuple(callees[1:]), rules


def call_derivative(f: Any, g: Fn, what: Hashable, make: Callable[[Fn], Fn], args: Sequence[Any]) -> Any:
    """Return make(g)(*args). Outside a trace, the first call is interpreted, and the second compiles make(g).

    f: the user's function. g: the `fn` that was made from f.
    what: a key that names the derivative and its options.
    """
    if current.get() is not None or g.hidden:
        return make(g)(*args)
    run = run_for((what, _key_of(f, g)), lambda: make(g))
    return run(args, None if run.f is g else lambda *args: make(g).interpreted(*args))


def with_run(f: Any, g: Fn, what: Hashable, make: Callable[[Fn], Fn]) -> Fn:
    """Return make(g). Outside a trace, its first call is interpreted, and later calls run compiled code."""
    made = make(g)
    if current.get() is None and not g.hidden and not made.hidden:
        made.run = run_for((what, _key_of(f, g)), lambda: make(g))
    return made


class Specialised:
    """A function f without types, transformed by a transform such as `grad`. Each call traces f.

    make: the transform, which takes an `Fn` and returns an `Fn`. order: how often it differentiates f.
    what: a key that names the transform and its options. With None, calls outside a trace are not compiled.
    """

    def __init__(
        self, f: Any, make: Callable[[Fn], Fn], name: str, order: int, what: Hashable = None
    ) -> None:
        self.f = f
        self.make = make
        self.order = order
        self.what = what
        self.__name__ = name
        self.__wrapped__ = f

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the transformed function."""
        args = tuple(by_position(self.f, args, named))
        types = argument_types(args)
        if self.what is None:
            return self.specialise(types)(*args)
        return call_derivative(self.f, as_fn(self.f, types, self.order), self.what, self.make, args)

    def specialise(self, types: Sequence[Type], order: int = 0) -> Fn:
        """Return the transformed function for arguments of these types.

        order: the number of times that the caller will differentiate the transformed function.
        """
        return self.make(as_fn(self.f, types, self.order + order))


def derived(f: Any, make: Callable[[Fn], Fn], name: str, order: int = 0, what: Hashable = None) -> Any:
    """Return make(f) if f is an `Fn`. Otherwise return a function whose calls trace f and call `make`.

    name: the name of the returned function. order: how often `make` differentiates f.
    what: a key that names the transform and its options. With None, calls outside a trace are not compiled.
    """
    check_function(f)
    if not isinstance(f, Fn):
        return Specialised(f, make, name, order, what)
    return make(f) if what is None else with_run(f, f, what, make)
