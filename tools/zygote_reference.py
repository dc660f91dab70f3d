"""`python -m tools.zygote_reference`: compute losses and gradients of Zygote's models with JAX.

The results are written to tests/data/zygote.json. The formulas in this file are independent of
app/learning/zygote.py. If the models change, run this script in a separate environment with JAX
(`pip install jax`).

For each model, the file contains parameters, arguments, the loss, and the gradient with respect to the
parameters. Parameters and arguments are rounded to three decimals, so that they are the same on all machines.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent.parent / "tests" / "data" / "zygote.json"
FEATURES, HIDDEN, CLASSES = 10, 5, 2
SEEN, UNITS, STEPS = 3, 8, 20
SPREAD, DECIMALS = 0.6, 3


def main() -> None:
    """Compute everything and write the file."""
    import jax

    jax.config.update("jax_enable_x64", True)
    numbers = random.Random(20)  # noqa: S311 - no secret
    recorded: dict[str, Any] = {"jax": jax.__version__}
    for name, (loss, parameters, arguments) in models(numbers).items():
        value, gradient = jax.value_and_grad(loss)(as_arrays(parameters), *map(as_arrays, arguments))
        recorded[name] = {
            "parameters": parameters,
            "arguments": arguments,
            "loss": float(value),
            "gradient": as_lists(gradient),
        }
    FILE.write_text(json.dumps(recorded) + "\n", encoding="utf-8", newline="\n")


def models(numbers: random.Random) -> dict[str, tuple[Callable[..., Any], Any, list[Any]]]:
    """Return {model's name: (loss function, parameters, arguments)}."""

    def drawn(*shape: int) -> Any:
        if not shape:
            return round(numbers.gauss(0.0, SPREAD), DECIMALS)
        return [drawn(*shape[1:]) for _ in range(shape[0])]

    def dense(rows: int, columns: int) -> Any:
        return {"W": drawn(rows, columns), "b": drawn(rows)}

    def gate() -> Any:
        return {"W": drawn(UNITS, SEEN), "U": drawn(UNITS, UNITS), "b": drawn(UNITS)}

    pair = {
        name: {"hidden": dense(HIDDEN, FEATURES), "output": dense(CLASSES, HIDDEN)}
        for name in ("first", "second")
    }
    gates = {name: gate() for name in ("forget", "input", "output", "candidate")}
    return {
        "maxout": (maxout_loss, pair, [drawn(FEATURES), [0.0, 1.0]]),
        "lstm": (lstm_loss, gates, [drawn(STEPS, SEEN), drawn(STEPS, UNITS)]),
        "logistic": (logistic_loss, dense(CLASSES, FEATURES), [drawn(FEATURES), [1.0, 0.0]]),
    }


def maxout_loss(parameters: Any, x: Any, wanted: Any) -> Any:
    """Compute the cross entropy of a maxout network, which takes the maximum of two models' outputs."""
    import jax

    def model(p: Any) -> Any:
        return p["output"]["W"] @ jax.nn.relu(p["hidden"]["W"] @ x + p["hidden"]["b"]) + p["output"]["b"]

    larger = jax.numpy.maximum(model(parameters["first"]), model(parameters["second"]))
    return -(wanted * jax.nn.log_softmax(larger)).sum()


def lstm_loss(parameters: Any, xs: Any, wanted: Any) -> Any:
    """Compute the loss of an LSTM: the sum of the distances between its outputs and the wanted outputs."""
    import jax
    from jax import numpy as jnp

    def step(state: Any, x: Any) -> Any:
        h, cell = state
        z = {name: p["W"] @ x + p["U"] @ h + p["b"] for name, p in parameters.items()}
        sigmoid = jax.nn.sigmoid
        cell = sigmoid(z["forget"]) * cell + sigmoid(z["input"]) * jnp.tanh(z["candidate"])
        h = sigmoid(z["output"]) * jnp.tanh(cell)
        return (h, cell), h

    hs = jax.lax.scan(step, (jnp.zeros(UNITS), jnp.zeros(UNITS)), xs)[1]
    return jnp.linalg.norm(hs - wanted, axis=1).sum()


def logistic_loss(parameters: Any, x: Any, wanted: Any) -> Any:
    """Compute the sum of squared errors of a logistic model."""
    import jax

    return ((jax.nn.sigmoid(parameters["W"] @ x + parameters["b"]) - wanted) ** 2).sum()


def as_arrays(value: Any) -> Any:
    """Dicts of lists as dicts of arrays."""
    from jax import numpy as jnp

    if isinstance(value, dict):
        return {name: as_arrays(part) for name, part in value.items()}
    return jnp.asarray(value)


def as_lists(value: Any) -> Any:
    """Dicts of arrays as dicts of lists."""
    if isinstance(value, dict):
        return {name: as_lists(part) for name, part in value.items()}
    return value.tolist()


if __name__ == "__main__":
    main()
