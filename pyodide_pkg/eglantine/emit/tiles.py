"""Write a loop whose outputs are sums. Each round of the loop computes several outputs.

An example is a row of a matrix product, c[j] = Σ_k a[k] · b[k][j]. Each round of the outer loop computes up
to eight outputs. Their sums are lanes of v128 locals while the inner loop runs:

    for j in steps of 8
        s0, s1, s2, s3 = 0                      two outputs each
        for k
            x = a[k] in both lanes              once for all outputs
            s0 += x · b[k][j, j+1];  s1 += x · b[k][j+2, j+3];  …
        c[j, j+1] = s0;  c[j+2, j+3] = s1;  …

The lanes of a local belong to two outputs. One scope, called a *tile*, writes the code for two outputs. The
results have the same bits as the results of a plain loop, because each lane adds the terms of one sum in the
usual order. If outputs remain at the end, we compute them one by one.

We write a loop like this under three conditions. Its rounds have no carry. The length of a sum is the same in
all rounds, and a sum has no loops inside. The elements for successive outputs are adjacent in memory. It does
not matter whether a user or `enp.einsum` wrote the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from eglantine.ir.primitives import operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import F64, Acc, Array, Row, interval
from eglantine.wasm import encoding as wasm

from . import along, lanes
from .arrays import addend, write_check
from .body import Body
from .lanes import CODES, ROUNDS, LaneScope
from .layout import Place
from .loops import LoopWriter
from .results import bind, is_needed
from .scope import Scope, Structure
from .tiling import Plan, Sums, plan_of
from .usage import bytes_of

_BYTES: Final = bytes_of(F64)

_SHARED: Final[Structure] = {"check": write_check}
"""A dict from operations to functions that write their rows.

It is for the rows that have the same value for all outputs."""


def write_loop(scope: Scope, row: int, key: Row) -> None:
    """Write a loop. If its outputs are suitable sums, compute several outputs at a time."""
    plan = plan_of(scope, key) if is_needed(scope, row) else None
    if plan is None:
        lanes.write_rounds(scope, row, key)
    else:
        TileWriter(scope, row, key, plan).write()


class TileScope(LaneScope):
    """The scope of a body that computes two outputs. Each sum is a v128 local with a lane for each output.

    strides: the distances between the matrix rows that successive outputs read, as in `Sums`.
    """

    def __init__(self, outer: Scope, body: Body, block: Block) -> None:
        super().__init__(outer, body, block)
        self.strides: Mapping[int, int] = {}
        self.structure = {"add_to": _write_add_to, "acc": _write_acc}

    def local_dtype(self, row: int) -> str:
        """Return the dtype of a row's local. It is v128 for a sum, because two outputs share the local."""
        return "v128" if self.types[row] == Acc(()) else super().local_dtype(row)

    def _write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        """Write a row inside an expression. Load its two elements one by one if they are not adjacent."""
        stride = self.strides.get(key[1]) if key[0] == "index" else None
        if stride is None:
            super()._write_in_place(row, key, stack)
            return
        base, at = self.places[key[1]], key[2]
        offset = base.offset + (self.block.consts[~at] * _BYTES if at < 0 else 0)
        for lane, distance in ((wasm.F64X2_REPLACE[1], stride), (wasm.F64X2_SPLAT, 0)):
            self.body.out += (lane, wasm.load("f64", offset + distance))
            if at < 0:
                self.base(base)
            else:
                rest: list[int] = []
                self.write_address(base, at, _BYTES, rest)
                self.write_operands(rest)


def _write_acc(scope: Scope, row: int, key: Row) -> None:  # noqa: ARG001 - all roots are written alike
    if scope.push[row] is not None:
        scope.define(row)
        scope.body.out += (wasm.F64X2_SPLAT, wasm.f64_const(0.0))


def _write_add_to(scope: Scope, row: int, key: Row) -> None:  # noqa: ARG001 - all roots are written alike
    _, acc, x = key
    add, x = addend(scope, x)
    k = scope.local_of(acc)
    scope.body.put_set(k)
    scope.body.out.append(CODES[add])
    scope.value(x)
    scope.body.out.append(scope.body.gets[k])


