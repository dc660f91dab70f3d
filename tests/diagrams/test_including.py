"""Tests of nested diagrams: `include` copies a diagram into another one, as a group under a name."""

from __future__ import annotations

import base64
import json
import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import eglantine as eg
from app.diagrams.compiling import compile_diagram, starts_of
from eglantine import diagrams as dg
from eglantine.diagrams.exchange import from_text, to_data
from tests.diagrams.test_drags import MOST_HYSTERESIS, MOST_KICK, SCRIPT
from tests.recursion import MOST_CALLS, few_nested_calls
from tools.node import find_node

TOLERANCE = 2e-3
"""A relation may be missed by 0.001, so the difference of two lengths may be 0.002."""


def eye() -> dg.Diagram:
    """Make a diagram of an iris with radius 10, which the pupil touches from inside."""
    d = dg.Diagram(60, 40)
    iris = d.circle(r=10, name="iris")
    pupil = d.circle(r=4, name="pupil")
    d.ensure(dg.touching(iris, pupil, inside=True))
    return d


def between(one: dict[str, Any], other: dict[str, Any]) -> float:
    """The distance of the middles of two shapes of a layout."""
    return math.hypot(one["x"] - other["x"], one["y"] - other["y"])


def test_shapes_of_another_diagram_are_copied_under_a_name() -> None:
    d = dg.Diagram(300, 200)
    left = d.include(eye(), "left")
    assert (left.name, left.kind) == ("left", "group")
    assert [shape.name for shape in d.shapes] == ["left/iris", "left/pupil", "left"]
    assert left["iris"] is d.shapes[0]
    assert [slot.key for slot in d.slots] == [
        "left.x_origin", "left.y_origin", "left/iris.x", "left/iris.y", "left/pupil.x", "left/pupil.y",
    ]  # fmt: skip


def test_relations_of_an_included_diagram_hold_in_the_outer_layout() -> None:
    d = dg.Diagram(300, 200)
    left = d.include(eye(), "left")
    nose = d.circle(r=15, name="nose")
    d.ensure(dg.touching(left["pupil"], nose), nose.x == 90)
    layout = d.layout()
    assert layout.success
    at = layout.values
    assert between(at["left/iris"], at["left/pupil"]) == pytest.approx(6, abs=TOLERANCE)
    assert between(at["nose"], at["left/pupil"]) == pytest.approx(19, abs=TOLERANCE)


def test_two_copies_of_a_diagram_are_independent() -> None:
    d, inner = dg.Diagram(300, 200), eye()
    left, right = d.include(inner, "left"), d.include(inner, "right")
    d.ensure(left["iris"].x == -80, right["iris"].x == 70, left["pupil"].y > left["iris"].y + 5)
    d.ensure(right["pupil"].y < right["iris"].y - 5)
    layout = d.layout()
    assert layout.success
    at = layout.values
    assert (at["left/iris"]["x"], at["right/iris"]["x"]) == pytest.approx((-80, 70), abs=TOLERANCE)
    for name, way in (("left", 1), ("right", -1)):
        assert way * (at[f"{name}/pupil"]["y"] - at[f"{name}/iris"]["y"]) > 5 - TOLERANCE
        assert between(at[f"{name}/iris"], at[f"{name}/pupil"]) == pytest.approx(6, abs=TOLERANCE)
    assert len(inner.shapes) == 2
    assert len(inner.terms) == 3  # in_canvas for both circles, and touching


def test_a_shape_is_still_not_iterable() -> None:
    d = dg.Diagram(300, 200)
    group = d.include(eye(), "left")
    with pytest.raises(TypeError, match="not iterable"):
        _ = [*group]


def test_a_later_change_of_the_included_diagram_does_not_change_the_copy() -> None:
    d, inner = dg.Diagram(300, 200), eye()
    d.include(inner, "left")
    inner.circle(name="lid")
    assert "left/lid" not in [shape.name for shape in d.shapes]


