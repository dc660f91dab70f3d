"""Figures of chapter 3, "Going down"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from eglantine import math as em

FAR = 100.0
"""The largest |x| or |y| of a descent. A descent with a larger coordinate has diverged."""
FLAT = 1e-3
"""The length below which a gradient counts as zero."""
STEPS = 150
RACE = 40
HALVINGS = 12

Pair = tuple[Any, Any]


def walk(step: Callable[[Any], Any], start: Any, length: int, place: Callable[[Any], Pair]) -> Any:
    """Run an iteration of `length` steps. Return the point at the start of each step."""
    _, path = eg.scan(lambda state, _: (step(state), place(state)), start, length=length)
    return path


def bowl(x: Any) -> Any:
    """The parabola x², which has its minimum at 0."""
    return x * x


def parabola() -> Shown:
    """Steps downhill on a parabola."""

    def after(x: Any, rate: Any) -> Any:
        return x - rate * eg.grad(bowl)(x)

    def steps(x: Any, rate: Any) -> Any:
        return walk(lambda at: after(at, rate), x * 1.0, 12, lambda at: (at, bowl(at)))

    def factor(rate: Any) -> Any:
        each = 1 - 2 * rate
        fate = eg.select(abs(each) < 0.999, 0.0, eg.select(abs(each) > 1.001, 2.0, 1.0))
        return each, fate

    def far(rate: float) -> float:
        at = 1.5
        for _ in range(10):
            at = after(at, rate)
        return at

    figure = eg.figure(
        bowl, x=(-2, 2), y=(-0.5, 4), at=eg.point((1.5, 2.25)), rate=eg.slider(0.02, 1.2, 0.2), show=(),
        paths={"steps": (steps, "both")},
        says=("Each step multiplies x by {}, so the descent {converges|goes round in circles|diverges}", factor),
    )  # fmt: skip
    return shown(
        figure,
        "Ten steps from <i>x</i> = 1.5 lead to {slow} with τ = 0.05, to {good} with τ = 0.25, and to {bad} with τ = 1.1.",
        slow=far(0.05), good=far(0.25), bad=far(1.1),
    )  # fmt: skip


def hills(x: Any, y: Any, bumps: Any = 1.0) -> Any:
    """An egg box that lies in a wide bowl."""
    return bumps * em.sin(x) * em.sin(y) + (x * x + y * y) / 20


def hill_step(at: Pair, rate: Any, climb: Any, bumps: Any) -> Pair:
    """Take a step downhill, or uphill if `climb` is 1. A point that is already far away does not move."""
    x, y = at
    across, up = eg.grad(lambda x, y: hills(x, y, bumps), (0, 1))(x, y)
    way = eg.select(climb > 0.5, rate, -rate)
    near = (abs(x) < FAR) & (abs(y) < FAR)
    return eg.select(near, x + way * across, x), eg.select(near, y + way * up, y)


def curvatures(x: Any, y: Any, bumps: Any = 1.0) -> Pair:
    """Return the two eigenvalues of the Hessian, the smaller one first. They are the curvatures."""
    (a, b), (_, d) = eg.hessian(lambda x, y: hills(x, y, bumps), (0, 1))(x, y)
    middle, half = (a + d) / 2, em.sqrt((a - d) * (a - d) / 4 + b * b)
    return middle - half, middle + half


def fate(x: Any, y: Any, rate: Any, climb: Any, bumps: Any) -> Any:
    """Run a descent. Return how it ended (as a number), and the two curvatures at its last point."""
    end_x, end_y = eg.fori_loop(0, STEPS, lambda _, at: hill_step(at, rate, climb, bumps), (x * 1.0, y * 1.0))
    across, up = eg.grad(lambda x, y: hills(x, y, bumps), (0, 1))(end_x, end_y)
    least, greatest = curvatures(end_x, end_y, bumps)
    named = eg.select(least > 0.0, 1.0, eg.select(greatest < 0.0, 3.0, 2.0))
    named = eg.select(em.hypot(across, up) < FLAT, named, 0.0)
    far = (abs(end_x) > FAR) | (abs(end_y) > FAR)
    return eg.select(far, 4.0, named), least, greatest


def fates() -> Shown:
    """A figure of a descent. A sentence says in which of five ways the descent ends."""

    def steps(x: Any, y: Any, rate: Any, climb: Any, bumps: Any) -> Any:
        return walk(lambda at: hill_step(at, rate, climb, bumps), (x * 1.0, y * 1.0), STEPS, lambda at: at)

    figure = eg.figure(
        hills, x=(-5, 5), y=(-4, 4), at=eg.point((1, 1)), bumps=eg.slider(0, 2, 1), rate=eg.slider(0.01, 25, 0.2),
        climb=eg.choice([False, True]), kind="contour", show=(), paths={"steps": (steps, "both")},
        says=(
            "This path {is still on its way|has found a minimum|has stopped at a saddle|has found a maximum|has diverged}. Curvatures at its end: {} and {}",
            fate,
        ),
    )  # fmt: skip
    names = {
        key: int(fate(*start)[0])
        for key, start in {
            "minimum": (1.0, 0.9, 0.2, 0.0, 1.0), "saddle": (1.0, 1.0, 0.2, 0.0, 1.0),
            "maximum": (1.0, 0.9, 0.2, 1.0, 1.0), "slow": (1.0, 0.9, 0.01, 0.0, 1.0),
            "diverged": (1.0, 0.9, 25.0, 0.0, 1.0),
        }.items()
    }  # fmt: skip
    assert names == {"minimum": 1, "saddle": 2, "maximum": 3, "slow": 0, "diverged": 4}
    low, high = curvatures(0.0, 0.0)
    end = fate(1.0, 0.9, 0.2, 0.0, 1.0)
    return shown(
        figure,
        "From (1, 1) the path stops at the saddle (0, 0), where the curvatures are {low} and {high}. From (1, 0.9) it "
        "goes on to a minimum, where both are above zero: {least} and {greatest}.",
        low=low, high=high, least=end[1], greatest=end[2],
    )  # fmt: skip


def valley() -> Shown:
    """A figure of descent in a long valley. The steep sides allow only short steps, so descent is slow."""

    def long_bowl(x: Any, y: Any, steep: Any) -> Any:
        return (x * x + steep * y * y) / 2

    def steps(x: Any, y: Any, steep: Any, rate: Any) -> Any:
        def step(at: Pair) -> Pair:
            across, up = eg.grad(lambda x, y: long_bowl(x, y, steep), (0, 1))(*at)
            return at[0] - rate * across, at[1] - rate * up

        return walk(step, (x * 1.0, y * 1.0), 40, lambda at: at)

    def factors(steep: Any, rate: Any) -> Any:
        return 1 - rate, 1 - rate * steep, 2 / (1 + steep)

    def best(steep: float) -> float:
        return float(factors(steep, 2 / (1 + steep))[0])

    figure = eg.figure(
        long_bowl, x=(-3, 3), y=(-2, 2), at=eg.point((-2.5, 1)), steep=eg.slider(1, 20, 10),
        rate=eg.slider(0.01, 1, 0.17), kind="contour", show=(), paths={"steps": (steps, "both")},
        says=("Each step multiplies x by {} and y by {}. The best rate is {}", factors),
    )  # fmt: skip
    return shown(
        figure,
        "With the best step size, each step leaves {ten} of the error if the valley is 10 times as steep one way as the "
        "other, and {hundred} if it is 100 times as steep. One more right digit then takes {few} steps, or {many}.",
        ten=best(10.0), hundred=best(100.0),
        few=math.ceil(math.log(10) / -math.log(best(10.0))), many=math.ceil(math.log(10) / -math.log(best(100.0))),
    )  # fmt: skip


def banana(x: Any, y: Any) -> Any:
    """Rosenbrock's function, a bent valley. Its minimum is at (1, 1)."""
    return (1 - x) * (1 - x) + 5 * (y - x * x) * (y - x * x)


