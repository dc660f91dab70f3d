"""Push power series through a program, as forward mode pushes tangents through it.

A linear operation acts on each coefficient as it acts on a tangent. So we use forward mode's rules for
arrays, loops, branches and choices. Products, quotients, functions and calls have other rules, defined here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from eglantine.analysis.activity import activity
from eglantine.analysis.liveness import live_rows
from eglantine.autodiff import push_rows
from eglantine.autodiff.custom_rules import rule_function
from eglantine.autodiff.forward import FORWARD, push_call
from eglantine.autodiff.inlining import block_of
from eglantine.autodiff.once import memoised, policy_of_derivative
from eglantine.autodiff.push import Push, PushRule, Tangent
from eglantine.autodiff.rule_checks import require_linear_numbers
from eglantine.errors import InternalError
from eglantine.ir.builder import Builder
from eglantine.ir.functions import FUNCTIONS, LN2
from eglantine.ir.primitives import PRIMITIVES, operands, total_table
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import F64, ZERO, Array, Row, RowType
from eglantine.rewrite.environment import new_env
from eglantine.rewrite.nested import finish_cond
from eglantine.types import Real

from .programs import power_at_zero, scaling
from .recurrences import solved

MOST_PRODUCTS: Final = 1 << 20
"""The largest magnitude of a constant whole exponent for which we compute a power by repeated products."""

Pattern = tuple[tuple[bool, ...] | None, ...]
"""For each leaf, which of the coefficients 1 … n are present, or None if none is."""


def series_function(function: Function, pattern: Pattern, order: int) -> tuple[Function, Pattern]:
    """Return the function (x…, coefficients of x) → (y…, coefficients of y), and the pattern of y.

    pattern: for each leaf of x, a flag for each coefficient, or None if the leaf has no coefficients. The
        function takes only coefficients whose flag is true.
    """
    make = partial(_series, function, pattern, order)
    return memoised(function, ("series", pattern, order), make)  # type: ignore[no-any-return]


def _series(function: Function, pattern: Pattern, order: int) -> tuple[Function, Pattern]:
    b = Builder()
    primals = [b.param(of) for of in function.leaf_params]
    coefficients: list[Tangent] = [
        None if ons is None else tuple(b.param(of) if on else ZERO for on in ons)
        for of, ons in zip(function.leaf_params, pattern, strict=True)
    ]
    if function.rule is not None or function.block is None:
        results, out = _by_rule(b, function, primals, coefficients, order)
    else:
        results, out = push_series(block_of(function), b, primals, coefficients, order)
    out = [dy if dy and any(dy) else None for dy in out]
    block = b.finish([*results, *(row for dy in out if dy for row in dy if row)])
    series = Function(
        f"series of {function.name}", (), function.result, block, span=function.span,
        policy=policy_of_derivative(function), leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return series, tuple(None if dy is None else tuple(map(bool, dy)) for dy in out)


def push_series(block: Block, b: Builder, primals: Sequence[int], coefficients: Sequence[Tangent], order: int
                ) -> tuple[list[int], list[Tangent]]:  # fmt: skip
    """Add a block's rows and their coefficients to `b`. Return its results and the results' coefficients."""
    env = new_env(block, b)
    tan: list[Any] = [None] * (len(block.rows) + len(block.consts))
    if not order:
        coefficients = [None] * len(primals)
    for param, x, dx in zip(block.params, primals, coefficients, strict=True):
        env[param], tan[param] = x, dx
    act = activity(block, [dx is not None for dx in coefficients])
    accs = [k for k, of in enumerate(block.param_types) if of.dtype == "acc"]
    rules = SERIES if order > 1 else FORWARD
    Push(rules, block, b, env, tan, act, live_rows(block, None, accs), order).run()
    return [env[row] for row in block.results], [tan[row] for row in block.results]


# ------------------------------------------------------------ calls and custom rules


def call_rule(push: Push, i: int, row: Row) -> Tangent:
    """Call the callee's series function, which takes only the coefficients that are present."""
    return push_call(push, i, row, series_function)


