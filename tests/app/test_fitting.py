"""The page Fit: its kernels agree with `eg.curve_fit`, and its tables, start values and digits are right."""

from __future__ import annotations

import base64
import json
import math
from array import array
from pathlib import Path
from typing import Any

import mpmath
import pytest

import eglantine as eg
from app.fitting.fitter import (
    CAPACITIES,
    KERNELS,
    MOST_PARAMETERS,
    compile_fitter,
    model_of,
)
from app.fitting.solver import compiled_solver, whole_fit
from app.fitting.whole import PLACES, compile_whole_fit, curve, residuals
from app.service import Service
from eglantine import formulas
from eglantine.runtime.engines import default_host
from tools import fits
from tools.node import find_node

SCRIPT = Path(__file__).with_name("fitting.mjs")
FIT_SCRIPT = Path(__file__).with_name("fit_in_node.mjs")
TEXT = "a*exp(-b*x) + c"
NAMES = ("a", "b", "c")
XS = [0.0, 0.7, 1.5, 2.0, 3.1, 4.0, 5.5]
YS = [4.1, 2.9, 2.1, 1.6, 1.35, 1.1, 1.05]
START = {"a": 2.0, "b": 1.0, "c": 0.5}
CAPACITY = CAPACITIES[0]
ROUNDS = 600.0


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    done = find_node().run([SCRIPT])
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.fixture(scope="module")
def model() -> eg.Fn:
    return formulas.to_fn(TEXT, ["x", *NAMES])


def padded(values: list[float], rest: float) -> list[float]:
    return [*values, *[rest] * (CAPACITY - len(values))]


def fitted(model: eg.Fn, weights: list[float], held: dict[str, float] | None = None) -> dict[str, Any]:
    held = held or {}
    lower = [held.get(name, -math.inf) for name in NAMES]
    upper = [held.get(name, math.inf) for name in NAMES]
    kernel = eg.compile(whole_fit(residuals(model, len(NAMES), CAPACITY)))
    start = [START[name] for name in NAMES]
    data = (padded(XS, XS[0]), padded(YS, 0.0), padded(weights, 0.0))
    end: dict[str, Any] = kernel(start, lower, upper, *data, ROUNDS)
    return end


def test_the_page_gives_the_results_of_curve_fit(model: eg.Fn) -> None:
    sigma = [0.1, 0.2, 0.1, 0.1, 0.3, 0.1, 0.1]
    end = fitted(model, [1 / s for s in sigma])
    known = eg.curve_fit(TEXT, XS, YS, START, sigma=sigma, absolute_sigma=True)
    assert list(end["x"]) == pytest.approx([known.x[name] for name in NAMES], rel=1e-10)
    assert 2 * end["cost"] == pytest.approx(known.residual_sum, rel=1e-10)
    for k, name in enumerate(NAMES):
        assert math.sqrt(end["inverse"][k][k]) == pytest.approx(known.deviations[name], rel=1e-8)
    assert end["status"] == 1.0


