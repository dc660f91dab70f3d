"""Tests of figures of functions, formulas and tables: HTML, files and errors."""

from __future__ import annotations

import gzip
import json
import math
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

import eglantine as eg
from eglantine.figures.numbers import number, pixel
from eglantine.figures.script import script
from tools import figure_script

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST_BYTES = 20_000
"""The largest allowed size of a formula's figure, in bytes after gzip."""
MOST_BYTES_OF_TEN = 250_000


class _Read(HTMLParser):
    """Collects the tags of an HTML fragment, and the description of its figure."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    @property
    def spec(self) -> Any:
        [text] = [given["data-figure"] for _, given in self.tags if "data-figure" in given]
        return json.loads(str(text))


def spec(fig: Any) -> Any:
    return _Read(fig.html()).spec


def test_a_formula_with_a_slider_is_a_curve_with_its_tangent() -> None:
    fig = eg.figure("a*x^2", x=(0, 3), a=eg.slider(-1, 1, 0.5))
    made = spec(fig)
    assert made["kind"] == "curve"
    assert made["axes"] == [{"name": "x", "lo": 0.0, "hi": 3.0}]
    assert made["controls"] == [{"name": "a", "kind": "slider", "lo": -1.0, "hi": 1.0}]
    assert made["start"]["values"] == {"a": 0.5}
    # at x = 1.8, the value is 0.5·1.8² = 1.62, and the slope is 2·0.5·1.8 = 1.8
    assert "x = 1.8: a*x^2 = 1.62, slope 1.8" in fig.html()


def test_the_axes_contain_the_values_for_every_position_of_a_slider() -> None:
    low, high = spec(eg.figure("a*x", x=(0, 2), a=eg.slider(-3, 1, 0)))["range"]
    assert low <= -6
    assert high >= 2


def test_a_pole_does_not_flatten_the_rest_of_a_curve() -> None:
    low, high = spec(eg.figure("tan(x)", x=(-4.7, 4.7)))["range"]
    assert high - low < 200


@pytest.mark.parametrize(
    ("f", "named", "kind"),
    [
        ("x^2", {}, "curve"),
        ("3", {}, "curve"),
        ("3", {"t": (0, 1)}, "curve"),
        ("x^y", {"x": (0, 3), "y": (0, 3)}, "surface"),
        (["sin(x)", "cos(x)"], {}, "curve"),
        (lambda t: (t, -t), {"t": (0, 1)}, "curve"),
        (lambda x, y: (y, -x), {}, "field"),
        (lambda x, y: [y, -x], {"x": (0, 1), "y": (0, 1)}, "field"),
    ],
)
def test_the_types_of_a_function_determine_the_kind_of_figure(
    f: Any, named: dict[str, Any], kind: str
) -> None:
    assert spec(eg.figure(f, **named))["kind"] == kind


def test_letters_without_a_range_become_axes_or_sliders() -> None:
    made = spec(eg.figure("a*x + b2"))
    assert [axis["name"] for axis in made["axes"]] == ["x"]
    assert [control["name"] for control in made["controls"]] == ["a", "b2"]


def test_a_function_may_take_points_choices_and_bools() -> None:
    @eg.fn
    def f(x: eg.Real, p: eg.Vec(2, eg.Real), n: eg.Real, flip: eg.Bool) -> eg.Real:  # type: ignore[valid-type]
        return eg.select(flip, -1.0, 1.0) * (p[0] * x + p[1]) * n  # type: ignore[index]

    fig = eg.figure(
        f, x=(0, 1), p=eg.point((2, 1), on="y"), n=eg.choice([3, 4]), flip=eg.choice([True, False])
    )
    assert [control["kind"] for control in spec(fig)["controls"]] == ["point", "choice", "choice"]
    # at x = 0.6, the value is −(2·0.6 + 1)·3 = −6.6, and the slope is −6
    assert "x = 0.6: f = −6.6, slope −6" in fig.html()


def test_y_as_a_pair_is_the_range_of_a_curves_values() -> None:
    assert spec(eg.figure("x^2", x=(0, 3), y=(-1, 5)))["range"] == [-1.0, 5.0]


def test_a_surface_shows_the_derivatives_of_its_function() -> None:
    fig = eg.figure("x^2*y", x=(0, 2), y=(0, 2), at=eg.point((1, 2)))
    assert "x = 1, y = 2: x^2*y = 2, gradient (4, 1)" in fig.html()


def test_cells_of_one_side_and_shade_share_a_polygon() -> None:
    # The surface is a hill. The front hides the back, so a polygon must not contain cells of both sides.
    fig = eg.figure("exp(-9*(x^2 + y^2))", x=(-1, 1), y=(-1, 1), show=())
    strips = re.findall(r'<polygon class="cell s\d" points="([^"]*)"', fig.svg())
    assert 20 < len(strips) < 400 / 2  # 20 rows of 20 cells
    cells = 0
    for strip in strips:
        numbers = [float(text) for text in strip.split()]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        n = len(points) // 4
        far = points[: n + 1]
        near = [points[-1], *points[-2 : n + 1 : -3][: n - 1], points[n + 1]]
        sizes = [area([far[k], far[k + 1], near[k + 1], near[k]]) for k in range(n)]
        # Coordinates are rounded to tenths of a pixel. This may change the sign of a small cell's area.
        assert all(size > -2 for size in sizes) or all(size < 2 for size in sizes)
        assert math.isclose(area(points), sum(sizes), abs_tol=1e-6)
        cells += n
    assert cells == 400


def area(points: list[tuple[float, float]]) -> float:
    """The signed area of a polygon."""
    ends = [*points[1:], points[0]]
    return sum(x * v - u * y for (x, y), (u, v) in zip(points, ends, strict=True)) / 2


def test_a_table_lists_arguments_values_and_slopes() -> None:
    fig = eg.figure(["x^2", "a*x"], kind="table", x=(0, 4), a=eg.slider(0, 5, 3))
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", fig.svg())
    assert texts[:5] == ["x", "x^2", "slope", "a*x", "slope"]
    # The table has a line for each x = 0, 0.5, …, 4. A line contains x, x², 2x, 3x and 3.
    assert texts[5 + 5 * 3 : 5 + 5 * 4] == ["1.5", "2.25", "3", "4.5", "3"]
    assert len(texts) == 5 + 5 * 9
    assert spec(fig)["controls"][0]["name"] == "a"
    with pytest.raises(eg.TypeMismatchError, match="A table needs one axis"):
        eg.figure("x*y", kind="table", x=(0, 1), y=(0, 1))


def test_figures_beside_each_other_share_one_control() -> None:
    first = eg.figure("a*x", x=(0, 1), a=eg.slider(0, 2, 1))
    both = first.beside(eg.figure("a*x^2", kind="table", x=(0, 1), a=eg.slider(0, 2, 1)))
    page = both.html()
    assert page.startswith('<div class="eg-figures">')
    assert page.count("<script>") == page.count("<style>") == 1
    assert page.count("&quot;hidden&quot;") + page.count('"hidden":["a"]') == 1
    assert both._repr_mimebundle_()["text/html"] == page


def test_a_figure_can_show_the_area_and_the_second_derivative() -> None:
    fig = eg.figure("x^2", x=(0, 3), at=eg.point((3, 0)), show=("area", "quadratic"))
    assert "x^2 = 9, area 9, second derivative 2" in fig.html()  # the integral of x² from 0 to 3 is 9


def test_a_figure_of_a_formula_is_small() -> None:
    figures = [
        eg.figure("x^y", x=(0, 3), y=(0, 3)),
        eg.figure("a*sin(x) + x^2/5", a=eg.slider(-1, 1, 0.5)),
        eg.figure("x^2 + a*y^2 + sin(3x)", a=eg.slider(0.5, 3, 1), kind="contour"),
        eg.figure("sin(x)*cos(y)", kind="image"),
    ]
    sizes = [len(gzip.compress(fig.html().encode(), 9)) for fig in figures]
    assert max(sizes) <= MOST_BYTES, sizes


def test_ten_figures_share_one_script() -> None:
    figures = [eg.figure(f"sin({k + 1}x) * a", a=eg.slider(0, 1, 0.5)) for k in range(10)]
    page = "".join(fig.html(script=k == 0) for k, fig in enumerate(figures))
    assert page.count("<script>") == 1
    assert len(page.encode()) <= MOST_BYTES_OF_TEN


def test_a_fragment_contains_the_kernel_and_loads_nothing(tmp_path: Path) -> None:
    fig = eg.figure("x^2", x=(0, 3))
    tags = _Read(fig.html()).tags
    assert not [given for _, given in tags if {"src", "href"} & given.keys()]
    assert fig.wasm[:4] == b"\0asm"
    [page] = fig.save(tmp_path / "one" / "page.html")
    assert fig.html() in page.read_text(encoding="utf-8")


def test_the_files_of_a_figure_contain_the_script_and_the_kernel(tmp_path: Path) -> None:
    fig = eg.figure("x^2", x=(0, 3))
    page, code, wasm = fig.save(tmp_path / "page.html", files=True)
    assert [path.name for path in (page, code, wasm)] == ["page.html", "page.js", "page.wasm"]
    assert wasm.read_bytes() == fig.wasm
    tags = _Read(page.read_text(encoding="utf-8"))
    assert [given.get("src") for tag, given in tags.tags if tag == "script"] == ["page.js"]
    assert tags.spec["wasm"] == "page.wasm"


def test_a_figure_can_be_written_as_a_still_picture(tmp_path: Path) -> None:
    [path] = eg.figure("x^2", x=(0, 3)).save(tmp_path / "picture.svg")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert 'class="curve ink"' in text


def test_a_figure_has_html_and_text_for_notebooks() -> None:
    fig = eg.figure("x^2", x=(0, 3))
    bundle = fig._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/html"] == fig.html()
    assert "x^2" in bundle["text/plain"]


def test_the_python_text_of_a_figures_model_gives_the_same_figure() -> None:
    fig = eg.figure("a*x^2", x=(0, 3), a=eg.slider(-1, 1, 0.5))
    files = spec(fig)["files"]
    assert sorted(files) == ["figure.d.ts", "figure.js", "figure.py"]
    scope: dict[str, Any] = {}
    exec(files["figure.py"], scope)  # noqa: S102 - our own text
    assert scope["fig"].html() == fig.html()


def test_texts_of_a_figure_are_escaped() -> None:
    def f(x: Any) -> Any:
        return x * 2

    f.__name__ = "</svg><script>alert(1)</script>'\"&"
    text = eg.figure(f, x=(0, 1)).html(script=False)
    assert "<script>alert" not in text
    assert f.__name__ in spec(eg.figure(f, x=(0, 1)))["labels"]


def test_a_curve_has_gaps_where_values_are_not_finite() -> None:
    text = eg.figure("sqrt(x)", x=(-1, 1)).html()
    path = re.search(r'class="curve ink" d="([^"]*)"', text)
    assert path
    assert path[1].count("M") == 1
    assert "nan" not in path[1].lower()
    assert "undefined" in eg.figure("sqrt(x)", x=(-3, -1)).html()


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: eg.figure("x^2", x=(3, 0)), r"of x must be below the second, but the range is \(3, 0\)"),
        (lambda: eg.figure("x^2", x=(0, math.inf)), "range of x must be a finite number, but it is inf"),
        (lambda: eg.figure("x^2", b=(0, 1)), "no function here has a parameter b"),
        (lambda: eg.figure("x^2", b=eg.slider(0, 1, 0)), "no function here has a parameter b"),
        (lambda: eg.figure("a*x", a=3), "a is 3, but it must be a control, or"),
        (lambda: eg.figure("a*x", a=eg.point((1, 2))), "eg.point fits a pair of Reals"),
        (lambda: eg.figure("x^2", kind="pie"), "kind is 'pie'"),
        (lambda: eg.figure("x^2", kind="surface"), "A surface needs two axes, but this figure has 1"),
        (lambda: eg.figure([]), "empty list"),
        (lambda: eg.figure(3), "this is the int 3"),
        (lambda: eg.figure("x^2", show=("area", "shadow")), "`show` has 'shadow'"),
        (lambda: eg.figure("x*y*z", x=(0, 1), y=(0, 1), z=(0, 1)), "here 3 parameters have ranges"),
        (lambda: eg.figure(lambda x: {"a": x}), "draws Reals"),
        (lambda: eg.figure(max), "does not name its parameters"),
        (lambda: eg.slider(1, 0, 0), r"Write eg.slider\(0, 1\)"),
        (lambda: eg.slider(0, 1, 2), "between its ends 0 and 1, but it is 2"),
        (lambda: eg.slider("a", 1, 0), "must be a finite number, but it is 'a'"),
        (lambda: eg.point((1, 2, 3)), "two coordinates"),
        (lambda: eg.point((1, 2), on="moon"), "it is 'moon'"),
        (lambda: eg.choice([]), "needs a list of numbers"),
        (lambda: eg.figure("x^2").save("figure.pdf"), "in .html or in .svg"),
        (lambda: eg.figure(lambda x, y: (x, y, x), x=(0, 1), y=(0, 1)), "two values at each point"),
    ],
)
def test_arguments_that_do_not_fit_are_an_error_with_a_message(make: Callable[[], Any], told: str) -> None:
    with pytest.raises(eg.TypeMismatchError, match=told):
        make()


def test_a_mistake_in_a_formula_is_reported_with_its_columns() -> None:
    with pytest.raises(eg.FormulaError):
        eg.figure("sen(x)")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (1.0, "1"), (-2.5, "−2.5"), (1.0625, "1.063"), (12345.6, "12350"), (1e-4, "0.0001"),
        (1.25e-5, "1.25·10^−5"), (2e6, "2·10^6"), (999999.0, "1·10^6"), (math.inf, "∞"),
        (math.nan, "undefined"),
    ],
)  # fmt: skip
def test_numbers_are_written_with_few_digits(value: float, text: str) -> None:
    assert number(value) == text


def test_coordinates_are_rounded_to_tenths_of_pixels() -> None:
    assert [pixel(x) for x in (12.0, 12.34, -0.04, -0.06, 1e300)] == ["12", "12.3", "0", "-0.1", "9999"]


def test_the_script_is_what_the_modules_give() -> None:
    assert script() == figure_script.made()


def test_figures_are_imported_on_demand_and_work_without_an_engine() -> None:
    program = """
import sys
import eglantine as eg
assert not [name for name in sys.modules if name.startswith("eglantine.figures")]
sys.modules["wasmtime"] = None
fig = eg.figure("x^2", x=(0, 3))
assert "x = 1.8: x^2 = 3.24, slope 3.6" in fig.html()
"""
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": "pyodide_pkg"})
