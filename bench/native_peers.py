"""The problems of bench/problems.py for JAX, CasADi and autograd, as each library's users would write them.

A `Maker` takes a problem's arguments as NumPy arrays, and returns a function without arguments. The returned
function computes the same numbers as our kernel, in the same order. A library may be missing, so we import
each library only when we use it.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from contextlib import chdir
from itertools import combinations
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import numpy as np

from app.simulations import billiards, robot
from bench.adbench.peers import AUTOGRAD, CASADI, JAX, Arrays, Call, casadi_call, jax_call, jax_with_doubles

Maker = Callable[..., Call]

CASADI_GCC = "CasADi, C compiler"
COMPILERS = ("gcc", "clang", "cc")


class NoCompilerError(Exception):
    """CasADi needs a C compiler, but this machine has none."""


def package(peer: str) -> str:
    """The Python package of a peer."""
    return peer.partition(",")[0].lower()


# ---------------------------------------------------------------- formulas for array libraries


def pairs(xp: ModuleType, x: Any, y: Any) -> Any:
    """Σ √distance."""
    i, j = np.tril_indices(len(x), -1)
    dx, dy = x[i] - x[j], y[i] - y[j]
    return xp.sum(xp.sqrt(xp.sqrt(dx * dx + dy * dy)))


def regression(xp: ModuleType, x: Any, y: Any, w: Any, b: Any) -> Any:
    """The mean squared error."""
    return xp.sum((xp.dot(x, w) + b - y) ** 2) / len(y)


# ---------------------------------------------------------------- JAX


def jax_both(loss: Callable[..., Any], unknowns: tuple[int, ...], *arrays: Any) -> Call:
    """Value and gradient."""
    jax = jax_with_doubles()
    return jax_call(jax, jax.value_and_grad(lambda *args: loss(jax.numpy, *args), unknowns), arrays)


def jax_gradient(loss: Callable[..., Any], unknowns: tuple[int, ...], *arrays: Any) -> Call:
    """The gradient alone."""
    jax = jax_with_doubles()
    return jax_call(jax, jax.grad(lambda *args: loss(jax.numpy, *args), unknowns), arrays)


def jax_pairs(*arrays: Any) -> Call:
    return jax_gradient(pairs, (0, 1), *arrays)


def jax_regression(*arrays: Any) -> Call:
    return jax_gradient(regression, (2, 3), *arrays)


def jax_billiards(table: billiards.Table) -> Maker:
    """Write billiards for JAX, with all pairs of balls at once. A ball's distance from itself is set to 1."""

    def loss(xp: Any, cue_x: Any, cue_v: Any) -> Any:
        import jax

        rack = xp.asarray(table.rack)
        state = xp.concatenate([cue_x[None], rack]), xp.concatenate([cue_v[None], xp.zeros_like(rack)])
        own = xp.eye(table.balls)
        reach, dt = 2 * table.radius, table.dt

        def step(state: Any, _: Any) -> Any:
            x, v = state
            ahead = x + dt * v
            d, w = ahead[:, None] - ahead[None], v[:, None] - v[None]
            distance = xp.sqrt(xp.sum(d * d, 2) + own)
            u = d / (distance + billiards.SOFTENING)[:, :, None]
            approach = xp.sum(u * w, 2)
            collide = ((distance < reach) & (approach < 0))[:, :, None]
            impulse = xp.where(collide, -(1 + table.elasticity) / 2 * approach[:, :, None] * u, 0.0)
            time = (distance - reach) / xp.minimum(-billiards.LEAST_APPROACH, approach)
            shift = xp.where(collide, xp.minimum(time - dt, 0.0)[:, :, None] * impulse, 0.0)
            v = v + xp.sum(impulse, 1)
            return (x + dt * v + xp.sum(shift, 1), v), None

        (x, _), _ = jax.lax.scan(step, state, None, length=table.steps)
        return xp.sum((x[table.target] - xp.asarray(table.goal)) ** 2)

    return lambda *arrays: jax_both(loss, (0, 1), *arrays)


