"""Tests of the pages' descents. A descent is a module that imports the function to be minimised."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

import eglantine as eg
from app.learning.training import FOREVER, NEVER, OPTIMISERS
from eglantine.runtime.engines import default_host
from tests.engines import HAS_WASM
from tools import descents

START = [1.0, -0.5, 2.0]
N = len(START)
RATE = 0.05
ENDED = ("x", "fun", "jac", "nit", "nfev", "status")


@eg.fn([eg.Vec(N, eg.Real)], eg.Real)
def bowl(x: Any) -> Any:
    return eg.sum(N, lambda k: (eg.real(k) + 1.0) * x[k] * x[k] / 3.0 + eg.math.cos(x[k]))


class Bowl:
    """The host of `bowl`. It counts its calls."""

    __name__ = "bowl"

    def __init__(self) -> None:
        self.jet = eg.compile(eg.value_and_grad(bowl))
        self.calls = 0
        self.instance: Any = None

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        value, gradient = self.jet(list(x))
        return value, list(gradient)

    def at_addresses(self, x: int, gradient: int) -> float:
        value, slopes = self(memoryview(self.instance.read(x, 8 * N)).cast("d"))
        self.instance.write(gradient, array("d", slopes).tobytes())
        return float(value)


def known(method: str, options: dict[str, Any], steps: float) -> dict[str, Any]:
    """Run `steps` steps of `eg.stepper` on the function `bowl`. Return the final state."""
    begin, step = eg.stepper(
        bowl, [eg.Vec(N, eg.Real)], OPTIMISERS[method],
        learning_rate=RATE, maxiter=FOREVER, tol=NEVER, **options,
    )  # fmt: skip
    end = eg.compile(step)(eg.compile(begin)(START), steps)
    return {name: getattr(end, name) for name in ENDED}


def empty(frame: eg.Fn) -> Any:
    """A state with the start and zeros."""
    of = frame.function.params[0]
    fields = dict(zip(of.names, of.items, strict=True))
    zeros = {name: 0.0 if type_ == eg.Real else [0.0] * N for name, type_ in fields.items()}
    return {**zeros, "x": START}


def told(end: Any) -> dict[str, Any]:
    """Return the fields that the states of all methods have in common, by name."""
    values = {name: end[name] if isinstance(end, dict) else getattr(end, name) for name in ENDED}
    return {name: list(value) if name in ("x", "jac") else value for name, value in values.items()}


@pytest.mark.parametrize(
    ("method", "options"), [*descents.OPTIONS.items(), ("descent", descents.STRIDES)], ids=str
)
def test_a_descent_of_an_imported_function_has_the_bits_of_the_solver(
    method: str, options: dict[str, Any]
) -> None:
    host = Bowl()
    frame = descents.descent(N, method, host, **options)
    end = frame.interpreted(empty(frame), True, 5.0, RATE)
    assert told(end) == told(known(method, options, 5.0))
    after = frame.interpreted(end, False, 2.0, RATE)
    assert told(after) == told(known(method, options, 7.0))
    if HAS_WASM:
        assert on_wasmtime(method, options, 7.0) == told(after)


def on_wasmtime(method: str, options: dict[str, Any], steps: float) -> dict[str, Any]:
    """Run `steps` steps with a descent's compiled module, and return the final state."""
    host = Bowl()
    frame = descents.descent(N, method, host, **options)
    artifact = eg.compile_artifact(frame)
    host.instance = instance = default_host().instantiate(artifact.wasm, artifact.abi, [host.at_addresses])
    state, begins, most, rate = (param["leaves"] for param in artifact.abi["params"])
    instance.write(state[0]["at"], array("d", START).tobytes())
    instance.write(begins[0]["at"], (1).to_bytes(4, "little"))
    for leaf, value in ((most, steps), (rate, RATE)):
        instance.write(leaf[0]["at"], array("d", [value]).tobytes())
    instance.call()
    assert host.calls == 1 + steps, "one at the start, and one in each step"
    names = artifact.abi["result"]["type"]["struct"]
    leaves = dict(zip(names, artifact.abi["result"]["leaves"], strict=True))
    end = {
        name: memoryview(instance.read(leaf["at"], 8 * (N if leaf["dims"] else 1))).cast("d").tolist()
        for name, leaf in leaves.items()
    }
    return {name: end[name] if name in ("x", "jac") else end[name][0] for name in ENDED}


def test_dampened_momentum_follows_a_running_mean_of_the_gradients() -> None:
    """The gradient of x²/2 is x. With a dampening of 0.9, the first running mean is 0.1 x."""
    x, mean = 1.0, 0.0
    for _ in range(4):
        mean = 0.9 * mean + 0.1 * x
        x -= 0.5 * mean
    end = eg.minimize(
        lambda p: 0.5 * p * p, 1.0, method="momentum", learning_rate=0.5, dampening=0.9, maxiter=4, tol=0.0
    )
    assert end.x == pytest.approx(x, rel=1e-14)


def test_softening_shortens_normalised_steps() -> None:
    """The gradient of 2x is 2. A softening of 3 multiplies the step by 2/(2 + 3)."""
    whole, soft = (
        eg.minimize(
            lambda p: 2.0 * p, 1.0, method="gradient-descent", learning_rate=0.1, normalise=True, maxiter=1,
            tol=0.0, softening=softening,
        ).x
        for softening in (0.0, 3.0)
    )  # fmt: skip
    assert (whole, soft) == pytest.approx((0.9, 0.96), rel=1e-15)


def test_the_robots_descent_has_enough_numbers_for_the_largest_robot() -> None:
    """The network has 32 hidden units and 100 outputs, one for each muscle.

    Its inputs are 10 waves, 4 numbers for each of 40 masses, and the goal's 2 coordinates.
    """
    assert descents.most_weights() == 32 * (10 + 4 * 40 + 2) + 32 + 100 * 32 + 100
    assert descents.for_robots().abi["params"][0]["type"]["struct"]["x"]["vec"] == descents.most_weights()
