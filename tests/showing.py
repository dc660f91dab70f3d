"""Print IR, and remove the indentation of IR that a test contains, so that the two can be compared."""

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
    """The text of IR in a test without the test's indentation, so that it looks as printed."""
    return textwrap.dedent(written).lstrip("\n")
