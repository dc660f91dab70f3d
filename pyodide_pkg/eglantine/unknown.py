"""The errors for names that the package does not have. They say what to write instead."""

from __future__ import annotations

from collections.abc import Iterable

from eglantine.words.advice import OF_MATHS, OF_PACKAGE
from eglantine.words.spelling import letters_told, nearest

from .errors import UnknownNameError

SUBMODULES = frozenset({"formulas", "printer", "reader"})
"""The modules that users import by name."""


def unknown_name(name: str, space: str, known: Iterable[str]) -> AttributeError:
    """The error for an unknown name.

    space: the namespace without the name, "eg" or "eg.math".
    known: the names that it has.
    """
    if name.startswith("_"):
        return AttributeError(f"module {space!r} has no attribute {name!r}")
    suggestion = None
    if space == "eg" and name in SUBMODULES:
        advice = f"; write `from eglantine import {name}`"
    elif space == "eg" and name in OF_PACKAGE:
        advice = f"; write {OF_PACKAGE[name]}"
    elif name in OF_MATHS:
        advice = f"; write {OF_MATHS[name]}"
    else:
        near = nearest(name, (other for other in known if not other.startswith("_")))
        told = letters_told(name)
        suggestion = f"{space}.{near}" if near else None
        advice = f"; {told}" if told else ""
        advice += "" if near else f"; help({space}) lists all names"
    return UnknownNameError(f"Found {space}.{name}, expected a name that exists{advice}.", None, suggestion)
