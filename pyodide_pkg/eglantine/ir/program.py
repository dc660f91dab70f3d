"""The intermediate representation (IR). Tracing turns a program into IR.

A **block** is a list of rows. A row is a tuple `(operation, operand, …)`. Equal rows are merged into one row.
Operands are row numbers. Constants have negative row numbers: `~k` is entry `k` of the block's constants. Row
0 is the symbolic zero, which only differentiation uses.

    ("zero",)                        row 0 of every block
    ("param", k)                     parameter k of the block
    (scalar, a, …)                   a primitive; see `primitives.SCALARS`
    ("powi", a, n)                   a to the whole power n (n is a Python int, not a row)
    ("index", array, i)              an element, or a view of the elements with first index i
    ("update", array, i, x)          the array with x as element (or part) i
    ("update_add", array, i, x)      the array of f64 with x added to element i
    ("stack", (e, …))                an array of its elements, which are scalars or arrays of one type
    ("zeros", type)                  an array of 0.0
    ("table", values)                an array of constants
    ("acc", (), n)                   a new accumulator of zeros; n distinguishes it from other accumulators
    ("acc", (length,), n)            a new accumulator whose length is known only at run time
    ("acc_index", acc, i)            a view of part of an accumulator
    ("add_to", acc, x)               effect: acc += x, where x is a scalar or an array of the same dims
    ("acc_read", acc)                the sums in `acc`; no later row adds to it
    ("check", i, n)                  i as an index from 0 to n - 1; traps if i is out of range
    ("require", (p,), text)          effect: traps with this message if p is false
    ("call", (x, …), function)       several results: read with "proj"
    ("loop", (x, …), Loop)           several results: read with "proj"
    ("cond", (p, x, …), Cond)        several results: read with "proj"
    ("proj", row, k)                 result k of a call, loop or cond; -1 for the trips of a while loop

Only loops and branches hold blocks. A body never refers to rows of the surrounding block. If it uses such
rows (its captures), they are operands of the loop or branch, and the body's last parameters stand for them.

The length of a DYNAMIC dimension is known only at run time. An array with such a dimension is *growing*. Only
differentiation makes growing arrays. They hold the values that a while loop stores in each round for the
reverse sweep. Bodies may capture and index growing arrays. A growing array cannot be a carry of a loop, or a
parameter or result of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from operator import itemgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from eglantine.errors import Span
from eglantine.types import Type

from .row_types import F64, ZERO, Row, RowType, ScalarType, with_length

T = TypeVar("T")


class Memo(Generic[T]):
    """A cache for one kind of result. The results are stored in the `memo` of functions and blocks.

    name: the kind of result. It is only used for debugging.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<memo of {self.name}>"

    def get(self, holder: Block | Function, key: Hashable) -> T | None:
        """The stored result for `key`, or None."""
        return holder.memo.get((self, key))

    def keep(self, holder: Block | Function, key: Hashable, result: T) -> T:
        """Store a result for `key` and return it. If there is one already, return the stored result.

        If several threads compute a result at the same time, all of them get the first one. If there were
        two copies of a function, equal programs could not be recognised as equal.
        """
        kept: T = holder.memo.setdefault((self, key), result)
        return kept

    def remember(self, holder: Block | Function, key: Hashable, make: Callable[[], T]) -> T:
        """Return the stored result for `key`. If there is none, compute it with make() and store it."""
        kept: T = holder.memo.get((self, key), _ABSENT)
        return self.keep(holder, key, make()) if kept is _ABSENT else kept


Kept = dict[tuple[Memo[Any], Hashable], Any]
"""Results of passes, by kind and key."""


