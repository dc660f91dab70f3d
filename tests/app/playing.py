"""Requests to the playground."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from app.playground.service import Service

POWER = """import eglantine as eg

@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x ** y

print("π", f(2.0, 3.0))
f(2.0, 3.0) + 1
"""


class Asked:
    """A service and all the notes it has sent."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.service = Service(self.notes.append)
        self.bytes = b""

    def __call__(self, method: str, *args: Any) -> Any:
        reply = asyncio.run(self.service.ask(method, list(args)))
        self.bytes = b"".join(reply[1:])
        return json.loads(reply[0])

    @property
    def printed(self) -> str:
        """The output of all programs so far."""
        return "".join(json.loads(note)["printed"] for note in self.notes)


def marked(text: str, error: dict[str, Any]) -> str:
    """Return the part of a text that an error underlines. The error counts positions in UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * error["from"] : 2 * error["to"]].decode("utf-16-le", "surrogatepass")
