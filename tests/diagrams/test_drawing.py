"""A drawn diagram is data: names, texts and styles never become markup."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import eglantine as eg
import eglantine.diagrams as dg

HOSTILE = 'red"/><script>alert(1)</script><a b="\'&'
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("key", ["fill", "stroke", "dash"])
def test_a_hostile_colour_or_dash_is_refused(key: str) -> None:
    d = dg.Diagram(200, 200)
    with pytest.raises(eg.EglantineError, match=f"The {key} of line"):
        d.line(x1=0, y1=0, x2=50, y2=0, arrow="both", **{key: HOSTILE})


def test_a_hostile_font_stays_in_its_attribute() -> None:
    d = dg.Diagram(200, 200)
    d.text("words", x=0, y=0, font=HOSTILE)
    [text] = ET.fromstring(d.layout().svg()).iter(f"{SVG}text")  # noqa: S314 (our own text)
    assert text.attrib["font-family"] == HOSTILE


def test_a_hostile_name_and_a_hostile_text_stay_text() -> None:
    d = dg.Diagram(200, 200)
    d.text(HOSTILE, name=HOSTILE, x=0, y=0)
    drawn = ET.fromstring(d.layout().svg())  # noqa: S314 (our own text)
    [text] = drawn.iter(f"{SVG}text")
    assert text.attrib["id"] == HOSTILE
    assert "".join(text.itertext()) == HOSTILE + HOSTILE