def test_an_included_diagram_is_moved_and_scaled() -> None:
    inner = dg.Diagram(100, 100)
    inner.circle(10, -20, 5, name="dot", stroke_width=2, opacity=0.5)
    inner.line((0, 0), (10, 30), name="edge")
    inner.text("word", 4, 6, 8, name="word")
    inner.ellipse(1, 2, 3, 4, name="oval")
    inner.rectangle(-1, -2, 30, 40, name="box")
    d = dg.Diagram(1000, 1000)
    d.include(inner, "copy", x=100, y=200, scale=3)
    at, own = d.layout().values, inner.layout().values
    assert {key: at["copy/dot"][key] for key in ("x", "y", "r", "stroke_width", "opacity")} == {
        "x": 130, "y": 140, "r": 15, "stroke_width": 6, "opacity": 0.5,
    }  # fmt: skip
    assert {key: at["copy/edge"][key] for key in ("x1", "y1", "x2", "y2")} == {
        "x1": 100, "y1": 200, "x2": 130, "y2": 290,
    }  # fmt: skip
    assert {key: at["copy/word"][key] for key in ("x", "y", "size")} == {"x": 112, "y": 218, "size": 24}
    assert at["copy/word"]["width"] == pytest.approx(3 * own["word"]["width"])
    assert {key: at["copy/oval"][key] for key in ("x", "y", "rx", "ry")} == {
        "x": 103, "y": 206, "rx": 9, "ry": 12,
    }  # fmt: skip
    assert {key: at["copy/box"][key] for key in ("x", "y", "width", "height")} == {
        "x": 97, "y": 194, "width": 90, "height": 120,
    }  # fmt: skip


def test_the_optimiser_chooses_a_scale_within_its_bounds() -> None:
    d = dg.Diagram(400, 400)
    copy = d.include(eye(), "eye", x=0, y=0, scale=dg.unknown(high=2.5))
    d.encourage(dg.maximise(copy["iris"].r))
    layout = d.layout()
    assert layout.values["eye"]["scale"] == pytest.approx(2.5, abs=0.01)
    assert layout.values["eye/iris"]["r"] == pytest.approx(25, abs=0.1)


def test_an_unknown_scale_without_bounds_stays_positive() -> None:
    d = dg.Diagram(400, 400)
    copy = d.include(eye(), "eye", scale=dg.unknown())
    d.encourage(copy["iris"].r ** 2)
    assert d.layout().values["eye"]["scale"] == pytest.approx(0.1, abs=0.01)


def test_a_copy_stays_in_the_inner_canvas_and_its_group_in_the_outer_one() -> None:
    d = dg.Diagram(300, 200)
    copy = d.include(eye(), "eye")
    d.encourage((copy["iris"].x - 500) ** 2)
    layout = d.layout()
    assert layout.success
    assert layout.values["eye/iris"]["x"] == pytest.approx(140, abs=0.1)  # the canvas ends at 150
    assert layout.values["eye/iris"]["x"] - layout.values["eye"]["x_origin"] < 20 + TOLERANCE
    free = dg.Diagram(300, 200)
    group = free.include(eye(), "eye", in_canvas=False)
    free.ensure(group["iris"].x == 400)
    assert free.layout().success


def test_a_copy_of_plain_shapes_gets_a_place() -> None:
    inner = dg.Diagram(20, 20)
    inner.circle(0, 0, 5, name="dot")
    d = dg.Diagram(200, 200)
    one, other = d.include(inner, "one"), d.include(inner, "other")
    d.ensure(dg.at_distance(one["dot"], other["dot"], 30), one.y_origin == 12)
    layout = d.layout()
    assert layout.success
    at = layout.values
    assert between(at["one/dot"], at["other/dot"]) == pytest.approx(40, abs=TOLERANCE)
    assert at["one/dot"]["y"] == pytest.approx(12, abs=TOLERANCE)


def wheel() -> dg.Diagram:
    """Make a diagram of a circle whose radius is a parameter, and of a point on the circle."""
    d = dg.Diagram(100, 100)
    rim = d.circle(0, 0, d.parameter("radius", 20), name="rim")
    valve = d.circle(r=2, name="valve")
    d.ensure(dg.on_curve(valve, rim))
    return d


