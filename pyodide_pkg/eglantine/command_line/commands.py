"""The commands. Each one returns an `Answer`: data for JSON, and a text for people."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eglantine.formulas.traced import to_fn
from eglantine.functions.derivatives import value_and_grad
from eglantine.functions.jacobians import hessian

from .inputs import (
    UsageError,
    checked_letters,
    columns_of,
    function_of,
    letters_of,
    numbers_by_name,
    text_of,
    traced_function_of,
)


@dataclass(frozen=True)
class Answer:
    """The result of a command.

    data: the result as data. It is printed as JSON if the user writes --json.
    text: the result as text. It is printed otherwise.
    success: false if the command ran but failed. For example, a solver did not converge.
    """

    data: Any
    text: str
    success: bool = True


def evaluate(given: Namespace) -> Answer:
    """`eval`: compute the value, the gradient and the Hessian of a formula at a point."""
    numbers = numbers_by_name(given.numbers)
    letters = checked_letters(given.formula, numbers)
    f = to_fn(given.formula, letters)
    point = [numbers[name] for name in letters]
    if not letters:
        value = f()
        return Answer({"value": value, "gradient": {}, "hessian": []}, f"value  {value!r}")
    places = tuple(range(len(letters)))
    value, slopes = value_and_grad(f, places)(*point)
    second = [list(row) for row in hessian(f, places)(*point)]
    gradient = dict(zip(letters, slopes, strict=True))
    lines = [f"value     {value!r}"]
    lines += [f"d/d{name}{' ' * max(1, 7 - len(name))}{slope!r}" for name, slope in gradient.items()]
    lines += ["Hessian", *("  " + "  ".join(map(repr, row)) for row in second)]
    return Answer({"value": value, "gradient": gradient, "hessian": second}, "\n".join(lines))


def export(given: Namespace) -> Answer:
    """`export`: write a function as files of WebAssembly, JavaScript and TypeScript declarations."""
    from eglantine.exports.script import export as write

    paths = write(traced_function_of(given.function), given.folder)
    files = {str(path): path.stat().st_size for path in paths}
    return Answer({"files": files}, "\n".join(f"{path}  {size:,} bytes" for path, size in files.items()))


def figure(given: Namespace) -> Answer:
    """`figure`: write an HTML file that draws a function."""
    from eglantine.figures.figure import figure as draw

    function = function_of(given.function) if ".py:" in given.function else given.function
    draw(function).save(given.output, files=given.files)
    size = Path(given.output).stat().st_size
    return Answer({"file": given.output, "bytes": size}, f"{given.output}  {size:,} bytes")


def fit(given: Namespace) -> Answer:
    """`fit`: find the parameters of a formula that best fit columns of data."""
    from eglantine.solvers.curve_fit import curve_fit

    _, columns = columns_of(Path(given.data))
    *inputs, measured = columns
    several = len(inputs) > 1
    data = [f"x{k}" for k in range(1, len(inputs) + 1)] if several else ["x"]
    starts = numbers_by_name(given.starts)
    letters = [name for name in letters_of(given.formula) if name not in data]
    if not letters:
        raise UsageError(
            f"The formula {given.formula} has no parameter to fit, because {' and '.join(data)} "
            f"{'stand' if several else 'stands'} for the data. Add a letter, as in a sin(b x)."
        )
    for name in starts:
        if name not in letters:
            raise UsageError(f"The formula {given.formula} has no parameter {name}.")
    xdata: Any = list(zip(*inputs, strict=True)) if several else inputs[0]
    r = curve_fit(given.formula, xdata, measured, {name: starts.get(name, 1.0) for name in letters})
    deviations = dict(zip(letters, _listed(r.deviations, letters), strict=True))
    told = {
        "parameters": r.x, "deviations": deviations, "residual_sum": r.residual_sum,
        "residual_deviation": r.residual_deviation, "degrees_of_freedom": r.degrees_of_freedom,
        "success": r.success, "message": r.message,
    }  # fmt: skip
    lines = [f"{name} = {r.x[name]!r}  ± {deviations[name]:.3g}" for name in letters]
    lines += [
        f"residual deviation {r.residual_deviation!r}, {r.degrees_of_freedom} degrees of freedom",
        r.message,
    ]
    return Answer(told, "\n".join(lines), r.success)


def _listed(values: Any, letters: list[str]) -> list[float]:
    return [values[name] for name in letters] if isinstance(values, dict) else list(values)


def minimize(given: Namespace) -> Answer:
    """`minimize`: find a minimum of a formula near a starting point."""
    from eglantine.solvers.minimizing import minimize as solve

    numbers = numbers_by_name(given.numbers)
    letters = checked_letters(given.formula, numbers)
    if not letters:
        raise UsageError(f"The formula {given.formula} has no letter to change.")
    f = to_fn(given.formula, letters)
    start = {name: numbers[name] for name in letters}
    r = solve(lambda x: f(*[x[name] for name in letters]), start, method=given.method)
    told = {
        "x": r.x, "fun": r.fun, "jac": r.jac, "nit": r.nit, "nfev": r.nfev, "status": r.status,
        "success": r.success, "message": r.message,
    }  # fmt: skip
    lines = [f"{name} = {r.x[name]!r}" for name in letters]
    return Answer(told, "\n".join([*lines, f"value {r.fun!r}", r.message]), r.success)


def bril(given: Namespace) -> Answer:
    """`bril`: run a Bril program, differentiate it, or minimise its value by gradient descent."""
    from eglantine.bril import BrilError, parse

    program = parse(text_of(given.file), dialect=given.dialect)
    match given.action:
        case "run":
            try:
                printed = program.run(*given.args, fuel=given.fuel)
            except BrilError as error:
                if not given.json:
                    print(error.output, end="", flush=True)
                raise
            return Answer({"output": printed}, printed.removesuffix("\n"))
        case "grad":
            gradient = program.gradient(*given.args, mode=given.mode, fuel=given.fuel)
            return Answer({"gradient": gradient}, "\n".join(map(repr, gradient)))
        case _:
            start = given.args[0] if len(given.args) == 1 else given.args or None
            rows = program.descend(start, given.step, given.decay, given.n)
            return Answer({"rows": rows}, "\n".join(f"{x!r}  {value!r}" for x, value in rows))


def show(given: Namespace) -> Answer:
    """`show`: print a function's rows, its WebAssembly text or its graph."""
    f = traced_function_of(given.function)
    if given.graph:
        from eglantine.graphs.graphing import graph

        drawn = graph(f)
        return Answer({"graph": json.loads(drawn.json())}, drawn.dot())
    if given.wat:
        from eglantine.api import compile_artifact

        text = compile_artifact(f).wat
        return Answer({"wat": text}, text)
    from eglantine.ir.printer import pretty

    text = pretty(f.function)
    return Answer({"ir": text}, text)


def finite(data: Any) -> Any:
    """Prepare data for JSON: numbers that are not finite become the strings "nan", "inf" and "-inf"."""
    if isinstance(data, float) and not math.isfinite(data):
        return repr(data)
    if isinstance(data, dict):
        return {name: finite(value) for name, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list | tuple) else data
