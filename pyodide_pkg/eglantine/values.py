"""Traced values: what stands for a number while a Python function is being traced, and the operators on it.

An operator adds rows to the innermost block all of whose enclosing scopes its operands know, which moves
invariant work out of loops as it is written; it never leaves an arm of a branch.
"""

from __future__ import annotations

import linecache
import operator
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any

from .build import Builder
from .errors import EscapedTracerError, ShapeError, TracerBoolError, TypeMismatchError, user_span
from .ir import ZERO, Array, I32, leaf_row_type
from .types import (
    Bool,
    BoolType,
    FinType,
    Real,
    RealType,
    StructType,
    TupleType,
    Type,
    UnitType,
    VecType,
    field_names,
    is_container,
    leaves,
    struct_of,
)

current: ContextVar[Builder | None] = ContextVar("eglantine_builder", default=None)
"""The builder of the innermost block being traced."""

_getframe = sys._getframe

UNROLLED = 4
"""Arithmetic on a Vec of at most this many elements is written out; a longer one is a loop."""

LONGEST_WHOLE_POWER = 1024
"""The greatest |n| for which x ** n is repeated multiplication."""


# ---------------------------------------------------------------- scopes


class Traced:
    """A value known only when the program runs: row `row` of the block that `scope` builds."""

    __slots__ = ("row", "scope")
    __hash__ = object.__hash__

    def __init__(self, scope: Builder, row: int) -> None:
        self.scope = scope
        self.row = row

    def __bool__(self) -> bool:
        raise TracerBoolError(
            f"Python asked for the truth of {_described(self)}, which is known only when the program runs; "
            "write eg.select(p, a, b) for a value that depends on it, eg.cond(p, f, g) for a branch, and "
            "eg.math.minimum or maximum for min or max.",
            user_span(),
        )

    def __float__(self) -> float:
        raise _not_a_number(self)

    def __int__(self) -> int:
        raise _not_a_number(self)

    def __index__(self) -> int:
        raise _not_a_number(self)

    def __complex__(self) -> complex:
        raise _not_a_number(self)

    def __round__(self, digits: Any = None) -> Any:
        raise _not_a_number(self)

    def __format__(self, spec: str) -> str:
        if spec:
            raise _not_a_number(self)
        return repr(self)

    def __getitem__(self, _: Any) -> Any:
        raise TypeMismatchError(f"Found an element asked of {_described(self)}; expected a Vec; index a Vec instead.")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **_: Any) -> Any:
        """NumPy met this value: its operators are ours, its functions are not."""
        operate = _OPERATORS_OF_NUMPY.get(ufunc.__name__)
        if operate is None or method != "__call__":
            raise _not_a_number(self)
        return operate(*map(_operand, inputs))

    def __repr__(self) -> str:
        return f"<{_described(self)}>"


_OPERATORS_OF_NUMPY = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "true_divide": operator.truediv, "floor_divide": operator.floordiv, "remainder": operator.mod,
    "power": operator.pow, "negative": operator.neg, "positive": operator.pos, "absolute": operator.abs,
    "less": operator.lt, "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
    "equal": operator.eq, "not_equal": operator.ne, "bitwise_and": operator.and_, "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor, "invert": operator.invert, "logical_and": operator.and_,
}  # fmt: skip
"""Python's operators by the names of the NumPy functions that arrays and NumPy scalars run for them."""


def _operand(value: Any) -> Any:
    """NumPy's numbers as Python's, its arrays as Vecs."""
    if not hasattr(value, "__array_interface__"):
        return value
    return vec_of(value) if value.shape else value.item()


def _refusal(symbol: str, swapped: bool = False) -> Any:
    """An operator that values of this type do not have."""

    def refuse(self: Traced, other: Any = None) -> Any:
        if isinstance(other, VecValue) or _is_foreign(other):
            return NotImplemented
        if symbol in ("unary -", "unary +", "~", "abs"):
            other = self
        raise _mismatch(symbol, *((other, self) if swapped else (self, other)))

    return refuse


