"""Write a Python program that makes a figure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any


def python_text(f: Any, given: Mapping[str, Any], says: Any, paths: Mapping[str, Any] | None) -> str:
    """Write a program that makes a figure.

    given: the arguments of `eg.figure` by name, except `says` and `paths`. The program leaves out arguments
        that are None.
    """
    several = f if isinstance(f, list | tuple) else [] if f is None else [f]
    sources: list[str] = []
    words = [repr(one) if isinstance(one, str) else _named(one, sources) for one in several]
    first = f"[{', '.join(words)}]" if isinstance(f, list | tuple) else words[0] if words else "None"
    arguments = [first, *(f"{name}={value!r}" for name, value in given.items() if value is not None)]
    if says is not None:
        arguments.append(f"says=({says[0]!r}, {_named(says[1], sources)})")
    if paths:
        pairs = (f"{label!r}: {_path(path, sources)}" for label, path in paths.items())
        arguments.append(f"paths={{{', '.join(pairs)}}}")
    return "\n".join(["import eglantine as eg\n", *sources, f"fig = eg.figure({', '.join(arguments)})\n"])


def _path(path: Any, sources: list[str]) -> str:
    """Write a path as Python: a function's name, or a pair of the name and a description of its look."""
    if isinstance(path, tuple):
        return f"({_named(path[0], sources)}, {path[1]!r})"
    return _named(path, sources)


def _named(function: Callable[..., Any], sources: list[str]) -> str:
    """Return the name of a function. Append the function's source to the sources."""
    name = getattr(function, "__name__", "f")
    try:
        source = inspect.getsource(getattr(function, "__wrapped__", None) or function)
    except (OSError, TypeError):
        source = f"# {name}: its source is not known\n"
    if source not in sources:
        sources.append(source)
    return name
