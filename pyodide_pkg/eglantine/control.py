"""Choices, branches and loops without a carry on traced values: `vec`, `sum`, `select`, `cond`, …"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from . import numbers
from .bodies import SAMPLES, formatted, function, result_of
from .build import Builder, unify
from .errors import ShapeError, TypeMismatchError, user_frame
from .ir import I32, Array, Cond, Loop
from .marshal import has_array
from .types import (
    FinType,
    RealType,
    StructType,
    TupleType,
    Type,
    VecType,
    as_type,
    field_names,
    is_container,
    leaves,
    tangent_type,
)
from .values import (
    BoolValue,
    IndexValue,
    RealValue,
    Traced,
    bool_row,
    builder_for,
    current,
    described,
    index_row,
    is_plain_bool,
    lift,
    promotes,
    real_row,
    unary,
)
from .vectors import UNROLLED, VecValue, give_operators, is_traced, rows_of, type_of, value_of


def length_of(n: Any) -> int:
    """A length as a whole number."""
    if isinstance(n, FinType):
        return n.n
    if isinstance(n, bool) or not hasattr(n, "__index__") or isinstance(n, Traced) or n < 0:
        order = "; the length comes first, and the function after it" if callable(n) else ""
        raise TypeMismatchError(f"Found {described(n)} as a length; expected a whole number or a Fin{order}.")
    return int(n.__index__())


def tracing(what: str) -> Builder:
    """The builder at hand, for `eg.<what>`; its rows come from where that was called."""
    b = current.get()
    if b is None:
        raise TypeMismatchError(f"eg.{what} was called outside a function; call it inside an eg.fn.")
    frame: Any = user_frame() or sys._getframe(2)
    b.source = (frame.f_code, frame.f_lasti)
    return b


class Body:
    """A child block being traced: enter it, run Python in it, and leave."""

    def __init__(self, parent: Builder, conditional: bool = False) -> None:
        self.b = Builder(parent, conditional)

    def __enter__(self) -> Builder:
        self._token = current.set(self.b)
        return self.b

    def __exit__(self, *_: object) -> None:
        current.reset(self._token)


# ---------------------------------------------------------------- vec and sum


_OF_VEC = ("the element of vec", "eg.vec(n, lambda i: …)")
_OF_SUM = ("the term of sum", "eg.sum(n, lambda i: …)")


def vec(n: Any, f: Callable[[Any], Any]) -> Any:
    """The Vec of f(0), …, f(n − 1), computed in a loop.

    n: a whole number or a Fin. f: from an index below n to a value of any type.
    Outside a function it is a plain list.
    """
    n = length_of(n)
    parent = current.get()
    if parent is None:
        return [result_of(f, *_OF_VEC, i) for i in range(n)]
    parent = tracing("vec")
    with Body(parent) as body:
        value = result_of(f, *_OF_VEC, IndexValue(body, body.param(I32(0, max(n - 1, 0)))))
        of = type_of(value)
        results = rows_of(body, value, of)
    loop = Loop(body.finish(results), n, n, False, 0)
    rows = parent.loop(loop, body.captured)
    return VecValue(VecType(n, of), None, [Traced(parent, row) for row in rows])


def sum_(n: Any, f: Callable[[Any], Any] | None = None) -> Any:
    """The sum f(0) + … + f(n − 1), from 0.0 in index order, of any Real leaves; or of a Vec's elements.

    n: a whole number, a Fin or an index (then the Vec is not needed); or, without f, the Vec.
    """
    if f is None:
        items = n
        if not _is_vector(items) and not isinstance(items, tuple):
            raise TypeMismatchError(
                f"Found {described(items)} to sum, expected a Vec; write eg.sum(n, lambda i: …) for a sum of "
                "terms, or Python's own sum(…), which writes the terms out."
            )
        return sum_(len(items), lambda i: items[i])
    parent = current.get()
    if parent is None:
        return _plain_sum(length_of(n), f)
    parent = tracing("sum")
    count, extent, first = loop_count(parent, n)
    with Body(parent) as body:
        value = result_of(f, *_OF_SUM, IndexValue(body, body.param(I32(0, max(extent - 1, 0)))))
        of = type_of(value)
        if any(leaf.dtype != "f64" for leaf in leaves(of)):
            raise TypeMismatchError(f"Found a sum of {of!r}; expected only Reals in it; use eg.real.")
        terms = rows_of(body, value, of)
        accs = [parent.acc(leaf.dims) for leaf in leaves(of)]
        for acc, term in zip(accs, terms, strict=True):
            body.add_to(body.capture(acc), term)
    parent.loop(Loop(body.finish(()), count, extent, False, 0), [*first, *body.captured])
    return value_of(of, parent, [parent.acc_read(acc) for acc in accs])


def loop_count(b: Builder, n: Any) -> tuple[int | None, int, list[int]]:
    """A loop's static count, its extent, and its count row if it has one."""
    if isinstance(n, IndexValue):
        lo, hi = n.bounds
        row = lift(b, n)
        if row >= 0:
            if lo < 0:
                raise ShapeError(f"Found a count that may be {lo}; expected one that is never negative.")
            return None, hi, [row]
        n = b.value(row)
    n = length_of(n)
    return n, n, []


