"""Diagrams are imported as graphs, and each graph's energy and gradient have their known values."""

from __future__ import annotations

import gzip
import json
import math
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from bench.diagrams import registry
from bench.diagrams.optimising import is_as_good, lay_out, minimised
from bench.diagrams.page import Diagram, solver
from bench.diagrams.references import ENERGY_TOLERANCE, GRADIENT_TOLERANCE, NEARLY_CANCELLED
from eglantine.diagrams import graphs
from eglantine.diagrams.compiling import Compiled, compile_stages, divided
from eglantine.diagrams.energy import Energies, energy, energy_and_gradient
from eglantine.diagrams.exterior import optimise
from eglantine.diagrams.graphs import Graph, Reference, Stage
from eglantine.diagrams.stages import Host, capacity_for, stage_solver
from eglantine.emit.module import emit
from eglantine.optimise.pipeline import ready_library
from eglantine.runtime.engines import default_host
from eglantine.solvers.statuses import CONVERGED
from tests.engines import run

SMALL_GRAPH = Path(__file__).parents[1] / "data" / "animation__center-shrink-circle.json.gz"
FOLDER = registry.folder()
NAMES = list(registry.index(FOLDER)) if FOLDER else []
SAMPLE = NAMES[::9]
"""Every ninth diagram of the index: 20 diagrams with up to 100,000 operations."""
LAID_OUT = NAMES[::7]
"""Every seventh diagram of the index: 25 diagrams that every run lays out."""
LEAST_AS_GOOD = 0.9
"""The smallest allowed fraction of diagrams whose final energy is as good as the reference's
(`is_as_good`)."""
MOST_OF_A_SOLVER = 4000
"""The largest allowed size of a solver's module, in bytes."""
MOST_INTERPRETED = 5000
"""The largest number of operations of a graph that we run in the interpreter. Larger graphs would take too
long."""

needs_graphs = pytest.mark.skipif(
    FOLDER is None, reason=f"the diagrams' graphs are not here; ${registry.VARIABLE} may name their folder"
)


@pytest.fixture(scope="module")
def small() -> Graph:
    return graphs.read(SMALL_GRAPH)


def read(name: str) -> Graph:
    """Read the graph of a diagram from the registry, by its name."""
    assert FOLDER is not None
    return graphs.read(FOLDER / registry.index(FOLDER)[name]["file"])


def check(found: tuple[float, Any], reference: Reference, name: str) -> None:
    """Check an energy and its gradient with respect to the stage's inputs against a reference."""
    phi, gradient = found
    assert math.isclose(phi, reference.phi, rel_tol=ENERGY_TOLERANCE), f"{name} at {reference.at}"
    tolerance = NEARLY_CANCELLED.get((name, reference.at), GRADIENT_TOLERANCE)
    expected = [reference.gradient[k] for k in reference.stage.inputs]
    scale = max([1.0, *(abs(value) for value in expected if not math.isnan(value))])
    for k, (ct_x, known) in enumerate(zip(gradient, expected, strict=True)):
        same = (math.isnan(ct_x) and math.isnan(known)) or abs(ct_x - known) <= tolerance * scale
        assert same, f"{name} at {reference.at}: input {reference.stage.inputs[k]}: {ct_x}, not {known}"


def check_references(graph: Graph) -> None:
    """Run a graph's compiled modules, and check their energies and gradients against the references."""
    parts: dict[Stage, list[Compiled]] = {}
    for reference in graph.references:
        stage = reference.stage
        if stage not in parts:
            parts[stage] = compile_stages(graph, [stage]).parts
        found = [evaluated(part, (*stage.divide(reference.x), [reference.weight])) for part in parts[stage]]
        columns = zip([0.0] * len(stage.inputs), *(gradient for _, gradient in found), strict=True)
        check((sum(phi for phi, _ in found), map(sum, columns)), reference, graph.name)


