"""Derivatives that are called outside a trace: they are interpreted first, and compiled when called again.

The interpreter and compiled code give the same bits. An `fn` never changes, so the object itself is the key
of its cached derivatives. A plain function may read names that have changed since its last call. So we trace
it again for each call, and use the compiled code only if the new trace has the same rows.
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
"""We keep at most this many functions: those that were used last."""


class Run:
    """An `fn` that is interpreted in its first call and compiled for its second call."""

    def __init__(self, f: Fn) -> None:
        self.f = f
        self._calls = 0
        self._kernel: Kernel | None = None

    def __call__(self, args: Sequence[Any], interpreted: Callable[..., Any] | None = None) -> Any:
        """Compute f's value for plain arguments, one for each parameter.

        interpreted: called as long as there is no kernel, by default f's interpreter. It is also called if
            the kernel raises an error, so that the user sees the same error in every call.
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
    """The cached `Run` for a key. If there is none, cache one for make()."""
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
    """True if a function has a while loop, which Ctrl-C must be able to end."""
    pending = [callee.block for callee in reachable(function) if callee.block is not None]
    while pending:
        for row in pending.pop().rows:
            if row[0] in NESTING:
                if getattr(row[2], "test", None):
                    return True
                pending.extend(row[2].blocks)
    return False


def _key_of(f: Any, g: Fn) -> Hashable:
    """A key that two functions share only if they have the same derivatives.

    f: the user's function. g: its `fn`.
    """
    callees = reachable(g.function)
    rules = tuple(callee.rule for callee in callees)
    if isinstance(f, Fn):
        return g.function, rules
    function = g.function
    return function.params, function.result, pretty(function), tuple(callees[1:]), rules


def call_derivative(f: Any, g: Fn, what: Hashable, make: Callable[[Fn], Fn], args: Sequence[Any]) -> Any:
    """Return make(g)(*args). Outside a trace, make(g) is compiled for its second call.

    f: the user's function. g: its `fn`. what: names the derivative and its options.
    """
    if current.get() is not None or g.hidden:
        return make(g)(*args)
    run = run_for((what, _key_of(f, g)), lambda: make(g))
    return run(args, None if run.f is g else lambda *args: make(g).interpreted(*args))


def with_run(f: Any, g: Fn, what: Hashable, make: Callable[[Fn], Fn]) -> Fn:
    """Return make(g), which is interpreted in its first call outside a trace and compiled for later calls."""
    made = make(g)
    if current.get() is None and not g.hidden and not made.hidden:
        made.run = run_for((what, _key_of(f, g)), lambda: make(g))
    return made


class Specialised:
    """The transform of a function f without types. Each call applies it to f with the types of the arguments.

    what: names the transform and its options. If it is None, calls outside a trace are not compiled.
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
        """Apply the transform for the types of these arguments, and return its result."""
        args = tuple(by_position(self.f, args, named))
        types = argument_types(args)
        if self.what is None:
            return self.specialise(types)(*args)
        return call_derivative(self.f, as_fn(self.f, types, self.order), self.what, self.make, args)

    def specialise(self, types: Sequence[Type], order: int = 0) -> Fn:
        """The transform for arguments of these types.

        order: how often the caller will differentiate the transform.
        """
        return self.make(as_fn(self.f, types, self.order + order))


def derived(f: Any, make: Callable[[Fn], Fn], name: str, order: int = 0, what: Hashable = None) -> Any:
    """Apply `make` to f. If f's types are not known, return a function that applies `make` when it is called.

    order: how often `make` differentiates f.
    what: names the transform and its options. If it is None, calls outside a trace are not compiled.
    """
    check_function(f)
    if not isinstance(f, Fn):
        return Specialised(f, make, name, order, what)
    return make(f) if what is None else with_run(f, f, what, make)