@dataclass(slots=True, eq=False)  # not frozen, because making a frozen object takes three times as long
class Block:
    """A list of rows with parameters and results. It never changes.

    rows, types, sources: one entry for each row. The source of a row says which Python code made it. It is a
        pair (code object, offset of an instruction), from which `errors.span_of` finds the line. If no Python
        code made the row, its source is None. When differentiation adds a row for the derivative of another
        row, the new row's source is the pair (source of the other row, operation of the other row).
    consts: the constants. Row number ~k stands for consts[k], a float (F64), bool (I1) or int (I32 or I64).
    const_types: the row types of the constants.
    params: the rows that are the block's parameters, in order. Captures come last.
    results: the rows (or constants) that the block returns.
    """

    rows: tuple[Row, ...]
    types: tuple[RowType, ...]
    sources: tuple[Any, ...]
    consts: tuple[Any, ...]
    const_types: tuple[ScalarType, ...]
    params: tuple[int, ...]
    results: tuple[int, ...]
    memo: Kept = field(default_factory=dict, init=False, repr=False)
    """Results of analyses, by kind and key."""
    operations: frozenset[str] = field(init=False, repr=False)
    """The operations of the block's rows. Passes skip a block that has no operation of interest."""

    def __post_init__(self) -> None:
        self.operations = frozenset(map(_OPERATION, self.rows))

    def type_of(self, row: int) -> RowType:
        """The type of a row or constant."""
        return self.types[row] if row >= 0 else self.const_types[~row]

    @property
    def param_types(self) -> tuple[RowType, ...]:
        """The types of the parameters."""
        return tuple([self.types[row] for row in self.params])

    @property
    def result_types(self) -> tuple[RowType, ...]:
        """The types of the results."""
        types, pool = self.types, self.const_types
        return tuple([types[row] if row >= 0 else pool[~row] for row in self.results])


def with_rows(block: Block, rows: Iterable[Row]) -> Block:
    """Copy a block with other rows. The new rows must have the same number and types as the old rows."""
    about_rows = block.types, block.sources, block.consts, block.const_types
    return Block(tuple(rows), *about_rows, block.params, block.results)


def with_results(block: Block, results: Sequence[int]) -> Block:
    """Copy a block with other results. If a new result is the symbolic zero, it becomes 0.0."""
    consts, types = block.consts, block.const_types
    if ZERO in results:
        zeros = [
            k
            for k, (value, of) in enumerate(zip(consts, types, strict=True))
            if of is F64 and repr(value) == "0.0"
        ]
        zero = ~(zeros[0] if zeros else len(consts))
        if not zeros:
            consts, types = (*consts, 0.0), (*types, F64)
        results = [row or zero for row in results]
    return Block(block.rows, block.types, block.sources, consts, types, block.params, tuple(results))


class LoopOperands(NamedTuple, Generic[T]):
    """The operands of a loop in three groups. `Loop.parts` groups other lists in the same way.

    trips: the number of rounds, if a row computes it. Otherwise empty.
    inits: the initial values of the carry.
    captures: the values from outside that the body uses.
    """

    trips: Sequence[T]
    inits: Sequence[T]
    captures: Sequence[T]


class LoopParams(NamedTuple):
    """The parameters of a loop's body (or of its test), grouped by their use.

    round: the parameter with the number of the round.
    carries: the parameters with the values that one round passes to the next.
    captures: the parameters that stand for values from outside.
    """

    round: int
    carries: tuple[int, ...]
    captures: tuple[int, ...]


