"""ADBench's problems have the published values and derivatives, in the interpreter and in WebAssembly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eglantine as eg
from bench.adbench import ba, cases, gmm, hand, lstm
from bench.adbench.cases import TOLERANCE, Case, case, distance, numbers
from tests.engines import run

INTERPRETED = (
    "gmm_test_d2_k3_n1",
    "gmm_d2_k5_n10",
    "lstm_l1_b14_c8",
    "ba_test_n2_m10_p10",
    "ba_rand_n3_m12_p20",
    "hand_test_simple_n2",
    "hand_test_complicated_n2",
)
"""The problems that are small enough for the interpreter, which is slow."""


@pytest.mark.parametrize("name", INTERPRETED)
def test_value_and_derivative_agree_with_the_reference_on_both_engines(name: str) -> None:
    problem = case(name)
    assert distance(run(problem.derivative(), *problem.args), problem.expected) < TOLERANCE


@pytest.mark.parametrize("name", [name for name in cases.NAMES if name not in INTERPRETED])
def test_value_and_derivative_agree_with_the_reference_in_webassembly(name: str) -> None:
    problem = case(name)
    assert distance(eg.compile(problem.derivative())(*problem.args), problem.expected) < TOLERANCE


@pytest.mark.parametrize("name", INTERPRETED)
def test_a_model_without_derivatives_gives_the_value(name: str) -> None:
    problem = case(name)
    value = run(problem.model(), *problem.args)
    count = len(list(numbers(value)))
    expected = problem.expected
    if name.startswith("ba_"):
        p = len(problem.args[2])
        expected = (*expected[: 2 * p], *expected[-2 * p : -p])
    assert distance(value, expected[:count]) < TOLERANCE


@pytest.mark.parametrize("name", cases.BA)
def test_the_blocks_of_ba_are_at_the_entries_of_the_sparse_jacobian(name: str) -> None:
    n, m = (len(part) for part in case(name).args[:2])
    by, of = case(name).args[3:5]
    p = len(by)
    csr = cases.read(name)["expected"]["jacobian_csr"]
    columns = []
    for i, (camera, point) in enumerate(zip(by, of, strict=True)):
        block = [*range(11 * camera, 11 * camera + 11), *(11 * n + 3 * point + k for k in range(3))]
        columns += 2 * [*block, 11 * n + 3 * m + i]
    assert csr["cols"] == columns + [11 * n + 3 * m + i for i in range(p)]
    assert csr["rows"] == [*range(0, 30 * p, 15), *range(30 * p, 31 * p + 1)]


def observation(turn: list[float]) -> Any:
    """Compute the errors and their Jacobian for one camera and one point. `turn` is the camera's rotation."""
    camera = [*turn, 0.1, -0.2, 0.3, 1.5, 0.1, 0.2, 0.01, -0.02]
    args = [camera], [[0.5, -0.7, 4.0]], [0.8], [0], [0], [[0.3, 0.1]]
    return run(ba.derivative(ba.Size(1, 1, 1)), *args)[:2]


def test_a_camera_without_rotation_is_the_limit_of_small_rotations() -> None:
    assert distance(observation([0.0, 0.0, 0.0]), observation([1e-5, -2e-5, 1.5e-5])) < 1e-4


def test_a_hand_is_not_turned_by_an_angle_below_the_threshold() -> None:
    _, *rest = case("hand_test_simple_n2").args
    kernel = eg.compile(hand.simple_derivative(cases.the_hand(), 2))
    shift_and_angles = [0.1 * k for k in range(23)]
    errors, rows = kernel([5e-5, -5e-5, 5e-5, *shift_and_angles], *rest)
    assert errors == kernel([0.0, 0.0, 0.0, *shift_and_angles], *rest)[0]
    assert all(row[:3] == [0.0, 0.0, 0.0] for point in rows for row in point)


def test_many_dimensions_are_looped_over_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = case("gmm_d10_k5_n50")
    monkeypatch.setattr(gmm, "WRITTEN_OUT", 9)
    assert distance(eg.compile(problem.derivative())(*problem.args), problem.expected) < TOLERANCE


def test_code_does_not_grow_with_points_components_or_characters() -> None:
    # The compiler stores exponentials if there are few points or characters, and recomputes them otherwise.
    # Short loops call library functions, and long loops inline them. So we compare two small sizes, and two
    # large sizes.
    for few, many in (((3, 100), (10, 1_000)), ((3, 100_000), (50, 200_000))):
        sizes = [len(eg.compile_artifact(gmm.derivative(gmm.Size(2, k, n))).wasm) for k, n in (few, many)]
        assert sizes[1] < sizes[0] + 200
    for characters in ((100, 1024), (40_000, 60_000)):
        sizes = [len(eg.compile_artifact(lstm.derivative(lstm.Size(2, 14, c))).wasm) for c in characters]
        assert sizes[1] < sizes[0] + 200


@pytest.mark.parametrize(
    ("problem", "real"),
    [(cases.random_gmm(3, 2, 5), (0, 1, 2, 3)), (cases.random_ba(2, 3, 4), (0, 1, 2, 5))],
    ids=["gmm", "ba"],
)
def test_derivatives_of_made_up_inputs_agree_with_differences(problem: Case, real: tuple[int, ...]) -> None:
    def of_reals(*values: Any) -> Any:
        args = list(problem.args)
        for k, value in zip(real, values, strict=True):
            args[k] = value
        return problem.model()(*args)

    eg.check_grads(of_reals, tuple(problem.args[k] for k in real), order=1)


def test_a_bench_kernel_takes_and_returns_arrays() -> None:
    problem = case("ba_rand_n3_m12_p20")
    found = eg.compile(problem.derivative())(*map(np.array, problem.args))
    assert [part.shape for part in found] == [(20, 2), (20, 2, 15), (20,), (20,)]
    assert distance(found, problem.expected) < TOLERANCE
