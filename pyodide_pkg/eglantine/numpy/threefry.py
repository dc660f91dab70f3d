"""Threefry-2x32 with 20 rounds. Its words are Reals with whole values from 0 to 2³² − 1.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011), section 3.3.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.ir.builder import Builder
from eglantine.ir.row_types import I64
from eglantine.plain.symbolic import current
from eglantine.trace.scalars import RealValue
from eglantine.trace.traced import lift
from eglantine.types import Real

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = 0x1BD11BDA
WORD = 0xFFFFFFFF
GROUPS = 5
"""The number of groups of rounds. After the four rounds of a group, a part of the key is added."""


class _Word:
    """A 32-bit word, stored as the lowest 32 bits of a 64-bit row. The upper 32 bits are undefined."""

    def __init__(self, b: Builder, row: int) -> None:
        self.b, self.row = b, row

    @staticmethod
    def of(value: RealValue) -> _Word:
        b = current.get()
        assert b is not None
        return _Word(b, b.un("int_f64", lift(b, value)))

    def _with(self, op: str, other: _Word | int) -> _Word:
        row = self.b.constant(other, I64) if isinstance(other, int) else other.row
        return _Word(self.b, self.b.bi(op, self.row, row))

    def __add__(self, other: _Word | int) -> _Word:
        return self._with("ladd", other)

    def __xor__(self, other: _Word | int) -> _Word:
        return self._with("lxor", other)

    def low(self) -> _Word:
        """The lowest 32 bits."""
        return self._with("land", WORD)

    def rotated(self, n: int) -> _Word:
        """The word rotated to the left by n bits."""
        return self._with("lshl", n)._with("lor", self._with("lshr_u", 32 - n))

    def real(self) -> RealValue:
        return RealValue(self.b, self.b.un("real_i64", self.row))


def _block(key: tuple[_Word, _Word], counts: tuple[_Word, _Word]) -> tuple[_Word, _Word]:
    """Compute Threefry's two random words from a key and two counts."""
    schedule = (*key, key[0] ^ key[1] ^ PARITY)
    x, y = counts[0] + schedule[0], (counts[1] + schedule[1]).low()
    for group in range(GROUPS):
        for n in ROTATIONS[group % 2]:
            x = x + y
            y = (y.rotated(n) ^ x).low()
        x = x + schedule[(group + 1) % 3]
        y = (y + schedule[(group + 2) % 3] + (group + 1)).low()
    return x.low(), y


@cache
def threefry() -> Fn:
    """The function that computes two random words from the two words of a key and two counts."""

    def words(*parts: Any) -> Any:
        k, m, c, d = map(_Word.of, parts)
        x, y = _block((k, m), (c, d))
        return x.real(), y.real()

    made: Fn = make_fn([Real] * 4, names=("k", "m", "c", "d"))(words)
    return made


@cache
def threefry_word() -> Fn:
    """Like `threefry`, but the function returns the exclusive or of the two random words."""

    def word(*parts: Any) -> Any:
        k, m, c, d = map(_Word.of, parts)
        x, y = _block((k, m), (c, d))
        return (x ^ y).real()

    made: Fn = make_fn([Real] * 4, names=("k", "m", "c", "d"))(word)
    return made
