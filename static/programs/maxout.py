# A maxout network takes the larger of two models' outputs.
# It learns which points lie inside a circle. eg.stepper
# turns its loss into steps of an optimiser.
import eglantine as eg

m = eg.math
POINTS, UNITS = 60, 5
LINE = eg.Vec(UNITS, eg.Real)
MODEL = {"W": eg.Vec(UNITS, eg.Vec(2, eg.Real)), "b": LINE, "out": LINE}
PLACES = eg.Vec(POINTS, eg.Vec(2, eg.Real))


def outputs(model, x):
    hidden = m.maximum(model["W"] @ x + model["b"], 0.0)
    return eg.dot(model["out"], hidden)


@eg.fn
def chance(weights: (MODEL, MODEL), x: eg.Vec(2, eg.Real)) -> eg.Real:
    first, second = weights
    z = m.maximum(outputs(first, x), outputs(second, x)) - 1.0
    return 1.0 / (1.0 + m.exp(-z))


@eg.fn
def loss(weights: (MODEL, MODEL), places: PLACES, rate: eg.Real) -> eg.Real:
    def surprise(k):
        x = places[k]
        inside = x[0] * x[0] + x[1] * x[1] < 1.0
        p = chance(weights, x)
        return -m.log(eg.select(inside, 1.0 - p, p))

    return eg.sum(POINTS, surprise) / POINTS


begin, step = eg.stepper(
    loss,
    [(MODEL, MODEL), PLACES, eg.Real],
    "adam",
    learning_rate=lambda places, rate: rate,
    maxiter=10_000,
)
places = eg.random.uniform(eg.random.key(1), (POINTS, 2), -1.5, 1.5)
keys = eg.random.split(eg.random.key(2), 4)


def drawn(k):
    W = eg.random.normal(keys[k], (UNITS, 2)).tolist()
    out = eg.random.normal(keys[k + 1], UNITS).tolist()
    return {"W": W, "b": [0.0] * UNITS, "out": out}


begin, train = eg.compile(begin), eg.compile(step)
state = begin((drawn(0), drawn(2)), places, 0.0)
print(f"after    0 steps: loss {state.fun:.4f}")
for rate in (0.05, 0.01):
    state = train(state, 500.0, places, rate)
    print(f"after {state.nit:4.0f} steps: loss {state.fun:.4f}")
