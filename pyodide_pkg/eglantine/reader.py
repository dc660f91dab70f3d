"""Read rows from text: the public name of `eglantine.ir.reader`."""

from __future__ import annotations

from eglantine.ir.reader import parse

__all__ = ["parse"]
