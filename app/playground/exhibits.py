"""Convert images, files and tables of a playground program to data for the frame that draws them.

The data are dicts. An image is {"kind": "image", "width", "height", "grey" or "rgb", "label"}. A file (PNG or
SVG) is {"kind": "file", "type", "data", "label"}. Pixels and files are written in base64. A table is
{"kind": "table", "head", "rows", "numeric", "more"}.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST_SIDE: Final = 512
"""The largest width and height of an image, in pixels."""
MOST_ROWS: Final = 500
MOST_COLUMNS: Final = 50
LONGEST_CELL: Final = 200
CHANNELS: Final = 3
BYTE: Final = 255
SIGNIFICANT: Final = 6
"""Digits of a number in a table."""


class PictureError(eg.EglantineError, TypeError):
    """A program calls `show` or `table` with a value that cannot be drawn."""


def draws_itself(value: Any) -> bool:
    """True if a notebook would show a value as a picture."""
    return any(hasattr(type(value), name) for name in ("_repr_mimebundle_", "_repr_svg_", "_repr_png_"))


def as_file(value: Any) -> dict[str, str] | None:
    """Return the SVG or PNG that a notebook would show for a value, or None if the value has neither."""
    for name, kind in (("_repr_svg_", "image/svg+xml"), ("_repr_png_", "image/png")):
        method = None if isinstance(value, type) else getattr(value, name, None)
        content = method() if callable(method) else None
        if content:
            data = content.encode() if isinstance(content, str) else bytes(content)
            return {"kind": "file", "type": kind, "data": base64.b64encode(data).decode()}
    return None


def as_rows(value: Any) -> list[Any] | None:
    """Convert a list, a tuple or an array to a list of rows. Return None for anything else."""
    rows = value.tolist() if hasattr(value, "tolist") else value
    return [*rows] if isinstance(rows, list | tuple) else None


def is_image(rows: Sequence[Any]) -> bool:
    """True if all rows have equal length, and all entries are numbers or all are triples of numbers."""
    if not rows or not all(
        isinstance(row, list | tuple) and row and len(row) == len(rows[0]) for row in rows
    ):
        return False
    cells = [cell for row in rows for cell in row]
    if all(isinstance(cell, int | float) for cell in cells):
        return True
    return all(
        isinstance(cell, list | tuple)
        and len(cell) == CHANNELS
        and all(isinstance(one, int | float) for one in cell)
        for cell in cells
    )


def image(rows: Sequence[Any]) -> dict[str, Any]:
    """Convert rows of pixels to an image with one byte (grey) or three bytes (colour) for each pixel.

    Raises: LimitError if the image has too many pixels.
    """
    height, width = len(rows), len(rows[0])
    if max(width, height) > LARGEST_SIDE:
        raise eg.LimitError(
            f"The image has {width} × {height} pixels, but show draws at most {LARGEST_SIDE} × "
            f"{LARGEST_SIDE}. Show every second pixel, for instance."
        )
    cells = [cell for row in rows for cell in row]
    is_grey = isinstance(cells[0], int | float)
    numbers = [float(one) for one in cells] if is_grey else [float(one) for cell in cells for one in cell]
    finite = [one for one in numbers if one - one == 0] or [0.0]
    low, high = min(finite), max(finite)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low >= 0 and high <= BYTE:
        low, high = 0.0, float(BYTE)
    scale = BYTE / (high - low) if high > low else 0.0
    data = bytes(min(max(round((one - low) * scale), 0), BYTE) if one - one == 0 else 0 for one in numbers)
    return {
        "kind": "image", "width": width, "height": height,
        "grey" if is_grey else "rgb": base64.b64encode(data).decode(),
    }  # fmt: skip


def tabled(rows: Any, head: Sequence[str] | None) -> dict[str, Any]:
    """Convert rows or columns to a table. All cells of the table are texts.

    Raises: PictureError if there are no rows.
    """
    names: list[Any] = []
    if isinstance(rows, dict):
        names = [*rows]
        columns = [as_rows(column) or [column] for column in rows.values()]
        lines = [
            [column[k] if k < len(column) else "" for column in columns]
            for k in range(max(map(len, columns), default=0))
        ]
    else:
        given = as_rows(rows)
        if given is None:
            raise PictureError(
                f"table shows a list of rows, but this has the type {type(rows).__name__}. "
                "Write table([(1, 2), (3, 4)]), or table({'x': xs, 'y': ys})."
            )
        if all(isinstance(row, dict) for row in given):
            names = [*dict.fromkeys(name for row in given for name in row)]
            lines = [[row.get(name, "") for name in names] for row in given]
        else:
            lines = [[row] if as_rows(row) is None else as_rows(row) or [] for row in given]
    width = min(max([len(names), *map(len, lines)]), MOST_COLUMNS)
    shown = [[*line, *[""] * width][:width] for line in lines[:MOST_ROWS]]
    numeric = [all(isinstance(line[k], int | float) or line[k] == "" for line in shown) for k in range(width)]
    return {
        "kind": "table",
        "head": [str(name)[:LONGEST_CELL] for name in (head or names)][:width],
        "rows": [[cell_text(cell) for cell in line] for line in shown],
        "numeric": numeric,
        "more": max(0, len(lines) - MOST_ROWS),
    }


def cell_text(cell: Any) -> str:
    """The text of a cell."""
    text = f"{cell:.{SIGNIFICANT}g}" if isinstance(cell, float) else str(cell)
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}…"
