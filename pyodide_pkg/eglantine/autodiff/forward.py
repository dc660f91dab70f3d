"""Forward mode: the function (x…, dx…) → (y…, dy…), in one direction or in several at once.

A push visits the rows of a block in order, and builds the tangent of each row. `FORWARD` contains the rule of
each operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from eglantine.analysis.activity import activity
from eglantine.analysis.liveness import live_rows
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES, total_table
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import ZERO, Array, Row, RowType
from eglantine.rewrite.effects import stripped
from eglantine.rewrite.environment import Env, identity, new_env

from . import push_rows
from .custom_rules import require_rule, rule_function
from .inlining import block_of
from .once import memoised, policy_of_derivative
from .push import STRUCTURED, Push, PushRule, Tangent
from .push_bodies import branch_rule, loop_rule

SHORT = 100
"""The largest number of rows of a block for which we build all tangents after all rows.

In a longer block, the values would not stay in registers until the tangents need them.
"""


Pattern = tuple[tuple[bool, ...] | None, ...]
"""For each leaf, a Bool for each direction: True if it has a tangent there. None stands for no tangents."""


def jvp_function(function: Function, pattern: Pattern, directions: int = 1, effects: bool = True
                 ) -> tuple[Function, Pattern]:  # fmt: skip
    """Return the function (x…, dx…) → (y…, dy…), and a pattern that says which results have tangents.

    pattern: says which leaves of the arguments have tangents. Each of these tangents becomes a parameter.
    effects: if true, the new function also runs prints and impure calls.
    """
    key = ("jvp", pattern, directions, effects)
    make = partial(_differentiated, function, pattern, directions, effects)
    return memoised(function, key, make)  # type: ignore[no-any-return]


def _differentiated(
    function: Function, pattern: Pattern, directions: int, effects: bool
) -> tuple[Function, Pattern]:
    b = Builder()
    primals = [b.param(of) for of in function.leaf_params]
    tangents: list[Tangent] = [
        None if ons is None else tuple(b.param(of) if on else ZERO for on in ons)
        for of, ons in zip(function.leaf_params, pattern, strict=True)
    ]
    return _function(function, b, primals, tangents, directions, effects)


def jacobian_function(function: Function, wanted: Sequence[bool]) -> tuple[Function, Pattern]:
    """Return the function x… → (y…, dy…). It has one direction for each number in the wanted leaves of x."""
    wanted = tuple(wanted)
    make = partial(_jacobian, function, wanted)
    return memoised(function, ("jacobian", wanted), make)  # type: ignore[no-any-return]


def _jacobian(function: Function, wanted: Sequence[bool]) -> tuple[Function, Pattern]:
    block = _short(function)
    b = Builder.resume(block) if block else Builder()
    primals = [*block.params] if block else [b.param(of) for of in function.leaf_params]
    sizes = [_size(of) if on else 0 for of, on in zip(function.leaf_params, wanted, strict=True)]
    tangents: list[Tangent] = []
    for k, (of, size) in enumerate(zip(function.leaf_params, sizes, strict=True)):
        before, after = sum(sizes[:k]), sum(sizes[k + 1 :])
        basis = [unit(b, of, j) for j in range(size)]
        tangents.append((*(ZERO,) * before, *basis, *(ZERO,) * after) if size else None)
    env = identity(block) if block else None
    return _function(function, b, primals, tangents, sum(sizes), True, env)


def _short(function: Function) -> Block | None:
    """If a function's block is short and has only plain operations, return it. Otherwise return None."""
    if function.rule is not None or function.block is None or len(function.block.rows) > SHORT:
        return None
    block = block_of(function)
    return block if block.operations.isdisjoint(STRUCTURED) else None


def _size(of: RowType) -> int:
    size = 1
    for n in of.dims if isinstance(of, Array) else ():
        size *= n
    return size