for _name, _symbol in (
    ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**"),
    ("and", "&"), ("or", "|"), ("xor", "^"), ("lshift", "<<"), ("rshift", ">>"), ("matmul", "@"),
):  # fmt: skip
    setattr(Traced, f"__{_name}__", _refusal(_symbol))
    setattr(Traced, f"__r{_name}__", _refusal(_symbol, swapped=True))
for _name, _symbol in (
    ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="),
    ("neg", "unary -"), ("pos", "unary +"), ("abs", "abs"), ("invert", "~"),
):  # fmt: skip
    setattr(Traced, f"__{_name}__", _refusal(_symbol))


def _not_a_number(value: Traced) -> TypeMismatchError:
    span = user_span()
    line = linecache.getline(span.source, span.line) if span else ""
    called = re.search(r"\b(?:math|np|numpy)\.(\w+)\(", line)
    if called:
        advice = f"write eg.math.{called[1]}(…)"
    elif isinstance(value, IndexValue):
        advice = "index a list as eg.asarray(items)[i], and instead of a range use eg.vec, eg.sum or eg.fori_loop"
    else:
        advice = "use the functions of eg.math"
    return TypeMismatchError(
        f"Found {_described(value)} where Python needs a plain number; its number is known only when the "
        f"program runs; {advice}.",
        span,
    )


def _described(value: Any) -> str:
    match value:
        case RealValue():
            return "a traced Real"
        case BoolValue():
            return "a traced Bool"
        case IndexValue():
            return "a traced index"
        case VecValue():
            return f"a traced {value.type!r}"
        case Traced():
            return "a traced value"
    return f"{value!r} ({type(value).__name__})"


def lift(b: Builder, value: Traced) -> int:
    """The row of `value` as the block of `b` sees it.

    Raises: EscapedTracerError if `b` is not inside the scope of the value.
    """
    scope, row = value.scope, value.row
    if scope is b:
        return row
    inner = []
    step: Builder | None = b
    while step is not scope:
        if step is None:
            raise EscapedTracerError(
                f"{_described(value).capitalize()} was used outside the function or body it belongs to; "
                "return it from there instead of storing it.",
                user_span(),
            )
        inner.append(step)
        step = step.parent
    for step in reversed(inner):
        row = step.capture(row)
    return row


def builder_for(*values: Any) -> Builder:
    """The builder in which an operation on `values` belongs: the innermost of their scopes."""
    b = current.get()
    if b is None:
        raise EscapedTracerError(
            f"{_described(values[0]).capitalize()} was used after its trace had ended; return it from the "
            "function instead of storing it.",
            user_span(),
        )
    scopes = [value.scope for value in values if isinstance(value, Traced)]
    while not any(scope is b for scope in scopes) and not b.conditional and b.parent is not None:
        b = b.parent
    return b


# ---------------------------------------------------------------- scalars


def _mismatch(op: str, a: Any, b: Any) -> TypeMismatchError:
    advice = "use two Reals, or a Real and a number"
    if op in ("&", "|", "^", "~", "logic"):
        advice = "use Bools, and compare a number to make one, as in x > 0"
    elif isinstance(a, IndexValue) or isinstance(b, IndexValue):
        advice = "make a Real of an index with eg.real(i)"
    elif isinstance(a, BoolValue | bool) or isinstance(b, BoolValue | bool):
        advice = "make a Real of a Bool with eg.real(p), or choose with eg.select"
    return TypeMismatchError(
        f"Found `{op}` between {_described(a)} and {_described(b)}; {advice}.", user_span()
    )


def real_row(b: Builder, value: Any, op: str = "arithmetic", other: Any = None) -> int:
    """The row in `b` of a Real or plain number."""
    kind = type(value)
    if kind is RealValue:
        return value.row if value.scope is b else lift(b, value)
    if kind is float or kind is int:
        return b.const(float(value))
    if isinstance(value, Traced | bool) or not _is_plain_number(value):
        raise _mismatch(op, other if other is not None else value, value)
    return b.const(float(value))


def _is_plain_number(value: Any) -> bool:
    return (isinstance(value, float | int) and not isinstance(value, bool)) or (
        hasattr(value, "__float__") and not getattr(value, "shape", ()) and not isinstance(value, str)
    )


