"""Check that a program returns the same bits and prints the same text in all engines."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import eglantine as eg
from eglantine.emit.artifact import Artifact
from eglantine.emit.module import emit
from eglantine.interpreter.machine import run as run_rows
from eglantine.ir.checker import check
from eglantine.ir.program import Function
from eglantine.leaves import tangent_type
from eglantine.mathlib.library import library
from eglantine.optimise.pipeline import optimise, ready_library
from eglantine.plain.marshal import unflatten
from eglantine.runtime.kernel import Kernel
from tests.emit.node import Node
from tests.laws.comparing import bits, inner, jvp_of, leaf_values, reals, vjp_of
from tests.laws.precise import inner as precise_inner
from tests.laws.precise import precise
from tests.programs import Choices, Plan, Recorded, function_of, plan, shrunk
from tests.programs.plans import tangent

LARGEST = 1e6
"""The size above which we do not compare numbers that may differ by rounding errors. The rounding errors of
larger numbers are too large for a comparison."""


STOPPED = ("ShapeError", "LimitError")


@dataclass(frozen=True)
class Outcome:
    """The result and the printed text of a call. If the call fails, the result is the error's class name."""

    result: Any
    printed: str


def observed(call: Callable[[], Any]) -> Outcome:
    """Make a call and return its outcome."""
    out = io.StringIO()
    with redirect_stdout(out):
        try:
            result = bits(call())
        except (eg.ShapeError, eg.LimitError) as error:
            result = type(error).__name__
    return Outcome(result, out.getvalue())


def by_interpreter(function: Function, leaves: Sequence[Any]) -> tuple[Outcome, list[Any]]:
    """Call a function in the interpreter. Return the outcome and the leaves, or no leaves after an error."""
    found: list[Any] = []

    def call() -> Any:
        found.extend(run_rows(function, leaves, library))
        return unflatten(function.result, found)

    return observed(call), found


def by_v8(
    node: Node, artifact: Artifact, function: Function, inputs: Sequence[Sequence[Any]]
) -> list[Outcome]:
    """Call an artifact in V8 with each list of leaves, and return the outcomes.

    A module prints by calling host functions. Node.js only records these calls. We repeat them in Python.
    """
    outcomes = []
    for call in node.run(artifact, inputs):

        def replayed(call: Any = call) -> Any:
            for k, arguments in call.effects:
                artifact.hosts[k](*arguments)
            if call.result is None:
                assert call.trap, "V8 stopped for a reason that the module does not know"
                trap = artifact.abi["traps"][call.trap - 1]
                raise getattr(eg, trap.get("error", "ShapeError"))(trap["message"])
            return unflatten(function.result, call.result)

        outcomes.append(observed(replayed))
    return outcomes


def engines_agree(f: Any, arguments: Sequence[Sequence[Any]], node: Node | None) -> list[list[Any]]:
    """Call f with each list of arguments. Check that all engines agree, and return the leaves."""
    function: Function = f.function
    check(function)
    inputs = [leaf_values(function.params, given) for given in arguments]
    ready = optimise(function)
    check(ready)
    expected = []
    for leaves in inputs:
        as_written, found = by_interpreter(function, leaves), by_interpreter(ready, leaves)
        assert found[0] == as_written[0], f"optimised: {found[0]}\nas written: {as_written[0]}\n{leaves}"
        expected.append(found)
    artifact = emit(ready, ready_library)
    kernel = Kernel(artifact, function.params, function.result, artifact.hosts)
    for given, (outcome, _) in zip(arguments, expected, strict=True):
        found = observed(lambda given=given: kernel(*given))
        assert found == outcome, f"wasmtime: {found}\ninterpreter: {outcome}\narguments: {given}"
    if node is not None:
        runs = by_v8(node, artifact, function, inputs)
        for given, (outcome, _), found in zip(arguments, expected, runs, strict=True):
            assert found == outcome, f"V8: {found}\ninterpreter: {outcome}\narguments: {given}"
    return [found for _, found in expected]


# ---------------------------------------------------------------- derivatives


def all_of_first_order(f: Any) -> Any:
    """Make a function that returns the value, the jvp and the vjp of f. Its arguments are (x…, dx…, ct_y)."""
    types = f.function.params
    n = len(types)

    def run(*args: Any) -> Any:
        x, dx, ct_y = args[:n], args[n:-1], args[-1]
        return f(*x), eg.jvp(f, x, dx), eg.vjp(f, *x)[1](ct_y)

    return eg.fn([*types, *map(tangent_type, types), tangent_type(f.function.result)])(run)


SECOND_ORDER: tuple[Callable[[Any], Any], ...] = (
    lambda f: jvp_of(vjp_of(f)),
    lambda f: vjp_of(jvp_of(f)),
    lambda f: vjp_of(vjp_of(f)),
    lambda f: jvp_of(jvp_of(f)),
)


