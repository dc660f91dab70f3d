"""Fixtures for the tests of the Python code behind the pages."""

from __future__ import annotations

import pytest

from tests.app.playing import Asked


@pytest.fixture
def ask() -> Asked:
    return Asked()
