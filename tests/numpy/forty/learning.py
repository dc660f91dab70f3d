"""Machine learning: layers, losses and alignments."""

from __future__ import annotations

from typing import Any

from .program import Drawn, program


def sigmoid(np: Any, x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


def softmax(np: Any, x: Any) -> Any:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multilayer_perceptron(np: Any, x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Compute the outputs of a two-layer perceptron for a batch, and their mean square."""
    hidden = np.tanh(x @ w1 + b1)
    out = np.maximum(hidden @ w2 + b2, 0.0)
    return out, np.mean(out**2)


def attention_head(np: Any, x: Any, wq: Any, wk: Any, wv: Any) -> Any:
    """A causal head of attention."""
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = np.einsum("id,jd->ij", q, k) / np.sqrt(k.shape[-1])
    mask = np.tril(np.ones((x.shape[0], x.shape[0]))) > 0
    weights = softmax(np, np.where(mask, scores, -np.inf))
    return weights @ v, weights


def convolution_layer(np: Any, image: Any, kernels: Any, bias: Any) -> Any:
    """Convolve an image with several kernels. Return the maxima of 2×2 blocks."""
    n, m = image.shape
    padded = np.pad(image, 1)
    windows = np.stack([padded[i : i + n, j : j + m] for i in range(3) for j in range(3)])
    maps = np.tensordot(kernels.reshape(-1, 9), windows, axes=1) + bias[:, None, None]
    return np.maximum(maps, 0.0).reshape(-1, n // 2, 2, m // 2, 2).max(axis=(2, 4))


def softmax_cross_entropy(np: Any, logits: Any) -> Any:
    """Compute the cross-entropy of fixed labels, without and with label smoothing."""
    labels = np.array([0, 2, 1, 2])
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    picked = np.take_along_axis(log_p, labels[:, None], axis=1)[:, 0]
    return -np.mean(log_p[np.arange(4), labels]), -picked.mean() - 0.1 * log_p.mean()


def recurrent_network(np: Any, xs: Any, h0: Any, w: Any, readout: Any) -> Any:
    """The outputs of a recurrent network."""
    h, outputs = h0, []
    for x in xs:
        h = np.tanh(w @ np.concatenate([x, h]))
        outputs.append(readout @ h)
    return np.stack(outputs), h


def lstm_cell(np: Any, x: Any, h: Any, c: Any, w: Any, b: Any) -> Any:
    """Run two steps of an LSTM (long short-term memory). Return its state."""
    for _ in range(2):
        gates = np.hstack((x, h)) @ w + b
        i, f, g, o = np.split(gates, 4)
        c = sigmoid(np, f + 1.0) * c + sigmoid(np, i) * np.tanh(g)
        h = sigmoid(np, o) * np.tanh(c)
    return h, c


def layer_norm(np: Any, x: Any, scale: Any, shift: Any) -> Any:
    """Normalise each row to mean 0 and variance 1. Then scale and shift the row."""
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + shift


def batch_norm(np: Any, images: Any, scale: Any) -> Any:
    """Normalise each channel of a batch of images. Also return the new running mean and variance."""
    mean, variance = images.mean((0, 2, 3)), images.var((0, 2, 3))
    centred = images - mean[None, :, None, None]
    out = centred / np.sqrt(variance + 1e-5)[None, :, None, None] * np.expand_dims(scale, (0, 2, 3))
    return out, 0.9 * mean, 0.9 + 0.1 * variance


def sinkhorn(np: Any, x: Any, y: Any, logits: Any) -> Any:
    """Find an optimal transport between two sets of points. Return its cost and its marginals."""
    a, b = softmax(np, logits), np.full(y.shape[0], 1.0 / y.shape[0])
    cost = np.linalg.norm(x[:, None] - y[None], axis=-1)
    k = np.exp(-cost / 0.3)
    u, v = np.ones_like(a), np.ones_like(b)
    for _ in range(8):
        u = a / (k @ v)
        v = b / (k.T @ u)
    plan = u[:, None] * k * v
    return np.sum(plan * cost), plan.sum(axis=1), plan.sum(axis=0)


def soft_time_warping(np: Any, x: Any, y: Any) -> Any:
    """Compute the cost of aligning two series by dynamic time warping with a smooth minimum."""

    def soft_minimum(*values: Any) -> Any:
        stacked = np.stack(values)
        lowest = np.min(stacked)
        return lowest - 0.2 * np.log(np.sum(np.exp((lowest - stacked) / 0.2)))

    above = [0.0] + [1e3] * len(y)
    for a in x:
        row = [1e3]
        for j, b in enumerate(y):
            row.append((a - b) ** 2 + soft_minimum(above[j], above[j + 1], row[-1]))
        above = row
    return above[-1]


def embeddings(np: Any, table: Any, context: Any) -> Any:
    """Compute the loss of word embeddings (a continuous bag of words with negative samples)."""
    words = np.array([3, 1, 4, 1])
    bag = np.take(table, words, axis=0).mean(axis=0)
    scores = context @ bag
    target, others = scores[0], scores[1:]
    return np.log1p(np.exp(-target)) + np.sum(np.log1p(np.exp(others))), table[words[::2]]


def positional_encoding(np: Any, positions: Any, base: Any) -> Any:
    """Encode positions by sines and cosines of several wavelengths. Also return cosine similarities."""
    rates = base ** (-np.arange(0, 6, 2) / 6)
    angles = np.outer(positions, rates)
    encoded = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), -1)
    lengths = np.sqrt(np.einsum("ij,ij->i", encoded, encoded))
    return encoded, (encoded @ encoded.T) / lengths[:, None] / lengths


PROGRAMS = {
    "MLP": program(
        multilayer_perceptron, Drawn((5, 3)), Drawn((3, 4)), Drawn((4,)), Drawn((4, 2)), Drawn((2,))
    ),
    "attention head": program(attention_head, Drawn((4, 3)), Drawn((3, 2)), Drawn((3, 2)), Drawn((3, 2))),
    "convolution layer": program(convolution_layer, Drawn((6, 4)), Drawn((2, 3, 3)), Drawn((2,))),
    "softmax cross-entropy": program(softmax_cross_entropy, Drawn((4, 3))),
    "RNN": program(recurrent_network, Drawn((4, 2)), Drawn((3,)), Drawn((3, 5)), Drawn((2, 3))),
    "LSTM cell": program(lstm_cell, Drawn((2,)), Drawn((3,)), Drawn((3,)), Drawn((5, 12)), Drawn((12,))),
    "layer norm": program(layer_norm, Drawn((3, 5)), Drawn((5,)), Drawn((5,))),
    "batch norm": program(batch_norm, Drawn((3, 2, 2, 2)), Drawn((2,))),
    "Sinkhorn": program(sinkhorn, Drawn((4, 2)), Drawn((5, 2)), Drawn((4,))),
    "DTW with a soft minimum": program(soft_time_warping, Drawn((4,)), Drawn((3,))),
    "embeddings": program(embeddings, Drawn((5, 3)), Drawn((3, 3))),
    "positional encoding": program(positional_encoding, Drawn((4,), 0.0, 6.0), Drawn((), 5.0, 20.0)),
}
"""Title → program."""
