"""Loops with a carry on traced values: `fori_loop`, `scan` and `while_loop`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.ir.builder import Builder, unify
from eglantine.ir.program import Loop
from eglantine.ir.row_types import DYNAMIC, I32, leaf_row_type
from eglantine.leaves import leaves
from eglantine.plain.symbolic import current, described
from eglantine.types import Type, VecType
from eglantine.words.spelling import began

from .arguments import function, result_of
from .bodies import Body, length_of, loop_count, tracing
from .carries import FIRST_WIDTH, _settled
from .choices import cond
from .common_types import common_type
from .elementwise import as_vector, not_a_condition
from .scalars import BoolValue, IndexValue, is_plain_bool
from .sums import vec
from .traced import Traced, lift
from .types_of import type_of
from .vectors import VecValue, rows_of, value_of


def fori_loop(lo: Any, hi: Any, body: Callable[[Any, Any], Any], init: Any) -> Any:
    """Run carry = body(i, carry) for i = lo, …, hi − 1. Return the last carry.

    init: the first carry. lo, hi: whole numbers or indices.
    """
    _check_loop(lo, hi, body, init)
    if current.get() is None:
        for i in range(lo, hi):
            init = result_of(body, *_OF_FORI, i, init)
        return init
    span = hi - lo if isinstance(hi, IndexValue) or isinstance(lo, IndexValue) else max(hi - lo, 0)
    if isinstance(span, IndexValue) and span.bounds[0] < 0:
        raise ShapeError(
            "The upper bound of fori_loop must never be below the lower one, but here it may be lower by "
            f"{-span.bounds[0]}. Give bounds that are always in order, as in eg.fori_loop(0, i, body, init)."
        )
    b = tracing("fori_loop")
    if not _starts_at_zero(lo) and (span.bounds[1] if isinstance(span, IndexValue) else span) == 0:
        body = _kept  # the body never runs, and tracing it would raise errors about indices

    def step(i: Any, carry: Any) -> Any:
        return result_of(body, *_OF_FORI, i + lo, carry), None

    return _carry_loop(b, span, step, init, False)[0]


def _starts_at_zero(lo: Any) -> bool:
    return bool((lo.bounds[0] if isinstance(lo, IndexValue) else lo) == 0)


def _kept(_: Any, carry: Any) -> Any:
    """The body of a loop without rounds."""
    return carry


_OF_FORI = ("the body of fori_loop", "eg.fori_loop(lo, hi, lambda i, carry: …, init)")
_OF_SCAN = ("the body of scan", "eg.scan(lambda carry, x: (carry, y), init, xs)")
_OF_WHILE = "eg.while_loop(lambda carry: …, lambda carry: …, init)"


def _check_loop(lo: Any, hi: Any, body: Any, init: Any) -> None:
    """Check that the bounds are integers and the body is a function."""
    for bound in (lo, hi):
        if not isinstance(bound, IndexValue) and (isinstance(bound, Traced) or not is_integer(bound)):
            raise TypeMismatchError(
                "A bound of fori_loop must be a whole number or an index, but this one is "
                f"{described(bound)}. If the number of rounds is a Real, write eg.while_loop."
            )
    _check_order(body, init, *_OF_FORI)


def is_integer(value: Any) -> bool:
    """True if a plain value is an integer of any class, but not a bool."""
    return not isinstance(value, bool) and hasattr(type(value), "__index__")


def _check_order(body: Any, init: Any, place: str, example: str) -> None:
    """Refuse a body that is not a function. If `init` is a function, say that the two are swapped."""
    if callable(init) and not callable(body):
        raise TypeMismatchError(
            f"{began(place)} is {described(body)}, and its initial carry is {described(init)}. They seem to "
            f"be swapped. Write {example}."
        )
    function(body, place, example)


def scan(
    body: Callable[[Any, Any], Any],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    checkpoint: Any = None,
    reverse: bool = False,
) -> Any:
    """Run (carry, y) = body(carry, x) for each x of xs in order. Return the last carry and the Vec of all y.

    xs: a Vec, or a tuple or struct of Vecs of one length. If it is None, the scan runs `length` steps.
    checkpoint: if given, reverse mode stores the carry only after every `checkpoint` steps. It computes the
        carries in between again when it needs them. "sqrt" stands for the square root of the length, and
        needs the least memory. `checkpoint` does not change any bit of the results.
    reverse: if true, go from the last x to the first. y[k] still belongs to xs[k].
    """
    _check_order(body, init, *_OF_SCAN)
    n = _scan_length(xs, length)
    stride = _stride(checkpoint, n)
    if current.get() is None:
        return _plain_scan(body, init, xs, n, reverse)
    b = tracing("scan")

    def step(i: Any, carry: Any) -> tuple[Any, Any]:
        return _pair(body, carry, None if xs is None else tree_at(xs, (n - 1) - i if reverse else i))

    if stride >= n:
        last, ys = _carry_loop(b, n, step, init, True)
    else:
        last, ys = _scan_in_segments(b, n, stride, step, init)
    return last, ys[::-1] if reverse else ys


def _pair(body: Any, carry: Any, x: Any) -> tuple[Any, Any]:
    """Call the body of a scan for one step. Return the next carry and y."""
    result: Any = result_of(body, *_OF_SCAN, carry, x)
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeMismatchError(
            f"The body of scan must return a pair (carry, y), but it returned {described(result)}. Return "
            "(carry, None) if there is no y."
        )
    return result


def _stride(checkpoint: Any, n: int) -> int:
    """Return the number of steps between stored carries. It is n if the scan is not divided into segments."""
    if checkpoint is None:
        return n
    if checkpoint == "sqrt":
        return max(math.isqrt(n), 1)
    if isinstance(checkpoint, bool) or not isinstance(checkpoint, int) or checkpoint < 1:
        raise TypeMismatchError(
            f'The checkpoint of scan must be "sqrt" or a number of steps, but it is {checkpoint!r}. Write '
            'checkpoint="sqrt", or a number such as checkpoint=10.'
        )
    return n if checkpoint == 1 else checkpoint


def _scan_in_segments(
    b: Builder, n: int, stride: int, step: Callable[[Any, Any], tuple[Any, Any]], init: Any
) -> tuple[Any, Any]:
    """Trace a scan as a loop over segments, followed by a loop over the remaining steps.

    A segment is itself a loop of `stride` steps.
    """
    segments, rest = divmod(n, stride)
    start = segments * stride

    def segment(s: Any, carry: Any) -> tuple[Any, Any]:
        inner = current.get()
        assert inner is not None
        pair: tuple[Any, Any] = _carry_loop(
            inner, stride, lambda j, carry: step(s * stride + j, carry), carry, True
        )
        return pair

    carry, ys = _carry_loop(b, segments, segment, init, True)
    tail = None
    if rest:
        carry, tail = _carry_loop(b, rest, lambda j, carry: step(j + start, carry), carry, True)

    def y(i: Any) -> Any:
        if tail is None:
            return ys[i // stride][i % stride]
        return cond(i < start, lambda: ys[i // stride][i % stride], lambda: tail[i - start])

    of = ys.type.of.of
    return carry, vec(n, y) if leaves(of) else VecValue(VecType(n, of), None, [])


def tree_at(xs: Any, i: Any) -> Any:
    """Element i of each Vec in xs."""
    if isinstance(xs, dict):
        return {name: tree_at(part, i) for name, part in xs.items()}
    if isinstance(xs, tuple):
        parts = [tree_at(part, i) for part in xs]
        return type(xs)(*parts) if hasattr(xs, "_fields") else tuple(parts)
    if isinstance(xs, VecValue):
        return xs[i]
    return (as_vector(xs) if current.get() is not None else xs)[i]


def _scan_length(xs: Any, length: int | None) -> int:
    lengths = set() if length is None else {length_of(length)}
    pending = [xs]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            pending.extend(part.values())
        elif isinstance(part, tuple):
            pending.extend(part)
        elif part is not None:
            if not hasattr(part, "__len__") or isinstance(part, str):
                raise TypeMismatchError(
                    f"The xs of scan must be a Vec, or a tuple or struct of Vecs, but this is "
                    f"{described(part)}. Write eg.scan(body, init, length=n) for n steps without xs."
                )
            lengths.add(len(part))
    if len(lengths) != 1:
        told = f"the lengths {', '.join(map(str, sorted(lengths)))}" if lengths else "no length"
        raise ShapeError(
            f"eg.scan needs exactly one length, but it was given {told}. Give Vecs of equal "
            "length as xs, or write length=n."
        )
    return lengths.pop()


def _plain_scan(body: Callable[[Any, Any], Any], carry: Any, xs: Any, n: int, reverse: bool) -> Any:
    ys = []
    for i in reversed(range(n)) if reverse else range(n):
        carry, y = _pair(body, carry, None if xs is None else tree_at(xs, i))
        ys.append(y)
    return carry, ys[::-1] if reverse else ys


def while_loop(cond: Callable[[Any], Any], body: Callable[[Any], Any], init: Any) -> Any:
    """Run carry = body(carry) while cond(carry) is true. Return the last carry.

    cond: takes a carry and returns a Bool.
    body: takes a carry and returns the next carry. A carry can have any type.
    init: the first carry.
    There is no limit on the number of rounds. Forward mode stores no carries. Reverse mode stores the carry
    of each round, so it needs more memory for more rounds.
    """
    _check_order(body, init, "the body of while_loop", _OF_WHILE)
    function(cond, "the condition of while_loop", _OF_WHILE)
    if current.get() is None:
        while result_of(cond, "the condition of while_loop", _OF_WHILE, init):
            init = result_of(body, "the body of while_loop", _OF_WHILE, init)
        return init
    b = tracing("while_loop")
    of, (inner, results) = _settled(type_of(init), FIRST_WIDTH, lambda of: _while_body(b, body, of))
    carried = len(leaves(of))
    with Body(b) as tested:
        p = result_of(cond, "the condition of while_loop", _OF_WHILE, _while_carry(tested, of))
        if not isinstance(p, BoolValue) and not is_plain_bool(p):
            raise not_a_condition(p, "while_loop")
        row = lift(tested, p) if isinstance(p, BoolValue) else tested.bool_const(bool(p))
    inits = rows_of(b, init, of, "the initial carry")
    if row < 0:
        if tested.value(row):
            raise TypeMismatchError(
                "The condition of this while_loop is True whatever the carry is, so the loop never ends. "
                "Write a condition that depends on the carry."
            )
        return value_of(of, b, inits)
    captured = unify([inner, tested], 1 + carried)
    loop = Loop(inner.finish(results), None, DYNAMIC, False, carried, tested.finish([row]))
    return value_of(of, b, b.loop(loop, [*inits, *captured])[:carried])


def _while_carry(b: Builder, of: Type) -> Any:
    """Add the parameters of a while loop's body or test to `b`. Return these parameters as a carry."""
    b.param(I32(0, DYNAMIC - 1))
    return value_of(of, b, [b.param(leaf_row_type(leaf)) for leaf in leaves(of)])


