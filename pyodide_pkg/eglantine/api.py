"""The functions that compile and run: `compile`, `compile_async`, `compile_artifact`, `jit`, `interp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eglantine.emit.artifact import Artifact
from eglantine.emit.layout import MAX_MEMORY_BYTES, MEMORY_LIMIT
from eglantine.emit.module import emit
from eglantine.functions.fn import Fn, argument_types, as_fn, bound_arguments, check_function, types_of
from eglantine.interpreter.arithmetic import arithmetic_of
from eglantine.interpreter.machine import run as run_interpreter
from eglantine.ir.printer import pretty
from eglantine.ir.program import Function
from eglantine.mathlib.library import library
from eglantine.optimise.fastmath import approximated
from eglantine.optimise.pipeline import optimise, ready_library
from eglantine.plain.marshal import flatten, unflatten
from eglantine.plain.symbolic import current
from eglantine.plain.typeof import type_of
from eglantine.runtime.kernel import Kernel, kernel_async
from eglantine.trace.tracer import by_position, trace
from eglantine.words.spelling import began, listed

from .errors import TypeMismatchError
from .leaves import leaves
from .types import Type


def _fn_of(f: Any, types: Sequence[Any] | None, call: str = "eg.compile(f{})") -> Fn:
    """Return f as an `Fn` that can be compiled.

    call: a call that error messages recommend. It contains `{}` at the place for the types.
    Raises: TypeMismatchError if the types of f's arguments are not known, or if f uses values of an enclosing
        trace.
    """
    check_function(f)
    if types is None and not isinstance(f, Fn):
        name = getattr(f, "__name__", "f")
        told = "a lambda" if name == "<lambda>" else name
        raise TypeMismatchError(
            f"{began(told)} cannot be compiled, because the types of its arguments are not known. Use an "
            f"eg.fn, or write {call.format(', [types]')} with the types of its arguments, such as [eg.Real] "
            "for one Real."
        )
    listed_types = types_of(() if types is None else types, call.format(", [eg.Real]"))
    g = as_fn(f, listed_types)
    if types is not None and listed_types != g.function.params:
        raise TypeMismatchError(
            f"{g.__name__} has parameters of the types {g.function.params!r}, but this call asks for the "
            f"types {listed_types!r}. Leave the types out: write {call.format('')}."
        )
    if g.hidden:
        raise TypeMismatchError(
            f"{g.__name__} uses values of an enclosing trace, but a compiled function can use only its "
            "arguments. Pass these values as arguments."
        )
    return g if g.function.block is not None else _wrapped(g)


def _wrapped(g: Fn) -> Fn:
    """Return a function that calls the opaque function `g`. It has rows, so it can be compiled."""
    calling, _ = trace(
        g, g.function.params, g.function.result, name=g.__name__, param_names=g.function.param_names
    )
    return Fn(calling, (), g.__wrapped__)


Memory = Kernel | Mapping[str, tuple[Kernel, str]] | int | None


def compile_artifact(
    f: Any,
    types: Sequence[Any] | None = None,
    *,
    memory: Memory = None,
    fuel: bool = False,
    fastmath: bool = False,
) -> Artifact:
    """Compile a function to a WebAssembly module and its ABI, so that any host can run it.

    types, memory, fastmath: the same arguments as those of `compile`.
    fuel: if true, the module counts fuel, which limits the work of a call.
    Raises: LimitError if engines would reject the module, or if the module needs more than `memory`. The
        message states the limit.
    """
    return _emitted(_fn_of(f, types).function, memory, fuel, fastmath)[0]


def _emitted(
    function: Function, memory: Memory, fuel: bool, fastmath: bool
) -> tuple[Artifact, Kernel | None]:
    """Compile a function. Return the artifact, and the kernel that lends its memory (or None)."""
    limit, lender, lent = _memory_plan(function, memory)
    token = current.set(None)
    try:
        ready = optimise(approximated(function) if fastmath else function)
        base = lender.memory_end if lender else 0
        artifact = emit(
            ready, ready_library, name=function.name, fuel=fuel, limit=limit, base=base, lent=lent
        )
    finally:
        current.reset(token)
    return artifact, lender


def _placed(function: Function, memory: Memory, fuel: bool, fastmath: bool) -> tuple[Artifact, Kernel | None]:
    """Compile a function. If it uses another kernel's memory, also reserve memory for its arrays.

    If another module has just reserved this memory, compile the function again for the next free part.
    """
    while True:
        artifact, lender = _emitted(function, memory, fuel, fastmath)
        if lender is None or lender.reserve(artifact.abi):
            return artifact, lender


def _memory_plan(function: Function, memory: Memory) -> tuple[int, Kernel | None, dict[str, Any]]:
    """Read the argument `memory` of `compile`.

    Return the number of bytes that the new kernel may use, the kernel that lends its memory (or None), and a
    dict. For each parameter that reads the lending kernel's memory, the dict contains the leaves to read.
    """
    if memory is None:
        return MEMORY_LIMIT, None, {}
    if isinstance(memory, Kernel):
        return MEMORY_LIMIT, memory, {}
    if isinstance(memory, int) and not isinstance(memory, bool) and 0 < memory <= MAX_MEMORY_BYTES:
        return memory, None, {}
    if not isinstance(memory, Mapping) or not memory:
        raise TypeMismatchError(
            f"The memory must be a kernel, a limit in bytes (up to {MAX_MEMORY_BYTES:,}), or a "
            f'dict, but it is {memory!r}. Write memory={{"x": (k, "return")}} to read the parameter x '
            "from the result of the kernel k."
        )
    types = dict(zip(function.param_names, function.params, strict=False))
    lent, lenders = {}, []
    places: Mapping[str, Any] = memory
    for name, given in places.items():
        if not isinstance(given, tuple) or len(given) != 2 or not isinstance(given[0], Kernel):
            raise TypeMismatchError(
                f"In `memory`, the value of {name!r} must be a pair of a kernel and a name (of a parameter, "
                f'or "return"), but it is {given!r}. Write memory={{{name!r}: (k, "return")}}.'
            )
        kernel, place = given
        lender, of, place_lent = kernel.lend(place)
        if name not in types:
            raise TypeMismatchError(
                f"{function.name} has no parameter {name!r}, but `memory` names it. Name one of the "
                f"parameters of this function: {listed([*types])}."
            )
        if leaves(types[name]) != leaves(of):
            raise TypeMismatchError(
                f"The parameter {name!r} shares memory with {place!r} of {lender!r}, but their types are "
                f"{types[name]!r} and {of!r}. Make the types the same."
            )
        lent[name] = place_lent
        lenders.append(lender)
    if not all(map(lenders[0].shares_with, lenders)):
        raise TypeMismatchError(
            "The kernels in `memory` must share one memory, but they do not. Compile them with memory=."
        )
    return MEMORY_LIMIT, lenders[0], lent


def compile(
    f: Any,
    types: Sequence[Any] | None = None,
    *,
    memory: Memory = None,
    fuel: int | None = None,
    fastmath: bool = False,
    interruptible: bool = False,
) -> Kernel:
    """Compile f to WebAssembly. Return a kernel, which takes and returns ordinary Python values.

    types: the types of the arguments, for a function that does not declare them.
    memory: the number of bytes that the kernel may use, by default 1 GiB. If you pass another kernel, the new
        kernel uses the other kernel's memory, and places its own arrays after the other kernel's arrays. If
        you pass a dict, parameters of the new kernel read an argument or the result of another kernel. For
        example, after `k2 = eg.compile(g, memory={"v": (k1, "return")})`, the parameter v of k2 is the result
        of k1. Call `k1(x)` and then `k2(...)`. The argument `...` means that the value is already in memory,
        so nothing is copied. If several threads call these kernels, hold a lock during both calls. The memory
        is freed with the last kernel that uses it.
    fuel: a limit on the work of a call, in units. Each round of a loop takes one unit, and so does each call
        of a function that is not inlined. When no unit is left, the call raises FuelError. You can then call
        the kernel again. `k.fuel = n` changes the limit.
    fastmath: if true, some expressions are replaced by faster ones that round differently. For a constant c,
        x / c becomes x · (1/c), with an error of at most 1.5 instead of 0.5 ulp. x / y / z becomes x / (y ·
        z), which is as accurate unless the product y · z overflows or underflows. A sum that is written out,
        such as a + b + c + d, is added in pairs, as (a + b) + (c + d). For n terms, the error is at most
        log₂ n half ulps instead of n half ulps. (This ulp is the ulp of the sum of |terms|.) The sign of a
        small sum may change. Rounded quotients (`//`, `%`), loops and the library's functions do not change.
    interruptible: if true, Ctrl-C stops a running call on CPython, and so does a signal whose handler raises
        an error. A round of a loop then takes about 3 ns more, and a call about 40 µs more. If the
        kernel uses another kernel's memory, it takes this setting from the other kernel.
    Raises: CompileError if there is no engine to run the module. LimitError if the module is too large. The
        message states the limit.
    """
    g = _fn_of(f, types)
    function = g.function
    artifact, lender = _placed(function, memory, fuel is not None, fastmath)
    kernel = Kernel(
        artifact, function.params, function.result, artifact.hosts, fuel=fuel, lender=lender,
        interruptible=interruptible,
    )  # fmt: skip
    _tell_origin(kernel, g, fastmath)
    return kernel


async def compile_async(
    f: Any,
    types: Sequence[Any] | None = None,
    *,
    memory: Memory = None,
    fuel: int | None = None,
    fastmath: bool = False,
) -> Kernel:
    """Compile like `compile`, without blocking a page's main thread while the engine compiles."""
    g = _fn_of(f, types)
    function = g.function
    artifact, lender = _placed(function, memory, fuel is not None, fastmath)
    kernel = await kernel_async(
        artifact, function.params, function.result, artifact.hosts, fuel=fuel, lender=lender
    )
    _tell_origin(kernel, g, fastmath)
    return kernel


