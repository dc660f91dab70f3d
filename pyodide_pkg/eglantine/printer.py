"""The public module for printing a function's rows as text. The code is in `eglantine.ir.printer`."""

from __future__ import annotations

from eglantine.ir.printer import pretty

__all__ = ["pretty"]
