"""The controls of a figure: sliders, points and choices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from eglantine.errors import TypeMismatchError
from eglantine.types import Real, Vec

CONSTRAINTS: Final = (None, "x", "y", "curve")


class Slider(NamedTuple):
    """A number between `lo` and `hi`. The reader moves the slider or types the number."""

    lo: float
    hi: float
    start: float
    step: float | None = None

    def __repr__(self) -> str:
        step = "" if self.step is None else f", step={self.step!r}"
        return f"eg.slider({self.lo!r}, {self.hi!r}, {self.start!r}{step})"


class Point(NamedTuple):
    """A point of the picture. The reader can drag it."""

    at: tuple[float, float]
    on: str | None

    def __repr__(self) -> str:
        return f"eg.point({self.at!r})" if self.on is None else f"eg.point({self.at!r}, on={self.on!r})"


class Choice(NamedTuple):
    """A choice between several numbers or truth values. The first option is chosen at the start."""

    options: tuple[float | bool, ...]

    def __repr__(self) -> str:
        return f"eg.choice({list(self.options)!r})"


class Picture(NamedTuple):
    """A square picture. The reader can replace it by another picture."""

    rows: tuple[tuple[float, ...], ...]

    def __repr__(self) -> str:
        return f"eg.picture({[list(row) for row in self.rows]!r})"


Control = Slider | Point | Choice | Picture


def slider(lo: float, hi: float, start: float | None = None, step: float | None = None) -> Slider:
    """Return a slider for a parameter of a figure.

    lo, hi: the smallest and the largest value of the slider.
    start: the slider's value when the figure opens. By default, it is the middle between lo and hi.
    step: if given, the slider moves in steps of this size, and a button adds one step.

    Raises: TypeMismatchError if the ends are not finite or not in order, if `start` is not between them, or
        if the step is not positive.
    """
    low, high = finite(lo, "eg.slider's lo"), finite(hi, "eg.slider's hi")
    if low >= high:
        raise TypeMismatchError(
            f"The first end of eg.slider must be below the second, but the ends are {lo!r} and {hi!r}. "
            f"Write eg.slider({hi!r}, {lo!r}) or choose other ends."
        )
    begin = (low + high) / 2 if start is None else finite(start, "eg.slider's start")
    if not low <= begin <= high:
        raise TypeMismatchError(
            f"The start of eg.slider must be between its ends {lo!r} and {hi!r}, but it is {start!r}. "
            "Choose a start between the ends, or move the ends apart."
        )
    size = None if step is None else finite(step, "eg.slider's step")
    if size is not None and size <= 0:
        raise TypeMismatchError(f"eg.slider's step must be positive, but it is {step!r}. Write step=1.")
    return Slider(low, high, begin, size)


def point(at: Sequence[float], on: str | None = None) -> Point:
    """Return a point that the reader drags in the picture.

    at: the coordinates of the point when the figure opens.
    on: "x" or "y" for a point that moves only along this axis, or "curve" for a point that moves along the
        first curve. By default, the point moves freely.

    Raises: TypeMismatchError if `at` does not consist of two finite numbers, or if `on` is anything else.
    """
    if isinstance(at, str | bytes) or not hasattr(at, "__len__") or len(at) != 2:
        raise TypeMismatchError(
            f"eg.point needs its two coordinates, but it was given {at!r}. Write eg.point((1, 2))."
        )
    if on not in CONSTRAINTS:
        raise TypeMismatchError(
            f'The argument `on` of eg.point must be None, "x", "y" or "curve", but it is {on!r}. Leave `on` '
            "out for a point that moves freely."
        )
    return Point((finite(at[0], "eg.point's x"), finite(at[1], "eg.point's y")), on)


def choice(options: Sequence[float | bool]) -> Choice:
    """Return a choice between numbers, or between truth values, for a parameter of a figure.

    options: the numbers or truth values. The first one is chosen when the figure opens.

    Raises: TypeMismatchError if there are no options, or if an option is neither a finite number nor a truth
        value.
    """
    if isinstance(options, str | bytes) or not hasattr(options, "__len__") or len(options) == 0:
        raise TypeMismatchError(
            f"eg.choice needs a list of numbers, but it was given {options!r}. Write eg.choice([1, 2, 3])."
        )
    return Choice(
        tuple(one if isinstance(one, bool) else finite(one, "An option of eg.choice") for one in options)
    )


def picture(greys: Sequence[Sequence[float]]) -> Picture:
    """Return a square picture. The reader can replace it by an image file.

    greys: the rows of pixels. Each pixel is a number from 0 (black) to 255 (white). There are as many rows as
        columns. The figure's functions get the picture as a Vec of rows. If the reader chooses an image file,
        the page cuts the image to a square and scales it to the size of `greys`.

    Raises: TypeMismatchError if `greys` is not square or has a value that is not a finite number.
    """
    rows = tuple(tuple(finite(grey, "A grey of eg.picture") for grey in row) for row in greys)
    if not rows or any(len(row) != len(rows) for row in rows):
        raise TypeMismatchError(
            f"eg.picture needs a square of greys, with n rows of n greys each, but it was given {len(rows)} "
            f"rows of {sorted({len(row) for row in rows})} greys. Cut the picture to a square."
        )
    return Picture(rows)


def start_of(control: Control) -> float | list[float]:
    """The first value of a control."""
    if isinstance(control, Point):
        return list(control.at)
    if isinstance(control, Picture):
        return [grey for row in control.rows for grey in row]
    return control.start if isinstance(control, Slider) else float(control.options[0])


def described_control(name: str, control: Control) -> dict[str, Any]:
    """Describe a control as data for the page."""
    if isinstance(control, Slider):
        ends = {"name": name, "kind": "slider", "lo": control.lo, "hi": control.hi}
        return ends if control.step is None else {**ends, "step": control.step}
    if isinstance(control, Picture):
        return {"name": name, "kind": "picture", "size": len(control.rows)}
    if isinstance(control, Point):
        return {"name": name, "kind": "point", "on": control.on}
    bools = all(isinstance(one, bool) for one in control.options)
    return {"name": name, "kind": "choice", "options": list(map(float, control.options)), "bools": bools}


def leaf_types(controls: Mapping[str, Control]) -> list[Any]:
    """List the types of the kernel's parameters for these controls."""
    types: list[Any] = []
    for control in controls.values():
        n = len(control.rows) if isinstance(control, Picture) else 0
        types += [Vec(n, Vec(n, Real))] if n else [Real] * (2 if isinstance(control, Point) else 1)
    return types


def leaf_values(controls: Mapping[str, Control], values: Mapping[str, Any]) -> list[Any]:
    """List the kernel's arguments for these controls. `values` has the controls' current values."""
    arguments: list[Any] = []
    for name, control in controls.items():
        value = values[name]
        if isinstance(control, Picture):
            n = len(control.rows)
            arguments.append([value[n * k : n * (k + 1)] for k in range(n)])
        else:
            arguments += value if isinstance(control, Point) else [value]
    return arguments


def finite(value: Any, name: str) -> float:
    """Convert a number to a float. Raise an error for anything that is not a finite number."""
    try:
        number = None if isinstance(value, str | bytes | bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or not math.isfinite(number):
        raise TypeMismatchError(f"{name} must be a finite number, but it is {value!r}. Write a number.")
    return number
