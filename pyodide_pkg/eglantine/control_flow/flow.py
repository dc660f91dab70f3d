"""Run the branches and loops of a converted function as plain Python, or trace them.

A branch or the body of a loop is a function. Its variables are cells (`nonlocal`). To trace it, we fill the
cells, run the function, and read the cells. `names` lists the variables that the function may change. They
become the results of a branch or the carry of a loop. A variable may have different types after the two arms,
or before and after a round. Then we leave its cell empty, so that Python raises a NameError if the code reads
the variable.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from eglantine.errors import EglantineError, TypeMismatchError
from eglantine.plain.symbolic import current, described
from eglantine.trace.choices import cond
from eglantine.trace.loops import while_loop
from eglantine.trace.scalars import BoolValue, IndexValue
from eglantine.trace.traced import Traced, call_site, current_builder, lift
from eglantine.trace.types_of import type_of
from eglantine.trace.vectors import VecValue
from eglantine.types import FinType

from .loops import _counted, _discarded, _stoppable
from .variables import (
    VALUE,
    Range,
    State,
    _Again,
    _as_indices,
    _Cells,
    _difference,
    _here,
    _is_whole,
    _like,
    _place,
    _reachable,
    _zero,
)


class Flow:
    """Runs the branches and loops of one call of a converted function.

    reasons: for each variable with an empty cell, the reason why it has no value.
    held: for each branch or loop around the traced code, a dict from `id` to object. It contains the objects
        that existed before the branch or loop. The traced code must not change these objects in place.
    """

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        self.held: list[dict[int, Any]] = []

    # ---------------------------------------------------------------- truth

    def all(self, is_cheap: Sequence[bool], first: Any, *others: Callable[[], Any]) -> Any:
        """Evaluate `first and …`.

        If an operand is a traced Bool, the next operand is traced in a branch, unless it is cheap and safe.
        """
        return _short_circuit(True, is_cheap, first, others)

    def any(self, is_cheap: Sequence[bool], first: Any, *others: Callable[[], Any]) -> Any:
        """`first or …`, converted like `all`."""
        return _short_circuit(False, is_cheap, first, others)

    def negation(self, p: Any) -> Any:
        """`not p`."""
        p = _known(p)
        return ~p if isinstance(p, BoolValue) else not p

    def clear(self, *flags: Any) -> Any:
        """Return a Bool that is true if none of the flags is set."""
        is_set: Any = False
        for flag in flags:
            is_set = flag | is_set if isinstance(flag, BoolValue) else is_set | flag
        return self.negation(is_set)

    def choice(self, p: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """`then if p else orelse`."""
        p = _known(p)
        if isinstance(p, BoolValue):
            return cond(p, then, orelse)
        return then() if p else orelse()

    # ---------------------------------------------------------------- branches

    def branch(
        self, p: Any, names: Sequence[str], then: Callable[[], None], orelse: Callable[[], None] | None
    ) -> None:
        """`if p: then else: orelse`."""
        p = _known(p)
        if isinstance(p, BoolValue):
            self._branch(p, _Cells(then, names), then, orelse or _nothing)
        elif p:
            then()
        elif orelse:
            orelse()

    def _branch(
        self, p: BoolValue, cells: _Cells, then: Callable[[], None], orelse: Callable[[], None]
    ) -> None:
        before = cells.read()
        states: list[State] = []
        results: list[State] = []

        def arm(run: Callable[[], None]) -> Callable[[], State]:
            def traced() -> State:
                cells.write(before)
                self._hold(cells, run)
                states.append(cells.read())
                results.append({})
                if len(states) == 2:  # both arms have run, so fill in their results before `cond` reads them
                    self._join(cells.names, states, results)
                return results[-1]

            return traced

        joined = cond(p, arm(then), arm(orelse))
        joined = _like(states[0], joined)
        unchanged = {name: x for name, x in states[0].items() if states[1].get(name, joined) is x}
        cells.write({**unchanged, **joined})

    def _join(self, names: Sequence[str], states: Sequence[State], results: Sequence[State]) -> None:
        """If a variable has the same type after both arms, add it to the results of both arms."""
        for name in names:
            values = [state[name] for state in states if name in state]
            if len(values) == 1 and name == VALUE:
                values = [state[name] if name in state else _zero(type_of(values[0])) for state in states]
            if len(values) == 1:
                self.reasons[name] = f"only one branch of the `if` {_here()} gives it one"
            elif values and values[0] is not values[1]:
                a, b = _as_indices(*values)
                reason = _difference(a, b, "in one branch", f"in the other of the `if` {_here()}")
                if reason:
                    self.reasons[name] = reason
                else:
                    results[0][name], results[1][name] = a, b

    def _hold(self, cells: _Cells, run: Callable[[], None]) -> None:
        """Run code that is being traced.

        While it runs, the last entry of `held` has the objects that the code must not change.
        """
        self.held.append(_reachable(cells.read(cells.all)))
        try:
            run()
        finally:
            self.held.pop()

    # ---------------------------------------------------------------- loops

    def repeat(self, test: Callable[[], Any], names: Sequence[str], body: Callable[[], None]) -> None:
        """`while test: body`."""
        cells = _Cells(body, names)
        tried = False
        while not isinstance(p := _known(test()), BoolValue):
            if not p:
                return
            if not tried and self._turns(cells, test, body):
                break
            tried = True
            body()

        def loop(enter: Callable[[State], None], leave: Callable[[State], State], init: State) -> Any:
            def condition(carry: State) -> Any:
                enter(carry)
                return test()

            def step(carry: State) -> State:
                enter(carry)
                self._hold(cells, body)
                return leave(carry)

            return while_loop(condition, step, init)

        self._loop(cells, "while", loop)

    def _turns(self, cells: _Cells, test: Callable[[], Any], body: Callable[[], None]) -> bool:
        """Trace one round as a trial, and discard the rows.

        Return true if the loop's test is a traced Bool after this round.
        """
        before = cells.read()
        turned = False

        def trial() -> None:
            nonlocal turned
            self._hold(cells, body)
            turned = isinstance(_known(test()), BoolValue)

        try:
            _discarded(trial)
        except EglantineError:  # the next round runs in plain Python and raises the error again
            return False
        finally:
            cells.write(before)
        return turned

    def each(
        self, items: Any, names: Sequence[str], body: Callable[[Any], None], targets: Sequence[str],
        going: Callable[[], Any] | None = None,
    ) -> None:  # fmt: skip
        """Run `for … in items: body`. Trace a loop if items is a range or a traced Vec, otherwise unroll it.

        targets: the variables between `for` and `in`. They have no value after a traced loop.
        going: a function that returns false after a jump has ended the loop. None if no jump can end it.
        """
        cells = _Cells(body, names)
        if isinstance(items, range):
            items = Range(items.start, items.step, len(items))
        if not isinstance(items, VecValue | Range):
            self._unroll(items, cells, body, going)
            return
        count = items.count if isinstance(items, Range) else len(items)
        if isinstance(count, int) and not count:
            return

        def run(k: Any) -> None:
            self._hold(cells, lambda: body(items[k]))

        carried = _Cells(body, [name for name in names if name not in targets])
        loop = _counted(count, run) if going is None else _stoppable(count, run, going)
        self._loop(carried, "for", loop)
        cells.write(carried.read())
        self.reasons.update((name, "a loop's own variable has none after it") for name in targets)

    def _unroll(
        self, items: Any, cells: _Cells, body: Callable[[Any], None], going: Callable[[], Any] | None
    ) -> None:
        for item in items:
            p = _known(going()) if going else True
            if isinstance(p, BoolValue):
                self._branch(p, cells, lambda item=item: body(item), _nothing)  # type: ignore[misc]
            elif p:
                body(item)
            else:
                return

    def _loop(self, cells: _Cells, kind: str, loop: Callable[..., Any]) -> None:
        """Trace a loop. The carry consists of the variables that have the same type before and after a round.

        loop: a function that traces the loop. It takes a function that enters a round, a function that leaves
            a round, and the initial carry.
        """
        place = f"the `{kind}` {_here()}"
        before = cells.read()
        reasons = {
            name: _difference(before[name], before[name], "", "") if name in before
            else f"it has none before {place}, which assigns it" for name in cells.names
        }  # fmt: skip
        init = {name: value for name, value in before.items() if not reasons[name]}

        def leave(carry: State) -> State:
            after = cells.read()
            if VALUE in after and VALUE not in carry:
                raise _Again(VALUE, _zero(type_of(after[VALUE])))
            for name, value in init.items():
                if _is_whole(value) and isinstance(after.get(name), IndexValue | None):
                    raise _Again(name, FinType(value + 1)(value))
                if name not in after:
                    reasons[name] = self.reasons.get(name) or f"{place} may take it away"
                    raise _Again(name)
                reasons[name] = _difference(carry[name], after[name], "before", f"after a round of {place}")
                if reasons[name]:
                    raise _Again(name)
            return {name: after[name] for name in init}

        problem: TypeMismatchError | None = None
        while True:
            self.reasons.update(reasons)
            try:
                last = loop(lambda carry, init=init: cells.write(_like(init, carry)), leave, init)
                break
            except _Again as again:
                init = {name: x for name, x in init.items() if name != again.name}
                init.update((again.name, x) for x in again.value)
            except TypeMismatchError as error:  # try again, with whole numbers as indices
                as_indices = {name: FinType(x + 1)(x) for name, x in init.items() if _is_whole(x)}
                if problem or not as_indices:
                    raise problem or error from None
                problem = error
                init |= as_indices
        self.reasons.update(reasons)
        cells.write(_like(init, last))

    def range(self, python_range: Any, *bounds: Any) -> Any:
        """Make a `Range` if one of the bounds is traced.

        Otherwise return Python's own range.
        """
        if python_range is not builtins.range or not any(isinstance(bound, Traced) for bound in bounds):
            return python_range(*bounds)
        first, last, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        for bound in (first, last):
            if not isinstance(bound, int | IndexValue):
                raise TypeMismatchError(
                    "A bound of range must be a whole number or an index, but this one is "
                    f"{described(bound)}. If the number of rounds is a Real, write a `while` loop."
                )
        if not isinstance(step, int) or step == 0:
            raise TypeMismatchError(
                "The step of a range must be a plain whole number that is not 0, but this one is "
                f"{described(step)}. Write the number itself."
            )
        span = last - first if step > 0 else first - last
        return Range(first, step, span if abs(step) == 1 else (span + (abs(step) - 1)) // abs(step))

    # ---------------------------------------------------------------- code that cannot be traced

    def changes(self, value: Any, name: str, is_own: bool, augmented: bool = False) -> None:
        """Raise an error if a traced branch or loop would change an object that existed before it.

        is_own: true if the variable `name` belongs to the converted function.
        augmented: true if the statement is `name += …` or another assignment with an operator.
        """
        if augmented and not hasattr(type(value), "__iadd__"):
            return
        if self.held and not isinstance(value, VecValue):
            if is_own and not any(id(value) in held for held in self.held):
                return
            raise TypeMismatchError(
                f"{name!r} is changed in place inside a branch or loop that is traced, but traced "
                f"code can only make a new value. Write {name} = {name}.at[i].set(x) for a Vec "
                "(eg.asarray makes one), or loop over list(range(n)), which is unrolled."
            )

    def raises(self) -> None:
        """Raise an error if a `raise` is being traced."""
        if self.held:
            raise TypeMismatchError(
                "This raise is inside a branch or loop that is traced, so Python cannot decide whether to "
                "raise. To mark a result as invalid, return eg.math.nan instead, or use eg.Fin(n)(i), which "
                "checks an index."
            )

    def checks(self, p: Any, message: Callable[[], Any] | None) -> None:
        """`assert p, message`."""
        p = _known(p)
        if isinstance(p, BoolValue):
            b = current_builder()
            b.source = call_site(1)
            said = f": {message()}" if message else ""
            b.require(
                lift(b, p), f"This assert does not hold{said}. Make its condition true, or change the assert."
            )
        elif not p:
            raise AssertionError(*([message()] if message else []))

    def without_value(self, error: NameError, own: Iterable[str], source: str) -> EglantineError | None:
        """Make the error for a converted function that reads a variable without a value.

        Return None if the NameError comes from code outside `source`, or if `own` does not have the variable.
        """
        quoted = re.search(r"'([^']+)'", str(error))
        name = error.name or (quoted[1] if quoted else "")
        span = _place(error.__traceback__)
        if name not in own or span is None or span.source != source:
            return None
        what = "result" if name == VALUE else f"variable {name!r}"
        reason = self.reasons.get(name) or "not every way to this line assigns it"
        return TypeMismatchError(
            f"The {what} has no value here, because {reason}. {'Return' if name == VALUE else 'Assign'} one "
            "value of one type on every way to this line.",
            span,
        )


def _nothing() -> None:
    pass


def _known(p: Any) -> Any:
    """Convert a traced Bool to a plain bool if it is a constant. Return any other value unchanged."""
    b = current.get()
    if isinstance(p, BoolValue) and b is not None:
        row = lift(b, p)
        return b.value(row) if row < 0 else p
    return p


def _short_circuit(
    keep: bool, is_cheap: Sequence[bool], first: Any, others: Sequence[Callable[[], Any]]
) -> Any:
    p = first
    for cheap, other in zip(is_cheap, others, strict=True):
        p = _known(p)
        if not isinstance(p, BoolValue):
            if bool(p) is not keep:
                return p
            p = other()
        elif cheap:
            p = p & other() if keep else p | other()
        else:
            p = cond(p, other, lambda: False) if keep else cond(p, lambda: True, other)
    return p
