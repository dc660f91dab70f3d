"""Parts of a module's contract: imports from the host, limits on parameters, and value types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from eglantine.errors import LimitError
from eglantine.ir.program import Function
from eglantine.lengths import MAX_LENGTH
from eglantine.plain.marshal import on_leaves
from eglantine.wasm import encoding as wasm

HOST_MODULE: Final = "host"
PRINTED: Final = {"f64": "real", "i1": "bool", "i32": {"fin": MAX_LENGTH}}
"""The types of a print's operands, as the ABI writes them."""


MOST_SHOWN: Final = 40
MAX_ARITY: Final = 1000
"""The most parameters, and the most results, that engines allow a function (WebAssembly JS API)."""


def check_arity(name: str, params: Sequence[Any], results: Sequence[Any]) -> None:
    """Raise LimitError for more parameters or results than engines let a function have."""
    n = max(len(params), len(results))
    if n > MAX_ARITY:
        raise LimitError(
            f"{name[:MOST_SHOWN]} is called with {n:,} scalars among its parameters or results, but "
            f"at most {MAX_ARITY:,} are possible. Pass them in a Vec, or write it without a function."
        )


def host_function(host: Any) -> Callable[..., Any]:
    """Return the Python function of leaf values that an import calls.

    host: an opaque function, or the format and operand types of a print.
    """
    if isinstance(host, Function):
        return on_leaves(host.host, host.params, host.result, host.name)
    text, dtypes = host
    convert = [bool if dtype == "i1" else float if dtype == "f64" else int for dtype in dtypes]
    return lambda *values: print(text.format(*(to(x) for to, x in zip(convert, values, strict=True))))


def value_types(dtypes: list[str]) -> bytes:
    """Return the Wasm value types of these dtypes."""
    return b"".join(wasm.VALUE_TYPE[dtype] for dtype in dtypes)
