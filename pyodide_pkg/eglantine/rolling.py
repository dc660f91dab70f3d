"""Rolling up: straight-line code that repeats the same rows with other operands becomes loops over tables.

The rows of a block fall into *regions*: a row belongs to the region of its users if they agree, else it is
the root, the one value, of a region of its own; so is a row whose like occurs often where that of its user
does not. Regions of one shape, of which none uses another and whose operands come from the same arrays,
become the rounds of one loop, which gathers its operands through tables of indices and stacks the roots. A
long chain of additions becomes a loop over its terms in their order. All values keep their bits, except that
the sum of a chain of terms that all are −0 is +0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from .build import Builder
from .ir import F64, I1, I32, Block, Loop
from .primitives import PRIMITIVES, operands
from .rewrite import PLAIN, Env, copy_row, new_env

LEAST_ROWS = 1000
"""The shortest block that is rolled up."""

LEAST_SAVED_PART = 4
"""A block is rolled up if it gets shorter by one part in so many."""

OFTEN = 4
"""How often a shape occurs that is worth a loop."""

LEAST_SAVED = 40
"""How many rows a loop must stand for beyond those of its body."""

GATHERED = 4
"""How many rows it takes, with those of its derivative, to put a value into an array."""

LEAST_SUBSHAPE = 4
"""The fewest rows of a shape that is cut out of a region."""

LARGE = 1 << 20
"""Sizes are not counted further."""

LEAST_CHAIN = 16
"""The fewest additions, one of the other, that become a loop."""

CONSTANT, FLAT = -1, {F64: -2, I1: -3}
"""Kinds of operands that are no elements of arrays. Of elements it is the array's row, or for the results of
a loop the loop's number beyond those of the rows."""

CONFLICT = -1
"""In the place of a root: not all users of a row are in one region."""

NO_TERM = (0, 0, False)
"""Of a row that is not the term of one chain alone."""

_COMMUTATIVE = frozenset({"add", "mul"})
_ADDITIVE = frozenset({"add", "sub"})
_WITH_DATA = frozenset({"powi", "call", "proj"})
_SCALAR = frozenset({*PRIMITIVES, "select"})
_HARMLESS = _SCALAR | {"zero", "param", "index", "zeros", "table", "stack", "powi", "proj"}

CHAIN = 0
"""The shape of all chains; others have numbers above."""


class Region(NamedTuple):
    """Rows of which only the last, its root, is used outside.

    rows: in their order; of a chain, only the last.
    operands: the rows and constants from outside that it uses; of a chain, its terms in order.
    """

    rows: Sequence[int]
    operands: Sequence[int]


class Group(NamedTuple):
    """Regions that are the rounds of one loop, and the kinds of their operands."""

    regions: Sequence[Region]
    kinds: Sequence[int]


def rolled(block: Block) -> Block:
    """The block with what repeats in loops; itself if it is short, or holds more than scalar rows."""
    found = _operands(block) if len(block.rows) >= LEAST_ROWS else None
    if found is None:
        return block
    used, several = found
    chains = _chains(block, used, several)
    roots = _roots(block, used, chains, [0] * len(used), [True])
    roots = _roots(block, used, chains, *_subshapes(block, used, roots))
    if any(row[0] == "call" and roots[i] == i for i, row in enumerate(block.rows)):
        return block  # results of a call in several regions
    plan = _Plan(block, used, roots, chains)
    return _rebuilt(block, plan) if plan.saved * LEAST_SAVED_PART >= len(block.rows) else block


# ---------------------------------------------------------------- regions


