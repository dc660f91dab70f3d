"""Read the inputs of commands: numbers by name, functions, and columns of data."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from eglantine.formulas.free import free_names
from eglantine.formulas.traced import to_fn
from eglantine.functions.fn import Fn


class UsageError(Exception):
    """Raised for wrong input on the command line. Its text is the sentence that users see."""


_ASSIGNMENT = re.compile(r"([^\W\d]\w*)=(.*)", re.DOTALL)
_FUNCTION = re.compile(r"(.+\.py):(\w+)")


def numbers_by_name(given: Sequence[str]) -> dict[str, float]:
    """Read arguments such as x=2. Return the numbers by name."""
    numbers = {}
    for text in given:
        found = _ASSIGNMENT.fullmatch(text)
        if found is None:
            raise UsageError(
                f"An argument here must be a letter with its value, as in x=2, but this one is {text!r}."
            )
        try:
            numbers[found[1]] = float(found[2])
        except ValueError:
            raise UsageError(f"{found[1]} must be a number, but it is {found[2]!r}.") from None
    return numbers


def letters_of(formula: str) -> list[str]:
    """The letters (variables) of a formula, in natural order: x2 comes before x10."""
    return free_names(formula, ())


def checked_letters(formula: str, numbers: dict[str, float]) -> list[str]:
    """Return the letters of a formula. Raise an error unless `numbers` has exactly these names."""
    letters = letters_of(formula)
    for name in letters:
        if name not in numbers:
            raise UsageError(f"The formula {formula} needs a number for {name}. Add {name}=… to the command.")
    for name in numbers:
        if name not in letters:
            told = f"Its letters are {', '.join(letters)}." if letters else "It has no letters."
            raise UsageError(f"The formula {formula} has no letter {name}. {told}")
    return letters


def function_of(text: str) -> Any:
    """Return the function for a formula or for a text FILE.py:NAME.

    The parameters of a formula's function are the formula's letters. For FILE.py:NAME, run the file and
    return its function NAME.
    """
    found = _FUNCTION.fullmatch(text)
    if found is None:
        return to_fn(text, letters_of(text))
    path, name = Path(found[1]), found[2]
    if not path.is_file():
        raise UsageError(f"There is no file {path}.")
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        function = getattr(module, name)
    except AttributeError:
        raise UsageError(f"The file {path} has no {name}.") from None
    if not callable(function):
        raise UsageError(f"{name} in {path} is not a function.")
    return function


def text_of(name: str) -> str:
    """Read a file as text. If the name is a hyphen, read standard input."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"There is no file {name}.") from None
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The file {name} is not text in UTF-8: its byte {error.start + 1:,} is not valid."
        ) from None


def traced_function_of(text: str) -> Fn:
    """Return an `fn` for a formula or for FILE.py:NAME. A file's function must declare parameter types."""
    function = function_of(text)
    if isinstance(function, Fn):
        return function
    from eglantine.functions.fn import fn

    made: Fn = fn(function)
    return made


def columns_of(path: Path) -> tuple[list[str], list[list[float]]]:
    """Read a CSV or TSV file. Return the names and the numbers of its columns.

    The separator is a comma, a semicolon, a tab or spaces. If the separator is not a comma, numbers may have
    a decimal comma. Columns without names are called column 1, column 2 and so on.
    """
    text = text_of(str(path))
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise UsageError(f"The file {path} holds no data.")
    separator = next((mark for mark in ("\t", ";", ",") if mark in lines[0]), None)
    rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator)) if separator else [
        line.split() for line in lines
    ]  # fmt: skip
    names: list[str] = []
    if _number(rows[0][0], separator) is None:
        names, rows = [cell.strip() for cell in rows[0]], rows[1:]
    width = len(rows[0]) if rows else 0
    numbers: list[list[float]] = [[] for _ in range(width)]
    for k, row in enumerate(rows, 1):
        if len(row) != width:
            raise UsageError(f"Row {k} of {path} has {len(row)} columns, but the first row has {width}.")
        for column, cell in zip(numbers, row, strict=True):
            value = _number(cell, separator)
            if value is None:
                raise UsageError(f"Row {k} of {path} holds {cell!r}, which is no number.")
            column.append(value)
    if width < 2:
        raise UsageError(f"The file {path} needs at least two columns, x and y, but it has {width}.")
    return names or [f"column {k + 1}" for k in range(width)], numbers


def _number(cell: str, separator: str | None) -> float | None:
    text = cell.strip()
    try:
        return float(text.replace(",", ".") if separator != "," else text)
    except ValueError:
        return None