def jax_robot(machine: robot.Robot) -> Maker:
    """Write the robot for JAX. Array operations compute all springs at once, and then all masses at once."""
    springs = machine.springs
    ends_a, ends_b = (np.array([getattr(s, end) for s in springs]) for end in "ab")
    rest, stiffness, actuation = (
        np.array([getattr(s, name) for s in springs]) for name in ("rest_length", "stiffness", "actuation")
    )
    phases = 2 * math.pi / robot.WAVES * np.arange(robot.WAVES)
    dt, ground = machine.dt, machine.ground

    def loss(xp: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        import jax

        def step(state: Any, t: Any) -> Any:
            x, v = state
            centre = xp.mean(x, 0)
            seen = robot.SENSITIVITY * xp.concatenate([x - centre, v], 1).ravel()
            waves = xp.sin(robot.FREQUENCY * t * dt + phases)
            hidden = xp.tanh(w1 @ xp.concatenate([waves, seen, xp.asarray(machine.goal) - centre]) + b1)
            acts = xp.tanh(w2 @ hidden + b2)
            d = x[ends_a] - x[ends_b]
            length = xp.sqrt(xp.sum(d * d, 1)) + robot.SLACK
            pull = (dt * stiffness * (length - rest * (1 + actuation * acts)) / length)[:, None] * d
            speed = math.exp(-robot.DAMPING * dt) * v + dt * xp.array([0.0, machine.gravity])
            speed = speed.at[ends_a].add(-pull).at[ends_b].add(pull)
            lands = (x[:, 1] + dt * speed[:, 1] < ground) & (speed[:, 1] < robot.LEAST_FALL)
            fall = xp.where(lands, speed[:, 1], 1.0)
            impact = xp.where(lands, -(x[:, 1] - ground) / fall, 0.0)[:, None]
            after = xp.where(lands[:, None], 0.0, speed)
            return (x + impact * speed + (dt - impact) * after, after), None

        masses = xp.asarray(machine.masses)
        (x, _), _ = jax.lax.scan(step, (masses, xp.zeros_like(masses)), xp.arange(float(machine.steps)))
        return -x[robot.HEAD, 0]

    return lambda *arrays: jax_both(loss, (0, 1, 2, 3), *arrays)


# ---------------------------------------------------------------- autograd


def autograd_pairs(x: Any, y: Any) -> Call:
    import autograd
    import autograd.numpy as xp

    run = autograd.grad(lambda args: pairs(xp, *args))
    return lambda: run((x, y))


def autograd_regression(x: Any, y: Any, w: Any, b: Any) -> Call:
    import autograd
    import autograd.numpy as xp

    run = autograd.grad(lambda unknowns: regression(xp, x, y, *unknowns))
    return lambda: run((w, b))


# ---------------------------------------------------------------- CasADi


def casadi_columns(
    ca: Any, symbols: list[Any], outputs: list[Any], arrays: Arrays, options: Any = None
) -> Call:
    """Make a CasADi function `symbols` → `outputs`. Return a function that calls it with `arrays`."""
    outputs = [ca.densify(output) for output in outputs]
    function = ca.Function("f", symbols, outputs, options or {})
    inputs = [np.ascontiguousarray(a, float).ravel() for a in arrays]
    return casadi_call(function, inputs, [np.zeros(output.numel()) for output in outputs])


def casadi_pairs(x: Any, y: Any, options: Any = None) -> Call:
    """Write `pairs` for CasADi. The program is unrolled, because CasADi has no loops over scalars."""
    import casadi as ca

    xs, ys = ca.SX.sym("x", len(x)), ca.SX.sym("y", len(y))
    value = ca.SX(0)
    for j, i in combinations(range(len(x)), 2):
        dx, dy = xs[i] - xs[j], ys[i] - ys[j]
        value += ca.sqrt(ca.sqrt(dx * dx + dy * dy))
    return casadi_columns(ca, [xs, ys], [ca.gradient(value, s) for s in (xs, ys)], (x, y), options)


def casadi_pairs_compiled(x: Any, y: Any) -> Call:
    """Run `casadi_pairs` as C code. CasADi writes the code, and a C compiler compiles it."""
    compiler = next(filter(shutil.which, COMPILERS), None)
    if compiler is None:
        raise NoCompilerError("there is no C compiler")
    shell = {"compiler": compiler, "flags": ["-O2"], "cleanup": False}
    jit = {"jit": True, "compiler": "shell", "jit_options": shell, "jit_cleanup": False}
    with TemporaryDirectory() as folder, chdir(folder):  # CasADi leaves files in the working folder
        return casadi_pairs(x, y, jit)


def casadi_chain(x: Any, y: Any) -> Call:
    import casadi as ca

    from bench.problems import LINKS

    a, b = ca.SX.sym("x"), ca.SX.sym("y")
    v = a
    for _ in range(LINKS):
        v = ca.sqrt(v * a + b)
    value = v * a
    return casadi_columns(ca, [a, b], [value, *(ca.gradient(value, s) for s in (a, b))], (x, y))


def casadi_regression(x: Any, y: Any, w: Any, b: Any) -> Call:
    """Write the regression with CasADi's matrices. The data are constants of the program."""
    import casadi as ca

    ws, bs = ca.MX.sym("w", len(w)), ca.MX.sym("b")
    residual = ca.mtimes(ca.DM(x), ws) + bs - ca.DM(y)
    value = ca.sumsqr(residual) / len(y)
    return casadi_columns(ca, [ws, bs], [ca.gradient(value, s) for s in (ws, bs)], (w, b))


PAIRS = {JAX: jax_pairs, CASADI: casadi_pairs, CASADI_GCC: casadi_pairs_compiled, AUTOGRAD: autograd_pairs}
MANY_PAIRS = {JAX: jax_pairs, CASADI: casadi_pairs, AUTOGRAD: autograd_pairs}
UNROLLED_PAIRS = {CASADI: casadi_pairs}
CHAIN = {CASADI: casadi_chain}
REGRESSION = {JAX: jax_regression, CASADI: casadi_regression, AUTOGRAD: autograd_regression}
