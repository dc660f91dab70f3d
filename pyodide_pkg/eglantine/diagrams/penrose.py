"""Prepare Penrose's diagrams for the page: compile three modules from an energy's graph and a list of shapes.

The graph and the shapes are files of the formats `penrose-scalar-dag/1` and `penrose-shapes/1`. They come
from Penrose's registry. Penrose's compiler can also make them from a domain, a substance and a style program.
"""

from __future__ import annotations

import colorsys
import math
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from . import graphs
from .compiling import every_input
from .dragging import (
    Joined,
    compiled_drag_solver,
    compiled_energy,
    compiled_numbers,
    evaluated,
    joined,
    with_pulls,
)
from .stages import capacity_for

REACH = 0.03
"""The longest step of the search, as a fraction of the canvas's width or height, whichever is smaller."""
MOST_ABOUT = 12
"""The largest number of shapes that the page's list of terms names for one term.

A term that depends on more shapes is listed without any shapes."""
KINDS = {
    "Circle": "circle", "Ellipse": "ellipse", "Rectangle": "rectangle", "Image": "rectangle", "Line": "line",
    "Polyline": "polyline", "Polygon": "polygon", "Path": "outline", "Text": "text", "Equation": "text",
}  # fmt: skip
DASHES = re.compile(r"[\d .,]+")
"""The lengths of dashes and gaps. We ignore any other text."""
PLACEHOLDER = {"fill": "#eef0f3", "stroke": "#9aa3af", "stroke_width": 1.0, "dash": "4 3", "opacity": 1.0}
"""The style of the box that we draw in place of an image. The data do not contain its file."""
SHAFT = 8.0
_TEX = re.compile(r"\\(?:text|mathrm|mathbf|mathcal|bm|hat|vec|left|right|quad|,|;|!)\b|[\\{}$]|\\ ")


def penrose_diagram(graph_text: Mapping[str, Any], shapes: Mapping[str, Any]) -> dict[str, Any]:
    """Compile a graph and its list of shapes to a dict with everything that the page needs.

    "wasm" and "abi" are the module of the energy. "solver" and "numbers" are dicts for two more modules, also
    with the keys "wasm" and "abi". "graph" has the `capacity` of the solver and the values of the `frozen`
    inputs. As its frozen inputs, the energy's module takes these values and then the inputs for the pulls.
    """
    start = time.perf_counter()
    graph = graphs.from_json(graph_text)
    return _Made(graph, shapes, graph_text).artifact(start)


