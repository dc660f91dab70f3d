"""Programs for the tests of autograph."""

from __future__ import annotations

from typing import Any

import pytest

from tests.programs.control_flow import PROGRAMS

SCALE = 3.0
"""A number in a global variable. With it, we test that a converted function finds the globals of its
module."""

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.f.__name__)


def as_reals(value: Any) -> Any:
    """Convert the whole numbers in a Python value to floats, because Eglantine returns floats."""
    if isinstance(value, dict):
        return {name: as_reals(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(as_reals, value))
    return value if isinstance(value, bool) else float(value)
