"""`eg.select` and `eg.cond`: choose between two values, or run one of two branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.ir.builder import unify
from eglantine.ir.program import Cond
from eglantine.plain.symbolic import current
from eglantine.types import VecType

from .arguments import result_of
from .bodies import Body, _caller, _Entered, tracing
from .common_types import common_type
from .elementwise import _arm, _check_arms, elementwise, not_a_condition
from .scalars import BoolValue, IndexValue, RealValue, index_row, is_plain_bool, real_row
from .traced import Traced, builder_for, lift
from .types_of import type_of
from .vectors import UNROLLED, VecValue, rows_of, value_of


def select(p: Any, a: Any, b: Any) -> Any:
    """Return a if the Bool p is true, else b. Both a and b are computed.

    a and b must have the same type, which can be any type. Plain numbers and bools are accepted too.
    """
    if isinstance(p, VecValue):
        return elementwise(select, p, a, b)
    if not isinstance(p, BoolValue):
        if not is_plain_bool(p):
            raise not_a_condition(p, "select")
        return a if p else b
    if _is_index(a, b) or _is_index(b, a):
        return _select_index(p, a, b)
    if _is_real(a) and _is_real(b):
        scope = builder_for(p, a, b)
        scope.source = _caller()
        x, y = real_row(scope, a), real_row(scope, b)
        return RealValue(scope, scope.select(lift(scope, p), x, y))
    return _select_tree(p, a, b)


def _is_real(value: Any) -> bool:
    return type(value) in (RealValue, float, int)


def _is_index(value: Any, other: Any) -> bool:
    """Return True if one value is an index and the other is an index or a whole number."""
    return isinstance(value, IndexValue) and (isinstance(other, IndexValue) or type(other) is int)


def _select_index(p: BoolValue, a: Any, b: Any) -> IndexValue:
    scope = builder_for(p, a, b)
    scope.source = _caller()
    x, y = index_row(scope, a), index_row(scope, b)
    return IndexValue(scope, scope.select(lift(scope, p), x, y))


def _select_tree(p: BoolValue, a: Any, b: Any) -> Any:
    of = common_type(type_of(a), type_of(b), "the two choices of select")
    scope = builder_for(p, *(x for x in (a, b) if isinstance(x, Traced)))
    if not all(isinstance(x, Traced) for x in (a, b)):
        current_scope = current.get()
        assert current_scope is not None
        scope = current_scope
    condition = lift(scope, p)
    if isinstance(of, VecType) and of.n <= UNROLLED and not (isinstance(a, list) and isinstance(b, list)):
        return elementwise(lambda x, y: select(p, x, y), a, b) if of.n else a
    pairs = zip(rows_of(scope, a, of), rows_of(scope, b, of), strict=True)
    return value_of(of, scope, [scope.select(condition, x, y) for x, y in pairs])


def cond(p: Any, then: Callable[..., Any], orelse: Callable[..., Any], *operands: Any) -> Any:
    """Return then(*operands) if p is true, else orelse(*operands). Only one of the functions runs.

    Both functions may use names from outside.
    """
    if not isinstance(p, BoolValue):
        if not is_plain_bool(p):
            raise not_a_condition(p, "cond")
        _check_arms(then, orelse)
        return result_of(*_arm(bool(p), then, orelse), *operands)
    parent = tracing("cond")
    _check_arms(then, orelse)
    condition = lift(parent, p)
    if condition < 0:
        return result_of(*_arm(bool(parent.value(condition)), then, orelse), *operands)
    arms = []
    for holds in (True, False):
        with Body(parent, conditional=True) as b:
            arms.append((b, result_of(*_arm(holds, then, orelse), *operands)))
    of = common_type(type_of(arms[0][1]), type_of(arms[1][1]), "the results of the two arms of cond")
    blocks = []
    results = []
    for b, value in arms:
        with _Entered(b):
            results.append(rows_of(b, value, of))
    shared = unify([b for b, _ in arms])
    blocks = [b.finish(rows) for (b, _), rows in zip(arms, results, strict=True)]
    rows = parent.cond(Cond(blocks[0], blocks[1]), [condition, *shared])
    return value_of(of, parent, rows)