def evaluated(part: Compiled, arguments: Sequence[Sequence[float]]) -> tuple[float, list[float]]:
    """Run a compiled module, and return the energy and the gradient that it computes."""
    abi = part.artifact.abi
    instance = default_host().instantiate(part.artifact.wasm, abi, ())
    for param, values in zip(abi["params"], arguments, strict=True):
        instance.write(param["leaves"][0]["at"], array("d", values).tobytes())
    instance.call()
    at = [leaf["at"] for leaf in abi["result"]["leaves"]]
    phi, gradient = (
        array("d", bytes(instance.read(at[k], 8 * n))) for k, n in ((0, 1), (1, len(arguments[0])))
    )
    return phi[0], gradient.tolist()


def test_a_small_graph_has_the_known_energy_and_gradient(small: Graph) -> None:
    assert [len(reference.stage.inputs) for reference in small.references] == [15, 11, 11]
    check_references(small)


def test_the_interpreter_gives_the_same_bits_as_webassembly(small: Graph) -> None:
    check_interpreter(small)


def check_interpreter(graph: Graph) -> None:
    for reference in graph.references:
        f = energy_and_gradient(graph, reference.stage)
        arguments = (*reference.stage.divide(reference.x), reference.weight)
        check(run(f, *arguments), reference, graph.name)


def test_each_term_has_its_known_value(small: Graph) -> None:
    reference = small.references[0]
    for k, known in enumerate(reference.constraints):
        alone = Stage(small.everything.inputs, (), (k,))
        phi = energy(small, alone)(list(reference.x), [], 1.0)
        assert math.isclose(phi, max(known, 0.0) ** 2, rel_tol=ENERGY_TOLERANCE)


def graph_of(ops: list[tuple[str, int, int, int]], inputs: int, consts: tuple[float, ...] = ()) -> Graph:
    """Make a graph of these operations. The last operation is its only objective."""
    names = tuple(dict.fromkeys(name for name, *_ in ops))
    columns = zip(*[(names.index(name), *rest) for name, *rest in ops], strict=True)
    last = inputs + len(consts) + len(ops) - 1
    return Graph("by hand", inputs, consts, names, *columns, (last,), (), (), (), (), ())


def value_and_slopes(ops: list[tuple[str, int, int, int]], *x: float) -> tuple[float, list[float]]:
    graph = graph_of(ops, len(x))
    phi, gradient = energy_and_gradient(graph, graph.everything)(list(x), [], 1.0)
    assert eg.value_and_grad(energy(graph, graph.everything))(list(x), [], 1.0) == (phi, gradient)
    return phi, list(gradient)


@pytest.mark.parametrize(
    ("op", "x", "value", "slope"),
    [
        ("sqrt", 4.0, 2.0, 0.25),
        ("sqrt", 0.0, 0.0, 0.5 / 1e-5),
        ("sqrt", 1e-12, 1e-6, 0.5 / 1e-5),
        ("sqrt_plain", 0.0, 0.0, math.inf),
        ("abs", -0.0, 0.0, -1.0),
        ("sign", -3.0, -1.0, 0.0),
        ("sign", -0.0, -1.0, 0.0),
        ("ceil", 1.5, 2.0, 0.0),
        ("acos", 0.0, math.pi / 2, -1.0),
    ],
)
def test_unary_operations_follow_the_convention(op: str, x: float, value: float, slope: float) -> None:
    assert value_and_slopes([(op, 0, -1, -1)], x) == (value, [slope])


@pytest.mark.parametrize(
    ("op", "x", "y", "value", "slopes"),
    [
        ("atan2", 0.0, -2.0, math.pi, [-0.5, -0.0]),  # atan2(y, x): (dy·x − dx·y)/(x² + y²)
        ("pow", 2.0, 3.0, 8.0, [12.0, 8.0 * math.log(2.0)]),
        ("sub", 5.0, 3.0, 2.0, [1.0, -1.0]),
        ("div", 1.0, 4.0, 0.25, [0.25, -0.0625]),
    ],
)
def test_binary_operations_follow_the_convention(
    op: str, x: float, y: float, value: float, slopes: list[float]
) -> None:
    assert value_and_slopes([(op, 0, 1, -1)], x, y) == (value, slopes)


@pytest.mark.parametrize(("x", "chosen"), [(1.0, 1), (3.0, 2), (2.0, 2)])
def test_a_select_takes_its_second_operand_if_the_first_holds(x: float, chosen: int) -> None:
    """select(x < 2, y, z)."""
    phi, slopes = value_and_slopes([("lt", 0, 3, -1), ("select", 4, 1, 2)], x, 5.0, 7.0, 2.0)
    assert (phi, slopes) == ({1: 5.0, 2: 7.0}[chosen], [float(k == chosen) for k in range(4)])