def _arithmetic(symbol: str, build: Callable[[Builder, int, int], int], reflected: bool = False) -> Any:
    def operator(self: RealValue, other: Any) -> Any:
        if isinstance(other, VecValue) or _is_foreign(other):
            return NotImplemented
        b = current.get()
        if self.scope is not b or (type(other) is RealValue and other.scope is not b):
            b = builder_for(self, other)
        frame = _getframe(1)
        b.source = (frame.f_code, frame.f_lasti)
        x = self.row if self.scope is b else lift(b, self)
        if type(other) is RealValue and other.scope is b:
            y = other.row
        else:
            y = real_row(b, other, symbol, self)
        return RealValue(b, build(b, y, x) if reflected else build(b, x, y))

    return operator


def _is_foreign(value: Any) -> bool:
    """Whether `value` has operators of its own for our values: an array, or a class that says so."""
    kind = type(value)
    if kind is RealValue or kind is float or kind is int:
        return False
    return getattr(kind, "__eglantine_operand__", False) or bool(getattr(value, "shape", ()))


def _comparison(symbol: str, op: str) -> Any:
    def build(b: Builder, x: int, y: int) -> int:
        return b.bi(op, x, y)

    compute = _arithmetic(symbol, build)

    def operator(self: RealValue, other: Any) -> Any:
        if isinstance(other, VecValue):
            return NotImplemented
        result = compute(self, other)
        return result if result is NotImplemented else BoolValue(result.scope, result.row)

    return operator


def floor_divide(b: Builder, x: int, y: int) -> int:
    """floor(x / y)."""
    return b.un("floor", b.div(x, y))


def modulo(b: Builder, x: int, y: int) -> int:
    """x − y·floor(x / y)."""
    return b.sub(x, b.mul(y, floor_divide(b, x, y)))


def _pow(b: Builder, x: int, y: int) -> int:
    return b.bi("pow", x, y)


class RealValue(Traced):
    """A traced Real."""

    __slots__ = ()
    __hash__ = object.__hash__

    __add__ = _arithmetic("+", Builder.add)
    __radd__ = _arithmetic("+", Builder.add, reflected=True)
    __sub__ = _arithmetic("-", Builder.sub)
    __rsub__ = _arithmetic("-", Builder.sub, reflected=True)
    __mul__ = _arithmetic("*", Builder.mul)
    __rmul__ = _arithmetic("*", Builder.mul, reflected=True)
    __truediv__ = _arithmetic("/", Builder.div)
    __rtruediv__ = _arithmetic("/", Builder.div, reflected=True)
    __floordiv__ = _arithmetic("//", floor_divide)
    __rfloordiv__ = _arithmetic("//", floor_divide, reflected=True)
    __mod__ = _arithmetic("%", modulo)
    __rmod__ = _arithmetic("%", modulo, reflected=True)
    _power = _arithmetic("**", _pow)
    __rpow__ = _arithmetic("**", _pow, reflected=True)
    __lt__ = _comparison("<", "lt")
    __le__ = _comparison("<=", "le")
    __gt__ = _comparison(">", "gt")
    __ge__ = _comparison(">=", "ge")
    __eq__ = _comparison("==", "eq")
    __ne__ = _comparison("!=", "ne")

    def __pow__(self, n: Any) -> Any:
        if (
            isinstance(n, int | float)
            and not isinstance(n, bool)
            and n == n // 1
            and abs(n) <= LONGEST_WHOLE_POWER
        ):
            b = builder_for(self)
            frame = _getframe(1)
            b.source = (frame.f_code, frame.f_lasti)
            return RealValue(b, b.powi(lift(b, self), int(n)))
        return self._power(n)

    def __neg__(self) -> RealValue:
        return unary("neg", self)

    def __pos__(self) -> RealValue:
        return self

    def __abs__(self) -> RealValue:
        return unary("abs", self)


def unary(op: str, value: RealValue) -> RealValue:
    """A unary primitive of a traced Real."""
    b = current.get()
    if value.scope is not b:
        b = builder_for(value)
    frame = _getframe(2)
    b.source = (frame.f_code, frame.f_lasti)  # type: ignore[union-attr]
    return RealValue(b, b.un(op, value.row if value.scope is b else lift(b, value)))  # type: ignore[arg-type,union-attr]


