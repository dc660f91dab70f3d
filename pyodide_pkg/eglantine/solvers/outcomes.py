"""The result of a solver."""

from __future__ import annotations

from typing import Any


class Outcome:
    """The result of a solve. Each part of the result is an attribute.

    All outcomes have `x` (in the structure of the start), `fun`, `jac`, `nit`, `nfev`, `success`, `status`
    and `message`.
    """

    x: Any
    success: bool
    message: str

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"This outcome has no {name!r}, only {', '.join(self.__dict__)}.")

    def __repr__(self) -> str:
        width = max(map(len, self.__dict__))
        return "\n".join(f"{name:>{width}}: {_shown(value)}" for name, value in self.__dict__.items())


_MOST_SHOWN = 100
"""The largest number of characters that the text of an outcome shows of one value."""


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
