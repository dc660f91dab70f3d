"""A function on its way from rows to bytes, as the page shows it: each line with the place it comes from."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg
from eglantine.ir import NESTING, Block, Function
from eglantine.optimise import optimise
from eglantine.printer import pretty, reachable
from eglantine.types import leaves

from .places import NOWHERE, Places
from .row_bytes import emitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from eglantine import Artifact, Fn

    from .instructions import Instruction, Owner

MOST_LINES: Final = 3000
"""How many lines of a listing go to the page."""

LARGEST_MATRIX: Final = 1_000_000
"""Entries of a Hessian or Jacobian that the page offers."""

WITHOUT_LINE: Final = frozenset({"zero", "param", "proj"})
"""Operations that the printer gives no line of their own."""

DERIVATIVES: Final[dict[str, Callable[..., Any]]] = {
    "gradient": eg.grad,
    "value_and_grad": eg.value_and_grad,
    "hessian": eg.hessian,
    "jacobian": eg.jacrev,
}


def kinds(f: Fn) -> list[str]:
    """What can be looked at of a function: its value, and the derivatives that it has."""
    result = f.function.result
    if not real_parameters(f):
        return ["value"]
    size = sum(reals(of) for of in f.function.params)
    if result == eg.Real:
        return ["value", "gradient", "value_and_grad", *(["hessian"] if size**2 <= LARGEST_MATRIX else [])]
    return ["value", "jacobian"] if 0 < size * reals(result) <= LARGEST_MATRIX else ["value"]


def reals(of: Any) -> int:
    """How many Reals a value of a type holds."""
    return sum(math.prod(leaf.dims) for leaf in leaves(of) if leaf.dtype == "f64")


def real_parameters(f: Fn) -> list[int]:
    """The positions of the parameters that a function can be differentiated in."""
    params = f.function.params
    return [k for k, of in enumerate(params) if any(leaf.dtype == "f64" for leaf in leaves(of))]


def derived(f: Fn, kind: str) -> Fn:
    """The function itself for "value", else a derivative in all the Reals of its parameters."""
    if kind == "value":
        return f
    positions = real_parameters(f)
    made: Fn = DERIVATIVES[kind](f, tuple(positions) if len(positions) > 1 else positions[0])
    return made


def shown(
    f: Fn, kind: str, places: Places, params: Sequence[tuple[int, int] | None] = ()
) -> tuple[dict[str, Any], Artifact]:
    """All that the page shows of a function or its derivative, and the artifact.

    params: where the parameters stand in the text, as far as they do.

    Returns {"stages": [{"name", "lines", "rows": [[line, place, order], …]}, …], "wat": {"lines", "rows":
    [[line, place, order, start, end], …], "folds": [[first, last], …]}, "cost": {"ms", "bytes"}}, with the
    rows by line. A listing that is cut says in "more" how many lines are missing. A fold is a function that
    the program's text has no part in: one of the library's. Of a module, that number is not known: -1.
    """
    start = time.perf_counter()
    g = derived(f, kind)
    artifact = eg.compile_artifact(g)
    ms = 1000 * (time.perf_counter() - start)
    passes: list[tuple[str, Block]] = []
    ready = optimise(g.function, passes)
    stages = [stage("traced", f.function, places)]
    if g is not f:
        stages.append(stage("derivative", g.function, places))
    stages += [stage(name, _named(ready, block), places) for name, block in passes]
    _, lines, instructions = emitted(ready, MOST_LINES)
    cost = {"ms": ms, "bytes": len(artifact.wasm)}
    around = enclosing(ready)
    given = _given(ready, params, places)
    rows = [
        (i, given.get(i.owner) or _place(i.owner, places, around))
        for i in instructions
        if i.owner is not None and i.line < MOST_LINES
    ]
    return {"stages": stages, "wat": wat(lines, rows), "cost": cost}, artifact


def _given(
    ready: Function, params: Sequence[tuple[int, int] | None], places: Places
) -> dict[Owner, tuple[int, int]]:
    """The places of the rows that are leaves of the parameters."""
    assert ready.block is not None
    spans = [span for span, of in zip(params, ready.params, strict=False) for _ in leaves(of)]
    return {
        (ready.block, row): (places.number(span), 0)
        for row, span in zip(ready.block.params, spans, strict=False)
        if span is not None
    }


def _named(ready: Function, block: Block) -> Function:
    """A pass's block as a function of the program's name."""
    return replace(
        ready, block=block, memo={}, leaf_params=block.param_types, leaf_results=block.result_types
    )


def stage(name: str, function: Function, places: Places) -> dict[str, Any]:
    """The printed rows of a function, each with its place."""
    lines = pretty(function).rstrip("\n").split("\n")
    rows = []
    around = enclosing(function)
    for line, owner in enumerate(owners(function)):
        if owner is not None and line < MOST_LINES:
            place, order = _place(owner, places, around)
            if place != NOWHERE:
                rows.append([line, place, order])
    return {"name": name, "rows": rows} | _cut(lines)


def _cut(lines: Sequence[str]) -> dict[str, Any]:
    more = len(lines) - MOST_LINES
    return {"lines": lines[:MOST_LINES]} | ({"more": more} if more > 0 else {})


def _place(owner: Owner, places: Places, around: Mapping[Block, Owner]) -> tuple[int, int]:
    """A row's place, else that of the loop or branch it stands in, and of which derivative it is."""
    block, row = owner
    place, order = places.of(block.sources[row])
    while place == NOWHERE and block in around:
        block, row = around[block]
        place, outer = places.of(block.sources[row])
        order = max(order, outer)
    return place, order


def enclosing(function: Function) -> dict[Block, Owner]:
    """The row of the loop or branch around each block that is a body, in a function and what it calls."""
    found: dict[Block, Owner] = {}
    pending = [f.block for f in reachable(function) if f.block is not None]
    while pending:
        block = pending.pop()
        for i, row in enumerate(block.rows):
            if row[0] in NESTING:
                found.update(dict.fromkeys(row[2].blocks, (block, i)))
                pending += row[2].blocks
    return found


def owners(function: Function) -> Iterator[Owner | None]:
    """The row of each line that `pretty` prints of a function and what it calls, in order."""
    for printed in reachable(function):
        yield None
        if printed.block is not None:
            yield from _lines(printed.block)
        yield None


def _lines(block: Block) -> Iterator[Owner | None]:
    """The row of each line of a block, then the line of its results."""
    for i, row in enumerate(block.rows):
        if row[0] in WITHOUT_LINE:
            continue
        yield block, i
        match row[0]:
            case "loop" if row[2].test is None:
                yield from _lines(row[2].body)
            case "loop":
                yield None
                yield from _lines(row[2].test)
                yield None
                yield from _lines(row[2].body)
            case "cond":
                for arm in row[2].blocks:
                    yield None
                    yield from _lines(arm)
    yield None


def wat(lines: Sequence[str], placed: Sequence[tuple[Instruction, tuple[int, int]]]) -> dict[str, Any]:
    """The module's text, each instruction with its bytes, its place, and of which derivative it is."""
    rows = [[i.line, place, order, i.start, i.end] for i, (place, order) in placed if place != NOWHERE]
    lit = {row[0] for row in rows}
    folds = [[first, last] for first, last in functions(lines) if lit.isdisjoint(range(first, last + 1))]
    more = -1 if len(lines) == MOST_LINES else 0
    return {"lines": lines, "rows": rows, "folds": folds, "more": more}


def functions(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first and last line of each function in a module's text."""
    first = 0
    for k, line in enumerate(lines):
        if line.startswith("  (func "):
            first = k
        elif line == "  )":
            yield first, k
