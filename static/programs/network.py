# A small network learns XOR. One compiled call gives the
# loss and its gradient. The descent is plain Python.
import math

import eglantine as eg

HIDDEN = 4
Weights = {
    "w": eg.Vec(HIDDEN, eg.Vec(2, eg.Real)),
    "b": eg.Vec(HIDDEN, eg.Real),
    "out": eg.Vec(HIDDEN, eg.Real),
}
DATA = [
    ((0.0, 0.0), 0.0),
    ((0.0, 1.0), 1.0),
    ((1.0, 0.0), 1.0),
    ((1.0, 1.0), 0.0),
]


@eg.fn
def network(weights: Weights, x: (eg.Real, eg.Real)) -> eg.Real:
    def neuron(i):
        w, b = weights["w"][i], weights["b"][i]
        seen = eg.math.tanh(w[0] * x[0] + w[1] * x[1] + b)
        return weights["out"][i] * seen

    return eg.sum(HIDDEN, neuron)


@eg.fn
def loss(weights: Weights) -> eg.Real:
    total = 0.0
    for x, y in DATA:
        error = network(weights, x) - y
        total = total + error * error
    return total


step = eg.compile(eg.value_and_grad(loss))
weights = {
    "w": [[math.sin(3 * i + 1), math.cos(5 * i)] for i in range(HIDDEN)],
    "b": [math.sin(7 * i) for i in range(HIDDEN)],
    "out": [math.cos(2 * i) for i in range(HIDDEN)],
}


def moved(row, change):
    return [w - 0.05 * d for w, d in zip(row, change)]


for iteration in range(1001):
    value, slope = step(weights)
    if iteration % 200 == 0:
        print(f"iteration {iteration:4}: loss {value:.1e}")
    for name in ("b", "out"):
        weights[name] = moved(weights[name], slope[name])
    weights["w"] = [*map(moved, weights["w"], slope["w"])]