def test_parameters_of_an_included_diagram_are_parameters_of_the_outer_one() -> None:
    d = dg.Diagram(300, 200)
    d.include(wheel(), "front", x=50, y=0)
    d.include(wheel(), "back", x=-50, y=0)
    at = d.layout(parameters={"front_radius": 30}).values
    assert (at["front/rim"]["r"], at["back/rim"]["r"]) == (30, 20)
    assert between(at["front/rim"], at["front/valve"]) == pytest.approx(30, abs=TOLERANCE)


def test_parameters_of_an_included_diagram_can_be_given() -> None:
    d = dg.Diagram(300, 200)
    size = d.parameter("size", 10)
    d.include(wheel(), "front", x=50, y=0, parameters={"radius": size})
    d.include(wheel(), "back", x=-50, y=0, parameters={"radius": 15})
    assert [slot.key for slot in d.slots if slot.stage is None] == ["size"]
    at = d.layout(parameters={"size": 25}).values
    assert (at["front/rim"]["r"], at["back/rim"]["r"]) == (25, 15)
    assert between(at["front/rim"], at["front/valve"]) == pytest.approx(25, abs=TOLERANCE)


def test_violations_and_shapes_keep_the_lines_of_the_included_diagram() -> None:
    inner = dg.Diagram(100, 100)
    a, b = inner.circle(0, 0, 5, name="A"), inner.circle(3, 0, 5, name="B")
    inner.ensure(dg.disjoint(a, b))
    d = dg.Diagram(300, 200)
    copy = d.include(inner, "copy")
    line = test_violations_and_shapes_keep_the_lines_of_the_included_diagram.__code__.co_firstlineno
    [violation] = d.layout().violations
    assert (violation.relation, violation.line) == ("copy: disjoint(A, B)", line + 3)
    assert violation.by == pytest.approx(7)
    assert [shape.span.line if shape.span else 0 for shape in (copy["A"], copy)] == [line + 2, line + 5]


def test_lists_of_relations_point_to_the_copies() -> None:
    d = dg.Diagram(300, 200)
    d.circle(name="iris")
    d.include(eye(), "left")
    told = {term["words"]: term["shapes"] for term in compile_diagram(d, 0.0)["terms"]}
    assert told["left: touching(iris, pupil)"] == [1, 2]
    assert told["left: in_canvas(iris)"] == [1]
    assert told["in_canvas(left)"] == [3]


def test_stages_of_an_included_diagram_come_after_its_first_stage() -> None:
    inner = dg.Diagram(100, 100)
    dot = inner.circle(r=5, name="dot")
    with inner.stage("labels"):
        label = inner.text("dot", name="label")
        inner.ensure(dg.touching(label, dot))
    d = dg.Diagram(300, 200)
    with d.stage("labels"):
        d.circle(r=5, name="last")
    with d.stage("late"):
        d.include(inner, "late copy")
    d.include(inner, "copy")
    assert d.stages == ["", "labels", "late", "late copy/labels"]
    stages = {slot.key: slot.stage for slot in d.slots}
    assert (stages["copy/dot.x"], stages["copy/label.x"]) == (0, 1)
    assert (stages["late copy/dot.x"], stages["late copy/label.x"]) == (2, 3)
    assert d.layout().success


def test_expressions_and_bounds_of_an_included_diagram_hold() -> None:
    inner = dg.Diagram(100, 100)
    a, b = inner.circle(x=dg.unknown(low=3, high=4), r=5, name="a"), inner.circle(r=5, name="b")
    inner.ensure((a.y + 7 == b.y) & (a.x < b.x))
    d = dg.Diagram(300, 200)
    d.include(inner, "in", x=10, y=20, scale=2)
    layout = d.layout()
    assert layout.success
    at = layout.values
    assert at["in/b"]["y"] - at["in/a"]["y"] == pytest.approx(14, abs=2 * TOLERANCE)
    assert 16 - TOLERANCE < at["in/a"]["x"] < 18 + TOLERANCE


