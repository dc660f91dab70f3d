"""Nodes and edges, levels, the critical path, and reachability."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Node(NamedTuple):
    """An input, a constant or an operation.

    id: its position among the nodes.
    op: "input", "const", or the name of the operation.
    label: its name in a picture.
    type: the type of its value, such as "f64" or "f64[3]".
    parent: the loop or branch that contains it, or None.
    level: the number of operations in the longest chain that ends in this node. 0 for inputs and constants.
    line: the line of the program that made it, or None.
    """

    id: int
    op: str
    label: str
    type: str
    parent: int | None
    level: int
    line: int | None


class Edge(NamedTuple):
    """An edge between two nodes: the target uses the value of the source as an operand.

    source, target: the numbers of the nodes. position: the position of the value among the target's operands.
    """

    source: int
    target: int
    position: int


def levels_of(count: int, edges: Iterable[Edge], operations: Iterable[bool]) -> list[int]:
    """Count, for each node, the operations in the longest chain that ends in the node.

    edges: each leads to a node with a larger number. operations: for each node, True if it is an operation.
    """
    levels = [0] * count
    own = list(map(int, operations))
    into: list[list[int]] = [[] for _ in range(count)]
    for edge in edges:
        into[edge.target].append(edge.source)
    for k in range(count):
        if own[k]:
            levels[k] = 1 + max((levels[source] for source in into[k]), default=0)
    return levels


def chain_to(end: int, edges: Iterable[Edge], levels: list[int]) -> list[int]:
    """List the nodes of a longest chain in order. The chain ends in the node `end`."""
    into: dict[int, list[int]] = {}
    for edge in edges:
        into.setdefault(edge.target, []).append(edge.source)
    chain = [end]
    while sources := into.get(chain[-1]):
        chain.append(max(sources, key=lambda source: levels[source]))
    return chain[::-1]


def reaching(ends: Iterable[int], edges: Iterable[Edge]) -> set[int]:
    """Find all nodes that have a chain of edges to a node in `ends`. The result includes `ends`."""
    into: dict[int, list[int]] = {}
    for edge in edges:
        into.setdefault(edge.target, []).append(edge.source)
    reached: set[int] = set()
    pending = list(ends)
    while pending:
        node = pending.pop()
        if node not in reached:
            reached.add(node)
            pending.extend(into.get(node, ()))
    return reached
