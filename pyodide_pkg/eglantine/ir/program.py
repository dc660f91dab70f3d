"""The intermediate representation: what a program is once it has been traced.

A **block** is a list of rows. A row is a tuple `(operation, …)`, at once its instruction and its hash-cons
key; the value a row computes *is* the row's number. Constants have negative numbers: `~k` is entry `k` of the
block's pool. Row 0 is the symbolic zero, which only differentiation meets.

    ("zero",)                        row 0 of every block
    ("param", k)                     parameter k of the block
    (scalar, a, …)                   a primitive; see `primitives.PRIMITIVES`
    ("powi", a, n)                   a to the whole power n (n is a Python int, not a row)
    ("index", array, i)              an element, or a view of all elements that begin with index i
    ("update", array, i, x)          the array with x as element (or part) i
    ("update_add", array, i, x)      the array of f64 with x added to element i
    ("stack", (e, …))                an array of its elements, which are scalars or arrays of one type
    ("zeros", type)                  an array of 0.0
    ("table", values)                an array of constants
    ("acc", (), n)                   a new accumulator, all 0.0; n only tells it from others
    ("acc", (length,), n)            likewise, of a length that only the run knows
    ("acc_index", acc, i)            a view of part of an accumulator
    ("add_to", acc, x)               effect: acc += x, x being a scalar or an array of the accumulator's dims
    ("acc_read", acc)                the sums; nothing is added to `acc` after this row
    ("check", i, n)                  i as an index from 0 to n - 1; a trap if it is not one
    ("require", (p,), text)          effect: a trap that says the text, unless p holds
    ("call", (x, …), function)       several results: read with "proj"
    ("loop", (x, …), Loop)           likewise
    ("cond", (p, x, …), Cond)        likewise
    ("proj", row, k)                 result k of a call, loop or cond; -1 is how often a while loop ran

Only structure holds blocks, and a block knows nothing of the one around it: what a body uses from outside is
passed to it as operands (captures), bound to its last parameters.

A dimension that is DYNAMIC is known only to the run. Only differentiation makes such *growing* arrays: they
hold what the rounds of a while loop left behind, and are captured and indexed, never carried, returned or
passed to a call.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from operator import itemgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from eglantine.errors import Span
from eglantine.types import Type

from .row_types import F64, ZERO, Row, RowType, _with_length

T = TypeVar("T")


class Memo(Generic[T]):
    """One kind of result that a pass keeps with the functions or blocks that it has looked at.

    name: for whoever looks at a memo.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<memo of {self.name}>"

    def get(self, holder: Block | Function, key: Hashable) -> T | None:
        """The result that is kept for `key`, or None."""
        return holder.memo.get((self, key))

    def keep(self, holder: Block | Function, key: Hashable, result: T) -> T:
        """Keep a result for `key` and return it, or return the result that is kept already.

        Threads that ask at the same time may all compute it, and all get the first one: programs that use
        two copies of a function would not be recognised as the same.
        """
        kept: T = holder.memo.setdefault((self, key), result)
        return kept

    def remember(self, holder: Block | Function, key: Hashable, make: Callable[[], T]) -> T:
        """The result that is kept for `key`; make() if there is none."""
        kept: T = holder.memo.get((self, key), _ABSENT)
        return self.keep(holder, key, make()) if kept is _ABSENT else kept


Kept = dict[tuple[Memo[Any], Hashable], Any]
"""Results of passes, by kind and key."""


@dataclass(slots=True, eq=False)  # not frozen, which triples the time of making one
class Block:
    """A list of rows with parameters and results, which nobody changes.

    rows, types, sources: one entry a row; a source, where the row comes from, is None or a pair of a code
        object and the offset of its instruction, resolved only when shown (`errors.span_of`). A row that a
        derivative adds has the source of the row that it differentiates, and that row's operation.
    consts: the pool; row number ~k is consts[k]: a float (F64), a bool (I1), an int (I32).
        const_types: their row types (I64 constants are ints too).
    params: the rows that are its parameters, in order; captures come last.
    results: the rows (or constants) it returns.
    """

    rows: tuple[Row, ...]
    types: tuple[RowType, ...]
    sources: tuple[Any, ...]
    consts: tuple[Any, ...]
    const_types: tuple[RowType, ...]
    params: tuple[int, ...]
    results: tuple[int, ...]
    memo: Kept = field(default_factory=dict, init=False, repr=False)
    """What analyses have found of it."""

    def type_of(self, row: int) -> RowType:
        """The type of a row or constant."""
        return self.types[row] if row >= 0 else self.const_types[~row]

    @property
    def operations(self) -> frozenset[str]:
        """The operations of its rows: what is not among them, no pass has to look for."""
        operations: frozenset[str] | None = self.memo.get(_OPERATIONS)
        if operations is None:
            operations = self.memo[_OPERATIONS] = frozenset(map(_OPERATION, self.rows))
        return operations

    @property
    def param_types(self) -> tuple[RowType, ...]:
        """The types of the parameters."""
        return tuple([self.types[row] for row in self.params])

    @property
    def result_types(self) -> tuple[RowType, ...]:
        """The types of the results."""
        types, pool = self.types, self.const_types
        return tuple([types[row] if row >= 0 else pool[~row] for row in self.results])


