"""The wheel that the pages load."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import built
from tools.files import BUILD


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The wheel that the pages load. It is made only once for all test processes and runs."""
    return BUILD / built()["wheel"]
