"""Figures of chapter 2, "Four ways"."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

import eglantine as eg
from docs.book import symbolic
from docs.book.shown import Shown, shown
from docs.book.vectors import chosen, vector
from eglantine import inside
from eglantine import math as em

MOST = 10
"""The largest number of products in a formula x·(x·(x…)) of the tables."""
MOST_SQUARES = 8
INPUTS, OUTPUTS = 6, 4
"""The size of the matrix of derivatives in the picture."""
TRY = """import eglantine as eg
from math import pi

@eg.fn
@eg.autograph
def f(x: eg.Real) -> eg.Real:
    return x if x < pi / 2 else x * eg.math.sin(x)

x, h = 2.0, 1e-6
print("numeric ", (f(x + h) - f(x - h)) / (2 * h))
print("forward ", eg.jvp(f, (x,), (1.0,))[1])
print("backward", eg.grad(f)(x))
"""


def bent(x: Any) -> Any:
    """A function with two branches: x if x < π/2, otherwise x sin x."""
    return eg.select(x < math.pi / 2, x * 1.0, x * em.sin(x))


def four() -> Shown:
    """A figure that compares four ways to compute the derivative of one function."""

    def numeric(x: Any, h: Any) -> Any:
        return (bent(x + h) - bent(x)) / h

    def symbolic_slope(x: Any) -> Any:
        return eg.select(x < math.pi / 2, 1.0, em.sin(x) + x * em.cos(x))

    def forward(x: Any) -> Any:
        return eg.jvp(bent, (x,), (1.0,))[1]

    def backward(x: Any) -> Any:
        return eg.grad(bent)(x)

    def all_four(x: Any, h: Any) -> Any:
        return numeric(x, h), symbolic_slope(x), forward(x), backward(x)

    figure = eg.figure(
        [bent, numeric, backward], x=(0, 5), y=(-6, 4), at=eg.point((2, 0)), h=eg.slider(0.001, 1, 0.5), show=(),
        says=("Numeric {}, symbolic {}, forward {}, backward {}", all_four),
    )  # fmt: skip
    return shown(
        figure,
        "At <i>x</i> = 2 the numeric slope with <i>h</i> = ½ is {half}, and with <i>h</i> = 0.001 it is {small}. "
        "The other three ways all give {symbolic}, {forward} and {backward}.",
        half=numeric(2.0, 0.5), small=numeric(2.0, 0.001), symbolic=symbolic_slope(2.0),
        forward=forward(2.0), backward=backward(2.0),
    )  # fmt: skip


def rows(k: int, make: Callable[[int], Any], order: int = 1) -> int:
    """Compile the derivative of an expression. Return how many rows the compiled program has."""
    expression = make(k)
    cache: dict[int, Any] = {}

    def f(x: Any) -> Any:
        def value(of: Any) -> Any:  # compute an expression only once, even if it occurs twice
            if not isinstance(of, tuple):
                return x if of == symbolic.X else of
            if id(of) not in cache:
                one, other = value(of[1]), value(of[2])
                cache[id(of)] = one + other if of[0] == "+" else one * other
            return cache[id(of)]

        cache.clear()
        return value(expression)

    for _ in range(order):
        f = eg.grad(f)
    made = eg.fn([eg.Real], eg.Real)(f)
    block = inside.optimise(made.function).block
    return len(block.rows) - 1 - len(made.function.params)  # without the zero and the parameter


def counts(make: Callable[[int], Any], order: int, most: int) -> list[int]:
    """For each k from 1 to `most`, count the terms of a derivative of `make(k)`. Its order is `order`."""
    return [symbolic.orders(make(k), order)[order] for k in range(1, most + 1)]


def explosion() -> Shown:
    """A figure that compares the size of a derivative as a formula with its size as a program."""
    texts = counts(symbolic.squared, 1, MOST_SQUARES)
    chains = counts(symbolic.chain, 1, MOST_SQUARES)
    programs = [rows(k, symbolic.squared) for k in range(1, MOST_SQUARES + 1)]

    def path(values: Sequence[int]) -> Callable[[], Any]:
        xs = [float(k) for k in range(1, len(values) + 1)]
        return lambda: (vector(xs), vector([math.log10(value) for value in values]))

    figure = eg.figure(
        None, kind="scatter", k=(0.5, 8.5), digits=(0, 4), size=eg.slider(1, 8, 4),
        paths={
            "squares": (path(texts), "both"), "chain": (path(chains), "both"),
            "our rows": (path(programs), "both"),
        },
        says=(
            "Squared {} times: {} terms, or {} rows. Chain: {} terms",
            lambda size: (
                em.round(size), chosen(texts, em.round(size) - 1), chosen(programs, em.round(size) - 1), chosen(chains, em.round(size) - 1)
            ),
        ),
    )  # fmt: skip
    return shown(
        figure,
        "Square <i>x</i> {most} times over, and its derivative has {texts} terms as a text. As a program it has "
        "{rows} rows. A product of {products} factors has a derivative of {chain} terms.",
        most=MOST_SQUARES, texts=texts[-1], rows=programs[-1], products=MOST_SQUARES + 1, chain=chains[-1],
    )  # fmt: skip


def network(x: Sequence[Any]) -> list[Any]:
    """A function of six inputs with four outputs."""
    return [
        x[0] * x[1] + em.sin(x[2]),
        x[1] * x[2] * x[3],
        em.exp(x[3] / 4) + x[4],
        x[4] * x[5] - x[0],
    ]


def matrix() -> Shown:
    """A figure of the Jacobian matrix. Forward passes fill its columns, and backward passes fill its rows."""
    cells = [(i, j) for j in range(OUTPUTS) for i in range(INPUTS)]

    def is_known(i: int, j: int, passes: Any, backward: Any) -> Any:
        return eg.select(backward > 0.5, float(j), float(i)) < em.floor(passes)

    def dots(known: bool) -> Callable[..., Any]:
        def path(passes: Any, backward: Any) -> Any:
            def place(k: int) -> Any:
                i, j = cells[k]
                shows = is_known(i, j, passes, backward)
                return eg.select(shows if known else ~shows, float(OUTPUTS - j), math.nan)

            return vector([i + 1.0 for i, _ in cells]), vector([place(k) for k in range(len(cells))])

        return path

    def known(passes: Any, backward: Any) -> Any:
        done = em.floor(passes)
        cells_a_pass = eg.select(backward > 0.5, float(INPUTS), float(OUTPUTS))
        return eg.select(backward > 0.5, 1.0, 0.0), em.minimum(done * cells_a_pass, float(len(cells)))

    figure = eg.figure(
        None, kind="scatter", input=(0.5, INPUTS + 0.5), output=(0.5, OUTPUTS + 0.5),
        passes=eg.slider(0, 6, 2), backward=eg.choice([False, True]),
        paths={"known": (dots(True), "dots"), "unknown": (dots(False), "dots")},
        says=("{Forward|Backward}: {} of the 24 derivatives are known", known),
    )  # fmt: skip
    point = [0.5] * INPUTS
    forward = eg.jacfwd(lambda v: network([v[k] for k in range(INPUTS)]))(point)
    backward = eg.jacrev(lambda v: network([v[k] for k in range(INPUTS)]))(point)
    return shown(
        figure,
        "Six inputs and four outputs have {cells} derivatives. Forward mode finds them in {columns} passes, and "
        "backward mode in {rows}. The largest difference between the two results is {gap}.",
        cells=len(cells), columns=INPUTS, rows=OUTPUTS,
        gap=max(abs(a - b) for one, other in zip(forward, backward, strict=True) for a, b in zip(one, other, strict=True)),
    )  # fmt: skip


def landscape(x: Any, y: Any) -> Any:
    """Two hills and a hollow."""
    return em.sin(x) * em.cos(y) + x * y / 4


def directions() -> Shown:
    """A figure of two derivatives at a point: the slope in one direction, and the gradient."""

    def along(x: Any, y: Any, angle: Any) -> Any:
        turned = angle * math.pi / 180
        return eg.jvp(landscape, (x, y), (em.cos(turned), em.sin(turned)))[1]

    def arrow(x: Any, y: Any, angle: Any) -> Any:
        turned = angle * math.pi / 180
        return (
            eg.vec(2, lambda i: x + eg.real(i) * em.cos(turned)),
            eg.vec(2, lambda i: y + eg.real(i) * em.sin(turned)),
        )

    def answers(x: Any, y: Any, angle: Any) -> Any:
        return along(x, y, angle)

    figure = eg.figure(
        landscape, x=(-3, 3), y=(-2, 2), at=eg.point((1, 1)), angle=eg.slider(0, 360, 0), kind="contour",
        show=("gradient",), paths={"direction": arrow}, says=("Along the arrow f rises {} per unit", answers),
    )  # fmt: skip
    gradient = eg.grad(landscape, (0, 1))(1.0, 1.0)
    angle = math.degrees(math.atan2(gradient[1], gradient[0])) % 360
    return shown(
        figure,
        "At (1, 1) <i>f</i> rises {east} per unit to the right and {north} per unit upwards. It rises most along the "
        "gradient, at an angle of {angle} degrees: {most} per unit, which is the gradient’s length, {length}.",
        east=along(1.0, 1.0, 0.0), north=along(1.0, 1.0, 90.0), angle=angle, most=along(1.0, 1.0, angle),
        length=math.hypot(*gradient),
    )  # fmt: skip


def level_direction() -> float:
    """Return the angle, in degrees, of the direction in which the landscape's slope at (1, 1) is 0."""
    across, up = eg.grad(landscape, (0, 1))(1.0, 1.0)
    return math.degrees(math.atan2(across, -up)) % 180


