"""What the page asks of Python: WebAssembly of a formula, a billiards table or a robot."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import lru_cache
from typing import Any

import eglantine as eg
from app.algebra.display import to_tex
from app.formulas.checking import verdict
from app.formulas.jets import jet_of
from app.simulations.tables import compile_table
from app.simulations.trouble import of_shot, of_walk
from app.simulations.walkers import compile_robot
from app.tape.checking import tape_verdict
from app.tape.tape import compile_tape
from eglantine import Artifact, exported, formulas
from eglantine.types import as_type

LONGEST_MESSAGE = 500
LONGEST_TEX = 900
ENTRIES = ("f", "fx", "fy", "fxx", "fxy", "fyy")
"""The leaves of a module's result, in order."""

Reply = tuple[str, *tuple[bytes, ...]]
"""JSON, then the modules' bytes."""


class Service:
    """Answers the page's requests, one of `METHODS` each; it keeps no state but what it does afterwards.

    An answer is JSON, then the bytes of modules. What need not be waited for comes later as notes: `ask`
    leaves it for `afterwards`, which the worker calls once the answer is under way.
    """

    def __init__(self, note: Callable[[str], object] = lambda _: None) -> None:
        """`note` takes JSON to the page, while a request is answered or afterwards."""
        self._note = note
        self._rest: Callable[[], object] = lambda: None

    def ask(self, method: str, args: Sequence[Any]) -> Reply:
        """What a method answers.

        Raises:
            ValueError: there is no such method.
        """
        self._rest = lambda: None
        if method not in METHODS:
            msg = f"Found the method {method!r}; expected one of {', '.join(METHODS)}: ask for one of these."
            raise ValueError(msg)
        # An interrupted answer may leave a trace open, in its own context.
        return copy_context().run(METHODS[method], self, *args)

    def afterwards(self) -> None:
        """Do what the last answer left to do."""
        rest, self._rest = self._rest, lambda: None
        rest()

    def warm_up(self, k: int) -> None:
        """Compile a formula for no one: the engine makes Python fast by seeing it at work."""
        _compiled(f"x^y+{k}", ["x", "y"])

    def formula(self, text: str, names: Sequence[str]) -> Reply:
        """`compile_formula` for the worker; a note {"tex"} follows."""
        made = _compiled(text, names)
        if isinstance(made, dict):
            return json.dumps(made), b""
        function, artifact, cost = made
        self._rest = lambda: self._note(json.dumps({"tex": _shown(function)}))
        return f'{{"ok": true, "abi": {artifact.json}, "cost": {json.dumps(cost)}}}', artifact.wasm

    def check(
        self, text: str, names: Sequence[str], values: Sequence[float], shown: Sequence[float]
    ) -> Reply:
        """`verdict` on what a formula's module gave: values are its arguments, shown the ENTRIES it gave."""
        run = eg.interp(_jet_of(text, tuple(names)))
        answer = verdict(lambda point: _entries(run(*point)), [*map(float, values)], [*map(float, shown)])
        return (json.dumps(answer),)

    def check_tape(self, text: str, values: Sequence[float], shown: Sequence[float]) -> Reply:
        """`tape_verdict` on what a tape's module gave: values are x, y, dx and dy, shown all its numbers."""
        return (json.dumps(tape_verdict(text, [*map(float, values)], [*map(float, shown)])),)

    def export(self, abi: str, name: str) -> Reply:
        """The files that `eg.export` writes for a module with this ABI, all but the module: {name: text}."""
        files = exported(Artifact(b"", json.loads(abi), 0), name=name)
        return (json.dumps({file: text for file, text in files.items() if isinstance(text, str)}),)

    def table(self, spec: str) -> Reply:
        """`compile_table` for the worker: all but the modules as JSON, then shot, paths and batch."""
        try:
            made = compile_table(json.loads(spec))
        except (eg.EglantineError, ValueError) as error:
            refused = json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}})
            return refused, b"", b"", b""
        named = ("shot", "paths", "batch")
        reply = {"ok": True, **{name: made[name]["abi"] for name in named}, "cost": made["cost"]}
        return json.dumps(reply), *(made[name]["wasm"] for name in named)

    def robot(self, spec: str) -> Reply:
        """`compile_robot` for the worker: all but the modules as JSON, then training and motion."""
        try:
            made = compile_robot(json.loads(spec))
        except (eg.EglantineError, ValueError) as error:
            return json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}), b"", b""
        reply = {
            "ok": True,
            "training": made["training"]["abi"],
            "motion": made["motion"]["abi"],
            "cost": made["cost"],
        }
        return json.dumps(reply), made["training"]["wasm"], made["motion"]["wasm"]

    def shot_trouble(self, spec: str, at: str) -> Reply:
        """Where a shot's numbers stop being finite: at is JSON {"cue", "task"} as `of_shot` takes them."""
        given = json.loads(at)
        return (
            json.dumps(_answer(lambda: {"trouble": of_shot(json.loads(spec), given["cue"], given["task"])})),
        )

    def walk_trouble(self, spec: str, at: str) -> Reply:
        """The same of a robot's walk: at is JSON {"weights", "world", "reaches"} as `of_walk` takes them."""
        given = json.loads(at)
        named = ("weights", "world", "reaches")
        return (json.dumps(_answer(lambda: {"trouble": of_walk(json.loads(spec), *map(given.get, named))})),)

    def tape(self, text: str) -> Reply:
        """`compile_tape` for the worker: all but the module as JSON, and the module's bytes."""
        try:
            made = compile_tape(text)
        except eg.EglantineError as error:
            return json.dumps({"ok": False, "error": describe(error, text)}), b""
        module = made.pop("wasm")
        return json.dumps({"ok": True, **made}), module


