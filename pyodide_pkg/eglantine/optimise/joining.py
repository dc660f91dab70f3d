"""Join loops that have the same rounds, so that equal rows are computed once and fewer arrays are stored.

For example, the loop that computes a value and the loop that computes its gradient often need the same
distances. Two loops can be joined if neither has a carry, and if round k of the second loop needs only
results of round k of the first loop:

    v = loop i: exp x[i]           loop i: y = exp x[i]
    w = loop i: 2 · v[i]                   2 · y

No bit of a result changes, because the terms of each accumulator are still added in the old order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from eglantine.analysis.callgraph import size_of
from eglantine.analysis.liveness import accumulators
from eglantine.emit import lanes
from eglantine.emit.usage import LIBRARY_NAMES
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import NESTING, Block, Loop, acts, has_effects, with_bodies
from eglantine.ir.row_types import F64, ZERO, Acc, Array, Row, is_growing
from eglantine.rewrite.copying import copy_rows
from eglantine.rewrite.environment import PLAIN, identity, new_env, renamed

LARGEST_BODY = 300
"""The largest number of rows of a loop's body for which the loop is joined with a later loop."""


def joined(block: Block) -> Block:
    """Join neighbouring loops of a block and of its bodies."""
    if block.operations.isdisjoint(NESTING):
        return block
    candidates = _candidates(block)
    if candidates:
        plan = _Plan(block, candidates)
        if plan.groups:
            block = _with_joined(block, plan)
    return with_bodies(block, joined)


def _candidates(block: Block) -> dict[int, Any]:
    """Give a key to each loop of a block that may be joined. Only loops with equal keys can be joined."""
    of_key: dict[Any, list[int]] = {}
    for j, row in enumerate(block.rows):
        if row[0] == "loop" and not row[2].test and not row[2].carried:
            loop = row[2]
            of_key.setdefault((loop.parts(row[1]).trips, loop.count, loop.extent, loop.reverse), []).append(j)
    keys = {}
    for key, loops in of_key.items():
        if len(loops) > 1:
            free = [j for j in loops if _is_free(block.rows[j][2])]
            if len(free) > 1:
                keys.update(dict.fromkeys(free, key))
    return keys


class _Plan:
    """The loops of a block that are to be joined.

    order: all rows in a new order, in which the loops can be joined. Each row still follows its operands.
    groups: maps the last loop of each group to all loops of the group. The joined loop takes the place of
        this last loop in `order`.
    last: maps each loop to the last loop of its group.
    """

    def __init__(self, block: Block, keys: Mapping[int, Any]) -> None:
        """keys: maps each loop that may be joined to its key. `_candidates` returns this dict."""
        self.block = block
        self.order = list(range(1, len(block.rows)))
        self.groups: dict[int, list[int]] = {}
        self.last: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._kinds: dict[int, str] = {}
        self._rows: dict[int, _Facts] = {}
        before: dict[Any, int] = {}
        for j in sorted(keys):
            row, key = block.rows[j], keys[j]
            body = row[2].body
            self._sizes[j], self.last[j], self._kinds[j] = size_of(body), j, _kind(body)
            for source in sorted(_sources(block, row), reverse=True):
                kind = _JOINED.get((self._kinds.get(self.last.get(source, -1), ""), self._kinds[j]))
                if kind and keys[source] == key and self._join(self.last[source], j):
                    self._kinds[j] = kind
            i = self.last[before.get(key, j)]
            if "products" not in (self._kinds[i], self._kinds[j]) and _share(block, i, j):
                self._join(i, j)
            before[key] = j

    def _join(self, i: int, j: int) -> bool:
        """Try to join the group of loop i and the group of loop j. Return True if they were joined.

        The loops cannot be joined if a round of loop j needs results of other rounds of loop i, or if a row
        between them prints, traps or calls an impure function.
        """
        order, rows = self.order, self.block.rows
        if i == j or self._sizes[i] > LARGEST_BODY:
            return False
        at, to = order.index(i), order.index(j)
        if at > to:  # i now comes after j, because it reads a loop that was joined with j
            return False
        elements = self._elements(i, j)
        dependent = {i, *self.groups.get(i, ())}
        accs = set(self._facts(i).accumulators)
        independent_rows: list[int] = []
        dependent_rows: list[int] = []
        for k in order[at + 1 : to + 1]:
            row = rows[k]
            if row[0] in _PURE:
                depends = not dependent.isdisjoint(row)
                if depends:
                    dependent.add(k)
            elif row[0] == "proj":
                depends = row[1] in dependent
                if depends:
                    dependent.add(k)
            else:
                used, touched, acts = self._facts(k)
                if k == j:
                    used -= elements
                depends = not (dependent.isdisjoint(used) and accs.isdisjoint(touched))
                if acts or (depends and k == j):
                    return False
                if depends:
                    dependent.update((k, *self.groups.get(k, ())))
                    accs |= touched
            (dependent_rows if depends else independent_rows).append(k)
        order[at : to + 1] = [*independent_rows, *dependent_rows]
        self.groups[j] = [*self.groups.pop(i, [i]), *self.groups.pop(j, [j])]
        self.last.update(dict.fromkeys(self.groups[j], j))
        self._sizes[j] += self._sizes[i]
        (a, b, _), (c, d, _) = self._facts(i), self._facts(j)
        self._rows[j] = _Facts(a | c, b | d, False)
        return True

    def _elements(self, i: int, j: int) -> frozenset[int]:
        """List arrays that i's group makes. In each round k, j's group reads only element k of them."""
        rows = self.block.rows
        sources, readers = self.groups.get(i, [i]), self.groups.get(j, [j])
        arrays = {
            a for k in readers for a in rows[k][1] if rows[max(a, 0)][0] == "proj" and rows[a][1] in sources
        }
        return frozenset(a for a in arrays if all(_reads_in_step(rows[k], a) for k in readers))

    def _facts(self, k: int) -> _Facts:
        """Return the facts about row k. For a joined loop, return the facts about all loops of its group."""
        facts = self._rows.get(k)
        if facts is None:
            row, accs = self.block.rows[k], accumulators(self.block, k)
            facts = self._rows[k] = _Facts(frozenset(operands(row)), accs, acts(row, checks=True))
        return facts


