"""`python3 -m tests` sets up the repository, runs all checks and tests, and prints one summary."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.patience import LONGEST_TEST_S
from tools.bootstrap import ROOT, SetupError, enter, finished, say

UNIT_WORKERS = ("--numprocesses=2", "--dist=worksteal")
"""Options of pytest for two processes. Each process begins with one half of the tests. When it has none left,
it takes tests from the other process. So most files stay in one process, and this process computes only once
what the tests of a file share."""
BROWSER_WORKERS = ("--numprocesses=4", "--dist=loadfile", "--no-loadscope-reorder")
"""Options of pytest for four browsers at once. There are more browsers than processes of other tests, because
tests of pages wait more than they compute. A file's tests stay in one browser, because they share their
set-up. Files are ordered by name. By default, files with few but long tests would come last."""
HANGING_FAILS = ("-o", f"faulthandler_timeout={LONGEST_TEST_S}", "-o", "faulthandler_exit_on_timeout=true")
"""Options of pytest that end the process of a test that hangs. Then pytest-xdist reports the test as failed
and starts a new process."""
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""An environment variable that containers often set. With it, each of the run's many processes would compile
every module and every test again. Collecting the tests would take 14 s instead of 6 s."""
CHECKS_AT_ONCE = 2
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
"""import-linter has no `python -m`."""
NO_TESTS_COLLECTED = 5
"""The exit code of pytest if it has run no tests."""


@dataclass(frozen=True)
class Outcome:
    """The result of one stage: how many tests passed, failed and were skipped, and how long it took."""

    name: str
    passed: int
    failed: int
    skipped: int
    seconds: float


@dataclass(frozen=True)
class Check:
    """A command that checks our code. It exits with code 0 if it finds no fault."""

    name: str
    command: list[str]


def main(arguments: list[str]) -> int:
    """Run the selected stages. Return the process's exit code."""
    options = parse(arguments)
    try:
        os.environ.pop(NO_BYTECODE, None)
        enter("test")
        prepare(options)
    except SetupError as error:
        print(f"eglantine: {error}", file=sys.stderr)
        return 1
    outcomes: list[Outcome] = []
    if options.checks:
        with ThreadPoolExecutor(CHECKS_AT_ONCE) as pool:
            outcomes += pool.map(run_check, checks())
    if options.unit:
        outcomes.append(run_pytest("unit tests", ["tests", *UNIT_WORKERS], options))
    if options.browser:
        outcomes.append(run_pytest("browser tests", ["e2e", *BROWSER_WORKERS], options))
    return summarise(outcomes)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line. Without --checks, --unit or --browser, all three run."""
    parser = argparse.ArgumentParser(prog="python3 -m tests", description=__doc__)
    parser.add_argument("--checks", action="store_true", help="run the linters and type checkers")
    parser.add_argument("--unit", action="store_true", help="run the tests that need no browser")
    parser.add_argument("--browser", action="store_true", help="run the tests in Chromium")
    parser.add_argument("--nightly", action="store_true", help="run the long tests too (EGLANTINE_NIGHTLY=1)")
    parser.add_argument("-k", metavar="EXPRESSION", help="only tests whose names match, as in pytest")
    options = parser.parse_args(arguments)
    if not (options.checks or options.unit or options.browser):
        options.unit = options.browser = True
        options.checks = options.k is None
    return options


def prepare(options: argparse.Namespace) -> None:
    """Install and build everything that the selected stages need.

    Raises:
        SetupError: something is missing. The message says what to do.
    """
    from tools.browser import require_shell
    from tools.build import build
    from tools.node import TO_SERVE, find_node
    from tools.vendor import vendor

    vendor(checks=True)
    build()
    folder = str(Path(find_node(TO_SERVE).node).parent)  # for the tests that run a module in Node
    os.environ["PATH"] = os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])
    if options.browser:
        os.environ["EGLANTINE_CHROMIUM"] = str(require_shell())
    os.environ["EGLANTINE_REQUIRE_BROWSER"] = "1"
    if options.nightly:
        os.environ["EGLANTINE_NIGHTLY"] = "1"
        from tests.seeds import how_to_repeat

        say(f"the night's seeds are drawn again with {how_to_repeat()}")


def checks() -> Iterator[Check]:
    """List the linters and type checkers, starting with the quickest."""
    from tools.node import NODE_MODULES, TO_CHECK, find_node

    python = [sys.executable, "-m"]
    yield Check("ruff", [*python, "ruff", "check", "--quiet", "--output-format=concise", "."])
    yield Check("ruff format", [*python, "ruff", "format", "--check", "--output-format=concise", "."])
    yield Check("import-linter", [sys.executable, "-c", LINT_IMPORTS, "--no-logo"])
    yield Check("mypy", [*python, "mypy"])
    node = find_node(TO_CHECK).node
    yield Check("eslint", [node, str(NODE_MODULES / "eslint" / "bin" / "eslint.js"), "."])
    if (ROOT / "static" / "js").is_dir():
        for project in sorted(ROOT.glob("tsconfig*.json")):
            name = f"tsc {project.name}"
            yield Check(
                name, [node, str(NODE_MODULES / "typescript" / "bin" / "tsc"), "--project", str(project)]
            )


def run_check(check: Check) -> Outcome:
    """Run one check. Show its output only if it fails."""
    say(check.name)
    ended = stopwatch()
    done = finished(check.command)
    failed = done.returncode != 0
    if failed:
        print((done.stdout + done.stderr).rstrip(), flush=True)
    return Outcome(check.name, int(not failed), int(failed), 0, ended())


def run_pytest(name: str, arguments: list[str], options: argparse.Namespace) -> Outcome:
    """Run pytest once and count its tests. A run without tests fails, except if -k deselects every test."""
    say(name)
    ended = stopwatch()
    selection = ["-k", options.k] if options.k else []
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        guard = () if options.nightly else HANGING_FAILS
        command = [sys.executable, "-m", "pytest", *arguments, *guard, *selection, f"--junit-xml={report}"]
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
        passed, failed, skipped = count(report)
    nothing_selected = done.returncode == NO_TESTS_COLLECTED and bool(selection)
    if done.returncode != 0 and not nothing_selected:
        failed = max(failed, 1)
    return Outcome(name, passed, failed, skipped, ended())


def count(report: Path) -> tuple[int, int, int]:
    """Read a JUnit report. Return how many tests passed, how many failed, and how many were skipped."""
    if not report.exists():
        return 0, 0, 0
    suites = list(ET.parse(report).getroot().iter("testsuite"))  # noqa: S314 – our own file, see above

    def total(key: str) -> int:
        return sum(int(suite.get(key, "0")) for suite in suites)

    failed, skipped = total("failures") + total("errors"), total("skipped")
    return total("tests") - failed - skipped, failed, skipped


def stopwatch() -> Callable[[], float]:
    """Start a stopwatch. Return a function that returns the elapsed seconds."""
    started = time.monotonic()
    return lambda: time.monotonic() - started


def summarise(outcomes: list[Outcome]) -> int:
    """Print the summary. Return the exit code."""
    width = max(len(outcome.name) for outcome in outcomes)
    print("\nSummary")
    for outcome in outcomes:
        verdict = "FAILED" if outcome.failed else "passed"
        counts = f"{outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped"
        detail = f"  {counts}" if outcome.passed + outcome.failed + outcome.skipped != 1 else ""
        print(f"  {verdict}  {outcome.name:{width}}  {outcome.seconds:6.1f} s{detail}")
    passed, failed, skipped = (
        sum(getattr(outcome, key) for outcome in outcomes) for key in ("passed", "failed", "skipped")
    )
    print(f"\n{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
