"""The community's Bril programs, with the outputs that the reference interpreter recorded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data" / "bril" / "programs.json.gz"
PROGRAMS: dict[str, Any] = json.loads(gzip.decompress(DATA.read_bytes()))
"""For each name: the text, the arguments of main, the output, and the number of instructions or None."""

LONGEST = "mixed/brilirs-only/montecarlo"
"""This program executes 110 million instructions."""
