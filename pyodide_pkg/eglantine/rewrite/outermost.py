"""Build a row in the outermost block that has its operands."""

from __future__ import annotations

from eglantine.ir.builder import Builder


def farthest_out(b: Builder, places: dict[int, int]) -> tuple[Builder, dict[int, int], list[Builder]]:
    """Find the outermost block that has all given values, without leaving an arm of a branch.

    places: a dict of the values. Each value is a row of `b`, and its key may be anything.
    Returns the builder of the block that we found, a dict with the same keys and with rows of this builder,
    and a list of the builders inside this builder. The list begins with `b`, and is empty if we found `b`.
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
    """Capture a row of an outer block in each block of `between`. Return its row in the innermost block."""
    for block in reversed(between):
        row = block.capture(row)
    return row


def outer_element(b: Builder, array: int, at: int) -> int:
    """Read array[at] in the outermost block that has both. Return the row of `b` for this element."""
    outside, places, between = farthest_out(b, {array: array, at: at})
    return passed_in(outside.index(places[array], places[at]), between)


def outer_sum(b: Builder, array: int, at: int, x: int) -> int:
    """Compute array[at] + x in the outermost block that has all three. Return the row of `b` for the sum."""
    outside, places, between = farthest_out(b, {array: array, at: at, x: x})
    element = outer_element(outside, places[array], places[at])
    return passed_in(outside.add(element, places[x]), between)
