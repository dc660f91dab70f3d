"""Print IR, and write the IR that a test expects in the same form, so that the two can be compared."""

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
    """Remove a test's indentation from the IR in the test, so that it looks like printed IR."""
    return textwrap.dedent(written).lstrip("\n")
