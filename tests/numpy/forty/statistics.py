"""Statistics: filters, mixtures, regressions and samplers."""

from __future__ import annotations

from typing import Any

from .program import Drawn, program


def kalman_filter(np: Any, observed: Any, transition: Any, noise: Any) -> Any:
    """Compute the log-likelihood of a series, and the last state's mean and covariance."""
    h = np.array([[1.0, 0.0]])
    x, p, total = np.zeros(2), np.eye(2), 0.0
    for y in observed:
        x, p = transition @ x, transition @ p @ transition.T + 0.1 * np.eye(2)
        s = (h @ p @ h.T)[0, 0] + noise
        gain = (p @ h.T)[:, 0] / s
        error = y - x[0]
        total = total - 0.5 * (np.log(2 * np.pi * s) + error**2 / s)
        x = x + gain * error
        p = (np.eye(2) - np.outer(gain, h)) @ p
    return total, x, p


def hmm_forward(np: Any, transition: Any, emission: Any) -> Any:
    """Compute the log-likelihood of a sequence of symbols under a hidden Markov model."""

    def normalised(logits: Any) -> Any:
        return logits - np.log(np.sum(np.exp(logits), axis=-1, keepdims=True))

    log_a, log_b = normalised(transition), normalised(emission)
    alpha = -np.log(3.0) + log_b[:, 0]
    for symbol in [1, 3, 0, 2, 2, 1]:
        joint = alpha[:, np.newaxis] + log_a
        top = np.max(joint, axis=0)
        alpha = top + np.log(np.exp(joint - top).sum(axis=0)) + log_b[:, symbol]
    return np.logaddexp(np.logaddexp(alpha[0], alpha[1]), alpha[2])


def gaussian_process(np: Any, x: Any, y: Any, at: Any, scale: Any) -> Any:
    """Fit a Gaussian process. Return the log-likelihood, and the mean and variance of its predictions."""

    def kernel(a: Any, b: Any) -> Any:
        return np.exp(-0.5 * ((a[:, None] - b[None, :]) / scale) ** 2)

    k = kernel(x, x) + 0.1 * np.eye(len(x))
    factor = np.linalg.cholesky(k)
    alpha = np.linalg.solve(factor.T, np.linalg.solve(factor, y))
    across = kernel(x, at)
    mean = across.T @ alpha
    v = np.linalg.solve(factor, across)
    variance = 1.0 - np.sum(v * v, axis=0)
    likelihood = -0.5 * y @ alpha - np.log(np.diag(factor)).sum() - 0.5 * len(x) * np.log(2 * np.pi)
    return likelihood, mean, variance


def k_means_step(np: Any, points: Any, centres: Any) -> Any:
    """Run one step of k-means. Return new centres, and the sum of squared distances to the given centres."""
    distances = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=-1)
    nearest = np.argmin(distances, axis=1)
    member = (nearest[:, None] == np.arange(len(centres))).astype(float)
    counts = np.maximum(member.sum(axis=0), 1.0)
    return member.T @ points / counts[:, None], np.min(distances, axis=1).sum()


def principal_components(np: Any, data: Any) -> Any:
    """Compute the variances of the principal components, and project the data onto two components."""
    centred = data - data.mean(axis=0)
    covariance = centred.T @ centred / (data.shape[0] - 1)
    variances, vectors = np.linalg.eigh(covariance)
    main = vectors[:, -2:]
    return variances[::-1], centred @ main @ main.T


def importance_weights(np: Any, samples: Any, mean: Any) -> Any:
    """Estimate a mean by importance sampling. Also return the effective sample size."""
    log_weights = -0.5 * (samples - mean) ** 2 + 0.25 * samples**2
    weights = np.exp(log_weights - np.max(log_weights))
    weights = weights / weights.sum()
    return np.average(samples, weights=weights), 1.0 / np.sum(np.square(weights))


def metropolis(np: Any, steps: Any, uniforms: Any, width: Any) -> Any:
    """Run a Metropolis chain with given random numbers. Return its states and their mean."""

    def log_density(x: Any) -> Any:
        return np.logaddexp(-0.5 * ((x - 1.0) / width) ** 2, -0.5 * ((x + 1.0) / width) ** 2)

    x, states = 0.3 * width, []
    for step, u in zip(steps, uniforms, strict=True):
        proposed = x + width * step
        accepted = np.log(u) < log_density(proposed) - log_density(x)
        x = np.where(accepted, proposed, x)
        states.append(x)
    return np.stack(states), np.mean(np.array(states))


def quantile_loss(np: Any, x: Any, y: Any, w: Any) -> Any:
    """Compute a linear model's pinball loss for three quantiles. Also return quantiles of the residuals."""
    errors = y - x @ w
    losses = [np.mean(np.maximum(q * errors, (q - 1) * errors)) for q in (0.1, 0.5, 0.9)]
    return np.array(losses), np.quantile(errors, np.array([0.25, 0.75])), np.percentile(errors, 40)