def _plain_sum(n: int, f: Callable[[Any], Any]) -> Any:
    total: Any = 0.0
    for i in range(n):
        term = result_of(f, *_OF_SUM, i)
        total = tree_map(lambda a, c: a + c, total, term) if i else tree_map(lambda c: 0.0 + c, term)
    return total


def tree_map(f: Callable[..., Any], *values: Any) -> Any:
    """f applied to the numbers of values of one shape."""
    first = values[-1]
    if isinstance(first, dict):
        return {name: tree_map(f, *(_part(value, name) for value in values)) for name in first}
    if is_container(first):
        names = field_names(type(first))
        return type(first)(**{name: tree_map(f, *(_part(value, name) for value in values)) for name in names})
    if isinstance(first, list | tuple):
        return type(first)(tree_map(f, *(_part(value, k) for value in values)) for k in range(len(first)))
    return None if first is None else f(*values)


def _part(value: Any, key: Any) -> Any:
    if isinstance(value, float | int):
        return value
    return value[key] if isinstance(value, dict | list) or isinstance(key, int) else getattr(value, key)


def _placed(f: Callable[..., Any]) -> Callable[..., Any]:
    """f, whose rows stand where the user called it."""

    @wraps(f)
    def run(*args: Any) -> Any:
        b = current.get()
        before = len(b.sources) if b else 0
        value = f(*args)
        if b and len(b.sources) > before:
            b.sources[before:] = [_caller()] * (len(b.sources) - before)
        return value

    return run


@_placed
def elementwise(f: Callable[..., Any], *operands: Any) -> Any:
    """f of corresponding elements; scalars broadcast over the Vecs, whose lengths must agree."""
    lengths = {len(value) for value in operands if _is_vector(value)}
    if len(lengths) > 1:
        a, c = sorted(lengths)[:2]
        raise ShapeError(f"Found Vecs of {a} and {c} elements together; expected equal lengths.")
    n = lengths.pop()
    if current.get() is None:
        plain = [f(*(value[k] if _is_vector(value) else value for value in operands)) for k in range(n)]
        arrays = any(has_array(value) for value in operands)
        return sys.modules["numpy"].array(plain) if arrays else plain
    vectors = [as_vector(value) if _is_vector(value) else value for value in operands]

    def at(i: Any) -> Any:
        return f(*(value[i] if _is_vector(value) else value for value in vectors))

    if n > UNROLLED:
        return vec(n, at)
    elements = [at(k) for k in range(n)]
    of = type_of(elements[0]) if elements else _element_type(vectors)
    return VecValue(VecType(n, of), elements, None)


