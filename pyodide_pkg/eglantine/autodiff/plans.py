"""Before a block's forward rows are copied, decide which values they must keep for the reverse.

A loop returns additional arrays that its reverse reads (`residuals` chooses them). A call of a function
marked `forward` also returns its Jacobian. In this example, the reverse loop needs c and y of each round:

    loop k < n  carry c        becomes     loop k < n  carry c
        y = sin(c * w)                         y = sin(c * w)
        yield y                                yield y, c
    last = result 0                        last = result 0
                                           carries = result 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eglantine.analysis.activity import Activity, receiving
from eglantine.ir.program import Block, Function, loop_results
from eglantine.ir.row_types import Row
from eglantine.rewrite.effects import quiet

from .extension import Extension
from .residuals import Stored, augmented, dear_results


@dataclass(frozen=True, slots=True)
class Plan:
    """A block that reverse mode differentiates, and the forward rows that run before its reverse.

    block: the block.
    act: the active rows of `block`.
    forward: the rows of `block` with the same numbers, except that some calls and loops return additional
        results. The rows that read these results are at the end.
    returned: for each loop, the rows of `forward` with arrays that `block` reads too.
    stored: for each loop, the rows of `forward` with arrays that the loop returns only for its reverse.
    jacobians: for each call, the rows of `forward` with the leaves of the call's Jacobian.
    """

    block: Block
    act: Activity
    forward: Block
    returned: Mapping[int, Stored] = field(default_factory=dict)
    stored: Mapping[int, Stored] = field(default_factory=dict)
    jacobians: Mapping[int, Sequence[int]] = field(default_factory=dict)


def planned(
    block: Block, act: Activity, seeds: Sequence[int], forward: Block | None = None,
    recalled: Mapping[int, Stored] | None = None,
) -> Plan:  # fmt: skip
    """Decide which values the loops and calls of a block keep for the block's reverse.

    seeds: the rows that receive a cotangent from outside. A loop or call that no cotangent reaches keeps
        nothing.
    forward: a copy of the block without effects. Pass it if the forward rows must have no effects.
    recalled: for each loop, the rows whose values an outer loop has stored.
    """
    forward = forward or block
    candidates = _candidates(block, act)
    reached = receiving(block, act, seeds) if candidates else ()
    keepers = [i for i in candidates if i in reached]
    if not keepers:
        return Plan(block, act, forward)
    extension = Extension(forward)
    returned, stored, jacobians = {}, {}, {}
    for i in keepers:
        info = block.rows[i][2]
        if isinstance(info, Function):
            jacobian = _with_jacobian(info, forward.rows[i][2].pure)
            extension.replace(i, jacobian)
            kept = [*enumerate(jacobian.leaf_results)][len(info.leaf_results) :]
            jacobians[i] = [extension.read(i, k, of) for k, of in kept]
        else:
            returned[i] = _returned_anyway(block, i, extension)
            known = returned[i].keys() | (recalled or {}).get(i, {}).keys()
            loop, positions = augmented(forward.rows[i][2], info, known)
            extension.replace(i, loop)
            types = loop_results(loop)
            stored[i] = {path: extension.read(i, k, types[k]) for path, k in positions.items()}
    return Plan(block, act, extension.block(), returned, stored, jacobians)


def _candidates(block: Block, act: Activity) -> list[int]:
    """List the loops of a block, and its calls of functions that are marked `forward`."""
    if block.operations.isdisjoint(("loop", "call")):
        return []
    return [
        i for i, row in enumerate(block.rows)
        if (row[0] == "loop" and row[2].count != 0) or (row[0] == "call" and is_contracted(row, act))
    ]  # fmt: skip


def is_transposed(row: Row, act: Activity) -> bool:
    """Return whether the reverse of a call is a call of the function's transpose.

    The function must be a linear map with a transpose, and its residuals must carry no tangents.
    """
    _, args, function = row
    return bool(function.transposed) and not any(act.flags[a] for a in args[: len(args) - function.linear])


def is_contracted(row: Row, act: Activity) -> bool:
    """True if reverse mode multiplies a call's cotangents by the Jacobian of the called function."""
    return bool(row[2].columns) and not is_transposed(row, act)


def _with_jacobian(function: Function, pure: bool) -> Function:
    """Return the function x… → (y…, Jacobian…) for a function x… → y… that is marked `forward`.

    pure: if true, the new function has no effects.
    """
    with_jacobian: Function = function.columns()[0]
    return quiet(with_jacobian) if pure else with_jacobian


def _returned_anyway(block: Block, i: int, extension: Extension) -> Stored:
    """Find the expensive rows of loop i, if the block already reads their arrays.

    Return a dict: (row,) → the row that reads its array. If the loop has a carry, the dict is empty.
    """
    loop = block.rows[i][2]
    if loop.carried:
        return {}
    dear, reads = set(dear_results(loop)), extension.reads
    return {
        (row,): reads["proj", i, k]
        for k, row in enumerate(loop.body.results) if row in dear and ("proj", i, k) in reads
    }  # fmt: skip
