"""`eg.widget`: a figure in a notebook. Python reads and sets its values."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from eglantine.errors import TypeMismatchError
from eglantine.figures.beside import Figures
from eglantine.figures.fragments import Figure
from eglantine.figures.script import script
from eglantine.plain.typeof import shown

RENDER: Final = """
export default {
  render({ model, el }) {
    el.innerHTML = model.get("html");
    const box = el.querySelector(".eg-figures");
    for (const figure of box.querySelectorAll("figure")) {
      const spec = JSON.parse(figure.dataset.figure);
      const { values } = spec.start;
      for (const name in values) values[name] = model.get("values")[name] ?? values[name];
      figure.dataset.figure = JSON.stringify(spec);
    }
    globalThis.eglantineFigures(el);
    const hear = ({ target, detail }) => {
      if (target === box) return;
      model.set("values", { ...model.get("values"), ...structuredClone(detail.values) });
      model.set("place", detail.place && [...detail.place]);
      model.save_changes();
    };
    const take = () => box.dispatchEvent(
      new CustomEvent("eglantine-changed", { detail: { values: structuredClone(model.get("values")) } }));
    box.addEventListener("eglantine-changed", hear);
    model.on("change:values", take);
    return () => model.off("change:values", take);
  },
};
"""
"""The JavaScript module that shows the figures of a widget in a notebook.

If Python sets values, the module sends an event to the box around the figures. If a reader moves a control,
the module sends the new values to Python.
"""


def widget(fig: Any) -> Any:
    """Turn a figure into a widget for notebooks, so that Python can read and set the figure's values.

    fig: a figure from `eg.figure`, or several figures side by side.

    The widget is an anywidget, so JupyterLab, Jupyter, marimo, VS Code and Colab show it. `values` maps
    the name of each control to its value. The value of a point is a pair. `place` is the point where the
    figure shows derivatives, or None.
    `w.observe(function, "values")` calls a function whenever a reader moves a control. If you assign
    `w.values = {**w.values, "a": 2}`, the picture changes.

    Raises: ImportError if anywidget is missing. TypeMismatchError if `fig` is not a figure.
    """
    if not isinstance(fig, Figure | Figures):
        raise TypeMismatchError(f"eg.widget needs the result of eg.figure, but this is {shown(fig)}.")
    several = fig.figures if isinstance(fig, Figures) else [fig]
    html = fig.html(script=False)
    return _widget_class()(
        html=html if isinstance(fig, Figures) else f'<div class="eg-figures">{html}</div>',
        values={name: value for one in several for name, value in one.start["values"].items()},
        place=several[0].start["place"],
    )


@lru_cache(maxsize=1)
def _widget_class() -> Any:
    """Make the class of widgets. This imports anywidget, which only `eg.widget` needs."""
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ImportError(
            'eg.widget needs anywidget, which is not installed. Run pip install "eglantine[notebook]". To '
            "show a figure without anywidget, write it as the last line of a cell."
        ) from error

    class FigureWidget(anywidget.AnyWidget):
        """A figure in a notebook."""

        _esm = script() + RENDER
        html = traitlets.Unicode().tag(sync=True)
        values = traitlets.Dict().tag(sync=True)
        place = traitlets.List(trait=traitlets.Float(), allow_none=True).tag(sync=True)

    return FigureWidget
