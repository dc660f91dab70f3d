"""Make a loop that evaluates a function of Reals at many points. One 128-bit instruction computes two points.

For other functions, `emit.batch` makes a loop that copies numbers and calls the kernel in each round.
"""

from __future__ import annotations

from typing import Any

from eglantine.emit.batch import described_loop, points_of
from eglantine.emit.module import emit
from eglantine.ir.builder import Builder
from eglantine.ir.program import NESTING, Block, Function, Loop, has_effects
from eglantine.ir.row_types import F64, I32, Array
from eglantine.rewrite.copying import inline
from eglantine.types import FinType, Real, TupleType, VecType

from .pipeline import ready_library
from .vectors import in_lanes

MOST_ROWS = 2_000
"""The largest number of rows of a function that we copy into a loop over many points."""


def batched(ready: Function, abi: dict[str, Any], base: int) -> tuple[bytes, dict[str, Any]] | None:
    """Emit a module that computes a kernel's function at a chunk of points. Return its bytes and its ABI.

    For other functions, `emit.batch.driver` makes a module that calls the kernel.
    ready: the optimised function of the kernel.
    abi: the kernel's ABI.
    base: the first address in the kernel's memory that the module may use.
    Returns None if the function has loops, branches, calls, checks, prints or more than MOST_ROWS rows. It
    also returns None if there are no parameters, if a parameter or result is not a Real, or if the kernel has
    fuel.
    """
    block = ready.block
    assert block is not None
    if "fuel" in abi or not block.params or not _is_arithmetic(block):
        return None
    points = points_of(abi)
    column = VecType(points, Real)
    params = (FinType(points + 1), *(column for _ in block.params))
    result = TupleType((column,) * len(block.results))
    loop = _loop(block, points)
    function = Function(
        abi["name"], params, result, loop, leaf_params=loop.param_types, leaf_results=loop.result_types
    )
    artifact = emit(function, ready_library, name=abi["name"], base=base)
    (count,), *inputs = (param["leaves"] for param in artifact.abi["params"])
    columns = [*(place for (place,) in inputs), *artifact.abi["result"]["leaves"]]
    export = artifact.abi["export"]
    return artifact.wasm, described_loop(abi, columns, count["at"], artifact.abi["memory"], export)


def _is_arithmetic(block: Block) -> bool:
    if len(block.rows) > MOST_ROWS or not block.operations.isdisjoint({"call", *NESTING}):
        return False
    is_real = all(of is F64 for of in (*block.param_types, *block.result_types))
    return is_real and not has_effects(block, checks=True)


def _loop(block: Block, points: int) -> Block:
    """Return the block that computes a chunk. Its parameters are the number of points and the columns."""
    b = Builder()
    count = b.param(I32(0, points))
    columns = [b.param(Array(F64, (points,))) for _ in block.params]
    body = Builder(b)
    body.rounds = True
    index = body.param(I32(0, points - 1))
    arguments = [body.index(body.capture(column), index) for column in columns]
    loop = Loop(body.finish(inline(block, body, arguments)[1]), None, points, False, 0)
    return in_lanes(b.finish(list(b.loop(loop, [count, *body.captured]))))