class _Facts(NamedTuple):
    """The facts about a row that decide whether other rows may be moved past it.

    operands: the rows that the row uses.
    accumulators: the accumulators that the row changes or reads.
    acts: true if the row prints, calls an impure function or may trap.
    """

    operands: frozenset[int]
    accumulators: frozenset[int]
    acts: bool


def _is_free(loop: Loop) -> bool:
    """True if the rounds of a loop without carries only compute values and add to accumulators."""
    body = loop.body
    if [of for of in {*body.types} if isinstance(of, Array | Acc) and is_growing(of)]:
        return False
    return size_of(body) <= LARGEST_BODY and not has_effects(body, checks=True)


def _sources(block: Block, row: Row) -> set[int]:
    """The rows whose results a loop captures."""
    keys = [block.rows[a] for a in row[1] if a > 0]
    return {key[1] for key in keys if key[0] == "proj"}


def _reads_in_step(row: Row, array: int) -> bool:
    """True if each round k of a loop reads only element k of `array`, or none of its elements."""
    _, args, loop = row
    params = {param for param, a in loop.captured(args) if a == array}
    if not params.isdisjoint(loop.body.results):
        return False  # each round returns the whole array
    index = loop.body.params[0]
    for key in loop.body.rows:
        if key[0] == "index":
            if key[1] in params and key[2] != index:
                return False
        elif key[0] not in PRIMITIVES and not params.isdisjoint(operands(key)):
            return False
    return True


def _kind(body: Block) -> str:
    """The kind of a loop with this body. `_JOINED` says which kinds of loops are joined.

    "rows": the loop contains loops, and computes an array in each round.
    "outputs": the loop contains loops, and computes only numbers in each round.
    "products": like "outputs", but the inner loops only add products. Joining such loops saves nothing.
    "lanes": two rounds can run at a time.
    "plain": like "lanes", but without sums and without functions of the library.
    "single": any other loop.
    """
    if not body.operations.isdisjoint(NESTING):
        if not body.results or any(of is not F64 for of in body.result_types):
            return "rows"
        inner = [block for row in body.rows if row[0] in NESTING for block in row[2].blocks]
        return "products" if all(block.operations <= _OF_PRODUCTS for block in inner) else "outputs"
    for i in range(1, len(body.rows)):
        key = body.rows[i]
        if key[0] not in LIBRARY_NAMES and lanes.saved_by_row(body, i, key) is None:
            return "single"
    if any(of is not F64 for of in body.result_types):
        return "single"
    return "plain" if body.operations <= _PLAIN else "lanes"


