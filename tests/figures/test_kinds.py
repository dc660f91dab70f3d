"""Tests of figures that show fits, tapes, diagrams and Taylor polynomials."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import eglantine as eg
from eglantine import diagrams as dg
from tests.figures.test_figures import spec

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = [(0.0, 1.0), (1.0, 3.0), (2.0, 4.0)]


def circle() -> Any:
    """Make a diagram of a circle and a line. The circle's y must equal the x where the line starts."""
    d = dg.Diagram(200, 100)
    wall = d.line(
        (d.parameter("wall", 20), -50), (d.parameter("wall_end", 20), 50), name="wall", stroke_width=0
    )
    ball = d.circle(x=0, r=10, name="ball")
    d.ensure(ball.y == wall.x1)
    return d


def test_a_fit_finds_the_line_of_least_squares() -> None:
    fig = eg.figure("a*x + b", kind="fit", data=DATA)
    # The mean of x is 1, and the mean of y is 8/3. So a = (4 − 1)/2 = 3/2 and b = 8/3 − 3/2 = 7/6.
    assert ">a = 1.5, b = 1.167, sum of squares 0.1667<" in fig.html()
    assert repr(fig).startswith("<eg.figure: fit of 'a*x + b'")
    assert [path["label"] for path in spec(fig)["aside"]["paths"]] == ["fit", "data"]


def test_a_parameter_with_a_slider_is_not_fitted() -> None:
    fig = eg.figure("a*x + b", kind="fit", data=DATA, a=eg.slider(0, 3, 1))
    # If a = 1, the best b is the mean of the differences y − x, which are 1, 2 and 2.
    assert ">b = 1.667, sum of squares 0.6667<" in fig.html()


def test_a_fit_may_have_a_sentence_and_paths_of_its_own() -> None:
    fig = eg.figure(
        "a*x", kind="fit", data=DATA, limit=eg.point((1, 2)),
        says=("The point is at {}", lambda limit: limit[0]),
        paths={"guess": lambda limit: (eg.vec(1, lambda _: limit[0]), eg.vec(1, lambda _: limit[1]))},
    )  # fmt: skip
    assert ">The point is at 1<" in fig.html()
    assert [path["label"] for path in spec(fig)["aside"]["paths"]] == ["fit", "data", "guess"]


def test_a_taylor_polynomial_has_the_order_of_its_control() -> None:
    fig = eg.figure(
        "exp(x)", x=(-1, 1), y=(0, 2), at=eg.point((0, 0)), show=("taylor",), order=eg.choice([2, 8])
    )
    [path] = re.findall(r'class="run c0" d="([^"]*)"', fig.html())
    # At x = −1 the polynomial 1 + x + x²/2 is 1/2. A unit of y has 153 pixels, and y = 0 is at pixel 340.
    assert path.startswith("M56 263.5L")
    assert [control["name"] for control in spec(fig)["controls"]] == ["order"]
    # At x = 1 the polynomial is 5/2. Its point is at pixel 340 − 2.5·153, above the picture.
    assert path.endswith("L544 -42.5")


def test_a_tape_lists_each_operation_with_its_value_and_its_slope() -> None:
    fig = eg.figure(lambda x: eg.math.sin(2 * x) / 3 - x**2, kind="tape", x=eg.slider(-1, 1, 0))
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", fig.svg())
    rows = [texts[k : k + 4] for k in range(0, len(texts), 4)]
    assert rows == [
        ["step", "operation", "value ↓", "slope ↑"],
        ["x", "input", "0", "0.6667"],  # 2·cos(0)/3 − 2·0
        ["v1", "2 × x", "0", "0.3333"],
        ["v2", "sin(v1)", "0", "0.3333"],
        ["v3", "v2 ÷ 3", "0", "1"],
        ["v4", "x^2", "0", "−1"],
        ["v5", "v3 − v4", "0", "1"],
    ]
    assert spec(fig)["turn"] == ["step", 12]