def slope(at: Pair) -> Pair:
    """The gradient of the banana."""
    across, up = eg.grad(banana, (0, 1))(*at)
    return across, up


def shortened(at: Pair, way: Pair) -> Pair:
    """Halve a step until the function decreases enough (Armijo's condition). Return the new point."""
    across, up = slope(at)
    promised = across * way[0] + up * way[1]
    here = banana(*at)

    def halve(_: Any, size: Any) -> Any:
        there = banana(at[0] + size * way[0], at[1] + size * way[1])
        return eg.select(there <= here + 1e-4 * size * promised, size, size / 2)

    size = eg.fori_loop(0, HALVINGS, halve, 1.0)
    return at[0] + size * way[0], at[1] + size * way[1]


def newton_step(at: Pair) -> Pair:
    """Take a step of Newton's method, or a gradient step if the Hessian is not positive definite."""
    across, up = slope(at)
    (a, b), (_, d) = eg.hessian(banana, (0, 1))(*at)
    size = a * d - b * b
    bends_up = (size > 0.0) & (a > 0.0)
    safe = eg.select(bends_up, size, 1.0)
    way_x = eg.select(bends_up, -(d * across - b * up) / safe, -across)
    way_y = eg.select(bends_up, -(a * up - b * across) / safe, -up)
    return shortened(at, (way_x, way_y))


