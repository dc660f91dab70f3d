"""Where the graphs of the registry's diagrams are: data outside the repository.

They are in `../shared/reference/diagrams`, or in the folder that the environment variable
EGLANTINE_DIAGRAMS names.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = "EGLANTINE_DIAGRAMS"


def folder() -> Path | None:
    """Where the graphs are, or None if they are not here."""
    place = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "reference" / "diagrams")
    return place if (place / "index.json").is_file() else None


def index(at: Path) -> dict[str, Any]:
    """Each diagram's file, sizes, counts of its optimiser, and Rose's times, by the diagram's name."""
    entries: dict[str, Any] = json.loads((at / "index.json").read_text(encoding="utf-8"))
    return entries
