"""Random programs of arrays, and their gradients, return the same bits compiled and interpreted."""

from __future__ import annotations

import math
import random
import struct
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from tests.seeds import NIGHTLY, first_seed

from .programs import Program, Shape, draw

CHUNK = 20
CHUNKS = 500 if NIGHTLY else 8
FIRST = first_seed(4_000_000)
MOST_DIFFERENTIATED = 400
"""The largest number of elements of a program's result for which we also test the gradient. The interpreter
would be slow for larger results."""


def array_type(shape: Shape) -> Any:
    """Make the type of an array of Reals with this shape."""
    of: Any = eg.Real
    for n in reversed(shape):
        of = eg.Vec(n, of)
    return of


def bits(value: Any) -> list[bytes]:
    """List the bits of all numbers in a value. All NaNs have the same bits."""
    if isinstance(value, float):
        return [b"NaN" if math.isnan(value) else struct.pack("<d", value)]
    return [b for part in value for b in bits(part)]


def gradient_of(program: Program, types: list[Any]) -> Any:
    """Make the gradient of the sum of sin(y) over all numbers y in a program's result."""
    total = eg.fn(types)(lambda *arguments: enp.sum(enp.sin(program(*arguments))))
    return eg.fn(types)(eg.grad(total, argnums=tuple(range(len(types)))))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_compiled_programs_of_arrays_have_the_interpreters_bits(chunk: int) -> None:
    for seed in range(FIRST + chunk * CHUNK, FIRST + (chunk + 1) * CHUNK):
        rng = random.Random(seed)  # noqa: S311 - a test's own
        program = draw(rng)
        types = [array_type(shape) for shape in program.arguments]
        arguments = [
            eg.Array([rng.uniform(-2, 2) for _ in range(math.prod(shape))], shape)
            for shape in program.arguments
        ]
        functions = [eg.fn(types)(program)]
        if math.prod(program.steps[-1].shape) <= MOST_DIFFERENTIATED:
            functions.append(gradient_of(program, types))
        for f in functions:
            assert bits(eg.compile(f)(*arguments)) == bits(f(*arguments)), f"seed {seed}\n{program}"
