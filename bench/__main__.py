"""`python3 -m bench [group …]`: ours and its peers side by side, in one run."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib import import_module
from pathlib import Path

from tools.bootstrap import ROOT, SetupError, enter, say

DEFAULT_GROUPS = ("first",)


def main(arguments: list[str]) -> int:
    """Run what the command line selects; the result is the process's exit code, 1 for a wrong result."""
    options = parse(arguments)
    try:
        enter("test")
        return run(options)
    except SetupError as error:
        print(f"eglantine: {error}", file=sys.stderr)
        return 1


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    groups = group_names()
    parser = argparse.ArgumentParser(prog="python3 -m bench", description=__doc__)
    parser.add_argument(
        "groups",
        nargs="*",
        metavar="group",
        help=f"{', '.join(groups)} (default: {' '.join(DEFAULT_GROUPS)})",
    )
    parser.add_argument("--check", action="store_true", help="compare the results and time nothing")
    parser.add_argument("--markdown", action="store_true", help="print the table for the documentation")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write all samples and statistics to a file"
    )
    options = parser.parse_args(arguments)
    options.groups = options.groups or list(DEFAULT_GROUPS)
    unknown = [name for name in options.groups if name not in groups]
    if unknown:
        parser.error(f"there is no group {', '.join(unknown)}; there are {', '.join(groups)}")
    return options


def group_names() -> list[str]:
    """The groups: the modules of bench/groups."""
    return sorted(path.stem for path in (ROOT / "bench" / "groups").glob("[a-z]*.py"))


def run(options: argparse.Namespace) -> int:
    """Prepare the site, run the groups, and show what they found.

    Raises:
        SetupError: something that all groups need is missing.
    """
    from bench.lab import open_lab
    from bench.measure import Row, row_to_json
    from bench.table import markdown, terminal, verdicts
    from tools.build import build
    from tools.vendor import vendor

    vendor(checks=True)  # the peers are among npm's packages for development
    build()
    found: dict[str, list[Row]] = {}
    with open_lab(check=options.check, say=say) as lab:
        machine = f"{describe_machine()}, Chromium {lab.browser.version}"
        for group in options.groups:
            found[group] = list(import_module(f"bench.groups.{group}").rows(lab))
    for group, rows in found.items():
        print(f"\n{group} ({machine})\n")
        show = verdicts if options.check else markdown if options.markdown else terminal
        print(show(rows), flush=True)
    if options.json:
        report = {
            "machine": machine,
            "groups": {group: [row_to_json(row) for row in rows] for group, rows in found.items()},
        }
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(any(row.failed for rows in found.values() for row in rows))


def describe_machine() -> str:
    """Processors, system, how busy it was at the start, and the Python that drives the browser."""
    cores = os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.machine()} {platform.system()}, {cores} cores{load}, {python}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