def _is_vector(value: Any) -> bool:
    return isinstance(value, VecValue | list) or bool(getattr(value, "shape", ()))


def _element_type(vectors: Sequence[Any]) -> Type:
    return next(value.type.of for value in vectors if isinstance(value, VecValue))


def as_vector(value: Any, of: Type | None = None) -> VecValue:
    """A list, array or Vec as a traced Vec."""
    if isinstance(value, VecValue) and of is None:
        return value
    of = type_of(value) if of is None else of
    b = current.get()
    if not isinstance(of, VecType) or b is None:
        raise TypeMismatchError(f"Found {value!r}, expected a list of values.")
    if len(value) <= UNROLLED and len(value) == of.n and is_traced(value):
        return VecValue(of, [value_of(of.of, b, rows_of(b, item, of.of)) for item in value], None)
    return VecValue(of, None, [Traced(b, row) for row in rows_of(b, value, of)])


def asarray(value: Any, of: Any = None) -> Any:
    """A list (or NumPy array) as a Vec; `of` is its type where the list is empty or mixed.

    Outside a function the list itself comes back, checked.
    """
    declared = type_of(value) if of is None else as_type(of)
    if not isinstance(declared, VecType):
        raise TypeMismatchError(
            f"Found the type {declared!r} for a list; expected a Vec; write eg.asarray([x], "
            f"eg.Vec(1, eg.Real)) for a Vec of one number."
        )
    return value if current.get() is None else as_vector(value, declared)


# ---------------------------------------------------------------- choices


def select(p: Any, a: Any, b: Any) -> Any:
    """a where p holds, else b; both are computed. a and b are of any one type; p is a Bool.

    Plain numbers and bools are accepted anywhere.
    """
    if isinstance(p, VecValue):
        return elementwise(select, p, a, b)
    if not isinstance(p, BoolValue):
        if not is_plain_bool(p):
            raise not_a_condition(p, "select")
        return a if p else b
    if _is_real(a) and _is_real(b):
        scope = builder_for(p, a, b)
        scope.source = _caller()
        x, y = real_row(scope, a), real_row(scope, b)
        return RealValue(scope, scope.select(lift(scope, p), x, y))
    return _select_tree(p, a, b)


def _is_real(value: Any) -> bool:
    return type(value) in (RealValue, float, int)


def _caller() -> Any:
    frame: Any = user_frame()
    return (frame.f_code, frame.f_lasti)


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


def common_type(a: Type, b: Type, what: str) -> Type:
    """The type that covers both: only bounds of indices may differ, or an index and a Real (`promotes`)."""
    if a == b:
        return a
    match a, b:
        case FinType(m), FinType(n):
            return FinType(max(m, n))
        case (FinType(), RealType()) | (RealType(), FinType()) if promotes():
            return RealType()
        case VecType(m, x), VecType(n, y) if m == n:
            return VecType(m, common_type(x, y, what))
        case TupleType(xs), TupleType(ys) if len(xs) == len(ys):
            return TupleType(tuple(common_type(x, y, what) for x, y in zip(xs, ys, strict=True)))
        case StructType(xs, cls), StructType(ys, other) if (
            cls is other and dict(xs).keys() == dict(ys).keys()
        ):
            types = dict(ys)
            return StructType(tuple((name, common_type(x, types[name], what)) for name, x in xs), cls)
    raise TypeMismatchError(f"Found {a!r} and {b!r} as {what}; expected one type; make them the same.")


def cond(p: Any, then: Callable[..., Any], orelse: Callable[..., Any], *operands: Any) -> Any:
    """then(*operands) where p holds, else orelse(*operands); only that one runs. Bodies may be closures."""
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


_COND = "eg.cond(p, lambda: …, lambda: …)"


