"""Nodes and edges, levels, the critical path, and reachability."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Node(NamedTuple):
    """A node of a graph: an input, a constant or an operation.

    id: the position of the node among all nodes.
    op: "input", "const", or the name of the operation.
    label: the text of the node in a picture.
    type: the type of the node's value, such as "f64" or "f64[3]".
    parent: the id of the loop or branch that contains the node, or None if no loop or branch contains it.
    level: the number of operations in the longest chain that ends in the node. An input or constant has 0.
    line: the number of the program's line that made the node, or None if the line is not known.
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

    source, target: the ids of the two nodes.
    position: the position of the source's value among the target's operands.
    """

    source: int
    target: int
    position: int


def levels_of(count: int, edges: Iterable[Edge], operations: Iterable[bool]) -> list[int]:
    """Count, for each node, the operations in the longest chain that ends in the node.

    count: the number of nodes.
    edges: the edges. Each edge leads from a node to a node with a larger number.
    operations: for each node, True if the node is an operation.
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
