"""Formulas: parse their text, evaluate them in an algebra, and turn them into functions."""

from __future__ import annotations

from .traced import to_fn

__all__ = ["to_fn"]
