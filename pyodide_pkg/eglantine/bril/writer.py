"""Print programs: the text form, and the JSON form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .syntax import FunctionText, Instruction, Label, Pointer, Type

ESCAPES = {0: "0", 7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r"}
"""For the code of each control character, the letter that stands for it after a backslash."""


def to_text(functions: tuple[FunctionText, ...]) -> str:
    """The program in the text form."""
    return "".join(line + "\n" for function in functions for line in function_lines(function))


def function_lines(function: FunctionText) -> Iterator[str]:
    """Yield the lines of a function: its heading, one line for each label and instruction, and a brace."""
    yield f"{_heading(function)} {{"
    for item in function.body:
        yield f".{item.name}:" if isinstance(item, Label) else f"  {instruction_text(item)};"
    yield "}"


def _heading(function: FunctionText) -> str:
    parameters = ", ".join(f"{p.name}: {p.type}" for p in function.parameters)
    told = f"@{function.name}" + (f"({parameters})" if parameters else "")
    return told if function.type is None else f"{told}: {function.type}"


def instruction_text(instruction: Instruction) -> str:
    """Return an instruction as text, without the semicolon."""
    return " ".join(word for _, word in words(instruction))


def words(instruction: Instruction) -> Iterator[tuple[tuple[str, int], str]]:
    """For each word of an instruction, yield a key (the operand's kind and position) and the word."""
    if instruction.dest is not None:
        of = "" if instruction.type is None else f": {instruction.type}"
        yield ("dest", 0), f"{instruction.dest}{of} ="
    yield ("op", 0), instruction.op
    if instruction.op == "const":
        yield ("value", 0), literal(instruction.value)
    for kind, mark in (("funcs", "@"), ("args", ""), ("labels", ".")):
        for i, name in enumerate(getattr(instruction, kind)):
            yield (kind, i), mark + name


def literal(value: Any) -> str:
    """A literal as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        letter = ESCAPES.get(ord(value)) if len(value) == 1 else None
        return f"'{value}'" if letter is None else f"'\\{letter}'"
    return repr(value)


def type_tree(of: Type) -> Any:
    """A type in the JSON form."""
    return {"ptr": type_tree(of.to)} if isinstance(of, Pointer) else of


def to_tree(functions: tuple[FunctionText, ...]) -> dict[str, Any]:
    """Convert a program to the JSON form, as dicts and lists. Keys are in alphabetical order."""
    return {"functions": [_function_tree(function) for function in functions]}


def _function_tree(function: FunctionText) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    if function.parameters:
        tree["args"] = [{"name": p.name, "type": type_tree(p.type)} for p in function.parameters]
    tree["instrs"] = [
        {"label": item.name} if isinstance(item, Label) else _instruction_tree(item) for item in function.body
    ]
    tree["name"] = function.name
    return tree if function.type is None else {**tree, "type": type_tree(function.type)}


def _instruction_tree(instruction: Instruction) -> dict[str, Any]:
    tree: dict[str, Any] = {
        key: list(names)
        for key in ("args", "funcs", "labels")
        if (names := getattr(instruction, key))
    }  # fmt: skip
    tree["op"] = instruction.op
    if instruction.dest is not None:
        tree["dest"] = instruction.dest
    if instruction.type is not None:
        tree["type"] = type_tree(instruction.type)
    if instruction.op == "const":
        tree["value"] = instruction.value
    return dict(sorted(tree.items()))


def to_json(tree: dict[str, Any], indent: int | None = 2) -> str:
    """Write the JSON form as text. Keys keep their order."""
    return json.dumps(tree, indent=indent)
