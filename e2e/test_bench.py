"""All installed contestants of a benchmark compute the same results. These tests measure no time.

The usual run compares three groups of benchmarks. The nightly run compares all groups.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

from tests.seeds import NIGHTLY
from tools.bootstrap import ROOT
from tools.browser import VARIABLE, find_shell

COMPARED = {
    "pairs": (
        "pairs energy N = 50, loops: gradient",
        "pairs energy N = 50, loops: value and gradient",
        "pairs energy N = 200, loops: gradient",
        "pairs energy N = 20, unrolled: gradient",
    ),
    "regression": ("regression gradient, n = 1000, m = 10",),
    "billiards": ("billiards, 1024 steps: gradient", "3 iterations of descent"),
}
"""The groups of benchmarks that are compared by day, each with the titles of its rows."""
AT_NIGHT = {
    "compile": ("x^y, gradient and Hessian: formula → callable",),
    "chain": ("chain of 10,000 operations, flat: gradient",),
    "robot": ("robot D, 100 steps: gradient", "100 iterations of training"),
    "learn": (),
}
LEARN = "a step of 2–4–2–2, 10 points: equal: ours"


def test_our_results_equal_those_of_rose_and_hand_written_javascript() -> None:
    compared = COMPARED | AT_NIGHT if NIGHTLY else COMPARED
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--check", *compared],
        cwd=ROOT,
        env=os.environ | {VARIABLE: str(find_shell())},
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    for title in itertools.chain(*compared.values()):
        [line] = [line for line in lines if line.startswith(f"{title}: equal: ours")]
        assert "Rose 0.4.10" in line
        assert "hand JS" in line or title.startswith("x^y")
    if NIGHTLY:
        [line] = [line for line in lines if line.startswith(LEARN)]
        assert "JS, an object for each node" in line
