"""Write the TypeScript types of an exported function's values, and the JavaScript that reads and writes them.

Types (`of`) and leaves are in the form of the ABI.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Final

from eglantine.emit.layout import SIZES

_WIDTH: Final = 100
BUFFERS: Final = {"f64": "Float64Array", "i32": "Int32Array"}


def quoted(text: str) -> str:
    """A text as a JavaScript string."""
    return json.dumps(text)


def key(name: str) -> str:
    """Write a field's name as a key of a JavaScript object literal."""
    if name == "__proto__":
        return '["__proto__"]'
    return name if name.isidentifier() and name.isascii() else quoted(name)


def _member(value: str, name: str) -> str:
    return f"{value}?.{name}" if name.isidentifier() and name.isascii() else f"{value}?.[{quoted(name)}]"


def bracketed(begin: str, parts: Sequence[str], end: str) -> str:
    """Write parts between brackets. If they do not fit on one line, write each part on its own line."""
    flat = f"{begin}{', '.join(parts)}{end}"
    if len(flat) <= _WIDTH and "\n" not in flat:
        return flat
    inner = "".join(f"\n{part},".replace("\n", "\n  ") for part in parts)
    return f"{begin.strip()}{inner}\n{end.strip()}"


def _block(head: str, lines: Sequence[str]) -> str:
    inner = "\n".join(lines).replace("\n", "\n  ")
    return f"{head} {{\n  {inner}\n}}"


def _members(of: Any) -> list[tuple[str, Any]]:
    """Return the names and types of the parts of a tuple or struct."""
    if "struct" in of:
        return list(of["struct"].items())
    return [(str(k), item) for k, item in enumerate(of["tuple"])]


def _composed(of: Any, parts: Sequence[str]) -> str:
    """Return the JavaScript expression of a tuple or struct.

    of: the type of the tuple or struct, as the ABI writes it.
    parts: the JavaScript expressions of its parts.
    """
    if "tuple" in of:
        return bracketed("[", parts, "]")
    pairs = [f"{key(name)}: {part}" for name, part in zip(of["struct"], parts, strict=True)]
    return bracketed("{ ", pairs, " }") if pairs else "{}"


def extent(leaf: Any) -> tuple[int, int]:
    """Return the positions where a leaf begins and ends in the typed array that contains it."""
    start = leaf["at"] // SIZES[leaf["dtype"]]
    return start, start + prod(leaf["dims"])


def _is_scalar(of: Any) -> bool:
    return of in ("real", "bool") or "fin" in of


def _scalars(of: Any) -> Any:
    """Return the type of a Vec's elements. For nested Vecs, use the innermost Vec."""
    while "vec" in of:
        of = of["of"]
    return of


def argument_type(of: Any) -> str:
    """The TypeScript type of an argument."""
    if of == "unit":
        return "null | undefined"
    if _is_scalar(of):
        return "boolean" if of == "bool" else "number"
    if "vec" in of:
        flat = f" | {_buffer(of)}" if _is_flat(of) else ""
        return f"ArrayLike<{argument_type(of['of'])}>{flat}"
    parts = [argument_type(item) for _, item in _members(of)]
    if "tuple" in of:
        return f"readonly {bracketed('[', parts, ']')}"
    return _struct_type(of, parts, "readonly ")


def result_type(of: Any) -> str:
    """The TypeScript type of a result."""
    if of == "unit":
        return "undefined"
    if _is_scalar(of):
        return "boolean" if of == "bool" else "number"
    if "vec" in of:
        inner = of["of"]
        return _buffer(of) if _is_scalar(inner) and inner != "bool" else f"Array<{result_type(inner)}>"
    parts = [result_type(item) for _, item in _members(of)]
    return bracketed("[", parts, "]") if "tuple" in of else _struct_type(of, parts, "")


def _struct_type(of: Any, parts: Sequence[str], before: str) -> str:
    fields = [f"{before}{key(name)}: {part}" for name, part in zip(of["struct"], parts, strict=True)]
    return f"{{ {'; '.join(fields)} }}" if fields else "{}"


def _buffer(of: Any) -> str:
    return BUFFERS["f64" if _scalars(of) == "real" else "i32"]


def _is_flat(of: Any) -> bool:
    """True for nested Vecs with scalars in the innermost Vec. Callers may pass them as one typed array."""
    return "vec" in of["of"] and _is_scalar(_scalars(of))


def example(of: Any) -> str:
    """Return a JavaScript expression for an example argument of this type."""
    if isinstance(of, str):
        return {"real": "1", "bool": "true", "unit": "undefined"}[of]
    if "fin" in of:
        return "0"
    if "vec" in of:
        return f"Array({of['vec']}).fill({example(of['of'])})"
    return _composed(of, [example(item) for _, item in _members(of)])


