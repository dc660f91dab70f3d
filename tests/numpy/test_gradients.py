"""Derivatives of array functions agree with finite differences."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp

ONE: dict[str, Callable[[Any], Any]] = {
    **{
        name: lambda a, name=name: getattr(enp, name)(a)
        for name in (
            "sum", "prod", "mean", "median", "var", "std", "max", "min", "cumsum", "cumprod", "sort",
            "logsumexp",
            "softmax", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos",
            "tan", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "lgamma", "abs", "negative", "square",
            "transpose", "ravel", "flip", "tril", "triu", "diagonal", "trace", "diff", "diag",
        )
    },
    "asin": lambda a: enp.asin(a * 0.4), "acos": lambda a: enp.acos(a * 0.4),
    "atanh": lambda a: enp.atanh(a * 0.4), "acosh": lambda a: enp.acosh(a + 1.0),
    "polygamma": lambda a: enp.polygamma(0, a),
    "quantile": lambda a: enp.quantile(a, [0.3, 0.8], axis=1), "clip": lambda a: enp.clip(a, 0.8, 1.4),
    "where": lambda a: enp.where(a > 1.0, a * a, enp.sqrt(a)), "reshape": lambda a: enp.reshape(a, (2, 8)),
    "moveaxis": lambda a: enp.moveaxis(a, 0, 1), "swapaxes": lambda a: enp.swapaxes(a, 0, 1),
    "expand_dims": lambda a: enp.expand_dims(a, 1), "squeeze": lambda a: enp.squeeze(a[:1]),
    "broadcast_to": lambda a: enp.broadcast_to(a, (2, 4, 4)), "roll": lambda a: enp.roll(a, 1, 1),
    "tile": lambda a: enp.tile(a, 2), "repeat": lambda a: enp.repeat(a, 2, 0),
    "concatenate": lambda a: enp.concatenate([a, a * a], 1), "stack": lambda a: enp.stack([a, a * a], 1),
    "hstack": lambda a: enp.hstack([a, 2.0 * a]), "vstack": lambda a: enp.vstack([a, a * a]),
    "convolve": lambda a: enp.convolve(a[0], a[1]), "full": lambda a: enp.full((2, 4), a[0]),
    "interp": lambda a: enp.interp(a[0], enp.cumsum(a[1]), a[2]),
    "meshgrid": lambda a: enp.meshgrid(a[0], a[1])[1] * enp.meshgrid(a[0], a[1])[0],
    "solve": lambda a: enp.linalg.solve(well(a), a[0]),
    "solve of several": lambda a: enp.linalg.solve(well(a), a),
    "inv": lambda a: enp.linalg.inv(well(a)), "det": lambda a: enp.linalg.det(well(a)),
    "slogdet": lambda a: enp.linalg.slogdet(well(a))[1],
    "matrix_power": lambda a: enp.linalg.matrix_power(a, 3),
    "cholesky": lambda a: enp.linalg.cholesky(a @ a.T + 2.0 * enp.eye(4)),
    "eigh": lambda a: enp.linalg.eigh(apart(a)), "eigvalsh": lambda a: enp.linalg.eigvalsh(apart(a)),
    "qr": lambda a: enp.linalg.qr(well(a)), "qr of a tall matrix": lambda a: enp.linalg.qr(well(a)[:, :2]),
    "qr of a wide matrix": lambda a: enp.linalg.qr(well(a)[:2])[1],
    "svd": lambda a: enp.linalg.svd(apart(a))[1],
    "svd, thin": lambda a: enp.linalg.svd(apart(a)[:, :2], full_matrices=False),
    "svd, square factors": lambda a: enp.linalg.svd(apart(a)[:, :2])[0][:, :2],
    "pinv": lambda a: enp.linalg.pinv(well(a)[:, :2]), "pinv, wide": lambda a: enp.linalg.pinv(well(a)[:2]),
    "lstsq": lambda a: enp.linalg.lstsq(well(a)[:, :2], a[3])[:2], "norm": enp.linalg.norm,
    "norm of rows": lambda a: enp.linalg.norm(a, axis=1),
    "nuclear norm": lambda a: enp.linalg.norm(apart(a), "nuc"),
    "norm of order 3": lambda a: enp.linalg.norm(a, 3, axis=0),
    "spectral norm": lambda a: enp.linalg.norm(apart(a), 2),
    "average": lambda a: enp.average(a, axis=0, weights=a[1]), "cov": enp.cov, "corrcoef": enp.corrcoef,
    "ptp": lambda a: enp.ptp(a, axis=1), "trapezoid": lambda a: enp.trapezoid(a, a[0] + enp.arange(4) * 3.0),
    "gradient": lambda a: enp.gradient(a, enp.arange(4) * 2.0 + a[0, 0], axis=1),
    "vander": lambda a: enp.vander(a[0]),
    "polyval": lambda a: enp.polyval(a[0], a[1:]), "correlate": lambda a: enp.correlate(a[0], a[1, :3]),
    "take": lambda a: enp.take(a, [0, -1, 0], axis=1), "pad": lambda a: enp.pad(a, 1, mode="reflect"),
    "pad with zeros": lambda a: enp.pad(a, ((1, 0), (2, 1))), "split": lambda a: enp.split(a, 2)[1] * a[:2],
    "take_along_axis": lambda a: enp.take_along_axis(a, enp.argsort(a, 1), 1), "sinc": enp.sinc,
    "column_stack": lambda a: enp.column_stack([a[0], a * a]), "nansum": lambda a: enp.nansum(a, 0),
    "irfft": lambda a: enp.fft.irfft(enp.fft.rfft(a) * 2.0),
    "percentile": lambda a: enp.percentile(a, 30, axis=0),
    "stacked solve": lambda a: enp.linalg.solve(enp.stack([well(a), well(a.T)]), a),
}  # fmt: skip
TWO: dict[str, Callable[[Any, Any], Any]] = {
    name: lambda a, b, name=name: getattr(enp, name)(a, b)
    for name in (
        "add", "subtract", "multiply", "divide", "power", "pow", "maximum", "minimum", "atan2", "hypot",
        "copysign", "logaddexp", "vdot", "fmax", "matmul", "dot", "outer", "inner", "kron", "tensordot",
        "mod",
    )
} | {
    "einsum": lambda a, b: enp.einsum("ij,kj->ik", a, b), "cross": lambda a, b: enp.cross(a[:, :3], b[:, 1:]),
}  # fmt: skip


def well(a: Any) -> Any:
    """A matrix with a large diagonal."""
    return a + 4.0 * enp.eye(4)


def apart(a: Any) -> Any:
    """Make a symmetric matrix with distinct eigenvalues and distinct singular values."""
    return 0.3 * (a + a.T) + enp.diag(enp.arange(4) * 3.0 + 1.0)


def matrix(name: str) -> Any:
    draw = random.Random(name)  # noqa: S311 - numbers of a test
    return [[draw.uniform(0.4, 1.9) for _ in range(4)] for _ in range(4)]


@pytest.mark.parametrize("name", sorted(ONE))
def test_a_derivative_agrees_with_differences(name: str) -> None:
    f = eg.fn([eg.Vec(4, eg.Vec(4, eg.Real))])(ONE[name])
    eg.check_grads(f, (matrix(name),), order=1)


@pytest.mark.parametrize("name", sorted(TWO))
def test_derivatives_of_two_arrays_agree_with_differences(name: str) -> None:
    f = eg.fn([eg.Vec(4, eg.Vec(4, eg.Real))] * 2)(TWO[name])
    eg.check_grads(f, (matrix(name), matrix(f"{name} second")), order=1)


@pytest.mark.parametrize("name", ["solve", "solve of several", "inv", "slogdet", "cholesky"])
def test_a_second_derivative_agrees_with_differences(name: str) -> None:
    f = eg.fn([eg.Vec(4, eg.Vec(4, eg.Real))])(lambda a: enp.sum(enp.sin(ONE[name](a))))
    eg.check_grads(f, (matrix(name),), order=2)


def test_a_gradient_factorises_a_matrix_once() -> None:
    """The value and the gradient each need a linear system. Both systems use the same factors of a."""

    @eg.fn([eg.Vec(9, eg.Vec(9, eg.Real)), eg.Vec(9, eg.Real)])
    def f(a: Any, b: Any) -> Any:
        return enp.dot(b, enp.linalg.solve(a, b))

    value, both = (eg.compile_artifact(g).wasm for g in (f, eg.value_and_grad(f)))
    assert len(both) < 1.9 * len(value)
