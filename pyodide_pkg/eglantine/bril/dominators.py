"""Dominators and natural loops of a control-flow graph.

Source: Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .flow import BasicBlock, predecessors


@dataclass(frozen=True, slots=True)
class Graph:
    """The structure of a function's blocks.

    order: the position of each block in reverse postorder.
    above: the immediate dominator of each block. The entry counts as its own dominator.
    loops: for the header of each loop, the blocks of the loop.
    reducible: true if the target of every backward jump dominates the block that jumps.
    """

    order: list[int]
    above: list[int]
    children: list[list[int]]
    forward: list[int]
    loops: dict[int, frozenset[int]]
    reducible: bool

    def dominates(self, a: int, b: int) -> bool:
        """True if every path to block b passes block a."""
        while self.order[b] > self.order[a]:
            b = self.above[b]
        return a == b


def graph_of(blocks: Sequence[BasicBlock]) -> Graph:
    """Find the dominators and the loops of a function's blocks."""
    postorder = _postorder(blocks)
    order = [0] * len(blocks)
    for position, k in enumerate(reversed(postorder)):
        order[k] = position
    before = predecessors(blocks)
    above = _dominators(postorder[::-1], order, before)
    children: list[list[int]] = [[] for _ in blocks]
    for k in sorted(range(1, len(blocks)), key=order.__getitem__):
        children[above[k]].append(k)
    graph = Graph(order, above, children, [0] * len(blocks), {}, True)
    reducible = True
    for k, block in enumerate(blocks):
        for target in block.after:
            if order[target] > order[k]:
                graph.forward[target] += 1
            elif graph.dominates(target, k):
                graph.loops[target] = graph.loops.get(target, frozenset({target})) | _body(target, k, before)
            else:
                reducible = False
    return Graph(order, above, children, graph.forward, graph.loops, reducible)


def _postorder(blocks: Sequence[BasicBlock]) -> list[int]:
    visited = {0}
    order: list[int] = []
    stack = [(0, iter(blocks[0].after))]
    while stack:
        k, targets = stack[-1]
        for target in targets:
            if target not in visited:
                visited.add(target)
                stack.append((target, iter(blocks[target].after)))
                break
        else:
            order.append(k)
            stack.pop()
    return order


def _dominators(blocks: Sequence[int], order: Sequence[int], before: Sequence[Sequence[int]]) -> list[int]:
    above = [-1] * len(order)
    above[0] = 0
    changed = True
    while changed:
        changed = False
        for k in blocks[1:]:
            new = -1
            for p in before[k]:
                if above[p] < 0:
                    continue
                a, b = p, new if new >= 0 else p
                while a != b:
                    while order[a] > order[b]:
                        a = above[a]
                    while order[b] > order[a]:
                        b = above[b]
                new = a
            if new != above[k]:
                above[k] = new
                changed = True
    return above


def _body(header: int, last: int, before: Sequence[Sequence[int]]) -> frozenset[int]:
    """Find the blocks of a loop. The jump from block `last` back to the header closes it."""
    body = {header, last}
    pending = [last] if last != header else []
    while pending:
        for p in before[pending.pop()]:
            if p not in body:
                body.add(p)
                pending.append(p)
    return frozenset(body)