class Marshalling:
    """Makes JavaScript expressions that read values from memory, and statements that write them.

    used: the names of the JavaScript helper functions that the statements call.
    views: the names of the typed arrays through which expressions and statements access memory.
    """

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.views: set[str] = set()

    def view(self, leaf: Any) -> str:
        """Return the name of the typed array that contains the leaf's values."""
        view: str = leaf["dtype"]
        self.views.add(view)
        return view

    def _element(self, leaf: Any, index: str) -> str:
        """Return a JavaScript expression for one scalar of a leaf. A script can read it or assign to it.

        index: the JavaScript expression of the scalar's position in the leaf, or "" for the first scalar.
        """
        if "as" in leaf:
            return str(leaf["as"])
        start, _ = extent(leaf)
        return f"{self.view(leaf)}[{start}{index and f' + {index}'}]"

    def read(self, of: Any, places: Iterator[Any], index: str = "", depth: int = 0) -> str:
        """Return the JavaScript expression that reads a value of type `of` from memory.

        places: the leaves of the value.
        index: the JavaScript expression of the value's position in the Vecs that contain it, or "" if no Vec
            contains it.
        depth: the number of Vecs that contain the value.
        """
        if of == "unit":
            return "undefined"
        if _is_scalar(of):
            found = self._element(next(places), index)
            return f"{found} !== 0" if of == "bool" else found
        if "vec" not in of:
            return _composed(of, [self.read(item, places, index, depth) for _, item in _members(of)])
        n, inner = of["vec"], of["of"]
        if _is_scalar(inner):
            leaf = next(places)
            start, _ = extent(leaf)
            further = f" + {index} * {n}" if index else ""
            ends, view = f"({start}{further}, {start + n}{further})", self.view(leaf)
            return f"Array.from({view}.subarray{ends}, Boolean)" if inner == "bool" else f"{view}.slice{ends}"
        k = f"i{depth}"
        item = self.read(inner, places, f"({index} * {n} + {k})" if index else k, depth + 1)
        return f"Array.from({{ length: {n} }}, (_, {k}) => {f'({item})' if item[0] == '{' else item})"

    def write(
        self, of: Any, value: str, name: str, places: Iterator[Any], index: str = "", depth: int = 0
    ) -> Iterator[str]:
        """Return the JavaScript statements that write a value into memory.

        value: the JavaScript expression of the value.
        name: the name of the value in error messages.
        places, index, depth: the same as for `read`.
        """
        if of == "unit":
            return
        if _is_scalar(of):
            check, bound = self._check(of)
            leaf = next(places)
            put = leaf["put"] if "put" in leaf else f"{self._element(leaf, index)} ="
            yield f"{put} {check}({value}, {quoted(name)}{bound});"
        elif "vec" not in of:
            for part, item in _members(of):
                of_part = f"{value}?.[{part}]" if "tuple" in of else _member(value, part)
                yield from self.write(item, of_part, f"{name}.{part}", places, index, depth)
        elif _is_scalar(of["of"]):
            yield self._put_scalars(of["of"], of["vec"], value, name, next(places), index)
        else:
            yield from self._write_each(of, value, name, places, index, depth)

    def _write_each(
        self, of: Any, value: str, name: str, places: Iterator[Any], index: str, depth: int
    ) -> Iterator[str]:
        """Return the JavaScript loop that writes a Vec with elements other than scalars."""
        n, k = of["vec"], f"i{depth}"
        flat = []
        if not index and _is_flat(of):
            leaf = next(places)
            places = iter([leaf])
            start, end = extent(leaf)
            flat = [self._put_scalars(_scalars(of), end - start, value, name, leaf, "")]
        within = f"({index} * {n} + {k})" if index else k
        each = list(self.write(of["of"], f"{value}[{k}]", f"{name}[]", places, within, depth + 1))
        self.used.add("count")
        loop = [f"count({value}, {n}, {quoted(name)});"]
        if each:
            loop.append(_block(f"for (let {k} = 0; {k} < {n}; {k}++)", each))
        if flat:
            loop = [_block(f"if (ArrayBuffer.isView({value}))", flat) + _block(" else", loop)]
        yield from loop

    def _put_scalars(self, of: Any, n: int, value: str, name: str, leaf: Any, index: str) -> str:
        start, _ = extent(leaf)
        further = f" + {index} * {n}" if index else ""
        check, bound = self._check(of)
        self.used.add("vec")
        return f"vec({self.view(leaf)}, {start}{further}, {value}, {n}, {quoted(name)}, {check}{bound});"

    def _check(self, of: Any) -> tuple[str, str]:
        """Return the name of the helper that checks a scalar, and its last argument ("" if there is none)."""
        check, bound = (of, "") if isinstance(of, str) else ("fin", f", {of['fin']}")
        self.used.add(check)
        return check, bound
