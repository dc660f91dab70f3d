"""Figures of chapter 10, "How it works here"."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from docs.book.vectors import chosen, vector
from eglantine import inside
from eglantine import math as em
from eglantine.api import compile_artifact

X0, Y0 = 2.0, 5.0
"""The place at which the tape is shown, as in the survey of Baydin and others."""


def example(x: Any, y: Any) -> Any:
    """The textbook's example."""
    return em.log(x) + x * y - em.sin(y)


def tape() -> Shown:
    """A figure of a small program. It shows the value and the cotangent of each row."""

    def values(x: Any, y: Any) -> list[Any]:
        a, b, c = em.log(x), x * y, em.sin(y)
        d = a + b
        return [x, y, a, b, d, c, d - c]

    def cotangents(x: Any, y: Any) -> list[Any]:
        across, up = eg.grad(example, (0, 1))(x, y)
        return [across, up, 1.0, 1.0, 1.0, -1.0, 1.0]

    def heights(numbers: Any) -> Any:
        return lambda at: (vector([float(k) for k in range(1, 8)]), vector(numbers(at[0], at[1])))

    def told(at: Any) -> Any:
        across, up = eg.grad(example, (0, 1))(at[0], at[1])
        return example(at[0], at[1]), across, up

    figure = eg.figure(
        None, kind="scatter", row=(0.5, 7.5), value=(-3, 13), at=eg.point((X0, Y0)),
        paths={"values": (heights(values), "both"), "cotangents": (heights(cotangents), "both")},
        says=("f = {}, with the slopes {} and {}", told),
    )  # fmt: skip
    across, up = eg.grad(example, (0, 1))(X0, Y0)
    return shown(
        figure,
        "At (2, 5) the program log <i>x</i> + <i>x</i>·<i>y</i> − sin <i>y</i> gives {value}. The backward pass ends with "
        "the slopes {across} and {up}.",
        value=example(X0, Y0), across=across, up=up,
    )  # fmt: skip


def horner(degree: int) -> Any:
    """A polynomial with a traced number for x."""

    def f(x: Any) -> Any:
        value: Any = 1.0
        for k in range(degree):
            value = value * x + 1.0 / (k + 2)
        return value

    return f


def sizes(degree: int) -> tuple[int, int]:
    """Compile the derivative of a polynomial. Return its number of rows, and its module's size in bytes."""
    made = eg.fn([eg.Real], eg.Real)(eg.grad(horner(degree)))
    return len(inside.optimise(made.function).block.rows) - 2, len(compile_artifact(made).wasm)


DEGREES = tuple(range(1, 13))


def growth() -> Shown:
    """A figure that shows how the rows and bytes of a polynomial's derivative grow with its degree."""
    counts = [sizes(degree) for degree in DEGREES]

    def line(part: int, scale: float) -> Any:
        return lambda: (
            vector([float(k) for k in DEGREES]),
            vector([count[part] / scale for count in counts]),
        )

    def told(degree: Any) -> Any:
        place = em.round(degree) - 1
        return em.round(degree), chosen([a for a, _ in counts], place), chosen([b for _, b in counts], place)

    figure = eg.figure(
        None, kind="scatter", power=(0, 13), size=(0, 60), degree=eg.slider(1, 12, 6),
        paths={"rows": (line(0, 1.0), "both"), "bytes / 10": (line(1, 10.0), "both")},
        says=("Degree {}: {} rows and {} bytes for the derivative", told),
    )  # fmt: skip
    steps = Counter(later[0] - before[0] for before, later in pairwise(counts[2:]))
    return shown(
        figure,
        "Each further power of <i>x</i> adds {rows} rows to the derivative of a polynomial. For a polynomial of degree "
        "12, the derivative is a module of {bytes} bytes, ready to run.",
        rows=steps.most_common(1)[0][0], bytes=counts[-1][1],
    )  # fmt: skip


FIGURES = {"tape": tape, "growth": growth}
NUMBERS = {"slope": eg.grad(lambda x: em.log(x) + 5.0 * x - math.sin(5))(2.0)}
