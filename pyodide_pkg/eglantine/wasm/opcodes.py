"""The table of WebAssembly's instructions, with their names, bytes, immediates and stack effects.

The table has only the instructions that we write, and some that we may need soon. The encoder, the
disassembler, the table of primitives and the playground use it.

Source: WebAssembly Core Specification 2.0, chapter 5.4 (Instructions).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from .leb128 import uleb

Immediates = Literal["", "block", "index", "function", "access", "memories", "lane", "i32", "i64", "f64"]
"""The kinds of immediates. An immediate is a number that is encoded after the instruction's code.

block: the block's type. index: the index of a label, local or global. function: the index of a function.
access: the alignment and the offset of a load or store. memories: memory indices, which are all 0.
lane: the numbers of lanes. i32, i64, f64: a constant.
"""


class Opcode(NamedTuple):
    """One instruction.

    name: its name in the text format.
    code: the bytes before its immediates.
    takes: how many values it pops from the stack. gives: how many values it pushes. Both are 0 for `call`,
        which pops and pushes different numbers of values for different functions.
    immediates: the kind of the immediates after the code.
    size: for a load or store, log₂ of the number of bytes that it reads or writes. For an instruction with
        immediates of the kind `memories` or `lane`, the number of immediates.
    """

    name: str
    code: bytes
    takes: int
    gives: int
    immediates: Immediates = ""
    size: int = 0


BULK, VECTOR = 0xFC, 0xFD
"""The first bytes of instructions that are numbered: saturating conversions and bulk memory, and SIMD."""


def _single(
    number: int, name: str, takes: int, gives: int, immediates: Immediates = "", size: int = 0
) -> Opcode:
    """An instruction with a code of one byte."""
    return Opcode(name, bytes((number,)), takes, gives, immediates, size)


def _numbered(
    prefix: int, number: int, name: str, takes: int, gives: int, immediates: Immediates = "", size: int = 0
) -> Opcode:
    """Make the entry of an instruction. Its code consists of a prefix byte and a number."""
    return Opcode(name, bytes((prefix,)) + uleb(number), takes, gives, immediates, size)


_UNARY: Final = frozenset(
    {"eqz", "clz", "ctz", "popcnt", "abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"}
)
"""The names of arithmetic instructions that have one operand."""


def _family(first: int, dtype: str, names: str) -> Iterator[Opcode]:
    """Yield entries for arithmetic on a type. The instructions have the codes `first`, `first` + 1, …."""
    for k, name in enumerate(names.split()):
        yield _single(first + k, f"{dtype}.{name}", 1 if name in _UNARY else 2, 1)


def _lanes(first: int, names: str, of: str = "f64x2") -> Iterator[Opcode]:
    """Yield entries for arithmetic on v128. The instructions have the numbers `first`, `first` + 1, …."""
    for k, name in enumerate(names.split()):
        yield _numbered(VECTOR, first + k, f"{of}.{name}", 1 if name in _UNARY else 2, 1)


_COMPARISONS: Final = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_INTEGER: Final = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"
_REAL: Final = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign"

OPCODES: Final[dict[str, Opcode]] = {
    opcode.name: opcode
    for opcode in (
        # control
        _single(0x00, "unreachable", 0, 0),
        _single(0x03, "loop", 0, 0, "block"),
        _single(0x04, "if", 1, 0, "block"),
        _single(0x05, "else", 0, 0),
        _single(0x0B, "end", 0, 0),
        _single(0x0C, "br", 0, 0, "index"),
        _single(0x0D, "br_if", 1, 0, "index"),
        _single(0x0F, "return", 0, 0),
        _single(0x10, "call", 0, 0, "function"),
        _single(0x1A, "drop", 1, 0),
        _single(0x1B, "select", 3, 1),
        # variables
        _single(0x20, "local.get", 0, 1, "index"),
        _single(0x21, "local.set", 1, 0, "index"),
        _single(0x22, "local.tee", 1, 1, "index"),
        _single(0x23, "global.get", 0, 1, "index"),
        _single(0x24, "global.set", 1, 0, "index"),
        # memory
        _single(0x28, "i32.load", 1, 1, "access", 2),
        _single(0x29, "i64.load", 1, 1, "access", 3),
        _single(0x2B, "f64.load", 1, 1, "access", 3),
        _single(0x36, "i32.store", 2, 0, "access", 2),
        _single(0x37, "i64.store", 2, 0, "access", 3),
        _single(0x39, "f64.store", 2, 0, "access", 3),
        _single(0x3F, "memory.size", 0, 1, "memories", 1),
        _single(0x40, "memory.grow", 1, 1, "memories", 1),
        _numbered(BULK, 0x0A, "memory.copy", 3, 0, "memories", 2),
        _numbered(BULK, 0x0B, "memory.fill", 3, 0, "memories", 1),
        # numbers
        _single(0x41, "i32.const", 0, 1, "i32"),
        _single(0x42, "i64.const", 0, 1, "i64"),
        _single(0x44, "f64.const", 0, 1, "f64"),
        *_family(0x45, "i32", _COMPARISONS),
        *_family(0x50, "i64", _COMPARISONS),
        *_family(0x61, "f64", "eq ne lt gt le ge"),
        *_family(0x67, "i32", _INTEGER),
        *_family(0x79, "i64", _INTEGER),
        *_family(0x99, "f64", _REAL),
        _single(0xA7, "i32.wrap_i64", 1, 1),
        _single(0xAD, "i64.extend_i32_u", 1, 1),
        _single(0xB7, "f64.convert_i32_s", 1, 1),
        _single(0xB9, "f64.convert_i64_s", 1, 1),
        _single(0xBD, "i64.reinterpret_f64", 1, 1),
        _single(0xBF, "f64.reinterpret_i64", 1, 1),
        _numbered(BULK, 0x06, "i64.trunc_sat_f64_s", 1, 1),
        # two numbers at a time
        _numbered(VECTOR, 0x00, "v128.load", 1, 1, "access", 4),
        _numbered(VECTOR, 0x0B, "v128.store", 2, 0, "access", 4),
        _numbered(VECTOR, 0x0D, "i8x16.shuffle", 2, 1, "lane", 16),
        _numbered(VECTOR, 0x12, "i64x2.splat", 1, 1),
        _numbered(VECTOR, 0x14, "f64x2.splat", 1, 1),
        _numbered(VECTOR, 0x1D, "i64x2.extract_lane", 1, 1, "lane", 1),
        _numbered(VECTOR, 0x21, "f64x2.extract_lane", 1, 1, "lane", 1),
        _numbered(VECTOR, 0x22, "f64x2.replace_lane", 2, 1, "lane", 1),
        *_lanes(0x47, "eq ne lt gt le ge"),
        _numbered(VECTOR, 0x4D, "v128.not", 1, 1),
        _numbered(VECTOR, 0x4E, "v128.and", 2, 1),
        _numbered(VECTOR, 0x50, "v128.or", 2, 1),
        _numbered(VECTOR, 0x51, "v128.xor", 2, 1),
        _numbered(VECTOR, 0x52, "v128.bitselect", 3, 1),
        *_lanes(0x74, "ceil floor"),
        *_lanes(0x7A, "trunc"),
        *_lanes(0x94, "nearest"),
        *_lanes(0xCB, "shl shr_s shr_u add", "i64x2"),
        *_lanes(0xD1, "sub", "i64x2"),
        *_lanes(0xD6, "eq ne lt_s gt_s le_s ge_s", "i64x2"),
        *_lanes(0xEC, "abs neg"),
        *_lanes(0xEF, "sqrt add sub mul div min max"),
    )
}
"""Every instruction by its name."""


def code(name: str) -> bytes:
    """The bytes of the instruction `name` before its immediates."""
    return OPCODES[name].code