def quasi_step(state: Any) -> Any:
    """Take a step of BFGS. It also improves the approximation (p, q; q, r) of the inverse Hessian."""
    at, (p, q, r) = state
    across, up = slope(at)
    new = shortened(at, (-(p * across + q * up), -(q * across + r * up)))
    new_across, new_up = slope(new)
    s, t = new[0] - at[0], new[1] - at[1]
    u, v = new_across - across, new_up - up
    bend = s * u + t * v
    learns = bend > 1e-12
    rho = 1 / eg.select(learns, bend, 1.0)
    hu, hv = p * u + q * v, q * u + r * v
    grow = rho * (1 + rho * (u * hu + v * hv))
    inverse = (
        p + grow * s * s - 2 * rho * s * hu,
        q + grow * s * t - rho * (s * hv + t * hu),
        r + grow * t * t - 2 * rho * t * hv,
    )
    kept = tuple(eg.select(learns, new_one, one) for new_one, one in zip(inverse, (p, q, r), strict=True))
    return new, kept


def momentum_step(state: Any, rate: Any) -> Any:
    """Take a step of gradient descent with momentum. It adds nine tenths of the previous step."""
    (x, y), (fast_x, fast_y) = state
    across, up = slope((x, y))
    fast = 0.9 * fast_x - rate * across, 0.9 * fast_y - rate * up
    return (x + fast[0], y + fast[1]), fast


def adam_step(state: Any) -> Any:
    """Take a step of Adam, which divides the mean gradient by the gradient's root mean square."""
    (x, y), (mean_x, mean_y), (size_x, size_y), k = state
    across, up = slope((x, y))
    mean = 0.9 * mean_x + 0.1 * across, 0.9 * mean_y + 0.1 * up
    size = 0.99 * size_x + 0.01 * across * across, 0.99 * size_y + 0.01 * up * up
    k = k + 1.0
    fair, fair_size = 1 - em.pow(0.9, k), 1 - em.pow(0.99, k)

    def moved(at: Any, one: Any, its_size: Any) -> Any:
        return at - 0.2 * (one / fair) / (em.sqrt(its_size / fair_size) + 1e-8)

    return (moved(x, mean[0], size[0]), moved(y, mean[1], size[1])), mean, size, k


def runners(x: Any, y: Any, rate: Any) -> dict[str, tuple[Callable[[Any], Any], Any, Callable[[Any], Pair]]]:
    """Return a dictionary: method → (step function, first state, function from state to point)."""
    at = (x * 1.0, y * 1.0)

    def downhill(here: Pair) -> Pair:
        across, up = slope(here)
        return here[0] - rate * across, here[1] - rate * up

    return {
        "descent": (downhill, at, lambda state: state),
        "momentum": (lambda state: momentum_step(state, rate), (at, (0.0, 0.0)), lambda state: state[0]),
        "Adam": (adam_step, (at, (0.0, 0.0), (0.0, 0.0), 0.0), lambda state: state[0]),
        "Newton": (newton_step, at, lambda state: state),
        "BFGS": (quasi_step, (at, (1.0, 0.0, 1.0)), lambda state: state[0]),
    }


def distance(name: str, x: Any, y: Any, rate: Any, steps: int = RACE) -> Any:
    """How far from the goal a method ends."""
    step, start, place = runners(x, y, rate)[name]
    end = place(eg.fori_loop(0, steps, lambda _, state: step(state), start))
    return em.hypot(end[0] - 1, end[1] - 1)


def race() -> Shown:
    """Five methods from the same point."""
    names = list(runners(0.0, 0.0, 0.0))

    def path(name: str) -> Callable[..., Any]:
        def run(x: Any, y: Any, rate: Any) -> Any:
            step, start, place = runners(x, y, rate)[name]
            return walk(step, start, RACE, place)

        return run

    def distances(x: Any, y: Any, rate: Any) -> Any:
        return tuple(distance(name, x, y, rate) for name in names)

    def f(x: Any, y: Any) -> Any:  # a short word for the legend
        return banana(x, y)

    figure = eg.figure(
        f, x=(-2, 2), y=(-1, 3), z=(0, 20), at=eg.point((-1.5, 1)), rate=eg.slider(0.001, 0.06, 0.02),
        kind="contour", show=(), paths={name: path(name) for name in names},
        says=(f"Left after {RACE} steps: " + ", ".join(f"{name} {{}}" for name in names), distances),
    )  # fmt: skip
    left = {name: float(distance(name, -1.5, 1.0, 0.02)) for name in names}
    return shown(
        figure,
        "After 40 steps from (−1.5, 1), gradient descent is {gradient} away from the goal, momentum {momentum} and Adam "
        "{adam}. Newton’s method has arrived after 15 steps, with {newton} left, and BFGS has {bfgs} left after 40.",
        gradient=left["descent"], momentum=left["momentum"], adam=left["Adam"],
        newton=float(distance("Newton", -1.5, 1.0, 0.02, 15)), bfgs=left["BFGS"],
    )  # fmt: skip


FIGURES = {"parabola": parabola, "fates": fates, "valley": valley, "race": race}
NUMBERS = {
    "factor": 1 - 2 * 0.3,
    "bound": 2 / eg.grad(eg.grad(lambda x: 5 * x * x))(1.0),
    "one_step": 1 / (2 / 20),
}
