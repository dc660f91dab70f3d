"""The page of contents has no figures and no numbers."""

from __future__ import annotations

from typing import Any

FIGURES: dict[str, Any] = {}
NUMBERS: dict[str, Any] = {}