def _while_body(parent: Builder, body: Callable[[Any], Any], of: Type) -> Any:
    with Body(parent) as b:
        after = result_of(body, "the body of while_loop", _OF_WHILE, _while_carry(b, of))
        type_after = type_of(after)
        wider = common_type(of, type_after, "the loop's carries before and after its body")
        return type_after, (b, rows_of(b, after, of, "the carry")) if wider == of else None


def _carry_loop(
    parent: Builder, n: Any, step: Callable[[Any, Any], tuple[Any, Any]], init: Any, stacked: bool
) -> Any:
    """Trace a loop of n rounds. Return the last carry, and the Vec of all y or None.

    step: takes the index of a round and the carry. It returns the next carry and a value y.
    stacked: if true, return the Vec of all y. If false, return None instead of this Vec.
    """
    count, extent, first = loop_count(parent, n)

    def trace(of: Type) -> Any:
        with Body(parent) as body:
            index = IndexValue(body, body.param(I32(0, max(extent - 1, 0))))
            carry = value_of(of, body, [body.param(leaf_row_type(leaf)) for leaf in leaves(of)])
            after, y = step(index, carry)
            type_after = type_of(after)
            if common_type(of, type_after, "the loop's carries before and after its body") != of:
                return type_after, None
            y_type = type_of(y)
            results = [*rows_of(body, after, of, "the carry"), *rows_of(body, y, y_type)]
            return type_after, (body, results, y_type)

    of, (body, results, y_type) = _settled(type_of(init), extent, trace)
    carried = len(leaves(of))
    loop = Loop(body.finish(results), count, extent, False, carried)
    inits = rows_of(parent, init, of, "the initial carry")
    rows = parent.loop(loop, [*first, *inits, *body.captured])
    last = value_of(of, parent, rows[:carried])
    if not stacked:
        return last, None
    arrays: list[Traced] = [Traced(parent, row) for row in rows[carried:]]
    return last, VecValue(VecType(extent, y_type), None, arrays)
