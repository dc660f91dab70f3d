"""`eg.debug_print`: print from compiled code."""

from __future__ import annotations

from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.leaves import leaves
from eglantine.plain.symbolic import current

from .arguments import SAMPLES, formatted
from .bodies import tracing
from .types_of import type_of
from .vectors import rows_of


def debug_print(text: str, *values: Any) -> None:
    """Print text.format(*values) each time the program runs this call. Derivatives print nothing.

    values: Reals, Bools or indices.
    The texts of several calls appear in the order of the program.
    """
    if current.get() is None:
        print(formatted(text, values))
        return
    b = tracing("debug_print")
    rows = []
    for value in values:
        of = type_of(value)
        if len(leaves(of)) != 1 or leaves(of)[0].dims:
            raise TypeMismatchError(
                f"eg.debug_print prints Reals, Bools and indices, but this value has the type {of!r}. Print "
                "its elements."
            )
        rows.extend(rows_of(b, value, of))
    formatted(text, [SAMPLES[leaves(type_of(value))[0].dtype] for value in values])
    b.effect(("print", tuple(rows), text))
