"""The oracle runs the rows of a function one by one, on any kind of number.

Tests compare the results of compiled code with the oracle's. Rows run exactly in order. No row is skipped,
merged or delayed. Calls, loops and branches push frames on a list, so deep programs do not reach Python's
recursion limit. A scalar is a number or a bool. An array is a nested list that never changes. An accumulator
is a pair `(holder, key)`. Its sum is stored in `holder[key]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeAlias

from eglantine.errors import ShapeError
from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import Block, Function, Loop, Memo
from eglantine.ir.row_types import DYNAMIC, F64, I1, Array, RowType
from eglantine.ir.traps import DIVIDED_BY_ZERO
from eglantine.plain.marshal import on_leaves

from .acts import _act, _zero_of
from .arithmetic import Arithmetic, arithmetic_of

Library = Callable[[str], Function]
Step: TypeAlias = tuple[int, int, Any, Any, Any]
"""(kind, row, act, a, b). For a UNARY or BINARY primitive, the act evaluates it on the rows a and b.

For the other kinds see `_steps`.
"""

UNARY, BINARY, OTHER, ENTER = range(4)


def run(function: Function, arguments: Sequence[Any], library: Library) -> list[Any]:
    """Run a function on the leaf values `arguments`. Return the leaf values of its result.

    library: a function that returns the library function for the name of a primitive without `evaluate`.

    If the arguments are not floats, we use the operators and methods of their class. In this case, constants
    that are whole numbers become ints, and other constants are converted to the arguments' type.

    Raises: ShapeError if an index is out of range. TypeMismatchError if the numbers lack an operation.
    """
    arithmetic = arithmetic_of(arguments)
    if function.block is None:
        return _call_host(function, arguments)
    if arithmetic.on_floats:
        arguments = floats_of(function, arguments)
    results = _execute(_plan_of(function, _Machine(arithmetic, library)), arguments)
    if not arithmetic.on_floats:
        _ = [bool(x) for x, of in zip(results, function.block.result_types, strict=True) if of is I1]
    return results


class Watch(Protocol):
    """An observer of a run.

    arithmetic: the kind of number that the function runs on.
    plans: maps each function that has run to its `Plan`. The machine adds the entries.
    waiting: the callers of the current frame, outermost first.
    """

    arithmetic: Any
    plans: dict[Any, Plan]
    waiting: list[_Return]

    def steps(self, block: Block, steps: Sequence[Step]) -> list[Step]:
        """Return the steps to run for a block. `steps` are the block's own steps."""

    def passed(self, carry: list[Any]) -> None:
        """The interpreter calls this at the end of each round of a while loop, with the loop's carry."""


def run_watched(function: Function, arguments: Sequence[Any], library: Library, watch: Watch) -> list[Any]:
    """Run a function that has a block, with the steps that `watch` chooses. Return its results."""
    machine = _Machine(watch.arithmetic, library, watch)
    return _execute(_plan_of(function, machine), arguments, watch.waiting)


def floats_of(function: Function, arguments: Sequence[Any]) -> list[Any]:
    """Return a function's arguments. Each int that is used as a Real is converted to a float."""
    assert function.block is not None
    return [_floats(x, of) for x, of in zip(arguments, function.block.param_types, strict=True)]


def _floats(value: Any, of: RowType) -> Any:
    """Return an argument of type `of`. If the type is Real, convert each int in it to a float."""
    if (of.leaf if isinstance(of, Array) else of) is not F64:
        return value
    if not isinstance(value, list):
        return float(value)
    return value if set(map(type, value)) <= {float} else [_floats(x, of) for x in value]


_WHOLE_DIVISIONS: Final = frozenset({"ifloordiv", "imod", "iquotient", "iremainder"})


class _Machine:
    """The settings of a run: its arithmetic, its library, and its watch (or None)."""

    __slots__ = ("arithmetic", "library", "watch")

    def __init__(self, arithmetic: Arithmetic, library: Library, watch: Watch | None = None) -> None:
        self.arithmetic = arithmetic
        self.library = library
        self.watch = watch

    def evaluation(self, name: str) -> Callable[..., Any]:
        """Return the function that computes primitive `name`."""
        evaluate = PRIMITIVES[name].evaluate
        if evaluate is None:
            return self.arithmetic.library_call(name, self.library_body(name))
        if name in _WHOLE_DIVISIONS:
            return _dividing(evaluate)
        return self.arithmetic.evaluation(name, evaluate)

    def library_body(self, name: str) -> Callable[..., Any]:
        """Return the library function `name` for floats. It calls only simpler functions of the library."""
        floats = self if self.arithmetic.on_floats else _Machine(arithmetic_of(()), self.library)
        plan: Plan | None = None

        def call(*arguments: Any) -> Any:
            nonlocal plan
            if plan is None:
                plan = _plan_of(self.library(name), floats)
            return _execute(plan, arguments)[0]

        return call


