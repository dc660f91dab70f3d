"""Print IR, and remove the indentation from expected IR in tests, so that both can be compared."""

from __future__ import annotations

import textwrap
from typing import Any

from eglantine.ir.checker import check
from eglantine.ir.program import Function
from eglantine.printer import pretty


def shown(f: Any) -> str:
    """The printed IR of a checked function."""
    function: Function = f if isinstance(f, Function) else f.function
    check(function)
    return pretty(function)


def text(written: str) -> str:
    """Remove the indentation from a multi-line string in a test. The result has the form of printed IR."""
    return textwrap.dedent(written).lstrip("\n")