def huber_regression(np: Any, x: Any, y: Any) -> Any:
    """Fit a linear model robustly by three rounds of weighted least squares. Also return the Huber loss."""
    w = np.zeros(x.shape[1])
    for _ in range(3):
        residuals = y - x @ w
        weights = np.minimum(1.0, 0.3 / np.maximum(np.abs(residuals), 1e-9))
        w = np.linalg.solve((x.T * weights) @ x, x.T @ (weights * y))
    size = np.abs(y - x @ w)
    return w, np.sum(np.where(size < 0.3, 0.5 * size**2, 0.3 * (size - 0.15)))


def fisher_information(np: Any, x: Any, w: Any) -> Any:
    """Compute a logistic model's Fisher information, its log-determinant, and the standard errors."""
    p = 1 / (1 + np.exp(-(x @ w)))
    information = np.einsum("ni,n,nj->ij", x, p * (1 - p), x)
    sign, log_det = np.linalg.slogdet(information)
    return information, sign * log_det, np.sqrt(np.diagonal(np.linalg.inv(information)))


def logistic_regression(np: Any, x: Any, w: Any, b: Any) -> Any:
    """Compute the loss of a logistic model with a penalty, and a smooth measure of its accuracy."""
    signs = np.where(np.arange(x.shape[0]) % 2 == 0, 1.0, -1.0)
    margins = signs * (x @ w + b)
    loss = np.mean(np.logaddexp(0.0, -margins)) + 0.05 * np.sum(w**2)
    return loss, np.mean(1 / (1 + np.exp(-5 * margins)))


def ridge_regression(np: Any, x: Any, y: Any, penalty: Any) -> Any:
    """Fit a ridge regression. Return its coefficients and the leave-one-out error."""
    gram = np.dot(x.T, x) + penalty * np.identity(x.shape[1])
    w = np.linalg.solve(gram, np.dot(x.T, y))
    leverage = np.diag(x @ np.linalg.inv(gram) @ x.T)
    return w, np.mean(((y - x @ w) / (1 - leverage)) ** 2)


def gaussian_mixture(np: Any, x: Any, means: Any, logits: Any) -> Any:
    """Fit a mixture of normal distributions by one step of expectation maximisation."""
    weights = np.exp(logits) / np.exp(logits).sum()
    joint = np.log(weights) - 0.5 * (x[:, None] - means) ** 2 - 0.5 * np.log(2 * np.pi)
    total = np.log(np.exp(joint).sum(1, keepdims=True))
    shares = np.exp(joint - total)
    counts = shares.sum(0)
    centres = shares.T @ x / counts
    spread = np.sqrt(np.sum(shares * (x[:, None] - centres) ** 2, axis=0) / counts)
    return total.sum(), centres, spread, counts / len(x)


def correlations(np: Any, data: Any) -> Any:
    """Compute covariances and correlations, and the ranges and medians of the standardised data."""
    scores = (data - np.mean(data, axis=1, keepdims=True)) / np.std(data, axis=1, ddof=1, keepdims=True)
    return np.cov(data), np.corrcoef(data), np.ptp(scores, axis=1), np.median(scores, axis=0)


def ising_mean_field(np: Any, coupling: Any, field: Any) -> Any:
    """Compute the magnetisation and the energy of a periodic grid of spins."""
    m = np.zeros_like(field)

    def neighbours(m: Any) -> Any:
        return np.roll(m, 1, 0) + np.roll(m, -1, 0) + np.roll(m, 1, axis=1) + np.roll(m, -1, axis=1)

    for _ in range(5):
        m = np.tanh(coupling * neighbours(m) + field)
    return m, -0.5 * coupling * np.sum(m * neighbours(m)) - np.vdot(field, m)


PROGRAMS = {
    "Kalman filter": program(kalman_filter, Drawn((5,)), Drawn((2, 2)), Drawn((), 0.2, 0.5)),
    "HMM forward": program(hmm_forward, Drawn((3, 3)), Drawn((3, 4))),
    "Gaussian process": program(gaussian_process, Drawn((6,)), Drawn((6,)), Drawn((3,)), Drawn((), 0.4, 0.6)),
    "k-means step": program(k_means_step, Drawn((8, 2)), Drawn((3, 2))),
    "PCA": program(principal_components, Drawn((7, 4))),
    "importance weights": program(importance_weights, Drawn((9,)), Drawn(())),
    "Metropolis": program(metropolis, Drawn((8,)), Drawn((8,), 0.1, 1.0), Drawn((), 0.5, 0.9)),
    "quantile loss": program(quantile_loss, Drawn((7, 2)), Drawn((7,)), Drawn((2,))),
    "Huber regression": program(huber_regression, Drawn((8, 3)), Drawn((8,))),
    "Fisher information": program(fisher_information, Drawn((9, 3)), Drawn((3,))),
    "logistic regression": program(logistic_regression, Drawn((8, 3)), Drawn((3,)), Drawn(())),
    "ridge regression": program(ridge_regression, Drawn((7, 3)), Drawn((7,)), Drawn((), 0.2, 0.5)),
    "Gaussian mixture": program(gaussian_mixture, Drawn((8,)), Drawn((3,)), Drawn((3,))),
    "correlations": program(correlations, Drawn((3, 5))),
    "Ising mean field": program(ising_mean_field, Drawn((), 0.1, 0.3), Drawn((4, 4))),
}
"""Title → program."""
