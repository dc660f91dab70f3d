"""A diagram that was sent as data compiles to the original's bytes. Forged data raise an error."""

from __future__ import annotations

import json
from typing import Any

import pytest

import eglantine as eg
from app.diagrams.compiling import compile_diagram
from app.diagrams.listing import NAMES, _diagram
from eglantine import diagrams as dg
from eglantine.diagrams.exchange import from_text, to_data
from eglantine.ir.printer import pretty
from tests.seeds import NIGHTLY

PIXELS = "data:image/png;base64,iVBORw0KGgo="


def small() -> dg.Diagram:
    d = dg.Diagram(300, 200)
    a, b = d.circle(r=30, name="A"), d.circle(name="B")
    d.text("label", x=a.x, name="label")
    d.group(a, b, name="both")
    d.ensure(dg.touching(a, b), b.r < a.x + 100)
    d.encourage(dg.centred(a), weight=0.1)
    return d


def handed(d: dg.Diagram) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(to_data(d)))
    return data


@pytest.mark.parametrize("name", NAMES if NIGHTLY else ["free_body", "water_molecule"])
def test_a_diagram_read_from_data_compiles_to_the_same_module(name: str) -> None:
    diagram = _diagram(name)
    ours, theirs = (compile_diagram(one, 0.0) for one in (diagram, from_text(json.dumps(to_data(diagram)))))
    assert theirs["wasm"] == ours["wasm"]
    told = ("shapes", "grips", "places", "terms", "unknowns", "stages", "parameters", "size")
    assert [theirs[key] for key in told] == [ours[key] for key in told]


def test_a_diagram_read_from_data_keeps_groups_and_relations() -> None:
    d = from_text(json.dumps(handed(small())))
    assert [shape.name for shape in d.shapes] == ["A", "B", "label", "both"]
    assert [member.name for member in d.shapes[3].members] == ["A", "B"]
    assert [term.words for term in d.terms][-1] == "centred(A, a point)"
    assert d.layout().success


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "other"), ("size", [0, 10]), ("size", [1e9, 10]), ("numbers", "def"), ("slots", []),
        ("shapes", 3), ("terms", [{}]), ("shapes", [{"name": 3}] * 3000),
        ("numbers", "f(a: f64) -> f64:\n  return nothing\n"),
    ],
)  # fmt: skip
def test_forged_data_raise_an_eglantine_error(key: str, value: Any) -> None:
    with pytest.raises(eg.EglantineError):
        from_text(json.dumps({**handed(small()), key: value}))


def test_an_unknown_of_a_missing_stage_raises_an_eglantine_error() -> None:
    data = handed(small())
    data["slots"][0][-1] = len(data["stages"])
    with pytest.raises(eg.EglantineError):
        from_text(json.dumps(data))


@pytest.mark.parametrize("key", ["fill", "stroke", "dash", "font"])
@pytest.mark.parametrize(
    "style",
    ["url(https://a.com/a.svg)", "\nurl(//a.com/a.svg#p)", "red\n,URL(//b)", "u\\72l(//b)", "red\r"],
)
def test_styles_cannot_load_addresses(key: str, style: str) -> None:
    data = handed(small())
    data["shapes"][0]["style"][key] = style
    with pytest.raises(eg.EglantineError, match="not a plain colour"):
        from_text(json.dumps(data))


def test_an_image_is_a_picture_of_pixels_in_the_data() -> None:
    data = handed(small())
    box = dict.fromkeys(("x", "y", "width", "height"), 1.0)
    data["shapes"] = [{**data["shapes"][0], "kind": "image", "values": box, "content": PIXELS}]
    data["terms"] = []
    assert from_text(json.dumps(data)).shapes[0].content == PIXELS
    nested = "data:image/svg+xml;base64,PHN2Zz48dXNlLz48L3N2Zz4="
    for other in ("https://example.com/a.png", nested, nested.upper(), " " + PIXELS, "data:image/png+xml,"):
        data["shapes"][0]["content"] = other
        with pytest.raises(eg.EglantineError, match="must be a data URL of a PNG"):
            from_text(json.dumps(data))


def test_numbers_computed_by_a_loop_are_an_error() -> None:
    power = eg.fn([eg.Real], eg.Real)(lambda x: eg.fori_loop(0, 900, lambda _, y: y * x, 1.0))
    with pytest.raises(eg.EglantineError, match="which the page cannot show"):
        from_text(json.dumps({**handed(small()), "numbers": pretty(power.function)}))
