"""The wheel that the pages load."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.build import build
from tools.files import BUILD


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The wheel that the pages load. `build` makes it only once for all test processes and runs."""
    return BUILD / str(build()["wheel"])