def _answer(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What is made, or why it was not."""
    try:
        return {"ok": True, **make()}
    except (eg.EglantineError, TypeError, ValueError) as error:  # numbers that JSON has none for are null
        return {"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}


METHODS: dict[str, Callable[..., Reply]] = {
    "formula": Service.formula,
    "check": Service.check,
    "check_tape": Service.check_tape,
    "export": Service.export,
    "table": Service.table,
    "robot": Service.robot,
    "shot_trouble": Service.shot_trouble,
    "walk_trouble": Service.walk_trouble,
    "tape": Service.tape,
}
"""All that a page can ask for: nothing else of this object, or of Python, can be reached by a message."""


def compile_formula(text: str, names: Sequence[str]) -> dict[str, Any]:
    """Compile a formula with its first and second derivatives.

    names: its variables, x and y first.

    Returns {"ok": True, "wasm", "abi", "tex", "cost": {"ms", "bytes"}}, where the module takes one Real a
    name and gives {"f", "g": (f_x, f_y), "h": (f_xx, f_xy, f_yy)}; or {"ok": False, "error": {"message",
    "column", "end_column", "suggestion", "kind"}} with UTF-16 columns from 0.
    """
    made = _compiled(text, names)
    if isinstance(made, dict):
        return made
    function, artifact, cost = made
    reply = {"ok": True, "wasm": artifact.wasm, "abi": artifact.abi}
    return {**reply, "cost": cost, "tex": _shown(function)}


def _compiled(text: str, names: Sequence[str]) -> tuple[eg.Fn, Artifact, dict[str, float]] | dict[str, Any]:
    """The formula's jet, its module, and what that cost; or the answer that says why there is none."""
    start = time.perf_counter()
    try:
        function = jet(formulas.to_fn(text, names))
        artifact = eg.compile_artifact(function)
    except eg.EglantineError as error:
        return {"ok": False, "error": describe(error, text)}
    ms = 1000 * (time.perf_counter() - start)
    return function, artifact, {"ms": ms, "bytes": len(artifact.wasm)}


@lru_cache(maxsize=4)
def _jet_of(text: str, names: tuple[str, ...]) -> eg.Fn:
    """A formula's jet, traced anew but for the last few."""
    return jet(formulas.to_fn(text, names))


def _entries(result: Any) -> list[float]:
    """A jet's values in the order of ENTRIES."""
    return [result["f"], *result["g"], *result["h"]]


def _shown(function: eg.Fn) -> dict[str, str | None]:
    """The formulas of a jet's entries as TeX; None for one too long to read, "" for one without a value."""
    return {
        entry: tex if tex is not None and len(tex) <= LONGEST_TEX else None
        for entry, tex in zip(ENTRIES, to_tex(function), strict=True)
    }


PAIR = (eg.Real, eg.Real)
JET = as_type({"f": eg.Real, "g": PAIR, "h": (*PAIR, eg.Real)})


def jet(f: eg.Fn) -> eg.Fn:
    """The fn of value, gradient and Hessian of a function of Reals in its first two."""
    return jet_of(f, (0, 1), JET)


def describe(error: eg.EglantineError, text: str) -> dict[str, Any]:
    """An error as the page shows it; one without a place is about the whole formula."""
    if error.span is None or error.span.source:
        columns = (0, len(text.encode("utf-16-le", "surrogatepass")) // 2)
    else:
        columns = (error.span.column, error.span.end_column)
    return {
        "message": error.message[:LONGEST_MESSAGE],
        "column": columns[0],
        "end_column": columns[1],
        "suggestion": error.suggestion,
        "kind": type(error).__name__,
    }
