"""The functions `plot`, `surface`, `show` and `table`. Playground programs call them to show pictures.

We send each picture to the page as one note {"shown": JSON}. The page gives the JSON to a sandboxed frame,
and the frame draws it. For a figure of `eg.figure`, the JSON is {"kind": "figure", "figure"}. The module
`exhibits` makes the JSON for images, files and tables.
"""

from __future__ import annotations

import inspect
import json
import sys
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg
from eglantine import Fn
from eglantine.formulas import free_names
from eglantine.types import VecType

from .exhibits import PictureError, as_file, as_rows, image, is_image, tabled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MOST_PICTURES: Final = 40
"""The largest number of pictures and tables that one run may show."""
LARGEST_PICTURE: Final = 1_500_000
"""The largest size of a picture, in characters of its JSON."""
MOST_POINTS: Final = 400
"""The largest number of drawn points of a line of data. If a line has more points, we draw only every second,
every third, … point."""
USUAL_AXES: Final = ("x", "y")
MARGIN: Final = 0.05
"""The free space at each end of an axis of data, as a fraction of the range of the data."""


class Pictures:
    """The functions that a program calls to show pictures and tables.

    `namespace` returns a dict of these functions.
    """

    def __init__(self, send: Callable[[str], object]) -> None:
        """Begin a run.

        send: a function that sends the JSON of a picture to the page.
        """
        self._send = send
        self._count = 0

    def namespace(self) -> dict[str, Any]:
        """Return a dict {name: function} of the functions that a program can call without an import."""
        functions = {"plot": self.plot, "surface": self.surface, "show": self.show, "table": self.table}
        return {**functions, "grad": eg.grad}

    def plot(self, f: Any, *more: Any, **named: Any) -> None:
        """Draw a function, several functions, or a list of numbers.

        plot(f, -3, 3) draws f from -3 to 3. plot(f, grad) draws f and its derivative. plot(f, g) draws two
        functions. A function of two variables is drawn as a contour map. plot(ys) and plot(xs, ys) draw
        numbers as a line.
        f: an fn, a Python function of Reals, or a formula's text.
        named: the arguments of `eg.figure`: ranges of axes such as x=(0, 3), and controls such as
            a=eg.slider(0, 1).

        Raises: TypeMismatchError if the arguments do not fit.
        """
        if is_data(f):
            self._figure(None, **of_data(f, more, named))
            return
        lo, hi, others = split(more)
        parts = [traceable(f), *(derivative(f) if one is eg.grad else traceable(one) for one in others)]
        names = axes_of(parts[0])
        if len(names) == len(("x", "y")) and others in ((), (eg.grad,)):
            extra = () if others == () else ("gradient",)
            ranges = {} if lo is None else dict.fromkeys(names, (lo, hi))
            self._figure(parts[0], **{"kind": "contour", "show": extra, **ranges, **named})
            return
        ranges = {} if lo is None or not names else {names[0]: (lo, hi)}
        self._figure(parts if len(parts) > 1 else parts[0], **{**ranges, **named})

    def surface(self, f: Any, *more: Any, **named: Any) -> None:
        """Draw a function of two variables as a surface with its quadratic approximation.

        surface(f, -3, 3) draws f for x and y from -3 to 3.
        f: an fn, a Python function of Reals, or a formula's text.
        named: the arguments of `eg.figure`, as in `plot`.
        """
        lo, hi, others = split(more)
        if others:
            raise PictureError(
                "surface draws one function, but was given several. Write surface(f), or surface(f, -3, 3)."
            )
        whole = traceable(f)
        ranges = {} if lo is None else dict.fromkeys(axes_of(whole)[:2], (lo, hi))
        self._figure(whole, **{"kind": "surface", **ranges, **named})

    def show(self, value: Any, label: str = "") -> None:
        """Show a figure, an image, or anything that a notebook would show as a picture. Print other values.

        value: the value to show. An image is a list of rows. Each row is a list of grey values, or of triples
            (red, green, blue). The numbers go from 0 to 1 or from 0 to 255. If some numbers are outside these
            ranges, all are rescaled, so that the smallest is black and the largest is white.
        label: a description of the picture for people who cannot see it.
        """
        if not self.shows(value, label):
            print(value)

    def shows(self, value: Any, label: str = "") -> bool:
        """Show a value if it is a picture. Return whether the value is a picture."""
        if hasattr(type(value), "_repr_mimebundle_") and hasattr(type(value), "data"):  # a figure
            self._put({"kind": "figure", "figure": value.data()})
        elif (file := as_file(value)) is not None:
            self._put({**file, "label": label or type(value).__name__})
        elif (rows := as_rows(value)) is not None and is_image(rows):
            self._put({**image(rows), "label": label or "image"})
        else:
            return False
        return True

    def table(self, rows: Any, head: Sequence[str] | None = None) -> None:
        """Show a table.

        rows: a list of dicts, of tuples or of numbers, a dict of columns, or an array.
        head: the columns' names.
        """
        self._put(tabled(rows, head))

    def _figure(self, f: Any, **named: Any) -> None:
        self._put({"kind": "figure", "figure": eg.figure(f, **named).data()})

    def _put(self, shown: Mapping[str, Any]) -> None:
        self._count += 1
        if self._count > MOST_PICTURES:
            raise eg.LimitError(
                f"A program can show at most {MOST_PICTURES} pictures and tables, but this program shows "
                "more. Show fewer."
            )
        content = json.dumps(shown)
        if len(content) > LARGEST_PICTURE:
            raise eg.LimitError(
                f"The picture has {len(content):,} characters, but may have at most {LARGEST_PICTURE:,}. "
                "Show fewer points, or a smaller image."
            )
        sys.stdout.flush()
        self._send(content)


