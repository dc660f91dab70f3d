"""A net of springs. One kernel makes a step of Newton's method towards the position where the net rests.

The unknowns are the coordinates of the nodes: x and y of the first node, then x and y of the second node, and
so on. If a visitor cuts a spring, the page sets the spring's stiffness to 0. The pattern of the Hessian (its
possible nonzero entries) stays the same. So the build computes the pattern, the groups of its columns, and
the tables for the Cholesky factor in advance, and the page never compiles anything.
"""

from __future__ import annotations

from typing import Any, Final

import eglantine as eg
from eglantine.sparse.cholesky import Factor, Tables, factor_of, factorised, solved
from eglantine.sparse.colouring import star_colouring
from eglantine.sparse.patterns import Pattern

SIDE: Final = 19
NODES: Final = SIDE * SIDE
UNKNOWNS: Final = 2 * NODES
SLACK: Final = 0.92
"""The length of a spring at rest, as a fraction of the spring's length in the flat net. It is less than 1, so
the hanging net is stretched."""
WEIGHT: Final = 0.02
FLOOR: Final = -4.0
"""The height of the floor. Below this height, a force pushes nodes up. So pieces of the net that are cut off
come to rest there."""
FLOOR_STIFFNESS: Final = 4.0
ANCHORS: Final = (0, 6, 12, 18)
"""The numbers of the nodes that are held in place at the beginning. They are in the top row."""
SOFTENING: Final = 1e-12
"""A small number that we add to the squared length of a spring before we take the root. So the length has
derivatives even where it is 0."""

LEAST_SHIFT: Final = 1e-3
MOST_SHIFT: Final = 1e6
GROWTH: Final = 8.0
"""The factor by which the shift of the Hessian's diagonal grows if a step fails. If a step succeeds, the
shift is divided by this factor."""
NEARLY: Final = 1e-10
"""The largest increase of the energy in an accepted step, as a fraction of the energy. Rounding can cause
such an increase."""


def springs() -> list[tuple[int, int]]:
    """List the two ends of each spring. Springs run along rows, columns, and one diagonal of each cell."""
    cells = range(SIDE)
    across = [(r * SIDE + c, r * SIDE + c + 1) for r in cells for c in cells[:-1]]
    down = [(r * SIDE + c, (r + 1) * SIDE + c) for r in cells[:-1] for c in cells]
    slanted = [
        (r * SIDE + c + (r + c) % 2, (r + 1) * SIDE + c + 1 - (r + c) % 2)
        for r in cells[:-1]
        for c in cells[:-1]
    ]
    return across + down + slanted


def flat() -> list[float]:
    """Return the flat net's coordinates. The top row has y = SIDE − 1, and the left column has x = 0."""
    return [float(part) for r in range(SIDE) for c in range(SIDE) for part in (c, SIDE - 1 - r)]


def energy() -> eg.Fn:
    """Make the function (x, stiffness, held, at) → the net's energy.

    x: the unknowns. stiffness: the stiffness of each spring.
    held, at: a force of strength held[k] pulls node k towards the node's position in `at`.
    """
    pairs, start = springs(), flat()
    ends = eg.Vec(len(pairs), eg.Fin(NODES))
    lengths = [
        SLACK * ((start[2 * a] - start[2 * b]) ** 2 + (start[2 * a + 1] - start[2 * b + 1]) ** 2) ** 0.5
        for a, b in pairs
    ]

    sizes = (UNKNOWNS, len(pairs), NODES, UNKNOWNS)

    @eg.fn([eg.Vec(n, eg.Real) for n in sizes], eg.Real, names=["x", "stiffness", "held", "at"])
    def of_net(x: Any, stiffness: Any, held: Any, at: Any) -> Any:
        first, second = (eg.asarray([pair[k] for pair in pairs], ends) for k in range(2))
        rest = eg.asarray(lengths, eg.Vec(len(pairs), eg.Real))

        def spring(k: Any) -> Any:
            a, b = first[k], second[k]
            dx, dy = x[2 * b] - x[2 * a], x[2 * b + 1] - x[2 * a + 1]
            stretch = eg.math.sqrt(dx * dx + dy * dy + SOFTENING) - rest[k]
            return 0.5 * stiffness[k] * stretch * stretch

        def node(k: Any) -> Any:
            px, py = x[2 * k], x[2 * k + 1]
            dx, dy = px - at[2 * k], py - at[2 * k + 1]
            deep = eg.math.maximum(FLOOR - py, 0.0)
            return WEIGHT * py + 0.5 * held[k] * (dx * dx + dy * dy) + 0.5 * FLOOR_STIFFNESS * deep * deep

        return eg.sum(len(pairs), spring) + eg.sum(NODES, node)

    return of_net


