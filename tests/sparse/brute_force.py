"""Find exact dependency patterns. Every number records its inputs, which is slow but simple."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.interpreter.machine import run
from eglantine.mathlib.library import library

FLAT = frozenset({"floor", "ceil", "trunc", "nearest", "sign"})
"""Operations whose derivative is 0 wherever it exists."""


class Marked:
    """A float that also records the indices of all inputs that it depends on."""

    arithmetic: Any = None

    def __init__(self, value: float, inputs: frozenset[int] = frozenset()) -> None:
        self.value, self.inputs = value, inputs

    def __add__(self, other: Marked) -> Marked:
        return Marked(self.value + other.value, self.inputs | other.inputs)


def _value(x: Any) -> Any:
    return x.value if isinstance(x, Marked) else x


class _Arithmetic:
    """Operations on `Marked` numbers for the interpreter."""

    key = Marked
    on_floats = False
    zero = Marked(0.0)

    def constant(self, value: float) -> Any:
        return Marked(value)

    def evaluation(self, name: str, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        """Extend an operation to `Marked` numbers. The result depends on the inputs of all operands."""

        def call(*operands: Any) -> Any:
            if name.startswith("real_"):
                return Marked(float(operands[0]))
            if not any(isinstance(x, Marked) for x in operands):
                return evaluate(*operands)
            result = evaluate(*map(_value, operands))
            if not isinstance(result, float):
                return result
            marks = [x.inputs for x in operands if isinstance(x, Marked)]
            return Marked(result, frozenset() if name in FLAT else frozenset().union(*marks))

        return call

    library_call = evaluation

    def power(self, x: Any, n: int) -> Any:
        return Marked(x.value**n, x.inputs if n else frozenset())


Marked.arithmetic = _Arithmetic()


def brute_pattern(f: Any) -> list[list[int]]:
    """For each Real in f's result, list the indices of the inputs that it depends on, in order."""
    count = 0

    def argument(dims: tuple[int, ...]) -> Any:
        nonlocal count
        if dims:
            return [argument(dims[1:]) for _ in range(dims[0])]
        count += 1
        return Marked(0.5 + 0.37 * (count % 5), frozenset({count - 1}))

    arguments = [argument(getattr(of, "dims", ())) for of in f.function.leaf_params]
    return [sorted(x.inputs) for x in _scalars(run(f.function, arguments, library))]


def _scalars(value: Any) -> list[Any]:
    return [x for item in value for x in _scalars(item)] if isinstance(value, list) else [value]
