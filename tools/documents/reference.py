"""Make the reference. Insert the signature and the docstring of each public name below its heading.

The files `docs/reference/*.md` contain the headings, the prose between groups of names, and an example for
each name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

import eglantine as eg
import eglantine.numpy as enp
from eglantine import bril, diagrams, formulas
from tools.documents.signatures import docstring, escaped, markdown_of, signature, summary

ROOTS = {"eg": eg, "enp": enp, "bril": bril, "dg": diagrams, "formulas": formulas}
"""Name in the examples → the package with this name."""
PUBLIC = {
    "eg": eg, "eg.math": eg.math, "eg.random": eg.random,
    "enp": enp, "enp.linalg": enp.linalg, "enp.fft": enp.fft,
    "dg": diagrams, "bril": bril, "formulas": formulas,
}  # fmt: skip
"""Name in the examples → a module whose public names must all be in the reference."""
NOT_OURS = frozenset({
    "Any", "IndexValue", "Notation", "RealValue", "Traced", "TypeMismatchError", "VecValue", "binary",
    "described", "elementwise", "interpret", "library", "real", "select", "unary",
})  # fmt: skip
"""Names in these modules that need not be in the reference. They are imported from other modules, or are not
public."""
HEADING = re.compile(r"^### ((?:eg|enp|bril|dg|formulas)(?:\.\w+)+(?:, (?:\w+\.)+\w+)*)\n", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```\n", re.MULTILINE | re.DOTALL)
LONGEST_MEMBER = 400


class Entry(NamedTuple):
    """A public name, and the text below its heading in a file of the reference (usually an example)."""

    name: str
    text: str


def entries(text: str) -> list[Entry]:
    """List the entries of a file of the reference. A heading may contain several names (aliases)."""
    pieces = HEADING.split(text)
    return [
        Entry(name, re.split(r"^#{2,3} ", body, flags=re.MULTILINE)[0])
        for names, body in zip(pieces[1::2], pieces[2::2], strict=True)
        for name in names.split(", ")
    ]


def public_names() -> list[str]:
    """List all names that must be in the reference."""
    return [f"{prefix}.{name}" for prefix, module in PUBLIC.items() for name in _names(module)]


def _names(module: ModuleType) -> Iterator[str]:
    """Yield the public names of a module, except names of modules."""
    names: list[str] = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (callable(value) or isinstance(value, float))
        and _is_ours(name, value)
    ]
    yield from (name for name in sorted(names) if not isinstance(getattr(module, name), ModuleType))


def _is_ours(name: str, value: object) -> bool:
    if isinstance(value, float):
        return True
    home = getattr(value, "__module__", "")
    is_of_room = home in {"eglantine.trace.maths", "eglantine.numpy.random"}
    return name == "where" or (is_of_room and name not in NOT_OURS)


def resolve(name: str) -> object:
    """Return the function, class or constant with a name such as `eg.grad`.

    Raises:
        AttributeError: the package does not have the name.
    """
    root, *rest = name.split(".")
    thing: object = ROOTS[root]
    for part in rest:
        thing = getattr(thing, part)
    return thing


def written(text: str) -> str:
    """Insert signatures and docstrings below the headings of a file of the reference."""
    return HEADING.sub(_described, text)


def _described(match: re.Match[str]) -> str:
    names = match[1].split(", ")
    thing = resolve(names[0])
    if isinstance(thing, int | float | type(None)):
        calls = [f"{name} = {resolve(name)}" for name in names]
    else:
        calls = [signature(resolve(name), name) for name in names]
    about = markdown_of(docstring(thing))
    members = "".join(_members(thing, names[0])) if inspect.isclass(thing) else ""
    return f"### {match[1]}\n\n```py\n" + "\n".join(calls) + f"\n```\n\n{about}\n{members}\n"


def _members(thing: type, name: str) -> Iterator[str]:
    """Yield a line of Markdown for each public method and property of a class."""
    if issubclass(thing, BaseException):
        return
    short = name.rsplit(".", maxsplit=1)[-1].lower() if not name.endswith("Error") else "error"
    for member, value in vars(thing).items():
        about = inspect.getdoc(value) or ""
        is_shown = inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod)
        if member.startswith("_") or not is_shown or not about:
            continue
        plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        call = member if isinstance(value, property) else signature(plain, member)
        first, _, rest = about.partition("\n\n")
        told = " ".join(first.split()) + (" " + " ".join(rest.split()) if len(about) < LONGEST_MEMBER else "")
        shown = " ".join(call.split())
        yield f"- `{short}.{shown}`: {escaped(told)}\n"


def first_sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name in a file of the reference, with the first sentence of its docstring."""
    for name in (entry.name for entry in entries(text)):
        yield name, summary(resolve(name))


def example_of(entry: Entry) -> str | None:
    """Return the first Python block of an entry or of its docstring. Return None if there is none."""
    text = entry.text + markdown_of(docstring(resolve(entry.name)))
    block = re.search(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return block[1] if block else None