def with_results(block: Block, results: Sequence[int]) -> Block:
    """The same rows with other results, of which the symbolic zero becomes 0.0."""
    consts, types = block.consts, block.const_types
    if ZERO in results:
        known = [
            k
            for k, (value, of) in enumerate(zip(consts, types, strict=True))
            if of is F64 and repr(value) == "0.0"
        ]
        zero = ~(known[0] if known else len(consts))
        if not known:
            consts, types = (*consts, 0.0), (*types, F64)
        results = [row or zero for row in results]
    return replace(block, consts=consts, const_types=types, results=tuple(results))


class LoopOperands(NamedTuple, Generic[T]):
    """The operands of a loop's row, or one entry for each of them, by their use.

    trips: the count, if a row says it; else empty.
    inits: the initial carries.
    captures: the values from outside that the body uses.
    """

    trips: Sequence[T]
    inits: Sequence[T]
    captures: Sequence[T]


class LoopParams(NamedTuple):
    """The parameters of a loop's body (or of its test), by their use.

    round: the number of the round.
    carries: the values that one round hands to the next.
    captures: the values from outside.
    """

    round: int
    carries: tuple[int, ...]
    captures: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A counted loop, or a while loop. Operands of its row: [count if it is a row,] initial carry, captures.

    body: parameters are the index (an I32 from 0 to count - 1), the carry, the captures; results are the next
        carry, then what is stacked. The loop's results are the last carry, then one array (of `extent`
        elements) each.
    count: how often the body runs, or None where the first operand, or `test`, says it.
    extent: the greatest possible count; the length of stacked results.
    reverse: whether the index runs from count - 1 down to 0.
    carried: how many of the parameters and results are carry.
    test: of a while loop, a block with the body's parameters: the body runs as long as its one result, an I1,
        holds. The extent is DYNAMIC, and result TRIPS of the loop is how often the body ran.
    """

    body: Block
    count: int | None
    extent: int
    reverse: bool
    carried: int
    test: Block | None = None

    @property
    def first_init(self) -> int:
        """The position of the first initial carry among the operands."""
        return 0 if self.count is not None or self.test else 1

    def parts(self, operands: Sequence[T]) -> LoopOperands[T]:
        """Cut the operands of the loop's row (or one entry for each) by their use."""
        first = self.first_init
        end = first + self.carried
        return LoopOperands(operands[:first], operands[first:end], operands[end:])

    def captured(self, operands: Sequence[T]) -> list[tuple[int, T]]:
        """Pair each parameter of the body that stands for a value from outside with its operand."""
        captures = operands[self.first_init + self.carried :]
        return list(zip(self.body.params[1 + self.carried :], captures, strict=True))

    @property
    def params(self) -> LoopParams:
        """The parameters of the body by their use; those of the test are the same."""
        params, end = self.body.params, 1 + self.carried
        return LoopParams(params[0], params[1:end], params[end:])

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The body, and the test if there is one."""
        return (self.body, self.test) if self.test else (self.body,)


@dataclass(frozen=True, slots=True, eq=False)
class Cond:
    """A branch, of which one arm runs. Operands of its row: the condition, then the arms' parameters.

    then, orelse: blocks with the same parameter and result types.
    """

    then: Block
    orelse: Block

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Both arms."""
        return self.then, self.orelse


def holding(info: Any, blocks: Sequence[Block]) -> Any:
    """A loop or branch of other blocks."""
    names = ("then", "orelse") if isinstance(info, Cond) else ("body", "test")
    return replace(info, **dict(zip(names, blocks, strict=False)))