def _by_rule(b: Builder, function: Function, primals: Sequence[int], coefficients: Sequence[Tangent],
             order: int) -> tuple[list[int], list[Tangent]]:  # fmt: skip
    """Compute the series of a function with a custom rule. The rule computes y′ from x and x′.

    We first compute the series of x′(t), which has the coefficients (j + 1)·x_{j+1}. From it, the rule's
    series function computes the coefficients of y′ up to order n − 1. We divide coefficient j of y′ by j + 1,
    and get coefficient j + 1 of y.
    """
    rule, real_in, real_out = rule_function(function)
    require_linear_numbers(function)
    arguments = list(primals)
    given: list[Tangent] = [dx and _present(dx[:-1]) for dx in coefficients]
    for dx, of, on in zip(coefficients, function.leaf_params, real_in, strict=False):
        if on:
            arguments.append((dx[0] if dx else ZERO) or b.zeros(of))
            scaled = [_times(b, x, float(j), of) for j, x in enumerate(dx or (), 1)]
            given.append(_present(scaled[1:]))
    pattern = tuple(None if dx is None else tuple(map(bool, dx)) for dx in given)
    if order > 1:
        series, out = series_function(rule, pattern, order - 1)
        results = b.call(series, [*arguments, *(x for dx in given if dx for x in dx if x)])
    else:
        results, out = b.call(rule, arguments), (None,) * len(rule.leaf_results)
    n = len(function.leaf_results)
    slopes = results[n : len(rule.leaf_results)]
    rows = iter(results[len(rule.leaf_results) :])
    found = [ons and [next(rows) if on else ZERO for on in ons] for ons in out]
    columns = iter(zip(slopes, found[n:], strict=True))
    series_out: list[Tangent] = []
    for of, on in zip(function.leaf_results, real_out, strict=True):
        if not on:
            series_out.append(None)
            continue
        first, rest = next(columns)
        later = [_times(b, x, float(j), of, inverse=True) for j, x in enumerate(rest or (), 2)]
        series_out.append((first, *later, *(ZERO,) * (order - 1 - len(later))))
    return list(results[:n]), series_out


def _present(rows: Sequence[int]) -> Tangent:
    return tuple(rows) if any(rows) else None


def _times(b: Builder, x: int, factor: float, of: RowType, inverse: bool = False) -> int:
    """Multiply the scalar or array x by a factor. If `inverse`, divide x by the factor."""
    if not x or factor == 1.0:
        return x
    if not isinstance(of, Array):
        return (b.div if inverse else b.mul)(x, b.const(factor))
    return b.call(scaling(of, inverse), [x, b.const(factor)])[0]


# ------------------------------------------------------------ products and functions


def _series_of(push: Push, a: int) -> tuple[int, ...]:
    """Coefficients 0 … n of an operand."""
    return (push.env[a], *(push.tan[a] or (ZERO,) * push.directions))


def product_rule(push: Push, _: int, row: Row) -> Tangent:
    """z = x · y."""
    if push.tan[row[1]] is None or push.tan[row[2]] is None:
        return push_rows.mul_rule(push, _, row)
    return _product(push.b, _series_of(push, row[1]), _series_of(push, row[2]))


def _product(b: Builder, x: Sequence[int], y: Sequence[int]) -> tuple[int, ...]:
    return solved(b, "product", (), x, y)[0]


def quotient_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = x / y."""
    if push.tan[row[2]] is None:
        return push_rows.primitive_rule(push, i, row)
    (z,) = solved(push.b, "quotient", (push.env[i],), _series_of(push, row[1]), _series_of(push, row[2]))
    return z


def _alone(name: str, starts: Callable[[Builder, int, int], Sequence[int]], result: int = 0) -> PushRule:
    """Return the push rule for a function f of one Real. The recurrence `name` computes the series of f.

    starts: a function of the builder and the rows of x and f(x). It returns the starts of the recurrence.
    result: the position of f among the results of the recurrence.
    """

    def rule(push: Push, i: int, row: Row) -> Tangent:
        rows = starts(push.b, push.env[row[1]], push.env[i])
        return solved(push.b, name, rows, _series_of(push, row[1]))[result]

    return rule


def exp2_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = 2^x: the exponential of x·log 2."""
    b = push.b
    scaled = [b.mul(b.const(LN2), x) for x in push.tan[row[1]]]
    (z,) = solved(b, "exponential", (push.env[i],), (push.env[row[1]], *scaled))
    return z