class _Made:
    """Collects the shapes of a graph's picture, and the values that the picture needs."""

    def __init__(self, graph: graphs.Graph, file: Mapping[str, Any], text: Mapping[str, Any]) -> None:
        self.file = file
        self.given = text.get("terms", [])
        self.begins_anew = text.get("from") == "x0"
        self.flat = [*_flattened(file["shapes"])]
        self.free = every_input(graph.stages)
        self.graph = graph
        bare = joined(graph, file, 0)
        self.at_rest = evaluated(bare.graph, graph.x_final)
        self.bare = bare
        self.ids: list[int] = []
        self.places: list[list[Any]] = []
        self.shapes: list[dict[str, Any]] = []
        self.points: list[list[tuple[str, Any, Any]]] = []
        for one in self.flat:
            self._shape(one)

    def artifact(self, start: float) -> dict[str, Any]:
        if not self.shapes:
            raise ValueError("it has no shapes")
        moving = self._dependent()
        self.points = [self._taken(points, moving) for points in self.points]
        grips: list[tuple[int, str, tuple[Any, Any]]] = []
        for k, points in enumerate(self.points):
            grips.append((k, "", (points[0][1], points[0][2])))
        for k, points in enumerate(self.points):
            grips += [(k, part, (x, y)) for part, x, y in points[1:] if any(map(moving, (x, y)))]
        for k, shape in enumerate(self.shapes):
            shape["moves"] = any(map(moving, grips[k][2]))
        extra = 3 * len(grips) + 2 * len(self.free)
        whole = joined(self.graph, self.file, extra)
        pulled = with_pulls(
            whole, [tuple(self._of(whole, at) for at in grip) for _, _, grip in grips], self.free
        )
        energy = compiled_energy(pulled, len(grips) + len(self.free))
        solver = compiled_drag_solver(capacity_for(len(self.free)))
        numbers = self._numbers(grips)
        frozen = [self.graph.x_final[k] for k in range(self.graph.n_inputs) if k not in set(self.free)]
        size = [float(side) for side in self.file["canvas"]]
        made = len(energy.wasm) + len(numbers.wasm)
        return {
            "wasm": energy.wasm, "abi": energy.abi,
            "solver": {"wasm": solver.wasm, "abi": solver.abi},
            "numbers": {"wasm": numbers.wasm, "abi": numbers.abi},
            "graph": {"capacity": capacity_for(len(self.free)), "frozen": frozen, "reach": REACH * min(size)},
            "size": size, "shapes": self.shapes, "grips": [[k, part] for k, part, _ in grips],
            "places": self.places, "terms": self._terms(), "unknowns": [f"input {k}" for k in self.free],
            "parameters": [], "seed": 0,
            "starts": [[x[k] for k in self.free] for x in self._starts()],
            "cost": {"ms": 1000 * (time.perf_counter() - start), "bytes": made},
        }  # fmt: skip

    def _starts(self) -> list[tuple[float, ...]]:
        """Return the points where searches begin.

        Penrose starts a visitor's diagram at x0. For such a diagram we start there too, so that the two
        optimisers can be compared.
        """
        both = [self.graph.x_final, self.graph.x0]
        return both[::-1] if self.begins_anew else both

    def _taken(self, points: list[tuple[str, Any, Any]], moving: Any) -> list[tuple[str, Any, Any]]:
        """Return the points of a shape, the main grip first.

        If the main grip is fixed, the first point that can move replaces it.
        """
        first = next((at for at in points if any(map(moving, at[1:]))), points[0])
        return [("", *first[1:]), *points[1:]]

    def _numbers(self, grips: list[tuple[int, str, tuple[Any, Any]]]) -> Any:
        """Compile the module for all numbers on the page: the shapes' attributes, the grips and the terms."""
        graph, consts = self.bare.graph, list(self.bare.graph.consts)
        n = graph.n_inputs
        plain = [at for _, _, grip in grips for at in grip if isinstance(at, float)]
        border, moved = n + len(consts), len(plain)
        shifted = [v + moved if v >= border else v for v in range(border + len(graph.ops))]
        column = [[shifted[v] if v >= 0 else -1 for v in ids] for ids in (graph.a, graph.b, graph.c)]
        of_plain = iter(range(border, border + moved))
        values = [shifted[self.bare.number(v)] for v in self.ids]
        values += [
            next(of_plain) if isinstance(at, float) else shifted[self.bare.number(at)]
            for _, _, grip in grips for at in grip
        ]  # fmt: skip
        values += [shifted[v] for v in (*graph.objectives, *graph.constraints)]
        whole = replace(graph, consts=(*consts, *plain), a=column[0], b=column[1], c=column[2])
        return compiled_numbers(whole, self.free, values)

    def _of(self, whole: Joined, at: Any) -> Any:
        return at if isinstance(at, float) else whole.number(at)

    def _dependent(self) -> Any:
        """Make a function that tests whether a value depends on a free input."""
        graph = self.bare.graph
        masks = bytearray(graph.first + len(graph.ops))
        for k in self.free:
            masks[k] = 1
        for k, (u, v, w) in enumerate(zip(graph.a, graph.b, graph.c, strict=True), graph.first):
            masks[k] = masks[u] | (v >= 0 and masks[v]) | (w >= 0 and masks[w])
        return lambda at: not isinstance(at, float) and bool(masks[self.bare.number(at)])

    def _terms(self) -> list[dict[str, Any]]:
        graph = self.bare.graph
        masks = [1 << k if k < graph.n_inputs else 0 for k in range(graph.first)]
        for u, v, w in zip(graph.a, graph.b, graph.c, strict=True):
            masks.append(masks[u] | (masks[v] if v >= 0 else 0) | (masks[w] if w >= 0 else 0))
        of_shapes = []
        for points in self.points:
            mask = 0
            for at in points[0][1:]:
                mask |= 0 if isinstance(at, float) else masks[self.bare.number(at)]
            of_shapes.append(mask)

        def told(kind: str, k: int, value: int, given: Mapping[str, Any]) -> dict[str, Any]:
            about = [j for j, mask in enumerate(of_shapes) if mask & masks[value]]
            few = about if len(about) <= MOST_ABOUT else []
            words = str(given.get("words", f"{kind} {k + 1}")).replace("`", "")
            must, line = kind == "constraint", int(given.get("line", 0))
            return {"name": kind, "words": words, "shapes": few, "must": must, "line": line}

        every = [
            *(("objective", k, value) for k, value in enumerate(graph.objectives)),
            *(("constraint", k, value) for k, value in enumerate(graph.constraints)),
        ]
        given = self.given or [{}] * len(every)
        return [told(*term, words) for term, words in zip(every, given, strict=True)]

    # ------------------------------------------------------------ shapes

    def _shape(self, one: Mapping[str, Any]) -> None:
        number = len(self.shapes)
        kind = KINDS[one["shapeType"]]
        values: dict[str, Any] = {}
        content = ""

        def put(name: str, value: Any) -> Any:
            if isinstance(value, Mapping) and "id" in value:
                self.ids.append(value["id"])
                self.places.append([number, name])
                values[name] = None
                return value["id"]
            values[name] = float(value) if isinstance(value, int | float) else 0.0
            return values[name]

        if kind in ("circle", "ellipse", "rectangle", "text"):
            x, y = (put(name, at) for name, at in zip("xy", one["center"], strict=True))
            points = [("", x, y)]
            for name in ("r", "rx", "ry", "width", "height", "rotation"):
                if name in one and not (name == "rotation" and one[name] == 0):
                    put(name, one[name])
        elif kind == "outline":
            content, points = self._outline(one["d"], put)
        else:
            given = [one["start"], one["end"]] if kind == "line" else one["points"]
            each = [(put(f"x{k}", p[0]), put(f"y{k}", p[1])) for k, p in enumerate(given, 1)]
            points = [("", *self._middle(each)), *((f"point {k}", *p) for k, p in enumerate(each, 1))]
        if kind == "text":
            content = _TEX.sub("", one["string"]) if one["shapeType"] == "Equation" else one["string"]
            values["size"] = float(re.sub(r"[^\d.]", "", str(one["fontSize"])) or 12)
        style = self._style(one, kind)
        self.points.append(points)
        self.shapes.append({
            "name": str(one["name"]).replace("`", ""), "kind": kind, "content": content, "layer": number,
            "members": [], "values": {**values, **style}, "line": 0,
        })  # fmt: skip

    def _middle(self, each: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        """Choose the grip of a shape among its points: the middle point, or the first of only two."""
        return each[len(each) // 2] if len(each) > 2 else each[0]

    def _outline(self, commands: Any, put: Any) -> tuple[str, list[tuple[str, Any, Any]]]:
        """Return the path as text and as a list of points. In the text, names replace the numbers."""
        words, points, count = [], [], 0
        for command in commands:
            words.append(command["cmd"])
            for one in command["contents"]:
                pair = one["contents"] if isinstance(one, Mapping) else None
                if pair is not None and len(pair) == 2:
                    count += 1
                    x, y = put(f"x{count}", pair[0]), put(f"y{count}", pair[1])
                    words += [f"x{count}", f"y{count}"]
                    points.append((f"point {count}", x, y))
                else:
                    for k, value in enumerate(one if pair is None else pair):
                        name = f"{'s' if k == 4 else 'a'}{count}_{k}"
                        put(name, value)
                        words.append(name)
        first = points[len(points) // 2]
        return " ".join(words), [("", *first[1:]), *points]

    def _style(self, one: Mapping[str, Any], kind: str) -> dict[str, Any]:
        if one["shapeType"] == "Image":
            return dict(PLACEHOLDER)
        fill, fill_alpha = self._colour(one.get("fillColor"))
        stroke, alpha = self._colour(one.get("strokeColor"))
        width = self._rest(one.get("strokeWidth", 1))
        style: dict[str, Any] = {"fill": fill, "opacity": alpha if fill == "none" else fill_alpha}
        if kind != "text":
            style |= {"stroke": stroke, "stroke_width": width}
        dash = str(one.get("strokeDasharray") or "")
        if DASHES.fullmatch(dash):
            style["dash"] = dash
        elif one.get("strokeStyle") == "dashed":
            style["dash"] = "7 5"
        ends = [name for name, key in (("start", "startArrowhead"), ("end", "endArrowhead"))
                if one.get(key, "none") != "none"]  # fmt: skip
        if kind == "line" and ends:
            style["arrow"] = "both" if len(ends) == 2 else ends[0]
        return style

    def _rest(self, value: Any) -> float:
        """Return a number's value in the file's final layout."""
        if isinstance(value, Mapping):
            value = self.at_rest[self.bare.number(value["id"])] if "id" in value else 0.0
        number = float(value)
        return number if math.isfinite(number) else 0.0

    def _colour(self, colour: Any) -> tuple[str, float]:
        if not isinstance(colour, list):
            return "none", 1.0
        r, g, b, alpha = (self._rest(part) for part in colour)
        if max(r, g, b) > 1.0:  # hue, saturation and value
            r, g, b = colorsys.hsv_to_rgb(r % 360 / 360, min(g, 100) / 100, min(b, 100) / 100)
        return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in (r, g, b)), alpha


def _flattened(shapes: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the shapes in drawing order. Instead of a group, yield the shapes in it."""
    for one in shapes:
        if one["shapeType"] == "Group":
            yield from _flattened(one["shapes"])
        else:
            yield one
