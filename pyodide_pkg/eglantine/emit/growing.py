"""Buffers that grow while the code runs, for arrays whose length is known only at run time.

A buffer belongs to one row of the program. Two globals hold its address and how many rounds it has room for.
Both begin as 0, and keep their values from one execution of the row, and one call of the module, to the next.
No function is entered while it runs, so a row's arrays are never alive twice. The contents of a full buffer
move to one twice as large at the end of memory. Only a module with such buffers gets the function for this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from eglantine.wasm import encoding as wasm

from .body import Body

FIRST_ROUNDS: Final = 64
"""The number of rounds that a new buffer has room for."""

POOL_GLOBALS: Final = 2
"""The number of globals for growth: the start and the end of the free memory."""


class Buffers(NamedTuple):
    """The buffers of one row's arrays.

    arrays: for each array, the local that holds its address and the bytes of a round.
    room: the global with the number of rounds that there is room for; the addresses' globals follow it.
    grow: the call of the function that finds a larger buffer.
    trap: the number of the trap for memory that is used up.
    """

    arrays: Sequence[tuple[int, int]]
    room: int
    grow: bytes
    trap: int

    def write_addresses(self, body: Body) -> None:
        """Write the instructions that set the locals to the addresses."""
        for k, (local, _) in enumerate(self.arrays, start=self.room + 1):
            body.put_set(local)
            body.out.append(wasm.global_get(k))

    def write_growth(self, body: Body, rounds: bytes, keeps: bool = False) -> None:
        """Write the instructions that make room for a number of rounds, or, if `keeps`, for one more.

        rounds: the instruction that pushes the number of rounds.
        keeps: whether the buffer keeps its contents.
        """
        n = body.take("i32")
        has, more = wasm.global_get(self.room), body.gets[n]
        code = [rounds, has, wasm.I32_GE_U if keeps else wasm.I32_GT_U, wasm.IF]
        code += (has, wasm.i32_const(FIRST_ROUNDS), wasm.I32_ADD, has) if keeps else (rounds, rounds)
        code += (wasm.I32_ADD, body.sets[n])
        for k, (local, size) in enumerate(self.arrays, start=self.room + 1):
            code += (wasm.global_get(k), has if keeps else wasm.I32_ZERO, more, wasm.i32_const(size or 1))
            code += (self.grow, body.tees[local], wasm.I32_EQZ, wasm.IF, wasm.i32_const(self.trap))
            code += (wasm.global_set(0), wasm.UNREACHABLE, wasm.END, body.gets[local], wasm.global_set(k))
        code += (more, wasm.global_set(self.room), wasm.END)
        body.out += reversed(code)
        body.give(n)


def grow_function(pool: int, limit: int) -> tuple[bytes, bytes, bytes]:
    """Write the function (address, rounds kept, rounds wanted, bytes of a round) → new address, or 0.

    pool: the first global of growing. limit: the address that memory ends at, at most.
    Returns its parameters' and results' value types, and its body.
    """
    address, kept, wanted, size, start, end = map(_Local, range(6))
    top, last = wasm.global_get(pool), wasm.global_get(pool + 1)
    set_top, set_last = wasm.global_set(pool), wasm.global_set(pool + 1)
    extended, memory_end = wasm.I64_EXTEND_U, wasm.MEMORY_SIZE + wasm.i32_const(16) + wasm.I32_SHL
    held = kept.get + size.get + wasm.I32_MUL
    fail = wasm.IF + wasm.I32_ZERO + wasm.RETURN + wasm.END
    needed = end.get + last + extended + wasm.I64_SUB + wasm.i64_const(0xFFFF) + wasm.I64_ADD
    pages = needed + wasm.i64_const(16) + wasm.I64_SHR_U + wasm.I32_WRAP
    code = (
        # begin where the free memory does, or at the old address if nothing lies behind it
        address.get + top + address.get + held + wasm.I32_ADD + top + wasm.I32_EQ + wasm.SELECT + start.set
        + start.get + extended + wanted.get + extended + size.get + extended + wasm.I64_MUL + wasm.I64_ADD
        + end.tee + last + extended + wasm.I64_GT_U + wasm.IF
        # another kernel may have taken the memory behind: begin anew at its end
        + memory_end + last + wasm.I32_NE + wasm.IF
        + end.get + start.get + extended + wasm.I64_SUB + memory_end + start.tee + set_top
        + start.get + set_last + start.get + extended + wasm.I64_ADD + end.set + wasm.END
        + end.get + wasm.i64_const(limit) + wasm.I64_GT_U + fail
        + pages + wasm.MEMORY_GROW + wasm.i32_const(-1) + wasm.I32_EQ + fail
        + memory_end + set_last + wasm.END
        + end.get + wasm.I32_WRAP + set_top
        + start.get + address.get + held + wasm.MEMORY_COPY + start.get + wasm.END
    )  # fmt: skip
    i32, i64 = wasm.VALUE_TYPE["i32"], wasm.VALUE_TYPE["i64"]
    return i32 * 4, i32, wasm.body([i32, i64], code)


class _Local:
    """The instructions of one local."""

    def __init__(self, k: int) -> None:
        self.get, self.set, self.tee = wasm.local_instructions(k)
