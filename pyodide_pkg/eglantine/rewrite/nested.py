"""Copy the body of a loop or an arm of a branch: begin it, bind its captures, copy its rows, finish it.

    body = loop_body(loop.body, b, …)                  make a builder within b, with the round as a parameter
    body.capture(params, rows)                         let the body's parameters stand for rows of b
    copy_rows(body.block, body.b, body.env, …)         copy the rows, see `copying`
    finish_loop(b, loop, …)                            add the row of the loop to b

Each copy has its own builder. The body and the test of a loop are finished together, and so are the two arms
of a branch, because they must have the same parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eglantine.ir.builder import Builder, Results, unify
from eglantine.ir.program import Block, Cond, Loop

from .environment import Env, new_env


class Nested(NamedTuple):
    """A body that is being copied.

    block: the body to copy.
    b: the builder of the copy.
    env: maps the rows of `block` to the rows of the copy.
    """

    block: Block
    b: Builder
    env: Env

    def capture(self, params: Iterable[int], outer: Iterable[int]) -> None:
        """Bind parameters of the body to rows of the builder around it."""
        env, capture = self.env, self.b.capture
        for param, row in zip(params, outer, strict=True):
            env[param] = capture(row)

    def results(self, wanted: Sequence[bool] | None = None) -> list[int]:
        """Return the copies of the body's results. If `wanted` is given, return only the wanted results."""
        env, results = self.env, self.block.results
        if wanted is None:
            return [env[row] for row in results]
        return [env[row] for row, is_wanted in zip(results, wanted, strict=True) if is_wanted]


def loop_body(block: Block, outer: Builder, own: Iterable[int]) -> Nested:
    """Begin a copy of a loop's body or test. `own` are its parameters for the round and the carries."""
    b = Builder(outer)
    env = new_env(block, b)
    for param in own:
        b.source = block.sources[param]
        env[param] = b.param(block.types[param])
    return Nested(block, b, env)


def arm(block: Block, outer: Builder) -> Nested:
    """Begin a copy of an arm of a branch."""
    b = Builder(outer, conditional=True)
    return Nested(block, b, new_env(block, b))


def finish_loop(
    b: Builder, loop: Loop, count: int | None, starts: Sequence[int], bodies: Sequence[Builder],
    results: Sequence[Sequence[int]],
) -> Results:  # fmt: skip
    """Finish the copy of a loop: give its body and its test the same captures, and add its row to `b`.

    loop: the loop that is copied. The copy has the same extent and direction.
    count: the number of rounds, or None if a row or the loop's test determines the number.
    starts: the new loop's operands before the captures. They are the number of rounds (only if a row computes
        it) and the initial carries.
    """
    own = len(bodies[0].params) - len(bodies[0].captured)
    captured = unify(bodies, own)
    blocks = [body.finish(rows) for body, rows in zip(bodies, results, strict=True)]
    test = blocks[1] if loop.test else None
    return b.loop(Loop(blocks[0], count, loop.extent, loop.reverse, own - 1, test), [*starts, *captured])


def finish_cond(b: Builder, condition: int, arms: Sequence[Builder], results: Sequence[Sequence[int]],
                wanted: Sequence[bool]) -> list[int | None]:  # fmt: skip
    """Finish the copy of a branch: give its arms the same parameters, and add its row to `b`.

    results: for each arm, the rows of its wanted results.
    wanted: a flag for each result of the old branch. It is true if the new branch must have this result.
    Returns a list with an entry for each result of the old branch: the new row, or None for an unwanted
    result.
    """
    shared = unify(arms)
    blocks = [arm.finish(rows) for arm, rows in zip(arms, results, strict=True)]
    branch_results = iter(b.cond(Cond(blocks[0], blocks[1]), [condition, *shared]))
    return [next(branch_results) if is_wanted else None for is_wanted in wanted]
