"""Run the interpreter on floats that remember which row made them infinite or NaN."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from eglantine import ieee as numbers
from eglantine.functions.fn import Fn
from eglantine.interpreter.machine import BINARY, OTHER, UNARY, Plan, Step, floats_of, run_watched
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import F64, Row
from eglantine.mathlib.library import library
from eglantine.plain.marshal import flatten

from .diagnosis import Diagnosis, _diagnosis, _first_span
from .reasons import _Event, _NotFinite, _remembering


class _Endless(Exception):  # noqa: N818
    """Raised if while loops run too many rounds. Its argument is the carry of the running loop."""


class _Watch:
    """Makes the interpreter's floats remember their origin, the event that made them infinite or NaN.

    The interpreter uses an object of this class in two roles. As its `Arithmetic`, the object marks constants
    that are not finite. As its `Watch`, it changes the interpreter's steps so that each result that is not
    finite remembers its origin.

    function: the function to diagnose.
    most_rounds: the largest total number of rounds of all while loops.
    rounds: the number of rounds so far.
    events: the number of results so far that were not finite.
    """

    key = "watch"
    on_floats = False
    zero = 0.0
    power = staticmethod(numbers.power)

    def __init__(self, function: Function, most_rounds: float) -> None:
        self.function = function
        self.most_rounds = most_rounds
        self.rounds = 0
        self.plans: dict[Any, Plan] = {}
        self.waiting: list[Any] = []
        self.arithmetic = self
        self.events = 0

    def run(self, h: Fn, args: Sequence[Any], what: str) -> Diagnosis | None:
        """Diagnose h's results at these arguments. Return None if they are finite.

        what: the name of the results in the diagnosis, such as "the value".
        """
        flat = [
            (leaf, name)
            for arg, of, name in zip(args, h.function.params, h.function.param_names, strict=True)
            for leaf in flatten(arg, of, f"argument {name} of {h.__name__}")
        ]
        plain = floats_of(h.function, [leaf for leaf, _ in flat])
        marked = [self._marked(x, ("argument", name)) for x, (_, name) in zip(plain, flat, strict=True)]
        what = f"{what} of {self.function.name}"
        endless = None
        try:
            results = run_watched(h.function, marked, library, self)
        except _Endless as error:
            endless, (results,) = self._endless(what), error.args
        earliest = min(_not_finite(results), key=lambda x: x.event.order, default=None)
        return endless if earliest is None else _diagnosis(earliest, what, self.function.span)

    def passed(self, carry: list[Any]) -> None:
        self.rounds += 1
        if self.rounds > self.most_rounds:
            raise _Endless(carry)

    def _endless(self, what: str) -> Diagnosis:
        """Make the diagnosis of a while loop that does not end."""
        late = f"not ended after {self.most_rounds:,} rounds"
        message = f"A loop in {what} had {late}, but it must end. Check its test, or give more rounds=."
        span = _first_span(self._places()) or self.function.span
        return Diagnosis(
            False, message, "primal", 0, "while_loop", f"it had {late}", span, (), self._rounds()
        )

    def _places(self) -> list[Any]:
        return [frame.plan.block.sources[frame.row] for frame in reversed(self.waiting)]

    def _rounds(self) -> tuple[int, ...]:
        return tuple(frame.round for frame in self.waiting if frame.round is not None)

    def _marked(self, value: Any, row: Row) -> Any:
        if isinstance(value, list):
            return [self._marked(item, row) for item in value]
        if type(value) is not float or math.isfinite(value):
            return value
        event = _Event(0 if row[0] == "argument" else math.inf, row, None, (), value)
        return _remembering(value, event, event if value != value else None)

    def constant(self, value: float) -> float:
        marked: float = self._marked(value, ("constant",))
        return marked

    def evaluation(self, name: str, evaluate: Callable[..., Any]) -> Callable[..., Any]:  # noqa: ARG002
        return evaluate

    def library_call(self, name: str, on_floats: Callable[..., Any]) -> Callable[..., Any]:  # noqa: ARG002
        return on_floats

    def steps(self, block: Block, steps: Sequence[Step]) -> list[Step]:
        """Change a block's steps so that each result that is not finite remembers its origin."""
        return [
            (kind, row, self._watched(block, row, kind, act) if kind in (UNARY, BINARY, OTHER) else act, a, b)
            for kind, row, act, a, b in steps
        ]

    def _watched(self, block: Block, number: int, kind: int, act: Callable[..., Any]) -> Callable[..., Any]:
        row = block.rows[number]

        def judged(used: tuple[Any, ...], result: Any) -> Any:
            return result if result - result == 0.0 else self._blamed(block, number, used, result)

        if kind != OTHER:
            return (lambda *used: judged(used, act(*used))) if block.types[number] is F64 else act
        match row[0]:
            case "powi":
                return lambda values: judged((values[row[1]],), act(values))
            case "proj" if block.types[number] is F64:
                return _returned(block.rows[row[1]], row, judged)
            case "add_to":
                return lambda values: _added(values[row[1]], values[row[2]], judged)
            case "update_add":
                return _updated(row, act, judged)
        return act

    def _blamed(self, block: Block, number: int, used: tuple[Any, ...], result: float) -> _NotFinite:
        """Make a result that is not finite remember its origin.

        If operands have origins, the result gets the earliest of them. If all operands are finite, it gets a
        new event.
        """
        self.events += 1
        source = block.sources[number]
        row = block.rows[number]
        if row[0] == "proj":
            row = block.rows[row[1]]
        span = _first_span((source, *self._places()))
        here = _Event(self.events, row, source, tuple(map(_plain, used)), result, self._rounds(), span)
        culprits = [x for x in used if type(x) is _NotFinite]
        event = min((x.event for x in culprits), key=lambda event: event.order, default=here)
        if event.row == ("constant",):
            event = here._replace(row=event.row, operands=(), result=event.result)
        nans = [x.nan for x in culprits if x.nan is not None]
        nan = min(nans, key=lambda event: event.order, default=here) if result != result else None
        return _remembering(result, event, nan)


_Judged: TypeAlias = Callable[[tuple[Any, ...], Any], Any]
"""`judged(operands, result)` returns the result, with a memory if it is not finite."""


def _returned(call: Row, row: Row, judged: _Judged) -> Callable[[list[Any]], Any]:
    """Make the step that reads a result of a call, loop or branch.

    If the result is a float that is not finite, the step makes it remember its origin.
    """

    def act(values: list[Any]) -> Any:
        result = values[row[1]][row[2]]
        return judged(tuple(values[x] for x in call[1]), result) if type(result) is float else result

    return act


def _added(place: tuple[Any, int], x: Any, judged: _Judged) -> None:
    holder, key = place
    if isinstance(x, list):
        for k, item in enumerate(x):
            _added((holder[key], k), item, judged)
    else:
        holder[key] = judged((holder[key], x), holder[key] + x)


def _updated(row: Row, update: Callable[..., Any], judged: _Judged) -> Callable[[list[Any]], Any]:
    def act(values: list[Any]) -> Any:
        array, i = update(values), values[row[2]]
        array[i] = judged((values[row[1]][i], values[row[3]]), array[i])
        return array

    return act


def _plain(x: Any) -> Any:
    return float(x) if isinstance(x, float) else x


def _not_finite(results: Sequence[Any]) -> Iterator[_NotFinite]:
    pending = list(results)
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(value)
        elif type(value) is _NotFinite:
            yield value
