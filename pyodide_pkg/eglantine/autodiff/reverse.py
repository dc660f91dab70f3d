"""Reverse mode: the function (x…, ct_y…) → (y…, ct_x…), by one sweep over a block's rows from the end.

The cotangent of a row is the sum of the contributions of all rows that use it. When the sweep reaches the
row, the sum is complete. The rule of the row multiplies the cotangent by each partial derivative, and adds
the product to the cotangent of the operand. `BACKWARD` contains the rule of each operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from eglantine.analysis.activity import activity, is_real
from eglantine.analysis.conditions import conditions
from eglantine.analysis.liveness import live_rows
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES, total_table
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import ZERO, Row
from eglantine.rewrite.copying import copied, copy_rows
from eglantine.rewrite.effects import stripped
from eglantine.rewrite.environment import PLAIN, Env, identity, new_env

from . import sweep_rows
from .custom_rules import require_rule, rule_function
from .forward import unit
from .fusion import fused
from .inlining import block_of
from .ledger import Ledger, PartialsOf, only_the_table
from .once import memoised, policy_of_derivative
from .plans import Plan, is_transposed, planned
from .sweep import Rule, Sweep
from .sweep_bodies import branch_rule, loop_rule


def begin_sweep(plan: Plan, b: Builder, env: Env | None = None, partials_of: PartialsOf = only_the_table,
                ledger: Ledger | None = None) -> Sweep:  # fmt: skip
    """Begin a sweep over a plan's block. The plan's forward rows must already be in the builder `b`.

    env: for each forward row, its copy in `b`. If you leave it out, `b` must begin with the forward rows.
    partials_of: a function that returns partial derivatives, which replace those in the table of primitives.
    ledger: the ledger that records the sweep's work.
    """
    return Sweep(
        BACKWARD, plan, b, env or identity(plan.forward), conditions(plan.block), None, partials_of, ledger
    )


def vjp_function(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...], effects: bool = True
                 ) -> Function:  # fmt: skip
    """Return the function (x…, ct_y…) → (y…, ct_x…), which computes the value and the cotangents.

    active: for each leaf of x, True if it has a ct_x. seeded: for each leaf of y, True if it has a ct_y.
    effects: if true, the new function also runs prints and impure calls.
    """
    make = partial(_differentiated, function, active, seeded, effects)
    return memoised(function, ("vjp", active, seeded, effects), make)  # type: ignore[no-any-return]


def _differentiated(
    function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...], effects: bool
) -> Function:
    if has_rule(function):
        return _by_rule(function, active, seeded)
    block = _calling(function) if function.columns else fused(block_of(function))
    block = block if effects else stripped(block, ())
    seeds = [row for row, on in zip(block.results, seeded, strict=True) if on]
    plan = planned(block, activity(block, active), seeds)
    b = Builder.resume(plan.forward)
    cts = [b.param(of) if on else ZERO for of, on in zip(function.leaf_results, seeded, strict=True)]
    sweep = begin_sweep(plan, b)
    for row, ct in zip(block.results, cts, strict=True):
        sweep.contribute(row, ct)
    sweep.run()
    out = [
        sweep.total(param) or b.zeros(block.types[param])
        for param, on in zip(block.params, active, strict=True) if on
    ]  # fmt: skip
    return _derivative(function, b, [*block.results, *out])


def _without_effects(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    """Return the function (x…, ct_y…) → ct_x…, without effects. The forward call runs the effects."""

    def make() -> Function:
        block = vjp_function(function, active, seeded, effects=False).block
        assert block is not None
        return _derivative(function, Builder.resume(block), block.results[len(function.leaf_results) :])

    return memoised(function, ("pull", active, seeded), make)  # type: ignore[no-any-return]


def _derivative(function: Function, b: Builder, results: Sequence[int], prune: bool = False) -> Function:
    """Make the derivative of `function` from the rows in the builder `b`.

    results: the rows that the derivative returns.
    prune: if true, drop the rows that no result needs. In an impure function, we always drop these rows,
        because they could repeat an impure call.
    """
    block = b.finish(results)
    if prune or not function.pure:
        block = copied(block, live=live_rows(block))
    return Function(
        f"vjp of {function.name}", (), function.result, block, span=function.span,
        policy=policy_of_derivative(function),
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


def jacobian_transposed(
    function: Function, active: Sequence[bool], rows: Sequence[tuple[int, int]]
) -> Function:
    """Return the function x… → (y…, ct_x…), with one ct_x for each seed and each active leaf.

    A seed is a cotangent of the results that is 1 for one number and 0 for all others.
    rows: for each seed, a pair: the number of the leaf that contains the 1, and the 1's flat position in it.
    """
    key = ("jacobian transposed", tuple(active), tuple(rows))
    make = partial(_jacobian_transposed, function, *key[1:])
    return memoised(function, key, make)  # type: ignore[no-any-return]


def _jacobian_transposed(
    function: Function, active: Sequence[bool], rows: Sequence[tuple[int, int]]
) -> Function:
    block = _calling(function) if has_rule(function) or function.columns else fused(block_of(function))
    plan = planned(block, activity(block, active), block.results)
    b = Builder.resume(plan.forward)
    out: list[int] = []
    for leaf, position in rows:
        sweep = begin_sweep(plan, b)
        sweep.contribute(block.results[leaf], unit(b, function.leaf_results[leaf], position))
        sweep.run()
        out.extend(
            sweep.total(param) or b.zeros(block.types[param])
            for param, on in zip(block.params, active, strict=True) if on
        )  # fmt: skip
    return _derivative(function, b, [*block.results, *out])


def _calling(function: Function) -> Block:
    """A block that only calls `function`."""
    b = Builder()
    return b.finish(b.call(function, [b.param(of) for of in function.leaf_params]))


def has_rule(function: Function) -> bool:
    """True if a function has a custom rule, or if it is opaque, so that only a rule can differentiate it."""
    return function.rule is not None or function.block is None


def _by_rule(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    b = Builder()
    primals = [b.param(of) for of in function.leaf_params]
    cts = [b.param(of) for of, on in zip(function.leaf_results, seeded, strict=True) if on]
    ys = b.call(function, primals)
    return _derivative(
        function, b, [*ys, *b.call(transposed_rule(function, active, seeded), [*primals, *cts])]
    )


def transposed_rule(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    """Turn a function's custom rule (x…, dx…) → (y…, dy…) into the function (x…, ct_y…) → ct_x….

    The rule is linear in dx, so its transpose does not depend on dx. We compute the rule's rows with dx = 0,
    and sweep from dy to dx.
    """
    make = partial(_transposed, function, active, seeded)
    return memoised(function, ("transpose", active, seeded), make)  # type: ignore[no-any-return]


def _transposed(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    rule, real_in, real_out = rule_function(function)
    from .rule_checks import require_linear_rows  # imported here because few pages need it

    require_linear_rows(function)
    assert rule.block is not None
    block = stripped(rule.block, ())
    b = Builder()
    primals = [b.param(of) for of in function.leaf_params]
    cts = [b.param(of) if on else ZERO for of, on in zip(function.leaf_results, seeded, strict=True)]
    n = len(primals)
    act = activity(block, [False] * n + [True] * sum(real_in))
    plan = planned(block, act, block.results[len(cts) :])
    env = new_env(plan.forward, b)
    for param, argument in zip(block.params[:n], primals, strict=True):
        env[param] = argument
    for param in block.params[n:]:
        env[param] = b.zeros(block.types[param])
    copy_rows(plan.forward, b, env, PLAIN, None)
    wanted = iter(block.params[n:])
    tangents = [next(wanted) if real else None for real in real_in]
    sweep = begin_sweep(plan, b, env)
    real_cts = [ct for ct, real in zip(cts, real_out, strict=True) if real]
    for row, ct in zip(block.results[len(cts) :], real_cts, strict=True):
        sweep.contribute(row, ct)
    sweep.run()
    out = [
        ZERO if row is None else sweep.total(row) for row, on in zip(tangents, active, strict=True) if on
    ]  # fmt: skip
    types = [of for of, on in zip(function.leaf_params, active, strict=True) if on]
    return _derivative(
        function, b, [row or b.zeros(of) for row, of in zip(out, types, strict=True)], prune=True
    )


def call_rule(sweep: Sweep, i: int, row: Row) -> None:
    """Call the vjp of the called function. Add the returned cotangents to those of the arguments.

    The vjp returns cotangents only for active arguments.
    """
    b, env = sweep.b, sweep.env
    result_cts = sweep.cotangents.results.get(i)
    if not result_cts:
        return
    _, args, function = row
    active = tuple(sweep.act.flags[a] for a in args)
    if is_transposed(row, sweep.act):
        _call_transpose(sweep, args, function, result_cts)
        return
    if function.columns:
        _contract(sweep, i, row, result_cts)
        return
    n = len(function.leaf_results)
    seeded = tuple(k in result_cts for k in range(n))
    again = function.pure and function.policy == "plain"
    require_rule(function, b.source)
    if has_rule(function):
        pulled, skipped = transposed_rule(function, active, seeded), 0
    elif again:
        pulled, skipped = vjp_function(function, active, seeded), n
    else:
        pulled, skipped = _without_effects(function, active, seeded), 0
    seeds = [result_cts[k] for k in sorted(result_cts)]
    argument_cts = b.call(pulled, [*(env[a] for a in args), *seeds])[skipped:]
    for a, ct in zip([a for a, on in zip(args, active, strict=True) if on], argument_cts, strict=True):
        sweep.contribute(a, ct)


def _call_transpose(sweep: Sweep, args: Sequence[int], function: Function, cts: Mapping[int, int]) -> None:
    """Call the transpose of a linear map, `function.transposed`. The map's residuals carry no tangent."""
    b, residuals = sweep.b, len(args) - function.linear
    seeds = [cts.get(k) or b.zeros(of) for k, of in enumerate(function.leaf_results)]
    argument_cts = b.call(function.transposed(), [*(sweep.env[a] for a in args[:residuals]), *seeds])
    for a, ct in zip(args[residuals:], argument_cts, strict=True):
        sweep.contribute(a, ct)


