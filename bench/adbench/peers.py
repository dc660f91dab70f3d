"""ADBench's problems for JAX, CasADi and autograd, written as users of each library would write them.

Functions such as `gmm_autograd` take a problem's arguments as NumPy arrays, and return a function without
arguments. The returned function computes the same numbers as our derivative, in the same order. A library may
be missing, so we import each library only when we use it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

Arrays = tuple[Any, ...]
Call = Callable[[], Any]
Maker = Callable[[Arrays], Call]


# ---------------------------------------------------------------- models for array libraries


def gmm(xp: ModuleType, alphas: Any, means: Any, icf: Any, x: Any) -> Any:
    """Return GMM's log-likelihood with γ = 1 and m = 0. `xp` is a library with NumPy's names."""
    (n, d), k = x.shape, len(alphas)
    place, below = triangle(d)
    q = icf[:, :d]
    factors = icf[:, place] * below + xp.eye(d) * xp.exp(q)[:, :, None]
    mapped = xp.einsum("kij,nkj->nki", factors, x[:, None, :] - means[None])
    inner = alphas + xp.sum(q, 1) - 0.5 * xp.sum(mapped**2, 2)
    prior = 0.5 * (xp.sum(xp.exp(q) ** 2) + xp.sum(icf[:, d:] ** 2)) - k * prior_constant(d)
    likelihood = xp.sum(log_sum_exp(xp, inner)) - n * log_sum_exp(xp, alphas[None])[0]
    return -0.5 * n * d * math.log(2 * math.pi) + likelihood + prior


def triangle(d: int) -> tuple[Any, Any]:
    """Make two d × d matrices that help to build a lower triangular matrix L from the vector icf.

    Below the diagonal, an entry of the first matrix is the index of L's entry in icf, and all entries of the
    second matrix are 1. All other entries are 0.
    """
    place, below = np.zeros((d, d), int), np.zeros((d, d))
    at = d
    for column in range(d):
        for row in range(column + 1, d):
            place[row, column], below[row, column] = at, 1.0
            at += 1
    return place, below


def prior_constant(d: int) -> float:
    """Return the constant that the Wishart prior subtracts for each component, with γ = 1 and m = 0."""
    gammas = sum(math.lgamma(0.5 * (d + 1) + 0.5 * (1 - j)) for j in range(1, d + 1))
    return -(d + 1) * d * 0.5 * math.log(2) - 0.25 * d * (d - 1) * math.log(math.pi) - gammas


def log_sum_exp(xp: ModuleType, v: Any) -> Any:
    """ln Σ exp over the last axis."""
    top = xp.max(v, -1)
    return top + xp.log(xp.sum(xp.exp(v - top[..., None]), -1))


def lstm_step(xp: ModuleType, main: Any, extra: Any, state: Any, x: Any) -> tuple[Any, Any]:
    """Compute one step of the LSTM network. Return the next state (a list) and the output."""
    b = len(x)
    x, after = x * extra[0], []
    for layer in range(len(main) // 2):
        w, bias, h, c = main[2 * layer], main[2 * layer + 1], state[2 * layer], state[2 * layer + 1]
        forget = sigmoid(xp, x * w[:b] + bias[:b])
        keep = sigmoid(xp, h * w[b : 2 * b] + bias[b : 2 * b])
        put = sigmoid(xp, x * w[2 * b : 3 * b] + bias[2 * b : 3 * b])
        c = c * forget + keep * xp.tanh(h * w[3 * b :] + bias[3 * b :])
        x = put * xp.tanh(c)
        after += [x, c]
    return after, x * extra[1] + extra[2]


def sigmoid(xp: ModuleType, x: Any) -> Any:
    """1 / (1 + e⁻ˣ)."""
    return 1.0 / (1.0 + xp.exp(-x))


def reprojection(xp: ModuleType, camera: Any, point: Any, weight: Any, feature: Any) -> Any:
    """Return an observation's error. The camera's rotation r must not be 0: the formula divides by ‖r‖."""
    r, x = camera[:3], point - camera[3:6]
    angle = xp.sqrt(xp.dot(r, r))
    axis = r / angle
    cosine, sine = xp.cos(angle), xp.sin(angle)
    seen = x * cosine + xp.cross(axis, x) * sine + axis * (xp.dot(axis, x) * (1.0 - cosine))
    p = seen[:2] / seen[2]
    square = xp.dot(p, p)
    shown = camera[6] * p * (1.0 + camera[9] * square + camera[10] * square * square) + camera[7:9]
    return weight * (shown - feature)


# ---------------------------------------------------------------- JAX


def jax_with_doubles() -> Any:
    """Import JAX and make it use 64-bit floats. All other contestants use 64-bit floats, too."""
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def jax_call(jax: Any, f: Callable[..., Any], arrays: Arrays) -> Call:
    """Compile f with JAX, and copy the arrays into JAX. Return a function that calls f with these arrays."""
    placed = [jax.numpy.asarray(a) for a in arrays]
    compiled = jax.jit(f).lower(*placed).compile()
    return lambda: jax.block_until_ready(compiled(*placed))


def gmm_jax(arrays: Arrays) -> Call:
    jax = jax_with_doubles()
    return jax_call(jax, jax.value_and_grad(lambda *args: gmm(jax.numpy, *args), (0, 1, 2)), arrays)


def lstm_jax(arrays: Arrays) -> Call:
    jax = jax_with_doubles()
    xp = jax.numpy

    def loss(main: Any, extra: Any, state: Any, characters: Any) -> Any:
        def step(state: Any, pair: Any) -> Any:
            x, gold = pair
            after, y = lstm_step(xp, main, extra, state, x)
            return xp.stack(after), xp.sum(gold * (y - xp.log(2.0 + xp.sum(xp.exp(y)))))

        _, terms = jax.lax.scan(step, state, (characters[:-1], characters[1:]))
        return -xp.sum(terms) / characters[1:].size

    return jax_call(jax, jax.value_and_grad(loss, (0, 1)), arrays)


def ba_jax(arrays: Arrays) -> Call:
    jax = jax_with_doubles()
    xp = jax.numpy

    def run(cameras: Any, points: Any, weights: Any, by: Any, of: Any, features: Any) -> Any:
        def error(unknowns: Any, feature: Any) -> Any:
            return reprojection(xp, unknowns[:11], unknowns[11:14], unknowns[14], feature)

        unknowns = xp.concatenate([cameras[by], points[of], weights[:, None]], 1)
        blocks = jax.vmap(jax.jacrev(error))(unknowns, features)
        return jax.vmap(error)(unknowns, features), blocks, 1.0 - weights**2, -2.0 * weights

    return jax_call(jax, run, arrays)


# ---------------------------------------------------------------- autograd


def gmm_autograd(arrays: Arrays) -> Call:
    import autograd
    import autograd.numpy as xp

    alphas, means, icf, x = arrays
    run = autograd.value_and_grad(lambda unknowns: gmm(xp, *unknowns, x))
    return lambda: run((alphas, means, icf))


def lstm_autograd(arrays: Arrays) -> Call:
    import autograd
    import autograd.numpy as xp

    main, extra, state, characters = arrays

    def loss(unknowns: Any) -> Any:
        states, total = list(state), 0.0
        for x, gold in pairwise(characters):
            states, y = lstm_step(xp, *unknowns, states, x)
            total = total + xp.sum(gold * (y - xp.log(2.0 + xp.sum(xp.exp(y)))))
        return -total / characters[1:].size

    run = autograd.value_and_grad(loss)
    return lambda: run((main, extra))


# ---------------------------------------------------------------- CasADi


def casadi_call(function: Any, inputs: list[Any], outputs: list[Any]) -> Call:
    """Make a function that calls CasADi. It reads `inputs` and writes `outputs`, column by column."""
    buffers, run = function.buffer()
    for k, a in enumerate(inputs):
        buffers.set_arg(k, memoryview(a))
    for k, a in enumerate(outputs):
        buffers.set_res(k, memoryview(a))

    def call(_: Any = (buffers, inputs)) -> Any:
        run()
        return outputs

    return call


def casadi_rows(ca: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Make a matrix of CasADi symbols for an array that is stored row by row.

    CasADi stores matrices column by column, so we transpose a matrix of symbols.
    """
    rows, columns = shape if len(shape) == 2 else (1, shape[0])
    return ca.SX.sym(name, columns, rows).T


