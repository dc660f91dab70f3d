"""The functions that users work with: `fn`, `opaque`, and specialisation of plain Python functions."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from eglantine.control_flow.convert import autograph
from eglantine.errors import TypeMismatchError, user_span
from eglantine.interpreter.machine import run as interpret
from eglantine.ir.program import Function
from eglantine.ir.row_types import leaf_row_type
from eglantine.leaves import leaves
from eglantine.mathlib.library import library
from eglantine.plain.calls import positional
from eglantine.plain.marshal import flatten, has_array, unflatten
from eglantine.plain.symbolic import current
from eglantine.plain.typeof import shown
from eglantine.plain.typeof import type_of as plain_type_of
from eglantine.trace.arguments import function
from eglantine.trace.complexes import with_complexes
from eglantine.trace.traced import Traced, lift
from eglantine.trace.tracer import (
    annotated_types,
    check_arity,
    check_no_self_call,
    check_takes,
    parameter_names,
    trace,
)
from eglantine.trace.types_of import type_of
from eglantine.trace.vectors import rows_of, value_of
from eglantine.types import FinType, Type, as_type, written_type
from eglantine.words.spelling import began, count, letters_told, listed, nearest

from .rules import give_rule


class Fn:
    """A traced function, which can be compiled and differentiated.

    Inside a trace, a call adds one row to the trace. Outside a trace, a call computes the result.
    """

    def __init__(self, function: Function, hidden: Sequence[Traced] = (), wrapped: Any = None) -> None:
        self.function = function
        self.hidden = list(hidden)
        self.__wrapped__ = wrapped
        self.__name__ = self.__qualname__ = function.name
        self.__doc__ = getattr(wrapped, "__doc__", None)
        self.run: Callable[..., Any] | None = None

    def __repr__(self) -> str:
        types = ", ".join(map(repr, self.function.params))
        return f"<fn {self.__name__}({types}) -> {self.function.result!r}>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the function. Inside a trace, add a row for the call. Outside a trace, compute the result."""
        args = bound_arguments(self, args, named)
        function = self.function
        b = current.get()
        if b is None:
            return self.interpreted(*args) if self.run is None else self.run(args, self.interpreted)
        places = self._places()
        frame: Any = sys._getframe(1)
        rows = [
            row for arg, of, place in zip(args, function.params, places, strict=True)
            for row in rows_of(b, arg, of, place)
        ]  # fmt: skip
        b.source = (frame.f_code, frame.f_lasti)
        return value_of(
            function.result, b, b.call(function, [*rows, *(lift(b, value) for value in self.hidden)])
        )

    def interpreted(self, *args: Any) -> Any:
        """Compute the value with the interpreter. `args` are plain values, one for each parameter."""
        function = self.function
        values = [
            value for arg, of, place in zip(args, function.params, self._places(), strict=True)
            for value in flatten(arg, of, place)
        ]  # fmt: skip
        results = interpret(function, values, library)
        return unflatten(function.result, results, numpy=any(map(has_array, args)))

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """Map the names of parameters to their default values in the Python function's signature."""
        try:
            parameters = inspect.signature(self.__wrapped__).parameters
        except (TypeError, ValueError):
            return {}
        return {
            name: parameters[name].default
            for name in self.function.param_names
            if name in parameters and parameters[name].default is not inspect.Parameter.empty
        }

    def _places(self) -> list[str]:
        """The words for each argument in messages."""
        return [f"argument {self._name(k)} of {self.__name__}" for k in range(len(self.function.params))]

    def _name(self, k: int) -> str:
        names = self.function.param_names
        return names[k] if k < len(names) else str(k)

    def defjvp(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Give this function a custom derivative: rule(primals, tangents) → (y, dy).

        Forward and reverse mode use the rule, for derivatives of any order. The rule is traced when it is
        first needed. A missing tangent is passed as zeros, and the tangent of a Bool, Fin or Unit as None.

        The rule must be linear in the tangents. Reverse mode transposes the rule, and refuses a rule whose
        rows are not linear. Forward mode checks the rule at a few points before its first use. It skips this
        check if the rule takes long, or calls an impure function, a gradient hook or a fixed point with
        tangents.

        Raises: TypeMismatchError for a function that uses values of an enclosing trace. If the rule is not
            linear, a TypeMismatchError is raised when a derivative is first needed.
        """
        function(rule, "the rule of defjvp", "a function of (primals, tangents) that returns (y, dy)")
        if self.hidden:
            raise TypeMismatchError(
                f"{self.__name__} uses values of an enclosing trace, but a function with a rule for its "
                "derivative can use only its arguments. Pass these values as arguments."
            )
        give_rule(self.function, rule)
        return rule


def bound_arguments(
    f: Fn, args: tuple[Any, ...], named: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Any, ...]:
    """Return the arguments of a call in the order of f's parameters. Fill in default values.
    Raises: TypeMismatchError unless each parameter gets exactly one argument or has a default.
    """
    names = f.function.param_names
    expected = len(f.function.params)
    if named or len(args) < expected:
        every = positional(names, args, named, f.defaults)
        if every is None and named:
            raise _wrong_names(f, named, names[len(args) :])
        args = args if every is None else every
    if len(args) != expected:
        listed_names = f" ({', '.join(names)})" if names else ""
        raise TypeMismatchError(
            f"{f.__name__} takes {count(expected, 'argument')}{listed_names}, but this call gives "
            f"{len(args)}. Write {_call_of(f)}."
        )
    return args


def _wrong_names(f: Fn, named: Mapping[str, Any], rest: Sequence[str]) -> TypeMismatchError:
    """Return the error for a call of f that gives arguments by wrong names.

    named: the keyword arguments of the call.
    rest: the names of the parameters that get no positional argument in this call.
    """
    unknown = next((name for name in named if name not in f.function.param_names), None)
    told = f" ({letters})" if unknown and (letters := letters_told(unknown)) else ""
    near = nearest(unknown, rest) if unknown else None
    because = "" if rest else ", because all arguments are given by position"
    return TypeMismatchError(
        f"{f.__name__} takes {listed(rest) or 'nothing'} by name here{because}, but this call gives "
        f"{listed(sorted(named))}{told}. Write {_call_of(f)}.",
        None,
        near,
    )


def _call_of(f: Fn) -> str:
    """Return the text of a call of f, such as "f(x, y)"."""
    name = f.__name__ if f.__name__.isidentifier() else "f"
    return f"{name}({', '.join(f.function.param_names)})"


P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:

    class Signed(Fn, Generic[P, R]):
        """An `Fn` with the signature of its Python function. Only type checkers use this class."""

        def __call__(self, *args: P.args, **named: P.kwargs) -> R:
            """Call the function."""


@overload
def fn(
    first: Callable[P, R], /, *, names: Sequence[str] | None = None, control_flow: bool = False
) -> Signed[P, R]: ...
@overload
def fn(
    first: Sequence[Any],
    result: Any = ...,
    /,
    *,
    names: Sequence[str] | None = None,
    control_flow: bool = False,
) -> Callable[[Callable[..., Any]], Fn]: ...
@overload
def fn(
    first: None = None, /, *, names: Sequence[str] | None = None, control_flow: bool = False
) -> Callable[[Callable[P, R]], Signed[P, R]]: ...
def fn(
    first: Any = None, result: Any = ..., /, *, names: Sequence[str] | None = None, control_flow: bool = False
) -> Any:
    """Make a function of the language out of a Python function.

    `@fn` reads the types from the annotations of f. `fn([types], result)(f)` takes the types as arguments.
    `fn([types])(f)` finds out the type of the result. `fn` traces f, so it raises the errors of tracing.

    >>> import eglantine as eg
    >>> @eg.fn
    ... def f(x: eg.Real, y: eg.Real = 2.0) -> eg.Real:
    ...     return x ** y
    >>> f(3.0), f(3.0, y=3.0), eg.grad(f)(3.0)
    (9.0, 27.0, 6.0)
    >>> eg.fn([eg.Vec(2, eg.Real)])(lambda v: v[0] * v[1])([2.0, 3.0])
    6.0

    names: names for the parameters. By default, they have the names that f gives them.
    control_flow: if true, Python's own `if`, `while` and `for` are traced too (see `autograph`).
    """
    if control_flow:
        if callable(first):
            return fn(autograph(first), names=names)
        make = fn if first is None else fn(first, result, names=names)
        return lambda f: make(autograph(f))
    if isinstance(first, list | tuple) and not hasattr(first, "_fields"):
        types = [*types_of(first, "eg.fn([eg.Real])(f)")]
        declared = None if result is ... else as_type(result)
        return lambda f: _traced(f, types, declared, names or parameter_names(f, len(types)))
    if isinstance(first, Type) or not callable(first):
        raise TypeMismatchError(
            "eg.fn needs a function or a list of types, but it was given "
            f"{'nothing' if first is None else repr(first)}. Write "
            f"eg.fn([{written_type(first) if isinstance(first, Type) else 'eg.Real'}])(f), or @eg.fn "
            "above a function with annotations."
        )
    _refuse_kernel(first)
    types, annotated_names, declared = annotated_types(first)
    check_no_self_call(first)
    by_name = [] if parameter_names(first, len(annotated_names)) == annotated_names else annotated_names
    function, hidden = trace(first, types, declared, param_names=names or annotated_names, by_name=by_name)
    return Fn(function, hidden, first)


def _traced(
    f: Callable[..., Any], types: Sequence[Type], result: Type | None, names: Sequence[str], order: int = 0
) -> Fn:
    check_function(f)
    check_takes(f, len(types))
    function, hidden = trace(f, types, result, param_names=names, order=order)
    return Fn(function, hidden, f)


def opaque(host: Callable[..., Any], params: Sequence[Any], result: Any, *, pure: bool = False) -> Fn:
    """Make a function that calls the Python function `host`. To give it a derivative, use `defjvp`.

    host: a Python function that takes scalars and returns a scalar or None.
    params: the types of the parameters. result: the type of the result.
    pure: if true, the compiler may merge, drop or repeat calls of the function.
    """
    types = types_of(params, "eg.opaque(host, [eg.Real], eg.Real)")
    of = as_type(result)
    function(host, "the host function of opaque", "eg.opaque(host, [eg.Real], eg.Real)")
    if any(leaf.dims for part in (*types, of) for leaf in leaves(part)) or len(leaves(of)) > 1:
        raise TypeMismatchError(
            "An opaque function takes scalars and returns at most one, but this one takes "
            f"{types!r} and returns {of!r}. Pass the elements one by one."
        )
    check_arity(host, len(types))
    name = getattr(host, "__name__", "opaque")
    function_of_host = Function(
        name, types, of, None, host=host, pure=pure, param_names=tuple(f"x{k}" for k in range(len(types))),
        span=user_span(),
        leaf_params=tuple(leaf_row_type(leaf) for part in types for leaf in leaves(part)),
        leaf_results=tuple(leaf_row_type(leaf) for leaf in leaves(of)),
    )  # fmt: skip
    return Fn(function_of_host, (), host)


def types_of(types: Any, example: str) -> tuple[Type, ...]:
    """Check a user's list with a type for each argument. Return the types as a tuple.
    example: the text of a correct call, for the error message.
    Raises: TypeMismatchError if `types` is not a list or tuple.
    """
    if isinstance(types, list | tuple) and not hasattr(types, "_fields"):
        return tuple(as_type(of) for of in types)
    if isinstance(types, Type):
        example = example.replace("[eg.Real]", f"[{written_type(types)}]")
    raise TypeMismatchError(
        "The types of the arguments must be a list with a type for each, but here they are "
        f"{repr(types) if isinstance(types, Type) else shown(types)}. Write {example}."
    )


def sequence_of_arguments(values: Any, what: str, example: str) -> Sequence[Any]:
    """Check that `values` is a tuple or list with a value for each argument, and return it.

    what: a phrase that names the values in the error message.
    example: the text of a correct call, with `{}` in place of the values.
    Raises: TypeMismatchError if `values` is neither a tuple nor a list.
    """
    if isinstance(values, list | tuple) and not hasattr(values, "_fields"):
        return values
    text = repr(values)
    written = text if isinstance(values, float | int) and len(text) < 40 else "x"
    raise TypeMismatchError(
        f"{began(what)} must be a tuple with one value for each argument, but here it is "
        f"{shown(values)}. Write {example.format(f'({written},)')}."
    )


def argument_types(args: Sequence[Any]) -> tuple[Type, ...]:
    """The types of arguments, traced or plain."""
    if current.get() is not None:
        return tuple(type_of(with_complexes(arg)) for arg in args)
    return tuple(plain_type_of(with_complexes(arg), f"argument {k}") for k, arg in enumerate(args))


def as_fn(f: Any, types: Sequence[Type], order: int = 0) -> Fn:
    """Turn a function into an `Fn`. If the function has no types, trace it for arguments of the given types.

    order: the number of times that the function will be differentiated.
    """
    if isinstance(f, Fn):
        return f
    specialise = getattr(f, "specialise", None)
    if specialise is not None:
        return specialise(types, order)  # type: ignore[no-any-return]
    check_function(f)
    return _traced(f, types, None, parameter_names(f, len(types)), order)


def check_function(f: Any) -> None:
    """Raise an error for a value that cannot be traced, such as a number, a text or a kernel."""
    _refuse_kernel(f)
    is_type = isinstance(f, Type) and not isinstance(f, FinType)
    if not is_type and (callable(f) or hasattr(f, "specialise")):
        return
    advice = "Write a function, such as lambda x: x ** 2"
    if isinstance(f, float | int):
        advice = "Give the function itself: f, and not what f(2.0) returns"
    elif isinstance(f, str):
        advice = "Make one of a formula's text with eglantine.formulas.to_fn(text)"
    raise TypeMismatchError(
        f"A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is "
        f"{shown(f)}. {advice}."
    )


def _refuse_kernel(f: Any) -> None:
    if hasattr(f, "wasm") and hasattr(f, "abi"):
        raise TypeMismatchError(
            f"{f!r} is compiled code and takes only numbers, but here the original function is needed. "
            "Differentiate first and compile afterwards, as in eg.compile(eg.grad(f))."
        )
