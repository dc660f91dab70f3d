"""Instances of the problems: their inputs, and their values and derivatives if these are known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import eglantine as eg
from bench.adbench import ba, gmm, hand, lstm
from bench.specs import uniform

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "adbench"

TOLERANCE = 1e-8
"""ADBench's tolerance for |x − y| / max(1, |x| + |y|)."""

GMM = ("gmm_test_d2_k3_n1", "gmm_d2_k5_n10", "gmm_d10_k5_n50", "gmm_d2_k5_n1000")
LSTM = ("lstm_l1_b14_c8", "lstm_l2_b14_c32", "lstm_l2_b14_c1024")
BA = ("ba_test_n2_m10_p10", "ba_rand_n3_m12_p20", "ba_rand_n8_m50_p120")
HAND = ("hand_test_simple_n2", "hand_simple_n100", "hand_test_complicated_n2", "hand_complicated_n100")
NAMES = (*GMM, *LSTM, *BA, *HAND)


@dataclass(frozen=True)
class Case:
    """One instance of a problem.

    model: a function that makes the model.
    derivative: a function that makes a second function with the model's arguments. The second function
        returns the model's value and derivative.
    args: the model's arguments, as nested lists.
    expected: the known numbers of the value and then of the derivative, or () if they are not known.
    """

    name: str
    model: Callable[[], eg.Fn]
    derivative: Callable[[], eg.Fn]
    args: tuple[Any, ...]
    expected: tuple[float, ...] = ()


def case(name: str) -> Case:
    """The case in one of ADBench's files."""
    makers = {"gmm": gmm_case, "lstm": lstm_case, "ba": ba_case, "hand": hand_case}
    return makers[name.partition("_")[0]](name, read(name))


@cache
def read(name: str) -> Any:
    """A file's content."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def numbers(value: Any) -> Iterator[float]:
    """Yield, in order, all numbers that nested lists, tuples and arrays contain."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, list | tuple) or getattr(item, "shape", ()):
            pending.extend(reversed(item))
        else:
            yield float(item)


def distance(value: Any, expected: Any) -> float:
    """Compare two values number by number. Return the largest |x − y| / max(1, |x| + |y|)."""
    pairs = zip(numbers(value), numbers(expected), strict=True)
    gaps = [abs(x - y) / max(1.0, abs(x) + abs(y)) for x, y in pairs]
    return max(gap if gap == gap else float("inf") for gap in gaps)


# ---------------------------------------------------------------- cases from ADBench's files


def gmm_case(name: str, data: Any) -> Case:
    """A mixture of Gaussians."""
    prior, expected = data["wishart"], data["expected"]
    size = gmm.Size(data["d"], data["k"], data["n"], prior["gamma"], prior["m"])
    return Case(
        name,
        lambda: gmm.objective(size),
        lambda: gmm.derivative(size),
        tuple(data[part] for part in ("alphas", "means", "icf", "x")),
        (expected["value"], *expected["gradient"]),
    )


def lstm_case(name: str, data: Any) -> Case:
    """A network that reads a text."""
    size, expected = lstm.Size(data["l"], data["b"], data["c"]), data["expected"]
    return Case(
        name,
        lambda: lstm.objective(size),
        lambda: lstm.derivative(size),
        tuple(data[part] for part in ("main_params", "extra_params", "state", "sequence")),
        (expected["value"], *expected["gradient"]),
    )


def ba_case(name: str, data: Any) -> Case:
    """Make a case of bundle adjustment (BA) from ADBench's file."""
    size, expected = ba.Size(data["n"], data["m"], data["p"]), data["expected"]
    by, of = ([pair[k] for pair in data["obs"]] for k in range(2))
    values = expected["jacobian_csr"]["vals"]
    blocks = 2 * size.p * ba.UNKNOWNS
    return Case(
        name,
        lambda: ba.residuals(size),
        lambda: ba.derivative(size),
        (data["cams"], data["X"], data["w"], by, of, data["feats"]),
        (*expected["reproj_err"], *values[:blocks], *expected["w_err"], *values[blocks:]),
    )


def hand_case(name: str, data: Any) -> Case:
    """Make a case of HAND from ADBench's file, in the simple form or in the complicated form.

    The complicated form has extra unknowns u. The first two columns of its Jacobian in the file are the
    derivatives with respect to u. The other columns are the derivatives with respect to θ.
    """
    model, n = the_hand(), len(data["points"])
    pose, seen = data["theta"], (data["points"], data["correspondences"])
    errors, rows = data["expected"]["err"], data["expected"]["jacobian_rows"]
    if data["us"] is None:
        return Case(
            name,
            lambda: hand.simple(model, n),
            lambda: hand.simple_derivative(model, n),
            (pose, *seen),
            tuple(numbers([errors, rows])),
        )
    own, shared = ([row[part] for row in rows] for part in (slice(2), slice(2, None)))
    return Case(
        name,
        lambda: hand.complicated(model, n),
        lambda: hand.complicated_derivative(model, n),
        (pose, data["us"], *seen),
        tuple(numbers([errors, own, shared])),
    )


@cache
def the_hand() -> hand.Hand:
    """ADBench's hand: 22 bones, 544 vertices."""
    data = read("hand_model")
    return hand.Hand(
        data["parents"],
        data["base_relatives"],
        data["inverse_base_absolutes"],
        data["base_positions"],
        data["weights_sparse"],
        data["triangles"],
    )


# ---------------------------------------------------------------- random cases


def random_gmm(d: int, k: int, n: int) -> Case:
    """Make a random case of GMM. All unknowns, and all coordinates of the points, are in [−1, 1]."""
    size, draw = gmm.Size(d, k, n), Draw(seed=3)
    args = draw.vector(k), draw.matrix(k, d), draw.matrix(k, d + size.triangle), draw.matrix(n, d)
    return Case(f"gmm_d{d}_k{k}_n{n}", lambda: gmm.objective(size), lambda: gmm.derivative(size), args)


def random_ba(n: int, m: int, p: int) -> Case:
    """Make a random case of BA: cameras near the origin look at points near (0, 0, 5).

    Each observation pairs a random camera with a random point.
    """
    size, draw = ba.Size(n, m, p), Draw(seed=4)
    cameras = [
        [*draw.vector(3), *draw.vector(3), 2 + draw.number(), *draw.vector(2), *draw.vector(2, 0.01)]
        for _ in range(n)
    ]
    points = [[draw.number(), draw.number(), 5 + draw.number()] for _ in range(m)]
    by, of = ([draw.below(bound) for _ in range(p)] for bound in (n, m))
    args = cameras, points, draw.vector(p), by, of, draw.matrix(p, 2)
    return Case(f"ba_n{n}_m{m}_p{p}", lambda: ba.residuals(size), lambda: ba.derivative(size), args)


class Draw:
    """Draws random inputs. The same seed always gives the same inputs."""

    def __init__(self, seed: int) -> None:
        self._random = uniform(seed)

    def number(self) -> float:
        """A number in [−1, 1]."""
        return 2 * next(self._random) - 1

    def vector(self, n: int, scale: float = 1.0) -> list[float]:
        """A list of numbers in [−scale, scale]."""
        return [scale * self.number() for _ in range(n)]

    def matrix(self, rows: int, columns: int) -> list[list[float]]:
        """A list of `rows` lists."""
        return [self.vector(columns) for _ in range(rows)]

    def below(self, n: int) -> int:
        """An index below n."""
        return int(next(self._random) * n)
