"""Printed IR in tests, without the test's indentation."""

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
    """A test's text of IR in the form that the printer prints."""
    return textwrap.dedent(written).lstrip("\n")
