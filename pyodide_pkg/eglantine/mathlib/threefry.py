"""Threefry-2x32: a pseudo-random function of a key and a counter.

Source: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3"
(2011). The rounds are those of JAX, so equal keys and counters give equal words.
"""

from __future__ import annotations

from .ops import Ops, Value

WORD = 0xFFFFFFFF
PARITY = 0x1BD11BDA
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
GROUPS = 5
"""Groups of four rounds. After each group, two words of the key are added."""


def threefry(o: Ops, key_0: Value, key_1: Value, counter_0: Value, counter_1: Value) -> tuple[Value, Value]:
    """Two words, each a whole number below 2^32. So are the words of the key and of the counter."""
    first, second = o.to_int(key_0) & WORD, o.to_int(key_1) & WORD
    keys = (first, second, first ^ second ^ PARITY)
    x = (o.to_int(counter_0) + first) & WORD
    y = (o.to_int(counter_1) + second) & WORD
    for group in range(GROUPS):
        for distance in ROTATIONS[group % 2]:
            x = (x + y) & WORD
            y = (((y << distance) | (y >> (32 - distance))) & WORD) ^ x
        x = (x + keys[(group + 1) % 3]) & WORD
        y = (y + keys[(group + 2) % 3] + (group + 1)) & WORD
    return o.to_real(x), o.to_real(y)


def threefry_word(o: Ops, key_0: Value, key_1: Value, counter_0: Value, counter_1: Value) -> Value:
    """Both words in one, for those who need no more than 32 bits."""
    first, second = o.call("threefry", key_0, key_1, counter_0, counter_1)
    return o.to_real(o.to_int(first) ^ o.to_int(second))
