"""Settings that every test shares."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # a prepared environment may lack it; the tests that need it will say so
    pass
else:
    # A shared machine is slow at times, which no property is about; CI must not find by chance what a
    # second run loses.
    quiet = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("usual", derandomize="CI" in os.environ, **quiet)
    settings.register_profile("nightly", max_examples=2000, **quiet)
    settings.load_profile("nightly" if os.environ.get("EGLANTINE_NIGHTLY") else "usual")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("EGLANTINE_NIGHTLY"):
        return
    skip = pytest.mark.skip(reason="long: runs with python3 -m tests --nightly")
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(skip)


@pytest.fixture
def engines() -> Callable[..., Any]:
    """engines(f, *args): f(*args) by the interpreter, and in WebAssembly the same to the last bit."""
    from tests.engines import run

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What tests recorded as worth a line: the largest errors, and how many programs of which seeds."""
    reports = [report for key in ("passed", "failed") for report in terminalreporter.stats.get(key, [])]
    recorded = [
        entry
        for report in reports
        if report.when == "call"
        for entry in getattr(report, "user_properties", ())
    ]
    seeds = sorted(value for name, value in recorded if name == "seeds")
    if seeds:
        programs = sum(count for _, count in seeds)
        last, count = seeds[-1]
        terminalreporter.section("programs on three engines")
        terminalreporter.write_line(f"{programs} programs of the seeds {seeds[0][0]} to {last + count - 1}")
    worst = sorted(value for name, value in recorded if name == "worst")
    if worst:
        terminalreporter.section("the largest errors of eg.math")
        for line in worst:
            terminalreporter.write_line(line)
