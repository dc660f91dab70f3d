"""Traced values, and errors for operations that they do not support.

A traced value is a row of a block that is being built.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from eglantine.errors import (
    EscapedTracerError,
    ShapeError,
    TracerBoolError,
    TypeMismatchError,
    calling_frame,
    text_at,
    user_span,
)
from eglantine.ir.builder import Builder
from eglantine.plain.symbolic import Symbolic, current, described
from eglantine.words.spelling import began, indices_below

from .callee import advice_for_call

_getframe = sys._getframe


class Traced(Symbolic):
    """A value that is known only when the program runs. It is the row `row` in the builder `scope`."""

    __slots__ = ("row", "scope")
    __hash__ = object.__hash__
    _noun = "value"

    def __init__(self, scope: Builder, row: int) -> None:
        self.scope = scope
        self.row = row

    def __bool__(self) -> bool:
        raise TracerBoolError(
            f"Python asked for the truth of {described(self)}, which is known only when the program runs. "
            "Write eg.select(p, a, b) for a value that depends on it, and eg.cond(p, f, g) for a branch. "
            "Instead of `min` and `max`, use eg.math.minimum and eg.math.maximum. Instead of `p and q`, "
            "write (p) & (q).",
            user_span(),
        )

    def __float__(self, digits: Any = None) -> Any:
        raise not_a_number(self)

    __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = __float__

    def __eglantine_fin__(self, _: Any) -> Any:
        raise not_an_index(self)

    def __format__(self, spec: str) -> str:
        if spec:
            raise not_a_number(self, 'Print it with eg.debug_print("{}", x)')
        return repr(self)

    def __getitem__(self, _: Any) -> Any:
        raise TypeMismatchError(
            f"{began(described(self))} has no elements, so it cannot be indexed. Index a Vec instead."
        )


def _refusal(symbol: str, swapped: bool = False) -> Any:
    """Make a method that raises an error, for types that do not support the operator `symbol`."""

    def refuse(self: Traced, other: Any = None) -> Any:
        if _is_foreign(other):
            return NotImplemented
        if symbol in ("unary -", "unary +", "~", "abs"):
            other = self
        raise _mismatch(symbol, *((other, self) if swapped else (self, other)))

    return refuse


for _name, _symbol in (
    ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"),
    ("pow", "**"), ("and", "&"), ("or", "|"), ("xor", "^"), ("lshift", "<<"), ("rshift", ">>"),
    ("matmul", "@"),
):  # fmt: skip
    setattr(Traced, f"__{_name}__", _refusal(_symbol))
    setattr(Traced, f"__r{_name}__", _refusal(_symbol, swapped=True))
for _name, _symbol in (
    ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="),
    ("neg", "unary -"), ("pos", "unary +"), ("abs", "abs"), ("invert", "~"),
):  # fmt: skip
    setattr(Traced, f"__{_name}__", _refusal(_symbol))


def not_a_number(value: Traced, advice: str | None = None) -> TypeMismatchError:
    """The error for Python code that needs a plain number but got a traced value."""
    advice = advice or advice_for_call()
    if advice is None and _is_index(value):
        advice = (
            "Index a list as eg.asarray(items)[i], and instead of a range use eg.vec, eg.sum or eg.fori_loop"
        )
    return TypeMismatchError(
        f"{_needs_number(value)}, whose number is known only when the program runs. "
        f"{advice or 'Use the functions of eg.math'}.",
    )


def _needs_number(value: Traced) -> str:
    """Begin an error message: say which function call needs a plain number instead of `value`."""
    call, frame = _CALL.match(text_at(user_span())), calling_frame()
    if call is None or frame is None:
        return f"Python needs a plain number here, but this is {described(value)}"
    name, argument = call.groups()
    told = f"{argument} is" if frame.f_locals.get(argument) is value else "it was given"
    return f"{name} needs a plain number, but {told} {described(value)}"


_CALL = re.compile(r"([A-Za-z_][\w.]*)\(\s*([^()]*?)\s*\)\Z")
"""Matches a call that contains no other call, such as math.sin(x). The groups are "math.sin" and "x"."""


def not_an_index(value: Any) -> TypeMismatchError:
    """The error for a value that is used as an index, but is not an integer or a traced index."""
    return TypeMismatchError(
        f"An index must be an integer or a traced index, but this one is {described(value)}. Start an "
        "index as eg.Fin(n)(0), compare a Real to find its index, and write v[i][j] for v[i, j]."
    )


def lift(b: Builder, value: Traced) -> int:
    """Return a row of `b` for `value`. If the value belongs to a block outside of `b`, capture it.

    Raises: EscapedTracerError if `b` is not inside the value's block.
    """
    scope, row = value.scope, value.row
    if scope is b:
        return row
    inner = []
    step: Builder | None = b
    while step is not scope:
        if step is None and scope.stays_open:
            raise EscapedTracerError(
                "A number of a diagram was used in another diagram or in a function. To use a shape of one "
                'diagram in another, write d.include(other, "name"), and take the shape from the group that '
                "this call returns.",
                user_span(),
            )
        if step is None:
            raise EscapedTracerError(
                f"A traced {value._noun} was used outside the function or body it belongs to. Return it from "
                "there instead of storing it.",
                user_span(),
            )
        inner.append(step)
        step = step.parent
    for step in reversed(inner):
        row = step.capture(row)
    return row


def current_builder() -> Builder:
    """Return the current builder. Call this only while a function is traced."""
    b = current.get()
    assert b is not None
    return b


def builder_for(*values: Any) -> Builder:
    """Return the builder for rows that use `values`: the innermost builder that one of them belongs to."""
    b = current.get()
    if b is None:
        if values[0].scope.stays_open:
            return values[0].scope  # type: ignore[no-any-return]
        raise EscapedTracerError(
            f"A traced {values[0]._noun} was used after its trace had ended. Return it from the function "
            "instead of storing it.",
            user_span(),
        )
    while not b.conditional and b.parent is not None:
        if any(value.scope is b for value in values if isinstance(value, Traced)):
            break
        b = b.parent
    return b


def _is_bool(value: Any) -> bool:
    """True if a value is a Bool, traced or plain."""
    return isinstance(value, bool) or (isinstance(value, Traced) and value._noun == "Bool")


def _is_index(value: Any) -> bool:
    """True if a value is a traced index."""
    return isinstance(value, Traced) and value._noun == "index"


def _mismatch(op: str, a: Any, b: Any) -> TypeMismatchError:
    advice = "Use two Reals, or a Real and a number"
    if op == "^" and not (_is_bool(a) or _is_bool(b)):
        advice = "Write x ** y for a power, because `^` is the exclusive or of two Bools"
    elif op in ("&", "|", "^", "~", "logic"):
        advice = "Use Bools, and compare a number to make one, as in x > 0"
    elif _is_index(a) or _is_index(b):
        advice = "Make a Real of an index with eg.real(i)"
    elif _is_bool(a) or _is_bool(b):
        advice = "Make a Real of a Bool with eg.real(p), or choose with eg.select"
    elif isinstance(a, complex) or isinstance(b, complex):
        advice = "Use eg.Complex instead of Python's complex"
    operands = f"on {described(a)}" if a is b else f"between {described(a)} and {described(b)}"
    return TypeMismatchError(f"`{op}` does not work {operands}. {advice}.")


def _is_foreign(value: Any) -> bool:
    """Return True if an operand's class has operators for our values, as the class of an array does."""
    kind = type(value)
    if kind is float or kind is int:
        return False
    return getattr(kind, "__eglantine_operand__", False) or bool(getattr(value, "shape", ()))


def call_site(depth: int) -> Any:
    """Return the code object and the offset of a user's call, which is `depth` frames above our caller."""
    frame = _getframe(depth + 1)
    return (frame.f_code, frame.f_lasti)


def out_of_range(found: str, n: int, taker: str = "") -> ShapeError:
    """Make the error for an index that is not below n.

    found: a phrase for the index. taker: a phrase for the value with n elements. The default is "A Vec of n".
    """
    taker = taker or f"A Vec of {n}"
    return ShapeError(f"{taker} takes {indices_below(n)}, but it was given {found}. Change the index.")