def test_frozen_inputs_have_values_and_no_gradient() -> None:
    graph = graph_of([("mul", 0, 1, -1)], 2)
    stage = Stage((1,), (0,), ())
    assert energy_and_gradient(graph, stage)([5.0], [3.0], 1.0) == (15.0, [3.0])


def test_a_chain_of_100_000_operations_is_differentiated_and_compiled() -> None:
    """Start with s = x, and replace s by (s + y)/2 50,000 times. The result is y for every x."""
    ops = [("add", 0, 1, -1), ("mul", 3, 2, -1)]
    for k in range(1, 50_000):
        ops += [("add", 2 * k + 2, 1, -1), ("mul", 2 * k + 3, 2, -1)]
    graph = graph_of(ops, 2, (0.5,))
    phi, gradient = eg.compile(energy_and_gradient(graph, graph.everything))([1.0, 3.0], [], 1.0)
    assert (phi, *gradient) == pytest.approx((3.0, 0.0, 1.0), rel=1e-15)


def test_the_optimiser_ends_at_the_known_point_after_the_known_evaluations(
    small: Graph,
) -> None:
    x = list(small.x0)
    for stage in small.stages:
        kernel = eg.compile(energy_and_gradient(small, stage))
        free, frozen = stage.divide(x)

        def evaluate(at: list[float], weight: float, kernel: Any = kernel, frozen: Any = frozen) -> Any:
            phi, gradient = kernel(at, frozen, weight)
            return phi, list(gradient)

        found, counts = optimise(evaluate, free)
        assert counts.evaluations == stage.evaluations
        for k, value in zip(stage.inputs, found, strict=True):
            x[k] = value
    assert x == pytest.approx(small.x_final, abs=1e-9)


def test_a_small_diagram_is_laid_out_in_three_stages(small: Graph) -> None:
    found = lay_out(small)
    assert [stage.status for stage in found.stages] == [CONVERGED] * 3
    assert is_as_good(found.energy, small.references[-1].phi)
    frozen = set(range(small.n_inputs)).difference(*(stage.inputs for stage in small.stages))
    assert all(found.x[k] == small.x0[k] for k in frozen)
    assert found.total > found.compiling > 0


def test_the_interpreter_gives_the_bits_of_the_solvers_module(small: Graph) -> None:
    stage = small.stages[0]
    f = eg.compile(energy_and_gradient(small, stage))
    free, frozen = stage.divide(small.x0)
    n = len(free)

    def evaluate(x: Sequence[float], weight: float) -> tuple[float, Sequence[float]]:
        phi, gradient = f(list(x), frozen, weight)
        return phi, list(gradient)

    end, solved = minimised(evaluate, free)
    padding = [0.0] * (capacity_for(n) - n)
    solver = stage_solver(capacity_for(n), Host(evaluate, n, capacity_for(n)))
    expected = solver.interpreted([*free, *padding])
    assert expected["x"] == [*end, *padding]
    assert (expected["fun"], expected["nit"], expected["nfev"]) == (
        solved.energy,
        solved.iterations,
        solved.evaluations,
    )


@pytest.mark.parametrize(
    ("n", "capacity"), [(1, 16), (16, 16), (17, 24), (25, 32), (33, 48), (96, 96), (97, 128), (8097, 8192)]
)
def test_solvers_of_a_few_capacities_are_enough_for_all_sizes(n: int, capacity: int) -> None:
    assert capacity_for(n) == capacity


