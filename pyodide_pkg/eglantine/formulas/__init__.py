"""Formulas: parsing their text, evaluating them in an algebra, and making functions of them."""

from __future__ import annotations

from .traced import to_fn

__all__ = ["to_fn"]