def _tell_origin(kernel: Kernel, g: Fn, fastmath: bool) -> None:
    """Set four attributes of a kernel: `function`, `defaults`, `print_stages` and `points_loop`."""
    function, abi = g.function, kernel.abi

    def print_stages() -> dict[str, str]:
        passes: list[tuple[str, Any]] = []
        optimise(function, passes)
        return {"traced": pretty(function)} | {name: pretty(block) for name, block in passes}

    def points_loop(base: int) -> tuple[bytes, dict[str, Any]] | None:
        from eglantine.optimise.batches import batched  # imported on first use

        token = current.set(None)
        try:
            return batched(optimise(approximated(function) if fastmath else function), abi, base)
        finally:
            current.reset(token)

    kernel.function, kernel.print_stages, kernel.defaults = function, print_stages, g.defaults
    kernel.points_loop = points_loop


class Jit:
    """A function that Eglantine compiles once for each combination of argument types."""

    def __init__(self, f: Callable[..., Any]) -> None:
        check_function(f)
        self.__wrapped__ = f
        self.__name__ = getattr(f, "__name__", "f")
        self.__doc__ = f.__doc__
        self._functions: dict[Any, Fn] = {}
        self._kernels: dict[tuple[Type, ...], Kernel] = {}

    def __repr__(self) -> str:
        return f"<jit {self.__name__}>"

    def specialise(self, types: Sequence[Type], order: int = 0) -> Fn:
        """Return the function for these argument types.

        The first call with these types and this order of derivative traces the function.
        """
        around = current.get()
        order += around.order if around else 0
        key = (tuple(types), order)
        function = self._functions.get(key)
        if function is None:
            token = current.set(None)
            try:
                function = self._functions.setdefault(key, as_fn(self.__wrapped__, key[0], order))
            finally:
                current.reset(token)
        return function

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the kernel for the types of the arguments. The first call with these types compiles it.

        During a trace, record a call of the function instead.
        """
        args = tuple(by_position(self.__wrapped__, args, named))
        types = (
            argument_types(args) if not isinstance(self.__wrapped__, Fn) else self.__wrapped__.function.params
        )
        if current.get() is not None:
            return self.specialise(types)(*args)
        kernel = self._kernels.get(types)
        if kernel is None:
            kernel = self._kernels.setdefault(types, compile(self.specialise(types)))
        return kernel(*args)


def jit(f: Callable[..., Any]) -> Jit:
    """Return a function that compiles f for each combination of argument types. f needs no annotations."""
    return Jit(f)


def interp(f: Any) -> Callable[..., Any]:
    """Return a function that interprets f on any numeric type: floats, Fractions, intervals, or your own.

    Whole-number constants stay exact ints. Other constants are converted to the type of the arguments. For
    floats, functions such as exp run as programs of our own library. For another type, `exp(x)` calls the
    method `exp` of x.
    """
    check_function(f)

    def run(*args: Any) -> Any:
        g = as_fn(f, [type_of(arg) for arg in args]) if not isinstance(f, Fn) else f
        function = g.function
        args = bound_arguments(g, args)
        values = [
            value for arg, of, k in zip(args, function.params, range(len(args)), strict=True)
            for value in flatten(arg, of, f"argument {k} of {g.__name__}", any_number=True)
        ]  # fmt: skip
        return unflatten(function.result, run_interpreter(function, values, library))

    return run


__all__ = [
    "Artifact",
    "Jit",
    "Kernel",
    "arithmetic_of",
    "compile",
    "compile_artifact",
    "compile_async",
    "interp",
    "jit",
]
