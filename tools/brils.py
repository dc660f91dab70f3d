"""Compile the example programs of the page "Bril" for tools/presets.py."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from typing import Any

from app.bril.analysing import analyse
from app.bril.examples import COMMUNITY, EXAMPLES, Example
from tools.bootstrap import ROOT

PROGRAMS = ROOT / "tests" / "data" / "bril" / "programs.json.gz"
"""The file with Bril's benchmark programs (MIT licence, see tests/data/README.md)."""


def beginning() -> dict[str, Any]:
    """Return all example programs with their compiled modules and the data that the page shows."""
    return {"programs": [_analysed(example) for example in (*EXAMPLES, *community())]}


def community() -> Iterator[Example]:
    """Yield the examples on the page that come from Bril's benchmarks."""
    known = json.loads(gzip.decompress(PROGRAMS.read_bytes()))
    for name in COMMUNITY:
        program = known[name]
        yield Example(name, program["text"], tuple(json.loads(arg) for arg in program["args"]))


def _analysed(example: Example) -> dict[str, Any]:
    reply, wasm = analyse(example.text, example.args)
    cost = reply["cost"] and {"bytes": reply["cost"]["bytes"]}  # a build repeated gives the same bytes
    module = base64.b64encode(wasm).decode()
    return {"id": example.id, "text": example.text, "analysis": {**reply, "cost": cost}, "wasm": module}
