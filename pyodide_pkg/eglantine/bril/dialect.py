"""Read programs in the 2019 dialect of Bril, the first one with differentiation. Convert ints to floats.

In the text, names have no prefix: Bril's `@main` and `.loop` are `main` and `loop` here. The JSON form gives
the arguments of main with their initial values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .mistakes import BrilError
from .syntax import FLOAT, INT, FunctionText, Instruction, Label, Type

_ON_FLOATS = {
    "add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv",
    "eq": "feq", "lt": "flt", "le": "fle", "gt": "fgt", "ge": "fge",
}  # fmt: skip
_ALIKE = {
    "const", "id", "not", "and", "or", "print", "br", "jmp", "ret", "nop",
    "fadd", "fsub", "fmul", "fdiv", "feq", "flt", "fle", "fgt", "fge",
}  # fmt: skip
_INITIAL = ("value", "val", "init", "initial", "initialValue", "initial_value")


def on_floats(functions: tuple[FunctionText, ...]) -> tuple[FunctionText, ...]:
    """Return the program with floats in place of its ints."""
    return tuple(
        replace(
            function,
            parameters=tuple(replace(p, type=_float(p.type)) for p in function.parameters),
            type=None if function.type is None else _float(function.type),
            body=tuple(_item(item) for item in function.body),
        )
        for function in functions
    )


def _float(of: Type) -> Type:
    return FLOAT if of == INT else of


def _item(item: Label | Instruction) -> Label | Instruction:
    if isinstance(item, Label):
        return item
    op = _ON_FLOATS.get(item.op, item.op)
    if op not in _ALIKE:
        raise BrilError(
            f"The dialect of 2019 has no operation {item.op!r}. To use the operation, leave out the dialect.",
            item.at("op"),
        )
    if op in ("jmp", "br") and not item.labels:
        first = 0 if op == "jmp" else 1
        places = {("labels", k - first): item.at("args", k) for k in range(first, len(item.args))}
        item = replace(
            item, args=item.args[:first], labels=item.args[first:], places={**item.places, **places}
        )
    value = item.value
    if op == "const" and type(value) is int:
        value = float(value)
    return replace(item, op=op, type=None if item.type is None else _float(item.type), value=value)


def with_main_arguments(tree: dict[str, Any]) -> tuple[dict[str, Any], dict[str, float]]:
    """Turn the arguments that a program lists for main into parameters of main.

    The list is under the key `args` of main or of the program. Each argument has a name, and it may have a
    value. Return the new JSON form, and a dictionary: name → value.
    """
    initial: dict[str, float] = {}
    functions = []
    for function in tree.get("functions") or []:
        if not isinstance(function, dict):
            return tree, {}
        written = function.get("args")
        if function.get("name") == "main" and not written:
            written = tree.get("args")
        parameters = []
        for name, value in _arguments(written):
            parameters.append({"name": name, "type": FLOAT})
            if value is not None:
                initial[name] = value
        functions.append({**function, "args": parameters})
    return {**tree, "functions": functions}, initial


def _arguments(written: Any) -> Iterator[tuple[str, float | None]]:
    """Yield the name and the initial value (or None) of each argument."""
    if isinstance(written, dict):
        written = [{"name": name, "value": value} for name, value in written.items()]
    if not isinstance(written, list | None):
        raise BrilError(
            "The value of the key `args` must be a list. Give each argument in this list a name and a value."
        )
    for argument in written or []:
        if isinstance(argument, str):
            yield argument, None
            continue
        if not isinstance(argument, dict) or not isinstance(argument.get("name"), str):
            raise BrilError(
                f"An argument needs a name and a value, but this argument is {argument!r}. Give it both."
            )
        value = next((argument[key] for key in _INITIAL if key in argument), None)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise BrilError(
                f"The initial value of {argument['name']} must be a number, but it is {value!r}. Give a "
                "number."
            )
        yield argument["name"], None if value is None else float(value)