def binary(op: str, x: Any, y: Any) -> RealValue:
    """A binary primitive of two Reals or numbers, at least one of them traced."""
    b = builder_for(*(value for value in (x, y) if isinstance(value, Traced)))
    frame = _getframe(2)
    b.source = (frame.f_code, frame.f_lasti)
    return RealValue(b, b.bi(op, real_row(b, x, op, y), real_row(b, y, op, x)))


def bool_row(b: Builder, value: Any, op: str = "logic", other: Any = None) -> int:
    """The row in `b` of a Bool or plain truth value."""
    if isinstance(value, BoolValue):
        return lift(b, value)
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return b.bool_const(bool(value))
    raise _mismatch(op, other if other is not None else value, value)


def _logical(symbol: str, op: str) -> Any:
    def operator(self: BoolValue, other: Any) -> Any:
        if isinstance(other, VecValue) or _is_foreign(other):
            return NotImplemented
        b = builder_for(self, other)
        b.source = _source(1)
        return BoolValue(b, b.bi(op, bool_row(b, self), bool_row(b, other, symbol, self)))

    return operator


def _source(depth: int) -> Any:
    frame = _getframe(depth + 1)
    return (frame.f_code, frame.f_lasti)


class BoolValue(Traced):
    """A traced Bool."""

    __slots__ = ()
    __hash__ = object.__hash__

    __and__ = __rand__ = _logical("&", "and")
    __or__ = __ror__ = _logical("|", "or")
    __xor__ = __rxor__ = __ne__ = _logical("^", "xor")

    def __invert__(self) -> BoolValue:
        b = builder_for(self)
        return BoolValue(b, b.un("not", lift(b, self)))

    def __eq__(self, other: Any) -> Any:
        return ~(self ^ other)


def index_row(b: Builder, value: Any, op: str = "index arithmetic", other: Any = None) -> int:
    """The row in `b` of an index or plain integer."""
    if isinstance(value, IndexValue):
        return lift(b, value)
    if isinstance(value, int) and not isinstance(value, bool):
        return b.int_const(value)
    if not isinstance(value, Traced) and hasattr(value, "__index__") and not isinstance(value, bool):
        return b.int_const(value.__index__())
    raise _mismatch(op, other if other is not None else value, value)


def _integral(symbol: str, op: str, result: Callable[[Builder, int], Any], reflected: bool = False) -> Any:
    def operator(self: IndexValue, other: Any) -> Any:
        if isinstance(other, VecValue) or _is_foreign(other):
            return NotImplemented
        b = builder_for(self, other)
        b.source = _source(1)
        x, y = index_row(b, self), index_row(b, other, symbol, self)
        if reflected:
            x, y = y, x
        if op in ("ifloordiv", "imod"):
            bounds = b.interval(y)
            if bounds.lo <= 0 <= bounds.hi:
                raise TypeMismatchError(
                    f"Found `{symbol}` by an index that may be 0 (it ranges from {bounds.lo} to "
                    f"{bounds.hi}); expected a divisor that never is; add 1 to it, or bound it.",
                    user_span(),
                )
        return result(b, b.bi(op, x, y))

    return operator