def unit(b: Builder, of: RowType, j: int) -> int:
    """Build a value of type `of` with a 1 at flat position j and zeros elsewhere."""
    if not isinstance(of, Array):
        return b.const(1.0)
    element: RowType = Array(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf
    k, rest = divmod(j, _size(element))
    return b.stack([unit(b, element, rest) if i == k else ZERO for i in range(of.dims[0])], element)


def _function(function: Function, b: Builder, primals: list[int], tangents: list[Tangent], directions: int,
              effects: bool, env: Env | None = None) -> tuple[Function, Pattern]:  # fmt: skip
    if function.rule is not None or function.block is None:
        results, out = _by_rule(b, function, primals, tangents, directions)
    else:
        block = block_of(function)
        block = block if effects else stripped(block, ())
        results, out = push(block, b, primals, tangents, directions, env)
    block = b.finish([*results, *(row for dy in out if dy for row in dy if row)])
    derivative = Function(
        f"jvp of {function.name}", (), function.result, block, span=function.span,
        policy=policy_of_derivative(function),
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return derivative, tuple(None if dy is None else tuple(map(bool, dy)) for dy in out)


def push(block: Block, b: Builder, primals: Sequence[int], tangents: Sequence[Tangent], directions: int,
         env: Env | None = None) -> tuple[list[int], list[Tangent]]:  # fmt: skip
    """Copy a block's rows into `b` and build their tangents. Return the results and their tangents.

    env: for each row of the block, its copy in `b`. Pass it if the rows were copied before.
    """
    env = env or new_env(block, b)
    tan: list[Any] = [None] * (len(block.rows) + len(block.consts))
    for param, x, dx in zip(block.params, primals, tangents, strict=True):
        env[param], tan[param] = x, dx
    act = activity(block, [dx is not None for dx in tangents])
    accs = [k for k, of in enumerate(block.param_types) if of.dtype == "acc"]
    Push(FORWARD, block, b, env, tan, act, live_rows(block, None, accs), directions).run()
    return [env[row] for row in block.results], [tan[row] for row in block.results]


def _by_rule(b: Builder, function: Function, primals: list[int], tangents: list[Tangent], directions: int
             ) -> tuple[list[int], list[Tangent]]:  # fmt: skip
    """Call a custom rule once for each direction. Missing tangents are zeros."""
    rule, real_in, real_out = rule_function(function)
    from .rule_checks import require_linear_numbers  # imported here because few pages need it

    require_linear_numbers(function)
    n = len(function.leaf_results)
    ys: list[int] = []
    out: list[list[int]] = []
    for k in range(directions):
        filled = [
            (dx[k] if dx else ZERO) or b.zeros(of)
            for dx, of, on in zip(tangents, function.leaf_params, real_in, strict=True) if on
        ]  # fmt: skip
        results = b.call(rule, [*primals, *filled])
        ys = ys or results[:n]
        out.append(results[n:])
    columns = iter(zip(*out, strict=True))
    return ys, [tuple(next(columns)) if on else None for on in real_out]


def call_rule(push: Push, i: int, row: Row) -> Tangent:
    """Build a call of the called function's jvp. The jvp takes only the tangents that exist."""
    return push_call(push, i, row, jvp_function)


def push_call(
    push: Push, i: int, row: Row, derivative: Callable[..., tuple[Function, Sequence[Any]]]
) -> Tangent:
    """Differentiate a call: build a call of a derivative of the called function.

    derivative: makes this derivative, and returns it with a pattern. The derivative takes the arguments, and
        then the tangents (or the coefficients of a series) that are not zero. The pattern says which tangents
        each result has.
    """
    b, env, tan, directions = push.b, push.env, push.tan, push.directions
    function: Function = row[2]
    require_rule(function, b.source)
    pattern = tuple(None if tan[a] is None else tuple(map(bool, tan[a])) for a in row[1])
    pushed, pattern_out = derivative(function, pattern, directions)
    flat = [dx for a in row[1] if tan[a] is not None for dx in tan[a] if dx]
    results = b.call(pushed, [*(env[a] for a in row[1]), *flat])
    n = len(function.leaf_results)
    env[i] = results[:n]
    tangents = iter(results[n:])
    push.results[i] = [
        tuple(next(tangents) if on else ZERO for on in ons or (False,) * directions) for ons in pattern_out
    ]
    return None


FORWARD: Final[Mapping[str, PushRule]] = total_table(
    "forward mode",
    {
        **dict.fromkeys(PRIMITIVES, push_rows.primitive_rule),
        "add": push_rows.add_rule,
        "sub": push_rows.sub_rule,
        "mul": push_rows.mul_rule,
        "powi": push_rows.powi_rule,
        "select": push_rows.select_rule,
        "proj": push_rows.proj_rule,
        "index": push_rows.index_rule,
        "update": push_rows.update_rule,
        "update_add": push_rows.update_rule,
        "stack": push_rows.stack_rule,
        "acc": push_rows.acc_rule,
        "acc_index": push_rows.acc_index_rule,
        "add_to": push_rows.add_to_rule,
        "acc_read": push_rows.acc_read_rule,
        "call": call_rule,
        "loop": loop_rule,
        "cond": branch_rule,
        **dict.fromkeys(
            ("zero", "param", "zeros", "table", "check", "print", "require"), push_rows.inactive_rule
        ),
    },
)
"""For each operation, its rule in forward mode."""