class Model:
    """The functions that the solver calls to fit a formula. A module computes a function at one point."""

    def __init__(self, text: str, points: tuple[list[float], list[float], list[float]]) -> None:
        artifacts = compile_fitter(text)
        self.n = len(artifacts["names"])
        self.points = [point for point in enumerate(zip(*points, strict=True)) if point[1][2] > 0.0]
        self.modules = {
            name: default_host().instantiate(artifacts[name]["wasm"], artifacts[name]["abi"], ())
            for name in KERNELS
        }
        self.abis = {name: artifacts[name]["abi"] for name in KERNELS}
        artifact = compiled_solver(self.n, CAPACITY)
        hosts = [self.host(one["label"], one["types"]) for one in artifact.abi["imports"]]
        self.solver = default_host().instantiate(artifact.wasm, artifact.abi, hosts)
        self.abi = artifact.abi

    def of_point(self, name: str, *given: float) -> list[float]:
        """The Reals of a module's result."""
        module, abi = self.modules[name], self.abis[name]
        for value, param in zip(given, abi["params"], strict=True):
            module.write(param["leaves"][0]["at"], array("d", [value]).tobytes())
        module.call()
        return [array("d", bytes(module.read(leaf["at"], 8)))[0] for leaf in abi["result"]["leaves"]]

    def of_points(self, name: str, *given: list[float]) -> list[list[float]]:
        """Call a function for all points. Return its results as the arrays that the solver expects."""
        zeros, n = [0.0] * CAPACITY, self.n
        *first, p = given
        if name == "curvature":
            total = [0.0] * n * n
            for k, point in self.points:
                entries = self.of_point(name, *point, *p, first[0][k])
                total = [x + y for x, y in zip(total, entries, strict=True)]
            return [total]
        leaves = [zeros[:], zeros * n] if name == "jacobian" else [zeros[:]]
        for k, point in self.points:
            value, *slopes = self.of_point(name, *point, *p, *(value for v in first for value in v))
            leaves[0][k] = value
            if slopes:
                leaves[1][k * n : (k + 1) * n] = slopes
        return leaves

    def host(self, name: str, types: list[Any]) -> Any:
        sizes = [one["vec"] for one in types]

        def call(*addresses: int) -> None:
            args = [
                [*array("d", bytes(self.solver.read(at, 8 * size)))]
                for at, size in zip(addresses, sizes, strict=False)
            ]
            for at, leaf in zip(addresses[len(sizes) :], self.of_points(name, *args), strict=True):
                self.solver.write(at, array("d", leaf).tobytes())

        return call

    def fit(self, start: list[float], rounds: float) -> list[bytes]:
        """The bytes of each leaf of a fit."""
        open_ = [math.inf] * self.n
        given = (start, [-value for value in open_], open_, [rounds])
        for values, param in zip(given, self.abi["params"], strict=True):
            self.solver.write(param["leaves"][0]["at"], array("d", values).tobytes())
        self.solver.call()
        return [
            bytes(self.solver.read(leaf["at"], 8 * math.prod(leaf["dims"])))
            for leaf in self.abi["result"]["leaves"]
        ]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (TEXT, [2.0, 1.0, 0.5]),
        (TEXT, [1.0, 1.0, 1.0]),
        ("a + b*x", [1.0, 1.0]),
        ("a/(1 + exp(-b*(x - c))) + d*sin(x)", [3.0, -1.0, 1.0, 0.1]),
        ("a*x^b", [1.0, -0.5]),
        ("abs(a)*x + max(b, x)*c", [1.0, 0.5, 0.1]),
    ],
)
def test_a_solver_linked_to_a_model_equals_one_module_of_both(text: str, start: list[float]) -> None:
    points = (padded(XS, XS[0]), padded(YS, 0.0), padded([1.0, 2.0, 0.5, 1.0, 0.0, 1.0, 3.0], 0.0))
    linked = Model(text, points)
    artifact, _ = compile_whole_fit(text, CAPACITY)
    whole = default_host().instantiate(artifact.wasm, artifact.abi, ())
    n = len(start)
    for rounds in (3.0, ROUNDS):
        given = (start, [-math.inf] * n, [math.inf] * n, *points, [rounds])
        for values, param in zip(given, artifact.abi["params"], strict=True):
            whole.write(param["leaves"][0]["at"], array("d", values).tobytes())
        whole.call()
        leaves = artifact.abi["result"]["leaves"]
        expected = [bytes(whole.read(leaf["at"], 8 * math.prod(leaf["dims"]))) for leaf in leaves]
        assert linked.fit(start, rounds) == expected


def encoded(wasm: bytes, abi: dict[str, Any]) -> dict[str, Any]:
    return {"wasm": base64.b64encode(wasm).decode(), "abi": abi}


