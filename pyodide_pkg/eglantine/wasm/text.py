"""Print modules in WebAssembly's text format. The modules must come from our encoder.

Source: WebAssembly Core Specification 2.0, chapters 5 (Binary Format) and 6 (Text Format).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final

from .opcodes import BULK, OPCODES, VECTOR, code

_VALUE_TYPES: Final = {0x7B: "v128", 0x7C: "f64", 0x7E: "i64", 0x7F: "i32"}

_BY_CODE: Final = {opcode.code: opcode for opcode in OPCODES.values()}
_PREFIXES: Final = frozenset({BULK, VECTOR})
_ELSE, _END, _LOOP, _IF = (code(name)[0] for name in ("else", "end", "loop", "if"))
_EXPORTS: Final = {0: "func", 2: "memory", 3: "global"}


def disassemble(module: bytes, names: Sequence[str] = ()) -> str:
    """Return the text format of a WebAssembly module that `emit` made.

    names: the users' names of the module's functions, with imported functions first. A function without a
        name gets a number.
    """
    return "\n".join(Disassembler(module, names).lines()) + "\n"


class _Reader:
    """Reads bytes in order. It keeps the bytes and the position of the next byte."""

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
        """Yield this section's reader once for each entry. The caller must read one entry each time."""
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
            if opcode in (_ELSE, _END):
                depth -= 1
                if depth < 0:
                    break
            yield "    " + "  " * depth + self._instruction(opcode, reader)
            depth += opcode in (_LOOP, _IF, _ELSE)
        yield "  )"

    def _instruction(self, opcode: int, reader: _Reader) -> str:
        first = reader.at - 1
        if opcode in _PREFIXES:
            reader.unsigned()
        instruction = _BY_CODE.get(reader.data[first : reader.at])
        if instruction is None:
            opcode_text = reader.data[first : reader.at].hex(" ")
            raise ValueError(
                f"Eglantine's modules never have the opcode {opcode_text}. Give a module that Eglantine made."
            )
        name = instruction.name
        match instruction.immediates:
            case "":
                return name
            case "index":
                return f"{name} {reader.unsigned()}"
            case "i32" | "i64":
                return f"{name} {reader.signed()}"
            case "f64":
                return f"{name} {_real(reader.take(8))}"
            case "access":
                return name + _access(instruction.size, reader)
            case "function":
                return f"{name} {self.names[reader.unsigned()]}"
            case "block":
                of = _VALUE_TYPES.get(reader.byte())
                return name + (f" (result {of})" if of else "")
            case "lane":
                return " ".join([name, *map(str, reader.take(instruction.size))])
            case "memories":
                reader.take(instruction.size)
                return name


def _access(natural: int, reader: _Reader) -> str:
    """Read the immediates of a load or store. Leave out an offset of 0 and a natural alignment."""
    alignment, offset = reader.unsigned(), reader.unsigned()
    shown_offset = f" offset={offset}" if offset else ""
    return shown_offset + ("" if alignment == natural else f" align={1 << alignment}")


def _import(reader: _Reader) -> tuple[str, str, int, int]:
    """Read an import. Return (module, name, kind, number). The number is a type index or a memory's pages."""
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
    """Make unique identifiers from the names of n functions. Replace characters that WAT forbids."""
    identifiers: dict[str, None] = {}
    for k in range(n):
        written = names[k] if k < len(names) else ""
        base = "$" + (re.sub(r"[^A-Za-z0-9_.]+", "_", written) or f"f{k}")
        name, copies = base, 1
        while name in identifiers:
            copies += 1
            name = f"{base}.{copies}"
        identifiers[name] = None
    return list(identifiers)
