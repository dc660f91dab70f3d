"""A drawn diagram is data: names, texts and styles never become markup."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import eglantine.diagrams as dg

HOSTILE = 'red"/><script>alert(1)</script><a b="\'&'
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("key", ["fill", "stroke", "dash", "font"])
def test_a_hostile_style_stays_in_its_attribute(key: str) -> None:
    d = dg.Diagram(200, 200)
    if key == "font":
        d.text("words", x=0, y=0, font=HOSTILE)
    else:
        d.line(x1=0, y1=0, x2=50, y2=0, arrow="both", **{key: HOSTILE})
    drawn = ET.fromstring(d.layout().svg())  # noqa: S314 (our own text)
    tags = {element.tag.removeprefix(SVG) for element in drawn.iter()}
    assert tags <= {"svg", "g", "line", "polygon", "text", "title"}
    assert any(HOSTILE in element.attrib.values() for element in drawn.iter())


def test_a_hostile_name_and_a_hostile_text_stay_text() -> None:
    d = dg.Diagram(200, 200)
    d.text(HOSTILE, name=HOSTILE, x=0, y=0)
    drawn = ET.fromstring(d.layout().svg())  # noqa: S314 (our own text)
    [text] = drawn.iter(f"{SVG}text")
    assert text.attrib["id"] == HOSTILE
    assert "".join(text.itertext()) == HOSTILE + HOSTILE
