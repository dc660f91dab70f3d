"""Find the diagram that a program made, and convert it to data for the page Diagrams."""

from __future__ import annotations

import json
from typing import Any

import eglantine as eg
from eglantine.diagrams import Diagram, to_data


def data_of(namespace: dict[str, Any]) -> str:
    """Return a program's diagram as JSON: d, or the last diagram in `namespace` if d is no diagram.

    Raises:
        EglantineError: there is no diagram, or it has no shapes.
    """
    made = [value for value in namespace.values() if isinstance(value, Diagram)]
    named = namespace.get("d")
    if not isinstance(named, Diagram):
        if not made:
            raise eg.EglantineError(
                "The program makes no diagram. Write d = dg.Diagram(300, 200), and then add shapes to d."
            )
        named = made[-1]
    if not named.shapes:
        raise eg.EglantineError("The diagram has no shapes yet. Make one, such as d.circle(r=20).")
    return json.dumps(to_data(named))