def _operands(block: Block) -> tuple[list[tuple[int, ...]], bytearray] | None:
    """The operands of each row (and, counted from the end, constant) that may be in a region.

    () for those that are dead, parameters or elements of these; None if some row is not scalar. And 1 for all
    that have several users.
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


def _is_plain(block: Block, row: Any) -> bool:
    """Whether a call acts on nothing and takes scalars."""
    return row[2].pure and all(block.type_of(a) in FLAT for a in row[1])


def _chains(block: Block, used: Sequence[tuple[int, ...]], several: bytearray) -> dict[int, list[int]]:
    """Long chains of sums and differences: for the last of each its rows, the last one first."""
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
    """What a chain adds up, in its order, each with whether it is subtracted."""
    rows = [block.rows[i] for i in sums]
    terms = [(b if a == inner else a, op == "sub") for (op, a, b), inner in zip(rows, sums[1:], strict=False)]
    op, a, b = rows[-1]
    return [(a, False), (b, op == "sub"), *reversed(terms)]


def _roots(
    block: Block, used: Sequence[tuple[int, ...]], chains: dict[int, list[int]],
    shape: Sequence[int], often: Sequence[bool],
) -> list[int]:  # fmt: skip
    """For each row the root of its region; 0 for those in none: of parameters, dead ones, inner sums.

    shape, often: what `_subshapes` says of the rows.
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
            known = roots[a]
            if known != root:
                roots[a] = CONFLICT if known or (apart and often[shape[a]]) else root
    return roots


def _subshapes(
    block: Block, used: Sequence[tuple[int, ...]], roots: Sequence[int]
) -> tuple[list[int], list[bool]]:
    """For each row a number for its shape down to the border of its region; which shapes are often there."""
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


# ---------------------------------------------------------------- what becomes a loop


class _Plan:
    """What of a block becomes loops.

    levels: for each level the groups of regions that become loops, and the regions that stay as they are; no
        region uses another of its level.
    place: for the root of a region in a loop, the number of the loop and the round.
    terms: for the last sum of a chain, what it adds up, each with whether it is subtracted.
    saved: how many rows less it is, roughly.
    """

    def __init__(
        self, block: Block, used: Sequence[tuple[int, ...]], roots: Sequence[int],
        chains: dict[int, list[int]],
    ) -> None:  # fmt: skip
        self.block = block
        self.place: dict[int, tuple[int, int]] = {}
        self.terms = {head: _terms(block, sums) for head, sums in chains.items()}
        self.levels: list[tuple[list[Group], list[Region]]] = []
        self.saved = 0
        self.loops = 0
        self.kind = [FLAT.get(of, CONSTANT) for of in block.types] + [CONSTANT] * len(block.consts)
        for i, row in enumerate(block.rows):
            if row[0] == "index":
                self.kind[i] = row[1]
        for level in _by_level(block, used, roots, self.terms):
            self.levels.append(self._divided(level))

    def _divided(self, level: Sequence[tuple[int, Region]]) -> tuple[list[Group], list[Region]]:
        """The groups of a level, first those whose operands come from the same arrays, and what remains."""
        kind = self.kind
        flat: list[Region] = []
        alike: dict[int, list[Region]] = defaultdict(list)
        for shape, region in level:
            alike[shape].append(region)
        groups: list[Group] = []
        for shape, members in alike.items():
            if shape == CHAIN or len(members) < OFTEN:
                flat += members
                continue
            parts: dict[tuple[int, ...], list[Region]] = defaultdict(list)
            for region in members:
                parts[tuple([kind[a] for a in region.operands])].append(region)
            others: list[Region] = []
            for kinds, regions in parts.items():
                if not self._grouped(groups, regions, kinds, 0):
                    others += regions
            if others:
                joint, gathered = self._joint(others)
                if not self._grouped(groups, others, joint, GATHERED * gathered):
                    flat += others
        return groups, flat

    def _grouped(
        self, groups: list[Group], regions: Sequence[Region], kinds: Sequence[int], cost: int
    ) -> bool:
        """Make a group of regions if it saves enough rows."""
        saved = (len(regions) - 1) * len(regions[0].rows) - cost
        if len(regions) < OFTEN or saved < LEAST_SAVED:
            return False
        groups.append(Group(regions, kinds))
        for k, region in enumerate(regions):
            root = region.rows[-1]
            self.place[root] = self.loops, k
            self.kind[root] = len(self.block.rows) + self.loops
        self.loops += 1
        self.saved += saved
        return True

    def _joint(self, regions: Sequence[Region]) -> tuple[list[int], int]:
        """The kinds of operands of regions of one shape, and how many have to be put into one array."""
        kinds, gathered = [], 0
        for column in zip(*(region.operands for region in regions), strict=True):
            found = {self.kind[a] for a in column}
            kinds.append(found.pop() if len(found) == 1 else FLAT[self.block.type_of(column[0])])
            if kinds[-1] < CONSTANT and len(distinct := set(column)) > 1:
                gathered += len(distinct)
        return kinds, gathered


