"""Errors for names that the package does not have. The errors say what to write instead."""

from __future__ import annotations

from collections.abc import Iterable

from eglantine.words.advice import OF_MATHS, OF_PACKAGE
from eglantine.words.spelling import letters_told, nearest

from .errors import UnknownNameError

SUBMODULES = {
    name: f"from eglantine import {name}" for name in ("bril", "diagrams", "formulas", "printer", "reader")
} | {"numpy": "import eglantine.numpy as enp"}
"""For each module that users import by its name, the statement that imports it."""


def unknown_name(name: str, space: str, known: Iterable[str]) -> AttributeError:
    """Make the error for a name that a namespace does not have.

    space: the namespace, "eg" or "eg.math".
    known: the names that the namespace has.
    """
    if name.startswith("_"):
        return AttributeError(f"module {space!r} has no attribute {name!r}")
    suggestion = None
    if space == "eg" and name in SUBMODULES:
        advice = f" Write `{SUBMODULES[name]}`."
    elif space == "eg" and name in OF_PACKAGE:
        advice = f" Write {OF_PACKAGE[name]}."
    elif name in OF_MATHS:
        advice = f" Write {OF_MATHS[name]}."
    else:
        near = nearest(name, (other for other in known if not other.startswith("_")))
        told = letters_told(name)
        suggestion = f"{space}.{near}" if near else None
        advice = f" {told[0].upper()}{told[1:]}." if told else ""
        advice += "" if near else f" See help({space}) for all names."
    return UnknownNameError(f"There is no {space}.{name}.{advice}", None, suggestion)