def step_of(f: eg.Fn, factor: Factor) -> eg.Fn:
    """Make a step of Newton's method that adds a shift to the Hessian's diagonal (Levenberg-Marquardt).

    The step takes the energy's arguments and the shift. It returns the new unknowns, their energy, the slope
    before the step (the largest entry of the gradient), the next shift, and "made": 1 if the step was
    accepted, else 0.
    """
    hessian = eg.sparse_hessian(f)

    @eg.fn([*f.function.params, eg.Real], names=["x", "stiffness", "held", "at", "shift"])
    def step(x: Any, stiffness: Any, held: Any, at: Any, shift: Any) -> Any:
        before, g = eg.value_and_grad(f)(x, stiffness, held, at)
        matrix = hessian(x, stiffness, held, at)
        tables = Tables(factor, len(matrix.values))
        definite, L = factorised(tables, matrix.values, shift)
        p = solved(tables, L, g)
        there = eg.vec(UNKNOWNS, lambda k: x[k] - p[k])
        after = f(there, stiffness, held, at)
        made = definite & (after <= before + NEARLY * abs(before))
        slope = eg.fori_loop(0, UNKNOWNS, lambda k, most: eg.math.maximum(most, abs(g[k])), 0.0)
        less = eg.select(shift > LEAST_SHIFT, shift / GROWTH, 0.0)
        more = eg.math.clip(GROWTH * shift, LEAST_SHIFT, MOST_SHIFT)
        return {
            "x": eg.vec(UNKNOWNS, lambda k: eg.select(made, there[k], x[k])),
            "energy": eg.select(made, after, before),
            "slope": slope,
            "shift": eg.select(made, less, more),
            "made": eg.select(made, 1.0, 0.0),
        }

    return step


def hessian_pattern(f: eg.Fn) -> Pattern:
    """Find the rows and columns of all entries of the energy's Hessian that can be nonzero."""
    of_gradient = eg.sparsity(eg.grad(f))
    return Pattern((UNKNOWNS, UNKNOWNS), [[j for j in own if j < UNKNOWNS] for own in of_gradient.columns])


def beginning() -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """Return the net that the page shows first, and the ABI and the bytes of the step's module.

    The net is a dict with the keys
    "side", "springs", "flat", "anchors", "floor", "rows", "cols", "groups", "directions", "factor".
    "rows" and "cols" are the positions of the Hessian's nonzero entries, "groups" has the number of each
    column's group, and "factor" is the number of entries of the Cholesky factor.
    """
    f = energy()
    pattern = hessian_pattern(f)
    factor = factor_of(pattern.rows, pattern.cols, UNKNOWNS)
    colouring = star_colouring(pattern)
    compiled = eg.compile_artifact(step_of(f, factor))
    known = {
        "side": SIDE, "springs": springs(), "flat": flat(), "anchors": ANCHORS, "floor": FLOOR,
        "rows": pattern.rows, "cols": pattern.cols, "groups": list(colouring.of),
        "directions": colouring.needed, "factor": factor.nnz,
    }  # fmt: skip
    return known, compiled.abi, compiled.wasm