def _by_level(
    block: Block, used: Sequence[tuple[int, ...]], roots: Sequence[int],
    terms: dict[int, list[tuple[int, bool]]],
) -> list[list[tuple[int, Region]]]:  # fmt: skip
    """The regions, each after the number of its shape, by how many others stand below them."""
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
    """A region of rows, after what is the same in all regions of its shape.

    That is each row's operation and operands: k ≥ 0 stands for row k of the region, ~k for operand k.
    place: of each row in its region.
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


# ---------------------------------------------------------------- the new block


def _rebuilt(block: Block, plan: _Plan) -> Block:
    made = _Making(block, plan)
    for groups, flat in plan.levels:
        for group in groups:
            made.loop(group)
        for region in flat:
            made.rows(region)
    return made.b.finish([made.row(a) for a in block.results])


class _Making:
    """The new block in the making.

    env: where rows of the old one are in it, as far as they are there alone.
    stacked: for each loop, the array of its roots.
    accs: for each chain, the accumulator in which its terms wait to be added up in their order.
    sums: for each term of one chain alone, the chain, the term's position in it and whether it is subtracted.
    """

    def __init__(self, old: Block, plan: _Plan) -> None:
        self.old, self.plan = old, plan
        b = self.b = Builder()
        self.env: Env = new_env(old, b)
        self.stacked: list[int] = []
        for param in old.params:
            b.source = old.sources[param]
            self.env[param] = b.param(old.types[param])
        self.accs = {head: b.acc((len(terms),)) for head, terms in plan.terms.items()}
        self.sums: dict[int, tuple[int, int, bool]] = {}
        for head, terms in plan.terms.items():
            for k, (a, negated) in enumerate(terms):
                self.sums[a] = NO_TERM if a in self.sums else (head, k, negated)
        self.added: set[int] = set()

    def row(self, a: int) -> int:
        """A row or constant of the old block in the new one."""
        found: int | None = self.env[a]
        if found is None:
            b, place = self.b, self.plan.place.get(a)
            if place:
                array, k = self.stacked[place[0]], place[1]
            else:
                _, param, at = self.old.rows[a]
                array, k = self.env[param], self.old.consts[~at]
            found = self.env[a] = b.index(array, b.int_const(k))
        return found

    def rows(self, region: Region) -> None:
        """A region as it is; a chain as a loop."""
        head = region.rows[-1]
        if head in self.accs:
            self.env[head] = self._sum(head)
            return
        for a in region.operands:
            self.row(a)
        for i in region.rows:
            copy_row(self.old, i, self.b, self.env, PLAIN, None)

    def loop(self, group: Group) -> None:
        """One loop of regions that are alike."""
        old, n = self.old, len(group.regions)
        columns = zip(*(region.operands for region in group.regions), strict=True)
        body = Builder(self.b)
        i = body.param(I32(0, n - 1))
        env: Any = {
            column[0]: self._operand(body, i, column, kind)
            for column, kind in zip(columns, group.kinds, strict=True)
        }
        for j in group.regions[0].rows:
            copy_row(old, j, body, env, PLAIN, None)
        value = env[group.regions[0].rows[-1]]
        roots = [region.rows[-1] for region in group.regions]
        terms = [self.sums.get(root, NO_TERM) for root in roots]
        head, _, negated = terms[0]
        if head and all(of == head and sign == negated for of, _, sign in terms):
            at = index_at(body, i, [k for _, k, _ in terms])
            term = body.neg(value) if negated else value
            body.add_to(body.acc_index(body.capture(self.accs[head]), at), term)
            self.added.update(roots)
        loop = Loop(body.finish([value]), n, n, False, 0)
        self.stacked.append(self.b.loop(loop, body.captured)[0])

    def _operand(self, body: Builder, i: int, column: Sequence[int], kind: int) -> int:
        """What round i has as an operand that is `column[i]` in the old block."""
        b, old, a = self.b, self.old, column[0]
        if column.count(a) == len(column):
            return body.capture(self.row(a))
        if kind == CONSTANT:
            array = b.table(tuple([old.consts[~k] for k in column]), old.const_types[~a])
            return body.index(body.capture(array), i)
        if kind < 0:
            distinct = list(dict.fromkeys(column))
            array = b.stack([self.row(k) for k in distinct], old.type_of(a))
            places = {k: j for j, k in enumerate(distinct)}
            at = [places[k] for k in column]
        elif kind < len(old.rows):
            array = self.env[kind]
            at = [old.consts[~old.rows[k][2]] for k in column]
        else:
            array = self.stacked[kind - len(old.rows)]
            at = [self.plan.place[k][1] for k in column]
        return body.index(body.capture(array), index_at(body, i, at))

    def _sum(self, head: int) -> int:
        """The sum of a chain's terms in their order."""
        b, acc, terms = self.b, self.accs[head], self.plan.terms[head]
        stacked: dict[tuple[int, bool], list[tuple[int, int]]] = defaultdict(list)
        for k, (a, negated) in enumerate(terms):
            if a in self.plan.place and a not in self.added:
                loop, position = self.plan.place[a]
                stacked[loop, negated].append((k, position))
            elif a not in self.added:
                b.add_to(b.acc_index(acc, b.int_const(k)), b.neg(self.row(a)) if negated else self.row(a))
        for (loop, negated), places in stacked.items():
            self._add_stacked(acc, self.stacked[loop], negated, places)
        ordered, total = b.acc_read(acc), b.acc(())
        body = Builder(b)
        i = body.param(I32(0, len(terms) - 1))
        body.add_to(body.capture(total), body.index(body.capture(ordered), i))
        b.loop(Loop(body.finish([]), len(terms), len(terms), False, 0), body.captured)
        return b.acc_read(total)

    def _add_stacked(self, acc: int, array: int, negated: bool, places: Sequence[tuple[int, int]]) -> None:
        """For each place, add an element of an array to one of an accumulator."""
        n = len(places)
        body = Builder(self.b)
        i = body.param(I32(0, n - 1))
        to, at = (index_at(body, i, column) for column in zip(*places, strict=True))
        value = body.index(body.capture(array), at)
        body.add_to(body.acc_index(body.capture(acc), to), body.neg(value) if negated else value)
        self.b.loop(Loop(body.finish([]), n, n, False, 0), body.captured)


def index_at(body: Builder, i: int, at: Sequence[int]) -> int:
    """The index at[i] in a loop's body: reckoned where all have one distance, else from a table outside."""
    if len(at) == 1:
        return body.int_const(at[0])
    step, n = at[1] - at[0], len(at)
    if step > 0 and at[-1] == at[0] + (n - 1) * step and list(at) == list(range(at[0], at[-1] + 1, step)):
        return body.bi("iadd", body.bi("imul", i, body.int_const(step)), body.int_const(at[0]))
    assert body.parent is not None
    table = body.parent.table(tuple(at), I32(min(at), max(at)))
    return body.index(body.capture(table), i)
