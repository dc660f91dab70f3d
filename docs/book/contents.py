"""The figures and numbers of the book's page of contents: there are none."""

from __future__ import annotations

from typing import Any

FIGURES: dict[str, Any] = {}
NUMBERS: dict[str, Any] = {}
