"""Pack many numbers into one long integer, so that one Python operation acts on all of them.

Each number has a lane of 32 bits. An operation on the long integer takes about a nanosecond for each lane. A
Python loop takes about 50 nanoseconds for each number. An integer has at most MOST lanes, so that it fits
into the processor's cache.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from itertools import compress

LANE = 4
"""The size of a lane in bytes. A lane contains one number."""
TOP = 1 << 31
"""The highest bit of a lane. All numbers in lanes are less than it."""
MOST = 4096
ONES = int.from_bytes(struct.pack("<I", 1) * MOST, "little")


def runs(numbers: Iterable[int], lengths: Iterable[int]) -> bytes:
    """Return lanes in which the k-th number occurs `lengths[k]` times."""
    lane = struct.Struct("<I").pack
    return b"".join([lane(x) * n for x, n in zip(numbers, lengths, strict=True)])


def above(columns: Sequence[Sequence[int]], lower: bytes, least: int) -> tuple[list[bytes], set[int]]:
    """Compare the number x at each position of each column with the lower bound for this position.

    columns: lists of numbers. Each number is at least −1.
    lower: a lane with the bound for each position. No bound is less than `least`.

    Return lanes for each column. A lane contains TOP + x − bound if x ≥ bound, otherwise 0. Also return the
    set of all x with least ≤ x < bound.
    """
    n = len(lower) // LANE
    parts: list[list[bytes]] = [[] for _ in columns]
    between: set[int] = set()
    for begin in range(0, n, MOST):
        size = min(MOST, n - begin)
        one = ONES >> 32 * (MOST - size)
        top, lowest = one << 31, one * least
        lows = int.from_bytes(lower[LANE * begin : LANE * (begin + size)], "little")
        for column, compared in zip(columns, parts, strict=True):
            numbers = column[begin : begin + size]
            bits = struct.pack(f"<{size}i", *numbers)
            x = int.from_bytes(bits, "little") ^ top  # TOP + x, and TOP − 1 for −1
            far = x - lows
            at = (far >> 31) & one
            compared.append((far & ((at << 32) - at)).to_bytes(LANE * size, "little"))
            if other := at ^ ((x - lowest) >> 31) & one:
                between.update(compress(numbers, other.to_bytes(LANE * size, "little")[::LANE]))
    return [b"".join(part) for part in parts], between