class TileWriter(LoopWriter):
    """Writes a loop that computes several outputs in each round, and then the remaining outputs."""

    def __init__(self, scope: Scope, row: int, key: Row, plan: Plan) -> None:
        super().__init__(scope, row, key)
        self.plan = plan

    def write(self) -> None:
        """Write the whole loop."""
        body, out, count = self.scope.body, self.scope.body.out, self.count
        assert count is not None
        step = ROUNDS * self.plan.vectors
        limit = count - count % step
        captured = self.params[1:]
        self.index = body.take("i32")
        if count > limit:
            self._write_remaining(captured, count, count - limit)
        first = TileScope(self.scope, body, self.loop.body)
        first.bind_captures(captured, self.captures)
        first.bind(self.params[0], self.index)
        tiles: list[Any] = [first, *(first.moved(ROUNDS * _BYTES * u) for u in range(1, self.plan.vectors))]
        _write_back_edge(body, self.index, step, wasm.i32_const(limit))
        splats = self._write_tiles(tiles)
        out += (wasm.LOOP, body.sets[self.index], wasm.I32_ZERO)
        body.give(self.index)
        lanes.write_splats(self.scope, [*first.splats, *splats])
        self._write_zeros()

    def _write_remaining(self, captured: Sequence[int], count: int, remaining: int) -> None:
        """Write a loop that computes the last outputs one by one.

        The loop continues with the index of the previous loop.
        """
        body = self.scope.body
        bind(self.scope, self.inner, captured, self.captures)
        self.inner.bind(self.params[0], self.index)
        if remaining > 1:
            _write_back_edge(body, self.index, 1, wasm.i32_const(count))
        self._write_body([])
        if remaining > 1:
            body.out.append(wasm.LOOP)

    def _write_tiles(self, tiles: list[TileScope]) -> list[tuple[int, Any]]:
        """Write one round of the outer loop, for all tiles (pairs of outputs).

        Returns the locals for constants of the inner loops, with the sources of these constants.
        """
        for u in reversed(range(len(tiles))):
            for k in self.stacked:
                target = self._whole(k)
                self.scope.body.out.append(wasm.store("v128", target.offset + ROUNDS * _BYTES * u))
                tiles[u].value(self.loop.body.results[k])
                self._write_element(target, _BYTES)
        pending = [[i for i in tile.roots if i not in self.plan.sums] for tile in tiles]
        splats: list[tuple[int, Any]] = []
        for row in sorted(self.plan.sums, reverse=True):
            _write_roots(tiles, pending, row)
            splats += self._write_sums(tiles, self.plan.sums[row])
        _write_roots(tiles, pending, 0)
        return splats

    def _write_sums(self, tiles: list[TileScope], sums: Sums) -> list[tuple[int, Any]]:
        """Write an inner loop for all tiles (pairs of outputs).

        Returns the locals for its constants, with the sources of these constants.
        """
        body, out = self.scope.body, self.scope.body.out
        index = body.take("i32")
        count = self._terms(sums)
        if sums.runs_along and count is not None and count >= ROUNDS:
            splats = self._write_round(tiles, sums, index) if count % ROUNDS else []
            _write_back_edge(body, index, ROUNDS, wasm.i32_const(count & -ROUNDS))
            splats += along.write_terms(tiles, sums, index)
            out += (wasm.LOOP, body.sets[index], wasm.I32_ZERO)
            body.give(index)
            return splats
        limit = tiles[0].see(sums.trips[0]) if count is None else wasm.i32_const(count)
        if not count:
            out.append(wasm.END)
        _write_back_edge(body, index, 1, limit)
        splats = self._write_round(tiles, sums, index)
        out += (wasm.LOOP, body.sets[index], wasm.I32_ZERO)
        if not count:
            out.append(wasm.IF)
            if interval(tiles[0].block.types[sums.trips[0]]).lo < 0:
                out += (wasm.I32_GT_S, wasm.I32_ZERO)
            out.append(limit)
        body.give(index)
        return splats

    def _write_round(self, tiles: list[TileScope], sums: Sums, index: int) -> list[tuple[int, Any]]:
        """Write one round of an inner loop. It adds one term to each sum of each tile (pair of outputs)."""
        body, block = self.scope.body, sums.loop.body
        single = Scope(self.scope.linkage, _SHARED, body, block)
        single.bind(block.params[0], index)
        inner = [TileScope(tile, body, block) for tile in tiles]
        for scope in inner:
            scope.bind(block.params[0], index)
            scope.strides = sums.strides
        self._bind_inner(single, inner, tiles, sums)
        kept = self._keep_shared(single, inner, sums.shared)
        for scope in reversed(inner):
            scope.roots = [i for i in scope.roots if i in sums.varying or block.rows[i][0] == "add_to"]
            scope.write_rows()
        for row, k in kept:
            body.put_set(k)
            body.give(k)
            if block.types[row] is F64:
                body.out.append(wasm.F64X2_SPLAT)
            single.value(row)
        single.roots = [i for i in single.roots if i not in sums.varying and block.rows[i][0] != "add_to"]
        single.write_rows()
        return inner[0].splats

    def _terms(self, sums: Sums) -> int | None:
        """Return the number of terms of each sum, or None if it is known only at run time."""
        if sums.trips and sums.trips[0] < 0:
            count: int = self.loop.body.consts[~sums.trips[0]]
            return count
        return sums.loop.count

    def _bind_inner(self, single: Scope, inner: list[TileScope], tiles: list[TileScope], sums: Sums) -> None:
        """Bind the captures and constants of an inner loop."""
        block = sums.loop.body
        for param, a in zip(block.params[1:], sums.captures, strict=True):
            of = block.types[param]
            if not single.uses[param]:
                continue
            if isinstance(of, Array):
                along.bind_array(tiles[0], [single], sums, param, a, 0)
                distance = ROUNDS * sums.strides.get(param, _BYTES)
                along.bind_array(tiles[0], inner, sums, param, a, distance)
                continue
            for scope, tile in zip(inner, tiles, strict=True):
                scope.push[param] = tile.see(a)
                if a >= 0:
                    scope.local[param] = tile.local_of(a)
            if of is not F64:
                single.push[param], single.local[param] = inner[0].push[param], inner[0].local[param]
            elif a < 0:
                single.push[param] = wasm.f64_const(self.loop.body.consts[~a])
            elif param not in sums.varying and self._is_computed_with(block, sums, param):
                single.push[param] = self.scope.see(self.captures[self.params[1:].index(a)])
        along.splat_constants(inner)

    def _is_computed_with(self, block: Block, sums: Sums, param: int) -> bool:
        """True if a row uses the captured Real `param` and has the same value for all outputs."""
        return any(
            param in operands(key) and i not in sums.varying and key[0] not in ("param", "add_to")
            for i, key in enumerate(block.rows)
        )

    def _keep_shared(
        self, single: Scope, inner: list[TileScope], shared: Sequence[int]
    ) -> list[tuple[int, int]]:
        """Take a local for each row that all outputs share.

        The local contains a Real in both lanes, an index, or an array's address without its constant offset.
        """
        body, kept = self.scope.body, []
        for row in shared:
            if not isinstance(single.types[row], Array):
                k = body.take("v128" if single.types[row] is F64 else "i32")
                for scope in inner:
                    scope.push[row] = body.gets[k]
            else:
                place = single.place_of(row)
                k = -1 if place.row < 0 else body.take("i32")
                _place_for_all(inner, row, place if k < 0 else Place(place.offset, k))
                row = place.row
            if k >= 0:
                kept.append((row, k))
        return kept


def _place_for_all(inner: list[TileScope], row: int, place: Place) -> None:
    """Set the address of an array in each tile's scope. Each tile reads the elements of its own outputs."""
    for u, scope in enumerate(inner):
        scope.places[row] = place.plus(ROUNDS * _BYTES * u)


def _write_roots(tiles: list[TileScope], pending: list[list[int]], after: int) -> None:
    """In all tiles, write the pending roots that come after row `after`."""
    for tile, roots in zip(reversed(tiles), reversed(pending), strict=True):
        tile.roots = [i for i in roots if i > after]
        del roots[len(roots) - len(tile.roots) :]
        tile.write_rows()


def _write_back_edge(body: Body, index: int, step: int, limit: bytes) -> None:
    """Write the end of a loop: add `step` to the index, and jump back if it is not yet the limit."""
    body.out += (wasm.END, wasm.BR_IF_0, wasm.I32_NE, limit, body.tees[index], wasm.I32_ADD)
    body.out += (wasm.i32_const(step), body.gets[index])
