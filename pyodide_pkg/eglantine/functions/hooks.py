"""Gradient hooks. A hook returns its argument unchanged, but applies a user's function to the gradient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.ir.program import Function, Memo
from eglantine.leaves import leaves, tangent_type
from eglantine.plain.symbolic import current
from eglantine.trace.sums import vec
from eglantine.trace.tracer import trace
from eglantine.trace.types_of import type_of
from eglantine.types import StructType, TupleType, Type, UnitType, VecType

from .fn import Fn
from .rules import give_rule

TRANSPOSED: Memo[Function] = Memo("hook")


def hook(f_ct: Callable[[Any], Any], x: Any) -> Any:
    """Return x unchanged. In reverse mode, replace the cotangent ct of x by f_ct(ct).

    Forward mode ignores the hook and leaves tangents unchanged.

    f_ct: a function from a cotangent of x to another cotangent. It may print, clip, scale or negate the
        cotangent, but may not use other traced values.
    x: a value of any type.
    Source: `hook` of Zygote (Innes, "Don't Unroll Adjoint", 2018).
    """
    if not callable(f_ct):
        raise TypeMismatchError(
            f"The hook of a cotangent must be a function, but it is {f_ct!r}. Write eg.hook(f_ct, x)."
        )
    if current.get() is None:
        return x
    of = type_of(x)
    through = _through(f_ct, tangent_type(of))
    identity = _identity(of)
    give_rule(identity, lambda primals, tangents: (primals[0], Fn(through)(tangents[0])))
    return Fn(identity)(x)


def stop_gradient(x: Any) -> Any:
    """Return x unchanged, but with the derivative 0 in forward mode and in reverse mode.

    x: a value of any type.
    """
    if current.get() is None:
        return x
    of = type_of(x)
    identity = _identity(of)
    zero = tangent_type(of)
    give_rule(identity, lambda primals, _: (primals[0], _zeros(zero)))
    return Fn(identity)(x)


def _zeros(of: Type) -> Any:
    """The tangent 0 of a type of tangents."""
    if isinstance(of, VecType):
        return vec(of.n, lambda _: _zeros(of.of))
    if isinstance(of, TupleType | StructType):
        return of.pack(map(_zeros, of.items))
    return None if isinstance(of, UnitType) else 0.0


def _identity(of: Type) -> Function:
    return _closed(lambda x: x, of, "hook")


def _through(f_ct: Callable[[Any], Any], of: Type) -> Function:
    """Make a linear function that returns its argument. We define that its transpose is `f_ct`."""

    def transposed() -> Function:
        name = getattr(f_ct, "__name__", "hook")
        return TRANSPOSED.remember(through, None, lambda: _closed(f_ct, of, name))

    through = replace(_identity(of), linear=len(leaves(of)), transposed=transposed)
    give_rule(through, lambda primals, tangents: (primals[0], Fn(through)(tangents[0])))
    return through


def _closed(f: Callable[[Any], Any], of: Type, name: str) -> Function:
    """Trace f as a function from `of` to `of`, outside of the current trace."""
    token = current.set(None)
    try:
        return trace(f, [of], of, name=name)[0]
    finally:
        current.reset(token)
