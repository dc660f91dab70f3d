"""Several figures that share controls, as one piece of HTML.

A slider changes all pictures that use it.
"""

from __future__ import annotations

from typing import Any

from .framed import framed


class Figures:
    """Figures side by side. If they share a control, it is shown only once and changes all of them."""

    def __init__(self, figures: list[Any]) -> None:
        self.figures = figures

    def __repr__(self) -> str:
        return f"<eg.figure: {len(self.figures)} pictures that share their controls>"

    def html(self, *, script: bool = True, style: bool = True) -> str:
        """Return the figures as one fragment of HTML, for any page.

        script: if true, include the script. A page with several fragments needs it only once.
        style: if true, include the style sheet. A page with several fragments needs it only once.
        """
        known: set[str] = set()
        pieces = []
        for k, fig in enumerate(self.figures):
            is_last = k == len(self.figures) - 1
            pieces.append(fig.fragment(None, script=script and is_last, style=style and k == 0, hidden=known))
            known |= fig.names
        return f'<div class="eg-figures">\n{"".join(pieces)}</div>\n'

    def _repr_mimebundle_(self, *_: Any, **_asked: Any) -> dict[str, str]:
        """Return the figures for notebooks."""
        return {"text/html": self.html(), "text/plain": repr(self)}

    def _mime_(self) -> tuple[str, str]:
        """Return the figures for marimo."""
        return "text/html", framed(self.html(), f"{len(self.figures)} figures")
