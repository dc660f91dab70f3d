"""Compiling and running: `compile`, `compile_async`, `compile_artifact`, `jit`, `interp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .arithmetic import arithmetic_of
from .artifact import Artifact
from .emit import emit
from .errors import TypeMismatchError, user_span
from .functions import Fn, argument_types, as_fn
from .interp import run as run_interpreter
from .ir import Function
from .library import library
from .marshal import flatten, unflatten
from .optimise import optimise, ready_library
from .runtime import Kernel, kernel_async
from .tracer import by_position, trace
from .typeof import type_of
from .types import Type, as_type
from .values import current


def _function_of(f: Any, types: Sequence[Any] | None) -> Function:
    """The closed function to compile.

    Raises: TypeMismatchError if its types are not known, or it uses values of a trace that is going on.
    """
    if types is None and not isinstance(f, Fn):
        raise TypeMismatchError(
            f"Found {f!r} without types to compile it for; expected an eg.fn, or the types of its arguments; "
            "write eg.compile(f, [types]).",
            user_span(),
        )
    g = as_fn(f, [as_type(of) for of in types or ()])
    if g.hidden:
        raise TypeMismatchError(
            f"Found {g.__name__}, which uses values of an enclosing trace; expected a function of its "
            "arguments alone.",
            user_span(),
        )
    return g.function if g.function.block is not None else _wrapped(g)


def _wrapped(g: Fn) -> Function:
    """A function that only calls an opaque one."""
    return trace(
        g, g.function.params, g.function.result, name=g.__name__, param_names=g.function.param_names
    )[0]


def compile_artifact(f: Any, types: Sequence[Any] | None = None, *, fuel: bool = False) -> Artifact:
    """The WebAssembly bytes of a function and their contract, which any host can instantiate.

    types: of the arguments, for a function that has none of its own.
    """
    token = current.set(None)
    try:
        return emit(optimise(_function_of(f, types)), ready_library, fuel=fuel)
    finally:
        current.reset(token)


def compile(f: Any, types: Sequence[Any] | None = None) -> Kernel:
    """A kernel: f compiled to WebAssembly, called with and returning ordinary Python values.

    types: of the arguments, for a function that has none of its own.
    Raises: CompileError if there is no engine to run it.
    """
    function = _function_of(f, types)
    artifact = compile_artifact(f, types)
    kernel = Kernel(artifact, function.params, function.result, artifact.hosts)
    kernel.function = function
    return kernel


async def compile_async(f: Any, types: Sequence[Any] | None = None) -> Kernel:
    """What `compile` returns, without blocking a page's main thread while the engine compiles."""
    function = _function_of(f, types)
    artifact = compile_artifact(f, types)
    kernel = await kernel_async(artifact, function.params, function.result, artifact.hosts)
    kernel.function = function
    return kernel


class Jit:
    """A function compiled for the types of its arguments when it is first called with them."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.__wrapped__ = f
        self.__name__ = getattr(f, "__name__", "f")
        self.__doc__ = f.__doc__
        self._functions: dict[tuple[Type, ...], Fn] = {}
        self._kernels: dict[tuple[Type, ...], Kernel] = {}

    def specialise(self, types: Sequence[Type]) -> Fn:
        """The function for arguments of these types."""
        key = tuple(types)
        found = self._functions.get(key)
        if found is None:
            token = current.set(None)
            try:
                found = self._functions[key] = as_fn(self.__wrapped__, key)
            finally:
                current.reset(token)
        return found

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The function's result, from a kernel made for the arguments' types; within a trace, a call."""
        args = tuple(by_position(self.__wrapped__, args, named))
        types = (
            argument_types(args) if not isinstance(self.__wrapped__, Fn) else self.__wrapped__.function.params
        )
        if current.get() is not None:
            return self.specialise(types)(*args)
        kernel = self._kernels.get(types)
        if kernel is None:
            kernel = self._kernels[types] = compile(self.specialise(types))
        return kernel(*args)


def jit(f: Callable[..., Any]) -> Jit:
    """f compiled when it is called, once for each combination of argument types; it needs no annotations."""
    return Jit(f)


def interp(f: Any) -> Callable[..., Any]:
    """f evaluated by the interpreter on any numeric type: floats, Fractions, intervals, numbers of your own.

    Whole constants stay exact ints; others convert to the arguments' type. A transcendental function runs its
    own rows on floats, and the type's method of that name on others.
    """

    def run(*args: Any) -> Any:
        g = as_fn(f, [type_of(arg) for arg in args]) if not isinstance(f, Fn) else f
        function = g.function
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