def agrees(c: Choices, node: Node | None, size: int = 10) -> Plan:
    """Draw a program. Check its value, jvp, vjp and a second derivative at ordinary and extreme points.

    If a derivative is not implemented, such as for polygamma of high orders, skip the remaining checks.
    """
    drawn = plan(c, size=size)
    try:
        f = function_of(drawn)
    except eg.MissingDerivativeError:
        return drawn
    second = c.one(SECOND_ORDER)
    for transform in (all_of_first_order, second):
        try:
            g = transform(f)
        except eg.MissingDerivativeError:
            break
        n = len(drawn.params)
        arguments = [
            [*drawn.arguments(c, wild=wild), *(tangent(of, c) for of in g.function.params[n:])]
            for wild in (False, True)
        ]
        found = engines_agree(g, arguments, node)
        if transform is all_of_first_order and found[0]:
            first_order_laws(g, n, arguments[0], unflatten(g.function.result, found[0]))
    return drawn


def first_order_laws(g: Any, n: int, given: Sequence[Any], found: Any) -> None:
    """Check that jvp returns exactly the function's value, and that vjp is the transpose of jvp.

    g: the result of `all_of_first_order` for a function of n parameters.
    found: the result of g for the arguments `given`.
    """
    y, (again, _), _ = found
    assert bits(again) == bits(y)
    forward, backward, size = products(n, given, found)
    error = abs(forward - backward)
    if error > 1e-8 * (1.0 + size):
        noisy = noise(g, n, given, forward, backward) > error / 100.0
        assert noisy or holds_precisely(g, n, given), (forward, backward)


def products(n: int, given: Sequence[Any], found: Any) -> tuple[float, float, float]:
    """Compute ⟨w, J v⟩ and ⟨Jᵀ w, v⟩ for the Jacobian J. Also sum the absolute values of all terms.

    If a number is too large for a comparison, return three zeros.
    """
    _, (_, dy), ct_x = found
    if not all(abs(x) < LARGEST for x in reals([dy, ct_x])):
        return 0.0, 0.0, 0.0
    (forward, size), (backward, other) = inner(given[-1], dy), inner(ct_x, tuple(given[n:-1]))
    return forward, backward, size + other


def noise(g: Any, n: int, given: Sequence[Any], forward: float, backward: float) -> float:
    """Estimate the rounding error. Change the arguments slightly, and return a product's largest change."""
    changes = []
    for k in (1, 2, 3):
        near = [moved(x, 1.0 + k * 2.0**-49) for x in given[:n]]
        outcome, leaves = by_interpreter(g.function, leaf_values(g.function.params, [*near, *given[n:]]))
        if outcome.result in STOPPED:
            return math.inf
        one, other, _ = products(n, given, unflatten(g.function.result, leaves))
        changes += [abs(one - forward), abs(other - backward)]
    return max(changes)


def holds_precisely(g: Any, n: int, given: Sequence[Any]) -> bool:
    """Compute ⟨w, J v⟩ and ⟨Jᵀ w, v⟩ with many digits, and return whether they are equal.

    If the program cannot be computed in this way (for example, it calls host functions), return True.
    """
    function = g.function
    leaves = [precise(leaf) for leaf in leaf_values(function.params, given)]
    try:
        with redirect_stdout(io.StringIO()):
            _, (_, dy), ct_x = unflatten(function.result, run_rows(function, leaves, library))
    except (ArithmeticError, ValueError, eg.TypeMismatchError):
        return True
    forward, backward = precise_inner(given[-1], dy), precise_inner(ct_x, tuple(given[n:-1]))
    return bool(abs(forward - backward) <= 2.0**-100 * (1 + abs(forward)))


def moved(value: Any, factor: float) -> Any:
    """Multiply all floats in a value by a factor."""
    if isinstance(value, float):
        return value * factor
    if isinstance(value, list | tuple):
        return type(value)(moved(item, factor) for item in value)
    return {name: moved(item, factor) for name, item in value.items()} if isinstance(value, dict) else value


def failure(c: Choices, node: Node | None) -> str | None:
    """Draw and check a program. If the check fails, return the error's class and message."""
    try:
        agrees(c, node)
    except Exception as error:  # noqa: BLE001 - any error is a failure
        return f"{type(error).__name__}: {error}"
    return None


def report(seed: int, node: Node | None) -> str:
    """Find a smaller program that fails like the program drawn from `seed`, and describe both programs."""
    c = Recorded(seed)
    first = failure(c, node)
    assert first is not None
    kind = first.split(":")[:2]
    smaller = shrunk(c.made, lambda c: (failure(c, node) or "").split(":")[:2] == kind)
    shown, how = plan(Recorded(None, smaller)), failure(Recorded(None, smaller), node)
    return f"seed {seed}: {first}\n\nshrunk to {smaller}\n{shown}\n{how}"