@dataclass(slots=True, eq=False)  # not frozen, because frozen objects take three times as long to make
class Loop:
    """A counted loop, or a while loop.

    The operands of a loop row are the count (only if a row computes it), the initial carry and the captures.

    body: its parameters are the index (an I32 from 0 to count - 1), the carry and the captures. Its results
        are the next carry, then the elements to be stacked. The results of the loop are the last carry, then
        for each stacked element an array of `extent` elements.
    count: how often the body runs. It is None if the first operand or `test` determines the number.
    extent: the largest possible count, which is the length of stacked results.
    reverse: if true, the index runs from count - 1 down to 0.
    carried: the number of values in the carry. For each value, the body has one parameter and one result.
    test: the condition of a while loop, or None. It is a block with the parameters of the body and one I1
        result. The body runs while the test is true. A while loop has the extent DYNAMIC, and it has one more
        result, TRIPS, which is the number of rounds.
    """

    body: Final[Block]
    count: Final[int | None]
    extent: Final[int]
    reverse: Final[bool]
    carried: Final[int]
    test: Final[Block | None] = None
    blocks: tuple[Block, ...] = field(init=False, repr=False)
    """The body, and the test if there is one."""
    _first: int = field(init=False, repr=False)
    """The position of the first initial carry among the operands."""

    def __post_init__(self) -> None:
        self.blocks = (self.body, self.test) if self.test else (self.body,)
        self._first = 0 if self.count is not None or self.test else 1

    def with_body(self, body: Block) -> Loop:
        """The loop with another body."""
        return Loop(body, self.count, self.extent, self.reverse, self.carried, self.test)

    def parts(self, operands: Sequence[T]) -> LoopOperands[T]:
        """Split a list into three groups. The list has an entry for each operand of the loop's row."""
        first = self._first
        end = first + self.carried
        return LoopOperands(operands[:first], operands[first:end], operands[end:])

    def captured(self, operands: Sequence[T]) -> list[tuple[int, T]]:
        """Pair each captured parameter of the body with the entry in `operands` that belongs to it."""
        carried = self.carried
        return list(zip(self.body.params[1 + carried :], operands[self._first + carried :], strict=True))

    def given(self, block: Block, operands: Sequence[T]) -> list[tuple[int, T]]:
        """Pair each parameter of the body or the test with the operand that is its initial value.

        The parameter for the number of the round is left out, because it has no operand.
        """
        return list(zip(block.params[1:], operands[self._first :], strict=True))

    @property
    def params(self) -> LoopParams:
        """The parameters of the body in three groups. The parameters of the test have the same order."""
        params, end = self.body.params, 1 + self.carried
        return LoopParams(params[0], params[1:end], params[end:])


@dataclass(slots=True, eq=False)
class Cond:
    """A branch: one of its two arms runs. The operands of its row are the condition and the captures.

    then, orelse: the two arms. Their parameters have the same types, and their results have the same types.
    """

    then: Final[Block]
    orelse: Final[Block]
    blocks: tuple[Block, ...] = field(init=False, repr=False)
    """Both arms."""

    def __post_init__(self) -> None:
        self.blocks = self.then, self.orelse

    def given(self, block: Block, operands: Sequence[T]) -> list[tuple[int, T]]:
        """Pair each parameter of an arm with the operand that it receives."""
        return list(zip(block.params, operands[1:], strict=True))


def holding(info: Any, blocks: Sequence[Block]) -> Any:
    """Copy a loop or branch, and replace its blocks by `blocks`."""
    if isinstance(info, Cond):
        return Cond(*blocks)
    return Loop(blocks[0], info.count, info.extent, info.reverse, info.carried, *blocks[1:])


def with_bodies(block: Block, change: Callable[[Block], Block]) -> Block:
    """Copy a block, and apply `change` to the bodies of its loops and branches."""
    rows: list[Row] = []
    for i, row in enumerate(block.rows):
        if row[0] in NESTING:
            op, args, info = row
            blocks = tuple(map(change, info.blocks))
            if blocks != info.blocks:
                rows = rows or list(block.rows)
                rows[i] = (op, args, holding(info, blocks))
    return with_rows(block, rows) if rows else block


