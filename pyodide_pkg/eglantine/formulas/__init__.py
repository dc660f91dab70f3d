"""Formulas: from a text to a syntax tree, to any algebra, and to a function."""

from __future__ import annotations

from .traced import to_fn

__all__ = ["to_fn"]
