"""Each iteration of a solver has the same bits in a browser, in the interpreter and in wasmtime."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

import eglantine as eg
from e2e.test_export import BLANK, served
from tests.seeds import NIGHTLY
from tests.solvers import residual_problems, residual_problems_further

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

PROBLEMS = {**residual_problems.PROBLEMS, **residual_problems_further.PROBLEMS}
USUAL = [
    "1 Rosenbrock", "2 Freudenstein and Roth", "3 Powell badly scaled", "4 Brown badly scaled", "5 Beale",
    "7 helical valley", "8 Bard", "9 Gaussian", "12 Box", "13 Powell singular", "14 Wood",
    "15 Kowalik and Osborne",
]  # fmt: skip
METHODS: dict[str, dict[str, Any]] = {
    "gradient-descent": {}, "momentum": {"learning_rate": 1e-4}, "adam": {}, "bfgs": {}, "l-bfgs": {},
    "newton": {}, "newton-cg": {}, "exterior-point": {"constraints": [lambda x: 0.5 - x[0]]},
    "augmented-lagrangian": {"constraints": [lambda x: 0.5 - x[0]]},
}  # fmt: skip
ITERATIONS = 50
NAMES = list(PROBLEMS) if NIGHTLY else USUAL

COURSES = """async (courses) => {
  const { instantiate } = await import(new URL("js/engine/kernel.js", document.baseURI).href);
  const told = (value) => (Number.isNaN(value) ? "nan" : value);
  return courses.map(([module, abi, start]) => {
    const kernel = instantiate(Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0)), abi);
    return kernel.run(start).map((leaf) => Array.from(leaf, told));
  });
}"""
"""A function that runs several modules, each from a start point. For each module, it returns the result as
arrays."""

STEPS = """async ([[begin, ofBegin], [step, ofStep], start, n]) => {
  const { instantiate } = await import(new URL("js/engine/kernel.js", document.baseURI).href);
  const bytesOf = (module) => Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
  const made = (module, abi) => instantiate(bytesOf(module), abi);
  const stepper = made(step, ofStep);
  let state = made(begin, ofBegin).call(start);
  for (let k = 0; k < 1000 && state.status === 0; k++) state = stepper.call(state, n);
  return [...state.x, state.fun, state.nit, state.status];
}"""
"""A function that runs a solver, n iterations at a time, until the solve ends."""

ALONE = """async (start) => {
  const { default: load } = await import(new URL("solve.js", document.baseURI).href);
  const solve = await load();
  const { x, fun, nit, status } = solve(start);
  return [...x, fun, nit, status];
}"""


def stepper_of(name: str, method: str) -> tuple[eg.Fn, eg.Fn]:
    """Return the two functions of a stepper that minimises the sum of squares of a problem."""
    problem = PROBLEMS[name]
    return eg.stepper(
        lambda x: sum(r * r for r in problem.f(x)), [eg.Vec(len(problem.start), eg.Real)], method,
        maxiter=ITERATIONS, **METHODS[method],
    )  # fmt: skip


def course(name: str, method: str) -> eg.Fn:
    """Return a function that iterates from x0. It returns x, value and gradient after each iteration."""
    n = len(PROBLEMS[name].start)
    begin, step = stepper_of(name, method)

    @eg.fn([eg.Vec(n, eg.Real)])
    def places(x0: Any) -> Any:
        def one(state: Any, _: Any) -> Any:
            after = step(state, 1.0)
            return after, (after.x, after.fun, after.jac)

        return eg.scan(one, begin(x0), None, length=ITERATIONS)[1]

    return places


def numbers(value: Any) -> Iterator[Any]:
    """Flatten nested lists and tuples of numbers. Each NaN becomes the text "nan"."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from numbers(one)
    else:
        yield "nan" if value != value else value


def leaves_of(value: Any) -> list[Any]:
    """Return the bits of all x, then of all values, and then of all gradients."""
    return bits([*numbers([*zip(*value, strict=True)])])


def encoded(artifact: eg.Artifact) -> tuple[str, Any]:
    return base64.b64encode(artifact.wasm).decode(), artifact.abi


def bits(values: Sequence[Any]) -> list[Any]:
    return [value if value == "nan" else struct.pack(">d", value) for value in values]


@pytest.mark.without_python
@pytest.mark.parametrize("method", METHODS)
def test_every_iteration_has_the_same_bits_in_the_browser(tab: Page, server_url: str, method: str) -> None:
    tab.goto(f"{server_url}quadratic.html")
    courses = {name: course(name, method) for name in NAMES}
    asked = [[*encoded(eg.compile_artifact(f)), PROBLEMS[name].start] for name, f in courses.items()]
    found = tab.evaluate(COURSES, asked)
    for (name, f), leaves in zip(courses.items(), found, strict=True):
        start = PROBLEMS[name].start
        here = leaves_of(eg.compile(f)(start))
        assert bits([value for leaf in leaves for value in leaf]) == here, name
        assert leaves_of(f(start)) == here, name


@pytest.mark.without_python
def test_steps_of_any_size_give_the_same_end_in_the_browser(tab: Page, server_url: str) -> None:
    tab.goto(f"{server_url}quadratic.html")
    name = "1 Rosenbrock"
    start = PROBLEMS[name].start
    for method in METHODS:
        begin, step = stepper_of(name, method)
        state = eg.compile(step)(eg.compile(begin)(start), float(ITERATIONS))
        expected = bits([*state.x, state.fun, state.nit, state.status])
        modules = [encoded(eg.compile_artifact(begin)), encoded(eg.compile_artifact(step))]
        for n in (1, 7):
            assert bits(tab.evaluate(STEPS, [*modules, start, n])) == expected, (method, n)


@pytest.mark.allow_console
@pytest.mark.without_python
def test_an_exported_minimiser_gives_its_bits_in_a_bare_page(page: Page, tmp_path: Path) -> None:
    problem = PROBLEMS["1 Rosenbrock"]
    solve = eg.minimizer(lambda x: sum(r * r for r in problem.f(x)), [eg.Vec(2, eg.Real)])
    eg.export(solve, tmp_path, name="solve")
    (tmp_path / "index.html").write_text(BLANK)
    end = eg.compile(solve)(problem.start)
    with served(tmp_path) as url:
        page.goto(url)
        assert bits(page.evaluate(ALONE, problem.start)) == bits([*end.x, end.fun, end.nit, end.status])
