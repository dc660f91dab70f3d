"""Integers in LEB128: each byte has 7 bits, the lowest bits first (Core Specification 2.0, 5.2.2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_LAST, _MORE = [[bytes((n | more,)) for n in range(0x80)] for more in (0, 0x80)]
"""For each value of 7 bits, the byte at the end of a number, and the byte at other places."""

KEPT: Final = 4096
"""The number of results that each cache keeps. In a module, the same few numbers occur many times."""


@lru_cache(KEPT)
def uleb(n: int) -> bytes:
    """Encode an unsigned integer."""
    if n < 0x80:
        return _LAST[n]
    if n < 0x4000:
        return _MORE[n & 0x7F] + _LAST[n >> 7]
    return _MORE[n & 0x7F] + uleb(n >> 7)


@lru_cache(KEPT)
def sleb(n: int) -> bytes:
    """Encode a signed integer in two's complement."""
    if -0x40 <= n < 0x40:
        return bytes((n & 0x7F,))
    digits = bytearray()
    while not -0x40 <= n < 0x40:
        digits.append(n & 0x7F | 0x80)
        n >>= 7
    digits.append(n & 0x7F)
    return bytes(digits)
