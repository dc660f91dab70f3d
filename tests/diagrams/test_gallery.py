"""Each diagram of the gallery can be laid out, has a short program, and shows what its title claims.

Both layouts are tested: the layout of `Diagram.layout`, and the first layout that the page shows.
"""

from __future__ import annotations

import base64
import json
import math
import runpy
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from app.diagrams.listing import gallery_diagram
from eglantine import diagrams as dg
from tools.node import find_node

FIRST_LAYOUTS = Path(__file__).with_name("first_layouts.mjs")
FOLDER = Path(__file__).resolve().parents[2] / "app" / "diagrams" / "gallery"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
CLOSE = 5e-3

Values = dict[str, dict[str, Any]]
Point = tuple[float, float]


@cache
def laid_out(name: str) -> dg.Layout:
    diagram = runpy.run_path(str(FOLDER / f"{name}.py"))["d"]
    layout: dg.Layout = diagram.layout()
    return layout


@pytest.fixture(scope="module")
def on_page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Run first_layouts.mjs, which lays out the gallery with the page's code. Return its results by name."""
    job = tmp_path_factory.mktemp("gallery") / "diagrams.json"
    diagrams = [{**gallery_diagram(name, None), "id": name} for name in NAMES]
    packed = [{**one, "wasm": base64.b64encode(one["wasm"]).decode()} for one in diagrams]
    job.write_text(json.dumps(packed), encoding="utf-8")
    done = find_node().run([FIRST_LAYOUTS, job])
    assert done.returncode == 0, done.stderr
    return {one["id"]: one for one in json.loads(done.stdout)}


def at(v: Values, name: str) -> Point:
    return v[name]["x"], v[name]["y"]


def apart(v: Values, a: str, b: str) -> float:
    """The gap between two circles."""
    return math.dist(at(v, a), at(v, b)) - v[a]["r"] - v[b]["r"]


def ends(v: Values, line: str) -> tuple[Point, Point]:
    return (v[line]["x1"], v[line]["y1"]), (v[line]["x2"], v[line]["y2"])


def vector(v: Values, line: str) -> Point:
    (ax, ay), (bx, by) = ends(v, line)
    return bx - ax, by - ay


def angle(u: Point, w: Point) -> float:
    """The angle between two vectors in degrees."""
    return math.degrees(math.acos((u[0] * w[0] + u[1] * w[1]) / math.hypot(*u) / math.hypot(*w)))


def boxes_apart(v: Values, a: str, b: str) -> float:
    dx = abs(v[a]["x"] - v[b]["x"]) - (v[a]["width"] + v[b]["width"]) / 2
    dy = abs(v[a]["y"] - v[b]["y"]) - (v[a]["height"] + v[b]["height"]) / 2
    return math.hypot(dx, dy) if dx > 0 and dy > 0 else max(dx, dy)


def euler_sets(v: Values) -> None:
    for inner, outer in (("Dogs", "Mammals"), ("Birds", "Animals"), ("Cats", "Mammals")):
        assert math.dist(at(v, inner), at(v, outer)) + v[inner]["r"] <= v[outer]["r"] - 6 + CLOSE
    assert apart(v, "Mammals", "Birds") >= 4 - CLOSE
    assert apart(v, "Pets", "Birds") <= -18 + CLOSE


def tangent_circles(v: Values) -> None:
    for a, b in combinations(("A", "B", "C", "inner"), 2):
        assert apart(v, a, b) == pytest.approx(0, abs=CLOSE)
    curvatures = [1 / v[name]["r"] for name in "ABC"]  # Descartes' theorem
    pairs = sum(p * q for p, q in combinations(curvatures, 2))
    assert 1 / v["inner"]["r"] == pytest.approx(sum(curvatures) + 2 * math.sqrt(pairs), rel=1e-3)
    assert -1 / v["outer"]["r"] == pytest.approx(sum(curvatures) - 2 * math.sqrt(pairs), rel=1e-3)


def commutative_square(v: Values) -> None:
    assert v["A"]["y"] == pytest.approx(v["B"]["y"], abs=CLOSE)
    assert v["A"]["x"] == pytest.approx(v["C"]["x"], abs=CLOSE)
    for name, (a, b) in {"f": "AB", "g": "AC", "h": "BD", "k": "CD", "m": "AD"}.items():
        way = at(v, b)[0] - at(v, a)[0], at(v, b)[1] - at(v, a)[1]
        assert angle(vector(v, name), way) < 1


def labelled_graph(v: Values) -> None:
    def turn(p: Point, q: Point, r: Point) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    lines = [name for name, values in v.items() if "x2" in values]
    crossings = 0
    for one, other in combinations(lines, 2):
        if not set(one) & set(other):
            (p, q), (r, s) = ends(v, one), ends(v, other)
            crossings += turn(p, q, r) != turn(p, q, s) and turn(r, s, p) != turn(r, s, q)
    assert crossings == 0


