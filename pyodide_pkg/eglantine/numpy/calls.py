"""Make functions of arrays. Inside a trace, they add rows. Outside a trace, they compute at once.

The first call outside a trace traces the function for the types of its arguments, and interprets the rows.
The next call with the same types compiles the rows. All ways to compute it give the same bits.
"""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any

from eglantine.functions.eager import Run, run_for
from eglantine.functions.fn import fn as make_fn
from eglantine.plain.symbolic import current
from eglantine.plain.typeof import type_of
from eglantine.trace.complexes import Complex
from eglantine.trace.shapes import shape_of
from eglantine.types import Real, TupleType, Type, vec_type

from .building import array_of
from .eager import Array, as_result, is_numpy


def array_function(*static: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Turn a function of traced Vecs into a function that also takes plain arrays outside a trace.

    static: the names of the parameters that are not arrays, such as axes and shapes. A parameter named
        `arrays` takes a list or tuple of arrays.
    """

    def decorate(f: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(f)

        @wraps(f)
        def call(*args: Any, **named: Any) -> Any:
            bound = signature.bind(*args, **named)
            given = bound.arguments
            places = [name for name in given if name not in static and given[name] is not None]
            if current.get() is not None:
                for name in places:
                    given[name] = _traced(name, given[name])
                return f(*bound.args, **bound.kwargs)
            values = [_plain(name, given[name]) for name in places]
            types = tuple(_type_of(given[name], name) for name in places)
            fixed = {name: value for name, value in given.items() if name not in places}
            run = _run(f, signature, places, types, fixed)
            of_numpy = any(map(is_numpy, _leaves([given[name] for name in places])))
            return as_result(run(values), run.f.function.result, of_numpy)

        return call

    return decorate


def at_once(f: Callable[..., Any], args: tuple[Any, ...], key: Any) -> Any:
    """Call f with plain arrays. The first call with this `key` and these argument types traces f."""
    values = [_plain("", arg) for arg in args]
    types = tuple(_type_of(arg, str(k)) for k, arg in enumerate(args))
    names = [f"x{k}" for k in range(len(types))]
    run = run_for((key, types), lambda: make_fn(list(types), names=names)(f))
    return as_result(run(values), run.f.function.result, any(map(is_numpy, args)))


def _run(
    f: Callable[..., Any], signature: inspect.Signature, places: list[str], types: tuple[Type, ...],
    fixed: dict[str, Any],
) -> Run:  # fmt: skip
    key = (f, tuple(places), types, repr(sorted(fixed.items(), key=lambda item: item[0])))

    def traced(*values: Any) -> Any:
        bound = inspect.BoundArguments(signature, OrderedDict())
        given = {**fixed, **dict(zip(places, values, strict=True))}
        for name in signature.parameters:
            if name in given:
                bound.arguments[name] = given[name]
        return f(*bound.args, **bound.kwargs)

    traced.__name__ = f.__name__
    return run_for(key, lambda: make_fn(list(types), names=tuple(places))(traced))


def _traced(name: str, value: Any) -> Any:
    if name == "arrays":
        return [array_of(item) for item in value]
    return array_of(value)


def _plain(name: str, value: Any) -> Any:
    if name == "arrays":
        return tuple(_plain("", item) for item in value)
    return value.tolist() if isinstance(value, Array) else _with_complexes(value)


def _with_complexes(value: Any) -> Any:
    """Replace complex numbers in lists and NumPy's arrays by `eg.Complex`. Return other values unchanged."""
    if getattr(getattr(value, "dtype", None), "kind", "") == "c":
        value = value.tolist()
    first = value
    while isinstance(first, list) and first:
        first = first[0]
    return _converted(value) if isinstance(first, complex) else value


def _converted(value: Any) -> Any:
    if isinstance(value, list):
        return [_converted(item) for item in value]
    return Complex(value.real, value.imag) if isinstance(value, int | float | complex) else value


def _type_of(value: Any, name: str) -> Type:
    """Return the type of the argument `name`. An Array knows its type even if it is empty."""
    if isinstance(value, Array):
        return value.type
    if name == "arrays" or isinstance(value, tuple):
        return TupleType(tuple(_type_of(item, f"{name}[{k}]") for k, item in enumerate(value)))
    if isinstance(value, list) and 0 in shape_of(value):
        return vec_type(shape_of(value), Real)
    return type_of(_with_complexes(value), f"the argument {name}")


def _leaves(values: list[Any]) -> list[Any]:
    return [item for value in values for item in (value if isinstance(value, list | tuple) else [value])]