class IndexValue(Traced):
    """A traced integer with known bounds."""

    __slots__ = ()
    __hash__ = object.__hash__

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and greatest value it can have."""
        of = self.scope.interval(self.row)
        return of.lo, of.hi

    def __eglantine_fin__(self, of: FinType) -> IndexValue:
        """This index as one below `of.n`, checked when the program runs unless its bounds say it all."""
        b = current.get() or self.scope
        lo, hi = self.bounds
        if hi < 0 or lo >= of.n:
            raise _out_of_range(f"an index from {lo} to {hi}", of.n)
        b.source = _source(2)
        return IndexValue(b, b.check(lift(b, self), of.n))

    def __neg__(self) -> IndexValue:
        return 0 - self  # type: ignore[no-any-return]


def _as_index(b: Builder, row: int) -> IndexValue:
    return IndexValue(b, row)


def _as_bool(b: Builder, row: int) -> BoolValue:
    return BoolValue(b, row)


for _name, _symbol, _op in (("add", "+", "iadd"), ("sub", "-", "isub"), ("mul", "*", "imul"),
                            ("floordiv", "//", "ifloordiv"), ("mod", "%", "imod")):  # fmt: skip
    setattr(IndexValue, f"__{_name}__", _integral(_symbol, _op, _as_index))
    setattr(IndexValue, f"__r{_name}__", _integral(_symbol, _op, _as_index, reflected=True))
for _name, _symbol in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
    setattr(IndexValue, f"__{_name}__", _integral(_symbol, "i" + _name, _as_bool))
IndexValue.__hash__ = object.__hash__  # type: ignore[method-assign]


def _out_of_range(found: str, n: int) -> ShapeError:
    return ShapeError(
        f"Found {found} into a Vec of {n}, expected one from 0 to {n - 1}; mend the index.", user_span()
    )


# ---------------------------------------------------------------- vectors


class VecValue:
    """A traced Vec: its elements one by one while it is short, or its leaves as arrays in memory."""

    __slots__ = ("_arrays", "_elements", "type")
    __hash__ = object.__hash__
    __array_ufunc__ = None  # NumPy leaves its operators to ours

    def __init__(self, of: VecType, elements: list[Any] | None, arrays: list[Traced] | None) -> None:
        self.type = of
        self._elements = elements
        self._arrays = arrays

    def __len__(self) -> int:
        return self.type.n

    def __bool__(self) -> bool:
        raise TracerBoolError(
            f"Python asked for the truth of {_described(self)}; expected a Bool that is known; write len(v) > 0 to ask "
            "whether it has elements, or eg.select(p, a, b) to choose by each of them.",
            user_span(),
        )

    def __setitem__(self, i: Any, x: Any) -> None:
        raise TypeMismatchError(
            f"Found an assignment to an element of {_described(self)}, which never changes; make a new Vec: "
            "eg.vec(n, lambda j: eg.select(j == i, x, v[j]))."
        )

    def __repr__(self) -> str:
        return f"<{_described(self)}>"

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self.type.n))

    def __reversed__(self) -> Iterator[Any]:
        return (self[k] for k in reversed(range(self.type.n)))

    def __contains__(self, _: Any) -> bool:
        raise TypeMismatchError("Found `in` on a traced Vec; compare the elements instead.", user_span())

    def __getitem__(self, i: Any) -> Any:
        n = self.type.n
        if isinstance(i, slice):
            return VecValue(VecType(len(range(n)[i]), self.type.of), [self[k] for k in range(n)[i]], None)
        if isinstance(i, Traced):
            return self._at_traced(i)
        if isinstance(i, bool) or not hasattr(i, "__index__"):
            raise TypeMismatchError(
                f"Found {_described(i)} as an index; expected an integer or an index.", user_span()
            )
        k = i.__index__()
        if not -n <= k < n:
            raise _out_of_range(f"the index {k}", n)
        k %= n
        if self._elements is not None:
            return self._elements[k]
        b = builder_for(*self._arrays)  # type: ignore[misc]
        b.source = _source(1)
        return self._pick(b, b.int_const(k))

    def _at_traced(self, i: Traced) -> Any:
        n = self.type.n
        if not isinstance(i, IndexValue):
            raise TypeMismatchError(
                f"Found {_described(i)} as an index; expected an integer or an index.", user_span()
            )
        lo, hi = i.bounds
        if n and (hi < 0 or lo >= n):  # an empty Vec is indexed in loops that never run
            raise _out_of_range(f"an index from {lo} to {hi}", n)
        safe = lo >= 0 and hi < n
        b = builder_for(i, *self.arrays()) if safe else current.get()
        assert b is not None
        b.source = _source(2)
        return self._pick(b, b.check(lift(b, i), n))

    def _pick(self, b: Builder, i: int) -> Any:
        rows = [b.index(lift(b, array), i) for array in self.arrays()]
        return value_of(self.type.of, b, rows)

    def arrays(self) -> list[Traced]:
        """The leaves as arrays in memory, built again once the branch or body that built them is left."""
        if self._arrays is None or (self._elements is not None and not _is_seen(self._arrays)):
            elements = self._elements
            assert elements is not None and current.get() is not None
            b = builder_for(*_refs(elements)) if _refs(elements) else current.get()
            assert b is not None
            rows = [rows_of(b, element, self.type.of) for element in elements]
            columns = list(zip(*rows, strict=True)) or [() for _ in leaves(self.type.of)]
            self._arrays = [
                Traced(b, b.stack(column, leaf_row_type(leaf)))
                for column, leaf in zip(columns, leaves(self.type.of), strict=True)
            ]
        return self._arrays

    @property
    def elements(self) -> list[Any]:
        """The elements one by one."""
        return list(self)


def _is_seen(arrays: Sequence[Traced]) -> bool:
    """Whether the block being traced is inside those that the arrays belong to."""
    around = []
    b = current.get()
    while b is not None:
        around.append(b)
        b = b.parent
    return all(array.scope in around for array in arrays)


def vec_of(items: Any) -> VecValue:
    """An array or list as a traced Vec."""
    b = current.get()
    of = type_of(items)
    if b is None or not isinstance(of, VecType):
        raise TypeMismatchError(f"Found {items!r} outside a function; expected a traced Vec.")
    return VecValue(of, None, [Traced(b, row) for row in rows_of(b, items, of)])


def _refs(value: Any) -> list[Traced]:
    """All traced values inside a value."""
    found: list[Traced] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Traced):
            found.append(item)
        elif isinstance(item, VecValue):
            pending.extend(item._elements if item._elements is not None else item._arrays)  # type: ignore[arg-type]
        elif isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
        elif is_container(item):
            pending.extend(getattr(item, name) for name in field_names(type(item)))
    return found


def is_traced(value: Any) -> bool:
    """Whether a value holds anything traced."""
    return bool(_refs(value)) or _has_vec(value)


def _has_vec(value: Any) -> bool:
    if isinstance(value, VecValue):
        return True
    if isinstance(value, dict):
        return any(_has_vec(item) for item in value.values())
    return isinstance(value, list | tuple) and any(_has_vec(item) for item in value)


def give_operators(elementwise: Callable[..., Any]) -> None:
    """Let Vecs take part in arithmetic: operators of elements become operators of Vecs by `elementwise`."""
    def forward(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda self, other: elementwise(f, self, other)

    def reflected(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda self, other: elementwise(f, other, self)

    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor"):
        f = getattr(operator, name + "_" if name in ("and", "or") else name)
        setattr(VecValue, f"__{name}__", forward(f))
        setattr(VecValue, f"__r{name}__", reflected(f))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(VecValue, f"__{name}__", forward(getattr(operator, name)))
    for name in ("neg", "pos", "abs", "invert"):
        setattr(VecValue, f"__{name}__", lambda self, f=getattr(operator, name): elementwise(f, self))


class Fields(dict[str, Any]):
    """A traced struct without a class: a dict that says which fields it has."""

    def __missing__(self, name: str) -> Any:
        import difflib

        near = difflib.get_close_matches(str(name), list(self), 1)
        raise TypeMismatchError(
            f"Found the field {name!r} asked of a struct; expected one of {', '.join(self) or 'none at all'}.",
            user_span(),
            near[0] if near else None,
        )


# ---------------------------------------------------------------- between values and rows


def value_of(of: Type, b: Builder, rows: Sequence[int]) -> Any:
    """The traced value of type `of` whose leaves are `rows` of `b`."""
    value, rest = _take(of, b, list(rows))
    assert not rest
    return value


def _take(of: Type, b: Builder, rows: list[int]) -> tuple[Any, list[int]]:
    match of:
        case RealType():
            return RealValue(b, rows[0]), rows[1:]
        case BoolType():
            return BoolValue(b, rows[0]), rows[1:]
        case FinType():
            return IndexValue(b, rows[0]), rows[1:]
        case UnitType():
            return None, rows
        case VecType():
            n = len(leaves(of))
            return VecValue(of, None, [Traced(b, row) for row in rows[:n]]), rows[n:]
        case TupleType(items):
            values = []
            for item in items:
                value, rows = _take(item, b, rows)
                values.append(value)
            return tuple(values), rows
        case StructType(fields, container):
            named = {}
            for name, item in fields:
                named[name], rows = _take(item, b, rows)
            return Fields(named) if container is dict else container(**named), rows
    raise AssertionError(of)


def rows_of(b: Builder, value: Any, of: Type, where: str = "") -> list[int]:
    """The leaves of a value, traced or plain or a mixture, as rows of `b`.

    where: names the value's place in messages, "argument x", say.
    Raises: TypeMismatchError or ShapeError if the value is not of type `of`.
    """
    rows: list[int] = []
    _put(b, value, of, where, rows)
    return rows


def _put(b: Builder, value: Any, of: Type, where: str, rows: list[int]) -> None:
    match of:
        case RealType():
            if type(value) is not RealValue and (
                isinstance(value, Traced | bool) or not _is_plain_number(value)
            ):
                advice = (
                    "; make a Real of it with eg.real"
                    if isinstance(value, IndexValue | BoolValue | bool)
                    else ""
                )
                raise _unexpected(value, of, where, advice)
            rows.append(real_row(b, value))
        case BoolType():
            if not isinstance(value, BoolValue) and type(value).__name__ not in ("bool", "bool_"):
                raise _unexpected(value, of, where)
            rows.append(bool_row(b, value))
        case FinType(n):
            rows.append(_fin_row(b, value, n, where))
        case UnitType():
            if value is not None:
                raise _unexpected(value, of, where)
        case VecType():
            _put_vec(b, value, of, where, rows)
        case TupleType(items):
            if not isinstance(value, tuple | list) or len(value) != len(items):
                raise _unexpected(value, of, where)
            for k, (part, item) in enumerate(zip(value, items, strict=True)):
                _put(b, part, item, f"{where}[{k}]", rows)
        case StructType():
            for part, item, place in struct_parts(value, of, where):
                _put(b, part, item, place, rows)


def struct_parts(value: Any, of: StructType, where: str) -> list[tuple[Any, Type, str]]:
    """The fields of a struct's value with their types and places."""
    names = [name for name, _ in of.fields]
    if isinstance(value, dict):
        found = dict(value)
    elif is_container(value):
        found = {name: getattr(value, name) for name in field_names(type(value))}
    else:
        raise _unexpected(value, of, where)
    missing = [name for name in names if name not in found]
    extra = [name for name in found if name not in names]
    if missing or extra:
        what = f"no field {missing[0]!r}" if missing else f"an unknown field {extra[0]!r}"
        raise TypeMismatchError(
            f"Found a struct with {what}{_at(where)}; expected the fields {', '.join(names)}.", user_span()
        )
    return [(found[name], item, f"{where}.{name}") for name, item in of.fields]