def family_tree(v: Values) -> None:
    for children, parent in (
        (("Bo", "Cy", "Di"), "Ada"),
        (("Ed", "Flo"), "Bo"),
        (("Gus", "Hal", "Ida"), "Di"),
    ):
        for child in children:
            assert v[parent]["y"] - v[child]["y"] == pytest.approx(85, abs=CLOSE)
        for left, right in pairwise(children):
            assert boxes_apart(v, left, right) >= 8 - CLOSE


def circuit(v: Values) -> None:
    corners = ["left", "top", "right", "bottom"]
    for wire, after in zip(corners, [*corners[1:], "left"], strict=True):
        assert math.dist(ends(v, wire)[1], ends(v, after)[0]) < CLOSE
        assert angle(vector(v, wire), vector(v, after)) == pytest.approx(90, abs=0.01)
    assert boxes_apart(v, "label R", "resistor") >= 6 - CLOSE


def lens(v: Values) -> None:
    distance = v["image"]["x1"]
    assert 1 / 130 + 1 / distance == pytest.approx(1 / 60, rel=1e-3)
    assert v["image"]["y2"] / 40 == pytest.approx(-distance / 130, rel=1e-3)


def free_body(v: Values) -> None:
    forces = [vector(v, name) for name in ("weight", "normal force", "friction")]
    assert sum(x for x, _ in forces) == pytest.approx(0, abs=CLOSE)
    assert sum(y for _, y in forces) == pytest.approx(0, abs=CLOSE)
    assert math.hypot(*forces[2]) / math.hypot(*forces[1]) == pytest.approx(math.tan(0.5), rel=1e-3)


def water_molecule(v: Values) -> None:
    bonds = [(v[h]["x"] - v["O"]["x"], v[h]["y"] - v["O"]["y"]) for h in ("H1", "H2")]
    assert angle(*bonds) == pytest.approx(104.5, abs=0.1)


def nine_point_circle(v: Values) -> None:
    circle = v["nine-point circle"]
    on_it = [name for name in v if name.startswith(("middle", "foot"))]
    assert len(on_it) == 6
    for name in on_it:  # no relation puts the altitudes' feet on the circle, but Feuerbach's theorem does
        assert math.dist(at(v, name), (circle["x"], circle["y"])) == pytest.approx(circle["r"], abs=0.02)


def circle_packing(v: Values) -> None:
    discs = [name for name in v if name.startswith("packed")]
    for a, b in combinations(discs, 2):
        assert apart(v, a, b) >= -CLOSE
    area = sum(v[name]["r"] ** 2 for name in discs)
    assert area / v["disc"]["r"] ** 2 > 0.7


def words_are_apart(names: list[str], gap: float) -> Callable[[Values], None]:
    def check(v: Values) -> None:
        for a, b in combinations(names or [name for name in v if "size" in v[name]], 2):
            assert boxes_apart(v, a, b) >= gap - CLOSE

    return check


def box_model(v: Values) -> None:
    boxes = ["margin", "border", "padding", "content"]
    for outer, inner in pairwise(boxes):
        assert v[outer]["width"] - v[inner]["width"] == pytest.approx(52, abs=CLOSE)
        assert at(v, outer) == pytest.approx(at(v, inner), abs=CLOSE)


def planets(v: Values) -> None:
    for name, year in {"Mercury": 0.241, "Venus": 0.615, "Earth": 1.0, "Mars": 1.881}.items():
        assert math.hypot(*at(v, name)) ** 3 / year**2 == pytest.approx(1e6, rel=1e-3)


def neural_network(v: Values) -> None:
    for k, n in enumerate((3, 5, 4, 2)):
        places = [at(v, f"neuron {k}.{j}") for j in range(n)]
        for (x, y), (u, w) in pairwise(places):
            assert (x, y - 44) == pytest.approx((u, w), abs=CLOSE)


def latin_square(v: Values) -> None:
    for i in range(4):
        for j in range(1, 4):
            assert v[f"cell {i}{j}"]["x"] - v[f"cell {i}{j - 1}"]["x"] == pytest.approx(58, abs=CLOSE)


def pythagoras(v: Values) -> None:
    def area(name: str) -> float:
        square = v[f"square {name}"]
        corners = [(square[f"x{k}"], square[f"y{k}"]) for k in range(1, 5)]
        return (
            abs(
                sum(
                    a[0] * b[1] - b[0] * a[1]
                    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
                )
            )
            / 2
        )

    assert area("BC") == pytest.approx(14400, rel=1e-3)
    assert area("BC") + area("CA") == pytest.approx(area("AB"), rel=1e-3)


def steiner_tree(v: Values) -> None:
    towards = [
        (at(v, "A")[0] - at(v, "left")[0], at(v, "A")[1] - at(v, "left")[1]),
        (at(v, "B")[0] - at(v, "left")[0], at(v, "B")[1] - at(v, "left")[1]),
        (at(v, "right")[0] - at(v, "left")[0], at(v, "right")[1] - at(v, "left")[1]),
    ]
    for one, other in combinations(towards, 2):
        assert angle(one, other) == pytest.approx(120, abs=0.5)


