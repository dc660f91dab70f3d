"""Read the JSON form of Bril."""

from __future__ import annotations

import json
from typing import Any

from .mistakes import BrilError, Place
from .syntax import FunctionText, Instruction, Label, Parameter, Pointer, Type
from .writer import words


def load(text: str) -> dict[str, Any]:
    """The JSON form as dicts and lists."""
    try:
        tree = json.loads(text)
    except json.JSONDecodeError as error:
        raise BrilError(
            f"This is not JSON: {error.msg}. Correct it, or give the text form, which begins with @main.",
            Place(error.lineno, error.colno - 1),
        ) from None
    except RecursionError:
        raise BrilError("This JSON nests too deep. A program needs fewer than ten levels.") from None
    return _expect(tree, dict, "a program", "an object with the key functions")  # type: ignore[no-any-return]


def _expect(value: Any, kind: type, what: str, wanted: str) -> Any:
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        shown = json.dumps(value)
        shown = shown if len(shown) <= 60 else shown[:57] + "…"
        raise BrilError(f"In the JSON form {what} is {wanted}, but here it is {shown}. Write {wanted}.")
    return value


def read_tree(tree: dict[str, Any]) -> tuple[FunctionText, ...]:
    """Read the JSON form. Raises: BrilError."""
    functions = _expect(tree.get("functions"), list, "functions", "a list")
    line = 1
    read = []
    for function in functions:
        read.append(_function(_expect(function, dict, "a function", "an object"), line))
        line += len(read[-1].body) + 2
    return tuple(read)


def _function(tree: dict[str, Any], line: int) -> FunctionText:
    name = _expect(tree.get("name"), str, "the name of a function", "a string")
    place = _place(tree, Place(line, 0))
    parameters = []
    for argument in _expect(tree.get("args") or [], list, "args", "a list"):
        _expect(argument, dict, "a parameter", "an object with the keys name and type")
        called = _expect(argument.get("name"), str, "the name of a parameter", "a string")
        parameters.append(Parameter(called, _type(argument.get("type")), _place(argument, place)))
    of = None if tree.get("type") is None else _type(tree["type"])
    body: list[Label | Instruction] = []
    for k, item in enumerate(_expect(tree.get("instrs"), list, "instrs", "a list")):
        _expect(item, dict, "an instruction", "an object")
        if "label" in item:
            label = _expect(item["label"], str, "a label", "a string")
            body.append(Label(label, _place(item, Place(line + 1 + k, 0))))
        else:
            body.append(_instruction(item, Place(line + 1 + k, 2)))
    return FunctionText(name, tuple(parameters), of, tuple(body), place)


def _place(tree: dict[str, Any], otherwise: Place) -> Place:
    """Read the place under the key pos of the JSON form. If there is none, return `otherwise`.

    In the JSON form, rows and columns count from 1.
    """
    match tree.get("pos"):
        case {"row": int(row), "col": int(column)} if row > 0 < column:
            return Place(row, column - 1)
    return otherwise


def _type(tree: Any) -> Type:
    depth = 0
    while isinstance(tree, dict) and set(tree) == {"ptr"}:
        tree, depth = tree["ptr"], depth + 1
    of: Type = _expect(tree, str, "a type", 'a name, or {"ptr": …}')
    for _ in range(depth):
        of = Pointer(of)
    return of


def _instruction(tree: dict[str, Any], place: Place) -> Instruction:
    names = {}
    for key in ("args", "funcs", "labels"):
        names[key] = tuple(_expect(tree.get(key) or [], list, key, "a list of strings"))
        for name in names[key]:
            _expect(name, str, f"each of the {key}", "a string")
    op = _expect(tree.get("op"), str, "the op of an instruction", "a string")
    dest = tree.get("dest")
    if dest is not None:
        _expect(dest, str, "a dest", "a string")
    of = None if tree.get("type") is None else _type(tree["type"])
    value = tree.get("value")
    if op == "const" and not isinstance(value, bool | int | float | str):
        raise BrilError(
            "A constant needs a key `value` for its number, truth value or character.", _place(tree, place)
        )
    read = Instruction(
        op, dest, of, names["args"], names["funcs"], names["labels"], value, _place(tree, place)
    )
    if "pos" not in tree:
        column = place.column
        for kind, word in words(read):
            read.places[kind] = Place(place.line, column)
            column += len(word) + 1
    return read
