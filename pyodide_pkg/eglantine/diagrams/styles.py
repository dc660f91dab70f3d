"""The styles of shapes: their defaults, and the values that each of them takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from eglantine.errors import TypeMismatchError
from eglantine.trace.scalars import RealValue
from eglantine.words.spelling import listed, nearest

from .arguments import MISFIT, number, told
from .shapes import ARROWED, PLACED_BY, Unknown

DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "text": {"fill": "#1b1b1f", "opacity": 1.0},
    "line": {"stroke": "#1b1b1f", "stroke_width": 1.5, "opacity": 1.0},
    "polyline": {"fill": "none", "stroke": "#1b1b1f", "stroke_width": 1.5, "opacity": 1.0},
    "path": {"fill": "none", "stroke": "#1b1b1f", "stroke_width": 1.5, "opacity": 1.0},
    "image": {"opacity": 1.0},
}
FILLED: Final = {"fill": "#c9dcf5", "stroke": "#2b5c9e", "stroke_width": 1.5, "opacity": 1.0}
"""The default style of all other kinds of shapes."""
NAMES: Final = ("fill", "stroke", "stroke_width", "opacity", "dash", "arrow", "font")
ARROWS: Final = ("end", "start", "both")
COLOUR_PARTS: Final = ("_r", "_g", "_b")
"""The ends of the names of a colour's numbers: red, green and blue, each from 0 to 1."""
_CODE = re.compile(
    r"#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})"
    r"|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\w\s.,%/-]+\)",
    re.ASCII | re.IGNORECASE,
)
"""A colour that CSS writes as a code or as a call of a function."""
_COLOURS = frozenset(
    """
none transparent currentcolor aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond
blue blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan
darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange
darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet
deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite
gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender
lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen
lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue
lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple
mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream
mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen
paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown
royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey
snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
    """.split()  # noqa: SIM905 - a list with a line for each colour would be too long
)
"""The names of colours in CSS. Source: CSS Color Module Level 4, section 6.1."""


def styled(kind: str, shape: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the given styles of a shape. Return them together with the defaults for this kind of shape.

    shape: the shape's name.
    Each unknown in the result has bounds. A colour of three numbers becomes the entries fill_r, fill_g and
    fill_b, and a dash pattern of several numbers becomes dash1, dash2 and so on.
    """
    style = dict(DEFAULTS.get(kind, FILLED))
    for key, value in given.items():
        if key not in NAMES:
            allowed = [*PLACED_BY.get(kind, ("points",)), *NAMES, "name", "layer", "in_canvas"]
            if kind not in ARROWED:
                allowed.remove("arrow")
            raise TypeMismatchError(
                f"A {kind} has no attribute {key}. It takes {listed(allowed)}.", None, nearest(key, allowed)
            )
        style.pop(key, None)
        if value is not None or key in ("fill", "stroke"):
            style |= _read(kind, shape, key, value)
    return style


def _read(kind: str, shape: str, key: str, value: Any) -> dict[str, Any]:
    """Check the value of one style. Return its entries in the shape's style."""
    match key:
        case "fill" | "stroke":
            return _colour(shape, key, value)
        case "dash":
            return _dash(shape, value)
        case "opacity":
            wanted = "a number from 0 to 1, a number that depends on unknowns, or dg.unknown()"
            return {key: _checked(_bounded(value, 1.0), shape, key, value, wanted)}
        case "stroke_width":
            wanted = "a number that is at least 0, a number that depends on unknowns, or dg.unknown()"
            return {key: _checked(_bounded(value), shape, key, value, wanted)}
        case "arrow":
            if kind not in ARROWED:
                raise TypeMismatchError(
                    f"The {kind} {shape} was given an arrow, but only lines, polylines and paths have arrow "
                    "heads. Leave out arrow, or use d.line, d.polyline or d.path."
                )
            is_known = isinstance(value, str) and value in ARROWS
            return {
                key: _checked(value if is_known else MISFIT, shape, key, value, f"one of {listed(ARROWS)}")
            }
        case _:
            text = value if isinstance(value, str) else MISFIT
            return {key: _checked(text, shape, key, value, "a text, such as 'Georgia, serif'")}


def _colour(shape: str, key: str, value: Any) -> dict[str, Any]:
    """Return the entries of a colour: one text, or three numbers."""
    if value is None:
        return {key: "none"}
    if isinstance(value, str) and (value.lower() in _COLOURS or _CODE.fullmatch(value)):
        return {key: value}
    if isinstance(value, tuple | list) and len(value) == len(COLOUR_PARTS):
        parts = [_bounded(part, 1.0) for part in value]
        if all(part is not MISFIT for part in parts):
            return {f"{key}{end}": part for end, part in zip(COLOUR_PARTS, parts, strict=True)}
    wanted = "a CSS colour such as '#c9dcf5' or 'steelblue', three numbers from 0 to 1, or None"
    suggestion = nearest(value.lower(), _COLOURS) if isinstance(value, str) else None
    raise _refusal(shape, key, value, wanted, suggestion)


def _dash(shape: str, value: Any) -> dict[str, Any]:
    """Return the entries of a dash pattern: dash for one length, and dash1, dash2, … for several."""
    is_text = isinstance(value, str)
    if is_text and value == "none":
        return {}
    parts = re.split(r"[\s,]+", value.strip()) if is_text else value
    if not isinstance(parts, list | tuple):
        parts = [parts]
    lengths = [_bounded(_parsed(part) if is_text else part) for part in parts]
    if not lengths or any(length is MISFIT for length in lengths):
        wanted = "a number that is at least 0, a list of such numbers such as [4, 2], or dg.unknown()"
        raise _refusal(shape, "dash", value, wanted)
    if len(lengths) == 1:
        return {"dash": lengths[0]}
    return {f"dash{k}": length for k, length in enumerate(lengths, 1)}


def _parsed(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return MISFIT


def _bounded(value: Any, high: float | None = None) -> Any:
    """Check that a number is at least 0 and at most `high`. An unknown gets these bounds if it has none."""
    if isinstance(value, Unknown):
        low = 0.0 if value.low is None else value.low
        return replace(value, low=low, high=high if value.high is None else value.high)
    found = number(value)
    if found is MISFIT or isinstance(found, RealValue):
        return found
    return found if found >= 0 and (high is None or found <= high) else MISFIT


def _checked(found: Any, shape: str, key: str, value: Any, wanted: str) -> Any:
    """Return `found`. If it is MISFIT, raise an error about the value."""
    if found is MISFIT:
        raise _refusal(shape, key, value, wanted)
    return found


def _refusal(
    shape: str, key: str, value: Any, wanted: str, suggestion: str | None = None
) -> TypeMismatchError:  # fmt: skip
    """Make the error for a wrong value of a style."""
    return TypeMismatchError(
        f"The {key} of {shape} must be {wanted}, but it is {told(value)}.", None, suggestion
    )
