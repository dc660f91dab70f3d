"""List the names that a program can use. Their signatures and summaries come from the package itself."""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

import eglantine as eg

from .pictures import Pictures

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = "eglantine"
NUMPYS = "The same as NumPy’s function {}, element by element."
DOCUMENTED = (PACKAGE, "app")
"""The packages whose docstrings can be read from the zip of sources."""


def names(sources: bytes = b"") -> list[dict[str, str]]:
    """List every public name as {"name", "kind", "signature", "about"}.

    The name of a function in a module of the package begins with the module's name, as in "math.sin" and
    "numpy.dot". The name of a function that needs no import begins with a dot, as in ".plot".

    sources: a zip of the package's .py files, for a package that was loaded without its docstrings.
    """
    archive = zipfile.ZipFile(io.BytesIO(sources)) if sources else None
    about = _Abouts(archive)
    entries = [_described(name, getattr(eg, name), about) for name in eg.__all__]
    for name, value in vars(eg.math).items():
        if not name.startswith("_") and _is_of_math(value):
            entries.append(_described(f"math.{name}", value, about))
    for space in ("numpy", "random"):
        module = importlib.import_module(f"{PACKAGE}.numpy") if space == "numpy" else eg.random
        inside = [_described(f"{space}.{name}", getattr(module, name), about) for name in module.__all__]
        entries += [
            entry | {"about": entry["about"] or NUMPYS.format(entry["name"].split(".")[1])}
            for entry in inside
        ]
    given = Pictures(len).namespace()
    entries += [_described(f".{name}", value, about) for name, value in given.items()]
    return sorted(entries, key=lambda entry: entry["name"])


def _is_of_math(value: Any) -> bool:
    return isinstance(value, float) or getattr(value, "__module__", None) == eg.math.__name__


class _Abouts:
    """Finds the first line of an object's docstring. Reads the source file if the object has no docstring."""

    def __init__(self, archive: zipfile.ZipFile | None) -> None:
        self._archive = archive
        self._modules: dict[str, dict[str, str]] = {}

    def of(self, value: Any) -> str:
        """Return the first line of a value's docstring, or "" if the value has none."""
        if value.__doc__ and not isinstance(value, float):
            return first_line(value.__doc__)
        origin = value if callable(value) and hasattr(value, "__qualname__") else type(value)
        module, name = getattr(origin, "__module__", ""), getattr(origin, "__qualname__", "")
        return self._of_module(module).get(name, "") if module.split(".")[0] in DOCUMENTED else ""

    def _of_module(self, module: str) -> dict[str, str]:
        if module not in self._modules:
            path = f"{module.replace('.', '/')}.py"
            there = self._archive is not None and path in self._archive.namelist()
            text = self._archive.read(path).decode() if self._archive and there else ""
            self._modules[module] = dict(documented(text))
        return self._modules[module]


def documented(text: str) -> Iterator[tuple[str, str]]:
    """Find the functions, classes and methods in a module's text, with their docstrings' first lines."""
    pending = [("", node) for node in ast.parse(text).body]
    while pending:
        prefix, node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            written = ast.get_docstring(node)
            if written:
                yield prefix + node.name, first_line(written)
        if isinstance(node, ast.ClassDef):
            pending += [(f"{node.name}.", child) for child in node.body]


def first_line(text: str) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join(text.strip().split("\n\n", 1)[0].split())


def _described(name: str, value: Any, about: _Abouts) -> dict[str, str]:
    return {"name": name, "kind": _kind(value), "signature": _signature(value), "about": about.of(value)}


def _kind(value: Any) -> str:
    if inspect.ismodule(value):
        return "namespace"
    if isinstance(value, float):
        return "constant"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "type"


def _signature(value: Any) -> str:
    """Write a signature without types, because types would make the list of names hard to read."""
    if isinstance(value, type) or not callable(value):
        return ""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    plain = signature.replace(
        parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()],
        return_annotation=signature.empty,
    )
    return re.sub(r"=Ellipsis", "=...", str(plain))