def test_the_page_has_the_bits_of_one_module_for_any_points(model: eg.Fn, tmp_path: Path) -> None:
    """The first case fits all points. The second case has five points, and the fit ignores one of them."""
    start, region = [2.0, 1.0, 0.5], (-1.0, 7.0)
    cases = [
        {"points": [[x, y, 0, k in out] for k, (x, y) in enumerate(points)], "start": start, "region": region}
        for points, out in (([*zip(XS, YS, strict=True)], set()), ([*zip(XS[:5], YS[:5], strict=True)], {2}))
    ]
    compiled, solver = compile_fitter(TEXT), compiled_solver(len(NAMES), CAPACITY)
    modules = {name: encoded(**compiled[name]) for name in KERNELS}
    given = {"modules": modules, "solver": encoded(solver.wasm, solver.abi), "names": NAMES}
    file = tmp_path / "given.json"
    file.write_text(json.dumps({**given, "capacity": CAPACITY, "cases": cases}), encoding="utf-8")
    done = find_node().run([FIT_SCRIPT, file])
    assert done.returncode == 0, done.stderr
    fit = eg.compile(whole_fit(residuals(model, len(NAMES), CAPACITY)))
    drawn = eg.compile(curve(model, len(NAMES)))
    for case, found in zip(cases, json.loads(done.stdout), strict=True):
        points = case["points"]
        data = [padded([point[k] for point in points], points[0][k]) for k in range(2)]
        weights = padded([0.0 if point[3] else 1.0 for point in points], 0.0)
        end = fit(start, [-math.inf] * 3, [math.inf] * 3, *data, weights, ROUNDS)
        assert found["x"] == list(end["x"])
        assert found["sum"] == 2 * end["cost"]
        assert found["rounds"] == end["nit"]
        assert found["residuals"] == [None if p[3] else -r for p, r in zip(points, end["fun"], strict=False)]
        rows = [found["covariance"][3 * k : 3 * k + 3] for k in range(3)]
        curve_ = drawn(end["x"], rows, *region)
        assert found["values"] == list(curve_["values"])
        t = found["confidence"][0] / curve_["deviations"][0]
        assert found["confidence"] == pytest.approx([t * d for d in curve_["deviations"]], rel=1e-12)


def test_a_point_of_weight_0_does_not_change_a_fit(model: eg.Fn) -> None:
    end = fitted(model, [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0])
    known = eg.curve_fit(TEXT, XS[:2] + XS[3:], YS[:2] + YS[3:], START)
    assert list(end["x"]) == pytest.approx([known.x[name] for name in NAMES], rel=1e-10)


def test_a_fixed_parameter_has_no_error_and_the_others_have_errors(model: eg.Fn) -> None:
    end = fitted(model, [1.0] * len(XS), {"c": 1.0})
    two = eg.curve_fit("a*exp(-b*x) + 1", XS, YS, {"a": 2.0, "b": 1.0})
    assert list(end["x"]) == pytest.approx([two.x["a"], two.x["b"], 1.0], rel=1e-10)
    scale = two.residual_deviation**2
    for k, name in enumerate("ab"):
        assert math.sqrt(end["inverse"][k][k] * scale) == pytest.approx(two.deviations[name], rel=1e-8)
    assert list(end["inverse"][2]) == [0.0, 0.0, 0.0]


def test_fixing_one_of_two_dependent_parameters_makes_a_fit_unique() -> None:
    model = formulas.to_fn("a*b*x + c", ["x", *NAMES])
    assert fitted(model, [1.0] * len(XS))["independent"] == 0.0
    end = fitted(model, [1.0] * len(XS), {"b": 2.0})
    assert end["independent"] == 1.0
    assert end["x"][1] == 2.0


def test_confidence_bands_follow_from_the_gradient_and_the_covariance(model: eg.Fn) -> None:
    end = fitted(model, [1.0] * len(XS))
    covariance = [list(row) for row in end["inverse"]]
    drawn = eg.compile(curve(model, len(NAMES)))(end["x"], covariance, 0.0, 6.0)
    assert len(drawn["values"]) == PLACES
    k = 100
    x, (a, b, c) = 6.0 * k / (PLACES - 1), end["x"]
    assert drawn["values"][k] == pytest.approx(a * math.exp(-b * x) + c, rel=1e-13)
    g = [math.exp(-b * x), -a * x * math.exp(-b * x), 1.0]
    variance = sum(g[i] * covariance[i][j] * g[j] for i in range(3) for j in range(3))
    assert drawn["deviations"][k] == pytest.approx(math.sqrt(variance), rel=1e-10)


