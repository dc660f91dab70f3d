"""The contents of the book have no figures."""

from __future__ import annotations

from typing import Any

FIGURES: dict[str, Any] = {}
NUMBERS: dict[str, Any] = {}
