"""`enp.einsum` and its derivatives compile to the same bytes as loops that are written by hand."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.types import vec_type
from tests.seeds import NIGHTLY

PROGRAMS = 200 if NIGHTLY else 20
LETTERS = "ijkl"
BATCH = "pq"
"""The letters of the axes that `...` stands for."""


@dataclass(frozen=True)
class Drawn:
    """A test case of einsum: its subscripts, and the length of each axis."""

    text: str
    operands: tuple[str, ...]
    output: str
    lengths: dict[str, int]

    @property
    def types(self) -> list[Any]:
        return [vec_type(tuple(self.lengths[c] for c in letters), eg.Real) for letters in self.operands]

    def loops(self) -> str:
        """Write the source code of a lambda that computes the test case by loops."""
        names = "abc"[: len(self.operands)]
        product = " * ".join(
            name + "".join(f"[{letter}]" for letter in letters)
            for name, letters in zip(names, self.operands, strict=True)
        )
        summed = [c for c in dict.fromkeys("".join(self.operands)) if c not in self.output]
        for letter in reversed(summed):
            product = f"eg.sum({self.lengths[letter]}, lambda {letter}: {product})"
        for letter in reversed(self.output):
            product = f"eg.vec({self.lengths[letter]}, lambda {letter}: {product})"
        return f"lambda {', '.join(names)}: {product}"


def drawn(k: int) -> Drawn:
    """Draw test case k.

    The subscripts of an operand may repeat a letter. In every third case, all subscripts begin with "...".
    """
    draw = random.Random(f"einsum {k}")  # noqa: S311 - cases of a test
    lengths = {letter: draw.randint(2, 7) for letter in LETTERS + BATCH}
    batch = BATCH[: draw.randint(1, 2)] if k % 3 == 0 else ""
    terms = [
        "".join(draw.choice(LETTERS) for _ in range(draw.randint(1, 3))) for _ in range(draw.randint(1, 3))
    ]
    if k % 4 == 1:
        terms[0] = terms[0][0] * 2 + terms[0][1:2]
    used = sorted(set("".join(terms)))
    output = "".join(draw.sample(used, draw.randint(0, min(2, len(used)))))
    if k % 5 == 4:
        text, output = ",".join(terms), "".join(c for c in used if "".join(terms).count(c) == 1)
    else:
        text = ",".join(terms) + "->" + output
    if batch:
        left, arrow, right = text.partition("->")
        text = ",".join("..." + term for term in left.split(",")) + arrow + ("..." + right if arrow else "")
    return Drawn(text, tuple(batch + term for term in terms), batch + output, lengths)


def by_einsum(case: Drawn) -> Any:
    return lambda *operands: enp.einsum(case.text, *operands)


def by_hand(case: Drawn) -> Any:
    return eval(case.loops(), {"eg": eg})  # noqa: S307 - the text is ours


def compiled(f: Any, types: list[Any], name: str) -> eg.Kernel:
    f.__name__ = name
    return eg.compile(eg.fn(types)(f))


def cotangents(f: Any) -> Any:
    """Make a function that returns the vjp of f. Its last argument is the cotangent."""
    return lambda *args: eg.vjp(f, *args[:-1])[1](args[-1])


def filled(of: Any, draw: random.Random) -> Any:
    return [filled(of.of, draw) for _ in range(of.n)] if hasattr(of, "of") else draw.uniform(-1, 1)


@pytest.mark.parametrize("k", range(PROGRAMS))
def test_einsum_compiles_to_the_same_bytes_as_hand_written_loops(k: int) -> None:
    case = drawn(k)
    one, other = (compiled(make(case), case.types, "product") for make in (by_einsum, by_hand))
    assert one.wasm == other.wasm, f"{case.text}: {case.loops()}"
    result = vec_type(tuple(case.lengths[c] for c in case.output), eg.Real)
    types = [*case.types, result]
    one, other = (compiled(cotangents(make(case)), types, "gradient") for make in (by_einsum, by_hand))
    assert one.wasm == other.wasm, f"the gradient of {case.text}: {case.loops()}"
    draw = random.Random(k)  # noqa: S311 - numbers of a test
    args = [filled(of, draw) for of in case.types]
    right = np.einsum(case.text, *map(np.array, args))
    np.testing.assert_allclose(compiled(by_hand(case), case.types, "product")(*args), right, atol=1e-12)


def test_the_random_cases_cover_ellipses_repeats_and_implicit_outputs() -> None:
    texts = [drawn(k).text for k in range(PROGRAMS)]
    operands = [term.replace(".", "") for text in texts for term in text.partition("->")[0].split(",")]
    assert sum("..." in text for text in texts) >= 5
    assert sum(len(set(term)) < len(term) for term in operands) >= 5
    assert sum("->" not in text for text in texts) >= 3
    assert len(set(texts)) >= 15
