"""Print a function's rows as text: the public name of `eglantine.ir.printer`."""

from __future__ import annotations

from eglantine.ir.printer import pretty

__all__ = ["pretty"]
