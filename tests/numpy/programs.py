"""Draw random programs. Each step of a program applies a function of arrays to earlier results."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import eglantine as eg
import eglantine.numpy as enp

Shape = tuple[int, ...]
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13)
"""The lengths that an axis may have. Loops over up to 4 elements are unrolled while tracing. In loops over 5
or more elements, several elements may be computed at once."""
MOST_READ, MOST_MADE = 700, 2500
"""The most elements of an argument, and of the result of a step."""

ONE_ARGUMENT: dict[str, Callable[[Any], Any]] = {
    "sin": enp.sin, "tanh": enp.tanh, "square": enp.square, "abs": enp.abs, "negative": lambda a: -a,
    "bell": lambda a: enp.exp(-a * a), "relu": lambda a: enp.maximum(a, 0.0),
    "soft": lambda a: enp.sqrt(1.0 + a * a),
}  # fmt: skip
TWO_ARGUMENTS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "damped": lambda a, b: a / (1.0 + b * b), "where": lambda a, b: enp.where(a > b * 0.5, a, b * 2.0),
}  # fmt: skip


class Step(NamedTuple):
    """A step of a program. `run` takes a list of the program's arguments and all earlier results."""

    text: str
    shape: Shape
    run: Callable[[Sequence[Any]], Any]


class Program(NamedTuple):
    """A program, which is a list of steps. It returns the result of the last step."""

    arguments: tuple[Shape, ...]
    steps: tuple[Step, ...]

    def __call__(self, *arguments: Any) -> Any:
        values = list(arguments)
        for step in self.steps:
            values.append(step.run(values))
        return values[-1]

    def __str__(self) -> str:
        names = len(self.arguments)
        lines = [f"v{k}: argument of shape {shape}" for k, shape in enumerate(self.arguments)]
        return "\n".join(
            lines + [f"v{names + k} = {step.text}: {step.shape}" for k, step in enumerate(self.steps)]
        )


class Drawing:
    """The state of drawing a program: a random generator, and the shapes of arguments and results."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.shapes = [self._argument() for _ in range(rng.choice((1, 1, 2, 2, 3)))]
        if (
            len(self.shapes[0]) > 1 and rng.random() < 0.5
        ):  # add a matrix for the product first_argument @ matrix
            self.shapes.append((self.shapes[0][-1], rng.choice(LENGTHS)))
        self.arguments = tuple(self.shapes)

    def _argument(self) -> Shape:
        while True:
            shape = tuple(self.rng.choice(LENGTHS) for _ in range(self.rng.choice((1, 2, 2, 3, 3, 4))))
            if math.prod(shape) <= MOST_READ:
                return shape

    def value(self) -> tuple[int, Shape]:
        """Choose an argument or result, usually the newest. Return its number and its shape."""
        newest = len(self.shapes) - 1
        k = newest if self.rng.random() < 0.6 else self.rng.randrange(newest + 1)
        return k, self.shapes[k]

    def other(self, fits: Callable[[Shape], bool]) -> int | None:
        """Choose a value whose shape satisfies `fits`. Return the value's number, or None if none does."""
        found = [k for k, shape in enumerate(self.shapes) if fits(shape)]
        return self.rng.choice(found) if found else None


def draw(rng: random.Random) -> Program:
    """A program of one to six steps."""
    d = Drawing(rng)
    steps: list[Step] = []
    count = rng.randint(1, 6)
    while len(steps) < count:
        step = rng.choice(MAKERS)(d)
        if step is not None and math.prod(step.shape) <= MOST_MADE:
            steps.append(step)
            d.shapes.append(step.shape)
    return Program(d.arguments, tuple(steps))


# ---------------------------------------------------------------- functions that draw a step


def _elementwise(d: Drawing) -> Step:
    i, shape = d.value()
    name = d.rng.choice(tuple(ONE_ARGUMENT))
    return Step(f"{name}(v{i})", shape, lambda v: ONE_ARGUMENT[name](v[i]))


def _pairwise(d: Drawing) -> Step:
    i, shape = d.value()
    j = d.other(lambda s: s in (shape, shape[-1:]))
    assert j is not None
    name = d.rng.choice(tuple(TWO_ARGUMENTS))
    return Step(f"{name}(v{i}, v{j})", shape, lambda v: TWO_ARGUMENTS[name](v[i], v[j]))


