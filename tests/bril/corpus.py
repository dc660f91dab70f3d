"""The community's Bril programs, with the outputs that the reference interpreter recorded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from eglantine import bril

DATA = Path(__file__).parent.parent / "data" / "bril" / "programs.json.gz"
PROGRAMS: dict[str, Any] = json.loads(gzip.decompress(DATA.read_bytes()))
"""Name of a program → its text, the arguments of its `main`, its output, and the number of instructions that
it executes. The number may be None."""

LONGEST = "mixed/brilirs-only/montecarlo"
"""This program executes 110 million instructions."""


MILLION_ROUNDS, FEWER_ROUNDS = "end: int = const 1000000;", "end: int = const 20001;"
"""A constant of the loop in float/leibniz, and a smaller constant that shortens the loop."""


def with_constants_as_arguments(
    name: str, shorter: bool = False, end: str = FEWER_ROUNDS
) -> tuple[Any, list[float]]:
    """Turn a program's float constants into arguments of `main`. Return the program and all arguments.

    shorter: if true, a loop of a million iterations is made shorter.
    end: the Bril instruction that sets the number of iterations of the shortened loop.
    """
    text = PROGRAMS[name]["text"]
    program = bril.parse(text.replace(MILLION_ROUNDS, end) if shorter else text)
    tree = json.loads(program.json())
    (main,) = [function for function in tree["functions"] if function["name"] == "main"]
    args = program.arguments(tuple(PROGRAMS[name]["args"]))
    parameters = main.setdefault("args", [])
    for k, item in enumerate(main["instrs"]):
        if item.get("op") == "const" and item["type"] == "float":
            main["instrs"][k] = {"op": "id", "dest": item["dest"], "type": "float", "args": [f"c.{k}"]}
            parameters.append({"name": f"c.{k}", "type": "float"})
            args.append(float(item["value"]))
    return bril.parse(json.dumps(tree)), args


def floats(program: Any, args: list[Any]) -> list[float]:
    values = program.arguments(tuple(args))
    return [value for value, p in zip(values, program.main.parameters, strict=True) if p.type == "float"]
