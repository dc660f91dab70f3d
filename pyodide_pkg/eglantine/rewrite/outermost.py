"""Build a row in the outermost block that has its operands."""

from __future__ import annotations

from eglantine.ir.builder import Builder


def farthest_out(b: Builder, places: dict[int, int]) -> tuple[Builder, dict[int, int], list[Builder]]:
    """Find the outermost block in which all given values are available, but do not leave an arm of a branch.

    places: the values: maps keys of any kind to rows of `b`.
    Returns the builder of this block, a map from the same keys to its rows, and the builders inside it, from
    `b` outwards.
    """
    between = []
    while b.parent and not b.conditional:
        own = len(b.params) - len(b.captured)
        outer = {}
        for a, place in places.items():
            if place < 0:
                outer[a] = b.parent.constant(b.value(place), b.const_types[~place])
            elif b.rows[place][0] == "param" and b.rows[place][1] >= own:
                outer[a] = b.captured[b.rows[place][1] - own]
        if len(outer) < len(places):
            break
        between.append(b)
        b, places = b.parent, outer
    return b, places, between


def passed_in(row: int, between: list[Builder]) -> int:
    """Capture a row of an outer block in each block of `between`. Return its row in the innermost one."""
    for block in reversed(between):
        row = block.capture(row)
    return row


def outer_element(b: Builder, array: int, at: int) -> int:
    """Read an element of an array in the outermost block that has array and index. Return the row of `b`."""
    outside, places, between = farthest_out(b, {array: array, at: at})
    return passed_in(outside.index(places[array], places[at]), between)


def outer_sum(b: Builder, array: int, at: int, x: int) -> int:
    """Add x to an element in the outermost block that has array, index and x. Return the row of `b`."""
    outside, places, between = farthest_out(b, {array: array, at: at, x: x})
    element = outer_element(outside, places[array], places[at])
    return passed_in(outside.add(element, places[x]), between)
