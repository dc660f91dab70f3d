"""Find regions of rows that have the same shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import F64, I1, Row, RowType

OFTEN = 4
"""The least number of regions of the same shape that become a loop."""

LEAST_SAVED = 40
"""The least number of rows that a loop must save."""

LEAST_SUBSHAPE = 4
"""The least number of rows in a part of a region that becomes a separate region."""

LARGE = 1 << 20
"""The largest size of a shape, in rows. We give this size to all larger shapes."""

LEAST_CHAIN = 16
"""The least number of additions and subtractions in a chain that becomes a loop."""

CONSTANT = -1
FLAT: dict[RowType, int] = {F64: -2, I1: -3}
"""The kinds of operands that are not elements of arrays: CONSTANT, and FLAT[type] for values of this type.

The kind of an operand says where a loop finds the operand. For an element of an array, the kind is the
array's row. For a value that another loop computes, it is the number of rows of the block plus the number of
that loop.
"""

CONFLICT = -1
"""A mark for a row that becomes a root, for example because its users are in different regions."""

_COMMUTATIVE = frozenset({"add", "mul"})
_ADDITIVE = frozenset({"add", "sub"})
_WITH_DATA = frozenset({"powi", "call", "proj"})
_SCALAR = frozenset({*PRIMITIVES, "select"})
_HARMLESS = _SCALAR | {"zero", "param", "index", "zeros", "table", "stack", "powi", "proj"}

CHAIN = 0
"""The number that stands for the shape of a chain. All other shapes have larger numbers."""


class Region(NamedTuple):
    """A region of rows. Rows outside the region use only its last row, which is called the root.

    rows: the rows of the region in order. For a chain of additions, only the last row of the chain.
    operands: the constants, and the rows outside the region, that the region uses. For a chain, its terms in
        order.
    """

    rows: Sequence[int]
    operands: Sequence[int]


def _operands(block: Block) -> tuple[list[tuple[int, ...]], bytearray] | None:
    """List the operands of each row, and a flag for each row: 1 if several rows use it.

    Both lists end with entries for the constants, which have negative row numbers. Dead rows, parameters and
    elements of parameters cannot be in a region, so we give them no operands.
    Returns None if the block has a row that is not scalar.
    """
    rows, types = block.rows, block.types
    live = bytearray(len(rows) + len(block.consts))
    several = bytearray(len(live))
    used: list[tuple[int, ...]] = [()] * len(live)
    for a in block.results:
        several[a] = live[a]
        live[a] = 1
    for i in range(len(rows) - 1, 0, -1):
        row = rows[i]
        op = row[0]
        if not live[i]:
            if op in _HARMLESS or (op == "call" and row[2].pure):
                continue
            return None
        if op in _SCALAR:
            args = row[1:]
        elif op in _WITH_DATA and (op != "call" or _is_plain(block, row)):
            args = operands(row)
        elif op == "param" or (op == "index" and row[2] < 0 and rows[row[1]][0] == "param"):
            args = ()
        else:
            return None
        if types[i] is not F64 and types[i] not in FLAT and op != "call":
            return None
        used[i] = args
        for a in args:
            if live[a]:
                several[a] = 1
            else:
                live[a] = 1
    return used, several


def _is_plain(block: Block, row: Row) -> bool:
    """True if a call is pure and all its operands are scalars."""
    return row[2].pure and all(block.type_of(a) in FLAT for a in row[1])


def _chains(block: Block, used: Sequence[tuple[int, ...]], several: bytearray) -> dict[int, list[int]]:
    """Find long chains of sums and differences.

    The result maps the last row of each chain to the rows of the chain, from the last to the first.
    """
    length: dict[int, int] = {}
    before: dict[int, int] = {}
    heads: dict[int, None] = {}
    for i, row in enumerate(block.rows):
        if row[0] in _ADDITIVE and used[i]:
            op, a, b = row
            x = 0 if several[a] else length.get(a, 0)
            y = 0 if several[b] or op == "sub" else length.get(b, 0)
            length[i] = 1 + max(x, y)
            before[i] = a if x >= y else b
            if length[i] >= LEAST_CHAIN:
                heads.pop(before[i], None)
                heads[i] = None
    chains = {}
    for head in heads:
        sums = [head]
        while length[sums[-1]] > 1:
            sums.append(before[sums[-1]])
        chains[head] = sums
    return chains


def _terms(block: Block, sums: Sequence[int]) -> list[tuple[int, bool]]:
    """List the terms of a chain in order, as pairs (term, flag). The flag is true for subtracted terms."""
    rows = [block.rows[i] for i in sums]
    terms = [(b if a == inner else a, op == "sub") for (op, a, b), inner in zip(rows, sums[1:], strict=False)]
    op, a, b = rows[-1]
    return [(a, False), (b, op == "sub"), *reversed(terms)]


def _roots(
    block: Block, used: Sequence[tuple[int, ...]], chains: dict[int, list[int]],
    shape: Sequence[int], often: Sequence[bool],
) -> list[int]:  # fmt: skip
    """List the root of each row's region. If a row is in no region, its entry is 0.

    Parameters, dead rows, and all sums of a chain except the last are in no region.

    shape: the number of each row's shape (see `_subshapes`).
    often: for each number of a shape, a flag. It is true if the shape occurs often enough for a region.
    """
    roots = [0] * len(used)
    for a in block.results:
        roots[a] = CONFLICT
    inner: set[int] = set()
    for i in range(len(block.rows) - 1, 0, -1):
        args = used[i]
        if not args or i in inner:
            roots[i] = 0
            continue
        if i in chains:
            roots[i] = i
            for a, _ in _terms(block, chains[i]):
                roots[a] = CONFLICT
            inner.update(chains[i])
            continue
        root = roots[i]
        if root <= 0:
            root = roots[i] = i
        apart = not often[shape[i]]
        for a in args:
            root_so_far = roots[a]
            if root_so_far != root:
                roots[a] = CONFLICT if root_so_far or (apart and often[shape[a]]) else root
    return roots


def _subshapes(
    block: Block, used: Sequence[tuple[int, ...]], roots: Sequence[int]
) -> tuple[list[int], list[bool]]:
    """Number the shapes of rows. Rows of the same shape get the same number.

    The shape of a row describes the row, and the rows of its region that it depends on. Returns the number of
    each row's shape, and a flag for each number: true if the shape occurs often enough for a region.
    """
    rows = block.rows
    numbers: dict[Any, int] = {}
    size, count = [0], [0]
    shape = [0] * len(roots)
    key: Any
    for i, row in enumerate(rows):
        root, args = roots[i], used[i]
        if not root:
            continue
        op = row[0]
        if len(args) == 2 and op not in _WITH_DATA:
            a, b = args
            key = op, shape[a] if roots[a] == root else 0, shape[b] if roots[b] == root else 0
        else:
            key = op, *[shape[a] if roots[a] == root else 0 for a in args]
            if op in _WITH_DATA:
                key = key, row[2]
        number = numbers.get(key)
        if number is None:
            number = numbers[key] = len(size)
            size.append(min(1 + sum([size[shape[a]] for a in args if roots[a] == root]), LARGE))
            count.append(0)
        shape[i] = number
        count[number] += 1
    often = [
        n >= LEAST_SUBSHAPE and k >= OFTEN and (k - 1) * n >= LEAST_SAVED
        for n, k in zip(size, count, strict=True)
    ]
    return shape, often


def _by_level(
    block: Block, used: Sequence[tuple[int, ...]], roots: Sequence[int],
    terms: dict[int, list[tuple[int, bool]]],
) -> list[list[tuple[int, Region]]]:  # fmt: skip
    """For each level, list its regions as pairs (number of the region's shape, region).

    The level of a region is one more than the highest level of the regions that it uses.

    terms: maps the last sum of each chain to the terms of the chain, as `_terms` returns them.
    """
    level = [0] * len(roots)
    place = [0] * len(roots)
    levels: list[list[tuple[int, Region]]] = []
    members: dict[int, list[int]] = defaultdict(list)
    shapes: dict[tuple[Any, ...], int] = {(): CHAIN}
    for i in range(len(block.rows)):
        root = roots[i]
        if not root:
            continue
        inside = members[root]
        place[i] = len(inside)
        inside.append(i)
        if i < root:
            continue
        if i in terms:
            shape, region = CHAIN, Region(inside, [a for a, _ in terms[i]])
        else:
            key, region = _region(block.rows, used, roots, place, inside)
            shape = shapes.setdefault(key, len(shapes))
        height = max([level[a] for a in region.operands])
        level[i] = height + 1
        if height == len(levels):
            levels.append([])
        levels[height].append((shape, region))
    return levels


def _region(
    rows: Sequence[Any], used: Sequence[tuple[int, ...]], roots: Sequence[int], place: Sequence[int],
    inside: Sequence[int],
) -> tuple[tuple[Any, ...], Region]:  # fmt: skip
    """Make a region of rows, and its key. Regions of the same shape have equal keys.

    The key has the operation and the operands of each row. In the key, the number k ≥ 0 stands for row k of
    the region, and ~k for operand k of the region.

    place: the position of each row in its region.
    """
    root = inside[-1]
    if len(inside) == 1 and len(rows[root]) == 3 and rows[root][0] not in _WITH_DATA:
        op, a, b = rows[root]
        return (op, a == b), Region(inside, (a,) if a == b else (a, b))
    key: list[Any] = []
    outer: dict[int, int] = {}
    for i in inside:
        row = rows[i]
        op = row[0]
        if len(row) == 3 and op not in _WITH_DATA:
            _, a, b = row
            x = place[a] if a > 0 and roots[a] == root else ~outer.setdefault(a, len(outer))
            y = place[b] if b > 0 and roots[b] == root else ~outer.setdefault(b, len(outer))
            key += (op, y, x) if x < y and op in _COMMUTATIVE else (op, x, y)
        else:
            key.append(op)
            for a in used[i]:
                key.append(place[a] if a > 0 and roots[a] == root else ~outer.setdefault(a, len(outer)))
            if op in _WITH_DATA:
                key.append(row[2])
    return tuple(key), Region(inside, list(outer))
