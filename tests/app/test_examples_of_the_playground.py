"""The playground's example programs print the right numbers."""

from __future__ import annotations

import asyncio
import json
import math
import re
from typing import Any

import pytest

from app.playground.service import Service
from tools.bootstrap import ROOT

PROGRAMS = {path.stem: path.read_text() for path in sorted((ROOT / "static" / "programs").glob("*.py"))}
IN_A_BROWSER = {"digits"}
"""Examples that install packages."""


class Ran:
    """Runs an example program, and keeps its result and its printed output."""

    def __init__(self, name: str) -> None:
        notes: list[str] = []
        self.service = Service(notes.append)
        self.reply = self.ask("run", PROGRAMS[name])
        self.printed = "".join(json.loads(note)["printed"] for note in notes)

    def ask(self, method: str, *args: Any) -> Any:
        return json.loads(asyncio.run(self.service.ask(method, list(args)))[0])

    def numbers(self) -> list[float]:
        """All numbers that were printed, in order."""
        return [float(x) for x in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", self.printed)]


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - IN_A_BROWSER))
def test_every_function_of_an_example_can_be_shown_and_called_in_every_way(name: str) -> None:
    ran = Ran(name)
    assert ran.reply["ok"], ran.reply
    assert ran.reply["functions"]
    for f in ran.reply["functions"]:
        samples = [param["sample"] for param in f["params"]]
        for kind in f["kinds"]:
            shown = ran.ask("show", f["name"], kind)
            assert shown["ok"], shown
            assert shown["places"], "some of its rows have places in the text"
            if f["name"] != "step" or kind == "value":
                called = ran.ask("call", f["name"], kind, samples)
                assert called["ok"], called


def test_the_power_example_prints_the_right_derivatives() -> None:
    value, dx, dy, dxx = Ran("power").numbers()[:4]
    assert value == pytest.approx(8 + 3 * math.sin(2))
    assert dx == pytest.approx(12 + 3 * math.cos(2))
    assert dy == pytest.approx(8 * math.log(2) + math.sin(2))
    assert dxx == pytest.approx(12 - 3 * math.sin(2))


def test_newtons_root_has_the_derivative_of_the_cube_root() -> None:
    root, slope, expected = Ran("newton").numbers()
    assert root == pytest.approx(2 ** (1 / 3), rel=1e-15)
    assert slope == pytest.approx(expected, rel=1e-12)


def test_the_shot_comes_closer_if_it_follows_the_gradient() -> None:
    ran = Ran("billiards")
    off, slope = ran.numbers()
    h = 1e-5
    nearer = ran.ask("call", "miss", "value", [str(0.2 - math.copysign(h, slope))])
    assert float(nearer["value"]) == pytest.approx(off - h * abs(slope), abs=1e-8)


def test_the_pendulums_derivative_agrees_with_a_difference() -> None:
    ran = Ran("pendulum")
    seconds, _, slope = ran.numbers()
    assert seconds == 2.0
    h = 1e-5
    longer, shorter = (
        float(ran.ask("call", "swing", "value", ["0.5", str(1 + d)])["value"]) for d in (h, -h)
    )
    assert slope == pytest.approx((longer - shorter) / (2 * h), rel=1e-6)


def test_the_networks_loss_falls() -> None:
    losses = Ran("network").numbers()
    assert losses[-1] < 0.01 < losses[0]
    assert losses == sorted(losses, reverse=True)


def test_the_derivative_of_a_fixed_point_follows_the_implicit_theorem() -> None:
    x, slope, theorem = Ran("fixed_point").numbers()
    assert x == pytest.approx(math.cos(0.9 * x), abs=1e-12)
    assert slope == pytest.approx(theorem, rel=1e-10)


def test_the_mandelbrot_picture_is_symmetric() -> None:
    lines = Ran("mandelbrot").printed.splitlines()[:11]
    assert lines == lines[::-1]
    assert len(set(lines)) > 4


def test_the_maxout_network_learns_a_circle() -> None:
    before, after, end = Ran("maxout").numbers()
    assert before > 0.5
    assert end <= after < 0.15
