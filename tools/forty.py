"""Run the programs of tests/numpy/forty with JAX, and record their results and gradients.

`python -m tools.forty` needs JAX (`pip install jax`) and writes tests/data/forty.json. Tests need no JAX.
"""

from __future__ import annotations

import json
from typing import Any

from tests.numpy.forty.all import PROGRAMS
from tests.numpy.forty.program import Program, weighted
from tools.bootstrap import ROOT

OUTPUT = ROOT / "tests" / "data" / "forty.json"


def main() -> None:
    """Write the file."""
    import jax

    jax.config.update("jax_enable_x64", True)  # type: ignore[no-untyped-call,unused-ignore]
    lines = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(computed(one))}"
        for name, one in PROGRAMS.items()
    ]
    OUTPUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def computed(program: Program) -> dict[str, Any]:
    """Run a program with JAX. Return the numbers in its result, and the gradient of their weighted sum."""
    import jax
    import jax.numpy as jnp

    args = [jnp.asarray(a, dtype=jnp.float64) for a in program.arguments()]
    result = jax.jit(lambda *args: program.run(jnp, *args))(*args)
    loss = jax.jit(jax.grad(lambda *args: weighted(jnp, program.run(jnp, *args)), tuple(range(len(args)))))
    parts = result if isinstance(result, tuple) else (result,)
    return {
        "results": [jnp.asarray(part).ravel().tolist() for part in parts],
        "gradients": [part.ravel().tolist() for part in loss(*args)],
    }


if __name__ == "__main__":
    main()
