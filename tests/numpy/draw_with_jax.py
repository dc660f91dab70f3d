"""Write `tests/data/jax_random.json` in an environment with JAX: `python tests/numpy/draw_with_jax.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax

jax.config.update("jax_enable_x64", True)
from jax import numpy as jnp  # noqa: E402
from jax import random  # noqa: E402

SEEDS = (0, 1, 42, 2**31, 2**40 + 7)
ROWS = [10.0, 20.0, 30.0, 40.0]
CHANCES = [0.1, 0.2, 0.3, 0.4]


def drawn(seed: int) -> dict[str, Any]:
    """What JAX draws with the key of a seed."""
    key = random.PRNGKey(seed)
    rows, chances = jnp.array(ROWS), jnp.array(CHANCES)
    return {
        "key": key,
        "split": random.split(key, 3),
        "uniform": random.uniform(key, (2, 3)),
        "uniform_one": random.uniform(key),
        "uniform_between": random.uniform(key, (5,), minval=-3.0, maxval=0.5),
        "normal": random.normal(key, (40,)),
        "integers": random.randint(key, (6,), 0, 10, dtype="int32"),
        "integers_far": random.randint(key, (6,), -5, 2**31 - 10, dtype="int32"),
        "permutation": random.permutation(key, 9),
        "permutation_many": random.permutation(key, 2000)[:20],
        "permuted": random.permutation(key, rows),
        "choice": random.choice(key, rows, (2, 2), replace=False),
        "choice_weighted": random.choice(key, rows, (6,), p=chances),
        "choice_weighted_once": random.choice(key, rows, (3,), replace=False, p=chances),
    }


def main() -> None:
    """Draw with every seed and write the file."""
    made = {str(seed): {name: value.tolist() for name, value in drawn(seed).items()} for seed in SEEDS}
    path = Path(__file__).resolve().parents[1] / "data" / "jax_random.json"
    path.write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