def _reduction(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    name = d.rng.choice(("sum", "sum", "mean", "max", "prod", "var"))
    pairs = [tuple(sorted(d.rng.sample(range(len(shape)), 2)))] if len(shape) > 1 else []
    axis = d.rng.choice([None, *pairs, *range(len(shape)), *range(len(shape))])
    keepdims = d.rng.random() < 0.3
    gone = range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    kept = [1 if k in gone else n for k, n in enumerate(shape) if keepdims or k not in gone]
    return Step(
        f"{name}(v{i}, {axis}, keepdims={keepdims})", tuple(kept),
        lambda v: getattr(enp, name)(v[i], axis=axis, keepdims=keepdims),
    )  # fmt: skip


def _norm(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    k = d.rng.randrange(len(shape))
    return Step(f"norm(v{i}, axis={k})", shape[:k] + shape[k + 1 :], lambda v: enp.linalg.norm(v[i], axis=k))


def _softmax(a: Any, k: int) -> Any:
    e = enp.exp(a - enp.max(a, axis=k, keepdims=True))
    return e / enp.sum(e, axis=k, keepdims=True)


ALONG: dict[str, Callable[[Any, int], Any]] = {
    "cumsum": enp.cumsum, "flip": enp.flip, "sort": enp.sort, "softmax": _softmax,
    "roll": lambda a, k: enp.roll(a, 2, k),
}  # fmt: skip


def _along(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    name, k = d.rng.choice(tuple(ALONG)), d.rng.randrange(len(shape))
    return Step(f"{name}(v{i}, {k})", shape, lambda v: ALONG[name](v[i], k))


def _part(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    k = d.rng.randrange(len(shape))
    low = d.rng.randrange(shape[k])
    part = slice(low, d.rng.randint(low + 1, shape[k]), d.rng.choice((1, 1, 2)))
    at = d.rng.choice((low, part))
    kept = (len(range(shape[k])[part]),) if at is part else ()
    return Step(
        f"v{i}[{at}] of axis {k}",
        shape[:k] + kept + shape[k + 1 :],
        lambda v: v[i][(slice(None),) * k + (at,)],
    )


def _rows(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    rows = [d.rng.randrange(shape[0]) for _ in range(d.rng.randint(1, 7))]
    return Step(f"take(v{i}, {rows}, 0)", (len(rows), *shape[1:]), lambda v: enp.take(v[i], rows, axis=0))


def _changed(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    k, how = d.rng.randrange(shape[0]), d.rng.choice(("set", "add"))
    return Step(
        f"v{i}.at[{k}].{how}(v{i}[0] * 1.5)", shape, lambda v: getattr(v[i].at[k], how)(v[i][0] * 1.5)
    )


def _product(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape or len(shape) > 3:
        return None
    j = d.other(lambda s: s == shape[-1:] or (len(s) == 2 and s[0] == shape[-1]))
    return None if j is None else Step(f"v{i} @ v{j}", shape[:-1] + d.shapes[j][1:], lambda v: v[i] @ v[j])


def _contraction(d: Drawing) -> Step | None:
    i, shape = d.value()
    if len(shape) != 2:
        return None
    j = d.other(lambda s: len(s) == 2 and s[0] == shape[0])
    assert j is not None
    made = (d.shapes[j][1], shape[1])
    return Step(f"einsum('ki,kj->ji', v{i}, v{j})", made, lambda v: enp.einsum("ki,kj->ji", v[i], v[j]))


def _outer(d: Drawing) -> Step | None:
    i, shape = d.value()
    if len(shape) != 1:
        return None
    j = d.other(lambda s: len(s) == 1)
    assert j is not None
    return Step(f"outer(v{i}, v{j})", shape + d.shapes[j], lambda v: enp.outer(v[i], v[j]))


def _transpose(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    axes = tuple(d.rng.sample(range(len(shape)), len(shape)))
    return Step(
        f"transpose(v{i}, {axes})", tuple(shape[k] for k in axes), lambda v: enp.transpose(v[i], axes)
    )


def _reshape(d: Drawing) -> Step:
    i, shape = d.value()
    size = math.prod(shape)
    n = d.rng.choice([n for n in range(1, size + 1) if size % n == 0])
    new = d.rng.choice(((n, size // n), (size,)))
    return Step(f"reshape(v{i}, {new})", new, lambda v: enp.reshape(v[i], new))


def _joined(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    k = d.rng.randrange(len(shape))
    j = d.other(lambda s: s[:k] == shape[:k] and s[k + 1 :] == shape[k + 1 :] and len(s) == len(shape))
    assert j is not None
    made = (*shape[:k], shape[k] + d.shapes[j][k], *shape[k + 1 :])
    return Step(f"concatenate([v{i}, v{j}], {k})", made, lambda v: enp.concatenate([v[i], v[j]], axis=k))


def _stacked(d: Drawing) -> Step:
    i, shape = d.value()
    j = d.other(lambda s: s == shape)
    assert j is not None
    k = d.rng.randint(0, len(shape))
    return Step(
        f"stack([v{i}, v{j}], {k})", (*shape[:k], 2, *shape[k:]), lambda v: enp.stack([v[i], v[j]], axis=k)
    )


def _repeated(d: Drawing) -> Step:
    i, shape = d.value()
    new = (d.rng.choice((2, 5, 6)), *shape)
    return Step(f"broadcast_to(v{i}, {new})", new, lambda v: enp.broadcast_to(v[i], new))


def _weighted(d: Drawing) -> Step | None:
    i, shape = d.value()
    if not shape:
        return None
    return Step(
        f"vec(j: v{i}[j] * (j + 1))", shape, lambda v: eg.vec(shape[0], lambda j: v[i][j] * eg.real(j + 1))
    )


def _constant(d: Drawing) -> Step:
    _, shape = d.value()
    name = d.rng.choice(("zeros", "ones"))
    return Step(f"{name}({shape})", shape, lambda v: getattr(enp, name)(shape))


def _table(d: Drawing) -> Step | None:
    _, shape = d.value()
    if len(shape) != 2:
        return None
    n, m = shape
    rows = [[float(i * m - j * j) for j in range(m)] for i in range(n)]
    return Step(f"a table of shape {shape}", shape, lambda v: enp.array(rows))


def _nest(d: Drawing) -> Step | None:
    """Draw a step that sums products of array elements in nested loops."""
    outputs, sums = d.rng.randint(1, 2), d.rng.randint(1, 2)
    lengths = [d.rng.choice((2, 3, 5, 6, 8)) for _ in range(outputs + sums)]
    factors: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    for _ in range(d.rng.randint(1, 3)):
        i, shape = d.value()
        factors.append((i, tuple(_index(d, n, lengths) for n in shape)))

    def product(v: Sequence[Any], loops: Sequence[Any]) -> Any:
        total: Any = 1.0
        for i, indices in factors:
            element = v[i]
            for loop, constant in indices:
                element = element[constant if loop < 0 else loops[loop]]
            total = total * element
        return total

    def nested(v: Sequence[Any], loops: tuple[Any, ...]) -> Any:
        if len(loops) == len(lengths):
            return product(v, loops)
        n, make = lengths[len(loops)], eg.vec if len(loops) < outputs else eg.sum
        return make(n, lambda k: nested(v, (*loops, k)))

    return Step(f"sums of {factors} over {lengths}", tuple(lengths[:outputs]), lambda v: nested(v, ()))


def _index(d: Drawing, n: int, lengths: Sequence[int]) -> tuple[int, int]:
    """Draw an index below n. Return (k, 0) for the variable of loop k, or (−1, c) for the constant c."""
    fits = [k for k, length in enumerate(lengths) if length <= n]
    return (d.rng.choice(fits), 0) if fits and d.rng.random() < 0.75 else (-1, d.rng.randrange(n))


def _triangle(d: Drawing) -> Step | None:
    i, shape = d.value()
    k = d.rng.randint(-2, 2)
    return Step(f"tril(v{i}, {k})", shape, lambda v: enp.tril(v[i], k)) if len(shape) > 1 else None


MAKERS: tuple[Callable[[Drawing], Step | None], ...] = (
    _elementwise, _elementwise, _pairwise, _pairwise, _reduction, _reduction, _reduction, _norm, _along,
    _along, _part, _part, _rows, _changed, _product, _product, _contraction, _outer, _transpose, _reshape,
    _joined, _stacked, _repeated, _weighted, _triangle, _constant, _table, _nest, _nest,
)  # fmt: skip
