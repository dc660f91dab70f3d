"""`diagnose`: find where and why a value or derivative is not finite.

The interpreter runs the program. If a row computes an infinite or NaN float from finite operands, the float
remembers this row as its origin. Later results inherit the origin from their operands. If two operands have
different origins, the result inherits the earlier origin. If all results of the program are finite, we report
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.derivatives import jvp_fn, vjp_fn
from eglantine.functions.fn import Fn, argument_types, as_fn, check_function, fn
from eglantine.leaves import leaves, tangent_type
from eglantine.plain.symbolic import current

from .diagnosis import _NTH, Diagnosis
from .gradients import with_numbers
from .watching import _Watch


def diagnose(f: Any, order: int = 1, rounds: int = 100_000) -> Callable[..., Diagnosis]:
    """Return a function that takes f's arguments and says why f's value or derivative is not finite.

    f: an `fn`, a `jit`, a plain function, or a derivative of one.
    order: the highest order of derivative to check. 0 checks only the value. The first derivative is the
        gradient of the sum of all results. Each higher derivative is the derivative of the previous
        one in the direction (1, 1, …, 1).
    rounds: the largest total number of rounds of all while loops. If the loops run more rounds, the diagnosis
        says that a loop does not end.
    """
    check_function(f)
    if type(rounds) is not int or rounds < 0:
        raise TypeMismatchError(
            f"The argument `rounds` of eg.diagnose must be a whole number ≥ 0, but it is {rounds!r}. Write "
            "rounds=10_000."
        )

    def run(*args: Any) -> Diagnosis:
        if current.get() is not None:
            raise TypeMismatchError(
                "eg.diagnose works on plain numbers, but it was called inside a function that is being "
                "traced. Call it outside of that function."
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
            diagnosis = watch.run(h, args, f"the {_NTH[min(k, 4)]}derivative" if k else "the value")
            if diagnosis is not None:
                return diagnosis
        return Diagnosis(True, f"The value of {g.__name__} and its derivatives up to order {k} are finite.")

    return run


def _reals(types: Sequence[Any]) -> bool:
    return any(leaf.dtype == "f64" for of in types for leaf in leaves(of))


def _slope(h: Fn, order: int) -> Fn:
    """Make the next derivative of h.

    If `order` is 1, reverse mode makes the gradient of the sum of h's results. Otherwise h is already a
    derivative, and forward mode differentiates it in the direction (1, 1, …, 1).
    """
    function = h.function

    def ones(of: Any) -> Any:
        return with_numbers(tangent_type(of), lambda: 1.0)

    if order == 1:
        pulled = vjp_fn(h)
        return fn(list(function.params), names=function.param_names)(
            lambda *args: pulled(*args, ones(function.result))
        )
    pushed = jvp_fn(h, effects=False)
    return fn(list(function.params), names=function.param_names)(
        lambda *args: pushed(*args, *map(ones, function.params))[1]
    )