def _arm(holds: bool, then: Any, orelse: Any) -> tuple[Any, str, str]:
    """The arm of a branch that runs, and how messages name it."""
    return (then, "the first arm of cond", _COND) if holds else (orelse, "the second arm of cond", _COND)


def _check_arms(then: Any, orelse: Any) -> None:
    for holds in (True, False):
        function(*_arm(holds, then, orelse)[:2], f"{_COND}, or eg.select(p, a, b) for values")


def not_a_condition(p: Any, what: str) -> TypeMismatchError:
    """The error of a condition that is no Bool."""
    return TypeMismatchError(
        f"Found {described(p)} as the condition of {what}, expected a Bool; compare to make one, as in x > 0."
    )


class _Entered(Body):
    """A child block entered again."""

    def __init__(self, b: Builder) -> None:
        self.b = b


# ---------------------------------------------------------------- small kin


def real(value: Any) -> Any:
    """An index or Bool as a Real."""
    if isinstance(value, VecValue):
        return elementwise(real, value)
    if isinstance(value, RealValue):
        return value
    if not isinstance(value, Traced):
        if isinstance(value, list):
            return elementwise(real, value)
        if isinstance(value, str) or not hasattr(value, "__float__"):
            raise TypeMismatchError(
                f"Found {described(value)} to make a Real of, expected an index, a Bool or a number."
            )
        return float(value)
    b = builder_for(value)
    b.source = _caller()
    if isinstance(value, BoolValue):
        return RealValue(b, b.un("real_i1", bool_row(b, value)))
    return RealValue(b, b.un("real_i32", index_row(b, value)))


def debug_print(text: str, *values: Any) -> None:
    """Print text.format(*values) when the code runs: once, in the forward direction, in program order.

    values: Reals, Bools or indices.
    """
    if current.get() is None:
        print(formatted(text, values))
        return
    b = tracing("debug_print")
    rows = []
    for value in values:
        of = type_of(value)
        if len(leaves(of)) != 1 or leaves(of)[0].dims:
            raise TypeMismatchError(
                f"Found {of!r} to print, expected Reals, Bools or indices; print its elements."
            )
        rows.extend(rows_of(b, value, of))
    formatted(text, [SAMPLES[leaves(type_of(value))[0].dtype] for value in values])
    b.effect(("print", tuple(rows), text))


@_placed
def dot(a: Any, b: Any) -> Any:
    """The sum of products of corresponding elements, in index order."""
    for v in (a, b):
        if not hasattr(v, "__len__") or isinstance(v, str | dict | set):
            raise TypeMismatchError(f"Found {v!r}, expected Vecs; multiply Reals with `*`.")
    if len(a) != len(b):
        raise ShapeError(f"Found Vecs of {len(a)} and {len(b)} elements together; expected equal lengths.")
    if current.get() is None or not (is_traced(a) or is_traced(b)):
        return sum_(len(a), lambda i: a[i] * b[i])
    x, y = as_vector(a), as_vector(b)
    if len(a) <= UNROLLED:
        total: Any = 0.0
        for k in range(len(a)):
            total = total + x[k] * y[k]
        return total
    return sum_(len(a), lambda i: x[i] * y[i])


give_operators(elementwise)


@_placed
def norm(v: Any) -> Any:
    """The Euclidean length of a Vec; its derivative at 0 is 0."""
    squares = dot(v, v)
    if isinstance(squares, VecValue | list):
        raise TypeMismatchError(f"Found the norm of {v!r}, expected a Vec of Reals; take it row by row.")
    if not isinstance(squares, RealValue):
        return numbers.sqrt(float(squares))
    is_zero = squares == 0.0
    length = unary("sqrt", select(is_zero, 1.0, squares))
    return select(is_zero, 0.0, length)


__all__ = [
    "Array", "Builder", "as_vector", "asarray", "cond", "dot", "elementwise", "real", "select", "sum_",
    "tangent_type", "tree_map", "vec",
]  # fmt: skip
