"""Tests of the language of diagrams: unknowns, relations, stages, initial values and errors."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest

import eglantine as eg
from eglantine import diagrams as dg


def test_missing_numbers_are_found_and_given_numbers_do_not_change() -> None:
    d = dg.Diagram(300, 200)
    a, b = d.circle(r=40, name="A"), d.circle(x=50, y=0, r=25, name="B")
    d.ensure(dg.touching(a, b))
    values = d.layout().values
    assert values["A"]["r"] == 40
    assert (values["B"]["x"], values["B"]["y"]) == (50, 0)
    assert math.hypot(values["A"]["x"] - 50, values["A"]["y"]) == pytest.approx(65, abs=1e-3)


def test_shapes_with_unknowns_stay_in_the_canvas() -> None:
    d = dg.Diagram(100, 60)
    c = d.circle(r=20, name="C")
    d.encourage(dg.maximise(c.x))
    assert d.layout().values["C"]["x"] == pytest.approx(30, abs=0.01)


def test_a_shape_may_leave_the_canvas_if_in_canvas_is_false() -> None:
    d = dg.Diagram(100, 60)
    c = d.circle(r=20, name="C", in_canvas=False)
    d.ensure(c.x > 80)
    layout = d.layout()
    assert layout.success
    assert layout.values["C"]["x"] > 79.99


def test_ensure_and_encourage_take_any_expression() -> None:
    d = dg.Diagram(200, 200)
    p = d.circle(r=3, name="p")
    d.ensure(eg.math.exp(p.x / 50) - 2, p.y + p.x == 40)
    d.encourage((p.x - 10) ** 2)
    at = d.layout().values["p"]
    assert at["x"] == pytest.approx(50 * math.log(2), abs=0.01)
    assert at["y"] == pytest.approx(40 - at["x"], abs=2e-3)


def test_all_comparisons_that_are_joined_by_and_hold() -> None:
    d = dg.Diagram(200, 200)
    p = d.circle(r=3, name="p")
    d.ensure((p.x > 20) & (p.x < 21) & (p.y >= 50))
    at = d.layout().values["p"]
    assert 19.99 < at["x"] < 21.01
    assert at["y"] > 49.99


def test_violated_relations_are_listed_with_their_lines_and_amounts() -> None:
    d = dg.Diagram(200, 200)
    a, b = d.circle(r=50, name="A"), d.circle(r=70, name="B")
    d.ensure(dg.disjoint(a, b))
    d.ensure(dg.contains(b, a))
    layout = d.layout(tries=1)
    assert not layout.success
    told = {violation.relation: violation for violation in layout.violations}
    line = test_violated_relations_are_listed_with_their_lines_and_amounts.__code__.co_firstlineno
    assert told["disjoint(A, B)"].line == line + 3
    assert told["contains(B, A)"].line == line + 4
    assert told["disjoint(A, B)"].by > 1


def test_same_seed_gives_the_same_layout_and_another_seed_another() -> None:
    def laid_out(seed: int) -> dict[str, float]:
        d = dg.Diagram(300, 300, seed=seed)
        for name in "abc":
            d.circle(r=10, name=name)
        return d.layout().unknowns

    assert laid_out(1) == laid_out(1)
    assert laid_out(1) != laid_out(2)


def test_a_new_shape_does_not_change_the_starts_of_other_shapes() -> None:
    def starts(names: str) -> dict[str, float]:
        d = dg.Diagram(300, 300)
        for name in names:
            d.circle(r=10, name=name)
        return dict(zip([slot.key for slot in d.slots], d.starts(0), strict=True))

    assert starts("ab").items() <= starts("abc").items()


def test_a_start_that_satisfies_all_relations_is_the_layout() -> None:
    d = dg.Diagram(300, 200)
    a, b = d.circle(r=30, name="A"), d.circle(r=20, name="B")
    d.ensure(dg.disjoint(a, b, 5))
    first = d.layout()
    again = d.layout(start=first)
    by_values = d.layout(start={"A": first.values["A"], "B": first.values["B"]})
    for key, value in first.unknowns.items():
        assert again.unknowns[key] == pytest.approx(value, abs=1e-6)
        assert by_values.unknowns[key] == pytest.approx(value, abs=1e-6)


def test_later_stages_do_not_move_shapes_of_earlier_stages() -> None:
    def diagram(labelled: bool) -> dg.Diagram:
        d = dg.Diagram(300, 200)
        a, b = d.circle(r=30, name="A"), d.circle(r=20, name="B")
        d.ensure(dg.touching(a, b))
        if labelled:
            with d.stage("labels"):
                label = d.text("label", name="label")
                d.ensure(dg.disjoint(label, a, 2), dg.disjoint(label, b, 2))
        return d

    plain, labelled = diagram(False).layout(), diagram(True).layout()
    assert labelled.success
    assert plain.unknowns.items() <= labelled.unknowns.items()


def test_the_value_of_a_parameter_is_passed_to_layout() -> None:
    d = dg.Diagram(300, 200)
    r = d.parameter("radius", 20)
    c = d.circle(0, 0, r, name="C")
    p = d.circle(r=2, name="p")
    d.ensure(dg.on_curve(p, c))
    for radius in (20, 35):
        values = d.layout(parameters={"radius": radius}).values
        assert values["C"]["r"] == radius
        assert math.hypot(values["p"]["x"], values["p"]["y"]) == pytest.approx(radius, abs=1e-3)
    with pytest.raises(eg.TypeMismatchError, match="no parameter radios"):
        d.layout(parameters={"radios": 1})


def test_an_unknown_may_have_a_start_and_bounds() -> None:
    d = dg.Diagram(300, 200)
    d.circle(0, 0, dg.unknown(30, low=10, high=40), name="C")
    assert d.layout().values["C"]["r"] == pytest.approx(30, abs=1e-3)
    e = dg.Diagram(300, 200)
    c = e.circle(0, 0, dg.unknown(low=10, high=40), name="C")
    e.encourage(dg.maximise(c.r))
    assert e.layout().values["C"]["r"] == pytest.approx(40, abs=1e-3)


def test_a_style_may_contain_unknowns() -> None:
    d = dg.Diagram(100, 100)
    c = d.circle(0, 0, 10, name="C", opacity=dg.unknown(), stroke_width=dg.unknown(1, 0, 9))
    d.ensure(c.opacity == 0.25, c.stroke_width == 3)
    values = d.layout().values["C"]
    assert values["opacity"] == pytest.approx(0.25, abs=1e-3)
    assert values["stroke_width"] == pytest.approx(3, abs=1e-3)


def test_svg_is_well_formed_and_names_shapes_in_drawing_order() -> None:
    d = dg.Diagram(200, 100)
    d.circle(0, 0, 10, name="over & above", layer=1)
    d.rectangle(0, 0, 30, 20, name="under")
    d.line((0, 0), (10, 10), name="arrow", arrow="both")
    d.path([(0, 0), (10, 0), (20, 10), (30, 0)], name="curve")
    d.image("data:,", 0, 0, 5, 5, name="picture")
    d.text("a < b", 0, 0, name="words")
    root = ET.fromstring(d.layout().svg())  # noqa: S314
    ids = [element.get("id") for element in root]
    assert ids == ["under", "arrow", "curve", "picture", "words", "over & above"]
    assert root.get("viewBox") == "-100 -50 200 100"
    assert d._repr_svg_() == d.layout()._repr_svg_()


def test_a_group_is_the_bounding_box_of_its_members() -> None:
    d = dg.Diagram(300, 200)
    g = d.group(d.circle(0, 10, 5), d.rectangle(20, 0, 10, 40), name="both")
    c = d.circle(r=10, name="C")
    d.ensure(dg.left_of(c, g, 5))
    values = d.layout().values
    assert values["both"]["width"] == 30
    assert values["both"]["height"] == 40
    assert values["C"]["x"] <= -20 + 1e-3


def test_diagram_without_unknowns_has_a_layout() -> None:
    d = dg.Diagram(10, 10)
    d.circle(0, 0, 3)
    assert d.layout().success
    assert dg.Diagram(10, 10).layout().values == {}


def test_new_context_can_trace_loops_over_attributes() -> None:
    d = dg.Diagram(200, 200)
    cs = [d.circle(r=5, name=n) for n in "abc"]
    d.ensure(eg.norm([cs[0].x - cs[1].x, cs[0].y - cs[1].y]) - 60)
    assert d.layout().success


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda d, c: d.circle(radius=3), "no attribute radius. It takes 'x', 'y', 'r'"),
        (lambda d, c: d.circle(name="C"), "Two shapes have the name C"),
        (lambda d, c: c.width, "has no attribute width. It has 'x', 'y', 'r'"),
        (lambda d, c: d.ensure(dg.near(c, (0, 0))), "near(C, a point) cannot be ensured"),
        (lambda d, c: d.ensure(True), "d.ensure takes a relation"),
        (lambda d, c: d.ensure((c.x > 0) | (c.y > 0)), "This condition cannot be ensured"),
        (lambda d, c: d.circle(x="left"), "must be a number"),
        (lambda d, c: d.polyline(1), "At least 2 points are needed here, but there are 1"),
        (lambda d, c: d.path(5), "A path has 4, 7, 10"),
        (lambda d, c: d.group(), "at least one shape"),
        (lambda d, c: dg.disjoint(c, 3), "needs a shape or a point"),
        (lambda d, c: dg.horizontal(c), "dg.horizontal needs a line or a pair of points"),
        (lambda d, c: dg.same_size(c, d.text("a")), "have different kinds"),
        (lambda d, c: d.layout(method="adam"), "must be 'exterior-point'"),
        (lambda d, c: dg.Diagram(0, 10), "The width of a diagram must be a positive number"),
        (lambda d, c: dg.disjiont, "disjoint"),
        (lambda d, c: bool(c.x > 0), "Python asked for the truth"),
        (lambda d, c: d.text(3), "d.text shows a str"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_diagram_is_an_error_with_a_message(wrong: object, told: str) -> None:
    d = dg.Diagram(100, 100)
    c = d.circle(name="C")
    with pytest.raises(eg.EglantineError) as caught:
        wrong(d, c)  # type: ignore[operator]
    assert told in str(caught.value)


def test_a_staged_stepper_solves_one_stage_or_all_stages() -> None:
    d = dg.Diagram(300, 200)
    p = d.circle(r=3, y=0, name="p")
    d.encourage((p.x - 10) ** 2)
    with d.stage("later"):
        q = d.circle(r=3, y=0, name="q")
        d.encourage((q.x - p.x) ** 2)
        d.encourage((q.x + 10) ** 2)
    with d.stage("nothing new"):
        d.encourage(100 * (p.x - 50) ** 2, weight=0)
    stepper = d.stepper(staged=True, descent=1e-12)
    assert d.stepper().stages == ()
    assert stepper.stages == ("", "later")
    begin, step = eg.compile(stepper.begin), eg.compile(stepper.step)

    def solved(x: list[float], stage: float) -> list[float]:
        grips = len(stepper.grips)
        given = ([], [0.0] * grips, [0.0] * 2 * grips, [0.0, 0.0], x, stage)
        return list(step(begin(x, *given), 1000.0, *given).x)

    first = solved([30.0, 40.0], 1.0)
    assert first == [pytest.approx(10, abs=1e-5), 40.0]
    # the minimum of (q − 10)² + (q + 10)² is at 0
    assert solved(first, 2.0) == [first[0], pytest.approx(0, abs=1e-5)]
    # at the minimum of (p − 10)² + (q − p)² + (q + 10)², 2p − q = 10 and 2q − p = −10
    assert solved(first, 0.0) == pytest.approx([10 / 3, -10 / 3], abs=1e-5)


def test_mixing_numbers_of_two_diagrams_is_an_error() -> None:
    d, e = dg.Diagram(100, 100), dg.Diagram(100, 100)
    a, b = d.circle(name="A"), e.circle(name="B")
    with pytest.raises(eg.EscapedTracerError):
        a.x - b.x


def test_a_stepper_moves_a_dragged_shape_and_satisfies_the_relations() -> None:
    d = dg.Diagram(300, 200)
    a, b = d.circle(r=30, name="A"), d.circle(r=20, name="B")
    label = d.text("label", x=b.x, y=b.y, name="label")
    d.ensure(dg.touching(a, b))
    d.encourage(dg.centred(a), weight=0.01)
    stepper = d.stepper()
    begin, step, attributes = (eg.compile(f) for f in (stepper.begin, stepper.step, stepper.attributes))
    assert stepper.shapes == ("A", "B", "label")
    pulls, targets = [0.0, 0.0, 50.0], [0.0, 0.0, 0.0, 0.0, 80.0, -40.0]
    given = (stepper.parameters, pulls, targets, [0.0] * len(stepper.starts), stepper.starts)
    state = begin(stepper.starts, *given)
    for _ in range(300):
        state = step(state, 4.0, *given)
    assert state.status == 1
    numbers = dict(zip(stepper.names, attributes(state.x, stepper.parameters), strict=True))
    assert label.x is b.x
    assert numbers["label", "x"] == pytest.approx(80, abs=0.1)
    assert numbers["label", "y"] == pytest.approx(-40, abs=0.1)
    gap = math.hypot(numbers["A", "x"] - numbers["B", "x"], numbers["A", "y"] - numbers["B", "y"])
    assert gap == pytest.approx(50, abs=1e-3)
