"""The body of one Wasm function. It is written from its end to its beginning."""

from __future__ import annotations

from typing import Final

from eglantine.errors import LimitError
from eglantine.wasm.encoding import (
    END,
    FIRST_LOCALS,
    LOCAL_GET,
    LOCAL_SET,
    LOCAL_TEE,
    VALUE_TYPE,
    body,
    local_instructions,
)

from .layout import Arena
from .witness import Record

MAX_LOCALS: Final = 50_000
MAX_BODY_BYTES: Final = 7_000_000
"""The largest size of a function's body in bytes.

Engines refuse a function with more than MAX_LOCALS locals, or with a body of more than 7,654,321 bytes
(WebAssembly JS API)."""

MAX_CONSTANT_LOCALS: Final = 100


class Body:
    """The instructions and locals of a function. We collect the instructions from the last to the first.

    out: the instructions. The last instruction of the function comes first.
    gets, sets, tees: at position k, the instructions `local.get k`, `local.set k` and `local.tee k`.
    pools: the free locals of each value type.
    pool_of: for each local, the pool that takes it back when it is free.
    constants: a dict from the instruction that pushes a constant to the local that holds the constant.
    record: an object that notes the row of each instruction, or None if no witness needs these notes.
    """

    def __init__(self, params: list[bytes], arena: Arena, record: Record | None = None) -> None:
        self.arena = arena
        self.record = record
        self.params = params
        self.gets, self.sets, self.tees = list(LOCAL_GET), list(LOCAL_SET), list(LOCAL_TEE)
        self.pools: dict[bytes, list[int]] = {of: [] for of in VALUE_TYPE.values()}
        self.pool_of: list[list[int]] = []
        self.types: list[bytes] = []
        self.constants: dict[bytes, int] = {}
        self.out: list[bytes] = []
        self.begin()

    def begin(self) -> None:
        """Begin a new function. Clear the lists instead of making new ones, because scopes refer to them."""
        self.out[:] = [END]
        self.types[:] = self.params
        self.pool_of[:] = [[] for _ in self.params]
        self.constants.clear()
        for pool in self.pools.values():
            pool.clear()
        self._reserve(len(self.types))

    def take(self, dtype: str) -> int:
        """Take a free local for a value of a dtype."""
        of = VALUE_TYPE[dtype]
        pool = self.pools[of]
        if pool:
            return pool.pop()
        k = len(self.types)
        self.types.append(of)
        self.pool_of.append(pool)
        if k >= FIRST_LOCALS:
            self._reserve(k + 1)
        return k

    def give(self, k: int) -> None:
        """Free local k, so that code that runs earlier can use it. (We write the code backward.)"""
        self.pool_of[k].append(k)

    def constant(self, instruction: bytes) -> bytes:
        """Put an f64 constant into a local, and return the instruction that pushes it from there.

        If too many constants have locals already, return the constant's own instruction.
        """
        k = self.constants.get(instruction)
        if k is None:
            if len(self.constants) >= MAX_CONSTANT_LOCALS:
                return instruction
            k = self.constants[instruction] = len(self.types)
            self.types.append(VALUE_TYPE["f64"])
            self.pool_of.append([])
            self._reserve(k + 1)
        return self.gets[k]

    def put_set(self, k: int) -> None:
        """Write `local.set k`. If the next instruction is `local.get k`, replace both by `local.tee k`."""
        if self.out[-1] is self.gets[k]:
            self.out[-1] = self.tees[k]
        else:
            self.out.append(self.sets[k])

    def finish(self, name: str) -> bytes:
        """Finish and encode the body.

        Raises: LimitError if it has too many locals or bytes for Wasm engines.
        """
        rows_end = len(self.out)
        for instruction, k in self.constants.items():
            self.put_set(k)
            self.out.append(instruction)
        encoded = body(self.types[len(self.params) :], b"".join(reversed(self.out)))
        if self.record is not None:
            self.record.finish(self.out[:rows_end], encoded)
        if len(self.types) > MAX_LOCALS or len(encoded) > MAX_BODY_BYTES:
            raise LimitError(
                f"{name} has {len(self.types)} values alive at once and {len(encoded)} bytes of code, "
                f"but at most {MAX_LOCALS} values and {MAX_BODY_BYTES} bytes are possible. Write repeated "
                "parts as loops or functions."
            )
        return encoded

    def _reserve(self, n: int) -> None:
        for k in range(len(self.gets), n):
            for instructions, instruction in zip(
                (self.gets, self.sets, self.tees), local_instructions(k), strict=True
            ):
                instructions.append(instruction)
