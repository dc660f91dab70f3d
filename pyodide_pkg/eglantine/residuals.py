"""What the reverse of a loop needs from its forward run, and where it comes from."""

from __future__ import annotations

from typing import Any

from .build import Builder, loop_results
from .ir import Block, Cond, Loop
from .liveness import acc_root
from .rewrite import Env

_GONE = ("zero",)


def augmented(b: Builder, env: Env, i: int, loop: Loop) -> list[int]:
    """Change the forward loop (row `i` of the block at `env`) to store its carry; return a row of stored values each.

    Rows that turn out not to be used are pruned later, and what they store with them.
    """
    if not loop.carried:
        return []
    number = _row_number(b, env, i)
    _, operands, forward = b.rows[number]
    body: Block = forward.body
    n = len(body.results)
    stored = body.params[1 : 1 + forward.carried]
    block = Block(
        body.rows, body.types, body.sources, body.consts, body.const_types, body.params, (*body.results, *stored)
    )
    new = Loop(block, forward.count, forward.extent, forward.reverse, forward.carried)
    b.rows[number] = ("loop", operands, new)
    types = loop_results(new)
    return [b.row(("proj", number, n + k), types[n + k]) for k in range(forward.carried)]


def _row_number(b: Builder, env: Env, i: int) -> int:
    """The row of `b` that holds the loop: where the sweep resumed a block it is the same; else its results tell."""
    place: Any = env[i]
    if isinstance(place, int):
        return place
    return int(b.rows[place[0]][1])


def stripped(block: Block, outer: tuple[int, ...]) -> Block:
    """The block without its effects on the world: for computing its values again.

    Additions to the accumulators among its parameters (at positions `outer`), prints and impure calls go.
    """
    gone = {block.params[k] for k in outer}
    rows = list(block.rows)
    changed = False
    for i, row in enumerate(rows):
        op = row[0]
        if _is_effect(row) or (op in ("add_to", "acc_index") and acc_root(block, row[1]) in gone):
            rows[i] = _GONE
        elif op == "loop" or op == "cond":
            rows[i] = _stripped_structure(block, row, gone)
        changed = changed or rows[i] is not row
    if not changed:
        return block
    return Block(
        tuple(rows), block.types, block.sources, block.consts, block.const_types, block.params, block.results
    )


def _is_effect(row: Any) -> bool:
    """Whether a row only acts on the world: a print, or a call of an impure function that returns nothing."""
    return row[0] == "print" or (row[0] == "call" and not row[2].pure and not row[2].leaf_results)


def _stripped_structure(block: Block, row: Any, gone: set[int]) -> Any:
    op, operands, info = row
    first = (info.first_init - 1) if op == "loop" else 1
    bodies = (info.body,) if op == "loop" else (info.then, info.orelse)
    outer = tuple(
        k for k, of in enumerate(bodies[0].param_types)
        if of.dtype == "acc" and acc_root(block, operands[first + k]) in gone
    )  # fmt: skip
    new = tuple(stripped(body, outer) for body in bodies)
    if all(x is y for x, y in zip(new, bodies, strict=True)):
        return row
    if op == "loop":
        return (op, operands, Loop(new[0], info.count, info.extent, info.reverse, info.carried))
    return (op, operands, Cond(*new))

