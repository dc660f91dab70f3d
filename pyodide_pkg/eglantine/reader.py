"""The public module for reading rows from text. The code is in `eglantine.ir.reader`."""

from __future__ import annotations

from eglantine.ir.reader import parse

__all__ = ["parse"]