def length_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = √(x² + y²), computed from x / z_0 and y / z_0. At z_0 = 0, derivatives of all orders are 0."""
    b, z = push.b, push.env[i]
    at_zero = b.bi("eq", z, b.const(0.0))
    unit = b.select(at_zero, b.const(1.0), z)
    x, y = ([b.div(row, unit) for row in _series_of(push, a)] for a in row[1:])
    (scaled,) = solved(b, "length", (), x, y)
    return tuple(b.select(at_zero, ZERO, b.mul(unit, r)) if r else ZERO for r in scaled)


def whole_power_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = xⁿ by repeated products. Unlike a recurrence, this method is also exact at x = 0."""
    return _whole_power(push.b, _series_of(push, row[1]), row[2], push.env[i])


def _whole_power(b: Builder, x: Sequence[int], n: int, z: int) -> tuple[int, ...]:
    if not n:
        return (ZERO,) * (len(x) - 1)
    total: Sequence[int] | None = None
    square, left = x, abs(n)
    while left:
        if left & 1:
            total = square if total is None else _multiplied(b, total, square)
        left >>= 1
        if left:
            square = _multiplied(b, square, square)
    assert total is not None
    if n < 0:
        ones = (b.const(1.0), *(ZERO,) * (len(x) - 1))
        return solved(b, "quotient", (z,), ones, total)[0]
    return tuple(total[1:])


def _multiplied(b: Builder, x: Sequence[int], y: Sequence[int]) -> tuple[int, ...]:
    return (b.mul(x[0], y[0]), *_product(b, x, y))


# ------------------------------------------------------------ x to the power y


def power_rule(push: Push, i: int, row: Row) -> Tangent:
    """z = x^y: products if y is a whole constant, else a recurrence. At x = 0, see `_power_at_zero`."""
    b, z = push.b, push.env[i]
    x, y = _series_of(push, row[1]), _series_of(push, row[2])
    if b.is_const(y[0]) and not any(y[1:]):
        exponent = b.value(y[0])
        if exponent == exponent // 1 and abs(exponent) <= MOST_PRODUCTS:
            return _whole_power(b, x, int(exponent), z)
    arms = [Builder(b, conditional=True) for _ in range(2)]
    results = []
    for arm, build in zip(arms, (_power_at_zero, _power_elsewhere), strict=True):
        inner_x, inner_y = ([arm.capture(row) for row in series] for series in (x, y))
        rows = build(arm, inner_x, inner_y, arm.capture(z))
        results.append([row or arm.const(0.0) for row in rows])
    chosen = finish_cond(b, b.bi("eq", x[0], b.const(0.0)), arms, results, [True] * len(results[0]))
    return tuple(chosen)  # type: ignore[arg-type]


def _power_elsewhere(b: Builder, x: Sequence[int], y: Sequence[int], z: int) -> Sequence[int]:
    """x^y for x ≠ 0. If y varies, we compute exp(y·log x)."""
    if not any(y[1:]):
        return solved(b, "power", (z, y[0]), x)[0]
    log = b.un("log", x[0])
    logs = (log, *_by_slopes(b, "log", (x,), log))
    return solved(b, "exponential", (z,), (z, *_product(b, y, logs)))[0]


def _power_at_zero(b: Builder, x: Sequence[int], y: Sequence[int], _: int) -> Sequence[int]:
    """x^y at x = 0."""
    zero = b.const(0.0)
    rows = [row or zero for row in (y[0], y[1], *x[1:])]
    return b.call(power_at_zero(len(x) - 1), rows)


# ------------------------------------------------------------ functions given by their slopes


def slopes_rule(push: Push, i: int, row: Row) -> Tangent:
    """z′ = Σ ∂z/∂x · x′. The partial derivatives ∂z/∂x of the operation must not use z."""
    return _by_slopes(push.b, row[0], [_series_of(push, a) for a in row[1:]], push.env[i])


def _by_slopes(b: Builder, op: str, series: Sequence[Sequence[int]], z: int) -> tuple[int, ...]:
    pattern = tuple(tuple(map(bool, x[1:])) for x in series)
    order = len(pattern[0])
    function = _slopes_function(op, order, pattern, b.source)
    rows = b.call(function, [*(x[0] for x in series), z, *(row for x in series for row in x[1:] if row)])
    return tuple(rows)


