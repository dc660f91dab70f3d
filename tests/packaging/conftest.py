"""The wheel that the pages load."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import built
from tools.files import BUILD


@pytest.fixture(scope="module")
def wheel() -> Path:
    """Return the path of the wheel that the pages load. Build the wheel if necessary."""
    return BUILD / built()["wheel"]
