"""What the reverse of a loop needs from its forward run, and where it comes from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .build import Builder, loop_results
from .effects import impure_rows
from .ir import F64, TRIPS, TRIPS_TYPE, Block, Loop, with_results
from .primitives import LIBRARY, PRIMITIVES, operands
from .rewrite import Env

UPDATES = ("update", "update_add")


def augmented(b: Builder, env: Env, i: int, loop: Loop) -> dict[int, int]:
    """Change the forward loop (row `i` of the block at `env`) to store what its reverse needs of each round.

    Returns, for each row of the body that is stored, the row of `b` with the array of its values. What is
    stored is the carry, and what is dear to compute again; of these, what turns out not to be used is pruned
    later.
    """
    body = loop.body
    dear = [*_dear_rows(body), *_reads_of_updated(loop)] if loop.carried else impure_rows(body)
    if not loop.carried and not dear:
        return {}  # rounds are independent: the reverse computes them again, and the forward loop may go
    stored = [*body.params[1 : 1 + loop.carried], *dear]
    number = _place(env[i])
    _, operands, forward = b.rows[number]
    if forward.body.rows != body.rows:
        stored = list(forward.body.params[1 : 1 + loop.carried])
    n = len(forward.body.results)
    block = with_results(forward.body, (*forward.body.results, *stored))
    new = replace(forward, body=block)
    b.rows[number] = ("loop", operands, new)
    types = loop_results(new)
    keys = [*body.params[1 : 1 + loop.carried], *stored[loop.carried :]]
    return {key: b.row(("proj", number, n + k), types[n + k]) for k, key in enumerate(keys)}


def _place(found: Any) -> int:
    """The row of a copied loop, by what an environment holds of it: the row, or its results."""
    number: int = found if isinstance(found, int) else found.row
    return number


def trips(b: Builder, found: Any) -> int:
    """The row that says how often a copied while loop ran, by what an environment holds of the loop."""
    return b.row(("proj", _place(found), TRIPS), TRIPS_TYPE)


def _dear_rows(body: Block) -> list[int]:
    """The Reals of a body that cost a call, loop or branch to compute."""
    return [i for i in range(len(body.rows)) if is_dear(body, i)]


def is_dear(body: Block, i: int) -> bool:
    """Whether row i is a Real that costs a call, loop or branch to compute."""
    op = body.rows[i][0]
    return body.types[i] is F64 and (op in ("proj", "acc_read") or _is_library(op))


def _reads_of_updated(loop: Loop) -> list[int]:
    """The elements that are read of carried arrays which only change one by one: less than the arrays.

    None at all if something else uses the arrays too.
    """
    body, params = loop.body, loop.body.params[1 : 1 + loop.carried]
    changing = {
        param for param, new in zip(params, body.results, strict=False)
        if new > 0 and body.rows[new][0] in UPDATES
    }  # fmt: skip
    reads = []
    for i, row in enumerate(body.rows):
        if changing.isdisjoint(operands(row)):
            continue
        if row[0] in UPDATES and row[3] not in changing:
            changing.add(i)
        elif row[0] == "index" and body.types[i] is F64:
            reads.append(i)
        else:
            return []
    return reads


def _is_library(op: str) -> bool:
    primitive = PRIMITIVES.get(op)
    return primitive is not None and primitive.wasm is LIBRARY
