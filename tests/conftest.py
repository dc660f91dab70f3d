"""Settings that every test shares."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.nightly import skip_by_day
from tests.seeds import NIGHTLY, chosen_seed, how_to_repeat

try:
    import hypothesis.core
    from hypothesis import HealthCheck, settings
    from hypothesis.internal.conjecture import providers
except ImportError:  # an environment made by hand may lack Hypothesis, and tests that need it then say so
    pass
else:
    # Failures must be repeatable. So usual runs always draw the same examples, and nightly runs draw them
    # from the night's seed. No run uses a database of earlier examples. There is no deadline, because a
    # shared machine may be slow.
    quiet = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("usual", derandomize=chosen_seed() is None, **quiet)
    settings.register_profile("nightly", max_examples=2000, print_blob=True, **quiet)
    settings.load_profile("nightly" if NIGHTLY else "usual")
    hypothesis.core.global_force_seed = chosen_seed()
    # By default, Hypothesis also draws constants from all loaded modules. The loaded modules depend on
    # earlier tests in this process, so we let Hypothesis use only its own constants.
    providers._get_local_constants = lambda: providers._local_constants

YOUNG_OBJECTS = 20_000
"""The number of new objects after which Python looks for garbage. By default, this number is 700. With the
default, looking for garbage took 9 % of the processor time of the tests of NumPy's functions."""


def pytest_report_header() -> str:
    return f"seeds: {how_to_repeat()}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """If a test fails in a run with chosen seeds, add the seeds to the test's report."""
    report: Any = yield
    if report.failed and chosen_seed() is not None:
        report.sections.append(("seeds", f"This run drew from {how_to_repeat()}"))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect the tests without garbage collection, because their objects live until the run ends."""
    gc.disable()
    collected: Any = yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(YOUNG_OBJECTS)
    return collected


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip_by_day(items)


@pytest.fixture
def engines() -> Callable[..., Any]:
    """Return a function of f and args. It returns f(*args), and checks that all engines agree."""
    from tests.engines import run

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the numbers that tests have recorded: largest errors, counts of programs, and seeds."""
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
