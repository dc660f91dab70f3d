"""The kinds of number that the interpreter computes with: floats as in compiled code, or any other type."""

from __future__ import annotations

import cmath
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from eglantine import ieee as numbers
from eglantine.errors import TypeMismatchError

Function = Callable[..., Any]

_OTHER_NAMES: Final = {"log": ("ln",), "asin": ("arcsin",), "acos": ("arccos",), "atan": ("arctan",)}
"""Other names of functions in some classes of numbers. For example, a class may call the method log `ln`."""


class Arithmetic(Protocol):
    """The operations of one kind of number.

    key: a key for caches. Every kind of number has a different key.
    on_floats: true if the numbers are floats.
    zero: the number 0 of this kind.
    """

    key: Any
    on_floats: bool
    zero: Any

    def constant(self, value: float) -> Any:
        """Convert a float constant of the program to this kind of number."""

    def evaluation(self, name: str, evaluate: Function) -> Function:
        """Return the function that computes the primitive `name`. `evaluate` computes it for floats."""

    def library_call(self, name: str, on_floats: Function) -> Function:
        """Return the library function `name` for this kind of number. `on_floats` computes it for floats."""

    def power(self, x: Any, n: int) -> Any:
        """x to the whole power n."""


class _Floats:
    """IEEE doubles."""

    key = float
    on_floats = True
    zero = 0.0
    power = staticmethod(numbers.power)

    def constant(self, value: float) -> float:
        return value

    def evaluation(self, name: str, evaluate: Function) -> Function:  # noqa: ARG002
        return evaluate

    def library_call(self, name: str, on_floats: Function) -> Function:  # noqa: ARG002
        return on_floats


class _Numbers:
    """The operations of the numbers in a class `kind`. Constants that are whole numbers become ints."""

    on_floats = False
    zero = 0

    def __init__(self, kind: type) -> None:
        self.key = self.kind = kind

    def constant(self, value: float) -> Any:
        """Convert `value` to an int if it is whole, else to `kind`. If `kind` refuses it, return `value`."""
        if value.is_integer():
            return int(value)
        try:
            return self.kind(value)
        except (TypeError, ValueError, OverflowError):
            return value

    def evaluation(self, name: str, evaluate: Function) -> Function:
        return self._guarded(name, self._own(name, evaluate))

    def _own(self, name: str, evaluate: Function) -> Function:
        match name:
            case "div":
                return self.divided
            case "mod":
                return lambda a, b: a - b * numbers.floor(self.divided(a, b))
            case "floordiv":
                return lambda a, b: numbers.floor(self.divided(a, b))
            case "real_i1" | "real_i32" | "real_i64":
                return int
            case "sqrt":
                return self.method("sqrt", numbers.sqrt)
        return evaluate

    def library_call(self, name: str, on_floats: Function) -> Function:
        return self._guarded(name, self.method(name, on_floats))

    def power(self, x: Any, n: int) -> Any:
        return numbers.whole_power(x, n) if n > 0 else self.divided(1, numbers.whole_power(x, -n))

    def divided(self, a: Any, b: Any) -> Any:
        """Return a / b. If both are ints, convert a to `kind` first, because Python would return a float."""
        return numbers.div(self.kind(a) if isinstance(a, int) and isinstance(b, int) else a, b)

    def method(self, name: str, on_floats: Function) -> Function:
        """Make a function that calls the method `name` of its first argument.

        If all arguments are floats or ints, the new function calls `on_floats` and converts the result.
        """

        def call(*arguments: Any) -> Any:
            if all(isinstance(x, float | int) for x in arguments):
                return self.constant(on_floats(*map(float, arguments)))
            own = _own_function(name, *arguments)
            if own is None:
                raise TypeMismatchError(
                    f"{name} takes floats, or a type with a method `{name}`, but it was given "
                    f"{self.kind.__name__}. Call it with floats."
                )
            return own()

        return call

    def _guarded(self, name: str, evaluate: Function) -> Function:
        def call(*arguments: Any) -> Any:
            try:
                return evaluate(*arguments)
            except (TypeError, AttributeError, struct.error) as error:
                if isinstance(error, TypeMismatchError):
                    raise
                kinds = " and ".join(type(x).__name__ for x in arguments)
                raise TypeMismatchError(
                    f"`{name}` does not work on {kinds} ({error}). Use values of other types."
                ) from error

        return call


def _own_function(name: str, first: Any, *rest: Any) -> Callable[[], Any] | None:
    """Find the function `name` for the number `first`: in cmath if it is complex, else among its methods.

    For "pow", use the operator `**` if there is no method. Return None if there is no such function.
    """
    if isinstance(first, complex) and not rest and hasattr(cmath, name):
        return lambda: getattr(cmath, name)(first)
    for own in (name, *_OTHER_NAMES.get(name, ())):
        if hasattr(first, own):
            return lambda: getattr(first, own)(*rest)
    if name == "pow":
        return lambda: first ** rest[0]
    return None


FLOATS: Final[Arithmetic] = _Floats()


@lru_cache(maxsize=64)
def _numbers(kind: type) -> Arithmetic:
    own: Arithmetic | None = getattr(kind, "arithmetic", None)
    return own or _Numbers(kind)


def arithmetic_of(arguments: Sequence[Any]) -> Arithmetic:
    """Return the arithmetic of the first number that is neither float nor int, or FLOATS if there is none."""
    kind = next((type(x) for x in _scalars(arguments) if not isinstance(x, float | int)), None)
    return FLOATS if kind is None else _numbers(kind)  # type: ignore[arg-type]


def _scalars(arguments: Sequence[Any]) -> Iterator[Any]:
    """Yield the numbers in nested lists. An innermost list yields only one number of each type."""
    pending = list(arguments)
    while pending:
        value = pending.pop()
        if not isinstance(value, list):
            yield value
        elif value and isinstance(value[0], list):
            pending.extend(value)
        else:
            yield from {type(x): x for x in value}.values()
