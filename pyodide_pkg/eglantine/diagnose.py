"""`diagnose`: where and why a value or derivative is not finite.

The interpreter runs the program on floats of which each that is not finite remembers the row where it began:
the first, in order of execution, that made it of finite numbers. Where such floats meet, the earlier row
stays; what becomes finite again, or is never chosen, is forgotten.
"""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from . import numbers
from .checks import with_numbers
from .derivatives import jvp_fn, vjp_fn
from .errors import Span, TypeMismatchError, is_written_here, span_of, written
from .functions import Fn, argument_types, as_fn, check_function, fn
from .interp import BINARY, OTHER, UNARY, Plan, Step, floats_of, run_watched
from .ir import F64, Block, Function, Row
from .library import library
from .marshal import flatten
from .types import leaves, tangent_type
from .values import current


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What `diagnose` found; `str()` of it reads as a sentence with its line.

    finite: whether the value and all derivatives are.
    where: "primal" or "derivative": what the row belongs to in which it began; None if all is finite.
    order: of which derivative that row is; 0 in the primal.
    operation: what that row computes, or of which operation it is the derivative.
    reason: why its result is not finite, in words.
    span: the user's line.
    values: the row's operands.
    rounds: the rounds, counted from 0, of the loops around it, outermost first.
    message: the whole sentence.
    """

    finite: bool
    message: str
    where: str | None = None
    order: int = 0
    operation: str | None = None
    reason: str | None = None
    span: Span | None = None
    values: tuple[Any, ...] = ()
    rounds: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.span is None:
            return self.message
        text = linecache.getline(self.span.source, self.span.line).strip()
        return f"{self.message} ({self.span.source}, line {self.span.line}{text and f': {text}'})"


def diagnose(f: Any, order: int = 1, rounds: int = 100_000) -> Callable[..., Diagnosis]:
    """The function that says, for arguments of f, where and why its value or a derivative is not finite.

    f: an `fn`, a `jit`, a plain function, or a derivative of one.
    order: up to which derivative (by all arguments, of the sum of all results) to look; 0 is the value alone.
    rounds: how many the while loops may make together; beyond, one is said not to end.
    """
    check_function(f)
    if type(rounds) is not int or rounds < 0:
        raise TypeMismatchError(
            f"Found {rounds!r} as rounds, expected a whole number from 0 on; write 10_000."
        )

    def run(*args: Any) -> Diagnosis:
        if current.get() is not None:
            raise TypeMismatchError(
                "Found eg.diagnose inside a function that is being traced; expected plain numbers; call it "
                "outside."
            )
        g = as_fn(f, argument_types(args))
        types = g.function.params
        h = g if g.function.block is not None else fn(list(types))(g)
        has_reals = all(_reals(of) for of in ([g.function.result], types))
        watch = _Watch(g.function, rounds)
        for k in range(order + 1 if has_reals else 1):
            if k:
                h = _slope(h, k)
                watch.most_rounds = math.inf  # the value's loops have ended
            found = watch.run(h, args, f"the {_NTH[min(k, 4)]}derivative" if k else "the value")
            if found is not None:
                return found
        return Diagnosis(True, f"The value of {g.__name__} and its derivatives up to order {k} are finite.")

    return run


_NTH = ("", "", "second ", "third ", "higher ")


def _reals(types: Sequence[Any]) -> bool:
    return any(leaf.dtype == "f64" for of in types for leaf in leaves(of))


def _slope(h: Fn, order: int) -> Fn:
    """The derivative of h's results by all arguments: the first in reverse mode, others forward over it."""
    function = h.function

    def ones(of: Any) -> Any:
        return with_numbers(tangent_type(of), lambda: 1.0)

    if order == 1:
        pulled = vjp_fn(h)
        return fn(list(function.params), names=function.param_names)(  # type: ignore[no-any-return]
            lambda *args: pulled(*args, ones(function.result))
        )
    pushed = jvp_fn(h, effects=False)
    return fn(list(function.params), names=function.param_names)(  # type: ignore[no-any-return]
        lambda *args: pushed(*args, *map(ones, function.params))[1]
    )


# ---------------------------------------------------------------- numbers that remember


class _Event(NamedTuple):
    """A row that made a number that is not finite.

    order: which event it is; events without a row yet (constants) come last.
    row, source: the row and where it comes from; ("argument", name) and ("constant",) stand for no row.
    """

    order: float
    row: Row
    source: Any
    operands: tuple[Any, ...]
    result: float
    rounds: tuple[int, ...] = ()
    span: Span | None = None


class _NotFinite(float):
    """A float that is not finite: the event it began with, and the one (or None) that first made it NaN."""

    __slots__ = ("event", "nan")

    event: _Event
    nan: _Event | None


def _remembering(value: float, event: _Event, nan: _Event | None) -> _NotFinite:
    new = _NotFinite(value)
    new.event, new.nan = event, nan
    return new


class _Endless(Exception):  # noqa: N818
    """A while loop makes more rounds than it may; it carries what is given."""


