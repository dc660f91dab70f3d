"""Write sums along the rows of a matrix, such as the products M @ v and A @ B.T, for several outputs at once.

The terms of one sum are adjacent in memory, but the terms of the next sum are far away. So the two lanes of a
v128 first compute two terms of one sum. Then we rearrange the terms of two sums, so that each lane has a term
of its own sum:

    for k in steps of 2
        x = v[k, k+1]                                        once for all outputs
        p = M[i][k, k+1] · x;  q = M[i+1][k, k+1] · x        two terms of sums i and i+1
        s += (p[0], q[0])                                    the first terms of both sums
        s += (p[1], q[1])                                    then their second terms

Every bit of the results agrees with the plain loop, because each lane of s adds the terms of one sum in the
usual order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.ir.row_types import F64, Array
from eglantine.wasm import encoding as wasm

from .arrays import addend
from .lanes import CODES, ROUNDS, LaneScope
from .layout import Place
from .scope import Scope
from .tiling import Sums


def write_terms(tiles: Sequence[LaneScope], sums: Sums, index: int) -> list[tuple[int, Any]]:
    """Write one round of the inner loop. It adds two terms to each sum.

    tiles: the scopes around the inner loop. Each of them computes two outputs.
    index: the local that holds the number of the first of the two terms.
    Returns a pair for each constant of the inner loop: its local, and the code that pushes the constant.
    """
    body, block = tiles[0].body, sums.loop.body
    outputs = [LaneScope(tiles[0], body, block) for _ in range(ROUNDS * len(tiles))]
    shared = LaneScope(tiles[0], body, block)
    _bind(tiles[0], [shared, *outputs], sums, index)
    kept = [(row, body.take("v128")) for row in sums.shared]
    for scope in outputs:
        for row, k in kept:
            scope.push[row] = body.gets[k]
    for u in reversed(range(len(tiles))):
        both = outputs[ROUNDS * u : ROUNDS * (u + 1)]
        for key in reversed(block.rows):
            if key[0] == "add_to":
                acc = sums.captures[block.params.index(key[1]) - 1]
                _write_add_to(both, tiles[u].local_of(acc), key[2])
        for scope in reversed(both):
            scope.roots = [i for i in scope.roots if i in sums.varying]
            scope.write_rows()
    for row, k in kept:
        body.put_set(k)
        body.give(k)
        shared.value(row)
    shared.roots = [i for i in shared.roots if i not in sums.varying and block.rows[i][0] != "add_to"]
    shared.write_rows()
    return shared.splats


def _bind(tile: LaneScope, scopes: Sequence[LaneScope], sums: Sums, index: int) -> None:
    """Bind the inner loop's index, captures and constants to locals and addresses, in each of the scopes.

    scopes: first the scope for the rows that all outputs share, then a scope for each output.
    """
    block = sums.loop.body
    for scope in scopes:
        scope.bind(block.params[0], index)
    for param, a in zip(block.params[1:], sums.captures, strict=True):
        if not scopes[0].uses[param]:
            continue
        if isinstance(block.types[param], Array):
            bind_array(tile, scopes[:1], sums, param, a, 0)
            bind_array(tile, scopes[1:], sums, param, a, sums.strides.get(param, 0))
        elif block.types[param] is F64:
            for scope in scopes:
                scope.push[param] = tile.see(a)
    splat_constants(scopes)


def bind_array(
    tile: LaneScope, scopes: Sequence[Scope], sums: Sums, param: int, a: int, distance: int
) -> None:
    """Bind the captured array `a`. Each scope's address is `distance` bytes after the previous scope's."""
    place = tile.place_of(a)
    if param in sums.strides and place.row >= 0:
        place = Place(place.offset, tile.local_of(place.row))
    for u, scope in enumerate(scopes):
        scope.places[param] = place.plus(distance * u)


def splat_constants(scopes: Sequence[LaneScope]) -> None:
    """Put each constant of an inner loop into both lanes of a v128 local.

    All scopes share these locals.
    """
    first = scopes[0]
    for k, of in enumerate(first.block.const_types):
        if of is F64 and first.uses[~k]:
            first.splat(~k, wasm.f64_const(first.block.consts[k]) + wasm.F64X2_SPLAT)
            for scope in scopes[1:]:
                scope.push[~k] = first.push[~k]


def _write_add_to(both: Sequence[LaneScope], total: int, x: int) -> None:
    """Write code that adds two terms to each of two sums. The local `total` contains both sums."""
    body = both[0].body
    out = body.out
    locals_ = [body.take("v128") for _ in both]
    body.put_set(total)
    for k, instruction in enumerate((wasm.LAST_OF_BOTH, wasm.FIRST_OF_BOTH)):
        add, _ = addend(both[0], x)
        out += (CODES[add], instruction)
        if not k:
            out += [body.gets[local] for local in reversed(locals_)]
    for scope, local in zip(reversed(both), reversed(locals_), strict=True):
        out.append(body.tees[local])
        body.give(local)
        scope.value(addend(scope, x)[1])
    out.append(body.gets[total])
