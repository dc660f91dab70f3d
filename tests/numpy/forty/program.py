"""The class of the programs in this folder, and functions that draw the programs' arguments."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Drawn:
    """The shape of a random argument, and the bounds of its numbers. The shape () means a single number."""

    shape: tuple[int, ...]
    low: float = -1.0
    high: float = 1.0


@dataclass(frozen=True)
class Program:
    """A program, and its arguments after `np`."""

    run: Callable[..., Any]
    drawn: tuple[Drawn, ...]

    def arguments(self) -> list[Any]:
        """Draw numbers and nested lists of numbers as arguments. Every run draws the same arguments."""
        draw = random.Random(self.run.__name__)  # noqa: S311 - numbers of a test
        return [_nested(one.shape, lambda one=one: draw.uniform(one.low, one.high)) for one in self.drawn]


def program(run: Callable[..., Any], *drawn: Drawn) -> Program:
    """A program with its arguments."""
    return Program(run, drawn)


def _nested(shape: tuple[int, ...], number: Callable[[], float]) -> Any:
    return [_nested(shape[1:], number) for _ in range(shape[0])] if shape else number()


def weighted(np: Any, result: Any) -> Any:
    """Add all numbers in a program's result. The weights differ, so the gradient depends on each number."""
    if isinstance(result, tuple | list):
        return sum(weighted(np, part) * (k + 1.0) for k, part in enumerate(result))
    if not np.ndim(result):
        return result * 1.0
    size = math.prod(np.shape(result))
    return np.sum(np.reshape(result, (size,)) * np.array([math.cos(k) for k in range(size)]))
