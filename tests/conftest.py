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
    """What tests recorded as worth a line: the worst points, how many programs and of which seeds."""
    reports = [report for key in ("passed", "failed") for report in terminalreporter.stats.get(key, [])]
    lines = [
        line
        for report in reports
        for name, line in getattr(report, "user_properties", ())
        if name == "worst" and report.when == "call"
    ]
    if lines:
        terminalreporter.section("the largest errors of eg.math")
        for line in sorted(lines):
            terminalreporter.write_line(line)
