"""NumPy functions that are called with a traced value. Operators work, other functions raise errors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .traced import Traced, not_a_number
from .types_of import vec_of

_OPERATORS_OF_NUMPY: dict[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "true_divide": operator.truediv, "floor_divide": operator.floordiv, "remainder": operator.mod,
    "power": operator.pow, "negative": operator.neg, "positive": operator.pos, "absolute": operator.abs,
    "less": operator.lt, "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
    "equal": operator.eq, "not_equal": operator.ne, "bitwise_and": operator.and_, "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor, "invert": operator.invert, "logical_and": operator.and_,
}  # fmt: skip
"""Python's operators, by the names of the NumPy functions that implement them for arrays."""


def called_by_numpy(self: Traced, ufunc: Any, method: str, *inputs: Any, **_: Any) -> Any:
    """Run a NumPy function that was called with a traced value. This is `Traced.__array_ufunc__`."""
    operate = _OPERATORS_OF_NUMPY.get(ufunc.__name__)
    if operate is None or method != "__call__":
        raise not_a_number(self)
    return operate(*map(_operand, inputs))


def _operand(value: Any) -> Any:
    """Convert a NumPy number to a Python number, and a NumPy array to a Vec."""
    if not hasattr(value, "__array_interface__"):
        return value
    if not value.shape:
        return value.item()
    return vec_of(value)