def test_each_term_is_compiled_once_and_a_stage_is_the_sum_of_its_parts(small: Graph) -> None:
    parts, of = divided(small.stages)
    for stage, numbers in zip(small.stages, of, strict=True):
        assert sorted(k for j in numbers for k in parts[j].objectives) == sorted(stage.objectives)
        assert sorted(k for j in numbers for k in parts[j].constraints) == sorted(stage.constraints)
    constraints = [k for part in parts for k in part.constraints]
    assert len(constraints) == len(set(constraints)) == len(small.constraints)
    stage, numbers = small.stages[1], of[1]
    fs = [energy_and_gradient(small, part) for part in parts]
    found = [fs[j](*parts[j].divide(small.x0), 7.0) for j in numbers]
    whole, slopes = energy_and_gradient(small, stage)(*stage.divide(small.x0), 7.0)
    assert sum(phi for phi, _ in found) == pytest.approx(whole, rel=1e-14)
    sums = dict(zip(parts[0].inputs, map(sum, zip(*(ct_x for _, ct_x in found), strict=True)), strict=True))
    assert [sums[k] for k in stage.inputs] == pytest.approx(list(slopes), rel=1e-12, abs=1e-12)


def test_the_page_gets_each_module_once_and_the_list_for_each_stage() -> None:
    diagram = Diagram(gzip.decompress(SMALL_GRAPH.read_bytes()).decode())
    contract, *modules = diagram.compile()
    found = json.loads(contract)
    assert len(found["abis"]) == len(set(modules)) == 1 + max(k for numbers in found["of"] for k in numbers)
    assert diagram.passes()["rows"] > 0
    known = json.loads(diagram.references())
    assert [(at, stage) for at, stage, *_ in known] == [("x0", -1), ("x0", 0), ("x_final", 2)]
    assert all(len(gradient) == 15 for *_, gradient in known)
    assert len(json.loads(diagram.compile_everything()[0])["abis"]) == 1
    contract, module = solver(24)
    (energy,) = json.loads(contract)["imports"]
    assert (energy["params"], energy["results"]) == (["i32", "f64", "i32"], ["f64"])
    assert len(module) < MOST_OF_A_SOLVER


def test_a_gradient_made_with_its_energy_needs_no_passes(small: Graph) -> None:
    """We emit a function without the optimiser's passes. It must give the same bits as with the passes."""
    for stage in small.stages:
        function, unfinished = Energies(small).of(stage).energy_and_gradient()
        assert not unfinished
        x, frozen = stage.divide(small.x0)
        made = Compiled(emit(function, ready_library), 0, ())
        phi, gradient = eg.compile(energy_and_gradient(small, stage))(x, frozen, 7.0)
        assert evaluated(made, (x, frozen, [7.0])) == (phi, list(gradient))


def test_a_graph_of_another_format_is_an_error() -> None:
    with pytest.raises(ValueError, match="has the format another"):
        graphs.from_json({"format": "another"})


@needs_graphs
def test_the_largest_energy_and_its_gradient_compile_to_few_kilobytes() -> None:
    """The graph has 240,707 operations. Only 32,000 of them are different.

    As straight-line code it would take 719 kB.
    """
    graph = read("graph-domain/other-examples/nyc-subway")
    (compiled,) = compile_stages(graph, graph.stages[-1:]).parts
    assert compiled.rows < 4000
    assert len(compiled.artifact.wasm) < 80_000


@needs_graphs
def test_a_sample_of_diagrams_is_laid_out_as_well_as_by_the_reference() -> None:
    check_layouts(LAID_OUT)


@needs_graphs
@pytest.mark.nightly
def test_nine_in_ten_diagrams_are_laid_out_as_well_as_by_the_reference() -> None:
    check_layouts(NAMES)


def check_layouts(names: Sequence[str]) -> None:
    """Lay out diagrams. All layouts must be finite, and most must be as good as the reference's layouts."""
    worse = []
    for name in names:
        graph = read(name)
        found, known = lay_out(graph), graph.references[-1].phi
        assert all(map(math.isfinite, found.x)), name
        if not is_as_good(found.energy, known):
            worse.append(f"{name}: {found.energy}, not {known}")
    assert len(worse) <= (1 - LEAST_AS_GOOD) * len(names), "\n".join(worse)


@needs_graphs
@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_diagrams_has_the_known_energies_and_gradients(name: str) -> None:
    check_diagram(name)


@needs_graphs
@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_all_diagrams_have_the_known_energies_and_gradients(name: str) -> None:
    check_diagram(name, interpreted=True)


def check_diagram(name: str, interpreted: bool = False) -> None:
    graph = read(name)
    check_references(graph)
    if interpreted and len(graph.ops) <= MOST_INTERPRETED:
        check_interpreter(graph)