def _contract(sweep: Sweep, i: int, row: Row, cts: Mapping[int, int]) -> None:
    """Multiply the cotangents of a call's results by the Jacobian of the called function.

    The function is marked `forward`, so the call in the forward rows also returns the Jacobian.
    """
    b = sweep.b
    _, args, function = row
    _, contraction = function.columns()
    jacobian = [sweep.env[leaf] for leaf in sweep.plan.jacobians[i]]
    seeds = [cts.get(k) or b.zeros(of) for k, of in enumerate(function.leaf_results) if is_real(of)]
    real = [a for a, of in zip(args, function.leaf_params, strict=True) if is_real(of)]
    for a, ct in zip(real, b.call(contraction, [*jacobian, *seeds]), strict=True):
        sweep.contribute(a, ct)


BACKWARD: Final[Mapping[str, Rule]] = total_table(
    "reverse mode",
    {
        **dict.fromkeys(PRIMITIVES, sweep_rows.primitive_rule),
        "add": sweep_rows.add_rule,
        "sub": sweep_rows.sub_rule,
        "mul": sweep_rows.mul_rule,
        "powi": sweep_rows.powi_rule,
        "select": sweep_rows.select_rule,
        "param": sweep_rows.param_rule,
        "proj": sweep_rows.proj_rule,
        "zeros": sweep_rows.constant_rule,
        "table": sweep_rows.constant_rule,
        "index": sweep_rows.index_rule,
        "update": sweep_rows.update_rule,
        "update_add": sweep_rows.update_rule,
        "stack": sweep_rows.stack_rule,
        "acc_read": sweep_rows.acc_read_rule,
        "add_to": sweep_rows.add_to_rule,
        "call": call_rule,
        "loop": loop_rule,
        "cond": branch_rule,
        **dict.fromkeys(("zero", "acc", "acc_index", "check", "print", "require"), sweep_rows.inactive_rule),
    },
)
"""For each operation, its rule in reverse mode."""