def _slopes_function(op: str, order: int, pattern: Any, source: Any) -> Function:
    function = _SLOPES.get((op, order, pattern))
    if function is None:
        b = Builder()
        b.source = source
        primals = [b.param(F64) for _ in pattern]
        z = b.param(F64)
        series = [tuple(b.param(F64) if on else ZERO for on in ons) for ons in pattern]
        slopes, wanted = _slopes_block(op, len(pattern), [any(ons) for ons in pattern], source)
        given: list[Tangent] = [x[:-1] if any(x) else None for x in series]
        values, found = push_series(slopes, b, [*primals, z], [*given, None], order - 1)
        total = [ZERO] * order
        for k, value, dp in zip(wanted, values, found, strict=True):
            x = series[k]
            if dp is None:
                part: Sequence[int] = [b.mul(value, row) for row in x]
            else:
                (part,) = solved(b, "integral", (), (primals[k], *x), (value, *dp, ZERO))
            total = [b.add(t, row) for t, row in zip(total, part, strict=True)]
        block = b.finish(total)
        function = Function(
            f"series of {op}", (Real,) * len(block.params), Real, block,
            leaf_params=block.param_types, leaf_results=block.result_types,
        )  # fmt: skip
        function = _SLOPES.setdefault((op, order, pattern), function)
    return function


_SLOPES: Final[dict[Any, Function]] = {}
"""Maps (operation, order, pattern) to the function that `_slopes_function` has made for it."""


def _slopes_block(op: str, count: int, active: Sequence[bool], source: Any) -> tuple[Block, list[int]]:
    """Make a block that takes x… and z, and returns nonzero ∂z/∂x for the active x. Also return these x."""
    b = Builder()
    b.source = source
    params = [b.param(F64) for _ in range(count + 1)]
    partials = PRIMITIVES[op].derivative(b, *params)
    wanted = [k for k in range(count) if active[k] and partials[k]]
    block = b.finish([partials[k] for k in wanted])
    live = live_rows(block).flags
    if any(is_live and params[-1] in operands(row) for is_live, row in zip(live, block.rows, strict=True)):
        raise InternalError(
            f"A partial derivative of {op} uses the value of {op}, so `slopes_rule` cannot be used for "
            f"{op}. Write the derivative without the value, or write a recurrence in series/rules.py."
        )
    return block, wanted


def _itself(b: Builder, _: int, z: int) -> Sequence[int]:  # noqa: ARG001 - all starts are called alike
    return (z,)


def _slope(op: str) -> Callable[[Builder, int, int], Sequence[int]]:
    """The starts z and ∂z/∂x."""
    return lambda b, x, z: (z, *PRIMITIVES[op].derivative(b, x, z))


_CIRCULAR = partial(_alone, "circular", lambda b, x, _: (b.un("sin", x), b.un("cos", x)))
_HYPERBOLIC = partial(_alone, "hyperbolic", lambda b, x, _: (b.un("sinh", x), b.un("cosh", x)))

PIECEWISE_LINEAR: Final = (
    "abs", "floor", "ceil", "trunc", "nearest", "sign", "copysign", "min", "max", "mod", "floordiv",
)  # fmt: skip
"""The functions whose second derivatives are 0. Forward mode's rule gives each coefficient of the series."""

SERIES: Final[Mapping[str, PushRule]] = total_table("power series", {
    **{op: rule for op, rule in FORWARD.items() if op not in FUNCTIONS or op in PIECEWISE_LINEAR},
    "call": call_rule,
    "mul": product_rule,
    "pow_by_x": product_rule,
    "pow_by_y": product_rule,
    "div": quotient_rule,
    "powi": whole_power_rule,
    "pow": power_rule,
    "hypot": length_rule,
    "sqrt": _alone("root", _itself),
    "cbrt": _alone("power", lambda b, _, z: (z, b.const(1.0 / 3.0))),
    "exp": _alone("exponential", _itself),
    "exp2": exp2_rule,
    "expm1": _alone("exponential", lambda b, x, _: (b.un("exp", x),)),
    "sin": _CIRCULAR(0),
    "cos": _CIRCULAR(1),
    "sinh": _HYPERBOLIC(0),
    "cosh": _HYPERBOLIC(1),
    "tan": _alone("tangent", _slope("tan")),
    "tanh": _alone("hyperbolic tangent", _slope("tanh")),
    **dict.fromkeys(
        ("log", "log2", "log10", "log1p", "asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "erf",
         "lgamma", "polygamma0", "polygamma1", "polygamma2", "polygamma3", "polygamma_n"),
        slopes_rule,
    ),
})  # fmt: skip
"""Maps each operation to its rule. The rules that come from forward mode are linear in the tangents."""
