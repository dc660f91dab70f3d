"""Figures of chapter 4, "Sharpening an image"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from docs.book.vectors import vector
from eglantine import math as em
from eglantine import numpy as enp

SIZE = 32
GREY = 127.5
WHITE = 255.0
SMALL = 16
"""The width and height in pixels of the picture for runs with many steps."""
RUN, HALF = 40, 20
WIDE, HIGH = 104, 65.25
"""The picture's frame in pixels: three small pictures across and two down."""


def rose(row: Any, column: Any, size: int = SIZE) -> Any:
    """Return the grey (0 to 255) of one pixel of our picture, a sweet-briar with five petals."""
    x, y = (column + 0.5) / size * 2 - 1, 1 - (row + 0.5) / size * 2
    distance, angle = em.hypot(x, y), em.atan2(y, x)
    petals = 0.62 + 0.25 * em.cos(5 * angle - math.pi / 2)
    inside = eg.select(distance < petals, 200.0, 60.0)
    with_heart = eg.select(distance < 0.18, 30.0, inside)
    return eg.select((abs(x) > 0.9) | (abs(y) > 0.9), 240.0, with_heart)


def original(size: int = SIZE) -> Any:
    """Our picture."""
    return eg.vec(size, lambda row: eg.vec(size, lambda column: rose(eg.real(row), eg.real(column), size)))


def blur(x: Any) -> Any:
    """Replace each pixel by the mean of 3 × 3 pixels. Outside the picture, repeat the border's pixels."""
    rows = (enp.concatenate([x[:1], x[:-1]]) + x + enp.concatenate([x[1:], x[-1:]])) / 3
    left = enp.concatenate([rows[:, :1], rows[:, :-1]], axis=1)
    right = enp.concatenate([rows[:, 1:], rows[:, -1:]], axis=1)
    return (left + rows + right) / 3


def loss(x: Any, blurred: Any) -> Any:
    """Return the squared distance between the blurred guess x and the given picture `blurred`."""
    gap = blur(x) - blurred
    return enp.sum(gap * gap)


def start(size: int = SIZE) -> Any:
    """A grey picture."""
    return eg.vec(size, lambda _: eg.vec(size, lambda _: GREY))


def descended(blurred: Any, tau: Any, steps: Any, size: int = SIZE, of: Callable[..., Any] = loss) -> Any:
    """The guess after some steps of descent."""

    def step(state: Any) -> Any:
        k, x = state
        return k + 1.0, x - tau * eg.grad(of)(x, blurred)

    return eg.while_loop(lambda state: state[0] < steps, step, (0.0, start(size)))[1]


def spread(x: Any, truth: Any) -> Any:
    """Return the root mean square of the difference between x and the true picture."""
    gap = x - truth
    return em.sqrt(enp.mean(gap * gap))


def shown_at(picture: Any, across: float, down: float, size: int = SIZE) -> Any:
    """Return x, y and grey of every pixel of a picture. The upper left corner is at (across, down)."""

    def flat(value: Callable[[Any, Any], Any]) -> Any:
        rows = eg.vec(size, lambda row: eg.vec(size, lambda column: value(row, column)))
        return enp.reshape(rows, (size * size,))

    return (
        flat(lambda _, column: across + eg.real(column)),
        flat(lambda row, _: HIGH - down - eg.real(row)),
        flat(lambda row, column: picture[row][column] / WHITE),
    )