@dataclass(slots=True, eq=False)
class Function:
    """A first-order function: a block or a host function, with its types and properties.

    name: the name in messages and listings.
    params, result: the user's types. Each type flattens to leaves. The parameters of the block are the leaves
        of all `params` in order, then `hidden` more parameters for values that are captured from an enclosing
        trace. The results of the block are the leaves of `result`.
    block: the body, or None for an opaque host function.
    host: the Python callable of an opaque function.
    pure: true if calls may be merged, dropped or repeated. A block is pure if it has no effects.
    merges: true if equal calls of an impure function may be merged. For example, one check of an index is
        enough, but it must run even if nothing uses the call's result.
    rule: None, or a callable that returns the custom derivative as a function (x…, dx…) → (y…, dy…).
    linear: the number n for which the function is linear in its last n parameters. The parameters before them
        are called residuals. If there is no `transposed`, `linear` is 0.
    transposed: if `linear` > 0, a callable that returns the function (residuals…, ct_y…) → (ct_x…).
    policy: how reverse mode treats the function. "plain": without any of the following changes. "checkpoint":
        compute its values again instead of storing them. "forward": differentiate it by forward mode.
    columns: for the policy "forward", a callable that returns the functions x… → (y…, Jacobian…) and
        (Jacobian…, ct_y…) → ct_x…. Both functions work only on leaves that are Reals.
    order: how many times the function has been differentiated.
    memo: stored results of transforms, by kind and key. A copy made by `replace` begins with an empty memo.
    """

    name: str
    params: tuple[Type, ...]
    result: Type
    block: Block | None
    host: Any = None
    pure: bool = True
    merges: bool = False
    rule: Callable[[], Function] | None = None
    linear: int = 0
    transposed: Any = None
    policy: str = "plain"
    columns: Any = None
    order: int = 0
    hidden: int = 0
    param_names: tuple[str, ...] = ()
    span: Span | None = None
    memo: Kept = field(default_factory=dict, init=False, repr=False)
    leaf_params: tuple[RowType, ...] = ()
    leaf_results: tuple[RowType, ...] = ()
    """The row types of the flattened parameters and results. If there is a block, they are the block's."""

    def __post_init__(self) -> None:
        if self.block is not None:
            self.pure = self.pure and not has_effects(self.block)


def made_once(make: Callable[[str], Function]) -> Callable[[str], Function]:
    """Return a function that calls `make` once for each name and remembers the result."""
    functions: dict[str, Function] = {}

    @wraps(make)
    def get(name: str) -> Function:
        return functions.get(name) or functions.setdefault(name, make(name))

    return get


def has_effects(block: Block, checks: bool = False) -> bool:
    """True if a block prints or calls an impure function. If `checks` is true, a possible trap counts too."""
    if block.operations.isdisjoint(_MAY_ACT):
        return False
    key = _EFFECTS, checks
    if key in block.memo:
        return bool(block.memo[key])
    seen, pending = {block}, [block]
    for inner in pending:  # the list grows in the loop
        for row in () if inner.operations.isdisjoint(_MAY_ACT) else inner.rows:
            if row[0] in NESTING:
                bodies = row[2].blocks
                pending += [body for body in bodies if body not in seen and body.memo.get(key) is not False]
                seen.update(bodies)
            elif row[0] in _MAY_ACT and acts(row, checks):
                block.memo[key] = True
                return True
    for inner in pending:
        inner.memo[key] = False
    return False


def acts(row: Row, checks: bool = False) -> bool:
    """True if a row, or a row in its bodies, prints or calls an impure function.

    checks: if true, the result is also true for a row that may trap.
    """
    op = row[0]
    if op in NESTING:
        return any(has_effects(body, checks) for body in row[2].blocks)
    return op in ACTIONS or (checks and op == "check") or (op == "call" and not row[2].pure)


_OPERATION = itemgetter(0)
_ABSENT: Final[Any] = object()
_EFFECTS: Final = Memo[bool]("effects")

ACTIONS = frozenset({"print", "require"})
"""Operations that have an effect and no value. Their rows hold operands and a text."""

NESTING = frozenset({"loop", "cond"})
"""Operations whose rows hold blocks. A new operation of this kind must be listed here, because analyses,
copies of bodies and the reverse sweep use this set to find bodies."""

_MAY_ACT = frozenset({*ACTIONS, *NESTING, "call", "check"})


def loop_results(loop: Loop) -> tuple[RowType, ...]:
    """The types of a loop's results."""
    body, n, extent = loop.body, loop.carried, loop.extent
    types, pool = body.types, body.const_types
    stacked = [types[row] if row >= 0 else pool[~row] for row in body.results[n:]]
    return (*[types[row] for row in body.params[1 : 1 + n]], *[with_length(of, extent) for of in stacked])