def casadi_gradient(f: Callable[..., Any], arrays: Arrays, unknowns: int) -> Call:
    """Make a CasADi function of f and its gradient with respect to the first `unknowns` arguments."""
    import casadi as ca

    symbols = [casadi_rows(ca, f"a{k}", a.shape) for k, a in enumerate(arrays)]
    value = f(ca, *symbols)
    wanted = ca.vertcat(*(ca.vec(s.T) for s in symbols[:unknowns]))
    gradient = ca.densify(ca.gradient(value, wanted))
    function = ca.Function("f", [s.T for s in symbols], [ca.densify(value), gradient])
    inputs = [np.ascontiguousarray(a, float) for a in arrays]
    return casadi_call(function, inputs, [np.zeros(1), np.zeros(wanted.numel())])


def gmm_casadi(arrays: Arrays) -> Call:
    def model(ca: Any, alphas: Any, means: Any, icf: Any, x: Any) -> Any:
        (n, d), k = x.shape, alphas.numel()
        place, below = triangle(d)
        terms, prior = [], -k * prior_constant(d)
        for c in range(k):
            q = icf[c, :d]
            factors = ca.diag(ca.exp(q))
            for row, column in zip(*np.nonzero(below), strict=True):
                factors[int(row), int(column)] = icf[c, int(place[row, column])]
            mapped = ca.mtimes(x - ca.repmat(means[c, :], n, 1), factors.T)
            terms.append(alphas[c] + ca.sum2(q) - 0.5 * ca.sum2(mapped**2))
            prior += 0.5 * (ca.sumsqr(ca.exp(q)) + ca.sumsqr(icf[c, d:]))
        likelihood = ca.sum1(casadi_log_sum_exp(ca, terms)) - n * casadi_log_sum_exp(
            ca, ca.vertsplit(alphas.T)
        )
        return -0.5 * n * d * math.log(2 * math.pi) + likelihood + prior

    return casadi_gradient(model, arrays, 3)


