"""Tests of figures with sentences that contain computed numbers, and with paths of points."""

from __future__ import annotations

import re
from typing import Any

import pytest

import eglantine as eg
from tests.figures.test_figures import spec


def descend(x: Any, y: Any, rate: Any) -> Any:
    """Three steps downhill on x² + y²."""

    def step(at: Any, _: Any) -> Any:
        (px, py) = at
        return (px - 2 * rate * px, py - 2 * rate * py), (px, py)

    _, path = eg.scan(step, (x, y), eg.vec(3, lambda i: i * 1.0))
    return path


def test_a_sentence_contains_numbers_and_words_that_depend_on_them() -> None:
    fig = eg.figure(
        "a*x", x=(0, 1), a=eg.slider(-2, 2, -1.5), show=(),
        says=("Twice a is {}, so the line {falls|rises}.", lambda a: (2 * a, eg.select(a > 0.0, 1.0, 0.0))),
    )  # fmt: skip
    assert ">Twice a is −3, so the line falls.<" in fig.html()


def test_a_path_begins_at_the_dragged_point_and_is_drawn_in_the_axes() -> None:
    fig = eg.figure(
        "x^2 + y^2", x=(-2, 2), y=(-2, 2), at=eg.point((1, -1)), kind="contour", show=(),
        rate=eg.slider(0, 1, 0.25), paths={"steps": (descend, "both")},
    )  # fmt: skip
    # Each step halves both coordinates: (1, −1), (0.5, −0.5), (0.25, −0.25). The axes' middle is (300, 187).
    [line] = re.findall(r'class="run c1" d="([^"]*)"', fig.html())
    assert line == "M422 263.5L361 225.3L330.5 206.1"
    [dots] = re.findall(r'class="dots c1" d="([^"]*)"', fig.html())
    assert dots == "M422 263.5h0M361 225.3h0M330.5 206.1h0"
    assert ">steps</text>" in fig.html()


def test_a_scatter_shows_paths_and_points_without_a_function() -> None:
    fig = eg.figure(
        None, kind="scatter", x=(0, 4), y=(0, 2), p=eg.point((1, 1)),
        paths={"mirrored": (lambda p: (eg.vec(1, lambda _: 4 - p[0]), eg.vec(1, lambda _: p[1])), "dots")},
    )  # fmt: skip
    assert spec(fig)["kind"] == "scatter"
    assert re.findall(r'class="dots c0" d="([^"]*)"', fig.html()) == ["M422 187h0"]
    assert 'data-name="p" cx="178" cy="187"' in fig.html()


def test_the_files_of_a_figure_contain_both_kernels(tmp_path: Any) -> None:
    fig = eg.figure("a*x", x=(0, 1), a=eg.slider(0, 1, 1), says=("a is {}", lambda a: a))
    names = {path.name for path in fig.save(tmp_path / "line.html", files=True)}
    assert names == {"line.html", "line.js", "line.wasm", "line-aside.wasm"}
    assert (tmp_path / "line-aside.wasm").read_bytes() == fig.aside_wasm


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"says": "just words"}, r"`says` must be a pair \(text, function\)"),
        ({"says": ("a is {} and {}", lambda rate: rate)}, "2 places for numbers, but .* gives 1"),
        (
            {"says": ("{}", lambda speed: speed)},
            "has the parameter speed, but the figure has only 'x', 'y', 'rate'",
        ),
        ({"paths": {"p": (descend, "spots")}}, "looks like 'spots'"),
    ],
)
def test_an_aside_that_does_not_fit_is_an_error_with_a_message(named: dict[str, Any], words: str) -> None:
    with pytest.raises(eg.TypeMismatchError, match=words):
        eg.figure("rate*x*y", x=(0, 1), y=(0, 1), rate=eg.slider(0, 1, 0.5), **named)


def test_a_scatter_with_a_function_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="A scatter draws paths over two axes, and takes no"):
        eg.figure("x", kind="scatter", x=(0, 1), y=(0, 1))


def test_neighbouring_cells_of_the_same_grey_are_joined() -> None:
    def cells(light: Any) -> Any:
        return (
            eg.vec(4, eg.real),
            eg.vec(4, lambda _: 0.0),
            eg.vec(4, lambda i: eg.select(eg.real(i) < 3.0, light, 0.0)),
        )

    fig = eg.figure(
        None,
        kind="scatter",
        x=(0, 4.88),
        y=(0, 3.06),
        light=eg.slider(0, 1, 1),
        paths={"cells": (cells, "grey")},
    )
    greys = dict(re.findall(r'class="grey" fill="hsl\(0 0% (\d+)%\)" d="(M[^"]*)"', fig.html()))
    # A cell is 100 pixels wide, and a path is 0.3 pixels wider, so that no gaps show between paths.
    # The first path covers three white cells, and the second covers one black cell.
    assert greys == {"100": "M6 290h300.3v100.3h-300.3z", "0": "M306 290h100.3v100.3h-100.3z"}


def test_a_kernel_whose_memory_grows_can_be_drawn() -> None:
    def halved(x: Any) -> Any:
        return eg.while_loop(lambda y: y > 1.0, lambda y: y / 2, x * 1.0)

    fig = eg.figure(halved, x=(1, 9), at=eg.point((6, 0)))
    assert "x = 6: halved = 0.75, slope 0.125" in fig.html()  # 6 / 8
