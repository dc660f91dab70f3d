"""Tests of computation graphs: nodes, edges, levels, values, and exports to drawing tools."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import eglantine as eg


@eg.fn
def slides(x1: eg.Real, x2: eg.Real) -> eg.Real:
    return eg.math.sin(x1) * eg.math.cos(x2)


def test_the_example_of_the_slides_has_the_known_values_at_1_and_1() -> None:
    g = eg.graph(slides)
    at = g.at(1.0, 1.0)
    labelled = {node.label: at[node.id] for node in g.nodes}
    values = {label: round(value, 4) for label, (value, _) in labelled.items()}
    assert values == {"x1": 1.0, "x2": 1.0, "sin": 0.8415, "cos": 0.5403, "×": 0.4546}
    cotangents = {label: round(cotangent, 4) for label, (_, cotangent) in labelled.items() if cotangent}
    assert cotangents == {"sin": 0.5403, "cos": 0.8415, "x2": -0.7081, "x1": 0.2919, "×": 1.0}


def test_a_graph_has_levels_and_a_critical_path() -> None:
    @eg.fn
    def f(x: eg.Real, y: eg.Real) -> eg.Real:
        return eg.math.exp(eg.math.sin(x)) + y * y

    g = eg.graph(f)
    labels = [[g.nodes[k].label for k in level] for level in g.levels]
    assert labels == [["sin", "×"], ["exp"], ["+"]]
    assert [g.nodes[k].label for k in g.critical_path] == ["x", "sin", "exp", "+"]


def test_reaching_lists_the_inputs_that_an_output_depends_on() -> None:
    @eg.fn
    def f(x: eg.Real, y: eg.Real, z: eg.Real, v: eg.Vec(3, eg.Real)):
        return {"a": x + y, "b": eg.select(z > 0.0, y, 1.0), "c": eg.sum(3, lambda i: v[i] * x), "d": 2.0}

    g = eg.graph(f)
    assert {name: g.reaching(name) for name in g.outputs} == {
        "result.a": ("x", "y"), "result.b": ("y", "z"), "result.c": ("x", "v"), "result.d": (),
    }  # fmt: skip
    assert g.reaching() == ("x", "y", "z", "v")
    assert g.reaching(1) == ("y", "z")
    with pytest.raises(eg.TypeMismatchError, match="no output 'e'"):
        g.reaching("e")


CHOICE = {"a": eg.Real, "b": eg.Bool}


def nested() -> Any:
    @eg.fn
    def f(x: eg.Vec(4, eg.Real), p: CHOICE):
        total = eg.sum(4, lambda i: x[i] ** 2 * p["a"])
        return eg.cond(p["b"], lambda: slides(total, 1.0), lambda: 2.0), eg.while_loop(
            lambda c: c < 10.0, lambda c: c * 2.0, p["a"]
        )

    return f


def test_the_bodies_of_loops_and_branches_are_inside_their_nodes() -> None:
    g = eg.graph(nested())
    (loop,) = [node for node in g.nodes if node.op == "loop"]
    assert loop.label == "loop × 4"
    inside = [node for node in g.nodes if node.parent == loop.id]
    labels = [node.label for node in inside if node.op not in ("input", "const")]
    assert labels == ["index", "power 2", "×", "add to"]
    assert list(g.functions) == ["slides"]
    assert len(g.functions["slides"].nodes) == 5
    assert all(edge.source < edge.target for edge in g.edges)
    at = g.at([1.0, 2.0, 3.0, 4.0], {"a": 1.5, "b": False})
    assert at[g.outputs["result[0]"]] == (2.0, None)
    assert at[g.outputs["result[1]"]] == (12.0, None)


def test_the_texts_that_draw_a_graph_contain_every_node_and_edge() -> None:
    for g in (eg.graph(slides), eg.graph(nested()), eg.graph(eg.grad(slides, (0, 1)))):
        dot = g.dot()
        assert dot.startswith("digraph ")
        assert dot.count("{") == dot.count("}")
        assert {int(k) for k in re.findall(r"n(\d+) \[", dot)} == set(range(len(g.nodes)))
        assert len(re.findall(r"n\d+ -> n\d+", dot)) == len(g.edges)
        mermaid = g.mermaid()
        assert mermaid.startswith("flowchart TD\n")
        assert mermaid.count(" --> ") == len(g.edges)
        data = json.loads(g.json())
        assert [node["id"] for node in data["nodes"]] == list(range(len(g.nodes)))
        assert [(edge["source"], edge["target"]) for edge in data["edges"]] == [edge[:2] for edge in g.edges]
        assert data["outputs"] == g.outputs


def test_quotes_in_names_are_escaped() -> None:
    f = eg.fn([{'a"b': eg.Real}], eg.Real, names=["p"])(lambda p: p['a"b'] + 1.0)
    assert r'label="p.a\"b"' in eg.graph(f).dot()
    assert "#quot;" in eg.graph(f).mermaid()


def test_a_plain_function_takes_its_types_from_arguments() -> None:
    assert len(eg.graph(lambda x: x * x, 2.0).nodes) == 2
    with pytest.raises(eg.TypeMismatchError, match="needs arguments"):
        eg.graph(lambda x: x * x)


def test_an_argument_may_be_the_result_of_a_graph() -> None:
    g = eg.graph(eg.fn([eg.Real])(lambda x: x))
    assert g.outputs == {"result": 0}
    assert g.at(3.0) == {0: (3.0, 1.0)}
    assert g.levels == ()
    assert g.critical_path == (0,)


def test_nodes_have_the_line_of_their_operation() -> None:
    g = eg.graph(slides)
    first = slides.__wrapped__.__code__.co_firstlineno
    assert [node.line for node in g.nodes] == [None, None, first + 2, first + 2, first + 2]


def test_a_graph_of_a_long_chain_is_made_without_recursion() -> None:
    def f(x: Any) -> Any:
        for _ in range(20_000):
            x = eg.math.sin(x)
        return x

    g = eg.graph(eg.fn([eg.Real])(f))
    assert len(g.critical_path) == 20_001
    assert len(g.dot()) > 20_000


def test_an_opaque_function_is_shown_as_a_call() -> None:
    import math

    g = eg.graph(eg.opaque(math.log, [eg.Real], eg.Real, pure=True))
    assert [node.label for node in g.nodes] == ["x0", "log"]
    assert g.reaching() == ("x0",)
