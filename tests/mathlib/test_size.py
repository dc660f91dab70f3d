"""Mathlib functions are small, because visitors of the pages download them."""

from __future__ import annotations

import pytest

from eglantine.mathlib.functions import FUNCTIONS
from tests.mathlib.row_ops import trace

ROWS_MAX = 175
BYTES_MAX = 1250
"""The largest allowed size of a function's code and tables, in bytes. The largest function is pow. It
converts whole Reals to i64 by adding a constant, and it handles special cases in arms of branches. Compared
with conversion instructions and selects, this takes about 130 bytes more, but only 70 % of the time."""
SURFACE_PAGE_BYTES = 2000
"""The largest allowed size of pow and log together, in bytes. Both are in the module of x^y, which has 2.5
kB."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_library_function_is_small(name: str) -> None:
    traced = trace(FUNCTIONS, name)
    print(f"{name}: {traced.rows} rows, {traced.code_bytes} bytes of code, {traced.table_bytes} of tables")
    assert traced.rows <= ROWS_MAX
    assert traced.code_bytes + traced.table_bytes <= BYTES_MAX


def test_pow_and_log_are_small_enough_for_the_formula_page() -> None:
    traced = [trace(FUNCTIONS, name) for name in ("pow", "log")]
    assert sum(t.code_bytes + t.table_bytes for t in traced) <= SURFACE_PAGE_BYTES
