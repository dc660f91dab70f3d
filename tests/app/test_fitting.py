"""The page Fit: its kernels agree with `eg.curve_fit`, and its tables, start values and digits are right."""

from __future__ import annotations

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
    PLACES,
    compile_fitter,
    compile_whole_fit,
    curve,
    parameters_of,
    residuals,
)
from app.fitting.solver import compiled_solver, whole_fit
from app.service import Service
from eglantine import formulas
from eglantine.runtime.engines import default_host
from tools import fits
from tools.node import find_node

SCRIPT = Path(__file__).with_name("fitting.mjs")
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
    """The functions of a formula that a solver calls. Each has its own module, as in the page."""

    def __init__(self, text: str, points: tuple[list[float], list[float], list[float]]) -> None:
        artifacts = compile_fitter(text, CAPACITY)
        self.n = len(artifacts["names"])
        self.modules = {
            name: default_host().instantiate(artifacts[name]["wasm"], artifacts[name]["abi"], ())
            for name in KERNELS[:4]
        }
        self.abis = {name: artifacts[name]["abi"] for name in KERNELS}
        for name, module in self.modules.items():
            for values, param in zip(points, self.abis[name]["params"][-3:], strict=True):
                module.write(param["leaves"][0]["at"], array("d", values).tobytes())
        artifact = compiled_solver(self.n, CAPACITY)
        labels = [one["label"] for one in artifact.abi["imports"]]
        self.solver = default_host().instantiate(artifact.wasm, artifact.abi, [*map(self.host, labels)])
        self.abi = artifact.abi

    def host(self, name: str) -> Any:
        module, abi = self.modules[name], self.abis[name]
        places = [param["leaves"][0] for param in abi["params"][:-3]]
        results = abi["result"]["leaves"]

        def call(*addresses: int) -> None:
            for at, leaf in zip(addresses, places, strict=False):
                module.write(leaf["at"], bytes(self.solver.read(at, 8 * math.prod(leaf["dims"]))))
            module.call()
            for at, leaf in zip(addresses[len(places) :], results, strict=True):
                self.solver.write(at, bytes(module.read(leaf["at"], 8 * math.prod(leaf["dims"]))))

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
    ],
)
def test_a_solver_linked_to_a_model_equals_one_module_of_both(text: str, start: list[float]) -> None:
    points = (padded(XS, XS[0]), padded(YS, 0.0), padded([1.0, 2.0, 0.5, 1.0, 0.0, 1.0, 3.0], 0.0))
    linked = Model(text, points)
    artifact = compile_whole_fit(text, CAPACITY)
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
    """The residuals are a + 2b − c, 3b and 1/(b − 1), and c is 1/2.

    The columns are values of b, and the rows values of a.
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
        parameters_of(text)
    reply = json.loads(Service().ask("fitter", [text, CAPACITY])[0])
    assert not reply["ok"]
    assert words in reply["error"]["message"]


def test_parameters_are_listed_in_natural_order() -> None:
    assert parameters_of("b10*x + b2 + a") == ["a", "b2", "b10"]
    assert MOST_PARAMETERS == 12


def test_the_service_compiles_the_modules_of_one_formula() -> None:
    text, *modules = Service().ask("fitter", [TEXT, CAPACITY])
    reply = json.loads(text)
    assert reply["names"] == list(NAMES)
    compiled = compile_fitter(TEXT, CAPACITY)
    assert modules == [compiled[name]["wasm"] for name in KERNELS]
    assert reply["abis"] == {name: compiled[name]["abi"] for name in KERNELS}
    text, module = Service().ask("whole_fit", [TEXT, CAPACITY])
    assert module == compile_whole_fit(TEXT, CAPACITY).wasm
    assert json.loads(text)["abi"]["imports"] == []


def test_every_listed_data_set_and_formula_is_compiled_beforehand() -> None:
    known = fits.beginning()
    for one in known["sets"]:
        assert fits.spec(one["text"], len(one["points"])) in known["compiled"]
        assert set(parameters_of(one["text"])) == set(one["start"])
    for text in known["forms"].values():
        assert fits.spec(text, CAPACITY) in known["compiled"]
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
    """We compute the tails by the regularised incomplete beta function at n / (n + t²)."""
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