def hanging_chain(v: Values) -> None:
    points = [(v["chain"][f"x{k}"], v["chain"][f"y{k}"]) for k in range(1, 18)]
    for p, q in pairwise(points):
        assert math.dist(p, q) == pytest.approx(26, abs=0.02)
    slopes = [(q[1] - p[1]) / (q[0] - p[0]) for p, q in pairwise(points)]
    # in a hanging chain with equal links, the slopes of neighbouring links differ by equal amounts
    steps = [b - a for a, b in pairwise(slopes)]
    assert max(steps) / min(steps) < 1.25


def seven_coins(v: Values) -> None:
    for k in range(1, 7):
        assert apart(v, "middle", f"coin {k}") == pytest.approx(0, abs=CLOSE)
        assert v[f"coin {k}"]["r"] == pytest.approx(40, abs=CLOSE)
    nearest = sorted(apart(v, f"coin {a}", f"coin {b}") for a, b in combinations(range(1, 7), 2))[:6]
    assert nearest == pytest.approx([0] * 6, abs=0.1)


def incircle(v: Values) -> None:
    a, b, c = (math.dist(at(v, p), at(v, q)) for p, q in ("BC", "CA", "AB"))
    s = (a + b + c) / 2
    area = math.sqrt(s * (s - a) * (s - b) * (s - c))
    assert v["incircle"]["r"] == pytest.approx(area / s, abs=0.3)  # the sides are half a unit thick
    assert v["circumcircle"]["r"] == pytest.approx(a * b * c / 4 / area, rel=1e-3)


def flowchart(v: Values) -> None:
    order = ["start", "guess x", "f(x) small?", "print x"]
    for upper, lower in pairwise(order):
        assert v[upper]["y"] - v[lower]["y"] >= 70 - CLOSE
    assert v["print x"]["x"] - v["f(x) small?"]["x"] == pytest.approx(
        v["f(x) small?"]["x"] - v["x − f / f′"]["x"], abs=CLOSE
    )


def island(v: Values) -> None:
    trees = [name for name in v if name.startswith("tree")]
    for a, b in combinations(trees, 2):
        assert apart(v, a, b) >= 4 - CLOSE


def map_labels(v: Values) -> None:
    towns = [name for name in v if not name.startswith("label")]
    words_are_apart([f"label {name}" for name in towns], 2)(v)
    for name in towns:
        assert math.dist(at(v, name), at(v, f"label {name}")) < 50


def gears(v: Values) -> None:
    for k in range(1, 4):
        assert apart(v, f"gear {k}", f"gear {k + 1}") == pytest.approx(0, abs=CLOSE)
    assert apart(v, "gear 1", "gear 3") >= 6 - CLOSE


CLAIMS: dict[str, Callable[[Values], None]] = {
    claim.__name__: claim
    for claim in (
        euler_sets, tangent_circles, commutative_square, labelled_graph, family_tree, circuit, lens,
        free_body, water_molecule, nine_point_circle, circle_packing, box_model, planets,
        neural_network, latin_square, pythagoras, steiner_tree, hanging_chain, seven_coins, incircle,
        flowchart, island, map_labels, gears,
    )
}  # fmt: skip
CLAIMS |= {"word_cloud": words_are_apart([], 3), "timeline": words_are_apart([], 4)}


def test_each_of_the_two_dozen_diagrams_has_a_claim() -> None:
    assert len(NAMES) >= 24
    assert set(NAMES) == set(CLAIMS)


@pytest.mark.parametrize("name", NAMES)
def test_every_relation_and_the_claim_of_a_diagram_hold(name: str) -> None:
    layout = laid_out(name)
    assert layout.violations == []
    CLAIMS[name](layout.values)


@pytest.mark.parametrize("name", NAMES)
def test_every_relation_and_the_claim_of_a_diagram_hold_on_the_page(
    name: str, on_page: dict[str, dict[str, Any]]
) -> None:
    assert on_page[name]["missed"] == {}
    CLAIMS[name](on_page[name]["values"])


def test_the_timeline_replays_all_stages_and_ends_with_the_first_layout(
    on_page: dict[str, dict[str, Any]],
) -> None:
    stages = {name: one["stages"] for name, one in on_page.items()}
    assert stages == {name: ["", "labels"] if name == "labelled_graph" else [""] for name in NAMES}
    of_nodes, of_labels = on_page["labelled_graph"]["moved"]
    assert of_nodes == [f"{node}.{axis}" for node in "abcdefgh" for axis in "xy"]
    assert of_labels == [f"label {node}.{axis}" for node in "abcdefgh" for axis in "xy"]
    assert [name for name, one in on_page.items() if not one["isReplayed"]] == []


def test_relations_hold_after_an_edit_that_changes_nothing(on_page: dict[str, dict[str, Any]]) -> None:
    assert [name for name, one in on_page.items() if not one["isKept"]] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_program_of_a_diagram_is_short_and_begins_with_a_description(name: str) -> None:
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert text.startswith('"""')
