"""The type checker of the IR. It must accept the result of every pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eglantine.errors import CompileError, span_of

from .primitives import ARITY, PRIMITIVES, operands
from .printer import reachable
from .program import Block, Cond, Function, Loop
from .row_types import (
    DYNAMIC,
    EFFECT,
    F64,
    I1,
    I32,
    MULTI,
    TRIPS,
    TRIPS_TYPE,
    ZERO,
    Acc,
    Array,
    Row,
    RowType,
    element_type,
    fits,
    interval,
    is_growing,
    is_of,
    with_length,
)

INT32 = I32(-(1 << 31), (1 << 31) - 1)


def check(program: Function) -> None:
    """Verify a function and all the functions that it calls.

    Raises: CompileError that names the first malformed row and the reason.
    """
    for function in reachable(program):
        if function.block is not None:
            _Checker(function).function()


class _Checker:
    """Checks a function. `pending` lists the blocks to check, each with a phrase for error messages."""

    def __init__(self, function: Function) -> None:
        self.name = function.name
        self.of = function
        self.pending: list[tuple[Block, str]] = []
        self.read: set[int] = set()

    def function(self) -> None:
        function = self.of
        block = function.block
        assert block is not None
        self.pending = [(block, "")]
        for inner, where in self.pending:  # checking a block appends its bodies to this list
            self.where = where
            _BlockChecker(self, inner).run()
        self.where = ""
        self._same(len(block.params), len(function.leaf_params), "the number of parameters")
        self._same(block.param_types, function.leaf_params, "the parameters' types")
        self._same(len(block.results), len(function.leaf_results), "the number of results")
        for of, wanted in zip(block.result_types, function.leaf_results, strict=True):
            self._fits(of, wanted, "a result")

    def fail(self, reason: str, block: Block | None = None, i: int | None = None) -> CompileError:
        """Return an error that says why row i of a block, or the whole function, is malformed."""
        row = "" if i is None or block is None else f"row {i} {_shown(block, i)} of "
        span = None if i is None or block is None else span_of(block.sources[i])
        return CompileError(f"This program is malformed at {row}{self.where}{self.name}: {reason}.", span)

    def _same(self, found: Any, wanted: Any, what: str) -> None:
        if found != wanted:
            raise self.fail(f"{what} must be {wanted!r}, but it is {found!r}")

    def _fits(self, of: RowType, wanted: RowType, what: str) -> None:
        if not fits(of, wanted):
            raise self.fail(f"{what} must have the type {wanted!r}, but it has {of!r}")


def _shown(block: Block, i: int) -> str:
    row = block.rows[i]
    if row[0] in ("loop", "cond"):
        return f"({row[0]} {row[1]})"
    if row[0] == "call":
        return f"(call {row[2].name} {row[1]})"
    return repr(row)


class _BlockChecker:
    """Checks a block. `i` is the row being checked."""

    def __init__(self, outer: _Checker, block: Block) -> None:
        self.outer, self.block = outer, block
        self.i = 0
        self.finished: set[int] = set()
        """The accumulators that have been read."""

    def expect(self, holds: bool, reason: str) -> None:
        """Raise a CompileError about the current row unless `holds` is true."""
        if not holds:
            raise self.outer.fail(reason, self.block, self.i)

    def type(self, a: int) -> RowType:
        """The type of an operand."""
        return self.block.type_of(a)

    def operand(self, a: int, wanted: RowType, what: str) -> None:
        """Require that an operand fits a type. `what` names the operand in the message."""
        self.expect(
            fits(self.type(a), wanted), f"{what} must have the type {wanted!r}, but it has {self.type(a)!r}"
        )

    def result(self, of: RowType) -> None:
        """Require that `of`, the type that follows from the row's operands, fits the row's declared type."""
        declared = self.block.types[self.i]
        self.expect(fits(of, declared), f"it declares the type {declared!r} and computes {of!r}")

    # ------------------------------------------------------------ the block

    def run(self) -> None:
        self._shape()
        for i, row in enumerate(self.block.rows):
            self.i = i
            if row[0] in ("zero", "param"):
                continue
            self.expect(row[0] in ARITY, "no such operation")
            for a in operands(row):
                self._defined(a, i)
            _RULES.get(row[0], _BlockChecker._primitive)(self, row)
        for a in self.block.results:
            self._defined(a, len(self.block.rows))
            of = self.type(a)
            is_value = of not in (EFFECT, MULTI) and not isinstance(of, Acc) and not is_growing(of)
            self.expect(is_value, f"it returns row {a}, which is no value")

    def _shape(self) -> None:
        block, fail = self.block, self.outer.fail
        if not len(block.rows) == len(block.types) == len(block.sources):
            raise fail(f"{len(block.rows)} rows, {len(block.types)} types and {len(block.sources)} sources")
        if not block.rows or block.rows[0] != ("zero",):
            raise fail("row 0 is not the symbolic zero")
        if len(block.consts) != len(block.const_types):
            raise fail(f"{len(block.consts)} constants and {len(block.const_types)} types of them")
        for value, of in zip(block.consts, block.const_types, strict=True):
            if not is_of(value, of):
                raise fail(f"the constant {value!r} is not of its type {of!r}")
        for k, row in enumerate(block.params):
            if not 0 < row < len(block.rows) or block.rows[row] != ("param", k):
                raise fail(f"row {row} is listed as parameter {k}, but does not hold `param {k}`")
        if sum(row[0] == "param" for row in block.rows) != len(block.params):
            raise fail("some rows are parameters, but the block's list of parameters lacks them")

    def _defined(self, a: Any, before: int) -> None:
        self.expect(type(a) is int, f"the operand {a!r} is no row number")
        self.expect(a != ZERO, "it uses the symbolic zero")
        self.expect(-len(self.block.consts) <= a < before, f"it uses row {a}, which is not there before it")
        self.expect(a < 0 or self.block.rows[a][0] != "zero", f"it uses row {a}, which has been taken out")

    # ------------------------------------------------------------ rows

    def _primitive(self, row: Row) -> None:
        primitive = PRIMITIVES[row[0]]
        self.expect(len(row) == 1 + len(primitive.operands), f"it expects {len(primitive.operands)} operands")
        for a, dtype in zip(row[1:], primitive.operands, strict=True):
            self.expect(
                self.type(a).dtype == dtype, f"operand {a} must be {dtype}, but it is {self.type(a)!r}"
            )
        if callable(primitive.result):
            of = primitive.result(*(self.type(a) for a in row[1:]))
            self.expect(fits(of, INT32), f"its integer may leave 32 bits: {of!r}")
            self.result(of)
        else:
            self.result(primitive.result)

    def _select(self, row: Row) -> None:
        self.operand(row[1], I1, "the condition")
        self.result(self.type(row[2]))
        self.result(self.type(row[3]))

    def _powi(self, row: Row) -> None:
        self.operand(row[1], F64, "the base")
        self.expect(type(row[2]) is int and row[2] != 0, "the power is not a whole number other than 0")
        self.result(F64)

    def _index(self, row: Row) -> None:
        of = self.type(row[1])
        self.expect(isinstance(of, Array), f"it indexes {of!r}")
        self._within(row[2], of.dims[0], row[1])
        self.result(element_type(of))

    def _within(self, i: int, n: int, array: int) -> None:
        of = self.type(i)
        self.expect(isinstance(of, I32), f"the index is {of!r}")
        of = interval(of)
        if n == 0 and of.hi <= 0:
            return  # an array without elements is read only in the body of a loop that never runs
        if self.block.rows[array][0] == "table" and i > 0 and self.block.rows[i][0] == "wrap_i64":
            return  # the array is a table of the library, and the library uses only valid indices
        self.expect(of.lo >= 0 and of.hi < n, f"the index {of!r} may leave an array of {n}")

    def _update(self, row: Row) -> None:
        of = self.type(row[1])
        self.expect(isinstance(of, Array), f"it updates {of!r}")
        self._within(row[2], of.dims[0], row[1])
        self.result(of)
        self.operand(row[3], element_type(self.block.types[self.i]), "the new element")
        self.expect(row[0] == "update" or (of.leaf is F64 and len(of.dims) == 1), f"it adds to {of!r}")

    def _stack(self, row: Row) -> None:
        of = self.block.types[self.i]
        n = len(row[1])
        self.expect(isinstance(of, Array) and of.dims[0] == n > 0, f"it stacks {n} as {of!r}")
        for a in row[1]:
            self.operand(a, element_type(of), "an element")

    def _zeros(self, row: Row) -> None:
        self.expect(isinstance(row[1], Array), f"{row[1]!r} is no array type")
        self.result(row[1])

    def _table(self, row: Row) -> None:
        of = self.block.types[self.i]
        n = len(row[1])
        self.expect(isinstance(of, Array) and of.dims == (n,), f"it holds {n} values as {of!r}")
        for value in row[1]:
            self.expect(is_of(value, of.leaf), f"the value {value!r} is not {of.leaf!r}")

    def _proj(self, row: Row) -> None:
        self.expect(row[1] > 0 and self.type(row[1]) == MULTI, f"row {row[1]} has no several results")
        structure = self.block.rows[row[1]]
        if row[2] == TRIPS:
            self.expect(
                structure[0] == "loop" and structure[2].test is not None, "only a while loop has trips"
            )
            self.result(TRIPS_TYPE)
            return
        types = _results(structure)
        self.expect(0 <= row[2] < len(types), f"there are only {len(types)} results")
        for of in types[row[2]]:
            self.result(of)

    def _check(self, row: Row) -> None:
        of = self.type(row[1])
        self.expect(isinstance(of, I32), f"it checks {of!r}")
        of = interval(of)
        self.result(I32(max(of.lo, 0), min(of.hi, row[2] - 1)))

    def _print(self, row: Row) -> None:
        self.expect(isinstance(row[2], str), "its text is missing")
        if row[0] == "require":
            self.expect([self.type(a) for a in row[1]] == [I1], "it requires no condition")

    # ------------------------------------------------------------ accumulators

    def _root(self, acc: int) -> int:
        """Find the whole accumulator for the row `acc`, which may be a view of a part of it."""
        self.expect(acc > 0 and isinstance(self.type(acc), Acc), f"{acc} is no accumulator")
        while self.block.rows[acc][0] == "acc_index":
            acc = self.block.rows[acc][1]
        self.expect(self.block.rows[acc][0] in ("acc", "param"), f"row {acc} is no accumulator")
        return acc

    def _open(self, acc: int) -> None:
        root = self._root(acc)
        self.expect(root not in self.finished, f"the accumulator {root} has been read already")

    def _acc(self, row: Row) -> None:
        of = self.block.types[self.i]
        self.expect(isinstance(of, Acc), "it declares no accumulator type")
        self.expect(len(row[1]) == is_growing(of), f"it has {len(row[1])} lengths for {of!r}")
        for a in row[1]:
            self.operand(a, TRIPS_TYPE, "the length")

    def _acc_index(self, row: Row) -> None:
        self._root(row[1])
        of = self.type(row[1])
        self.expect(bool(of.dims), "it indexes a scalar")
        self._within(row[2], of.dims[0], row[1])
        self.result(Acc(of.dims[1:]))

    def _add_to(self, row: Row) -> None:
        self._open(row[1])
        dims = self.type(row[1]).dims
        self.operand(row[2], Array(F64, dims) if dims else F64, "the summand")

    def _acc_read(self, row: Row) -> None:
        root = self._root(row[1])
        self.expect(self.block.rows[root][0] == "acc", "an accumulator is read inside a body that adds to it")
        self.finished.add(root)
        dims = self.type(row[1]).dims
        self.result(Array(F64, dims) if dims else F64)

    # ------------------------------------------------------------ structure

    def _call(self, row: Row) -> None:
        _, args, function = row
        self.expect(isinstance(function, Function), "it calls no function")
        self.expect(self.block.types[self.i] == MULTI, "it declares a single result")
        n = len(function.leaf_params)
        self.expect(len(args) == n, f"it expects {n} arguments")
        for k, (a, of) in enumerate(zip(args, function.leaf_params, strict=True)):
            self.operand(a, of, f"argument {k}")
            self.expect(not is_growing(of), f"argument {k} is a growing array")

    def _body(self, body: Block, operands: Sequence[int], params: Sequence[int], what: str) -> None:
        self.outer.pending.append((body, f"the {what} in row {self.i} of {self.outer.where}"))
        for k, (a, param) in enumerate(zip(operands, params, strict=True)):
            self.operand(a, body.types[param], f"what is bound to row {param} ({k}) of the {what}")
            if isinstance(self.type(a), Acc):
                self._open(a)

    def _loop(self, row: Row) -> None:
        _, args, loop = row
        self.expect(isinstance(loop, Loop), "it has no loop")
        self.expect(self.block.types[self.i] == MULTI, "it declares a single result")
        body: Block = loop.body
        if loop.test:
            self._test(loop, loop.test, args)
        elif loop.count is None:
            self.operand(args[0], I32(0, loop.extent), "the count")
        else:
            self.expect(0 <= loop.count <= loop.extent, f"it counts to {loop.count} of at most {loop.extent}")
        args = [*loop.parts(args).inits, *loop.parts(args).captures]
        n = len(body.params) - 1
        self.expect(n == len(args), f"{len(args)} operands for {n} parameters")
        self.expect(loop.carried <= min(n, len(body.results)), f"it cannot carry {loop.carried}")
        index = body.types[body.params[0]]
        needed = I32(0, max(loop.extent - 1, 0))
        self.expect(fits(needed, index), f"the index {index!r} does not reach as far as {needed!r}")
        for k in range(loop.carried):
            of, wanted = body.type_of(body.results[k]), body.types[body.params[1 + k]]
            self.expect(fits(of, wanted), f"carry {k} of type {wanted!r} becomes {of!r}")
            self.expect(not isinstance(wanted, Acc), f"carry {k} is an accumulator")
            self.expect(not is_growing(wanted), f"carry {k} is a growing array")
        self._body(body, args, body.params[1:], "loop")

    def _test(self, loop: Loop, test: Block, args: Sequence[int]) -> None:
        self.expect(loop.count is None and loop.extent == DYNAMIC, "a while loop has a count")
        self.expect(test.result_types == (I1,), f"its test returns {test.result_types!r}")
        self.expect(test.param_types == loop.body.param_types, "its test has other parameters than its body")
        self._body(test, args, test.params[1:], "test")

    def _cond(self, row: Row) -> None:
        _, args, cond = row
        self.expect(isinstance(cond, Cond), "it has no arms")
        self.expect(self.block.types[self.i] == MULTI, "it declares a single result")
        self.operand(args[0], I1, "the condition")
        for arm, what in ((cond.then, "then"), (cond.orelse, "else")):
            n = len(arm.params)
            self.expect(n == len(args) - 1, f"{len(args) - 1} operands for {n} parameters")
            self._body(arm, args[1:], arm.params, what)
        alike = len(cond.then.results) == len(cond.orelse.results)
        self.expect(alike, "its arms return different numbers of results")


def _results(row: Row) -> list[tuple[RowType, ...]]:
    """List the possible types of each result of a call, loop or cond row."""
    match row:
        case ("call", _, function):
            return [(of,) for of in function.leaf_results]
        case ("cond", _, cond):
            return list(zip(cond.then.result_types, cond.orelse.result_types, strict=True))
    loop = row[2]
    carried = loop.body.param_types[1 : 1 + loop.carried]
    stacked = loop.body.result_types[loop.carried :]
    return [*((of,) for of in carried), *((with_length(of, loop.extent),) for of in stacked)]


_RULES: dict[str, Callable[[_BlockChecker, Row], None]] = {
    "select": _BlockChecker._select,
    "powi": _BlockChecker._powi,
    "index": _BlockChecker._index,
    "update": _BlockChecker._update,
    "update_add": _BlockChecker._update,
    "stack": _BlockChecker._stack,
    "zeros": _BlockChecker._zeros,
    "table": _BlockChecker._table,
    "proj": _BlockChecker._proj,
    "check": _BlockChecker._check,
    "print": _BlockChecker._print,
    "require": _BlockChecker._print,
    "acc": _BlockChecker._acc,
    "acc_index": _BlockChecker._acc_index,
    "add_to": _BlockChecker._add_to,
    "acc_read": _BlockChecker._acc_read,
    "call": _BlockChecker._call,
    "loop": _BlockChecker._loop,
    "cond": _BlockChecker._cond,
}
"""Maps each operation that is not in PRIMITIVES to the method that checks its rows."""