def _fin_row(b: Builder, value: Any, n: int, where: str) -> int:
    if isinstance(value, IndexValue):
        lo, hi = value.bounds
        if hi < 0 or lo >= n:
            raise ShapeError(
                f"Found an index from {lo} to {hi}{_at(where)}, expected one below {n}.", user_span()
            )
        return b.check(lift(b, value), n)
    if isinstance(value, Traced | bool | float) or not hasattr(value, "__index__"):
        raise _unexpected(value, FinType(n), where)
    k = value.__index__()
    if not 0 <= k < n:
        raise ShapeError(f"Found the index {k}{_at(where)}, expected one from 0 to {n - 1}.", user_span())
    return b.int_const(k)


def _put_vec(b: Builder, value: Any, of: VecType, where: str, rows: list[int]) -> None:
    if isinstance(value, VecValue) and value.type == of and value._elements is None:
        rows.extend(lift(b, array) for array in value.arrays())
        return
    try:
        parts = list(value)
    except TypeError:
        raise _unexpected(value, of, where) from None
    if isinstance(value, dict | str) or (isinstance(value, tuple) and is_container(value)):
        raise _unexpected(value, of, where)
    if len(parts) != of.n:
        raise ShapeError(
            f"Found {len(parts)} values{_at(where)}, expected {of.n}, as the type {of!r} says; give it "
            f"{of.n} values.",
            user_span(),
        )
    columns: list[list[int]] = [[] for _ in leaves(of.of)]
    for k, part in enumerate(parts):
        for column, row in zip(columns, rows_of(b, part, of.of, f"{where}[{k}]"), strict=True):
            column.append(row)
    for column, leaf in zip(columns, leaves(of.of), strict=True):
        rows.append(constant_or_stack(b, column, leaf_row_type(leaf)))


