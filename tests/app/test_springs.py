"""Newton's method finds the resting shape of the net of springs on the page Sparse."""

from __future__ import annotations

import pytest

import eglantine as eg
from app.springs import net
from eglantine.sparse.cholesky import factor_of

BUDGET = 30
"""The largest number of steps that Newton's method may take until the net rests. From the flat net, it takes
six."""


def test_newtons_method_finds_the_rest_of_a_whole_a_pulled_and_a_cut_net() -> None:
    f = net.energy()
    pattern = net.hessian_pattern(f)
    assert pattern.nnz == 4 * (net.NODES + 2 * len(net.springs()))
    step = eg.compile(net.step_of(f, factor_of(pattern.rows, pattern.cols, net.UNKNOWNS)))
    gradient = eg.compile(eg.grad(f))
    x, at = net.flat(), net.flat()
    stiffness, held = [1.0] * len(net.springs()), [0.0] * net.NODES
    for node in net.ANCHORS:
        held[node] = 100.0

    def settle() -> float:
        nonlocal x
        shift = 0.0
        for _ in range(BUDGET * (1 + stiffness.count(0.0))):
            told = step(x, stiffness, held, at, shift)
            x, shift = list(told["x"]), told["shift"]
            if told["slope"] <= 1e-9:
                break
        assert max(map(abs, gradient(x, stiffness, held, at))) <= 1e-8
        return float(told["energy"])

    whole = settle()
    # computed by Newton's method in NumPy, with a dense Hessian
    assert whole == pytest.approx(62.193382315, rel=1e-9)
    middle = net.NODES // 2
    held[middle], at[2 * middle] = 20.0, at[2 * middle] + 3.0
    assert settle() > whole
    held[middle] = 0.0
    for k, ends in enumerate(net.springs()):
        if middle in ends:
            stiffness[k] = 0.0
    settle()
    assert x[2 * middle + 1] < net.FLOOR  # the node has fallen to the floor
