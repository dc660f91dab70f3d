"""Constraints of a solver: a function whose values must be at least 0, or a dict as in SciPy."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eglantine.errors import Span, TypeMismatchError, span_of
from eglantine.functions.fn import Fn, as_fn, check_function
from eglantine.functions.fn import fn as make_fn
from eglantine.plain.typeof import shown
from eglantine.trace.elementwise import as_vector
from eglantine.types import Type

from .flattening import flat, number_of_reals, with_structure
from .problems import is_line, line


@dataclass(frozen=True)
class Constraint:
    """A constraint. The values of `f` must be 0 if `equality` is true, and at least 0 otherwise.

    name: the name of the user's function.
    span: the place of the user's function in the source code.
    """

    f: Any
    equality: bool
    name: str
    span: Span | None

    def made(self, types: Sequence[Type]) -> Fn:
        """Return the constraint as an fn. It takes x alone, or x and the further arguments."""
        if isinstance(self.f, Fn):
            return self.f
        takes_all = _takes(self.f, len(types))
        return as_fn(self.f, types if takes_all else types[:1], 2)


def read_constraints(given: Any) -> list[Constraint]:
    """Read one constraint or a list of them. The values of a plain function must be at least 0."""
    several = given if isinstance(given, list | tuple) else [given]
    constraints = []
    for one in several:
        if isinstance(one, dict):
            kind, f = one.get("type"), one.get("fun")
            if kind not in ("eq", "ineq") or f is None:
                raise TypeMismatchError(
                    'A constraint is a dict {"type": "eq", "fun": g} for g(x) = 0, or {"type": "ineq", '
                    f'"fun": g}} for g(x) ≥ 0, but this is {shown(one)}.'
                )
            check_function(f)
            constraints.append(_constraint(f, kind == "eq"))
        else:
            check_function(one)
            constraints.append(_constraint(one, False))
    return constraints


def _constraint(f: Any, equality: bool) -> Constraint:
    python = getattr(f, "__wrapped__", None) or f
    code = getattr(python, "__code__", None)
    return Constraint(f, equality, getattr(f, "__name__", "constraint"), span_of((code, 0)) if code else None)


def _takes(f: Any, count: int) -> bool:
    try:
        inspect.signature(f).bind(*range(count))
    except TypeError:
        return False
    return True


def constraint_values(
    constraints: Sequence[Constraint], types: Sequence[Type], n: int
) -> tuple[Fn, int, int]:
    """Make one fn that takes x and the further arguments and returns the values of all constraints.

    The values of equalities come first. Also return the number of all values, and the number of values of
    equalities.
    """
    ordered = sorted(constraints, key=lambda one: not one.equality)
    made = [(one, one.made(types)) for one in ordered]
    sizes = [number_of_reals(f.function.result, f"the constraint {one.name}") for one, f in made]
    equal = sum(size for (one, _), size in zip(made, sizes, strict=True) if one.equality)
    of = types[0]

    def values(x: Any, *args: Any) -> Any:
        point = x if is_line(of) else with_structure(of, lambda k: x[k])
        every: list[Any] = []
        for (_, f), size in zip(made, sizes, strict=True):
            result = f(point, *args) if len(f.function.params) > 1 else f(point)
            flattened = flat(result, f.function.result)
            every += [flattened[k] for k in range(size)]
        return as_vector(every)

    return make_fn([line(n), *types[1:]], line(sum(sizes)))(values), sum(sizes), equal


def names_of_values(constraints: Sequence[Constraint], types: Sequence[Type]) -> list[Constraint]:
    """List the constraints of all values that the fn of `constraint_values` returns, in the same order."""
    ordered = sorted(constraints, key=lambda one: not one.equality)
    return [
        one for one in ordered
        for _ in range(number_of_reals(one.made(types).function.result, f"the constraint {one.name}"))
    ]  # fmt: skip