def table(head: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    """A table of numbers as HTML."""
    top = "".join(f'<th scope="col" class="n">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{line[0]}</th>'
        + "".join(f'<td class="n">{cell}</td>' for cell in line[1:])
        + "</tr>"
        for line in lines
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def chains() -> str:
    """Count the terms and the rows of derivatives of products. Return the numbers as an HTML table."""
    ks = range(1, MOST + 1)
    return table(
        ["products", *map(str, ks)],
        [
            ["terms of <i>f</i>", *counts(symbolic.chain, 0, MOST)],
            ["terms of <i>f</i>′", *counts(symbolic.chain, 1, MOST)],
            ["terms of <i>f</i>″", *counts(symbolic.chain, 2, MOST)],
            ["our rows for <i>f</i>′", *(rows(k, symbolic.chain) for k in ks)],
            ["our rows for <i>f</i>″", *(rows(k, symbolic.chain, 2) for k in ks)],
        ],
    )


def squares() -> str:
    """Count the terms and the rows of f′ for repeated squares. Return the numbers as an HTML table."""
    ks = range(1, MOST_SQUARES + 1)
    return table(
        ["times squared", *map(str, ks)],
        [
            ["terms of <i>f</i>′", *counts(symbolic.squared, 1, MOST_SQUARES)],
            ["our rows for <i>f</i>′", *(rows(k, symbolic.squared) for k in ks)],
        ],
    )


SMALL = symbolic.orders(symbolic.SMALL, 3)
FIGURES = {"four": four, "explosion": explosion, "matrix": matrix, "directions": directions}
NUMBERS = {
    "terms_0": SMALL[0], "terms_1": SMALL[1], "terms_2": SMALL[2], "terms_3": SMALL[3],
    "twice": eg.grad(lambda x: em.sin(x * x))(1.0),
    "level": level_direction(),
    "nine": symbolic.orders(symbolic.squared(9), 1)[1],
}  # fmt: skip
HTML = {
    "text_1": symbolic.text(symbolic.derivative(symbolic.SMALL)),
    "text_2": symbolic.text(symbolic.derivative(symbolic.derivative(symbolic.SMALL))),
    "chains": chains(),
    "squares": squares(),
    "try": f"playground.html#v=1&amp;code={quote(TRY)}",
}
