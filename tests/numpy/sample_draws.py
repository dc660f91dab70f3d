"""Draw random arguments for array functions, such as functions of statistics and polynomials."""

from __future__ import annotations

import numpy as np

from .draws import Case, Draw, array, axis, pair_of, reduction, shape


def with_nan(draw: Draw) -> Case:
    (a,), named = reduction(draw)
    return (np.where(a > 1.5, np.nan, a),), named


def truths(draw: Draw) -> Case:
    left, right = pair_of(draw, ties=True)
    return (left, right), {}


def truth(draw: Draw) -> Case:
    return (array(draw, shape(draw, 1), ties=True),), {}


def away_from_zero(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1))
    return (np.where(abs(a) < 0.1, 0.5, a),), {}


def nan_pairs(draw: Draw) -> Case:
    left, right = pair_of(draw, ties=True)
    return (np.where(left == 2, np.nan, left), np.where(right == 3, np.nan, right)[()]), {}


def replaced(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1))
    a = np.where(a > 1.5, draw.choice([np.inf, -np.inf, np.nan]), a)
    return (a,), draw.choice([{}, {"nan": 2.5}, {"posinf": 9.0, "neginf": -9.0}])


def weights(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, least=1))
    k = draw.randrange(-a.ndim, a.ndim)
    own = draw.choice([a.shape, a.shape[k : k + 1] or a.shape[k:], (7, 7)])
    named = {"weights": abs(array(draw, own)) + 0.1, "axis": draw.choice([None, k])}
    return (a,), draw.choice([named, {"axis": k}, {}])


def percents(draw: Draw) -> Case:
    (a,), named = reduction(draw)
    return (a, draw.choice([draw.uniform(0, 100), 0.0, [25.0, 50.0], np.array([10.0, 90.0]), 101.0])), named


def variables(draw: Draw) -> Case:
    a = array(draw, draw.choice([(4,), (3, 4), (2, 5), (1, 4), (2, 2, 2)]))
    return (a,), {"rowvar": draw.random() < 0.7}


def covariances(draw: Draw) -> Case:
    args, named = variables(draw)
    return args, {**named, **draw.choice([{}, {"bias": True}, {"ddof": 0}])}


def integral(draw: Draw) -> Case:
    y = array(draw, shape(draw, 1, 3, least=1))
    k = draw.randrange(-y.ndim, y.ndim)
    places = draw.choice([{}, {"dx": 0.3}, {"x": array(draw, (y.shape[k],))}, {"x": array(draw, y.shape)}])
    return (y,), {**places, "axis": draw.choice([k, k, k, y.ndim])}


def slopes(draw: Draw) -> Case:
    f = array(
        draw, tuple(draw.randint(1 if draw.random() < 0.1 else 2, 5) for _ in range(draw.randint(1, 3)))
    )
    k = axis(draw, f.ndim)
    n = f.shape[k] if k is not None and k < f.ndim else f.shape[0]
    spacing = draw.choice([(), (0.5,), (np.cumsum(abs(array(draw, (n,))) + 0.1),)])
    return (f, *spacing), {"axis": k}


def powers(draw: Draw) -> Case:
    x = array(draw, (draw.randint(1, 5),))
    return (x, draw.choice([None, 1, 3, 6])), {"increasing": draw.random() < 0.5}


def polynomial(draw: Draw) -> Case:
    p = array(draw, (draw.randint(0, 6),))
    return (p, draw.choice([draw.uniform(-2, 2), array(draw, shape(draw, 1, 3))])), {}


def flat_products(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3))
    if not a.size or draw.random() < 0.1:
        return (a, array(draw, (7,) if a.size else a.shape)), {}
    return (a, array(draw, a.shape).reshape(draw.choice([-1, a.shape]))), {}


def indices(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3, least=1))
    k = axis(draw, a.ndim)
    n = a.size if k is None else a.shape[k % a.ndim]
    lowest, highest = -n, n if draw.random() < 0.05 else n - 1
    of = draw.choice([(3,), (2, 2), (1,)])
    chosen = np.array([draw.randint(lowest, highest) for _ in range(int(np.prod(of)))]).reshape(of)
    return (a, draw.choice([chosen, chosen.tolist(), draw.randint(lowest, highest)])), {"axis": k}


def indices_along(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3, least=1))
    k = axis(draw, a.ndim)
    if k is None:
        return (a, np.array([draw.randrange(a.size) for _ in range(4)])), {"axis": None}
    order = np.argsort(a, axis=k % a.ndim)
    return (a, draw.choice([order, order.take([0], axis=k % a.ndim), order - order.shape[k % a.ndim]])), {
        "axis": k
    }


def sorted_places(draw: Draw) -> Case:
    a = np.sort(array(draw, (draw.randint(0, 7),), ties=draw.random() < 0.5))
    v = array(draw, shape(draw, 1, 2), ties=True)
    v = np.where(v == 3, np.nan, v)
    return (a, draw.choice([v, draw.uniform(-3, 3)])), {"side": draw.choice(["left", "right"])}


def pieces(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3))
    return (a, draw.choice([1, 2, 3, [1], [1, 3], [0, 2, 9]])), {"axis": axis(draw, a.ndim, none=False)}


def columns(draw: Draw) -> Case:
    n = draw.randint(1, 4)
    parts = [array(draw, draw.choice([(n,), (n, draw.randint(1, 3))])) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.05:
        parts.append(array(draw, (n + 1,)))
    return (parts,), {}


def deep(draw: Draw) -> Case:
    of = draw.choice([(3,), (2, 3), (2, 3, 2)])
    return ([array(draw, of) for _ in range(draw.randint(1, 3))],), {}


def border(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1, 3, least=1))
    pairs = [(draw.randint(0, 4), draw.randint(0, 3)) for _ in a.shape]
    named = draw.choice([*({"mode": mode} for mode in ("edge", "wrap", "reflect", "symmetric")),
                         {}, {"constant_values": 2.5}])  # fmt: skip
    return (a, draw.choice([1, 2, (1, 2), pairs, -1, [(1, 0), (0, 1), (1, 1), (2, 2)]])), named


def filled_like(draw: Draw) -> Case:
    a = array(draw, shape(draw, 1))
    return (a, draw.choice([1.5, array(draw, a.shape[-1:])])), {}


def triangle(draw: Draw) -> Case:
    return (draw.randint(0, 5), draw.choice([None, draw.randint(0, 5)]), draw.randint(-3, 3)), {}


def order_of(draw: Draw) -> Case:
    return (draw.randint(0, 5),), {}


def exponents(draw: Draw) -> Case:
    named = {"num": draw.randint(0, 9), "endpoint": draw.random() < 0.5, "base": draw.choice([10.0, 2.0])}
    return (draw.uniform(-1, 1), draw.uniform(-1, 1)), named
