"""A page measures how fast its files arrive, and decides whether the connection is slow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.node import find_node


@pytest.fixture(scope="module")
def decided() -> dict[str, Any]:
    """Run connection.mjs, and return the transfer rates and the decisions that it prints."""
    done = find_node().run([Path(__file__).with_name("connection.mjs")])
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_rate_counts_the_time_in_which_anything_arrived(decided: dict[str, Any]) -> None:
    assert decided["rates"] == {
        "shared": 200_000,
        "one after the other": 500_000,
        "one within the other": 500_000,
        "at once": True,
        "cached": 200_000,
        "few": None,
        "none": None,
    }


def test_a_measured_rate_decides_and_the_browser_s_report_is_only_a_hint(decided: dict[str, Any]) -> None:
    assert [name for name, is_slow in decided["slow"].items() if is_slow] == [
        "1.6 Mbit/s",
        "just below the limit",
        "slow, but reported as fast",
        "few bytes, reported as 3g",
        "few bytes, data to be saved",
    ]
