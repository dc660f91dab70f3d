"""The page asks Python to check its numbers at the end of a motion, and never during the motion."""

from __future__ import annotations

import json
from pathlib import Path

from tools.node import find_node


def test_python_checks_the_numbers_at_the_end_of_a_motion() -> None:
    done = find_node().run([Path(__file__).with_name("check_requests.mjs")])
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told == {"whileMoving": [], "asked": [60, 61], "verdicts": [60, 61]}