def test_shapes_of_a_diagram_inside_an_included_diagram_have_both_names() -> None:
    face = dg.Diagram(100, 100)
    eyes = [face.include(eye(), name, x=x, y=0, scale=0.5) for name, x in (("left", -25), ("right", 25))]
    face.group(*eyes, name="eyes")
    d = dg.Diagram(400, 200)
    anna, ben = d.include(face, "Anna", scale=2), d.include(face, "Ben")
    assert anna["left/iris"] is anna["left"]["iris"]
    assert anna["eyes"]["left"] is anna["left"]
    assert ben["right/pupil"].name == "Ben/right/pupil"
    d.ensure(dg.disjoint(anna, ben), anna.x_origin == -90, anna.y_origin == 0)
    layout = d.layout()
    assert layout.success
    at = layout.values
    assert at["Anna/left/iris"]["r"] == pytest.approx(10)
    assert at["Ben/left/iris"]["r"] == pytest.approx(5)
    assert between(at["Anna/left/iris"], at["Anna/left/pupil"]) == pytest.approx(6, abs=2 * TOLERANCE)
    assert at["Anna/right"]["x_origin"] - at["Anna/left"]["x_origin"] == pytest.approx(100)


def test_a_deep_nesting_needs_no_deep_python_stack() -> None:
    with few_nested_calls():
        d = dg.Diagram(100, 100)
        d.circle(0, 0, 1, name="o")
        for _ in range(MOST_CALLS + 50):
            outer = dg.Diagram(100, 100)
            outer.include(d, "d", x=0.01, y=0, in_canvas=False)
            d = outer
    name = "d/" * (MOST_CALLS + 50) + "o"
    assert d.shapes[0].name == name
    assert d.shapes[0].x == pytest.approx(0.01 * (MOST_CALLS + 50))


def test_ids_in_the_svg_are_the_names_of_the_copies() -> None:
    d = dg.Diagram(300, 200)
    d.include(eye(), "left")
    d.include(eye(), "right")
    root = ET.fromstring(d.layout().svg())  # noqa: S314
    assert [one.get("id") for one in root] == ["left/iris", "left/pupil", "right/iris", "right/pupil"]


def test_data_and_figures_of_a_nested_diagram_equal_the_original() -> None:
    d = dg.Diagram(300, 200)
    d.include(wheel(), "front", x=50, y=0)
    d.include(eye(), "eye")
    ours, theirs = (compile_diagram(one, 0.0) for one in (d, from_text(json.dumps(to_data(d)))))
    assert theirs["wasm"] == ours["wasm"]
    assert theirs["shapes"] == ours["shapes"]
    figure = eg.figure(d, kind="diagram", front_radius=eg.slider(10, 30, 20))
    assert figure is not None


def test_pulling_the_group_moves_all_its_shapes() -> None:
    d = dg.Diagram(300, 200)
    d.include(eye(), "left", x=dg.unknown(start=-50.0), y=dg.unknown(start=0.0))
    stepper = d.stepper()
    begin, step, attributes = (eg.compile(f) for f in (stepper.begin, stepper.step, stepper.attributes))
    rest = d.layout()
    home = [rest.unknowns[key] for key in stepper.unknowns]
    grip = stepper.grips.index(("left", ""))
    pulls, targets = [0.0] * len(stepper.grips), [0.0] * (2 * len(stepper.grips))
    pulls[grip] = 100.0
    targets[2 * grip : 2 * grip + 2] = [60.0, 30.0]
    given = (stepper.parameters, pulls, targets, [0.1] * len(home), home)
    state = begin(home, *given)
    for _ in range(100):
        state = step(state, 4.0, *given)
    numbers = dict(zip(stepper.names, attributes(state.x, stepper.parameters), strict=True))
    for axis, target in (("x", 60), ("y", 30)):
        origin = numbers["left", f"{axis}_origin"]
        assert origin == pytest.approx(target, abs=0.5)
        moved = origin - rest.values["left"][f"{axis}_origin"]
        for name in ("iris", "pupil"):
            way = numbers[f"left/{name}", axis] - rest.values[f"left/{name}"][axis]
            assert way == pytest.approx(moved, abs=0.5)


