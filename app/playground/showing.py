"""List a function at each stage from IR to bytes, and link each line to its place in the program's text."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg
from eglantine.inside import NESTING, Block, Function, leaves, optimise, reachable
from eglantine.printer import pretty

from .meanings import SUMS, Definition, Meanings, merged
from .places import NOWHERE, Places
from .row_bytes import emitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from eglantine import Artifact, Fn
    from eglantine.inside import Owner

    from .instructions import Instruction

MOST_LINES: Final = 3000
"""The largest number of lines of a listing. A longer listing is cut."""

LARGEST_MATRIX: Final = 1_000_000
"""The largest number of entries of a Hessian or Jacobian that the page offers."""

WITHOUT_LINE: Final = frozenset({"zero", "param", "proj"})
"""Operations for which the printer prints no line."""

DERIVATIVES: Final[dict[str, Callable[..., Any]]] = {
    "gradient": eg.grad,
    "value_and_grad": eg.value_and_grad,
    "hessian": eg.hessian,
    "jacobian": eg.jacrev,
}


def kinds(f: Fn) -> list[str]:
    """Return the listings that the page offers for a function: "value", and the names of derivatives."""
    result = f.function.result
    if not real_parameters(f):
        return ["value"]
    size = sum(reals(of) for of in f.function.params)
    if result == eg.Real:
        return ["value", "gradient", "value_and_grad", *(["hessian"] if size**2 <= LARGEST_MATRIX else [])]
    return ["value", "jacobian"] if 0 < size * reals(result) <= LARGEST_MATRIX else ["value"]


def reals(of: Any) -> int:
    """Return the number of Reals in a value of the given type."""
    return sum(math.prod(leaf.dims) for leaf in leaves(of) if leaf.dtype == "f64")


def real_parameters(f: Fn) -> list[int]:
    """Return the positions of the parameters that contain Reals. We can differentiate by these parameters."""
    params = f.function.params
    return [k for k, of in enumerate(params) if any(leaf.dtype == "f64" for leaf in leaves(of))]


def derived(f: Fn, kind: str) -> Fn:
    """Return f if `kind` is "value". Otherwise return its derivative by all Real arguments."""
    if kind == "value":
        return f
    positions = real_parameters(f)
    derivative: Fn = DERIVATIVES[kind](f, tuple(positions) if len(positions) > 1 else positions[0])
    return derivative


def shown(
    f: Fn, kind: str, places: Places, definition: Definition | None = None
) -> tuple[dict[str, Any], Artifact]:
    """Compile a function or its derivative. Return a dict with its listings for the page, and the artifact.

    definition: the offsets of the function's parts in the text.

    Returns {"stages": [{"name", "lines", "rows": [[line, place, order], …]}, …], "wat": {"lines", "rows":
    [[line, place, order, start, end], …], "folds": [[first, last], …]}, "tokens": [[start, end, [place, …]],
    …], "cost": {"ms", "bytes"}}.

    "rows" link lines of a listing to places in the program's text. A row also has the order of the derivative
    and, in "wat", the offsets of the line's bytes. Rows are sorted by line, and a line may have several rows.
    "tokens" link words of the program to other places. A use of a parameter is linked to the parameter, and
    `return` to everything in its statement. "folds" has the first and last line of each function that comes
    from no place in the program, such as a library function. If a listing is too long, we cut it. Then "more"
    is the number of missing lines, or -1 in "wat", where this number is unknown.
    """
    start = time.perf_counter()
    g = derived(f, kind)
    artifact = eg.compile_artifact(g)
    ms = 1000 * (time.perf_counter() - start)
    meanings = Meanings(f, kind, real_parameters(f), definition or Definition(), places)
    passes: list[tuple[str, Block]] = []
    ready = optimise(g.function, passes)
    stages = [stage("traced", f.function, places, meanings, False)]
    if g is not f:
        stages.append(stage("derivative", g.function, places, meanings, True))
    stages += [stage(name, _named(ready, block), places, meanings, g is not f) for name, block in passes]
    _, lines, instructions = emitted(ready, MOST_LINES)
    cost = {"ms": ms, "bytes": len(artifact.wasm)}
    return {
        "stages": stages,
        "wat": wat(lines, _instructions(ready, instructions, lines, places, meanings)),
        "tokens": meanings.tokens(places),
        "cost": cost,
    }, artifact


def _instructions(
    ready: Function,
    instructions: Sequence[Instruction],
    lines: Sequence[str],
    places: Places,
    meanings: Meanings,
) -> list[tuple[Instruction, tuple[int, int]]]:
    """Return the instructions that come from the program's text, each with its place in the text."""
    assert ready.block is not None
    around = enclosing(ready)
    given = meanings.loads(ready.block)
    for owner, means in meanings.results(ready.block, meanings.is_derivative)[1].items():
        if _op(owner) in SUMS and means:
            given[owner] = merged(owner, _place(owner, places, around), means)[0]
    entry = next((line.split("$")[1].rstrip(")") for line in lines if '(export "main"' in line), "")
    body = next((range(a, b) for a, b in functions(lines) if lines[a].split()[1] == f"${entry}"), range(0))
    stores = meanings.stores(instructions, body)
    placed = []
    for k, i in enumerate(instructions):
        if i.line < MOST_LINES and (i.owner is not None or k in stores):
            placed.append(
                (i, stores[k] if i.owner is None else given.get(i.owner) or _place(i.owner, places, around))
            )
    return placed


