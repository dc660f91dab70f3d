"""Examples of formulas. Their surfaces show where a quadratic approximation is good and where it is bad."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a formula, with the range and the step of its slider."""

    name: str
    value: float
    min: float
    max: float
    step: float


@dataclass(frozen=True, slots=True)
class Example:
    """A formula, with the region and point that the page shows first. The title is in formula-texts.js.

    region: the smallest and largest x, then the smallest and largest y.
    """

    id: str
    text: str
    region: tuple[float, float, float, float]
    point: tuple[float, float]
    parameters: tuple[Parameter, ...] = ()

    @property
    def names(self) -> list[str]:
        """The formula's variables, x and y first."""
        return ["x", "y", *(parameter.name for parameter in self.parameters)]


EXAMPLES = (
    Example("power", "x^y", (0, 3, 0, 4), (2, 3)),
    Example("saddle", "x^2 - y^2", (-1.5, 1.5, -1.5, 1.5), (0.5, 0.3)),
    Example(
        "quadratic-form", "a x^2 + b x y + c y^2", (-1.5, 1.5, -1.5, 1.5), (0, 0),
        (Parameter("a", 1, -2, 2, 0.05), Parameter("b", 1, -4, 4, 0.05), Parameter("c", 1, -2, 2, 0.05)),
    ),
    Example("monkey-saddle", "x^3 - 3x y^2", (-1.2, 1.2, -1.2, 1.2), (0.5, 0.3)),
    Example(
        "ripples", "cos(k hypot(x, y)) / (1 + hypot(x, y))", (-2.6, 2.6, -2.6, 2.6), (0.5, -0.8),
        (Parameter("k", 3, 0.5, 8, 0.1),),
    ),
    Example(
        "hills", "3(1-x)^2 exp(-x^2-(y+1)^2) - 10(x/5-x^3-y^5) exp(-x^2-y^2) - exp(-(x+1)^2-y^2)/3",
        (-3, 3, -3, 3), (-0.6, -0.8),
    ),
    Example(
        "rosenbrock", "(1 - x)^2 + b (y - x^2)^2", (-1.6, 1.6, -0.8, 2.2), (-0.6, 0.8),
        (Parameter("b", 10, 1, 100, 1),),
    ),
    Example("himmelblau", "(x^2 + y - 11)^2 + (x + y^2 - 7)^2", (-5, 5, -5, 5), (-0.6, -1.6)),
    Example(
        "ridge", "exp(-s (y - sin x)^2)", (-3.2, 3.2, -2.4, 2.4), (0.6, 0.35),
        (Parameter("s", 1.2, 0.2, 12, 0.1),),
    ),
    Example("egg-crate", "sin(x) cos(y)", (-3.2, 3.2, -3.2, 3.2), (0.9, -0.6)),
    Example(
        "half-sphere", "sqrt(r^2 - x^2 - y^2)", (-1.2, 1.2, -1.2, 1.2), (0.4, -0.5),
        (Parameter("r", 1, 0.2, 1.6, 0.01),),
    ),
    Example("logarithm", "log(x y)", (-2, 2, -2, 2), (0.9, 0.8)),
    Example("peano", "(2x^2 - y)(y - x^2)", (-1, 1, -0.6, 1.4), (0, 0)),
    Example("roof", "-abs(x) - y^2/4", (-1.5, 1.5, -1.5, 1.5), (0.25, 0.3)),
    Example("stairs", "atan2(y, x)", (-1.5, 1.5, -1.5, 1.5), (0.5, 0.6)),
)  # fmt: skip
"""The first is the default."""