def _dividing(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    """Make a division of indices raise an error for the divisor 0. Compiled code traps in this case."""

    def call(a: int, b: int) -> Any:
        if b == 0:
            raise ShapeError(DIVIDED_BY_ZERO)
        return evaluate(a, b)

    return call


class Plan:
    """A block prepared to run.

    frame: the list of values at the start of a run. It has an entry for each row, and then the constants in
        reverse order. The row number of a constant is negative, so it counts from the end of the list.
    steps: the rows to run, in order.
    """

    __slots__ = ("_inner", "block", "frame", "machine", "params", "results", "steps")

    def __init__(self, block: Block, machine: _Machine) -> None:
        arithmetic = machine.arithmetic
        self.block = block
        self.machine = machine
        constants = [arithmetic.constant(c) if type(c) is float else c for c in block.consts]
        self.frame: list[Any] = [None] * len(block.rows) + constants[::-1]
        self.frame[0] = arithmetic.zero
        self.params = block.params
        self.results = block.results
        self.steps: list[Step] = list(_steps(block, machine))
        if machine.watch is not None:
            self.steps = machine.watch.steps(block, self.steps)
        self._inner: dict[int, Plan] = {}

    def inner(self, block: Block) -> Plan:
        """Return the plan of a body or arm in this block. Make the plan when it is first needed."""
        plan = self._inner.get(id(block))
        if plan is None:
            plan = self._inner[id(block)] = Plan(block, self.machine)
        return plan

    def enter(self, arguments: Sequence[Any]) -> list[Any]:
        """Make a new frame. Set the parameters to the given arguments."""
        values = self.frame.copy()
        for row, value in zip(self.params, arguments, strict=True):
            values[row] = value
        return values


def _plan_of(function: Function, machine: _Machine) -> Plan:
    """Return a function's plan. It is stored in the watch if there is a watch, otherwise in the function."""
    watch, key = machine.watch, machine.arithmetic.key
    plan = PLANS.get(function, key) if watch is None else watch.plans.get(function)
    if plan is None:
        assert function.block is not None
        plan = Plan(function.block, machine)
        if watch is None:
            PLANS.keep(function, key, plan)
        else:
            watch.plans[function] = plan
    return plan


def _steps(block: Block, machine: _Machine) -> Iterator[Step]:
    evaluations: dict[str, Callable[..., Any]] = {}
    for number, row in enumerate(block.rows):
        op = row[0]
        if op in PRIMITIVES:
            evaluate = evaluations.get(op)
            if evaluate is None:
                evaluate = evaluations[op] = machine.evaluation(op)
            if len(row) == 2:
                yield UNARY, number, evaluate, row[1], None
            else:
                yield BINARY, number, evaluate, row[1], row[2]
        elif op in _ENTERING:
            yield ENTER, number, _ENTERING[op], row, None
        elif op not in {"zero", "param"}:
            yield OTHER, number, _act(block, number, machine.arithmetic), None, None


class _Return:
    """A caller that waits for the end of a frame, which is a called function, an arm or a round of a loop.

    plan, values, steps: the caller's plan, its values, and the steps that it still has to run.
    row: the caller's row that gets the results.
    round: the index of the current round of the loop, or None if the frame is not a round.
    """

    round: int | None = None

    __slots__ = ("plan", "row", "steps", "values")

    def __init__(self, plan: Plan, values: list[Any], steps: Iterator[Step], row: int) -> None:
        self.plan, self.values, self.steps, self.row = plan, values, steps, row

    def again(self, results: list[Any]) -> tuple[Plan, list[Any]] | None:
        """Store the finished frame's results. Return the next frame to run, or None to resume the caller."""
        self.values[self.row] = results
        return None


def _execute(plan: Plan, arguments: Sequence[Any], waiting: list[_Return] | None = None) -> list[Any]:
    """Run a plan with a stack of frames, and return its results.

    waiting: the list that holds the stack. A watch passes its own list, so that it can see the callers.
    """
    waiting = [] if waiting is None else waiting
    values, steps = plan.enter(arguments), iter(plan.steps)
    while True:
        for kind, row, act, a, b in steps:
            if kind == BINARY:
                values[row] = act(values[a], values[b])
            elif kind == UNARY:
                values[row] = act(values[a])
            elif kind == OTHER:
                values[row] = act(values)
            else:
                returning = _Return(plan, values, steps, row)
                entered = act(returning, a)
                if entered is not None:
                    returning, plan, values = entered
                    waiting.append(returning)
                    steps = iter(plan.steps)
                    break
        else:
            results = [values[row] for row in plan.results]
            if not waiting:
                return results
            returning = waiting[-1]
            following = returning.again(results)
            if following is None:
                waiting.pop()
                plan, values, steps = returning.plan, returning.values, returning.steps
            else:
                plan, values = following
                steps = iter(plan.steps)


Entered: TypeAlias = tuple[_Return, Plan, list[Any]] | None
"""The caller that waits, and the plan and values of the frame to run. None if no frame has to run."""


def _enter_call(returning: _Return, row: Any) -> Entered:
    _, operands, function = row
    arguments = [returning.values[x] for x in operands]
    if function.block is None:
        returning.values[returning.row] = _call_host(function, arguments)
        return None
    plan = _plan_of(function, returning.plan.machine)
    return returning, plan, plan.enter(arguments)


def _call_host(function: Function, arguments: Sequence[Any]) -> list[Any]:
    call = HOSTS.remember(
        function, None, lambda: on_leaves(function.host, function.params, function.result, function.name)
    )
    return call(*arguments)


def _enter_cond(returning: _Return, row: Any) -> Entered:
    _, (p, *operands), cond = row
    values = returning.values
    plan = returning.plan.inner(cond.then if values[p] else cond.orelse)
    return returning, plan, plan.enter([values[x] for x in operands])


class _LoopReturn(_Return):
    """A counted loop that waits for a round to end, and then starts the next one."""

    __slots__ = ("body", "carried", "frame", "indices", "stacked")

    def __init__(self, outer: _Return, loop: Loop, arguments: list[Any], count: int) -> None:
        super().__init__(outer.plan, outer.values, outer.steps, outer.row)
        self.body = outer.plan.inner(loop.body)
        self.carried = loop.carried
        self.indices = iter(range(count - 1, -1, -1) if loop.reverse else range(count))
        zero = self.plan.machine.arithmetic.zero
        length = count if loop.extent == DYNAMIC else loop.extent
        self.stacked = [[_zero_of(of, zero)] * length for of in loop.body.result_types[loop.carried :]]
        self.frame = self.body.enter([next(self.indices), *arguments])

    @property
    def round(self) -> int:  # type: ignore[override]
        index: int = self.frame[self.body.params[0]]
        return index

    def again(self, results: list[Any]) -> tuple[Plan, list[Any]] | None:
        frame, params, carried = self.frame, self.body.params, self.carried
        i = frame[params[0]]
        for column, value in zip(self.stacked, results[carried:], strict=True):
            column[i] = value
        following = next(self.indices, None)
        if following is None:
            self.values[self.row] = [*results[:carried], *self.stacked]
            return None
        frame[params[0]] = following
        for row, value in zip(params[1 : 1 + carried], results, strict=False):
            frame[row] = value
        return self.body, frame


class _WhileReturn(_Return):
    """A while loop that waits for its test or its body to end. It runs test and body in turn."""

    __slots__ = ("arguments", "body", "carried", "frame", "stacked", "test", "tests", "trips")

    def __init__(self, outer: _Return, loop: Loop, arguments: list[Any]) -> None:
        super().__init__(outer.plan, outer.values, outer.steps, outer.row)
        assert loop.test is not None
        self.body, self.test = outer.plan.inner(loop.body), outer.plan.inner(loop.test)
        self.carried = loop.carried
        self.stacked: list[list[Any]] = [[] for _ in loop.body.results[loop.carried :]]
        self.trips = 0
        self.tests = True
        self.arguments = [0, *arguments]
        self.frame = self.test.enter(self.arguments)

    @property
    def round(self) -> int:  # type: ignore[override]
        return self.trips

    def again(self, results: list[Any]) -> tuple[Plan, list[Any]] | None:
        carried, arguments = self.carried, self.arguments
        if self.tests and not results[0]:
            self.values[self.row] = [*arguments[1 : 1 + carried], *self.stacked, self.trips]
            return None
        if not self.tests:
            if self.plan.machine.watch is not None:
                self.plan.machine.watch.passed(results)
            self.trips += 1
            arguments[: 1 + carried] = [self.trips, *results[:carried]]
            for column, value in zip(self.stacked, results[carried:], strict=True):
                column.append(value)
        self.tests = not self.tests
        plan = self.test if self.tests else self.body
        return plan, plan.enter(arguments)


def _enter_loop(returning: _Return, row: Any) -> Entered:
    _, operands, loop = row
    arguments = [returning.values[x] for x in operands]
    if loop.test:
        testing = _WhileReturn(returning, loop, arguments)
        return testing, testing.test, testing.frame
    count = arguments.pop(0) if loop.count is None else loop.count
    if count <= 0:
        zero = returning.plan.machine.arithmetic.zero
        length = loop.extent % DYNAMIC
        empty = [[_zero_of(of, zero)] * length for of in loop.body.result_types[loop.carried :]]
        returning.values[returning.row] = [*arguments[: loop.carried], *empty]
        return None
    waiting = _LoopReturn(returning, loop, arguments, count)
    return waiting, waiting.body, waiting.frame


_ENTERING: Final = {"call": _enter_call, "loop": _enter_loop, "cond": _enter_cond}

PLANS: Final[Memo[Plan]] = Memo("plan")
HOSTS: Final[Memo[Callable[..., list[Any]]]] = Memo("host")
