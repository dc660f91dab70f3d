"""In every benchmark, all installed contestants compute the same results. Nothing is timed here."""

from __future__ import annotations

import subprocess
import sys

from tools.bootstrap import ROOT

GROUPS = ("compile", "pairs", "chain", "regression", "billiards", "robot", "learn")
COMPARED = (
    "x^y, gradient and Hessian: formula → callable",
    "pairs energy N = 50, loops: gradient",
    "pairs energy N = 50, loops: value and gradient",
    "pairs energy N = 200, loops: gradient",
    "pairs energy N = 20, unrolled: gradient",
    "chain of 10,000 operations, flat: gradient",
    "regression gradient, n = 1000, m = 10",
    "billiards, 1024 steps: gradient",
    "3 iterations of descent",
    "robot D, 100 steps: gradient",
    "100 iterations of training",
)


def test_our_results_equal_those_of_rose_and_hand_written_javascript() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--check", *GROUPS],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    for title in COMPARED:
        [line] = [line for line in lines if line.startswith(f"{title}: equal: ours")]
        assert "Rose 0.4.10" in line
        assert "hand JS" in line or title.startswith("x^y")
    [line] = [line for line in lines if line.startswith("a step of 2–4–2–2, 10 points: equal: ours")]
    assert "JS, an object for each node" in line
