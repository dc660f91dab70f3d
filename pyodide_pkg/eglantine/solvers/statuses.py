"""The reasons why a minimisation ends. Programs use their numbers, and outcomes use their names."""

from __future__ import annotations

RUNNING, CONVERGED, EXHAUSTED, STUCK, NOT_FINITE, INFEASIBLE, OUT_OF_FUEL, STOPPED, UNBOUNDED = (
    float(k) for k in range(9)
)
"""The statuses as they stand in the state of a program, in which all numbers are Reals."""

NAMES = {
    RUNNING: "running",
    CONVERGED: "converged",
    EXHAUSTED: "iterations",
    STUCK: "no decrease",
    NOT_FINITE: "not finite",
    INFEASIBLE: "infeasible",
    OUT_OF_FUEL: "fuel",
    STOPPED: "stopped",
    UNBOUNDED: "unbounded",
}
"""The name of each status. Users see this name in an outcome."""

SUCCESSES = frozenset({CONVERGED, STUCK})