def test_shapes_of_a_nested_diagram_are_dragged_like_other_shapes(tmp_path: Path) -> None:
    d = dg.Diagram(300, 200)
    left, right = d.include(eye(), "left"), d.include(eye(), "right", scale=1.5)
    d.ensure(dg.disjoint(left, right, 10), left["pupil"].y == right["pupil"].y)
    compiled = compile_diagram(d, 0.0)
    wasm = base64.b64encode(compiled["wasm"]).decode()
    job = tmp_path / "nested.json"
    job.write_text(json.dumps([{**compiled, "wasm": wasm, "id": "nested", "starts": starts_of(d, 0)}]))
    done = find_node().run([SCRIPT, job, "30"])
    assert done.returncode == 0, done.stderr
    [told] = json.loads(done.stdout)
    assert len(told["drags"]) == 3 * len(d.shapes)
    assert sum(drag["broken"] for drag in told["drags"]) == told["loose"] == 0
    assert median(drag["kick"] for drag in told["drags"]) < MOST_KICK
    assert median(drag["hysteresis"] for drag in told["drags"]) < MOST_HYSTERESIS


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda d: d.include(d, "self"), "A diagram cannot include itself"),
        (lambda d: d.include("eye", "left"), "d.include takes a diagram, but it was given 'eye' (str)"),
        (lambda d: d.include(eye(), None), "The name of an included diagram must be a str that is not empty"),
        (lambda d: d.include(eye(), ""), "The name of an included diagram must be a str that is not empty"),
        (lambda d: d.include(dg.Diagram(5, 5), "none"), "The diagram none has no shapes"),
        (lambda d: d.include(eye(), "nose"), "Two shapes have the name nose"),
        (lambda d: (d.circle(name="l/iris"), d.include(eye(), "l")), "Two shapes have the name l/iris"),
        (lambda d: d.include(eye(), "l", scale=0), "The scale of l must be a positive number, but it is"),
        (lambda d: d.include(eye(), "l", scale=-2), "The scale of l must be a positive number, but it is"),
        (lambda d: d.include(eye(), "l", scale="big"), "The scale of l must be a positive number, but it is"),
        (lambda d: d.include(wheel(), "w", parameters={"radios": 1}), "The diagram w has no parameter radi"),
        (lambda d: d.include(wheel(), "w", parameters={"radius": "a"}), "radius of w must be a number"),
        (lambda d: d.include(eye(), "left")["lid"], "left has no shape lid. It has 'iris', 'pupil'"),
        (lambda d: d.ensure(dg.touching(d.shapes[0], eye().shapes[0])), "write d.include(other, "),
        (lambda d: d.group(dg.Diagram(9, 9).circle(0, 0, 1, name="dot")), "The shape dot belongs"),
    ],
)  # fmt: skip
def test_a_mistake_with_nested_diagrams_is_an_error_with_a_message(wrong: Any, told: str) -> None:
    d = dg.Diagram(200, 200)
    d.circle(r=5, name="nose")
    with pytest.raises(eg.EglantineError, match=re.escape(told)):
        wrong(d)


def test_a_relation_with_a_plain_shape_of_another_diagram_is_an_error() -> None:
    inner = dg.Diagram(50, 50)
    dot = inner.circle(0, 0, 5, name="dot")
    d = dg.Diagram(200, 200)
    c = d.circle(r=5, name="c")
    for relation in (dg.touching(c, dot), dg.horizontal((c, dot))):
        with pytest.raises(eg.TypeMismatchError, match="The shape dot belongs to another diagram"):
            d.ensure(relation)
        with pytest.raises(eg.TypeMismatchError, match="The shape dot belongs to another diagram"):
            d.encourage(relation)
