"""Find the graphs of the diagrams in Penrose's registry. The graphs are not part of the repository.

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
    """Return the folder of the graphs, or None if the graphs are not on this machine."""
    place = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "reference" / "diagrams")
    return place if (place / "index.json").is_file() else None


def index(at: Path) -> dict[str, Any]:
    """Read the index: for each diagram's name a dict with its file, sizes, and Rose's counts and times."""
    entries: dict[str, Any] = json.loads((at / "index.json").read_text(encoding="utf-8"))
    return entries
