"""Tests of notebook widgets: Python can read and observe the values of a figure's controls."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import eglantine as eg


def parabola() -> Any:
    return eg.figure("a*x^2", x=(0, 3), a=eg.slider(0, 2, 1), at=eg.point((2, 0)))


def test_a_widget_has_the_values_of_controls_and_tells_python_of_changes() -> None:
    w = eg.widget(parabola())
    assert w.values == {"a": 1.0}
    assert w.place == [2.0]
    heard: list[Any] = []
    w.observe(lambda change: heard.append(change["new"]), "values")
    w.values = {"a": 1.5}
    assert heard == [{"a": 1.5}]


def test_a_widget_of_several_figures_has_the_controls_of_all() -> None:
    second = eg.figure("b*x", x=(0, 1), b=eg.slider(0, 4, 3), show=())
    w = eg.widget(parabola().beside(second))
    assert w.values == {"a": 1.0, "b": 3.0}
    assert w.html.count("<figure") == 2
    assert w.html.count('class="eg-figures"') == 1


def test_a_figure_is_not_changed_by_its_widget() -> None:
    fig = parabola()
    eg.widget(fig).values["a"] = 7.0
    assert fig.start["values"] == {"a": 1.0}


def test_a_widget_needs_a_figure_and_anywidget(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"needs the result of eg.figure"):
        eg.widget("x^2")
    from eglantine.notebook.widget import _widget_class

    _widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r'pip install "eglantine\[notebook\]"'):
        eg.widget(parabola())
