"""Run a function on every engine of this machine and check that all give the same bits."""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Callable
from typing import Any

import eglantine as eg

HAS_WASM = importlib.util.find_spec("wasmtime") is not None


def run(f: Callable[..., Any], *args: Any) -> Any:
    """Return f(*args) from the interpreter. Check that WebAssembly gives the same bits and containers.

    f: an `fn`, or a derivative of an `fn` or of a plain function.
    """
    value = f(*args)
    if HAS_WASM:
        compiled = eg.jit(f)(*args)
        assert bits(compiled) == bits(value), f"WebAssembly gives {compiled!r}, the interpreter {value!r}"
    return value


def raised(f: Callable[..., Any], *args: Any) -> eg.EglantineError:
    """Return the error that f(*args) raises. Check that WebAssembly raises the same error at its position."""
    error = _error(f, *args)
    if HAS_WASM:
        compiled = _error(eg.jit(f), *args)
        assert (type(compiled), compiled.span) == (type(error), error.span)
    return error


def _error(f: Callable[..., Any], *args: Any) -> eg.EglantineError:
    try:
        value = f(*args)
    except eg.EglantineError as error:
        return error
    raise AssertionError(f"expected an error, got {value!r}")


def bits(value: Any) -> Any:
    """Make a key for comparing the bits and containers of values. All NaNs have equal keys."""
    if isinstance(value, float):
        return "nan" if value != value else float(value).hex()
    if hasattr(value, "dtype"):
        return ("array", str(value.dtype), value.shape, bits(value.tolist()))
    if isinstance(value, dict):
        return {name: bits(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return (type(value), [bits(item) for item in value])
    if dataclasses.is_dataclass(value):
        return (type(value), [bits(getattr(value, field.name)) for field in dataclasses.fields(value)])
    return (type(value), value)
