"""Time a program of 10,000 operations without loops. Each operation uses the result of the previous one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench import specs
from bench.lab import Lab
from bench.measure import Row
from bench.native import Work, both_hosts
from bench.native_peers import CHAIN

LINKS = 3333
"""Each link has three operations."""
TITLE = "chain of 10,000 operations, flat: gradient"


def rows(lab: Lab) -> Iterator[Row]:
    """The rows in Chromium, then on CPython."""
    work = {
        "links": LINKS,
        **specs.CHAIN,
        "title": TITLE,
        "target": {"call": 62, "compile": 80},
        "aim": {"compile": 40},
    }
    args = tuple(np.array(value) for value in specs.CHAIN.values())
    yield from both_hosts(
        lab, "chain", work, lambda: iter([Work("chain", TITLE, (LINKS,), args, peers=CHAIN)])
    )
