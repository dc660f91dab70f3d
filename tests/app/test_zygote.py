"""Three models from Zygote learn. On every engine, their values and gradients are the same as in JAX."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from app.learning import zygote

RECORDED = json.loads((Path(__file__).parent.parent / "data" / "zygote.json").read_text(encoding="utf-8"))
"""The parameters, values and gradients that tools/zygote_reference.py has computed with JAX."""
LOSSES = {"maxout": zygote.maxout_loss, "lstm": zygote.lstm_loss, "logistic": zygote.logistic_loss}
CLOSE = 1e-12


def parameters_of(of: Any, values: Any) -> Any:
    """Make a struct of the type `of` from these values."""
    if not isinstance(values, dict):
        return values
    fields = zip(of.names, of.items, strict=True)
    return of.pack([parameters_of(field, values[name]) for name, field in fields])


def numbers(value: Any) -> list[float]:
    """Flatten nested dicts, structs and lists into one list of numbers."""
    if isinstance(value, float):
        return [value]
    if isinstance(value, dict):
        return [x for part in value.values() for x in numbers(part)]
    if hasattr(value, "__dataclass_fields__"):
        return [x for name in value.__dataclass_fields__ for x in numbers(getattr(value, name))]
    return [x for part in value for x in numbers(part)]


def drawn(of: Any, seed: int) -> Any:
    """Random parameters of a model."""
    source = random.Random(seed)  # noqa: S311 - no secret

    def like(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: like(part) for name, part in value.items()}
        return [like(part) for part in value] if isinstance(value, list) else source.gauss(0.0, 0.5)

    return parameters_of(LOSSES[of].function.params[0], like(RECORDED[of]["parameters"]))


def examples(count: int) -> list[list[float]]:
    source = random.Random(7)  # noqa: S311 - no secret
    return [[source.gauss(0.0, 1.0) for _ in range(zygote.FEATURES)] for _ in range(count)]


def accuracy(model: Any, parameters: Any, xs: Any, wanted: Any) -> float:
    k = eg.jit(model)
    right = [
        (k(parameters, x)[0] > k(parameters, x)[1]) == (y[0] > y[1]) for x, y in zip(xs, wanted, strict=True)
    ]
    return sum(right) / len(right)


@pytest.mark.parametrize("name", LOSSES)
def test_values_and_gradients_equal_jaxs(name: str) -> None:
    known = RECORDED[name]
    loss = LOSSES[name]
    parameters = parameters_of(loss.function.params[0], known["parameters"])
    expected = parameters_of(loss.function.params[0], known["gradient"])
    both = eg.value_and_grad(loss)
    for evaluate in (both.interpreted, eg.compile(both)):
        value, gradient = evaluate(parameters, *known["arguments"])
        assert type(gradient) is type(parameters)
        assert value == pytest.approx(known["loss"], rel=CLOSE)
        assert numbers(gradient) == pytest.approx(numbers(expected), rel=CLOSE, abs=CLOSE)


def test_models_have_the_published_number_of_parameters() -> None:
    counts = {name: len(numbers(known["gradient"])) for name, known in RECORDED.items() if name in LOSSES}
    assert counts == {"maxout": 134, "lstm": 4 * (8 * 3 + 8 * 8 + 8), "logistic": 2 * 10 + 2}


def test_maxout_network_learns_the_sign_of_a_product() -> None:
    xs = examples(64)
    wanted = [[1.0, 0.0] if (x[0] + x[1] + x[2]) * x[3] > 0 else [0.0, 1.0] for x in xs]
    start = drawn("maxout", 1)
    assert accuracy(zygote.maxout, start, xs, wanted) < 0.7
    end = zygote.fitted(zygote.maxout_loss, start, xs, wanted, steps=2000, rate=0.01)
    assert end.nit == 2000
    assert accuracy(zygote.maxout, end.x, xs, wanted) == 1


def test_logistic_regression_in_one_line_learns_a_plane() -> None:
    xs = examples(64)
    wanted = [[1.0, 0.0] if x[0] - x[4] + 0.3 * x[9] > 0 else [0.0, 1.0] for x in xs]
    start = drawn("logistic", 1)
    x, y = xs[0], wanted[0]

    gradient = eg.grad(
        lambda W, b: zygote.squares(zygote.sigmoid(W @ eg.asarray(x) + b), eg.asarray(y)), (0, 1)
    )

    by_parameters = eg.grad(zygote.logistic_loss)(start, x, y)
    assert numbers(list(gradient(start.W, start.b))) == pytest.approx(numbers(by_parameters), rel=CLOSE)
    end = zygote.fitted(zygote.logistic_loss, start, xs, wanted, steps=2000, rate=0.05)
    assert accuracy(zygote.logistic, end.x, xs, wanted) == 1


def test_lstm_learns_a_sine() -> None:
    steps, units = range(zygote.STEPS), range(zygote.UNITS)
    xs = [[math.sin(0.4 * t + k) for k in range(zygote.SEEN)] for t in steps]
    wanted = [[0.5 * math.sin(0.4 * (t + 1) + 0.7 * k) for k in units] for t in steps]
    end = zygote.fitted(zygote.lstm_loss, drawn("lstm", 1), [xs], [wanted], steps=2000, rate=0.01)
    found = eg.jit(zygote.lstm)(end.x, xs)
    worst = max(abs(found[t][k] - wanted[t][k]) for t in steps[2:] for k in units)
    assert worst < 0.05
