"""Run a program with a deep stack in segments. Each segment uses only a window, the top part of the stack.

Reverse mode stores the state before each segment. If this state contained the whole stack, a deep recursion
would take much memory. So a loop over pieces

    while next ≠ done: state, stack = piece(state, stack)

becomes

    while next ≠ done:
        state, window = segment(state, window)      # runs pieces while they stay inside the window
        write the window into the stack; window = the values just below the end of the stack

Reverse mode stores only the state and the window before each segment, and runs the segment again to
differentiate it. The copies between the window and the stack are linear operations, so their derivatives need
no stored values. For this reason reverse mode never stores the stack itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eglantine.ir.builder import Builder
from eglantine.ir.program import Function, Loop
from eglantine.ir.row_types import DYNAMIC, I32, I64, Array, RowType
from eglantine.rewrite.copying import inline

from .segments import ROUNDS, limited, rounds_row, segment_function
from .stacks import Stack


def in_windows(
    b: Builder, loop: Loop, inits: Sequence[int], keys: Sequence[str], stacks: Sequence[Stack]
) -> Sequence[int]:
    """Cut a loop over pieces into segments, and write it. Return the rows of the final carry.

    loop: the loop over pieces. Each stack in its carry has the length of one window, also in the final carry.
    inits: the rows of the initial carry and of the captures. keys: the names of the values in the carry.
    """
    return _Windows(loop, keys, stacks).write(b, inits)


class _Windows:
    """Writes the loop over segments.

    Its carry begins with the carry of the loop over pieces. Two values for each stack follow: the array of
    the whole stack, and the position of the window in this array.
    """

    def __init__(self, loop: Loop, keys: Sequence[str], stacks: Sequence[Stack]) -> None:
        self.loop, self.stacks = loop, stacks
        self.at = {key: k for k, key in enumerate(keys)}
        self.carry = list(loop.body.param_types[1 : 1 + loop.carried])
        self.captures = loop.body.param_types[1 + loop.carried :]
        for stack in stacks:
            self.carry[self.at[stack.name]] = Array(stack.of, (stack.kept,))

    def write(self, b: Builder, inits: Sequence[int]) -> Sequence[int]:
        """Write the loop over segments. Return the rows of its final carry, without whole stacks."""
        n = self.loop.carried
        first = list(inits[:n])
        for stack in self.stacks:
            k = self.at[stack.name]
            first[k] = _part(b, first[k], b.int_const(0), self.carry[k])
        for stack in self.stacks:
            first += [b.zeros(_whole(stack)), b.constant(0, I64)]
        types = [*self.carry, *(of for stack in self.stacks for of in (_whole(stack), I64)), *self.captures]
        test, params = _entered(types)
        assert self.loop.test is not None
        _, tested = inline(self.loop.test, test, [*params[: 1 + n], *params[1 + len(first) :]])
        body, params = _entered(types)
        results = self._round(body, params[0], params[1 : 1 + len(first)], params[1 + len(first) :])
        outer = Loop(
            body.finish(results), None, DYNAMIC, False, len(first), test.finish(list(tested))
        )  # fmt: skip
        return b.loop(outer, [*first, *inits[n:]])[:n]

    def _round(self, b: Builder, k: int, carry: Sequence[int], captured: Sequence[int]) -> list[int]:
        """Write one round of the loop: run segment k, then move the windows. Return the next carry."""
        n = self.loop.carried
        wholes, starts = carry[n::2], carry[n + 1 :: 2]
        rounds = rounds_row(b, k, self.carry)
        after = list(b.call(self._segment(), [*carry[:n], *captured, *starts, rounds]))
        places: list[int] = []
        for stack, whole, start in zip(self.stacks, wholes, starts, strict=True):
            end, window = self.at[stack.end], self.at[stack.name]
            whole = _written(b, whole, self._index(b, stack, start), after[window], stack)
            total = b.bi("ladd", start, after[end])
            b.require(b.bi("lle", total, b.constant(stack.full, I64)), f"{TOO_DEEP} {STACK_ADVICE}")
            below = b.bi("lsub", total, b.constant(stack.kept, I64))
            zero = b.constant(0, I64)
            start = b.select(b.bi("lgt", below, zero), below, zero)
            after[window] = _part(b, whole, self._index(b, stack, start), self.carry[window])
            after[end] = b.bi("lsub", total, start)
            places += [whole, start]
        return [*after, *places]

    def _index(self, b: Builder, stack: Stack, start: int) -> int:
        return b.check(b.un("wrap_i64", start), stack.full - stack.kept + 1)

    def _segment(self) -> Function:
        """Make the function for one segment.

        The function runs a limited number of pieces. It stops early if the next piece could leave a window.
        """
        more = [I64] * len(self.stacks)

        def inside(b: Builder, carry: Sequence[int], starts: Sequence[int]) -> int:
            p = b.bool_const(True)
            for stack, start in zip(self.stacks, starts, strict=True):
                end = carry[self.at[stack.end]]
                above = b.bi("lle", end, b.constant(stack.room - stack.pushes, I64))
                lowest = b.bi("leq", start, b.constant(0, I64))
                below = b.bi("or", lowest, b.bi("lge", end, b.constant(stack.pushes, I64)))
                p = b.bi("and", p, b.bi("and", above, below))
            return p

        short = limited(self.loop, more, inside)
        b = Builder()
        params = [b.param(of) for of in (*self.carry, *self.captures, *more, ROUNDS)]
        for stack in self.stacks:
            k = self.at[stack.name]
            params[k] = _written(b, b.zeros(stack.array), b.int_const(0), params[k], stack, stack.kept)
        return segment_function(b, b.loop(short, params)[: self.loop.carried])


def _entered(types: Sequence[RowType]) -> tuple[Builder, list[int]]:
    """Begin the body or the test of a while loop. Return its builder and its parameters."""
    b = Builder()
    return b, [b.param(of) for of in (I32(0, DYNAMIC - 1), *types)]


def _whole(stack: Stack) -> RowType:
    """Return the type of the array for the whole stack.

    The array is longer than the stack, because a window may extend past the end.
    """
    return Array(stack.of, (stack.full - stack.kept + stack.room + stack.pushes,))


def _part(b: Builder, array: int, start: int, of: RowType) -> int:
    """Write a copy of one part of an array. The part begins at `start` and has the type `of`."""
    (n,) = of.dims
    inner = Builder()
    k, source, first = (
        inner.param(I32(0, n - 1)),
        inner.param(b.type_of(array)),
        inner.param(b.interval(start)),
    )
    element = inner.index(source, inner.bi("iadd", first, k))
    return b.loop(Loop(inner.finish([element]), n, n, False, 0), [array, start])[0]


def _written(b: Builder, array: int, start: int, elements: int, stack: Stack, n: int | None = None) -> int:
    """Return a copy of `array` with the first n of `elements` written into it, beginning at `start`."""
    n = n or stack.room + stack.pushes
    inner = Builder()
    types = I32(0, n - 1), b.type_of(array), b.type_of(elements), b.interval(start)
    k, target, source, first = map(inner.param, types)
    target = inner.update(target, inner.bi("iadd", first, k), inner.index(source, k))
    return b.loop(Loop(inner.finish([target]), n, n, False, 1), [array, elements, start])[0]


TOO_DEEP: Final = "The calls nest deeper than the stack of the compiled program allows."
STACK_ADVICE: Final = "Give p.function arguments with which they nest as deep."
