"""Read and write the variables that a rewritten loop or branch uses, and compare their types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from eglantine.errors import EglantineError, Span, span_of, user_span
from eglantine.trace.common_types import common_type
from eglantine.trace.scalars import IndexValue
from eglantine.trace.traced import Traced
from eglantine.trace.types_of import type_of
from eglantine.trace.vectors import VecValue
from eglantine.types import BoolType, FinType, Index, StructType, TupleType, Type, UnitType, VecType

VALUE = ".value"
"""The name of the variable that holds the result of a converted function."""

State = dict[str, Any]


class _Again(Exception):  # noqa: N818 - not an error: the loop is traced again
    """Raised to trace a loop again with another carry.

    name: the variable that is different in the new carry.
    value: the initial value of the variable in the new carry. If it is left out, the new carry does not
        contain the variable.
    """

    def __init__(self, name: str, *value: Any) -> None:
        self.name = name
        self.value = value


@dataclass(frozen=True, slots=True)
class Range:
    """A range: its first number, its step and its length. `first` and `count` may be traced."""

    first: Any
    step: int
    count: Any

    def __getitem__(self, k: Any) -> Any:
        return k * self.step + self.first


class _Cells:
    """The cells of the variables that a branch or body shares with the surrounding function.

    all: the cells by name.
    names: the variables that the branch or body may change.
    """

    def __init__(self, body: Any, names: Sequence[str]) -> None:
        self.all = dict(zip(body.__code__.co_freevars, body.__closure__ or (), strict=True))
        self.names = names

    def read(self, names: Iterable[str] | None = None) -> State:
        """Return the variables that have a value, with their values."""
        state = {}
        for name in self.names if names is None else names:
            try:
                state[name] = self.all[name].cell_contents
            except ValueError:
                continue
        return state

    def write(self, state: State) -> None:
        """Set the variables in `names` to their values in `state`.

        If `state` has no value for a variable, empty its cell.
        """
        for name in self.names:
            if name in state:
                self.all[name].cell_contents = state[name]
            else:
                del self.all[name].cell_contents


def _reachable(state: State) -> dict[int, Any]:
    """Return the objects in a state by their `id`s.

    Include the objects inside its lists, tuples, sets and dicts.
    """
    held: dict[int, Any] = {}
    pending = list(state.values())
    while pending:
        item = pending.pop()
        if id(item) not in held and not isinstance(item, Traced | VecValue | float | int | str):
            held[id(item)] = item
            if isinstance(item, list | tuple | set):
                pending.extend(item)
            elif isinstance(item, dict):
                pending.extend(item.values())
    return held


def _as_indices(a: Any, b: Any) -> tuple[Any, Any]:
    """Return both values. If one is an index and the other a whole number, make both indices."""
    if isinstance(a, IndexValue | Index) and _is_whole(b):
        return a, FinType(b + 1)(b)
    if isinstance(b, IndexValue | Index) and _is_whole(a):
        return FinType(a + 1)(a), b
    return a, b


def _is_whole(value: Any) -> bool:
    """True if a value is a plain whole number that can be converted to an index."""
    return type(value) is int and value >= 0


def _like(plain: Any, value: Any) -> Any:
    """Turn Vecs into lists where `plain` has lists, so that `+` and `*` act as in Python."""
    if isinstance(plain, list) and isinstance(value, VecValue) and len(plain) == len(value):
        return [_like(item, x) for item, x in zip(plain, value, strict=True)]
    if isinstance(plain, dict) and isinstance(value, dict):
        return {name: _like(plain.get(name), x) for name, x in value.items()}
    if type(plain) is tuple and isinstance(value, tuple):
        return tuple(map(_like, plain, value))
    return value


def _zero(of: Type) -> Any:
    """Make a zero of a type. It is the placeholder for a variable that the code has not assigned yet."""
    match of:
        case BoolType():
            return False
        case UnitType():
            return None
        case FinType():
            return of(0)
        case VecType(n, element):
            return [_zero(element)] * n
        case TupleType() | StructType():
            return of.pack(map(_zero, of.items))
    return 0.0


def _here() -> str:
    span = user_span()
    return f"of line {span.line}" if span else ""


def _difference(a: Any, b: Any, first: str, second: str) -> str:
    """Say why two values have no common type. Return "" if they have one.

    first, second: words for the places of the two values, such as "in one branch".
    """
    try:
        x, y = type_of(a), type_of(b)
    except EglantineError as error:
        return f"what it holds has no type ({error.message.rstrip('.')})"
    try:
        common_type(x, y, "")
    except EglantineError:
        return f"it is {x!r} {first} and {y!r} {second}"
    return ""


def _place(step: TracebackType | None) -> Span | None:
    """Return the span of the code that raised an error, given the error's traceback."""
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return None if step is None else span_of((step.tb_frame.f_code, step.tb_lasti))