def test_the_map_shows_the_sum_of_squares_over_two_parameters(found: dict[str, Any]) -> None:
    """The residuals are a + 2b − c, 3b and 1/(b − 1), with c = 1/2.

    The columns of the map have different values of b, and its rows have different values of a.
    """
    rows = [[(a + 2 * b - 0.5) ** 2 + 9 * b**2 + 1 / (b - 1) ** 2 for b in (-1, 0)] for a in (0, 2, 4)]
    most = max(map(max, rows))  # this replaces the sums at b = 1, where the residuals are not finite
    assert found["sums"] == [one for row in rows for one in (*row, most)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x^2 + 1", "nothing to fit"),
        ("a*", "ends after"),
        ("+".join(f"b{k}" for k in range(13)), "at most 12"),
    ],
)
def test_a_text_that_cannot_be_fitted_is_an_error_with_a_message(text: str, words: str) -> None:
    with pytest.raises(eg.EglantineError, match=words):
        model_of(text)
    reply = json.loads(Service().ask("fitter", [text])[0])
    assert not reply["ok"]
    assert words in reply["error"]["message"]


def test_parameters_are_listed_in_natural_order() -> None:
    assert model_of("b10*x + b2 + a")[1] == ["a", "b2", "b10"]
    assert MOST_PARAMETERS == 12


def test_the_service_compiles_the_modules_of_one_formula() -> None:
    text, *modules = Service().ask("fitter", [TEXT])
    reply = json.loads(text)
    assert reply["names"] == list(NAMES)
    compiled = compile_fitter(TEXT)
    assert modules == [compiled[name]["wasm"] for name in KERNELS]
    assert reply["abis"] == {name: compiled[name]["abi"] for name in KERNELS}


def test_the_service_compiles_the_modules_for_exports() -> None:
    text, *modules = Service().ask("whole_fit", [TEXT, CAPACITY])
    artifacts = compile_whole_fit(TEXT, CAPACITY)
    assert modules == [artifact.wasm for artifact in artifacts]
    reply = json.loads(text)
    assert [reply["fit"], reply["curve"]] == [artifact.abi for artifact in artifacts]
    assert reply["fit"]["imports"] == reply["curve"]["imports"] == []


def test_every_listed_data_set_and_formula_is_compiled_beforehand() -> None:
    known = fits.beginning()
    for one in known["sets"]:
        assert one["text"] in known["compiled"]
        assert set(model_of(one["text"])[1]) == set(one["start"])
    for text in known["forms"].values():
        assert text in known["compiled"]
    assert len(known["sets"]) == 1 + 4 + 26


def test_tables_are_read_as_spreadsheets_write_them(found: dict[str, Any]) -> None:
    points = {name: [point[:3] for point in one["points"]] for name, one in found["tables"].items()}
    assert points == {
        "tabs": [[0.5, 1.25, 0], [1.5, -2000, 0]],
        "semicolons": [[1.5, 2.5, 0.1], [2, 3, 0.2]],
        "commas": [[1.5, 2.5, 0], [2, 3, 0]],
        "whole": [[1, 2, 0], [3, 4, 0]],
        "listed": [[1, 2.5, 0.5], [3, 4, 0.25]],
        "blanks": [[1.5, 2.5, 0], [2, 3, 0]],
        "decimal": [[1.5, 2.5, 0], [2, 3, 0]],
        "single": [[1, 4, 0], [2, 5, 0], [3, 7, 0]],
        "quoted": [[1.5, 2, 0]],
        "minus": [[-1, 2, 0], [3, -4, 0]],
        "nothing": [],
    }
    assert found["tables"]["tabs"]["left"] == 1


def test_quantiles_of_students_distribution_have_the_given_tails(found: dict[str, Any]) -> None:
    """The probability of |T| > t is the regularised incomplete beta function at n / (n + t²)."""
    for outside, quantiles in found["quantiles"].items():
        for n, t in zip(found["freedoms"], quantiles, strict=True):
            tails = mpmath.betainc(n / 2, 0.5, 0, n / (n + mpmath.mpf(t) ** 2), regularized=True)
            assert float(tails) == pytest.approx(float(outside), rel=1e-11)


def test_the_same_points_give_the_same_starts(found: dict[str, Any]) -> None:
    assert found["starts"] == found["again"]
    assert found["starts"][0] == [1, 1, 1]
    assert all(len(start) == 3 for start in found["starts"])


def test_digits_that_agree_are_counted_as_by_nist(found: dict[str, Any]) -> None:
    equal, four, wrong, zero = found["agreement"]
    assert (equal, wrong, zero) == (11, 0, pytest.approx(5))
    assert four == pytest.approx(4, abs=1e-6)