def casadi_log_sum_exp(ca: Any, terms: list[Any]) -> Any:
    """ln Σ exp of corresponding entries."""
    top = terms[0]
    for term in terms[1:]:
        top = ca.fmax(top, term)
    return top + ca.log(sum(ca.exp(term - top) for term in terms))


def lstm_casadi(arrays: Arrays) -> Call:
    def model(ca: Any, main: Any, extra: Any, state: Any, characters: Any) -> Any:
        def rows(matrix: Any) -> list[Any]:
            return [row.T for row in ca.vertsplit(matrix)]

        states, texts, total = rows(state), rows(characters), 0.0
        main, extra = rows(main), rows(extra)
        for x, gold in pairwise(texts):
            states, y = casadi_lstm_step(ca, main, extra, states, x)
            total += ca.dot(gold, y - ca.log(2.0 + ca.sum1(ca.exp(y))))
        return -total / ((len(texts) - 1) * texts[0].numel())

    return casadi_gradient(model, arrays, 2)


def casadi_lstm_step(ca: Any, main: Any, extra: Any, states: Any, x: Any) -> tuple[Any, Any]:
    """Run `lstm_step` on CasADi symbols. We pass x as a `CountedColumn`, because `lstm_step` calls len(x)."""
    return lstm_step(ca, main, extra, states, CountedColumn(x))


class CountedColumn:
    """A CasADi column whose `len` is its number of entries."""

    def __init__(self, column: Any) -> None:
        self.column = column

    def __len__(self) -> int:
        return int(self.column.numel())

    def __mul__(self, other: Any) -> Any:
        return self.column * other


def ba_casadi(arrays: Arrays) -> Call:
    import casadi as ca

    cameras, points, weights, by, of, features = arrays
    unknowns, feature = ca.SX.sym("u", 15), ca.SX.sym("f", 2)
    error = reprojection(ca, unknowns[:11], unknowns[11:14], unknowns[14], feature)
    block = ca.Function("block", [unknowns, feature], [error, ca.densify(ca.jacobian(error, unknowns).T)])
    n, p = len(cameras), len(weights)
    sizes = [(11, n), (3, len(points)), (1, p), (2, p)]
    c, x, w, f = (ca.MX.sym(f"a{k}", *size) for k, size in enumerate(sizes))
    gathered = ca.vertcat(c[:, [int(i) for i in by]], x[:, [int(i) for i in of]], w)
    errors, blocks = block.map(p)(gathered, f)
    function = ca.Function("f", [c, x, w, f], [errors, blocks, 1 - w**2, -2 * w])
    inputs = [np.ascontiguousarray(a, float) for a in (cameras, points, weights, features)]
    return casadi_call(function, inputs, [np.zeros(2 * p), np.zeros(30 * p), np.zeros(p), np.zeros(p)])


JAX, CASADI, AUTOGRAD = "JAX", "CasADi", "autograd"

PEERS: Mapping[str, Mapping[str, Maker]] = {
    "gmm": {JAX: gmm_jax, CASADI: gmm_casadi, AUTOGRAD: gmm_autograd},
    "lstm": {JAX: lstm_jax, CASADI: lstm_casadi, AUTOGRAD: lstm_autograd},
    "ba": {JAX: ba_jax, CASADI: ba_casadi},
    "hand": {},
}
"""For each problem and each peer, the function that prepares the peer. autograd is left out of BA, because it
needs seconds there. HAND has no peers, because there is no table of times to compare with."""
