"""A loop that adds a single term to each element of an accumulator becomes a loop that stacks the terms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.analysis.liveness import live_rows
from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import F64, I32, Array
from eglantine.optimise.stacking import stacked
from eglantine.rewrite.copying import copied
from tests.emit.node import node
from tests.emit.test_tiles import WILD, matrix, of
from tests.laws.agreement import engines_agree
from tests.optimise.test_units import operations

pytest.importorskip("wasmtime")

LOSSES: dict[str, Callable[[Any], Any]] = {
    "a chain": lambda m: enp.sum((enp.exp(-m) * 2.0 + 1.0) ** 2),
    "a transpose": lambda m: enp.sum(m.T * enp.tanh(m.T)),
    "a sum of cotangents": lambda m: enp.sum(m * m) + enp.sum(enp.sqrt(m * m + 1.0) * m[::-1]),
    "rows and columns": lambda m: enp.sum((m[:, None, :] - m[None, :, :]) ** 2),
}


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_keep_their_bits(name: str) -> None:
    slopes = eg.value_and_grad(eg.fn([of(5, 5)])(LOSSES[name]))
    engines_agree(slopes, [(matrix(5, 5, seed, wild),) for seed, wild in ((1, False), (2, True))], node())


def test_elementwise_gradients_need_no_accumulator_in_memory() -> None:
    assert "acc_index" not in operations(eg.grad(eg.fn([of(5, 5)])(LOSSES["a chain"])))


def test_an_element_begins_with_zero() -> None:
    """Adding −0.0 to an accumulator gives 0.0, so a stacked −0.0 must also become 0.0."""
    slope = eg.grad(eg.fn([eg.Vec(10, eg.Real)] * 2)(lambda v, w: eg.sum(10, lambda i: v[i] * w[i])))
    engines_agree(slope, [([1.0] * 10, WILD)], node())
    signs = [math.copysign(1.0, x) for x in eg.compile(slope)([1.0] * 10, WILD)]
    assert signs[WILD.index(-0.0) : 2] == [1.0, 1.0]


def pruned(made: Block) -> Block:
    """The block without unused rows."""
    return copied(made, live=live_rows(made))


def block(term: Callable[[Builder, int], int], count: int = 4) -> Block:
    """Build a block with a loop. Round i adds v[i] to element i of an accumulator, and then calls `term`."""
    b = Builder()
    v = b.param(Array(F64, (4,)))
    acc = b.acc((4,))
    body = Builder(b)
    i = body.param(I32(0, count - 1))
    x = body.index(body.capture(v), i)
    view = body.acc_index(body.capture(acc), i)
    body.add_to(view, x)
    term(body, view)
    b.loop(Loop(body.finish([]), count, count, False, 0), body.captured)
    return b.finish([b.acc_read(acc)])


def test_a_loop_stacks_its_only_terms() -> None:
    made = pruned(stacked(block(lambda *_: 0)))
    assert "acc" not in made.operations
    assert stacked(made) is made


@pytest.mark.parametrize(
    "kept",
    [
        block(lambda b, view: b.add_to(view, b.const(2.0)) or 0),  # two terms
        block(lambda *_: 0, count=3),  # no term for one element
    ],
)
def test_other_accumulators_stay(kept: Block) -> None:
    assert stacked(kept) is kept
