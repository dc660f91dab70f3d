"""Check single instructions: that operations and labels exist, and that the number of operands is right."""

from __future__ import annotations

from eglantine.words.spelling import count, nearest

from .mistakes import BrilError
from .syntax import BINARY, UNARY, FunctionText, Instruction, Label, Type

_EFFECTS = frozenset({"print", "nop", "jmp", "br", "ret", "free", "store", "set"})
_VALUES = frozenset({*BINARY, *UNARY, "const", "id", "alloc", "load", "ptradd", "get", "undef", "grad"})
OPERATIONS = _EFFECTS | _VALUES | {"call"}

_COUNTS = {
    **dict.fromkeys(BINARY, 2), **dict.fromkeys(UNARY, 1), "id": 1, "const": 0, "alloc": 1, "load": 1,
    "ptradd": 2, "get": 0, "undef": 0, "nop": 0, "jmp": 0, "br": 1, "free": 1, "store": 2, "set": 2,
}  # fmt: skip
"""The number of variables that each operation takes. Operations not listed here take any number."""

_LABELS = {"jmp": 1, "br": 2, "grad": 1}
_FUNCTIONS = {"call": 1, "grad": 1}


class ShapeChecker:
    """Checks each instruction of a function: its operation, its labels, and how many operands it has."""

    def __init__(self, function: FunctionText, functions: dict[str, FunctionText]) -> None:
        self.function, self.functions = function, functions
        self.types: dict[str, Type] = {}
        self.labels: set[str] = set()

    def _collect_labels(self) -> None:
        for item in self.function.body:
            if isinstance(item, Label):
                if item.name in self.labels:
                    raise BrilError(
                        f"The label .{item.name} is defined twice in @{self.function.name}. Rename one.",
                        item.place,
                    )
                self.labels.add(item.name)

    # ------------------------------------------------------------ the shape of instructions

    def _shape(self, instruction: Instruction) -> None:
        """Check that an operation exists, and that it has the right number of operands of each kind."""
        op = instruction.op
        if op not in OPERATIONS:
            raise BrilError(
                f"Bril has no operation {op!r}. Write one that it has, such as add or fmul.",
                instruction.at("op"),
                nearest(op, OPERATIONS),
            )
        if op in _EFFECTS and instruction.dest is not None:
            raise BrilError(
                f"{op} has no result, but here it sets {instruction.dest}. Remove `{instruction.dest} =`.",
                instruction.at("dest"),
            )
        if op in _VALUES and instruction.dest is None:
            raise BrilError(f"{op} has a result, so write `name: type = {op} …`.", instruction.place)
        wanted = _COUNTS.get(op)
        if wanted is not None:
            self._number(instruction, "args", wanted, "variable")
        elif op == "ret" and len(instruction.args) > 1:
            raise BrilError(
                f"ret returns at most one variable, but here it has {len(instruction.args)}. Keep one.",
                instruction.at("args", 1),
            )
        self._number(instruction, "labels", _LABELS.get(op, 0), "label")
        self._number(instruction, "funcs", _FUNCTIONS.get(op, 0), "function")
        for k, label in enumerate(instruction.labels if op != "grad" else ()):
            if label not in self.labels:
                raise BrilError(
                    f"@{self.function.name} has no label .{label}. Define it, or jump to one that exists.",
                    instruction.at("labels", k),
                    dotted(nearest(label, self.labels)),
                )
        for k, name in enumerate(instruction.funcs):
            if name not in self.functions:
                near = nearest(name, self.functions)
                raise BrilError(
                    f"There is no function @{name}. Define it, or call one that exists.",
                    instruction.at("funcs", k),
                    near and f"@{near}",
                )

    def _number(self, instruction: Instruction, kind: str, wanted: int, noun: str) -> None:
        found = len(getattr(instruction, kind))
        if found != wanted:
            place = instruction.at(kind, wanted) if found > wanted else instruction.at("op")
            raise BrilError(
                f"{instruction.op} takes {count(wanted, noun) if wanted else f'no {noun}'}, but here it has "
                f"{found or 'none'}. {'Remove' if found > wanted else 'Add'} "
                f"{count(abs(found - wanted), noun)}.",
                place,
            )


def dotted(name: str | None) -> str | None:
    """Return a label's name with the dot that programs write before it."""
    return name and f".{name}"