_PLAIN = frozenset({*lanes.CODES, "param", "zero", "index"})

_OF_PRODUCTS = frozenset(
    {"param", "zero", "index", "add", "sub", "mul", "neg", "add_to", "iadd", "isub", "check"}
)

_JOINED = {
    ("rows", "rows"): "rows",
    ("products", "plain"): "products",
    ("plain", "products"): "products",
    ("outputs", "plain"): "outputs",
    ("plain", "outputs"): "outputs",
    ("plain", "plain"): "plain",
    ("plain", "lanes"): "lanes",
    ("lanes", "plain"): "lanes",
    ("lanes", "lanes"): "lanes",
    ("single", "single"): "single",
}
"""Maps the kinds of two loops to the kind of the joined loop. The second loop reads elements of the first.

If it does not pay to join loops of two kinds, the pair of kinds is missing. `_kind` explains the kinds.
"""

_PURE = frozenset({*PRIMITIVES, "select", "index"})


def _share(block: Block, i: int, j: int) -> bool:
    """True if both loops read the same array."""
    shared = set(block.rows[i][1]).intersection(block.rows[j][1])
    return any(isinstance(block.type_of(a), Array) for a in shared)


def _with_joined(block: Block, plan: _Plan) -> Block:
    """Reorder the rows of a block as the plan says, and join the loops of each group."""
    b = Builder.resume(block)
    to = identity(block)
    order = [0, *plan.order]
    for place, k in enumerate(order):
        to[k] = place
    loops: dict[int, Row] = {}
    first: dict[int, tuple[int, int]] = {}
    for j, group in plan.groups.items():
        loops[j], starts = _joined_loop(block, group, b)
        first.update((i, (j, n)) for i, n in zip(group, starts, strict=True))
    rows: list[Row] = []
    for k in order:
        row = loops.get(k, block.rows[k])
        if row[0] == "proj" and row[1] in first:
            j, n = first[row[1]]
            row = ("proj", j, n + row[2])
        rows.append(renamed(row, to))
    return replace(
        block,
        rows=tuple(rows),
        types=tuple([block.types[k] for k in order]),
        sources=tuple([block.sources[k] for k in order]),
        params=tuple([to[a] for a in block.params]),
        results=tuple([to[a] for a in block.results]),
    )


def _joined_loop(block: Block, group: Sequence[int], b: Builder) -> tuple[Row, list[int]]:
    """Build one loop that runs the bodies of all loops of a group in each round.

    b: a builder that has the rows of the block.
    Returns the row of the new loop, and a list. For each old loop, the list has a position among the results
    of the new loop. The results of the old loop begin there.
    """
    loop: Loop = block.rows[group[0]][2]
    body = Builder(b)
    body.rounds = True
    index = body.param(loop.body.types[loop.body.params[0]])
    results: list[int] = []
    starts = []
    elements: dict[Row, int] = {}
    for i in group:
        _, args, one = block.rows[i]
        own = {
            param: elements[block.rows[a]]
            for param, a in one.captured(args)
            if block.rows[max(a, 0)] in elements
        }
        captures = [ZERO if param in own else body.capture(a) for param, a in one.captured(args)]
        starts.append(len(results))
        made = _with_elements(one.body, body, [index, *captures], own)
        elements.update((("proj", i, k), x) for k, x in enumerate(made))
        results += made
    new = loop.with_body(body.finish(results))
    return ("loop", (*loop.parts(block.rows[group[0]][1]).trips, *body.captured), new), starts


def _with_elements(
    body: Block, b: Builder, arguments: Sequence[int], elements: Mapping[int, int]
) -> list[int]:
    """Copy a body into `b`, and replace the reads of some arrays. Return the results of the copy.

    elements: for each of these arrays, maps the body's parameter to the row of `b` that replaces all reads.
    """
    env = new_env(body, b)
    for param, argument in zip(body.params, arguments, strict=True):
        env[param] = argument
    for i, row in enumerate(body.rows):
        if row[0] == "index" and row[1] in elements:
            env[i] = elements[row[1]]
    copy_rows(body, b, env, PLAIN, None)
    return [env[row] for row in body.results]
