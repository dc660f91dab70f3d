"""The page's examples: surfaces that show what a quadratic approximation can and cannot do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named number of a formula, with its slider."""

    name: str
    value: float
    min: float
    max: float
    step: float


@dataclass(frozen=True, slots=True)
class Example:
    """A formula and how it is first seen.

    region: x from, x to, y from, y to.
    note: one sentence on what to try.
    """

    id: str
    title: str
    text: str
    region: tuple[float, float, float, float]
    point: tuple[float, float]
    note: str
    parameters: tuple[Parameter, ...] = ()

    @property
    def names(self) -> list[str]:
        """The formula's variables, x and y first."""
        return ["x", "y", *(parameter.name for parameter in self.parameters)]


EXAMPLES = (
    Example(
        "power", "Power", "x^y", (0, 3, 0, 4), (2, 3),
        "Both slopes grow at once. At x = 1 the surface is flat in y.",
    ),
    Example(
        "saddle", "Saddle", "x^2 - y^2", (-1.5, 1.5, -1.5, 1.5), (0.5, 0.3),
        "A quadratic is its own approximation: the disc lies in the surface wherever you drag.",
    ),
    Example(
        "quadratic-form", "Quadratic form", "a x^2 + b x y + c y^2", (-1.5, 1.5, -1.5, 1.5), (0, 0),
        "Minimum, maximum or saddle? The signs of the two eigenvalues decide.",
        (Parameter("a", 1, -2, 2, 0.05), Parameter("b", 1, -4, 4, 0.05), Parameter("c", 1, -2, 2, 0.05)),
    ),
    Example(
        "monkey-saddle", "Monkey saddle", "x^3 - 3x y^2", (-1.2, 1.2, -1.2, 1.2), (0.5, 0.3),
        "Three valleys meet at the origin. Set x and y to 0: the disc is flat there, the surface is not.",
    ),
    Example(
        "ripples", "Ripples", "cos(k hypot(x, y)) / (1 + hypot(x, y))", (-2.6, 2.6, -2.6, 2.6), (0.5, -0.8),
        "The shorter the waves, the sooner the disc leaves them. Change k.",
        (Parameter("k", 3, 0.5, 8, 0.1),),
    ),
    Example(
        "hills", "Hills", "3(1-x)^2 exp(-x^2-(y+1)^2) - 10(x/5-x^3-y^5) exp(-x^2-y^2) - exp(-(x+1)^2-y^2)/3",
        (-3, 3, -3, 3), (-0.6, -0.8),
        "Climb: go where the green arrow points until it vanishes.",
    ),
    Example(
        "rosenbrock", "Rosenbrock’s valley", "(1 - x)^2 + b (y - x^2)^2", (-1.6, 1.6, -0.8, 2.2), (-0.6, 0.8),
        "The arrow points across the valley, not along it; the minimum is at (1, 1).",
        (Parameter("b", 10, 1, 100, 1),),
    ),
    Example(
        "himmelblau", "Himmelblau’s bowls", "(x^2 + y - 11)^2 + (x + y^2 - 7)^2",
        (-5, 5, -5, 5), (-0.6, -1.6),
        "Four minima, all of height 0. One of them is at (3, 2).",
    ),
    Example(
        "ridge", "Ridge", "exp(-s (y - sin x)^2)", (-3.2, 3.2, -2.4, 2.4), (0.6, 0.35),
        "Along the ridge nothing changes, across it everything does.",
        (Parameter("s", 1.2, 0.2, 12, 0.1),),
    ),
    Example(
        "egg-crate", "Egg crate", "sin(x) cos(y)", (-3.2, 3.2, -3.2, 3.2), (0.9, -0.6),
        "Drag from a top to a bottom and watch the disc turn inside out.",
    ),
    Example(
        "half-sphere", "Half a sphere", "sqrt(r^2 - x^2 - y^2)", (-1.2, 1.2, -1.2, 1.2), (0.4, -0.5),
        "Outside the circle the formula is not defined; near it the slopes grow without bound.",
        (Parameter("r", 1, 0.2, 1.6, 0.01),),
    ),
    Example(
        "logarithm", "Two sheets", "log(x y)", (-2, 2, -2, 2), (0.9, 0.8),
        "Defined where x and y have the same sign, and only there.",
    ),
    Example(
        "peano", "Peano’s surface", "(2x^2 - y)(y - x^2)", (-1, 1, -0.6, 1.4), (0, 0),
        "Along every straight line the origin is a maximum, and yet it is none.",
    ),
    Example(
        "roof", "Roof", "-abs(x) - y^2/4", (-1.5, 1.5, -1.5, 1.5), (0.25, 0.3),
        "Near the edge the disc does not know that the other side exists.",
    ),
    Example(
        "stairs", "Spiral stairs", "atan2(y, x)", (-1.5, 1.5, -1.5, 1.5), (0.5, 0.6),
        "Behind the cut the angle jumps by a full turn.",
    ),
)  # fmt: skip
"""The default first."""
