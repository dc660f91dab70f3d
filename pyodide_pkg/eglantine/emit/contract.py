"""Parts of a module's contract: imports from the host, limits on parameters, and value types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from eglantine.errors import CompileError, LimitError
from eglantine.ir.program import Function
from eglantine.ir.row_types import Array
from eglantine.lengths import MAX_LENGTH
from eglantine.plain.marshal import on_leaves
from eglantine.wasm import encoding as wasm

from .layout import memory_dtype, type_as_json

HOST_MODULE: Final = "host"
PRINTED: Final = {"f64": "real", "i1": "bool", "i32": {"fin": MAX_LENGTH}}
"""A dict from the dtype of a print's operand to the operand's type in the ABI."""


MOST_SHOWN: Final = 40
MAX_ARITY: Final = 1000
"""The largest number of parameters that engines allow for a function. The limit for results is the same.

Source: WebAssembly JS API."""


def check_arity(name: str, params: Sequence[Any], results: Sequence[Any]) -> None:
    """Raise LimitError if a function has more parameters or results than Wasm engines allow."""
    n = max(len(params), len(results))
    if n > MAX_ARITY:
        raise LimitError(
            f"A call of {name[:MOST_SHOWN]} passes or returns {n:,} scalars, but at most {MAX_ARITY:,} are "
            "possible. Pass them in a Vec, or write the body of the function in place of the call."
        )


def host_function(host: Any) -> Callable[..., Any]:
    """Return the Python function that an import calls. It takes and returns leaf values.

    host: an opaque function, or a pair for a print: the print's format and the dtypes of its operands.
    """
    if isinstance(host, Function):
        if _has_arrays(host):
            return host.host.at_addresses  # type: ignore[no-any-return]
        return on_leaves(host.host, host.params, host.result, host.name)
    text, dtypes = host
    convert = [bool if dtype == "i1" else float if dtype == "f64" else int for dtype in dtypes]
    return lambda *values: print(text.format(*(to(x) for to, x in zip(convert, values, strict=True))))


def imported_types(host: Any) -> tuple[str, list[str], list[str], dict[str, Any]]:
    """Return a host function's label, the dtypes of its parameters and results, and the types for the ABI.

    An opaque function takes an array as an address. After all other parameters, it takes an address for each
    array that it returns. Then the Python function must have a method `at_addresses`, which the import calls.

    host: an opaque function, or a pair for a print: the print's format and the dtypes of its operands.

    Raises: CompileError if an opaque function has arrays, but not the method `at_addresses`.
    """
    if not isinstance(host, Function):
        text, dtypes = host
        takes = [memory_dtype(dtype) for dtype in dtypes]
        return f"print:{text}", takes, [], {"types": [PRINTED[dtype] for dtype in dtypes]}
    types = {"types": [type_as_json(of) for of in host.params], "result": type_as_json(host.result)}
    if not _has_arrays(host):
        takes, gives = (
            [memory_dtype(of.dtype) for of in side] for side in (host.leaf_params, host.leaf_results)
        )
        return host.name, takes, gives, types
    if not hasattr(host.host, "at_addresses"):
        raise CompileError(
            f"The host function {host.name} has an array among its parameters or results, but it must have "
            "scalars only. Pass the elements one by one."
        )
    takes = [_dtype_passed(of) for of in host.leaf_params]
    takes += ["i32" for of in host.leaf_results if isinstance(of, Array)]
    gives = [memory_dtype(of.dtype) for of in host.leaf_results if not isinstance(of, Array)]
    return host.name, takes, gives, {**types, "addresses": True}


def _has_arrays(host: Function) -> bool:
    """True if an opaque function takes or returns an array."""
    return any(isinstance(of, Array) for of in (*host.leaf_params, *host.leaf_results))


def _dtype_passed(of: Any) -> str:
    """Return the dtype of a parameter. An array is passed by its address."""
    return "i32" if isinstance(of, Array) else memory_dtype(of.dtype)


def value_types(dtypes: list[str]) -> bytes:
    """Return the Wasm value types of these dtypes."""
    return b"".join(wasm.VALUE_TYPE[dtype] for dtype in dtypes)
