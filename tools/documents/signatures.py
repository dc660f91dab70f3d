"""Signatures and docstrings of the public names, as Markdown.

We use `inspect` and not the source text, because many functions are created by a loop over a table, and other
functions are imported when they are first used. The source text does not contain their signatures.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType

FIELD = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*): (.*)$")
SECTIONS = frozenset({"Raises", "Returns", "Source", "Yields", "Args"})
NOT_TYPED = frozenset({"Any", "None"})
"""Annotations that tell a reader nothing."""
MODULE = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])|\"|'")
LONGEST_LINE = 76
NOT_CALLED = frozenset({
    "Artifact", "Diagnosis", "DiagramStepper", "Fn", "Jit", "Kernel", "Layout", "Program", "Relation",
    "Shape", "Term", "Violation",
})  # fmt: skip
"""Classes that users do not call, because functions return their objects."""
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def signature(thing: object, name: str) -> str:
    """Write the signature of a function or a class in Python's syntax, without annotations such as Any."""
    if isinstance(thing, ModuleType) or not callable(thing) or _is_received(thing):
        return name
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    parameters = [*found.parameters.values()]
    if parameters and parameters[0].name in {"self", "cls"}:
        parameters = parameters[1:]
    if all(one.name.startswith("_") for one in parameters):
        return name
    texts = [*_parameters(parameters)]
    returned = _type(found.return_annotation)
    end = f") -> {returned}" if returned and not inspect.isclass(thing) else ")"
    line = f"{name}({', '.join(texts)}{end}"
    if len(line) <= LONGEST_LINE:
        return line
    return f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + end


def _is_received(thing: object) -> bool:
    """True if `thing` is a class that users do not call, such as an error."""
    return inspect.isclass(thing) and (thing.__name__ in NOT_CALLED or issubclass(thing, BaseException))


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    """Yield the text of each parameter with its type and default, and the separators `/` and `*`."""
    kind = inspect.Parameter
    seen_star = False
    for one, following in zip(parameters, [*parameters[1:], None], strict=True):
        stars = "*" if one.kind is kind.VAR_POSITIONAL else "**" if one.kind is kind.VAR_KEYWORD else ""
        if one.kind is kind.KEYWORD_ONLY and not seen_star:
            yield "*"
        seen_star = seen_star or one.kind in {kind.VAR_POSITIONAL, kind.KEYWORD_ONLY}
        annotation = _type(one.annotation)
        typed = f": {annotation}" if annotation else ""
        default = "" if one.default is kind.empty else _default(one.default, bool(typed))
        yield f"{stars}{one.name}{typed}{default}"
        if one.kind is kind.POSITIONAL_ONLY and (following is None or following.kind is not one.kind):
            yield "/"


def _default(value: object, is_typed: bool) -> str:
    text = "…" if value is Ellipsis else ADDRESS.sub("", repr(value))
    if inspect.isroutine(value) or inspect.isclass(value):
        text = value.__name__
    return f" = {text}" if is_typed else f"={text}"


def _type(annotation: object) -> str:
    if annotation is inspect.Signature.empty:
        return ""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    short = MODULE.sub("", text)
    return "" if short in NOT_TYPED else short


def summary(thing: object) -> str:
    """Return the first sentence of a docstring, on one line."""
    first = " ".join(docstring(thing).split("\n\n")[0].split())
    return first.split(": `import")[0]


def docstring(thing: object) -> str:
    """Return the docstring of a public name.

    Return "" for a number, because `inspect` would return the docstring of float.
    """
    if isinstance(thing, int | float | str) or thing is None:
        return ""
    return inspect.getdoc(thing) or ""


def markdown_of(text: str) -> str:
    """Convert a docstring to Markdown. Lines such as `x: …` become a list, and examples become blocks."""
    out: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(">>> "):
            end = _end(lines, at, lambda one: not one.strip())
            out += ["", *_example(lines[at:end])]
            at = end
        elif (field := FIELD.match(line)) and _is_field(lines, at):
            end = _end(lines, at + 1, lambda one: not one.startswith("    "))
            rest = " ".join(one.strip() for one in [field[2], *lines[at + 1 : end]])
            name = field[1] if field[1] in SECTIONS else f"`{field[1]}`"
            out += ["", f"- **{name}**: {escaped(rest)}"]
            at = end
        else:
            out.append(line if line.startswith("    ") else escaped(line))
            at += 1
    return "\n".join(out).strip("\n") + "\n"


def escaped(text: str) -> str:
    """Escape special characters of Markdown, such as `*`, except in backticks."""
    parts = re.split(r"(``?[^`]+``?)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<\[\\])", r"\\\1", part) for part in parts)


def _end(lines: list[str], start: int, ends: object) -> int:
    assert callable(ends)
    at = start
    while at < len(lines) and not ends(lines[at]):
        at += 1
    return at


def _is_field(lines: list[str], at: int) -> bool:
    """True if a line such as `x: the start` describes a parameter, and is not inside a paragraph."""
    name = lines[at].split(":")[0]
    if name in SECTIONS:
        return True
    return (
        at == 0 or not lines[at - 1].strip() or bool(FIELD.match(lines[at - 1])) or lines[at - 1][:1] == " "
    )


def _example(lines: list[str]) -> Iterator[str]:
    """Convert a doctest example to Markdown blocks: code, output, code, output, …"""
    code: list[str] = []
    shown: list[str] = []

    def block() -> Iterator[str]:
        yield from ["```python", *code, "```", ""]
        if shown:
            yield from ["```", *shown, "```", ""]

    for line in lines:
        if line[:4] in {">>> ", "... ", "...", ">>>"}:
            if shown:
                yield from block()
                code, shown = [], []
            code.append(line[4:])
        else:
            shown.append(line)
    yield from block()
