"""`python3 -m bench [group …]`: measure Eglantine and its peers side by side, in one run."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from tools.bootstrap import ROOT, SetupError, enter, say

if TYPE_CHECKING:
    from bench.report import Group

DEFAULT_GROUPS = ("first",)
ONE_THREAD_GROUPS = {"arrays", "derivatives", "solvers"}
ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
"""The environment variables that make NumPy and JAX compute on one thread.

On a busy machine, SciPy's L-BFGS-B needs more processor time if OpenBLAS uses two threads. We measured this
on 2 cores with a load of 35. For an evaluation of Rosenbrock's function with n = 100, SciPy took 2,860 µs of
processor time with two threads, and 136 µs with one thread. Each number is the minimum of 7 turns. We have
not measured this on a quiet machine.
"""


def main(arguments: list[str]) -> int:
    """Run the command. Return the process's exit code, which is 1 if a result is wrong."""
    options = parse(arguments)
    try:
        enter("test")
        return show(options, options.source) if options.source else run(options)
    except SetupError as error:
        print(f"eglantine: {error}", file=sys.stderr)
        return 1


def parse(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    groups = group_names()
    parser = argparse.ArgumentParser(prog="python3 -m bench", description=__doc__)
    parser.add_argument(
        "groups",
        nargs="*",
        metavar="group",
        help=f"{', '.join(groups)} (default: {' '.join(DEFAULT_GROUPS)})",
    )
    parser.add_argument("--check", action="store_true", help="compare the results and time nothing")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="keep the measurements of a long group, and go on from them"
    )
    parser.add_argument(
        "--minutes", type=float, default=inf, metavar="N", help="let a long group measure for N minutes only"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="put samples and statistics into a file")
    parser.add_argument(
        "--from", type=Path, metavar="FILE", dest="source", help="show such a file without measuring"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the documentation's page")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a picture of the times")
    options = parser.parse_args(arguments)
    options.groups = options.groups or list(DEFAULT_GROUPS)
    unknown = [name for name in options.groups if name not in groups]
    if unknown:
        parser.error(f"there is no group {', '.join(unknown)}; there are {', '.join(groups)}")
    return options


def group_names() -> list[str]:
    """Return the names of the groups, which are the names of the modules in bench/groups."""
    return sorted(path.stem for path in (ROOT / "bench" / "groups").glob("[a-z]*.py"))


def run(options: argparse.Namespace) -> int:
    """Prepare the site, run the groups, and show their results. Return the process's exit code.

    Raises:
        SetupError: something that all groups need is missing.
    """
    if set(options.groups) & ONE_THREAD_GROUPS:
        os.environ.update(ONE_THREAD)  # before NumPy and JAX are imported
    from bench.lab import open_lab
    from bench.report import Group, write
    from tools.build import build
    from tools.vendor import vendor

    vendor(checks=True)  # also installs the npm packages of the libraries that we compare
    build()
    results: dict[str, Group] = {}
    with open_lab(check=options.check, say=say, kept=options.keep, minutes=options.minutes) as lab:
        machine = f"{describe_machine()}, Chromium {lab.browser.version}"
        for group in options.groups:
            rows = tuple(import_module(f"bench.groups.{group}").rows(lab))
            results[group] = Group(machine, time.strftime("%Y-%m-%d"), rows)
            print_group(group, results[group], check=options.check)
            if options.json and not options.check:
                write(options.json, results)
    draw(options, results, options.json.name if options.json else "")
    return int(any(row.failed for group in results.values() for row in group.rows))


def print_group(name: str, group: Group, *, check: bool) -> None:
    """Print a group's results in the terminal. With `check`, print only whether the results are equal."""
    from bench.table import terminal, verdicts

    print(f"\n{name} ({group.machine})\n")
    print((verdicts if check else terminal)(group.rows), flush=True)


def show(options: argparse.Namespace, source: Path) -> int:
    """Read results from a file, and show them. Return the process's exit code."""
    from bench.report import read

    results = read(source)
    for name, group in results.items():
        print_group(name, group, check=False)
    draw(options, results, source.name)
    return 0


def draw(options: argparse.Namespace, results: Mapping[str, Group], source: str) -> None:
    """Write the results as a Markdown page and as a picture, if the options name files for these."""
    from bench.picture import svg
    from bench.report import page

    if options.markdown:
        name = options.svg.name if options.svg else "benchmarks.svg"
        options.markdown.write_text(page(results, source, name), encoding="utf-8")
    if options.svg:
        options.svg.write_text(svg(results), encoding="utf-8")


def describe_machine() -> str:
    """Describe the machine: its processors, system and current load, and our Python version."""
    cores = os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.machine()} {platform.system()}, {cores} cores{load}, {python}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
