"""Time the gradient of a linear regression, for weights and offset. The data is already in memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench import specs
from bench.lab import Lab
from bench.measure import Row
from bench.native import Work, both_hosts
from bench.native_peers import REGRESSION

N, M = 1000, 10
TITLE = f"regression gradient, n = {N}, m = {M}"


def rows(lab: Lab) -> Iterator[Row]:
    """Yield the rows of measurements in Chromium, and then the rows of measurements on CPython."""
    data = specs.regression(N, M)
    args = tuple(np.array(data[name]) for name in "xywb")
    work = {"data": data, "title": TITLE, "target": {"call": 25}, "aim": {"call": 12}}
    native = Work("regression", TITLE, (N, M), args, kind="gradient", peers=REGRESSION)
    yield from both_hosts(lab, "regression", work, lambda: iter([native]))
