"""What the reverse of a loop needs from its forward run, and where it comes from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .build import Builder, loop_results
from .ir import F64, TRIPS, TRIPS_TYPE, Block, Cond, Function, Loop, with_results
from .liveness import acc_root
from .primitives import LIBRARY, PRIMITIVES, operands
from .rewrite import Env

_GONE = ("zero",)
UPDATES = ("update", "update_add")


def augmented(b: Builder, env: Env, i: int, loop: Loop) -> dict[int, int]:
    """Change the forward loop (row `i` of the block at `env`) to store what its reverse needs of each round.

    Returns, for each row of the body that is stored, the row of `b` with the array of its values. What is
    stored is the carry, and what is dear to compute again; of these, what turns out not to be used is pruned
    later.
    """
    body = loop.body
    dear = [*_dear_rows(body), *_reads_of_updated(loop)] if loop.carried else _impure_rows(body)
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
    return [
        i for i, row in enumerate(body.rows)
        if body.types[i] is F64 and (row[0] in ("proj", "acc_read") or _is_library(row[0]))
    ]  # fmt: skip


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


def _impure_rows(body: Block) -> list[int]:
    """The Reals of a body that impure calls return: these must not run again."""
    return [
        i for i, row in enumerate(body.rows)
        if row[0] == "proj" and body.types[i] is F64 and _is_impure_call(body.rows[row[1]])
    ]  # fmt: skip


def _is_impure_call(row: Any) -> bool:
    return row[0] == "call" and not row[2].pure


def _is_library(op: str) -> bool:
    primitive = PRIMITIVES.get(op)
    return primitive is not None and primitive.wasm is LIBRARY


def stripped(block: Block, outer: tuple[int, ...]) -> Block:
    """The block without its effects on the world: for computing its values again.

    Additions to the accumulators among its parameters (at positions `outer`), prints and impure calls go; an
    impure call that returns something stays where the value is needed.
    """
    gone = {block.params[k] for k in outer}
    rows = list(block.rows)
    changed = False
    for i, row in enumerate(rows):
        op = row[0]
        if _is_effect(row) or (op in ("add_to", "acc_index") and acc_root(block, row[1]) in gone):
            rows[i] = _GONE
        elif op == "call" and not row[2].pure:
            rows[i] = ("call", row[1], quiet(row[2]))
        elif op in ("loop", "cond"):
            rows[i] = _stripped_structure(block, row, gone)
        changed = changed or rows[i] is not row
    if not changed:
        return block
    return Block(
        tuple(rows), block.types, block.sources, block.consts, block.const_types, block.params, block.results
    )


def quiet(function: Function) -> Function:
    """An impure function for a second run: without its effects, and only for a value that is needed."""
    if "quiet" not in function.memo:
        body = None if function.block is None else stripped(function.block, ())
        function.memo["quiet"] = replace(function, block=body, pure=True, memo={})
    found: Function = function.memo["quiet"]
    return found


def _is_effect(row: Any) -> bool:
    """Whether a row only acts on the world: a print, or a call of an impure function that returns nothing."""
    return row[0] == "print" or (row[0] == "call" and not row[2].pure and not row[2].leaf_results)


def _stripped_structure(block: Block, row: Any, gone: set[int]) -> Any:
    op, operands, info = row
    first = (info.first_init - 1) if op == "loop" else 1
    bodies = info.blocks
    outer = tuple(
        k for k, of in enumerate(bodies[0].param_types)
        if of.dtype == "acc" and acc_root(block, operands[first + k]) in gone
    )  # fmt: skip
    new = tuple(stripped(body, outer) for body in bodies)
    if all(x is y for x, y in zip(new, bodies, strict=True)):
        return row
    if op == "loop":
        return (op, operands, replace(info, body=new[0], test=new[1] if info.test else None))
    return (op, operands, Cond(*new))
