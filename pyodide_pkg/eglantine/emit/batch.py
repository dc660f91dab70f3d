"""Write a small module that calls a kernel's entry in a loop, so that one call computes many points.

The first call of `Kernel.batch` makes this module from the kernel's ABI. The kernel's module does not change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from eglantine.wasm import encoding as wasm

from .layout import KERNEL_MODULE, SIZES, aligned, byte_count

MOST_POINTS: Final = 2048
COLUMN_BYTES: Final = 1 << 20
"""The largest size of a chunk's columns in bytes, except if a single point takes more.

A chunk also has at most MOST_POINTS points. Larger chunks are not faster."""

MOST_UNROLLED: Final = 64
"""The largest size in bytes of a leaf for which loads and stores are faster than `memory.copy`."""


def driver(abi: dict[str, Any], base: int) -> tuple[bytes, dict[str, Any]]:
    """Return the module that runs a chunk of points, and its ABI.

    A chunk has space for `points` points, a number in the ABI. In the ABI, each parameter and the result is a
    Vec with one value for each point. The caller writes the number of points that it uses to the address
    `count`, as an i32. The module imports the kernel's `memory` and `main`. If the kernel counts fuel, the
    module also imports `fuel`, and every point starts with the same amount of fuel.

    base: the first address in the kernel's memory that the module may use for its columns.
    """
    places = places_of(abi)
    sizes = [byte_count(leaf["dtype"], leaf["dims"]) for leaf in places]
    points = points_of(abi)
    count, end = base, base + 8
    columns = []
    for place, size in zip(places, sizes, strict=True):
        columns.append({"dtype": place["dtype"], "dims": [points, *place["dims"]], "at": end})
        end = aligned(end + points * size)
    pages = -(-end // wasm.PAGE_BYTES)
    inputs = sum(len(param["leaves"]) for param in abi["params"])
    moves = list(zip(places, columns, sizes, strict=True))
    memory = {"bytes": end, "export": "memory", "pages": pages, "base": base}
    if "max_pages" in abi["memory"]:
        memory["max_pages"] = abi["memory"]["max_pages"]
    described = described_loop(abi, columns, count, memory, "batch")
    return _module(abi, moves[:inputs], moves[inputs:], count, pages), described


def places_of(abi: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the addresses of a kernel's leaves. The parameters' leaves come before the result's."""
    return [*(leaf for param in abi["params"] for leaf in param["leaves"]), *abi["result"]["leaves"]]


def points_of(abi: dict[str, Any]) -> int:
    """Return the largest number of points that a chunk for this kernel may have."""
    size = sum(byte_count(leaf["dtype"], leaf["dims"]) for leaf in places_of(abi))
    return max(1, min(MOST_POINTS, COLUMN_BYTES // max(1, size)))


def described_loop(
    abi: dict[str, Any], columns: Iterable[dict[str, Any]], count: int, memory: dict[str, Any], export: str
) -> dict[str, Any]:
    """Return the ABI of a module that runs a chunk of points.

    abi: the kernel's ABI.
    columns: the place of each column in memory, in the order of the kernel's leaves.
    count: the address where the caller writes the number of points.
    memory: the ABI's description of the memory. export: the name of the exported function.
    """
    points, rest = points_of(abi), iter(columns)
    values = [
        value
        | {"type": {"vec": points, "of": value["type"]}, "leaves": [next(rest) for _ in value["leaves"]]}
        for value in [*abi["params"], abi["result"]]
    ]
    return {
        "abi": abi["abi"], "name": abi["name"], "export": export, "imports": [], "traps": abi["traps"],
        "memory": memory, "points": points, "count": count, "params": values[:-1], "result": values[-1],
    }  # fmt: skip


_Moves = Iterable[tuple[dict[str, Any], dict[str, Any], int]]


def _module(abi: dict[str, Any], inputs: _Moves, outputs: _Moves, count: int, pages: int) -> bytes:
    """Return the module's bytes. The module runs: do { copy in; main; copy out } while (++i < count)."""
    module = wasm.Module(pages=0)
    plain = module.type_index(b"", b"")
    module.imports = [(KERNEL_MODULE, abi["export"], plain)]
    module.shared = [(KERNEL_MODULE, abi["memory"]["export"], wasm.lent_memory(pages))]
    module.functions = [plain]
    module.exports = [("batch", 0, 1), ("memory", 2, 0)]
    i, fuel = wasm.LOCAL_GET[0], b""
    code = []
    if "fuel" in abi:
        module.shared.append((KERNEL_MODULE, abi["fuel"]["export"], wasm.lent_global("i64")))
        code += [wasm.global_get(0), wasm.LOCAL_SET[1]]
        fuel = wasm.LOCAL_GET[1] + wasm.global_set(0)
    code += [wasm.LOOP, fuel]
    for place, column, size in inputs:
        code.append(_copy(place["dtype"], wasm.I32_ZERO, place["at"], _element(size), column["at"], size))
    code.append(wasm.call(0))
    for place, column, size in outputs:
        code.append(_copy(place["dtype"], _element(size), column["at"], wasm.I32_ZERO, place["at"], size))
    code += [i, wasm.i32_const(1), wasm.I32_ADD, wasm.LOCAL_TEE[0]]
    code += [wasm.I32_ZERO, wasm.load("i32", count), wasm.I32_NE, wasm.BR_IF_0, wasm.END, wasm.END]
    module.bodies = [wasm.body([wasm.VALUE_TYPE["i32"], wasm.VALUE_TYPE["i64"]], b"".join(code))]
    return module.encode()


def _element(size: int) -> bytes:
    """Return instructions that push the offset of the current point's element in its column."""
    return wasm.LOCAL_GET[0] + wasm.i32_const(size) + wasm.I32_MUL


def _copy(dtype: str, to: bytes, to_at: int, source: bytes, source_at: int, size: int) -> bytes:
    """Return the instructions that copy a leaf of `size` bytes.

    An address is the sum of a variable part and a constant part.
    to, source: instructions that push the variable part of the target's address and of the source's address.
    to_at, source_at: the constant parts of these two addresses.
    """
    if size > MOST_UNROLLED:
        to += wasm.i32_const(to_at) + wasm.I32_ADD
        source += wasm.i32_const(source_at) + wasm.I32_ADD
        return to + source + wasm.i32_const(size) + wasm.MEMORY_COPY
    return b"".join(
        to + source + wasm.load(dtype, source_at + k) + wasm.store(dtype, to_at + k)
        for k in range(0, size, SIZES[dtype])
    )