class _Watch:
    """Floats that remember, and steps that see to it: an `arithmetic.Arithmetic` and an `interp.Watch`."""

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
        """What is not finite in h's results, called `what`, or None."""
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
        found = min(_not_finite(results), key=lambda x: x.event.order, default=None)
        return endless if found is None else _diagnosis(found, what, self.function.span)

    def passed(self, carry: list[Any]) -> None:
        self.rounds += 1
        if self.rounds > self.most_rounds:
            raise _Endless(carry)

    def _endless(self, what: str) -> Diagnosis:
        """What is said of the while loop that runs."""
        late = f"not ended after {self.most_rounds:,} rounds"
        message = (
            f"Found a loop in {what} that had {late}, expected one that ends; see to its test, or give more "
            "rounds=."
        )
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
        """The block's steps, with results that remember."""
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
        """A result that is not finite, with the earliest event among its operands', or a new one."""
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
"""What gives a row's result, of these operands, a memory if it is not finite."""


def _returned(call: Row, row: Row, judged: _Judged) -> Callable[[list[Any]], Any]:
    """A result of structure, which has a memory unless a host function returned it."""

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


def _first_span(sources: Sequence[Any]) -> Span | None:
    """The innermost place that is the user's, not this package's."""
    for source in sources:
        place, _ = written(source)
        if place is not None and not is_written_here(place[0]):
            return span_of(place)
    return None


# ---------------------------------------------------------------- words


def _diagnosis(found: _NotFinite, what: str, definition: Span | None) -> Diagnosis:
    event = found.event
    _, operations = written(event.source)
    if event.row[0] in ("argument", "constant"):
        operations = []
    operation = operations[0] if operations else _name(event.row)
    reason = _reason(event, operations)
    where = "derivative" if operations else "primal"
    began = f"{where} of {operation}" if operations else where
    if event.rounds:
        began += f", in round {' of round '.join(map(str, reversed(event.rounds)))} (counted from 0)"
    then = ""
    if found.nan is not None and found.nan is not event:
        then = f"; from it came nan by {_made(found.nan)}"
    message = (
        f"Found {float(found)!r} in {what}, expected finite numbers. It began in the {began}: {reason}{then}."
        " Keep away from there, or choose another value there with eg.select."
    )
    return Diagnosis(
        False, message, where, len(operations), operation, reason, event.span or definition, event.operands,
        event.rounds,
    )  # fmt: skip


def _name(row: Row) -> str:
    return str(row[2].name if row[0] == "call" else row[0])


_POLES = {
    "sqrt": "0", "cbrt": "0", "log": "0", "log2": "0", "log10": "0", "log1p": "-1", "asin": "±1",
    "acos": "±1", "acosh": "1", "atanh": "±1", "atan2": "(0, 0)", "pow": "0", "powi": "0",
}  # fmt: skip
"""Where derivatives of operations are infinite."""

_DOMAINS: dict[str, Callable[[float], bool]] = {
    "sqrt": lambda x: x >= 0, "log": lambda x: x >= 0, "log2": lambda x: x >= 0, "log10": lambda x: x >= 0,
    "log1p": lambda x: x >= -1, "asin": lambda x: abs(x) <= 1, "acos": lambda x: abs(x) <= 1,
    "acosh": lambda x: x >= 1, "atanh": lambda x: abs(x) <= 1,
}  # fmt: skip
"""Where operations are defined."""


_PRIMES = {1: "′", 2: "″", 3: "‴"}


def _reason(event: _Event, operations: Sequence[str]) -> str:
    """Why a row's result is not finite."""
    made = _made(event)
    if not operations:
        return made
    pole = _POLES.get(operations[0])
    if pole is not None and any(x == 0 for x in event.operands[-1:] + event.operands[:1]):
        kind = "undefined" if event.result != event.result else "infinite"
        return f"{operations[0]}{_PRIMES.get(len(operations), '⁗')} at {pole} is {kind}"
    return f"{made} in the derivative of {operations[0]}"


def _made(event: _Event) -> str:
    """What a row did that gave no finite number."""
    row, used, result = event.row, event.operands, event.result
    op = row[0]
    if op == "argument":
        return f"the argument {row[1]} holds {result!r}"
    if op == "constant":
        return f"the constant {result!r}"
    if op == "call":
        return f"{_name(row)} returned {result!r}"
    if any(not math.isfinite(x) for x in used):
        return {"mul": "0·∞", "add": "∞ − ∞", "sub": "∞ − ∞", "add_to": "∞ − ∞", "div": "∞ / ∞"}.get(
            op, f"{op} of {', '.join(map(repr, used))}"
        )
    if op == "div" and used[1] == 0:
        return "0 / 0" if used[0] == 0 else "division by 0"
    if op in _DOMAINS:
        x = used[0]
        if _DOMAINS[op](x):
            return f"{op} of {x:g}"
        beyond = "a number outside its domain" if op[0] == "a" or op == "log1p" else "a negative number"
        return f"{op} of {beyond}, {x!r}"
    exponent = row[2] if op == "powi" else used[1] if op == "pow" else 0
    if exponent < 0 and used[0] == 0:
        return "0 to a negative power"
    if op == "pow" and result != result:
        return "a negative number to a power that is not whole"
    if op == "lgamma" or op.startswith("polygamma"):
        return f"{op} of {used[0]:g}, where it has a pole"
    return f"overflow of {'a sum' if op == 'add_to' else op}"
