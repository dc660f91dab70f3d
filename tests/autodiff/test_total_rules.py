"""Every operation has a rule in both modes, and a missing rule raises an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import eglantine as eg
from eglantine.analysis.activity import MARKS, Activity, activity, is_real
from eglantine.analysis.liveness import live_rows
from eglantine.autodiff.forward import FORWARD
from eglantine.autodiff.fusion import fused
from eglantine.autodiff.inlining import block_of
from eglantine.autodiff.ledger import Ledger
from eglantine.autodiff.plans import planned
from eglantine.autodiff.reverse import BACKWARD, begin_sweep
from eglantine.errors import InternalError
from eglantine.functions.derivatives import jvp_fn, vjp_fn
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import ARITY, PRIMITIVES, total_table
from eglantine.ir.printer import pretty
from eglantine.ir.program import Block, Cond, Function, Loop
from eglantine.ir.row_types import F64, I32, I64
from eglantine.ir.rules import NO_TANGENT
from eglantine.rewrite import plain_rows
from eglantine.rewrite.copying import copied
from eglantine.trace.scalars import RealValue
from eglantine.trace.traced import current_builder
from tests.emit.running import function
from tests.programs import Recorded, function_of, plan

BOTH_MODES = pytest.mark.parametrize("derivative", [jvp_fn, vjp_fn], ids=["forward", "reverse"])

INACTIVE = {
    "zero": "the symbolic zero",
    "zeros": "an array of constants",
    "table": "an array of constants",
    "check": "an index",
    "print": "acts on the world alone",
    "require": "acts on the world alone",
    **{name: "leaves the reals" for name, of in PRIMITIVES.items() if of.derivative is NO_TANGENT},
}
"""Operation whose result never carries a tangent → the reason."""


def primitive(name: str) -> Block:
    b = Builder()
    rows = [b.param(F64) for _ in PRIMITIVES[name].operands]
    return b.finish([b.un(name, *rows) if len(rows) == 1 else b.bi(name, *rows)])


def structured(name: str) -> Block:
    """Build a block that computes its result from a Real parameter with the operation `name`."""
    b = Builder()
    x = b.param(F64)
    p = b.bi("lt", x, b.const(9.0))
    vector, at = b.stack([x, b.un("sin", x)], F64), b.un("int_i1", p)
    match name:
        case "param" | "stack" | "index":
            found = b.index(vector, at)
        case "powi":
            found = b.powi(x, 3)
        case "select":
            found = b.select(p, x, b.un("sin", x))
        case "update" | "update_add":
            found = b.index(b.update(vector, at, x, name), at)
        case "acc" | "acc_index" | "add_to" | "acc_read":
            acc = b.acc((2,))
            b.add_to(b.acc_index(acc, at), x)
            found = b.index(b.acc_read(acc), at)
        case "call" | "proj":
            inner = Builder()
            found = b.call(function(inner, [inner.un("sin", inner.param(F64))]), [x])[0]
        case "loop":
            body = Builder(b)
            body.param(I32(0, 1))
            found = b.loop(Loop(body.finish([body.un("sin", body.param(F64))]), 2, 2, False, 1), [x])[0]
        case "cond":
            arms = [Builder(b, conditional=True) for _ in range(2)]
            sin, cos = [arm.un(op, arm.capture(x)) for arm, op in zip(arms, ("sin", "cos"), strict=True)]
            found = b.cond(Cond(arms[0].finish([sin]), arms[1].finish([cos])), [p, x])[0]
        case _:
            raise AssertionError(f"No program here has a row of the operation {name}.")
    block = b.finish([found])
    assert name in block.operations
    return block


def program(block: Block) -> Any:
    """The block as a function of Reals."""
    b = Builder.resume(block)
    return eg.Fn(function(b, block.results))


@BOTH_MODES
@pytest.mark.parametrize("name", sorted(ARITY.keys() - INACTIVE.keys()))
def test_each_operation_has_a_rule(name: str, derivative: Any) -> None:
    block = primitive(name) if name in PRIMITIVES else structured(name)
    active = activity(block, [True] * len(block.params))
    assert active.results(block) == [True]
    derivative(program(block))


@pytest.mark.parametrize("name", sorted(INACTIVE.keys() & PRIMITIVES.keys()))
def test_no_operation_without_a_derivative_maps_a_real_to_a_real(name: str) -> None:
    of = PRIMITIVES[name]
    assert of.result is not F64 or "f64" not in of.operands


@BOTH_MODES
def test_an_operation_without_a_rule_in_a_mode_raises_an_error(
    derivative: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ARITY, "mystery", 1)
    copy = lambda block, row, i, b, env, _: b.row(("mystery", env[row[1]]), F64)  # noqa: E731
    monkeypatch.setitem(plain_rows._COPY, "mystery", copy)

    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        twice, b = x * 2.0, current_builder()
        return RealValue(b, b.row(("mystery", twice.row), F64))

    with pytest.raises(InternalError, match=r"'mystery'.*fault of Eglantine") as caught:
        derivative(f)
    assert caught.value.span is not None
    assert caught.value.span.source == __file__


@BOTH_MODES
def test_a_primitive_whose_rule_was_removed_raises_an_error(
    derivative: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.math.sin(x) * 2.0)
    monkeypatch.setitem(PRIMITIVES, "sin", replace(PRIMITIVES["sin"], derivative=NO_TANGENT))
    with pytest.raises(InternalError, match="'sin'") as caught:
        derivative(f)
    assert caught.value.span is not None


@BOTH_MODES
def test_differentiating_a_real_made_from_its_bits_raises_an_error(derivative: Any) -> None:
    """The bug: a Real that is made from the bits of another Real silently got the derivative 0."""
    b = Builder()
    x = b.param(F64)
    f = function(b, [b.un("from_bits", b.bi("land", b.un("bits", x), b.constant(-1, I64)))])
    with pytest.raises(eg.MissingDerivativeError, match="of the bits of a Real"):
        derivative(eg.Fn(f))


@BOTH_MODES
@pytest.mark.parametrize(("x", "y", "slope"), [(2.0, 3.0, 1.0), (2.0, -3.0, -1.0), (-2.0, -3.0, 1.0)])
def test_the_raw_copysign_has_the_derivative_of_copysign(
    x: float, y: float, slope: float, derivative: Any
) -> None:
    """The bug: the operation raw_copysign silently got the derivative 0."""
    b = Builder()
    f = eg.Fn(function(b, [b.bi("raw_copysign", b.param(F64), b.param(F64))]))
    found = derivative(f)(x, y, 1.0, 1.0)[1][0] if derivative is jvp_fn else derivative(f)(x, y, (1.0,))[0]
    assert found == slope


TABLES = pytest.mark.parametrize("table", [FORWARD, BACKWARD, MARKS], ids=["forward", "reverse", "activity"])


@TABLES
def test_a_table_of_rules_that_lacks_an_operation_is_an_error(table: dict[str, Any]) -> None:
    with pytest.raises(
        InternalError, match=r"a mode must have one entry for each operation.*Add or remove powi"
    ):
        total_table("a mode", {op: rule for op, rule in table.items() if op != "powi"})


@TABLES
def test_a_table_of_rules_with_an_unknown_operation_is_an_error(table: dict[str, Any]) -> None:
    with pytest.raises(InternalError, match="Add or remove mystery"):
        total_table("a mode", {**table, "mystery": table["powi"]})


def test_the_fast_path_of_activity_agrees_with_its_table() -> None:
    for seed in range(200):
        block = block_of(function_of(plan(Recorded(seed))).function)
        active = [k % 2 == 0 for k in range(len(block.params))]
        fast = activity(block, active)
        flags = [False] * len(fast.flags)
        for param, is_active in zip(block.params, active, strict=True):
            flags[param] = is_active and is_real(block.types[param])
        by_table = Activity(flags, {}, {})
        for i, row in enumerate(block.rows):
            MARKS[row[0]](block, i, row, by_table)
        assert by_table.flags == fast.flags


def swept(function: Function, ledger: Ledger) -> Block:
    """Build a block with a function and its reverse sweep. Leave out the rows that no result needs."""
    block = fused(block_of(function))
    swept_block = planned(block, activity(block, [True] * len(block.params)), block.results)
    b = Builder.resume(swept_block.forward)
    sweep = begin_sweep(swept_block, b, ledger=ledger)
    for row, of in zip(block.results, block.result_types, strict=True):
        if is_real(of):
            sweep.contribute(row, b.param(of))
    sweep.run()
    totals = [sweep.total(a) for a in block.params if is_real(block.types[a])]
    whole = b.finish([*block.results, *(total for total in totals if total)])
    return copied(whole, live=live_rows(whole))


def test_a_sweep_that_records_additions_makes_the_same_rows() -> None:
    for seed in range(200):
        function = function_of(plan(Recorded(seed))).function
        noting = Ledger(additions=[])
        fast, by_rules = swept(function, Ledger()), swept(function, noting)
        assert pretty(fast) == pretty(by_rules)
