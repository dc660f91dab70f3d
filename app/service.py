"""What the page asks of Python: a formula's value, gradient and Hessian as one WebAssembly module."""

from __future__ import annotations

import json
import time
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import eglantine as eg
from eglantine import formulas

from .display import to_tex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_MESSAGE = 500
LONGEST_TEX = 900
ENTRIES = ("f", "fx", "fy", "fxx", "fxy", "fyy")
"""The leaves of a module's result, in order."""


def answer(text: str, names: Iterable[str]) -> tuple[str, bytes]:
    """`compile_formula` for the worker: everything but the module as JSON, and the module's bytes."""
    reply = compile_formula(text, list(names))
    module = reply.pop("wasm", b"")
    return json.dumps(reply), module


def compile_formula(text: str, names: Sequence[str]) -> dict[str, Any]:
    """Compile a formula with its first and second derivatives.

    names: its variables, x and y first.

    Returns {"ok": True, "wasm", "abi", "tex", "cost": {"ms", "bytes"}}, where the module takes one Real a
    name and gives {"f", "g": (f_x, f_y), "h": (f_xx, f_xy, f_yy)}; or {"ok": False, "error": {"message",
    "column", "end_column", "suggestion", "kind"}} with UTF-16 columns from 0.
    """
    start = time.perf_counter()
    try:
        function = jet(formulas.to_fn(text, names), names)
        artifact = eg.compile_artifact(function)
        ms = 1000 * (time.perf_counter() - start)
        shown = to_tex(function)
    except eg.EglantineError as error:
        return {"ok": False, "error": describe(error, text)}
    return {
        "ok": True,
        "wasm": artifact.wasm,
        "abi": artifact.abi,
        "tex": {
            entry: tex if tex is not None and len(tex) <= LONGEST_TEX else None
            for entry, tex in zip(ENTRIES, shown, strict=True)
        },
        "cost": {"ms": ms, "bytes": len(artifact.wasm)},
    }


def jet(f: Any, names: Sequence[str]) -> Any:
    """The fn of value, gradient and Hessian of a function of Reals in its first two."""
    value_and_gradient = eg.value_and_grad(f, argnums=(0, 1))
    hessian = eg.hessian(f, argnums=(0, 1))

    def value_gradient_hessian(*arguments: Any) -> dict[str, Any]:
        value, (fx, fy) = value_and_gradient(*arguments)
        (fxx, fxy), (_, fyy) = hessian(*arguments)
        return {"f": value, "g": [fx, fy], "h": (fxx, fxy, fyy)}

    # The names, for the formulas that are shown.
    signature = Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in names])
    value_gradient_hessian.__signature__ = signature  # type: ignore[attr-defined]
    result = {"f": eg.Real, "g": eg.Vec(2, eg.Real), "h": (eg.Real, eg.Real, eg.Real)}
    return eg.fn([eg.Real] * len(names), result)(value_gradient_hessian)


def describe(error: eg.EglantineError, text: str) -> dict[str, Any]:
    """An error as the page shows it; one without a place is about the whole formula."""
    if error.span is None or error.span.source:
        columns = (0, len(text.encode("utf-16-le", "surrogatepass")) // 2)
    else:
        columns = (error.span.column, error.span.end_column)
    return {
        "message": error.message[:LONGEST_MESSAGE],
        "column": columns[0],
        "end_column": columns[1],
        "suggestion": error.suggestion,
        "kind": type(error).__name__,
    }
