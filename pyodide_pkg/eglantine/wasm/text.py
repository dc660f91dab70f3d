"""A module's bytes as WebAssembly text: what our encoder writes, one instruction a line.

Source: WebAssembly Core Specification 2.0, chapters 5 (Binary Format) and 6 (Text Format).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final

_VALUE_TYPES: Final = {0x7B: "v128", 0x7C: "f64", 0x7E: "i64", 0x7F: "i32"}

_COMPARISONS: Final = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_INTEGER: Final = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"
_REAL: Final = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign"


def _family(first: int, dtype: str, names: str) -> dict[int, str]:
    return {first + k: f"{dtype}.{name}" for k, name in enumerate(names.split())}


_PLAIN: Final = {
    0x00: "unreachable", 0x05: "else", 0x0B: "end", 0x0F: "return", 0x1A: "drop", 0x1B: "select",
    0xA7: "i32.wrap_i64", 0xAD: "i64.extend_i32_u", 0xB7: "f64.convert_i32_s",
    0xB9: "f64.convert_i64_s", 0xBD: "i64.reinterpret_f64", 0xBF: "f64.reinterpret_i64",
    **_family(0x45, "i32", _COMPARISONS), **_family(0x50, "i64", _COMPARISONS),
    **_family(0x61, "f64", "eq ne lt gt le ge"), **_family(0x67, "i32", _INTEGER),
    **_family(0x79, "i64", _INTEGER), **_family(0x99, "f64", _REAL),
}  # fmt: skip
_BLOCKS: Final = {0x03: "loop", 0x04: "if"}
_INDEXED: Final = {0x0C: "br", 0x0D: "br_if", 0x20: "local.get", 0x21: "local.set", 0x22: "local.tee",
                   0x23: "global.get", 0x24: "global.set"}  # fmt: skip
_MEMORY: Final = {0x28: ("i32.load", 2), 0x29: ("i64.load", 3), 0x2B: ("f64.load", 3),
                  0x36: ("i32.store", 2), 0x37: ("i64.store", 3), 0x39: ("f64.store", 3)}  # fmt: skip
_LANES: Final = {
    0x14: "f64x2.splat", 0x4D: "v128.not", 0x4E: "v128.and", 0x50: "v128.or", 0x51: "v128.xor",
    0x52: "v128.bitselect", 0x74: "f64x2.ceil", 0x75: "f64x2.floor", 0x7A: "f64x2.trunc",
    0x94: "f64x2.nearest", 0xEC: "f64x2.abs", 0xED: "f64x2.neg",
    **_family(0x47, "f64x2", "eq ne lt gt le ge"), **_family(0xEF, "f64x2", "sqrt add sub mul div min max"),
}  # fmt: skip
_EXPORTS: Final = {0: "func", 2: "memory", 3: "global"}


def disassemble(module: bytes, names: Sequence[str] = ()) -> str:
    """The text of a module that `emit` made.

    names: those of its functions, imported ones first, as they come from users; missing ones are numbered.
    """
    return "\n".join(Disassembler(module, names).lines()) + "\n"


class _Reader:
    """Bytes being read from a position on."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def take(self, n: int) -> bytes:
        self.at += n
        return self.data[self.at - n : self.at]

    def unsigned(self) -> int:
        return self._leb()[0]

    def signed(self) -> int:
        n, bits, last = self._leb()
        return n - (1 << bits) if last & 0x40 else n

    def _leb(self) -> tuple[int, int, int]:
        n = bits = 0
        while True:
            byte = self.byte()
            n |= (byte & 0x7F) << bits
            bits += 7
            if byte < 0x80:
                return n, bits, byte

    def text(self) -> str:
        return self.take(self.unsigned()).decode()

    def types(self) -> str:
        return " ".join(_VALUE_TYPES[self.byte()] for _ in range(self.unsigned()))


