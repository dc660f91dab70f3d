"""Buffers that grow while the code runs, for arrays whose length is known only at run time.

A buffer belongs to one row of the program. It contains all arrays of this row, one after the other. Globals
contain the addresses of the arrays, and the number of rounds that fit into the buffer. All globals begin as
0. They keep their values for the next run of the row. No function calls itself, so a row never
needs two buffers at once. If a buffer is full and ends where the free memory begins, we enlarge it in place.
Otherwise we move its contents to a larger buffer in the free memory.

We add the function that grows buffers only to modules with such buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from eglantine.wasm import encoding as wasm

from .body import Body

FIRST_ROUNDS: Final = 64
"""The number of rounds that a new buffer has room for, if we do not know yet how many rounds will run.

There is room for fewer rounds if a round takes many bytes."""

FIRST_BYTES: Final = 1 << 12
"""The largest size in bytes of a new buffer, if we do not know yet how many rounds will run.

The buffer is larger only if LEAST_ROUNDS rounds take more bytes."""

LEAST_ROUNDS: Final = 2
"""The smallest number of rounds that a new buffer has room for, however many bytes a round takes."""

EVEN: Final = -2
"""A bit mask that clears the last bit of a number of rounds, so that the number becomes even.

Then an array of 4-byte numbers takes a multiple of 8 bytes, so the array after it is aligned."""

POOL_GLOBALS: Final = 2
"""The number of globals that buffers need to grow: one for the start and one for the end of the free memory.

At first, the free memory is the rest of the module's last page. If the module shares another kernel's memory,
it has no free memory at first."""


class Buffers(NamedTuple):
    """The buffer for the arrays of one row.

    arrays: a pair for each array: the local with the array's address, and the number of bytes that each round
        adds to the array.
    room: the index of the global that contains the number of rounds that fit into the buffer. The globals
        after it contain the addresses of the arrays.
    grow: the instruction that calls the Wasm function from `grow_function`.
    trap: the number of the trap that fires if there is not enough memory.
    """

    arrays: Sequence[tuple[int, int]]
    room: int
    grow: bytes
    trap: int

    def write_addresses(self, body: Body) -> None:
        """Write the instructions that copy the arrays' addresses from the globals to the locals."""
        for k, (local, _) in enumerate(self.arrays, start=self.room + 1):
            body.put_set(local)
            body.out.append(wasm.global_get(k))

    def write_growth(self, body: Body, rounds: bytes, keeps: bool = False) -> None:
        """Write the instructions that enlarge the buffer if it is too small for a number of rounds.

        rounds: the instruction that pushes the number of rounds.
        keeps: if true, keep the buffer's contents, and make space for one more round than `rounds`. The
            buffer then grows by at least a half.
        """
        n = body.take("i32")
        total = sum(size for _, size in self.arrays)
        first = min(FIRST_ROUNDS, max(LEAST_ROUNDS, FIRST_BYTES // max(1, total)))
        has, more = wasm.global_get(self.room), body.gets[n]
        code = [rounds, has, wasm.I32_GE_U if keeps else wasm.I32_GT_U, wasm.IF]
        code += (
            (has, has, wasm.i32_const(1), wasm.I32_SHR_U, wasm.I32_ADD, wasm.i32_const(first), wasm.I32_ADD)
            if keeps else (rounds, rounds, wasm.I32_ADD)
        )  # fmt: skip
        code += (wasm.i32_const(EVEN), wasm.I32_AND, body.sets[n])
        code += (wasm.global_get(self.room + 1), has if keeps else wasm.I32_ZERO, more)
        code += (wasm.i32_const(total or 1), self.grow, wasm.global_set(self.room + 1))
        code += (wasm.global_get(self.room + 1), wasm.I32_EQZ, wasm.IF, wasm.i32_const(self.trap))
        code += (wasm.global_set(0), wasm.UNREACHABLE, wasm.END)
        code += self._moves(body, has if keeps else b"", more)
        code += (more, wasm.global_set(self.room), wasm.END)
        body.out += reversed(code)
        body.give(n)

    def _moves(self, body: Body, has: bytes, more: bytes) -> list[bytes]:
        """Return the instructions that move the arrays to their places in the new buffer.

        The instructions also store the new addresses. The last array moves first.
        has: the instruction that pushes the number of rounds that fitted into the old buffer, or b"" if the
            contents need not move.
        more: the instruction that pushes the number of rounds that fit into the new buffer.
        """
        code: list[bytes] = []
        start = wasm.global_get(self.room + 1)
        before = sum(size for _, size in self.arrays)
        for k, (local, size) in reversed(list(enumerate(self.arrays))):
            before -= size
            code += (start, more, wasm.i32_const(before), wasm.I32_MUL, wasm.I32_ADD, body.tees[local])
            code.append(wasm.global_set(self.room + 1 + k))
            if has and k:
                code += (body.gets[local], start, has, wasm.i32_const(before), wasm.I32_MUL, wasm.I32_ADD)
                code += (has, wasm.i32_const(size), wasm.I32_MUL, wasm.MEMORY_COPY)
        return code


def grow_function(pool: int, limit: int) -> tuple[bytes, bytes, bytes]:
    """Return a Wasm function that enlarges a buffer: its parameter types, its result types and its body.

    The Wasm function takes four numbers: the buffer's address, the number of rounds to keep, the number of
    rounds that the new buffer must have room for, and the number of bytes of a round. It returns the buffer's
    new address, or 0 if there is not enough memory.

    pool: the index of the global with the start of the free memory. The next global has its end.
    limit: the largest allowed size of the whole memory, in bytes.
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
        # begin the buffer where the free memory begins. If the old buffer ends there, keep its old start
        address.get + top + address.get + held + wasm.I32_ADD + top + wasm.I32_EQ + wasm.SELECT + start.set
        + start.get + extended + wanted.get + extended + size.get + extended + wasm.I64_MUL + wasm.I64_ADD
        + end.tee + last + extended + wasm.I64_GT_U + wasm.IF
        # if another kernel has grown the memory meanwhile, start at the memory's new end instead
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
    """The get, set and tee instructions of one local."""

    def __init__(self, k: int) -> None:
        self.get, self.set, self.tee = wasm.local_instructions(k)
