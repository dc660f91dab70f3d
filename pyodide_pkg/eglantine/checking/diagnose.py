"""`diagnose`: find where and why a value or derivative is not finite.

The interpreter runs the program. Each float that is infinite or NaN remembers its origin, the row that first
computed such a float from finite operands. The origin is passed on from operands to results. If two operands
have origins, the result gets the one that ran earlier. If later results are finite again, or do not use the
float, nothing is reported.
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
    """Return a function that takes arguments for f and says why f's value or derivative is not finite there.

    f: an `fn`, a `jit`, a plain function, or a derivative of one.
    order: the highest order of derivative to check. 0 checks only the value. The first derivative is the
        gradient of the sum of all results. Higher ones are its derivatives in the direction (1, 1, …, 1).
    rounds: how many rounds all while loops together may run. If they run more, the diagnosis says that a loop
        does not end.
    """
    check_function(f)
    if type(rounds) is not int or rounds < 0:
        raise TypeMismatchError(
            f"The rounds of eg.diagnose must be a whole number ≥ 0, but they are {rounds!r}. "
            "Write rounds=10_000."
        )

    def run(*args: Any) -> Diagnosis:
        if current.get() is not None:
            raise TypeMismatchError(
                "eg.diagnose works on plain numbers, but it was called inside a function that is "
                "being traced. Call it outside."
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

    If `order` is 1, this is the gradient of the sum of h's results, in reverse mode. Otherwise h is a
    derivative, and we differentiate it in forward mode, in the direction (1, 1, …, 1).
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
