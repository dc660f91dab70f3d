"""WebAssembly's binary format: instructions, sections and modules. This module does not use the IR.

Source: WebAssembly Core Specification 2.0, chapter 5 (Binary Format).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Final

from .leb128 import KEPT, sleb, uleb
from .opcodes import OPCODES, code

PAGE_BYTES: Final = 65536

VALUE_TYPE: Final = {"f64": b"\x7c", "i64": b"\x7e", "i32": b"\x7f", "i1": b"\x7f", "v128": b"\x7b"}
"""For each dtype, the byte that encodes its value type in Wasm."""

_EMPTY: Final = b"\x40"
"""The byte for the type of a block that takes no values and leaves no values."""

UNREACHABLE, ELSE, END, RETURN, DROP, SELECT = map(
    code, ("unreachable", "else", "end", "return", "drop", "select")
)
LOOP, IF = code("loop") + _EMPTY, code("if") + _EMPTY
BR_1, BR_IF_0 = code("br") + uleb(1), code("br_if") + uleb(0)
I32_EQZ, I32_EQ, I32_NE, I32_GT_S, I32_GT_U, I32_GE_U = [
    code(f"i32.{name}") for name in ("eqz", "eq", "ne", "gt_s", "gt_u", "ge_u")
]
I32_ADD, I32_SUB, I32_MUL, I32_AND, I32_SHL, I32_SHR_U = [
    code(f"i32.{name}") for name in ("add", "sub", "mul", "and", "shl", "shr_u")
]
I64_ADD, I64_SUB, I64_MUL, I64_SHR_U, I64_LT_S, I64_GT_U = [
    code(f"i64.{name}") for name in ("add", "sub", "mul", "shr_u", "lt_s", "gt_u")
]
I32_WRAP, I64_EXTEND_U = code("i32.wrap_i64"), code("i64.extend_i32_u")
F64_ADD = code("f64.add")
F64X2_SPLAT, I64X2_SPLAT = code("f64x2.splat"), code("i64x2.splat")
F64X2_LANES = tuple([code("f64x2.extract_lane") + uleb(lane) for lane in range(2)])
I64X2_LANES = tuple([code("i64x2.extract_lane") + uleb(lane) for lane in range(2)])
F64X2_REPLACE = tuple([code("f64x2.replace_lane") + uleb(lane) for lane in range(2)])
FIRST_OF_BOTH, LAST_OF_BOTH = [
    code("i8x16.shuffle") + bytes([*range(first, first + 8), *range(first + 16, first + 24)])
    for first in (0, 8)
]
"""Take the first lanes, or the last lanes, of two v128s of two numbers each."""

_FIRST_MEMORY: Final = uleb(0)
MEMORY_SIZE, MEMORY_GROW, MEMORY_COPY, MEMORY_FILL = [
    opcode.code + _FIRST_MEMORY * opcode.size
    for opcode in (OPCODES[f"memory.{name}"] for name in ("size", "grow", "copy", "fill"))
]

_ACCESSED: Final = {"f64": "f64", "i64": "i64", "i32": "i32", "i1": "i32", "v128": "v128"}
"""For each dtype, the Wasm type by which elements are loaded from memory and stored there."""

_ALIGNMENT: Final = 3
"""log₂ of the largest alignment that we encode, 8 bytes. A v128 may begin at any multiple of 8 bytes."""

LOAD, STORE = [
    {
        dtype: opcode.code + uleb(min(opcode.size, _ALIGNMENT))
        for dtype, opcode in ((of, OPCODES[f"{width}.{access}"]) for of, width in _ACCESSED.items())
    }
    for access in ("load", "store")
]
"""For each dtype, the bytes of the load or store of an element. The encoded offset has to follow them."""


_GET, _SET, _TEE, _GLOBAL_GET, _GLOBAL_SET = [
    code(name) for name in ("local.get", "local.set", "local.tee", "global.get", "global.set")
]
_I32_CONST, _I64_CONST, _F64_CONST, _CALL = map(code, ("i32.const", "i64.const", "f64.const", "call"))

FIRST_LOCALS: Final = 256  # we encode the instructions for this many locals in advance


def local_instructions(k: int) -> tuple[bytes, bytes, bytes]:
    """`local.get k`, `local.set k` and `local.tee k`."""
    digits = uleb(k)
    return _GET + digits, _SET + digits, _TEE + digits


LOCAL_GET, LOCAL_SET, LOCAL_TEE = (
    [local_instructions(k)[which] for k in range(FIRST_LOCALS)] for which in range(3)
)

SMALL_I32: Final = tuple(_I32_CONST + sleb(n) for n in range(64))
I32_ZERO: Final = SMALL_I32[0]


@lru_cache(KEPT)
def i32_const(n: int) -> bytes:
    """`i32.const n`."""
    return SMALL_I32[n] if 0 <= n < len(SMALL_I32) else _I32_CONST + sleb(n)


def i64_const(n: int) -> bytes:
    """`i64.const n`."""
    return _I64_CONST + sleb(n)


def f64_const(x: float) -> bytes:
    """`f64.const x`. All NaNs become the same NaN."""
    return _F64_CONST + (struct.pack("<d", x) if x == x else b"\x00\x00\x00\x00\x00\x00\xf8\x7f")


@lru_cache(KEPT)
def load(dtype: str, offset: int) -> bytes:
    """Encode a load from memory: `offset` is added to the address on the stack."""
    return LOAD[dtype] + uleb(offset)


@lru_cache(KEPT)
def store(dtype: str, offset: int) -> bytes:
    """Encode a store to memory: `offset` is added to the address on the stack."""
    return STORE[dtype] + uleb(offset)


def lent_memory(pages: int) -> bytes:
    """Encode the type of an imported memory with at least this number of pages."""
    return b"\x02\x00" + uleb(pages)


def lent_global(of: str) -> bytes:
    """Encode the type of an imported mutable global."""
    return b"\x03" + VALUE_TYPE[of] + b"\x01"


def call(function: int) -> bytes:
    """The call of a function by its index."""
    return _CALL + uleb(function)


def global_get(k: int) -> bytes:
    """`global.get k`."""
    return _GLOBAL_GET + uleb(k)


def global_set(k: int) -> bytes:
    """`global.set k`."""
    return _GLOBAL_SET + uleb(k)


@dataclass(slots=True)
class Module:
    """A module's contents, in the order of their sections.

    types: function types as (parameter types, result types), in bytes. `type_index` adds types.
    imports: (module, name, type index) of each imported function.
    shared: (module, name, encoded type) of each memory or global that is imported from another module.
    functions: the type index of each function of the module. bodies: the encoded bodies of these functions.
    pages: the size of the module's own memory, in pages of 64 KiB, or 0 if it has none.
    max_pages: the largest size of this memory in pages, or 0 if it may not grow.
    globals: (value type, initial value) of each mutable global.
    exports: (name, kind, index) of each export.
    data: (address, bytes) of each piece of memory that is not zero at the start.
    """

    types: dict[tuple[bytes, bytes], int] = field(default_factory=dict)
    imports: list[tuple[str, str, int]] = field(default_factory=list)
    shared: list[tuple[str, str, bytes]] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    pages: int = 1
    max_pages: int = 0
    globals: list[tuple[str, int]] = field(default_factory=list)
    exports: list[tuple[str, int, int]] = field(default_factory=list)
    data: list[tuple[int, bytes]] = field(default_factory=list)

    def type_index(self, params: bytes, results: bytes) -> int:
        """The index of a function type."""
        return self.types.setdefault((params, results), len(self.types))

    def encode(self) -> bytes:
        """The module's bytes."""
        before, after = self.around()
        return assembled(before, self.bodies, after)

    def around(self) -> tuple[bytes, bytes]:
        """Encode the module without its functions' bodies. Return the bytes before and after the bodies."""
        parts = [b"\x00asm\x01\x00\x00\x00"]
        parts += _section(1, [b"\x60" + _vector(p) + _vector(r) for p, r in self.types])
        shared = [_text(m) + _text(n) + described for m, n, described in self.shared]
        parts += _section(2, [_text(m) + _text(n) + b"\x00" + uleb(t) for m, n, t in self.imports] + shared)
        parts += _section(3, [uleb(t) for t in self.functions])
        maximum = uleb(self.max_pages) if self.max_pages else b""
        limits = bytes((bool(maximum),)) + uleb(self.pages) + maximum
        parts += _section(5, [limits] if self.pages else [])
        parts += _section(6, [_global(of, start) for of, start in self.globals])
        parts += _section(7, [_text(name) + bytes((kind,)) + uleb(k) for name, kind, k in self.exports])
        before = b"".join(parts)
        parts = _section(11, [b"\x00" + i32_const(at) + END + _vector(data) for at, data in self.data])
        return before, b"".join(parts)


def assembled(before: bytes, bodies: Sequence[bytes], after: bytes) -> bytes:
    """Join the bytes of a module: the part before the bodies, the bodies, and the part after the bodies."""
    return b"".join((before, *_section(10, [uleb(len(body)) + body for body in bodies]), after))


def body(locals_: Iterable[bytes], code: bytes) -> bytes:
    """Encode a function's body.

    locals_: the value type of each local variable. Parameters are not included.
    code: the instructions.
    """
    runs = [uleb(len([*run])) + of for of, run in groupby(locals_)]
    return b"".join((uleb(len(runs)), *runs, code))


def _section(number: int, entries: Sequence[bytes]) -> list[bytes]:
    if not entries:
        return []
    content = uleb(len(entries)) + b"".join(entries)
    return [bytes((number,)), uleb(len(content)), content]


def _global(of: str, start: int) -> bytes:
    value = i64_const(start) if of == "i64" else i32_const(start)
    return VALUE_TYPE[of] + b"\x01" + value + END


def _vector(content: bytes) -> bytes:
    return uleb(len(content)) + content


def _text(text: str) -> bytes:
    return _vector(text.encode())
