"""Check a Bril program before it runs: its names, its types and the number of operands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from eglantine.words.spelling import count, nearest

from .mistakes import BrilError, Place
from .shapes import ShapeChecker, dotted
from .syntax import BINARY, BOOL, CHAR, FLOAT, INT, UNARY, FunctionText, Instruction, Label, Pointer, Type
from .writer import literal

MAX_INT = (1 << 63) - 1


def checked(functions: Iterable[FunctionText]) -> tuple[FunctionText, ...]:
    """Check a program. Return its functions, and fill in the types that the text leaves out.

    Raises: BrilError for the first mistake.
    """
    functions = tuple(functions)
    by_name: dict[str, FunctionText] = {}
    for function in functions:
        if function.name in by_name:
            raise BrilError(
                f"The function @{function.name} is defined twice. Rename one of the two.", function.place
            )
        by_name[function.name] = function
    return tuple(_Checker(function, by_name).run() for function in functions)


def variables(function: FunctionText) -> dict[str, Type]:
    """The type of each variable of a checked function."""
    types: dict[str, Type] = {p.name: p.type for p in function.parameters}
    for instruction in function.instructions:
        if instruction.dest is not None and instruction.type is not None:
            types[instruction.dest] = instruction.type
    return types


class _Checker(ShapeChecker):
    """Checks one function."""

    def run(self) -> FunctionText:
        function = self.function
        if function.type is not None:
            _known_type(function.type, function.place)
        for parameter in function.parameters:
            if parameter.name in self.types:
                raise BrilError(
                    f"@{function.name} has two parameters with the name {parameter.name}. Rename one.",
                    parameter.place,
                )
            _known_type(parameter.type, parameter.place)
            self.types[parameter.name] = parameter.type
        self._collect_labels()
        for instruction in function.instructions:
            self._shape(instruction)
        body = self._with_types()
        for item in body:
            if isinstance(item, Instruction):
                self._instruction(item)
        return replace(function, body=tuple(body))

    def _with_types(self) -> list[Label | Instruction]:
        """Return the body with a type for each result.

        If the text gives no type for a result, infer it from the operands.
        """
        body = list(self.function.body)
        pending = []
        for k, item in enumerate(body):
            if isinstance(item, Instruction) and item.dest is not None:
                if item.type is None:
                    pending.append(k)
                else:
                    self._declare(item)
        while pending:
            open_places = []
            for k in pending:
                item = body[k]
                assert isinstance(item, Instruction)
                of = self._inferred(item)
                if of is None:
                    open_places.append(k)
                    continue
                body[k] = item = replace(item, type=of)
                self._declare(item)
            if len(open_places) == len(pending):
                item = body[pending[0]]
                assert isinstance(item, Instruction)
                raise BrilError(
                    f"The type of {item.dest} is not known here. Write `{item.dest}: type = …`.", item.place
                )
            pending = open_places
        return body

    def _declare(self, item: Instruction) -> None:
        assert item.dest is not None
        assert item.type is not None
        _known_type(item.type, item.at("dest"))
        known = self.types.setdefault(item.dest, item.type)
        if known != item.type:
            raise BrilError(
                f"{item.dest} has the type {known} elsewhere in @{self.function.name}, but here it has the "
                f"type {item.type}. Use another name.",
                item.at("dest"),
            )

    def _inferred(self, item: Instruction) -> Type | None:
        op = item.op
        if op in BINARY:
            return BINARY[op][1]
        if op in UNARY:
            return UNARY[op][1]
        match op:
            case "const":
                kinds = {bool: BOOL, int: INT, float: FLOAT}
                return kinds.get(type(item.value), CHAR)
            case "call":
                return self.functions[item.funcs[0]].type
            case "grad":
                return FLOAT
            case "id" | "ptradd":
                return self.types.get(item.args[0])
            case "load":
                of = self.types.get(item.args[0])
                return of.to if isinstance(of, Pointer) else None
        return self.types.get(item.dest or "")

    # ------------------------------------------------------------ types of operands

    def _instruction(self, item: Instruction) -> None:
        for k, name in enumerate(item.args):
            if name not in self.types and not (item.op == "set" and k == 0):
                raise BrilError(
                    f"@{self.function.name} never sets the variable {name}. Set it before this instruction.",
                    item.at("args", k),
                    nearest(name, self.types),
                )
        op = item.op
        if op in BINARY or op in UNARY:
            operand, result = BINARY.get(op) or UNARY[op]
            self._operands(item, [operand] * len(item.args))
            self._result(item, result)
        else:
            rule = getattr(self, f"_{op}", None)
            if rule is not None:
                rule(item)

    def _operands(self, item: Instruction, wanted: Sequence[Type]) -> None:
        for k, (name, of) in enumerate(zip(item.args, wanted, strict=True)):
            self._operand(item, k, of, name)

    def _operand(self, item: Instruction, k: int, of: Type, name: str) -> None:
        if self.types[name] != of:
            raise BrilError(
                f"{item.op} needs {_article(of)} here, but {name} is {_article(self.types[name])}. Use a "
                f"variable of the type {of}.",
                item.at("args", k),
            )

    def _result(self, item: Instruction, of: Type) -> None:
        if item.type != of:
            raise BrilError(
                f"The result of {item.op} is {_article(of)}, but {item.dest} is declared as {item.type}. "
                f"Write `{item.dest}: {of}`.",
                item.at("dest"),
            )

    def _const(self, item: Instruction) -> None:
        value, of = item.value, item.type
        fits: Any = {
            INT: type(value) is int, FLOAT: type(value) in (int, float), BOOL: type(value) is bool,
            CHAR: isinstance(value, str) and len(value) == 1,
        }  # fmt: skip
        if isinstance(of, Pointer) or not fits[of]:
            raise BrilError(
                f"{item.dest} is {_article(of)}, but the constant is {literal(value)}. Write a constant of "
                f"the type {of}.",
                item.at("value"),
            )
        if of == INT and not -MAX_INT - 1 <= value <= MAX_INT:
            raise BrilError(
                f"An int has 64 bits, so it must be between -2^63 and 2^63 - 1, but this one is {value}. "
                "Write a number in this range.",
                item.at("value"),
            )

    def _id(self, item: Instruction) -> None:
        self._result(item, self.types[item.args[0]])

    def _br(self, item: Instruction) -> None:
        self._operands(item, [BOOL])

    def _print(self, item: Instruction) -> None:
        for k, name in enumerate(item.args):
            if isinstance(self.types[name], Pointer):
                raise BrilError(
                    f"{name} is a pointer, which cannot be printed. Load a value from it, and print that.",
                    item.at("args", k),
                )

    def _ret(self, item: Instruction) -> None:
        of = self.function.type
        if of is None and item.args:
            raise BrilError(
                f"@{self.function.name} has no result type, but here it returns {item.args[0]}. Write "
                f"`@{self.function.name}(…): {self.types[item.args[0]]}`, or write `ret` without a variable.",
                item.at("args"),
            )
        if of is not None and not item.args:
            raise BrilError(
                f"@{self.function.name} must return {_article(of)}, but here it returns nothing. Write "
                "`ret` with a variable.",
                item.place,
            )
        if of is not None:
            self._operands(item, [of])

    def _called(self, item: Instruction) -> FunctionText:
        callee = self.functions[item.funcs[0]]
        wanted = len(callee.parameters)
        if len(item.args) != wanted:
            raise BrilError(
                f"@{callee.name} takes {count(wanted, 'argument') if wanted else 'no argument'}, but here it "
                f"gets {len(item.args) or 'none'}. Give one for each parameter.",
                item.at("args", wanted) if len(item.args) > wanted else item.at("funcs"),
            )
        self._operands(item, [p.type for p in callee.parameters])
        return callee

    def _call(self, item: Instruction) -> None:
        callee = self._called(item)
        if item.dest is None and callee.type is not None:
            raise BrilError(
                f"@{callee.name} returns {_article(callee.type)}, but this call ignores the result. Write "
                f"`name: {callee.type} = call @{callee.name} …`.",
                item.place,
            )
        if item.dest is not None:
            if callee.type is None:
                raise BrilError(
                    f"@{callee.name} returns nothing, but here its result sets {item.dest}. Write `call "
                    f"@{callee.name} …` alone, or give @{callee.name} a result type.",
                    item.at("funcs"),
                )
            self._result(item, callee.type)

    def _grad(self, item: Instruction) -> None:
        callee = self._called(item)
        if callee.type != FLOAT:
            raise BrilError(
                f"grad differentiates a function that returns a float, but @{callee.name} returns "
                f"{'nothing' if callee.type is None else _article(callee.type)}. Let it return a float.",
                item.at("funcs"),
            )
        floats = [p.name for p in callee.parameters if p.type == FLOAT]
        if item.labels[0] not in floats:
            told = ", ".join(f".{name}" for name in floats) or "it has none"
            raise BrilError(
                f"grad differentiates @{callee.name} by one of its float parameters ({told}), but here grad "
                f"names .{item.labels[0]}. Name one of these parameters.",
                item.at("labels"),
                dotted(nearest(item.labels[0], floats)),
            )
        self._result(item, FLOAT)

    def _alloc(self, item: Instruction) -> None:
        self._operands(item, [INT])
        if not isinstance(item.type, Pointer):
            raise BrilError(
                f"alloc makes a pointer, but {item.dest} is {_article(item.type)}. Write `{item.dest}: "
                f"ptr<{item.type}>`.",
                item.at("dest"),
            )

    def _pointer(self, item: Instruction) -> Pointer:
        of = self.types[item.args[0]]
        if not isinstance(of, Pointer):
            raise BrilError(
                f"{item.op} needs a pointer, but {item.args[0]} is {_article(of)}. Use a variable of a "
                "pointer type.",
                item.at("args"),
            )
        return of

    _free = _pointer

    def _load(self, item: Instruction) -> None:
        self._result(item, self._pointer(item).to)

    def _store(self, item: Instruction) -> None:
        self._operand(item, 1, self._pointer(item).to, item.args[1])

    def _ptradd(self, item: Instruction) -> None:
        of = self._pointer(item)
        self._operand(item, 1, INT, item.args[1])
        self._result(item, of)

    def _set(self, item: Instruction) -> None:
        shadow, of = item.args[0], self.types[item.args[1]]
        known = self.types.get(shadow)
        if known is not None and known != of:
            raise BrilError(
                f"The shadow variable {shadow} has the type {known}, but {item.args[1]} is {_article(of)}. "
                "Use a variable that has the shadow variable's type.",
                item.at("args", 1),
            )


def _known_type(of: Type, place: Place) -> None:
    while isinstance(of, Pointer):
        of = of.to
    if of not in (INT, BOOL, FLOAT, CHAR):
        raise BrilError(
            f"Bril has no type {of!r}. Write int, bool, float, char, or a pointer such as ptr<int>.", place
        )


def _article(of: Type | None) -> str:
    """A type with its article: "an int"."""
    return f"an {of}" if of == INT else f"a {of}"
