"""The mass-spring robots against the reference values of DiffTaichi's simulation, through wasmtime."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from app.robot import HIDDEN, Robot, Spring, loss
from tests.engines import bits

DATA = Path(__file__).parent.parent / "data"
STEPS = 681
RATE = 0.2
B, D = 1, 3
WEIGHTS = (0, 1, 2, 3)


def data(name: str) -> Any:
    """A file of reference values."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


@cache
def robot(number: int) -> Robot:
    """Robot B or D."""
    found = data("robots")[number]
    springs = tuple(
        Spring(s["a"], s["b"], s["rest_length"], s["stiffness"], s["actuation"]) for s in found["springs"]
    )
    return Robot(tuple(map(tuple, found["objects"])), springs, STEPS)


@cache
def reference(number: int) -> Any:
    """The reference values of a robot at iteration 0."""
    return data(f"mass_spring_r{number}_f64_toi1")


def start(number: int) -> list[Any]:
    """The weights at iteration 0."""
    found = reference(number)
    return [found["weights1"], [0.0] * HIDDEN, found["weights2"], [0.0] * len(robot(number).springs)]


@cache
def kernel(number: int) -> eg.Kernel:
    """A robot's loss and gradient, compiled."""
    return eg.compile(eg.value_and_grad(loss(robot(number)), WEIGHTS))


@pytest.fixture(autouse=True, scope="module")
def kernels_end_with_their_tests() -> Iterator[None]:
    yield
    kernel.cache_clear()


def flat(value: Any) -> list[float]:
    """All numbers of nested lists."""
    return [number for part in value for number in flat(part)] if isinstance(value, list | tuple) else [value]


@pytest.mark.parametrize("number", [B, D])
def test_loss_and_every_weights_gradient_at_iteration_0(number: int) -> None:
    found = reference(number)
    value, gradient = kernel(number)(*start(number))
    assert value == pytest.approx(found["records"][0]["loss"], rel=1e-12)
    for part, name in zip(gradient, ("gw1", "gb1", "gw2", "gb2"), strict=True):
        assert flat(part) == pytest.approx(flat(found["iter0"][name]), rel=1e-9, abs=1e-9)
    assert math.hypot(*flat(gradient)) == pytest.approx(found["records"][0]["grad_norm"], rel=1e-9)


@pytest.mark.parametrize(("number", "iterations"), [(B, 14), (D, 5)])
def test_training_follows_the_reference_while_it_is_not_chaotic(number: int, iterations: int) -> None:
    weights: Any = start(number)
    for expected in data(f"mass_spring_r{number}_f64_toi1_train100")["losses"][:iterations]:
        value, gradient = kernel(number)(*weights)
        assert value == pytest.approx(expected, rel=1e-6)
        rate = RATE / (math.hypot(*flat(gradient)) + 1e-6)
        weights = [moved(w, g, rate) for w, g in zip(weights, gradient, strict=True)]


def moved(weights: Any, gradient: Any, rate: float) -> Any:
    """Weights after a step against the gradient."""
    if isinstance(weights, list):
        return [moved(w, g, rate) for w, g in zip(weights, gradient, strict=True)]
    return weights - rate * gradient


def test_a_few_steps_have_the_same_bits_on_the_interpreter() -> None:
    f = eg.value_and_grad(loss(replace(robot(B), steps=2)), WEIGHTS)
    assert bits(eg.compile(f)(*start(B))) == bits(f(*start(B)))


def test_the_gradient_is_small_and_fits_in_little_memory() -> None:
    made = eg.compile(eg.grad(loss(replace(robot(D), steps=1364)), WEIGHTS))
    assert len(made.wasm) <= 20_000
    assert made.memory_bytes <= 8 * 2**20
