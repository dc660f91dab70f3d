"""While a shape is dragged away and back, other shapes move little. The tests run the page's own code.

Nightly runs drag shapes of every diagram in the gallery. Other runs drag a few shapes of some diagrams.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from app.diagrams.listing import NAMES, gallery_diagram
from tests.seeds import NIGHTLY
from tools.node import find_node

SCRIPT = Path(__file__).with_name("drags.mjs")
USUAL = ("euler_sets", "free_body", "gears", "steiner_tree", "tangent_circles", "timeline")
DIAGRAMS = NAMES if NIGHTLY else USUAL
MOST_SHAPES = 30 if NIGHTLY else 7
CROWDS = {"circle_packing", "word_cloud"}
"""Diagrams to which the limits below do not apply. Their shapes are packed so closely that one has to jump
over another."""
MOST_KICK = 2.0
"""The limit of the distance that a shape which is not dragged moves between two frames, divided by the
pointer's distance."""
MOST_HYSTERESIS = 0.01
"""The limit of a shape's distance from its start after the pointer has returned, divided by the canvas's
diagonal."""

Drag = dict[str, Any]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run drags.mjs, which drags shapes of the diagrams. Return its results for each diagram."""
    job = tmp_path_factory.mktemp("drags") / "diagrams.json"
    diagrams = [{**gallery_diagram(name, None), "id": name} for name in DIAGRAMS]
    packed = [{**one, "wasm": base64.b64encode(one["wasm"]).decode()} for one in diagrams]
    job.write_text(json.dumps(packed), encoding="utf-8")
    done = find_node().run([SCRIPT, job, str(MOST_SHAPES)])
    assert done.returncode == 0, done.stderr
    return {one["id"]: one for one in json.loads(done.stdout)}


@pytest.fixture(scope="module")
def drags(told: dict[str, Any]) -> dict[str, list[Drag]]:
    """The drags of each diagram."""
    return {name: one["drags"] for name, one in told.items()}


def medians(drags: dict[str, list[Drag]], what: str) -> dict[str, float]:
    return {name: median(drag[what] for drag in each) for name, each in drags.items()}


def test_every_relation_that_held_before_a_drag_holds_at_its_end(drags: dict[str, list[Drag]]) -> None:
    assert {name: sum(drag["broken"] for drag in each) for name, each in drags.items()} == dict.fromkeys(
        DIAGRAMS, 0
    )


def test_every_relation_holds_after_a_shape_was_let_go(told: dict[str, Any]) -> None:
    assert {name: one["loose"] for name, one in told.items()} == dict.fromkeys(DIAGRAMS, 0)


def test_other_shapes_do_not_jump_while_one_is_dragged(drags: dict[str, list[Drag]]) -> None:
    kicks = medians(drags, "kick")
    assert {name: kick for name, kick in kicks.items() if kick >= MOST_KICK and name not in CROWDS} == {}
    assert median(kicks.values()) < MOST_KICK


def test_shapes_return_when_the_pointer_returns(drags: dict[str, list[Drag]]) -> None:
    ways = medians(drags, "hysteresis")
    assert {name: way for name, way in ways.items() if way >= MOST_HYSTERESIS and name not in CROWDS} == {}


def test_a_shape_that_may_move_freely_follows_the_pointer(drags: dict[str, list[Drag]]) -> None:
    assert median(drag["gap"] for drag in drags["euler_sets"]) < 1.0
    assert median(drag["gap"] for drag in drags["tangent_circles"]) < 1.0