TABLE_FROM = 16
"""An array of at least this many constants is kept as data instead of being stored one by one."""


def constant_or_stack(b: Builder, column: Sequence[int], of: Any) -> int:
    """The array of `column`: a table if it is long and constant."""
    if len(column) >= TABLE_FROM and not isinstance(of, Array) and all(row < 0 for row in column):
        values = tuple(b.value(row) for row in column)
        if isinstance(of, I32):
            of = I32(min(values), max(values))
        return b.table(values, of)
    return b.stack(column, of)


def _at(where: str) -> str:
    return f" for {where}" if where else ""


def _unexpected(value: Any, of: Type, where: str, advice: str = "") -> TypeMismatchError:
    found = _described(value)
    if len(found) > 80:
        found = f"{found[:77]}…"
    return TypeMismatchError(f"Found {found}{_at(where)}, expected {_expected(of)}{advice}.", user_span())


def _expected(of: Type) -> str:
    return {"Unit": "None (Unit)"}.get(repr(of), repr(of))


def type_of(value: Any) -> Type:
    """The type of a value where nothing declares one.

    Raises: TypeMismatchError for values that have none, such as an empty list.
    """
    if isinstance(value, RealValue):
        return Real  # type: ignore[no-any-return]
    if isinstance(value, BoolValue | bool) or type(value).__name__ == "bool_":
        return Bool  # type: ignore[no-any-return]
    if isinstance(value, IndexValue):
        lo, hi = value.bounds
        if lo < 0:
            raise TypeMismatchError(
                f"Found an index from {lo} to {hi} as a result; expected one that is never negative; use "
                "eg.real(i), or eg.Fin(n)(i) to check it.",
                user_span(),
            )
        return FinType(hi + 1)
    if isinstance(value, VecValue):
        return value.type
    if value is None:
        return UnitType()
    if isinstance(value, dict):
        return StructType(tuple((str(name), type_of(part)) for name, part in value.items()))
    if is_container(value):
        names = field_names(type(value))
        return StructType(tuple((name, type_of(getattr(value, name))) for name in names), type(value))
    if isinstance(value, tuple):
        return TupleType(tuple(type_of(part) for part in value))
    if isinstance(value, list) or getattr(value, "shape", ()) or hasattr(value, "typecode"):
        return _type_of_list(list(value))
    if _is_plain_number(value):
        return Real  # type: ignore[no-any-return]
    raise TypeMismatchError(
        f"Found {_described(value)}, which has no type here; expected numbers, tuples, lists or dicts.",
        user_span(),
    )


def _type_of_list(items: list[Any]) -> VecType:
    if not items:
        raise TypeMismatchError(
            "Found an empty list where its type is not declared; write eg.asarray([], type).", user_span()
        )
    first = type_of(items[0])
    for item in items[1:]:
        other = type_of(item)
        if isinstance(first, FinType) and isinstance(other, FinType):
            first = FinType(max(first.n, other.n))
        elif other != first:
            raise TypeMismatchError(
                f"Found a list of {first!r} and {other!r}; expected one type; use a tuple.", user_span()
            )
    return VecType(len(items), first)


def declared(of: Any) -> StructType:
    """The struct type of a class."""
    return struct_of(of)


__all__ = [
    "UNROLLED", "ZERO", "BoolValue", "IndexValue", "RealValue", "Traced", "VecValue", "binary", "builder_for",
    "current", "is_traced", "lift", "rows_of", "type_of", "unary", "user_span", "value_of",
]  # fmt: skip