def test_a_tape_shows_the_operations_of_called_functions() -> None:
    @eg.fn
    def square(x: eg.Real) -> eg.Real:
        return x * x

    fig = eg.figure(
        lambda x, flip: eg.select(flip > 0.0, square(x), -x), kind="tape", x=(0, 5), flip=eg.choice([1, 0])
    )
    assert ">x × x<" in fig.svg()
    assert "= 9, slope by x 6" in fig.html()  # at three fifths of the range


def test_a_diagram_is_solved_for_the_values_of_its_controls() -> None:
    figures = [eg.figure(circle(), kind="diagram", wall=eg.slider(0, 30, begin)) for begin in (20, 5)]
    places = [re.findall(r'<circle cx="([^"]*)" cy="([^"]*)" r="([^"]*)"', fig.svg()) for fig in figures]
    # The picture's scale is min(488/200, 306/100) = 2.44, and its middle is (300, 187).
    # 187 − 2.44·20 = 138.2.
    assert places == [[("300", "138.2", "24.4")], [("300", "174.8", "24.4")]]
    assert "Shapes: wall, ball" in figures[0].html()


def test_the_program_of_a_figure_contains_its_sentence_and_its_paths() -> None:
    def double(a: Any) -> Any:
        return 2 * a

    def ends(a: Any) -> Any:
        return eg.vec(2, eg.real), eg.vec(2, lambda i: a * eg.real(i))

    fig = eg.figure(
        "a*x", x=(0, 1), a=eg.slider(0, 4, 1), says=("Twice a is {}", double), paths={"line": (ends, "dots")}
    )
    text = spec(fig)["files"]["figure.py"]
    assert "says=('Twice a is {}', double), paths={'line': (ends, 'dots')}" in text
    assert "def double(a: Any)" in text
    assert text.count("def ends(a: Any)") == 1


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: eg.figure("a*x", kind="fit", data=[1, 2]), "The data of a fit are pairs"),
        (lambda: eg.figure("a*x + b", kind="fit", data=[(0, 1)]), "needs at least 2 points, but there are 1"),
        (lambda: eg.figure("x^2", kind="fit", data=DATA), "has none"),
        (lambda: eg.figure("a*x", kind="fit", data=DATA, q=eg.slider(0, 1)), "was given q"),
        (lambda: eg.figure("a*x", data=DATA), "Only a fit has data"),
        (lambda: eg.figure("order*x", order=eg.slider(0, 1), show="taylor"), "adds a slider called order"),
        (lambda: eg.figure("x*y", kind="contour", show="taylor"), "a contour can show"),
        (lambda: eg.figure(lambda x: (x, x), kind="tape"), "returns one Real"),
        (
            lambda: eg.figure("x", kind="tape", x=eg.point((1, 2))),
            "x cannot be dragged, because a tape has no picture",
        ),
        (lambda: eg.figure("x", kind="tape", x=3), "it must be a pair or a control"),
        (lambda: eg.figure("x", kind="tape", q=eg.slider(0, 1)), "was given q"),
        (lambda: eg.figure(lambda x: sum(eg.math.sin(x + k) for k in range(20)), kind="tape"), "at most 20"),
        (lambda: eg.picture([[1, 2], [3]]), r"2 rows of \[1, 2\] greys"),
        (lambda: eg.slider(0, 1, step=0), "step must be positive"),
        (lambda: eg.figure("a*x", a=eg.picture([[1]])), "gives it a picture"),
        (lambda: eg.figure("x", kind="diagram"), "draws an eglantine.diagrams.Diagram"),
        (lambda: eg.figure(circle(), kind="diagram", a=eg.slider(0, 1)), "has no parameter a"),
        (lambda: eg.figure(circle(), kind="diagram", wall=(0, 1)), "a diagram needs a control here"),
    ],
)
def test_arguments_that_do_not_fit_the_kind_are_an_error(make: Callable[[], Any], told: str) -> None:
    with pytest.raises(eg.TypeMismatchError, match=told):
        make()
