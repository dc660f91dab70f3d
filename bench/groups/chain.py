"""A chain of 10,000 operations, each of which needs the one before it, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench import specs
from bench.lab import Lab
from bench.measure import Row
from bench.native import Work, both_hosts
from bench.native_peers import CHAIN

LINKS = 3333
"""Of three operations each."""
TITLE = "chain of 10,000 operations, flat: gradient"


def rows(lab: Lab) -> Iterator[Row]:
    """In Chromium, then on CPython."""
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
