"""Physics, finance and biology: differential equations and formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .program import Drawn, program


def runge_kutta(f: Callable[[Any], Any], y: Any, h: float) -> Any:
    """One classical step of fourth order."""
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def pendulum(np: Any, start: Any, damping: Any) -> Any:
    """Simulate a damped pendulum. Return its path and its final energy."""

    def slope(y: Any) -> Any:
        return np.array([y[1], -np.sin(y[0]) - damping * y[1]])

    y, path = start, []
    for _ in range(6):
        y = runge_kutta(slope, y, 0.3)
        path.append(y)
    return np.vstack(path), 0.5 * y[1] ** 2 - np.cos(y[0])


def sir_model(np: Any, infection: Any, recovery: Any, observed: Any) -> Any:
    """Simulate an epidemic. Return the infected share on each day, and the squared error."""
    y = np.array([0.9, 0.1, 0.0])

    def slope(y: Any) -> Any:
        s, i, _ = y
        return np.array([-infection * s * i, infection * s * i - recovery * i, recovery * i])

    ill = []
    for _ in range(len(observed)):
        y = runge_kutta(slope, y, 1.0)
        ill.append(y[1])
    ill = np.array(ill)
    return ill, np.sum((ill - observed) ** 2)


def lotka_volterra(np: Any, start: Any, rates: Any) -> Any:
    """Simulate predators and prey. Return their numbers, and the conserved quantity of the equations."""
    a, b, c, d = rates

    def slope(y: Any) -> Any:
        x, z = y[0], y[1]
        return np.stack([a * x - b * x * z, d * x * z - c * z])

    y = start
    for _ in range(8):
        y = runge_kutta(slope, y, 0.2)
    return y, d * y[0] - c * np.log(y[0]) + b * y[1] - a * np.log(y[1])


def heat_equation(np: Any, u: Any, conductivity: Any) -> Any:
    """Simulate heat in a plate with a cold rim. Return the temperatures, and the gradient's mean size."""
    for _ in range(4):
        inside = u[1:-1, 1:-1]
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u = np.pad(inside + conductivity * (around - 4 * inside), ((1, 1), (1, 1)))
    down, right = np.gradient(u)
    return u, np.sqrt(np.mean(down**2 + right**2))


def n_body(np: Any, x: Any, v: Any, masses: Any) -> Any:
    """Simulate bodies that attract each other. Return positions, momentum and angular momentum."""
    n = len(masses)

    def pull(x: Any) -> Any:
        d = x[None, :, :] - x[:, None, :]
        r2 = np.sum(d * d, axis=2) + 0.05 + np.eye(n)
        return np.sum(masses[None, :, None] * d / r2[:, :, None] ** 1.5, axis=1)

    for _ in range(3):
        v = v + 0.05 * pull(x)
        x = x + 0.1 * v
        v = v + 0.05 * pull(x)
    return x, np.sum(masses[:, None] * v, axis=0), np.sum(x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])


def black_scholes(np: Any, spot: Any, strikes: Any, volatility: Any, years: Any) -> Any:
    """Compute the prices of call and put options.

    The normal distribution is computed by formula 26.2.17 of M. Abramowitz and I. A. Stegun.
    """

    def normal(x: Any) -> Any:
        k = 1 / (1 + 0.2316419 * np.abs(x))
        c = np.array([1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530, 0.0])
        tail = np.polyval(c, k) * np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi)
        return np.where(x >= 0, 1 - tail, tail)

    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strikes) + (0.02 + 0.5 * volatility**2) * years) / spread
    discounted = strikes * np.exp(-0.02 * years)
    call = spot * normal(d1) - discounted * normal(d1 - spread)
    return call, call - spot + discounted


def wave_on_a_string(np: Any, u: Any, speed: Any) -> Any:
    """Simulate a vibrating string. Return its final shape and its energy."""
    before = u
    for _ in range(5):
        bend = np.concatenate([np.zeros(1), np.diff(u, n=2), np.zeros(1)])
        u, before = 2 * u - before + speed**2 * bend, u
    return u, 0.5 * np.sum((u - before) ** 2) + 0.5 * speed**2 * np.sum(np.diff(u) ** 2)


def chemical_equilibrium(np: Any, total: Any, constant: Any) -> Any:
    """Compute by Newton's method how much of a dimer forms in equilibrium."""
    x = 0.5 * total
    for _ in range(6):
        residual = constant * (total - 2 * x) ** 2 - x
        x = x - residual / (-4 * constant * (total - 2 * x) - 1)
    return x, np.dot(x, total) / np.linalg.norm(total)


def spectral_density(np: Any, temperature: Any) -> Any:
    """Integrate Planck's spectrum. Also return its mean frequency and its largest value."""
    nu = np.linspace(0.1, 12.0, 40)
    power = nu**3 / np.expm1(nu / temperature)
    total = np.trapezoid(power, nu)
    return total, np.trapezoid(nu * power, nu) / total, np.max(power)


PROGRAMS = {
    "ODE: pendulum": program(pendulum, Drawn((2,)), Drawn((), 0.1, 0.3)),
    "SIR model": program(sir_model, Drawn((), 0.8, 1.2), Drawn((), 0.2, 0.4), Drawn((5,), 0.0, 0.5)),
    "Lotka–Volterra": program(lotka_volterra, Drawn((2,), 0.5, 1.5), Drawn((4,), 0.5, 1.5)),
    "heat equation": program(heat_equation, Drawn((6, 5)), Drawn((), 0.1, 0.2)),
    "n-body": program(n_body, Drawn((4, 2)), Drawn((4, 2)), Drawn((4,), 0.5, 1.5)),
    "Black–Scholes": program(
        black_scholes, Drawn((), 0.9, 1.1), Drawn((4,), 0.8, 1.2), Drawn((), 0.1, 0.3), Drawn((), 0.5, 2)
    ),
    "wave on a string": program(wave_on_a_string, Drawn((7,)), Drawn((), 0.3, 0.7)),
    "chemical equilibrium": program(chemical_equilibrium, Drawn((3,), 0.5, 2.0), Drawn((), 0.5, 2.0)),
    "spectral density": program(spectral_density, Drawn((), 0.8, 1.2)),
}
"""Title → program."""