def split(more: Sequence[Any]) -> tuple[Any, Any, tuple[Any, ...]]:
    """Split arguments into (low, high, others). If they contain no range, low and high are None.

    Raises: PictureError if the range has only one end, or more than two.
    """
    ends = [one for one in more if isinstance(one, int | float)]
    if len(ends) not in (0, 2):
        found = "is one number" if len(ends) == 1 else f"are {len(ends)} numbers"
        raise PictureError(f"A range has two ends, but here {found}. Write plot(f, -3, 3).")
    others = tuple(one for one in more if not isinstance(one, int | float))
    return (*ends, others) if ends else (None, None, others)  # type: ignore[return-value]


def traceable(f: Any) -> Any:
    """Convert a function for `eg.figure`. A function of one Vec (x, y) becomes a function of x and y."""
    if isinstance(f, eg.Kernel) and f.function is not None:
        f = Fn(f.function)
    elif isinstance(f, eg.Jit):
        f = f.__wrapped__
    if isinstance(f, Fn) and takes_pair(f):
        inner = f

        def of_pair(x: Any, y: Any) -> Any:
            return inner([x, y])

        of_pair.__name__ = getattr(f, "__name__", "f")
        return of_pair
    return f


def takes_pair(f: Fn) -> bool:
    """True if a function's only parameter is a Vec of length 2."""
    match f.function.params:
        case [VecType(n=n)]:
            return int(n) == len(("x", "y"))
    return False


def derivative(f: Any) -> Any:
    """Make the derivative of a function or of a formula. The derivative has a name such as f′."""
    if isinstance(f, str):
        from eglantine.formulas import to_fn

        f = to_fn(f, parameters(f))
    whole = traceable(f)
    slope = eg.grad(whole)

    def primed(*given: Any) -> Any:
        return slope(*given)

    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD
    primed.__signature__ = inspect.Signature([inspect.Parameter(name, kinds) for name in parameters(whole)])  # type: ignore[attr-defined]
    primed.__name__ = f"{getattr(whole, '__name__', 'f').replace('<lambda>', 'f')}′"
    return primed


def parameters(f: Any) -> tuple[str, ...]:
    """Return the letters of a formula, or the names of a function's parameters that have no default."""
    if isinstance(f, str):
        return tuple(free_names(f, ())) or USUAL_AXES[:1]
    if isinstance(f, Fn):
        return tuple(f.function.param_names)[: len(f.function.params)]
    if not callable(f):
        return ()
    return tuple(of.name for of in inspect.signature(f).parameters.values() if of.default is of.empty)


def axes_of(f: Any) -> tuple[str, ...]:
    """Return the names of the parameters that become axes of the plot.

    In a formula, x and y become axes, and other letters become sliders.
    """
    names = parameters(f)
    usual = tuple(name for name in names if name in USUAL_AXES) if isinstance(f, str) else names
    return usual or names[:1]


def is_data(value: Any) -> bool:
    """True if a value looks like a list or an array of numbers."""
    return (
        not isinstance(value, str)
        and not callable(value)
        and hasattr(value, "__len__")
        and len(value) > 0
        and not callable(value[0])
        and not isinstance(value[0], str)
    )


def of_data(first: Any, more: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Make the arguments of `eg.figure` that draw a line through the given numbers.

    Raises: PictureError if a value is not a list of numbers, or the two lists differ in length.
    """
    rows = [first, *more] if len(more) <= 1 else []
    lists = [[float(one) for one in row] if is_data(row) else [] for row in rows]
    if not lists or len({len(row) for row in lists}) != 1 or not lists[0]:
        raise PictureError(
            "plot draws functions, one row of numbers, or two rows of equal length. Write plot(ys), or "
            "plot(xs, ys)."
        )
    ys = lists[-1]
    xs = lists[0] if len(lists) > 1 else [float(k) for k in range(len(ys))]
    step = max(1, -(-len(ys) // MOST_POINTS))
    xs, ys = xs[::step], ys[::step]
    look = named.get("look", "line")
    ranges = {"x": widened(xs), "y": widened(ys)}
    rest = {name: value for name, value in named.items() if name not in ("look", "label")}
    path = (lambda: (xs, ys), look)
    return {"kind": "scatter", **ranges, **rest, "paths": {str(named.get("label", "data")): path}}


def widened(values: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest of some numbers, after moving both outwards by a margin."""
    finite = [value for value in values if value - value == 0] or [0.0]
    low, high = min(finite), max(finite)
    room = MARGIN * (high - low) or 1.0
    return low - room, high + room