def _op(owner: Owner) -> str:
    block, row = owner
    op: str = block.rows[row][0]
    return op


def _named(ready: Function, block: Block) -> Function:
    """Replace the body of the function `ready` by a block that a compiler pass returned."""
    return replace(ready, block=block, leaf_params=block.param_types, leaf_results=block.result_types)


def stage(
    name: str, function: Function, places: Places, meanings: Meanings, is_derivative: bool
) -> dict[str, Any]:
    """List the printed rows of a function, each with its places in the program's text."""
    lines = pretty(function).rstrip("\n").split("\n")
    assert function.block is not None
    around = enclosing(function)
    returned, meant = meanings.results(function.block, is_derivative)
    rows = [[0, *placed] for placed in meanings.header()]
    rows += [[sum(1 for _ in _lines(function.block)), *placed] for placed in returned]
    for line, owner in enumerate(owners(function)):
        if owner is not None:
            rows += [
                [line, *placed]
                for placed in merged(owner, _place(owner, places, around), meant.get(owner, ()))
            ]
    return {"name": name, "rows": sorted(row for row in rows if row[0] < MOST_LINES)} | _cut(lines)


def _cut(lines: Sequence[str]) -> dict[str, Any]:
    more = len(lines) - MOST_LINES
    return {"lines": lines[:MOST_LINES]} | ({"more": more} if more > 0 else {})


def _place(owner: Owner, places: Places, around: Mapping[Block, Owner]) -> tuple[int, int]:
    """Return a row's place and derivative order. If it has no place, use the loop or branch around it."""
    block, row = owner
    place, order = places.of(block.sources[row])
    while place == NOWHERE and block in around:
        block, row = around[block]
        place, outer = places.of(block.sources[row])
        order = max(order, outer)
    return place, order


def enclosing(function: Function) -> dict[Block, Owner]:
    """Map each body in a function and its callees to the row of the loop or branch that has this body."""
    around: dict[Block, Owner] = {}
    pending = [f.block for f in reachable(function) if f.block is not None]
    while pending:
        block = pending.pop()
        for i, row in enumerate(block.rows):
            if row[0] in NESTING:
                around.update(dict.fromkeys(row[2].blocks, (block, i)))
                pending += row[2].blocks
    return around


def owners(function: Function) -> Iterator[Owner | None]:
    """For each line that `pretty` prints for a function and its callees, yield the line's row or None."""
    for printed in reachable(function):
        yield None
        if printed.block is not None:
            yield from _lines(printed.block)
        yield None


def _lines(block: Block) -> Iterator[Owner | None]:
    """Yield the row of each printed line of a block. Yield None for headings and for the line of results."""
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
    """Return a module's text with the place, derivative order and byte offsets of each instruction."""
    rows = [[i.line, place, order, i.start, i.end] for i, (place, order) in placed if place != NOWHERE]
    lit = {row[0] for row in rows}
    folds = [[first, last] for first, last in functions(lines) if lit.isdisjoint(range(first, last + 1))]
    more = -1 if len(lines) == MOST_LINES else 0
    return {"lines": lines, "rows": rows, "folds": folds, "more": more}


def functions(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each function in a module's text."""
    first = 0
    for k, line in enumerate(lines):
        if line.startswith("  (func "):
            first = k
        elif line == "  )":
            yield first, k