def with_bodies(block: Block, change: Callable[[Block], Block]) -> Block:
    """The block with the bodies of its loops and branches changed."""
    if block.operations.isdisjoint(NESTING):
        return block
    rows: list[Row] = []
    for i, row in enumerate(block.rows):
        if row[0] in NESTING:
            op, args, info = row
            blocks = tuple(map(change, info.blocks))
            if blocks != info.blocks:
                rows = rows or list(block.rows)
                rows[i] = (op, args, holding(info, blocks))
    return replace(block, rows=tuple(rows)) if rows else block


@dataclass(slots=True, eq=False)
class Function:
    """A first-order function: a block, or a host function, and what is known of it.

    name: for messages and listings.
    params, result: the user's types. Each flattens to leaves; the block's parameters are those of all
        `params` in order, then captured rows of an enclosing trace (`hidden` of them); its results are the
        leaves of `result`.
    block: the body, or None for an opaque host function.
    host: of an opaque function, the Python callable.
    pure: whether calls may be merged, dropped or repeated; of a block, that nothing in it acts on the world.
    rule: of a function with a custom derivative, a callable that returns it as a function
        (x…, dx…) → (y…, dy…); else None.
    linear: of a linear map that is given with its transpose, how many of its last parameters it is linear in;
        those before are residuals.
    transposed: of such a map, a callable that returns the function (residuals…, ct_y…) → (ct_x…).
    policy: "plain"; "checkpoint", which reverse mode computes again; or "forward", which reverse mode
        differentiates in the forward direction.
    columns: of policy "forward", a callable that returns the functions x… → (y…, Jacobian…) and
        (Jacobian…, ct_y…) → ct_x…, of real leaves.
    order: how many derivatives, one of the other, it is.
    memo: what passes have made of it; a copy by `replace` begins with none.
    """

    name: str
    params: tuple[Type, ...]
    result: Type
    block: Block | None
    host: Any = None
    pure: bool = True
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
    """Row types of the flattened parameters and results (of a block: the block's own)."""

    def __post_init__(self) -> None:
        if self.block is not None:
            self.pure = self.pure and not has_effects(self.block)


def made_once(make: Callable[[str], Function]) -> Callable[[str], Function]:
    """A function that calls `make` once for each name and keeps what that returns."""
    functions: dict[str, Function] = {}

    @wraps(make)
    def get(name: str) -> Function:
        return functions.get(name) or functions.setdefault(name, make(name))

    return get


def has_effects(block: Block, checks: bool = False) -> bool:
    """Whether a block prints or calls an impure function, or, with `checks`, may trap."""
    seen = {block}
    pending = [block]
    while pending:
        inner = pending.pop()
        for row in () if inner.operations.isdisjoint(_MAY_ACT) else inner.rows:
            if row[0] in NESTING:
                pending += [body for body in row[2].blocks if body not in seen]
                seen.update(row[2].blocks)
            elif row[0] in _MAY_ACT and acts(row, checks):
                return True
    return False


def acts(row: Row, checks: bool = False) -> bool:
    """Whether a row prints or calls an impure function, or, with `checks`, may trap; or one in its bodies."""
    op = row[0]
    if op in NESTING:
        return any(has_effects(body, checks) for body in row[2].blocks)
    return op in ACTIONS or (checks and op == "check") or (op == "call" and not row[2].pure)


def size_of(block: Block) -> int:
    """How many rows a block and the bodies in it have."""
    size = 0
    pending = [block]
    while pending:
        inner = pending.pop()
        size += len(inner.rows)
        if not inner.operations.isdisjoint(NESTING):
            pending.extend(body for row in inner.rows if row[0] in NESTING for body in row[2].blocks)
    return size


_OPERATION = itemgetter(0)
_OPERATIONS: Final = (Memo[frozenset[str]]("operations"), None)
_ABSENT: Final[Any] = object()

ACTIONS = frozenset({"print", "require"})
"""Rows that only act: their operands and a text."""

NESTING = frozenset({"loop", "cond"})
"""Rows that hold blocks."""

_MAY_ACT = frozenset({*ACTIONS, *NESTING, "call", "check"})


def loop_results(loop: Loop) -> tuple[RowType, ...]:
    """The types of a loop's results."""
    types = loop.body.result_types
    carried = loop.body.param_types[1 : 1 + loop.carried]
    return (*carried, *(_with_length(of, loop.extent) for of in types[loop.carried :]))
