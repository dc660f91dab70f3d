"""The importer of graphs computes similar terms in one loop. This changes no energy and no gradient."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from itertools import combinations

import pytest

import eglantine as eg
from eglantine.diagrams import pieces
from eglantine.diagrams.energy import energy, energy_and_gradient
from eglantine.diagrams.graphs import Graph, Stage
from eglantine.diagrams.lanes import MOST, TOP, above, runs
from eglantine.diagrams.pieces import Pieces
from tests.engines import run
from tests.showing import shown, text


@pytest.mark.parametrize("n", [1, 7, MOST, 2 * MOST + 3])
def test_a_lane_is_the_distance_of_a_number_from_a_lower_bound(n: int) -> None:
    lower = [100 + (k // 50) * 7 for k in range(n)]
    columns = [[(k * k * factor) % (TOP - 1) - 1 for k in range(n)] for factor in (3, 54_321)]
    columns.append([lower[k] + k % 5 - 2 for k in range(n)])
    columns.append([k % 100 - 1 for k in range(n)])
    parts, between = above(columns, runs(lower, [1] * n), 100)
    for column, part in zip(columns, parts, strict=True):
        expected = [TOP + x - y if x >= y else 0 for x, y in zip(column, lower, strict=True)]
        assert list(struct.unpack(f"<{n}I", part)) == expected
    assert between == {x for column in columns for x, y in zip(column, lower, strict=True) if 100 <= x < y}


class Writing:
    """Builds a graph. Each call of `op` adds an operation, and returns the number of its value."""

    def __init__(self, inputs: int, consts: tuple[float, ...] = ()) -> None:
        self.inputs, self.consts = inputs, consts
        self.rows: list[tuple[str, int, int, int]] = []

    def op(self, name: str, a: int, b: int = -1, c: int = -1) -> int:
        self.rows.append((name, a, b, c))
        return self.inputs + len(self.consts) + len(self.rows) - 1

    def graph(self, objectives: list[int], constraints: list[int]) -> Graph:
        names = tuple(dict.fromkeys(name for name, *_ in self.rows))
        columns = zip(*[(names.index(name), *rest) for name, *rest in self.rows], strict=True)
        parts = (*columns, tuple(objectives), tuple(constraints))
        return Graph("by hand", self.inputs, self.consts, names, *parts, (), (), (), ())


N = 9
PAIRS = N * (N - 1) // 2


def length(w: Writing, k: int) -> int:
    """Add operations that compute √(x² + y²) for point k.

    Then replace this value six times by sin(value + x²), so that the term is long.
    """
    x, y = w.op("mul", k, k), w.op("mul", N + k, N + k)
    value = w.op("sqrt", w.op("add", x, y))
    for _ in range(6):
        value = w.op("sin", w.op("add", value, x))
    return value


def pairs(w: Writing) -> Iterator[int]:
    """Add operations that compute |p.x·length(p) − q.y·length(q)| for each pair of points p, q."""
    for i, j in combinations(range(N), 2):
        yield w.op("abs", w.op("sub", w.op("mul", i, length(w, i)), w.op("mul", N + j, length(w, j))))


def check_same(graph: Graph, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a graph's energy and gradient are the same with loops and without loops."""
    x, frozen = stage.divide([math.sin(3.0 * k + 0.5) for k in range(graph.n_inputs)])
    found = run(energy_and_gradient(graph, stage), x, frozen, 2.5)
    general = run(eg.value_and_grad(energy(graph, stage)), x, frozen, 2.5)
    with monkeypatch.context() as patch:
        patch.setattr(pieces, "FEW", 1 << 20)
        straight = energy(graph, stage)
        assert "loop" not in shown(straight)
        phi, gradient = eg.value_and_grad(straight)(x, frozen, 2.5)
    for value, slopes in (found, general):
        assert value == pytest.approx(phi, rel=1e-14)
        assert list(slopes) == pytest.approx(list(gradient), rel=1e-13, abs=1e-13)


def test_pieces_of_one_shape_differ_only_in_operands_from_outside() -> None:
    w = Writing(2 * N)
    graph = w.graph([], list(pairs(w)))
    found = Pieces(graph)
    assert len(found.of) == PAIRS
    assert len({piece.shape for piece in found.of.values()}) == 1
    assert not found.loose
    shape = found.of[graph.constraints[0]].shape
    assert len(shape.steps) == 36
    assert shape.steps[-1] == ("abs", 34, 36, 36)
    assert {piece.outside[0] for piece in found.of.values()} == set(range(N - 1))


def test_a_value_that_several_pieces_use_belongs_to_no_piece() -> None:
    w = Writing(2 * N)
    terms = []
    lengths: dict[int, int] = {}
    for i, j in combinations(range(N), 2):
        for k in (i, j):
            if k not in lengths:
                lengths[k] = length(w, k)
        terms.append(w.op("abs", w.op("sub", w.op("mul", i, lengths[i]), w.op("mul", N + j, lengths[j]))))
    found = Pieces(w.graph([], terms))
    assert len(found.loose) == 16 * N
    assert set(lengths.values()) < set(found.loose)
    assert len({piece.shape for piece in found.of.values()}) == 1
    assert sorted(found.of[terms[0]].outside) == [0, N + 1, lengths[0], lengths[1]]