class Disassembler:
    """The sections of one module."""

    def __init__(self, module: bytes, names: Sequence[str]) -> None:
        self.sections = dict(_sections(module))
        self.types = [_type(reader) for reader in self._entries(1)]
        imports = [_import(reader) for reader in self._entries(2)]
        self.imports = [entry for entry in imports if entry[2] == 0]
        self.shared = [entry for entry in imports if entry[2] == 2]
        self.defined = [reader.unsigned() for reader in self._entries(3)]
        self.names = _identifiers(names, len(self.imports) + len(self.defined))

    def _entries(self, number: int) -> Iterator[_Reader]:
        """The section's reader, once for each entry, which must be read to its end."""
        if number in self.sections:
            reader = _Reader(self.sections[number])
            for _ in range(reader.unsigned()):
                yield reader

    def lines(self) -> Iterator[str]:
        """The module's lines."""
        yield "(module"
        for params, results in self.types:
            yield f"  (type (func{_clause('param', params)}{_clause('result', results)}))"
        for k, (module, name, _, of) in enumerate(self.imports):
            yield f'  (import "{module}" "{name}" (func {self.names[k]} (type {of})))'
        for module, name, _, pages in self.shared:
            yield f'  (import "{module}" "{name}" (memory {pages}))'
        for reader in self._entries(5):
            limits = [reader.unsigned() for _ in range(1 + reader.byte())]
            yield f"  (memory {' '.join(map(str, limits))})"
        for reader in self._entries(6):
            content = _VALUE_TYPES[reader.byte()]
            reader.take(2)
            yield f"  (global (mut {content}) ({content}.const {reader.signed()}))"
            reader.byte()
        for reader in self._entries(7):
            name, kind, index = reader.text(), reader.byte(), reader.unsigned()
            target = self.names[index] if kind == 0 else str(index)
            yield f'  (export "{name}" ({_EXPORTS[kind]} {target}))'
        for k, reader in enumerate(self._entries(10)):
            reader.unsigned()
            yield from self._function(k, reader)
        for reader in self._entries(11):
            reader.take(2)
            address = reader.signed()
            reader.byte()
            content = "".join(f"\\{byte:02x}" for byte in reader.take(reader.unsigned()))
            yield f'  (data (i32.const {address}) "{content}")'
        yield ")"

    def _function(self, k: int, reader: _Reader) -> Iterator[str]:
        yield f"  (func {self.names[len(self.imports) + k]} (type {self.defined[k]})"
        declared = [(reader.unsigned(), reader.byte()) for _ in range(reader.unsigned())]
        if declared:
            yield "    (local " + " ".join(" ".join([_VALUE_TYPES[of]] * n) for n, of in declared) + ")"
        depth = 0
        while True:
            opcode = reader.byte()
            if opcode in (0x05, 0x0B):
                depth -= 1
                if depth < 0:
                    break
            yield "    " + "  " * depth + self._instruction(opcode, reader)
            depth += opcode in _BLOCKS or opcode == 0x05
        yield "  )"

    def _instruction(self, opcode: int, reader: _Reader) -> str:
        if opcode in _PLAIN:
            return _PLAIN[opcode]
        if opcode in _INDEXED:
            return f"{_INDEXED[opcode]} {reader.unsigned()}"
        if opcode in _MEMORY:
            return _memory_access(*_MEMORY[opcode], reader)
        if opcode in _BLOCKS:
            of = _VALUE_TYPES.get(reader.byte())
            return _BLOCKS[opcode] + (f" (result {of})" if of else "")
        match opcode:
            case 0x3F | 0x40:
                reader.byte()
                return "memory.size" if opcode == 0x3F else "memory.grow"
            case 0x10:
                return f"call {self.names[reader.unsigned()]}"
            case 0x41:
                return f"i32.const {reader.signed()}"
            case 0x42:
                return f"i64.const {reader.signed()}"
            case 0x44:
                return f"f64.const {_real(reader.take(8))}"
            case 0xFC:
                return _prefixed(reader)
            case 0xFD:
                return _on_lanes(reader)
        raise ValueError(f"Found the opcode {opcode:#x}, expected one that the compiler writes.")


def _memory_access(name: str, alignment: int, reader: _Reader) -> str:
    written, offset = reader.unsigned(), reader.unsigned()
    return (
        name
        + (f" offset={offset}" if offset else "")
        + ("" if written == alignment else f" align={1 << written}")
    )


def _prefixed(reader: _Reader) -> str:
    number = reader.unsigned()
    if number == 6:
        return "i64.trunc_sat_f64_s"
    name, memories = {10: ("memory.copy", 2), 11: ("memory.fill", 1)}[number]
    reader.take(memories)
    return name


def _on_lanes(reader: _Reader) -> str:
    match reader.unsigned():
        case 0x00 | 0x0B as number:
            return _memory_access("v128.store" if number else "v128.load", 4, reader)
        case 0x21:
            return f"f64x2.extract_lane {reader.byte()}"
        case number:
            return _LANES[number]


def _import(reader: _Reader) -> tuple[str, str, int, int]:
    """Module, name, kind, and the type of a function or the pages of a memory."""
    module, name, kind = reader.text(), reader.text(), reader.byte()
    if kind:
        reader.byte()
    return module, name, kind, reader.unsigned()


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(module)
    reader.take(8)
    while reader.at < len(module):
        number = reader.byte()
        yield number, reader.take(reader.unsigned())


def _type(reader: _Reader) -> tuple[str, str]:
    reader.byte()
    return reader.types(), reader.types()


def _clause(word: str, types: str) -> str:
    return f" ({word} {types})" if types else ""


def _real(data: bytes) -> str:
    x: Any = struct.unpack("<d", data)[0]
    if x != x:
        bits = int.from_bytes(data, "little")
        return ("-" if bits >> 63 else "") + f"nan:{bits & 0xFFFFFFFFFFFFF:#x}"
    return repr(x)


def _identifiers(names: Sequence[str], n: int) -> list[str]:
    """An identifier for each of n functions: its name, made legible to WAT and unique."""
    found: dict[str, None] = {}
    for k in range(n):
        written = names[k] if k < len(names) else ""
        base = "$" + (re.sub(r"[^A-Za-z0-9_.]+", "_", written) or f"f{k}")
        name, copies = base, 1
        while name in found:
            copies += 1
            name = f"{base}.{copies}"
        found[name] = None
    return list(found)