def six(figure_of: dict[str, Callable[..., Any]]) -> dict[str, Any]:
    """Place up to six pictures in rows of three. Return them as a dictionary of paths for `eg.figure`.

    All the pictures are functions with the same three parameters.
    """
    made = {}
    for k, (name, picture) in enumerate(figure_of.items()):
        across, down = 2.5 + 33.5 * (k % 3), 0.75 + 32.5 * (k // 3)
        made[name] = (placed(picture, across, down), "grey")
    return made


def placed(picture: Callable[..., Any], across: float, down: float) -> Callable[..., Any]:
    """Return a function that draws a picture with its upper left corner at (across, down)."""
    return lambda original, tau, steps: shown_at(picture(original, tau, steps), across, down)


def signed(x: Any) -> Any:
    """Show zero as the middle grey, negative numbers as darker greys, and positive ones as lighter greys."""
    return GREY + x


def sharpen() -> Shown:
    """Six pictures of a descent."""
    known: list[tuple[Any, Any, Any, Any]] = []

    def guess(original: Any, tau: Any, steps: Any) -> Any:
        """The guess, traced once for all pictures."""
        for its_original, its_tau, its_steps, picture in known:
            if its_original is original and its_tau is tau and its_steps is steps:
                return picture
        known.append((original, tau, steps, descended(blur(original), tau, em.floor(steps))))
        return known[-1][3]

    def gradient(original: Any, tau: Any, steps: Any) -> Any:
        return signed(eg.grad(loss)(guess(original, tau, steps), blur(original)))

    def numbers(original: Any, tau: Any, steps: Any) -> Any:
        x = guess(original, tau, steps)
        return em.floor(steps), loss(x, blur(original)) / (SIZE * SIZE), spread(x, original)

    rows = eg.jit(original)()
    figure = eg.figure(
        None, kind="scatter", column=(0, WIDE), row=(0, HIGH), original=eg.picture(rows), tau=eg.slider(0.02, 1.1, 0.25),
        steps=eg.slider(0, 60, 0, step=5),
        paths=six({
            "original": lambda original, tau, steps: original, "blurred": lambda original, tau, steps: blur(original),
            "guess": guess, "blurred guess": lambda original, tau, steps: blur(guess(original, tau, steps)),
            "error": lambda original, tau, steps: signed(guess(original, tau, steps) - original), "gradient": gradient,
        }),
        says=("After {} steps: loss per pixel {}, error {}", numbers),
    )  # fmt: skip
    run = eg.jit(numbers)
    before, after = run(rows, 0.25, 0.0), run(rows, 0.25, 5.0)
    return shown(
        figure,
        "Above: the original, the blurred picture, and the guess. Below: the guess blurred, its error, and the gradient "
        "of the loss. Five steps with τ = 0.25 bring the loss per pixel from {loss_0} down to {loss_5}, and the error "
        "from {error_0} to {error_5}.",
        loss_0=float(before[1]), loss_5=float(after[1]), error_0=float(before[2]), error_5=float(after[2]),
    )  # fmt: skip


def descent_run(tau: Any, size: int = SMALL) -> Any:
    """Run gradient descent. For each step, return the loss per pixel and the error before the step."""
    truth = original(size)
    blurred = blur(truth)

    def step(x: Any, _: Any) -> Any:
        return x - tau * eg.grad(loss)(x, blurred), (loss(x, blurred) / size**2, spread(x, truth))

    return eg.scan(step, start(size), length=RUN + 1)[1]


def conjugate_run(size: int = SMALL) -> Any:
    """Run conjugate gradients. For each step, return the loss per pixel and the error before the step."""
    truth = original(size)
    blurred = blur(truth)

    def times(x: Any) -> Any:  # the Hessian's product with a direction
        return 2 * blur(blur(x))

    def step(state: Any, _: Any) -> Any:
        x, rest, way = state
        bent = times(way)
        square = enp.sum(rest * rest)
        size_of_step = square / enp.sum(way * bent)
        new_rest = rest - size_of_step * bent
        turn = enp.sum(new_rest * new_rest) / square
        found = loss(x, blurred) / size**2, spread(x, truth)
        return (x + size_of_step * way, new_rest, new_rest + turn * way), found

    first = 0.0 - eg.grad(loss)(start(size), blurred)
    return eg.scan(step, (start(size), first, first), length=RUN + 1)[1]


def quasi_newton_run(size: int = SMALL) -> Any:
    """Run L-BFGS. Return the loss per pixel before each step."""
    blurred = blur(original(size))
    grid = eg.Vec(size, eg.Vec(size, eg.Real))
    begin, go_on = eg.stepper(loss, [grid, grid], "l-bfgs")

    def step(state: Any, _: Any) -> Any:
        return go_on(state, 1.0, blurred), state.fun / size**2

    return eg.scan(step, begin(start(size), blurred), length=RUN + 1)[1]


def runs() -> Shown:
    """A figure that shows how the loss and the error fall with the number of steps."""
    known: list[tuple[Any, Any]] = []

    def descent(part: int) -> Callable[..., Any]:
        def path(tau: Any) -> Any:
            if not known or known[-1][0] is not tau:  # traced once for both lines
                known.append((tau, descent_run(tau)))
            found = known[-1][1]
            return eg.vec(RUN + 1, eg.real), eg.vec(RUN + 1, lambda k: em.log10(found[k][part]))

        return path

    def known_line(values: Any) -> Callable[..., Any]:
        """Compute a line only once, when the figure is made, because the line does not depend on τ."""
        return lambda: (eg.vec(RUN + 1, eg.real), vector([math.log10(value) for value in values]))

    fast, other = eg.jit(conjugate_run)(), eg.jit(quasi_newton_run)()
    figure = eg.figure(
        None, kind="scatter", step=(0, RUN), digits=(-5, 5), tau=eg.slider(0.02, 1.1, 0.25),
        paths={
            "loss": descent(0), "error": descent(1), "CG": known_line([one[0] for one in fast]),
            "CG error": known_line([one[1] for one in fast]), "L-BFGS": known_line(other),
        },
    )  # fmt: skip
    slow = eg.jit(descent_run)(0.25)
    return shown(
        figure,
        "Forty steps with τ = 0.25 divide the loss by {loss}, but the error only by {error}. Conjugate gradients divide "
        "the loss by {fast} in half as many steps, and L-BFGS by more than 10<sup>{other}</sup>.",
        loss=slow[0][0] / slow[RUN][0], error=slow[0][1] / slow[RUN][1], fast=fast[0][0] / fast[HALF][0],
        other=math.floor(math.log10(other[0] / other[HALF])),
    )  # fmt: skip


def noise(row: Any, column: Any) -> Any:
    """Return a number between −1 and 1 for a pixel. The numbers of all pixels look random."""
    mixed = em.sin(row * 12.9898 + column * 78.233) * 43758.5453
    return 2 * (mixed - em.floor(mixed)) - 1


def penalised(weight: Any) -> Callable[..., Any]:
    """Return a loss function with a penalty, which grows with the differences between neighbouring pixels."""

    def total(x: Any, blurred: Any) -> Any:
        down, across = x[1:] - x[:-1], x[:, 1:] - x[:, :-1]
        return loss(x, blurred) + weight * (enp.sum(down * down) + enp.sum(across * across))

    return total


def noisy(amount: Any) -> Any:
    """The blurred picture with noise."""
    return blur(original()) + eg.vec(
        SIZE, lambda row: eg.vec(SIZE, lambda column: amount * noise(eg.real(row), eg.real(column)))
    )


def restored(amount: Any, weight: Any) -> Any:
    """The guess after forty steps."""
    return descended(noisy(amount), 0.4, float(RUN), of=penalised(weight))


def penalty() -> Shown:
    """A figure that restores a noisy picture. A slider sets the weight of a penalty against noise."""

    def one(picture: Callable[..., Any], across: float) -> Any:
        return (lambda noise, weight: shown_at(picture(noise, weight), across, 16.0), "grey")

    def left(noise: Any, weight: Any) -> Any:
        return spread(restored(noise, weight), original())

    figure = eg.figure(
        None, kind="scatter", column=(0, WIDE), row=(0, HIGH), noise=eg.slider(0, 40, 20), weight=eg.slider(0, 0.3, 0),
        paths={
            "original": one(lambda noise, weight: original(), 2.5),
            "noisy": one(lambda noise, weight: noisy(noise), 36.0),
            "restored": one(restored, 69.5),
        },
        says=("Forty steps leave an error of {}", left),
    )  # fmt: skip
    measure = eg.jit(left)
    return shown(
        figure,
        "With noise of up to 20 greys, forty steps without a penalty leave an error of {none}. With a penalty of weight "
        "0.03 it is {some}, and with 0.3 it is {much}.",
        none=float(measure(20.0, 0.0)), some=float(measure(20.0, 0.03)), much=float(measure(20.0, 0.3)),
    )  # fmt: skip


def largest_curvature() -> float:
    """Compute the largest eigenvalue of the loss's Hessian by power iteration."""
    x = [[1.0 + 0.5 * math.sin(3 * row + column) for column in range(SMALL)] for row in range(SMALL)]
    times = eg.jit(lambda x: 2 * blur(blur(x)))
    size = 0.0
    for _ in range(400):
        x = times(x)
        size = max(abs(value) for row in x for value in row)
        x = [[value / size for value in row] for row in x]
    return size


FIGURES = {"sharpen": sharpen, "runs": runs, "penalty": penalty}
NUMBERS = {"largest": largest_curvature(), "half": 1 / largest_curvature()}
