"""A graph as the text of Graphviz, Mermaid and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from .nodes import Edge, Node


def as_dot(name: str, nodes: Sequence[Node], edges: Sequence[Edge], outputs: Mapping[str, int]) -> str:
    """Write the graph for Graphviz. Loops and branches become clusters, and outputs have a double border."""
    ends = set(outputs.values())
    inside = _by_parent(nodes)
    lines = [f"digraph {_quoted(name)} {{", "  rankdir=TB;"]
    pending: list[tuple[Node | str, str]] = [(node, "  ") for node in reversed(inside.get(None, []))]
    while pending:
        item, indent = pending.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        shape = {"input": "box", "const": "plaintext"}.get(item.op, "ellipse")
        border = ", peripheries=2" if item.id in ends else ""
        lines.append(f"{indent}n{item.id} [label={_quoted(item.label)}, shape={shape}{border}];")
        body = inside.get(item.id)
        if body:
            lines.append(f"{indent}subgraph cluster_{item.id} {{")
            lines.append(f"{indent}  label={_quoted(item.label)};")
            pending.append((f"{indent}}}", indent))
            pending += [(node, indent + "  ") for node in reversed(body)]
    lines += [f"  n{edge.source} -> n{edge.target};" for edge in edges]
    return "\n".join([*lines, "}"]) + "\n"


def as_mermaid(nodes: Sequence[Node], edges: Sequence[Edge], outputs: Mapping[str, int]) -> str:
    """Write the graph for Mermaid. Inputs are boxes, operations are rounded boxes, and outputs are marked."""
    ends = {node: name for name, node in outputs.items()}
    lines = ["flowchart TD"]
    for node in nodes:
        label = _escaped(node.label + (f" = {ends[node.id]}" if node.id in ends else ""))
        left, right = {"input": ("[", "]"), "const": ("[/", "/]")}.get(node.op, ("(", ")"))
        if node.id in ends:
            left, right = "([", "])"
        lines.append(f'  n{node.id}{left}"{label}"{right}')
    lines += [f"  n{edge.source} --> n{edge.target}" for edge in edges]
    lines += [f"  n{node.parent} -.-> n{node.id}" for node in nodes if node.parent is not None]
    return "\n".join(lines) + "\n"


def as_json(name: str, nodes: Sequence[Node], edges: Sequence[Edge], inputs: Mapping[str, int],
            outputs: Mapping[str, int]) -> str:  # fmt: skip
    """Write the graph as JSON: an object with its name, nodes, edges, inputs and outputs."""
    return json.dumps(
        {
            "name": name,
            "nodes": [node._asdict() for node in nodes],
            "edges": [edge._asdict() for edge in edges],
            "inputs": dict(inputs),
            "outputs": dict(outputs),
        }
    )


def _by_parent(nodes: Sequence[Node]) -> dict[int | None, list[Node]]:
    inside: dict[int | None, list[Node]] = {}
    for node in nodes:
        inside.setdefault(node.parent, []).append(node)
    return inside


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _escaped(text: str) -> str:
    for letter, written in (("&", "#amp;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("\n", " ")):
        text = text.replace(letter, written)
    return text
