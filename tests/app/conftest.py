"""Fixtures of the tests of the pages' Python."""

from __future__ import annotations

import pytest

from tests.app.playing import Asked


@pytest.fixture
def ask() -> Asked:
    return Asked()
