"""Tests that take long run only at night."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.seeds import NIGHTLY


def skip_by_day(items: Sequence[pytest.Item]) -> None:
    """Skip the tests that are marked `nightly`, unless this is a nightly run."""
    if NIGHTLY:
        return
    skip = pytest.mark.skip(reason="long: runs with python3 -m tests --nightly")
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(skip)