def test_pieces_of_rare_shapes_are_not_grouped() -> None:
    w = Writing(3)
    graph = w.graph([w.op("mul", 0, 1), w.op("add", 1, 2), w.op("mul", 1, 2)], [])
    found = Pieces(graph)
    assert (found.of, found.loose) == ({}, [3, 4, 5])


def test_pieces_with_other_inner_operands_have_another_shape() -> None:
    w = Writing(2)
    terms = []
    for k in range(8):
        a = w.op("mul", 0, 1)
        terms.append(w.op("add", a, a if k % 2 else 0))
    found = Pieces(w.graph(terms, []))
    assert sorted(len(piece.outside) for piece in found.of.values()) == [2, 2, 2, 2, 3, 3, 3, 3]


def test_a_value_that_depends_on_one_point_is_computed_once_for_it() -> None:
    w = Writing(2 * N)
    terms = list(pairs(w))
    found = shown(energy(w.graph(terms, []), Stage(tuple(range(2 * N)), tuple(range(PAIRS)), ())))
    assert found.count(f"< {N - 1} with") == 2
    assert found.count(f"< {PAIRS} with") == 1
    assert found.count(" sin ") == 2 * 6


def test_terms_of_one_shape_become_a_loop_over_tables_of_operands() -> None:
    w = Writing(8, (2.0, 3.0))
    terms = []
    for k in range(8):
        d = w.op("sub", k, (3 * k + 1) % 8)
        for _ in range(6):
            d = w.op("mul", w.op("sin", d), 8 + k % 2)
        terms.append(d)
    found = shown(energy(w.graph([], terms), Stage(tuple(range(8)), (), tuple(range(8)))))
    head, _, _ = found.partition("sin")
    assert head == text("""
        "by hand"(%1: f64[8], %2: f64[0], %3: f64) -> f64:
          %4: acc[] = acc
          %5: i32[0..7][8] = table 1 4 7 2 5 0 3 6
          %6: f64[8] = table 2.0 3.0 2.0 3.0 2.0 3.0 2.0 3.0
          loop %7: i32[0..7] < 8 with (%8: f64[8] = %1, %9: i32[0..7][8] = %5, %10: f64[8] = %6, %11: acc[] = %4):
            %12: f64 = index %8 %7
            %13: i32[0..7] = index %9 %7
            %14: f64 = index %8 %13
            %15: f64 = sub %12 %14
            %16: f64 = """).rstrip("\n")  # noqa: E501 - printed rows


@pytest.mark.parametrize("frozen", [(), (1, 2, N + 1), tuple(range(N))])
def test_energy_and_gradient_equal_those_of_the_straight_line_program(
    frozen: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Freeze none, three or half of the inputs. Then only some rounds of a loop read a frozen input."""
    w = Writing(2 * N, (0.5, 4.0))
    constraints = list(pairs(w))
    objectives = []
    for k in range(4 * N):
        operand = (k * k) % (2 * N) if k % 3 else 2 * N + k % 2  # an input, or a constant
        d = w.op("sub", w.op("mul", k % N, operand), constraints[k % PAIRS])
        for _ in range(4):
            d = w.op("add", w.op("mul", d, d), w.op("cos", operand))
        objectives.append(w.op("sin", d))
    free = tuple(k for k in range(2 * N) if k not in frozen)
    stage = Stage(free, tuple(range(4 * N)), tuple(range(PAIRS)))
    check_same(w.graph(objectives, constraints), stage, monkeypatch)


def test_the_derivative_of_a_root_is_bounded_in_the_rounds_of_loops() -> None:
    """Square roots are computed in separate loops.

    At 0 the slope of a root is infinite. In a loop with other operations, this slope would give ∞·0 = NaN.
    """
    w = Writing(2 * N)
    graph = w.graph(list(pairs(w)), [])
    made = energy_and_gradient(graph, graph.everything)
    x = [0.0 if k % N < 3 else math.sin(k) for k in range(2 * N)]
    value, slopes = run(made, x, [], 1.0)
    general = eg.value_and_grad(energy(graph, graph.everything))(x, [], 1.0)
    assert value == pytest.approx(general[0], rel=1e-14)
    assert list(slopes) == pytest.approx(list(general[1]), rel=1e-13, abs=1e-13)
    assert all(map(math.isfinite, slopes))
    assert shown(made).count(f"< {N - 1} with") == 4


def test_a_stage_with_some_of_the_terms_has_the_right_energy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    w = Writing(2 * N)
    terms = list(pairs(w))
    graph = w.graph(terms, terms)
    check_same(graph, Stage(tuple(range(2 * N)), (0, 2, 3, 5, 7), (1, 2)), monkeypatch)
    check_same(graph, Stage((0, 7, 9), (4,), tuple(range(PAIRS))), monkeypatch)


def test_functions_of_constants_are_computed_when_the_graph_is_imported() -> None:
    w = Writing(1, (0.3, 2.0))
    value = w.op("mul", 0, w.op("atan2", w.op("sin", 1), w.op("sqrt", 2)))
    f = energy(w.graph([value], []), Stage((0,), (0,), ()))
    expected = math.atan2(math.sin(0.3), math.sqrt(2.0))
    assert [row[0] for row in f.function.block.rows].count("mul") == 1
    assert not {row[0] for row in f.function.block.rows} & {"sin", "call", "atan2", "sqrt"}
    assert f([3.0], [], 1.0) == pytest.approx(3.0 * expected, rel=1e-15)
