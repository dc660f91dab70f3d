"""List a module's instructions, each with the row (operation of the program) that it implements.

Some instructions only push an operand (`local.get`, a constant) or store a result (`local.set`). We assign to
them the row of another instruction: the instruction that uses the operand, or the instruction that computes
the result. To find this instruction, we simulate WebAssembly's operand stack.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from eglantine.inside import OPCODES, Disassembler

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eglantine.inside import Owner

FUNCTION_BODIES: Final = 10
"""The number that marks the section with the instructions in a WebAssembly module."""
MAGIC_BYTES: Final = 8

MOVES: Final = ("local.", "i32.const", "i64.const", "f64.const")
"""The beginnings of the texts of instructions that only move a value. Such an instruction gets the row of the
instruction that makes or uses the value."""
TAKERS: Final = ("local.set", "local.tee", "i32.store", "i64.store", "f64.store", "v128.store", "drop")
"""The beginnings of the texts of instructions that store or drop a value. If such an instruction has no row
of its own, it gets the row of the instruction that makes the value."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of a listing.

    line: the number of the instruction's line in the text, counted from 0.
    start, end: the offsets of its bytes in the module.
    owner: the row that the instruction implements. None if it implements no row. For example, no instruction
        of a library function implements a row.
    """

    line: int
    start: int
    end: int
    text: str
    owner: Owner | None


class Listing(Disassembler):
    """A module's text, with the bytes and the row of each instruction.

    owners: maps the offset of a byte in the module to the row that the byte's instruction implements. It has
        no entry for other bytes.
    """

    def __init__(self, module: bytes, names: Sequence[str], owners: Mapping[int, Owner]) -> None:
        super().__init__(module, names)
        self.instructions: list[Instruction] = []
        self._owners = owners
        self._base = section_start(module, FUNCTION_BODIES)
        self._seen: list[tuple[int, int, int, str]] = []
        self._written: list[str] = []
        self._line = 0
        of = [self.types[entry[3]] for entry in self.imports] + [self.types[k] for k in self.defined]
        self._arities = {
            name: (len(params.split()), len(results.split()))
            for name, (params, results) in zip(self.names, of, strict=True)
        }

    def lines(self) -> Iterator[str]:
        """Yield the module's lines. Record a function's instructions before yielding its first line."""
        for line in super().lines():
            yield line
            self._line += 1

    def _function(self, k: int, reader: Any) -> Iterator[str]:
        self._seen, self._written = [], []
        for line in super()._function(k, reader):
            self._written.append(line)
        texts = [text for *_, text in self._seen]
        claimed = [self._owners.get(self._base + start) for _, start, _, _ in self._seen]
        # Library functions are long, and none of their instructions implements a row.
        owners = settled(texts, claimed, self._arities) if any(claimed) else claimed
        self.instructions += [
            Instruction(self._line + line, self._base + start, self._base + end, text, owner)
            for (line, start, end, text), owner in zip(self._seen, owners, strict=True)
        ]
        yield from self._written

    def _instruction(self, opcode: int, reader: Any) -> str:
        start = reader.at - 1
        text = super()._instruction(opcode, reader)
        self._seen.append((len(self._written), start, reader.at, text))
        return text


def section_start(module: bytes, wanted: int) -> int:
    """Find a section in a module. Return the offset of the section's content."""
    at = MAGIC_BYTES
    while True:
        number, size, shift = module[at], 0, 0
        more = True
        while more:
            at += 1
            size |= (module[at] & 0x7F) << shift
            shift, more = shift + 7, module[at] >= 0x80
        at += 1
        if number == wanted:
            return at
        at += size


def settled(
    texts: Sequence[str], claimed: Sequence[Owner | None], arities: Mapping[str, tuple[int, int]]
) -> list[Owner | None]:
    """Assign a row to each instruction of a function.

    claimed: for each instruction, the row that the emitter recorded for it, or None.
    arities: maps the name of each function to the pair (number of parameters, number of results).
    """
    makers, users = _ends(texts, arities)
    known = [None if _moves(text) else owner for text, owner in zip(texts, claimed, strict=True)]
    owners = list(known)
    for i, text in enumerate(texts):
        if owners[i] is None:
            from_stack = makers[i] if text.startswith(TAKERS) else users[i]
            owners[i] = next((known[k] for k in from_stack if known[k] is not None), claimed[i])
    return owners


def _moves(text: str) -> bool:
    return text.startswith(MOVES)


def _ends(
    texts: Sequence[str], arities: Mapping[str, tuple[int, int]]
) -> tuple[list[list[int]], list[list[int]]]:
    """Return, for each instruction, the makers of its operands. Also return the users of its results."""
    makers: list[list[int]] = [[] for _ in texts]
    users: list[list[int]] = [[] for _ in texts]
    stack: list[int] = []
    blocks: list[tuple[int, int, int]] = []
    for i, text in enumerate(texts):
        takes, gives = _effect(text, arities)
        for _ in range(min(takes, len(stack))):
            maker = stack.pop()
            makers[i].append(maker)
            users[maker].append(i)
        stack += [i] * gives
        match text.split(" ", 1)[0]:
            case "if" | "loop":
                blocks.append((i, len(stack), text.count("result")))
            case "else":
                del stack[blocks[-1][1] :]
            case "end":
                opening, height, results = blocks.pop()
                del stack[height:]
                stack += [opening] * results
    return makers, users


def _effect(text: str, arities: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """Return how many values an instruction takes from the stack, and how many it pushes."""
    op, _, callee = text.partition(" ")
    return arities[callee] if op == "call" else (OPCODES[op].takes, OPCODES[op].gives)
