"""The service that answers the pages' requests to Python, such as a request to compile a formula."""

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
from app.formulas.reading import free_letters, is_equation, used_names
from app.simulations.tables import compile_table
from app.simulations.trouble import of_shot, of_walk
from app.simulations.walkers import compile_robot
from app.tape.checking import tape_verdict
from app.tape.tape import compile_tape
from eglantine import Artifact, formulas
from eglantine.types import as_type

LONGEST_MESSAGE = 500
LONGEST_TEX = 900
ENTRIES = ("f", "fx", "fy", "fxx", "fxy", "fyy")
"""The names of the numbers in the result of a formula's module, in order."""

Reply = tuple[str, *tuple[bytes, ...]]
"""JSON, then the modules' bytes."""


class Service:
    """Answers a page's requests. Each request names one of `METHODS`.

    An answer consists of JSON and the bytes of modules. Some results are not urgent. We compute them in
    `afterwards`, which the worker calls after it has sent the answer. We send them as notes: JSON messages
    that no request waits for. The service stores nothing except the work for `afterwards`.
    """

    def __init__(self, note: Callable[[str], object] = lambda _: None) -> None:
        """note: a function that sends JSON to the page, while a request is answered or afterwards."""
        self._note = note
        self._rest: Callable[[], object] = lambda: None

    def ask(self, method: str, args: Sequence[Any]) -> Reply:
        """Call a method and return its answer.

        Raises:
            ValueError: there is no such method.
        """
        self._rest = lambda: None
        if method not in METHODS:
            msg = f"There is no method {method!r}. Ask for one of {', '.join(METHODS)}."
            raise ValueError(msg)
        # If a call is interrupted, a context variable may keep a wrong value. So each call runs in a copy of
        # the context.
        return copy_context().run(METHODS[method], self, *args)

    def afterwards(self) -> None:
        """Do the work that the previous answer left for later."""
        rest, self._rest = self._rest, lambda: None
        rest()

    def warm_up(self, k: int) -> None:
        """Compile a formula and discard the result. The browser then optimises Python's interpreter."""
        _compiled(f"x^y+{k}", ["x", "y"])

    def formula(self, text: str, names: Sequence[str], equations: bool = False) -> Reply:
        """Answer with the result of `compile_formula`. Later, send a note {"tex"} with formulas as TeX."""
        compiled = _compiled(text, names, equations)
        if isinstance(compiled, dict):
            return json.dumps(compiled), b""
        function, artifact, cost = compiled
        self._rest = lambda: self._note(json.dumps({"tex": _shown(function)}))
        used, equation = json.dumps(used_names(text, names)), json.dumps(is_equation(text, names))
        told = f'"used": {used}, "equation": {equation}'
        return (
            f'{{"ok": true, "abi": {artifact.json}, "cost": {json.dumps(cost)}, {told}}}',
            artifact.wasm,
        )

    def survey(self, text: str, names: Sequence[str], equations: bool = False) -> Reply:
        """Answer with the kernels for critical points and for the descent. The modules follow the JSON."""
        # imported here because only the page "Quadratic" needs it, and only on request
        from app.formulas.survey import compile_survey

        try:
            compiled = compile_survey(_jet_of(text, tuple(names), equations))
        except eg.EglantineError as error:
            return json.dumps({"ok": False, "error": describe(error, text)}), b"", b""
        named = ("critical", "descent")
        reply = {"ok": True, **{name: compiled[name].abi for name in named}}
        return json.dumps(reply), *(compiled[name].wasm for name in named)

    def polynomial(self, text: str, names: Sequence[str]) -> Reply:
        """Answer with the kernel for a formula's Taylor polynomials. Its module follows the JSON."""
        from app.formulas.orders import answered  # as in `survey`

        return answered(text, names)

    def band(self, text: str, names: Sequence[str], order: int, *disc: Any) -> Reply:
        """Answer with a formula's `proven_band`. disc: the arguments of `proven_band` after the order."""
        from app.formulas.band import answered  # as in `survey`

        return (json.dumps(answered(text, names, order, *disc)),)

    def check(
        self,
        text: str,
        names: Sequence[str],
        values: Sequence[float],
        shown: Sequence[float],
        equations: bool = False,
    ) -> Reply:
        """Check the numbers of a formula's module, and answer with their `verdict`.

        values: the module's arguments.
        shown: the numbers that the module returned, in the order of ENTRIES.
        """
        run = eg.interp(_jet_of(text, tuple(names), equations))
        answer = verdict(lambda point: _entries(run(*point)), [*map(float, values)], [*map(float, shown)])
        return (json.dumps(answer),)

    def check_tape(self, text: str, values: Sequence[float], shown: Sequence[float]) -> Reply:
        """Check the numbers of a tape's module, and answer with their `tape_verdict`.

        values: the module's arguments x, y, dx and dy.
        shown: all numbers that the module returned.
        """
        return (json.dumps(tape_verdict(text, [*map(float, values)], [*map(float, shown)])),)

    def export(self, abi: str, name: str) -> Reply:
        """Answer with {name: text}: the text files that `eg.export` writes for a module with this ABI."""
        files = eg.exported(Artifact(b"", json.loads(abi), 0), name=name)
        return (json.dumps({file: text for file, text in files.items() if isinstance(text, str)}),)

    def table(self, spec: str) -> Reply:
        """Answer with the result of `compile_table`. The modules shot, paths and batch follow the JSON."""
        try:
            compiled = compile_table(json.loads(spec))
        except (eg.EglantineError, ValueError) as error:
            refused = json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}})
            return refused, b"", b"", b""
        named = ("shot", "paths", "batch")
        reply = {"ok": True, **{name: compiled[name]["abi"] for name in named}, "cost": compiled["cost"]}
        return json.dumps(reply), *(compiled[name]["wasm"] for name in named)

    def robot(self, spec: str) -> Reply:
        """Answer with the result of `compile_robot`. The modules training and motion follow the JSON."""
        try:
            compiled = compile_robot(json.loads(spec))
        except (eg.EglantineError, ValueError) as error:
            return json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}), b"", b""
        reply = {
            "ok": True,
            "training": compiled["training"]["abi"],
            "motion": compiled["motion"]["abi"],
            "cost": compiled["cost"],
        }
        return json.dumps(reply), compiled["training"]["wasm"], compiled["motion"]["wasm"]

    def fitter(self, text: str) -> Reply:
        """Answer with the result of `compile_fitter`. The modules follow in the order of the ABIs."""
        from app.fitting.fitter import KERNELS, compile_fitter  # only the page "Fit" needs it

        try:
            compiled = compile_fitter(text)
        except eg.EglantineError as error:
            return json.dumps({"ok": False, "error": describe(error, text)}), *([b""] * len(KERNELS))
        abis = {name: compiled[name]["abi"] for name in KERNELS}
        reply = {"ok": True, "abis": abis, "names": compiled["names"], "cost": compiled["cost"]}
        return json.dumps(reply), *(compiled[name]["wasm"] for name in KERNELS)

    def whole_fit(self, text: str, capacity: int) -> Reply:
        """Answer with the result of `compile_whole_fit`. The modules for fit and curve follow the JSON."""
        from app.fitting.whole import compile_whole_fit

        fit, curve = compile_whole_fit(text, int(capacity))
        return json.dumps({"ok": True, "fit": fit.abi, "curve": curve.abi}), fit.wasm, curve.wasm

    def bril(self, text: str, values: Sequence[Any]) -> Reply:
        """Answer with the result of `analyse`. The module for value and gradient follows the JSON."""
        from app.bril.analysing import analyse  # most pages do not need Bril

        try:
            reply, wasm = analyse(text, values)
        except eg.EglantineError as error:
            line, column = getattr(error, "line", 0), getattr(error, "column", 0)
            told = {"message": error.message[:LONGEST_MESSAGE], "line": line, "column": column}
            return json.dumps({"ok": False, "error": told}), b""
        return json.dumps({"ok": True, **reply}), wasm

    def network(self, spec: str) -> Reply:
        """Answer with the result of `compile_network`. The module follows the JSON."""
        from app.learning.modules import compile_network  # most pages do not need the solvers

        try:
            compiled = compile_network(json.loads(spec))
        except (eg.EglantineError, ValueError) as error:
            return json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}), b""
        module = compiled.pop("wasm")
        return json.dumps({"ok": True, **compiled}), module

    def trained_network(self, spec: str, weights: Sequence[float]) -> Reply:
        """Export a trained network: as a Python program, and as a module that contains the weights."""
        from app.learning.modules import answering
        from app.learning.programs import program_of

        try:
            artifact = eg.compile_artifact(answering(json.loads(spec), weights))
        except (eg.EglantineError, ValueError) as error:
            return json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}), b""
        program = program_of(json.loads(spec), weights)
        return json.dumps({"ok": True, "abi": artifact.abi, "program": program}), artifact.wasm

    def shot_trouble(self, spec: str, at: str) -> Reply:
        """Find the first step of a billiards shot that has infinite or NaN numbers.

        at: JSON {"cue", "task"} with the arguments of `of_shot`.
        """
        given = json.loads(at)
        return (
            json.dumps(_answer(lambda: {"trouble": of_shot(json.loads(spec), given["cue"], given["task"])})),
        )

    def walk_trouble(self, spec: str, at: str) -> Reply:
        """Find the first step of a robot's walk that has infinite or NaN numbers.

        at: JSON {"weights", "world", "reaches"} with the arguments of `of_walk`.
        """
        given = json.loads(at)
        named = ("weights", "world", "reaches")
        return (json.dumps(_answer(lambda: {"trouble": of_walk(json.loads(spec), *map(given.get, named))})),)

    def diagram(self, name: str, seed: int | None = None, text: str | None = None) -> Reply:
        """Answer with the result of `gallery_diagram`, or of `handed_diagram` if there is a text."""
        from app.diagrams.listing import gallery_diagram, handed_diagram  # only the page "Diagrams" needs it

        try:
            compiled = dict(gallery_diagram(name, seed) if text is None else handed_diagram(text, seed))
        except (eg.EglantineError, ValueError) as error:
            return json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}), b""
        module = compiled.pop("wasm")
        return json.dumps({"ok": True, **compiled}), module

    def diagram_forces(self, name: str, text: str | None = None) -> Reply:
        """Answer with {"ok", "abi"} for the module that `forces_of` returns. The module follows the JSON."""
        from app.diagrams.listing import forces_of

        try:
            artifact = forces_of(name, text)
        except (eg.EglantineError, ValueError) as error:
            return json.dumps({"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}), b""
        return json.dumps({"ok": True, "abi": artifact.abi}), artifact.wasm

    def penrose(self, graph: str, shapes: str) -> Reply:
        """Answer with the result of `penrose_diagram` and its modules (energy, solver, numbers)."""
        from eglantine.diagrams import penrose_diagram

        try:
            compiled = penrose_diagram(json.loads(graph), json.loads(shapes))
        except (eg.EglantineError, ValueError, KeyError, TypeError, IndexError) as error:
            told = f"The graph cannot be read: {error}."[:LONGEST_MESSAGE]
            return json.dumps({"ok": False, "error": {"message": told}}), b"", b"", b""
        module, solver, numbers = (compiled.pop(name) for name in ("wasm", "solver", "numbers"))
        reply = {"ok": True, **compiled, "solver": solver["abi"], "numbers": numbers["abi"]}
        return json.dumps(reply).replace("NaN", "0"), module, solver["wasm"], numbers["wasm"]

    def tape(self, text: str) -> Reply:
        """Answer with the result of `compile_tape`. The module follows the JSON."""
        try:
            compiled = compile_tape(text)
        except eg.EglantineError as error:
            return json.dumps({"ok": False, "error": describe(error, text)}), b""
        module = compiled.pop("wasm")
        return json.dumps({"ok": True, **compiled}), module


def _answer(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Call `make` and return its reply, or a reply that describes the error."""
    try:
        return {"ok": True, **make()}
    except (eg.EglantineError, TypeError, ValueError) as error:  # JSON turns NaN and infinities into null
        return {"ok": False, "error": {"message": str(error)[:LONGEST_MESSAGE]}}


METHODS: dict[str, Callable[..., Reply]] = {
    "formula": Service.formula,
    "survey": Service.survey,
    "polynomial": Service.polynomial,
    "band": Service.band,
    "check": Service.check,
    "check_tape": Service.check_tape,
    "export": Service.export,
    "table": Service.table,
    "robot": Service.robot,
    "fitter": Service.fitter,
    "whole_fit": Service.whole_fit,
    "bril": Service.bril,
    "network": Service.network,
    "trained_network": Service.trained_network,
    "shot_trouble": Service.shot_trouble,
    "walk_trouble": Service.walk_trouble,
    "tape": Service.tape,
    "diagram": Service.diagram,
    "diagram_forces": Service.diagram_forces,
    "penrose": Service.penrose,
}
"""The methods that a page can ask for, by name. A message from a page cannot call any other function."""


def compile_formula(text: str, names: Sequence[str]) -> dict[str, Any]:
    """Compile a formula with its first and second derivatives.

    names: the names of the formula's variables. The first two are x and y.

    Returns {"ok": True, "wasm", "abi", "tex", "cost": {"ms", "bytes"}}. The module takes one Real for each
    name and returns {"f", "g": (f_x, f_y), "h": (f_xx, f_xy, f_yy)}.

    If the formula cannot be compiled, the function returns
    {"ok": False, "error": {"message", "column", "end_column", "suggestion", "kind"}}. Columns are offsets
    from the start of the text, in UTF-16 code units. "free" lists the letters without a value, if nothing
    else is wrong. "others" lists further mistakes.
    """
    compiled = _compiled(text, names)
    if isinstance(compiled, dict):
        return compiled
    function, artifact, cost = compiled
    reply = {"ok": True, "wasm": artifact.wasm, "abi": artifact.abi}
    return {**reply, "cost": cost, "tex": _shown(function)}


def _compiled(
    text: str, names: Sequence[str], equations: bool = False
) -> tuple[eg.Fn, Artifact, dict[str, float]] | dict[str, Any]:
    """Compile the formula's jet (value, gradient and Hessian).

    Return the jet, its module and the cost, or a reply that describes the error.
    """
    start = time.perf_counter()
    try:
        function = jet(formulas.to_fn(text, names, equations=equations))
        artifact = eg.compile_artifact(function)
    except eg.EglantineError as error:
        return {"ok": False, "error": describe(error, text) | free_letters(error, text, names, equations)}
    ms = 1000 * (time.perf_counter() - start)
    return function, artifact, {"ms": ms, "bytes": len(artifact.wasm)}


@lru_cache(maxsize=4)
def _jet_of(text: str, names: tuple[str, ...], equations: bool) -> eg.Fn:
    """Make a formula's jet: its value, gradient and Hessian. The four most recent jets are cached."""
    return jet(formulas.to_fn(text, names, equations=equations))


def _entries(result: Any) -> list[float]:
    """A jet's values in the order of ENTRIES."""
    return [result["f"], *result["g"], *result["h"]]


def _shown(function: eg.Fn) -> dict[str, str | None]:
    """Write formulas for the value, gradient and Hessian as TeX.

    An entry is None if it is too long to read, "" if it is undefined.
    """
    return {
        entry: tex if tex is not None and len(tex) <= LONGEST_TEX else None
        for entry, tex in zip(ENTRIES, to_tex(function), strict=True)
    }


PAIR = (eg.Real, eg.Real)
JET = as_type({"f": eg.Real, "g": PAIR, "h": (*PAIR, eg.Real)})


def jet(f: eg.Fn) -> eg.Fn:
    """Make the jet of f: its value, and its gradient and Hessian with respect to its first two parameters."""
    return jet_of(f, (0, 1), JET)


def describe(error: eg.EglantineError, text: str) -> dict[str, Any]:
    """Describe an error for the page. If its place in the text is unknown, mark the whole text."""
    if error.span is None or error.span.source:
        columns = (0, len(text.encode("utf-16-le", "surrogatepass")) // 2)
    else:
        widths = [len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1 for line in text.split("\n")]
        starts = [sum(widths[: line - 1]) for line in (error.span.line, error.span.end_line)]
        columns = (starts[0] + error.span.column, starts[1] + error.span.end_column)
    others = [describe(other, text) for other in getattr(error, "others", ())]
    return {
        **({"others": others} if others else {}),
        "message": error.message[:LONGEST_MESSAGE],
        "column": columns[0],
        "end_column": columns[1],
        "suggestion": error.suggestion,
        "kind": type(error).__name__,
    }
