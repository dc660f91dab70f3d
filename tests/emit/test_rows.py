"""WebAssembly gives the interpreter's bits for each construct of the IR, in programs built by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Cond, Function, Loop
from eglantine.ir.row_types import F64, I1, I32, I64, Acc, Array
from eglantine.types import Real, Unit
from tests.emit.running import TRAPPED, agree, compiled, function, run

INDEX = I32(0, 9)
VECTOR = Array(F64, (3,))
NUMBERS = (0.0, -0.0, 1.5, -2.75, 1e300, math.inf, -math.inf, math.nan, 5e-324, 2.5, -0.5)


def body(params: Any, build: Any) -> Block:
    """The block whose results `build(builder, *parameters)` returns."""
    b = Builder()
    return b.finish(build(b, *(b.param(of) for of in params)))


def made(params: Any, build: Any, name: str = "f") -> Function:
    b = Builder()
    return function(b, build(b, *(b.param(of) for of in params)), name)


# ---------------------------------------------------------------- scalars


@pytest.mark.parametrize(
    "op", ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "nearest", "exp", "sin", "log"]
)
@pytest.mark.parametrize("x", NUMBERS)
def test_unary_primitives(op: str, x: float) -> None:
    agree(made([F64], lambda b, x: [b.un(op, x)]), x)


@pytest.mark.parametrize(
    "op", ["add", "sub", "mul", "div", "min", "max", "pow", "atan2", "lt", "le", "eq", "ne"]
)
@pytest.mark.parametrize("y", NUMBERS)
def test_binary_primitives(op: str, y: float) -> None:
    f = made([F64, F64], lambda b, x, y: [b.bi(op, x, y)])
    for x in NUMBERS:
        agree(f, x, y)


@pytest.mark.parametrize("op", ["iadd", "isub", "imul", "ilt", "ile", "igt", "ige", "ieq", "ine"])
def test_integer_primitives(op: str) -> None:
    f = made(
        [INDEX, INDEX], lambda b, i, j: [b.un("real_i32", b.bi(op, i, j))] if op < "ie" else [b.bi(op, i, j)]
    )
    for i, j in ((0, 0), (3, 5), (9, 2)):
        agree(f, i, j)


def test_division_of_indices_truncates() -> None:
    f = made([INDEX, I32(1, 9)], lambda b, i, j: [b.bi("iquotient", i, j), b.bi("iremainder", i, j)])
    assert agree(f, 9, 4) == [2, 1]


def test_logic() -> None:
    def build(b: Builder, p: int, q: int) -> list[int]:
        rows = [b.bi(op, p, q) for op in ("and", "or", "xor")]
        return [*rows, b.un("not", p), b.un("real_i1", p), b.un("int_i1", q)]

    for p in (False, True):
        for q in (False, True):
            agree(made([I1, I1], build), p, q)


def test_sixty_four_bit_integers() -> None:
    def build(b: Builder, x: int) -> list[int]:
        n = b.un("bits", x)
        k = b.constant(0x0123456789ABCDEF, I64)
        rows = [b.bi(op, n, k) for op in ("ladd", "lsub", "lmul", "land", "lor", "lxor")]
        three = b.constant(3, I64)
        rows += [b.bi(op, n, three) for op in ("lshl", "lshr", "lshr_u")]
        compared = [b.bi(op, n, k) for op in ("llt", "lle", "lgt", "lge", "leq", "lne")]
        return [
            *(b.un("real_i64", row) for row in rows),
            *compared,
            b.un("wrap_i64", b.bi("land", n, b.constant(0xFFFF, I64))),
        ]

    for x in (0.0, 1.5, -2.0, 1e-300):
        agree(made([F64], build), x)


def test_float_to_integer_saturates() -> None:
    f = made([F64], lambda b, x: [b.un("real_i64", b.un("int_f64", x))])
    for x in NUMBERS:
        agree(f, x)


def test_select() -> None:
    f = made([I1, F64, F64], lambda b, p, x, y: [b.select(p, x, y), b.select(p, b.const(2.0), x)])
    assert agree(f, True, 3.0, 4.0) == [3.0, 2.0]
    assert agree(f, False, 3.0, 4.0) == [4.0, 3.0]


def test_results_may_be_constants_parameters_and_repeated() -> None:
    f = made([F64, I1], lambda b, x, p: [b.const(-0.0), x, x, b.bool_const(True), p, b.const(math.nan)])
    agree(f, 7.0, True)


def test_nothing_in_and_nothing_out() -> None:
    assert agree(made([], lambda b: [])) == []


def test_a_constant_that_is_used_often_is_written_once() -> None:
    def build(b: Builder, x: int) -> list[int]:
        for _ in range(20):
            x = b.add(b.mul(x, b.const(1.1)), b.const(0.3))
        return [x]

    f = made([F64], build)
    agree(f, 2.0)
    assert compiled(f).wasm.count(bytes.fromhex("9a9999999999f13f")) == 1


def test_dead_rows_are_not_written() -> None:
    def build(b: Builder, x: int) -> list[int]:
        y = b.mul(x, x)
        b.un("exp", b.add(y, y))
        return [x]

    artifact = compiled(made([F64], build))
    assert artifact.functions == 1
    assert "f64.mul" not in artifact.wat


def test_long_chains_lean_either_way() -> None:
    def left(b: Builder, x: int) -> list[int]:
        y = x
        for k in range(3000):
            y = b.sub(y, b.const(k + 0.5))
        return [y]

    def right(b: Builder, x: int) -> list[int]:
        y = x
        for k in range(3000):
            y = b.sub(b.const(k + 0.5), y)
        return [y]

    agree(made([F64], left), 1.0)
    agree(made([F64], right), 1.0)


# ---------------------------------------------------------------- branches


def chain(b: Builder, p: int, x: int, y: int, then: Any, orelse: Any) -> list[int]:
    arms = Cond(body([F64, F64], then), body([F64, F64], orelse))
    return b.cond(arms, [p, x, y])


def test_a_branch_of_one_result_among_others() -> None:
    def build(b: Builder, x: int, y: int) -> list[int]:
        p = b.bi("lt", x, y)
        one = chain(b, p, x, y, lambda b, x, y: [b.mul(x, y)], lambda b, x, y: [b.sub(x, b.const(1.0))])[0]
        two = chain(b, p, y, one, lambda b, x, y: [x, y], lambda b, x, y: [y, b.add(x, y)])
        return [b.add(one, two[0]), two[1], one]

    f = made([F64, F64], build)
    agree(f, 1.0, 2.0)
    agree(f, 2.0, 1.0)


def test_a_branch_of_no_used_result_is_not_written() -> None:
    def build(b: Builder, x: int) -> list[int]:
        chain(b, b.bi("lt", x, b.const(0.0)), x, x, lambda b, x, y: [b.mul(x, y)], lambda b, x, y: [x])
        return [x]

    assert "if" not in compiled(made([F64], build)).wat


def test_a_branch_may_be_read_twice_and_return_what_it_is_given() -> None:
    def build(b: Builder, p: int, x: int, y: int) -> list[int]:
        r = chain(b, p, x, y, lambda b, x, y: [y, x, b.const(3.0)], lambda b, x, y: [x, x, y])
        return [*r, b.mul(r[0], r[2]), b.add(r[0], r[1])]

    for p in (True, False):
        agree(made([I1, F64, F64], build), p, 2.0, 5.0)


def test_branches_inside_branches() -> None:
    def inner(b: Builder, x: int, y: int) -> list[int]:
        p = b.bi("gt", x, b.const(1.0))
        return chain(b, p, y, x, lambda b, x, y: [b.mul(x, x), y], lambda b, x, y: [y, b.neg(x)])

    def build(b: Builder, x: int, y: int) -> list[int]:
        return chain(b, b.bi("lt", x, y), x, y, inner, lambda b, x, y: [x, b.add(y, y)])

    for x, y in ((0.5, 2.0), (1.5, 2.0), (3.0, 2.0)):
        agree(made([F64, F64], build), x, y)


def test_a_branch_of_arrays() -> None:
    def build(b: Builder, p: int, v: int, x: int) -> list[int]:
        arms = Cond(
            body([VECTOR, F64], lambda b, v, x: [b.stack([x, b.index(v, b.int_const(1)), x], F64), x]),
            body([VECTOR, F64], lambda b, v, x: [v, b.neg(x)]),
        )
        w, y = b.cond(arms, [p, v, x])
        return [w, y, b.index(w, b.int_const(2)), v]

    for p in (True, False):
        agree(made([I1, VECTOR, F64], build), p, [1.0, 2.0, 3.0], 9.0)


# ---------------------------------------------------------------- loops


def loop(b: Builder, n: Any, inits: Any, captures: Any, types: Any, build: Any, **more: Any) -> list[int]:
    """A loop of n rounds, where `n` is a number or a pair of a row and its bound."""
    count, extent, first = (n, n, []) if isinstance(n, int) else (None, n[1], [n[0]])
    index = I32(0, max(extent - 1, 0))
    block = body([index, *types], build)
    loop = Loop(block, count, extent, more.get("reverse", False), len(inits))
    return b.loop(loop, [*first, *inits, *captures])


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_a_loop_whose_carry_permutes(n: int, reverse: bool) -> None:
    def step(b: Builder, i: int, x: int, y: int, z: int) -> list[int]:
        return [y, z, b.add(x, b.un("real_i32", i)), b.mul(x, y)]

    def build(b: Builder, x: int, y: int, z: int) -> list[int]:
        return loop(b, n, [x, y, z], [], [F64] * 3, step, reverse=reverse)

    agree(made([F64] * 3, build), 1.0, 2.0, 3.0)


@pytest.mark.parametrize("count", [0, 1, 4, 5])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_loop_of_a_counted_number_of_rounds(count: int, reverse: bool) -> None:
    def step(b: Builder, i: int, x: int, c: int) -> list[int]:
        return [b.add(b.mul(x, c), b.un("real_i32", i)), b.sub(x, c), b.stack([x, c], F64)]

    def build(b: Builder, n: int, x: int, c: int) -> list[int]:
        return [*loop(b, (n, 5), [x], [c], [F64, F64], step, reverse=reverse), c]

    agree(made([I32(0, 5), F64, F64], build), count, 1.5, 0.25)


def test_a_count_below_zero_is_no_round() -> None:
    def build(b: Builder, n: int, x: int) -> list[int]:
        below = b.bi("isub", n, b.int_const(3))
        return loop(b, (below, 5), [x], [], [F64], lambda b, i, x: [b.add(x, x)])

    for n in (0, 3, 5):
        agree(made([I32(0, 5), F64], build), n, 1.0)


def test_loops_inside_loops_that_capture_from_both() -> None:
    def innermost(b: Builder, j: int, s: int, x: int, i: int, c: int) -> list[int]:
        product = b.mul(b.un("real_i32", b.bi("iadd", b.bi("imul", i, b.int_const(4)), j)), x)
        return [b.add(s, b.mul(product, c)), product]

    def outer(b: Builder, i: int, s: int, c: int, v: int) -> list[int]:
        x = b.index(v, i)
        t, row = loop(b, 4, [b.const(0.0)], [x, i, c], [F64, F64, I32(0, 2), F64], innermost)
        return [b.add(s, b.mul(t, x)), row, t]

    def build(b: Builder, v: int, c: int) -> list[int]:
        total, table, sums = loop(b, 3, [b.const(0.0)], [c, v], [F64, F64, VECTOR], outer)
        return [total, table, b.index(b.index(table, b.int_const(2)), b.int_const(1)), sums]

    agree(made([VECTOR, F64], build), [1.0, -2.0, 0.5], 3.0)


def test_a_loop_that_carries_arrays_in_a_circle() -> None:
    def step(b: Builder, i: int, u: int, v: int, w: int, x: int) -> list[int]:
        y = b.index(u, b.un("int_i1", b.bi("lt", x, b.const(2.0))))
        return [v, w, b.stack([y, x, b.index(w, b.int_const(0))], F64), b.add(x, y), u]

    def build(b: Builder, u: int, v: int, w: int, x: int) -> list[int]:
        return [*loop(b, 4, [u, v, w, x], [], [VECTOR] * 3 + [F64], step), u]

    agree(made([VECTOR] * 3 + [F64], build), [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], 0.5)


def test_a_loop_that_carries_a_view_of_its_own_carry() -> None:
    matrix = Array(F64, (2, 3))

    def step(b: Builder, i: int, m: int, v: int) -> list[int]:
        first, second = (b.index(m, b.int_const(k)) for k in (0, 1))
        x = b.index(v, i)
        chosen = b.select(b.bi("lt", x, b.const(4.5)), first, second)
        return [b.stack([second, v], VECTOR), chosen]

    def build(b: Builder, m: int, v: int) -> list[int]:
        return loop(b, 3, [m, v], [], [matrix, VECTOR], step)

    agree(made([matrix, VECTOR], build), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [7.0, 8.0, 9.0])


def test_a_loop_whose_last_carry_alone_matters_stacks_nothing() -> None:
    def step(b: Builder, i: int, x: int) -> list[int]:
        return [b.mul(x, x), b.add(x, x)]

    f = made([F64], lambda b, x: loop(b, 3, [x], [], [F64], step)[:1])
    assert agree(f, 1.5) == [1.5**8]
    assert compiled(f).wat.count("f64.store") == 1


def test_initial_carries_of_one_value() -> None:
    def build(b: Builder, x: int) -> list[int]:
        y = b.mul(x, x)
        r = loop(b, 3, [y, y, y], [y], [F64] * 4, lambda b, i, p, q, r, y: [q, b.add(r, y), b.mul(p, y)])
        return [*r, b.add(y, r[0])]

    agree(made([F64], build), 1.25)


# ---------------------------------------------------------------- arrays


def test_arrays_of_arrays_by_constant_and_computed_indices() -> None:
    cube = Array(F64, (2, 3, 2))

    def build(b: Builder, a: int, i: int, j: int) -> list[int]:
        m = b.index(a, i)
        row = b.index(m, j)
        fixed = b.index(b.index(a, b.int_const(1)), j)
        last = b.index(b.index(m, b.int_const(2)), b.int_const(1))
        return [m, row, fixed, last, b.add(b.index(row, i), b.index(fixed, i)), b.index(row, b.int_const(0))]

    value = [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]
    for i in (0, 1):
        for j in (0, 2):
            agree(made([cube, I32(0, 1), I32(0, 2)], build), value, i, j)


def test_arrays_of_truth_values_and_of_indices() -> None:
    bools, indices = Array(I1, (3,)), Array(I32(0, 2), (3,))

    def build(b: Builder, p: int, k: int, i: int) -> list[int]:
        at = b.index(k, b.index(k, i))
        chosen = b.index(p, at)
        return [chosen, at, b.stack([chosen, chosen], I1), b.stack([at, i], I32(0, 2)), p, k]

    agree(made([bools, indices, I32(0, 2)], build), [True, False, True], [2, 0, 1], 0)


def test_tables_of_every_kind() -> None:
    def build(b: Builder, i: int) -> list[int]:
        reals = b.table((0.1, 0.2, math.nan, -0.0), F64)
        longs = b.table((1, -5, 1 << 40, 7), I64)
        small = b.table((3, 2, 1, 0), I32(0, 3))
        truths = b.table((True, False, True, True), I1)
        again = b.index(reals, b.index(small, i))
        return [
            reals,
            b.index(reals, i),
            b.un("real_i64", b.index(longs, i)),
            again,
            b.index(truths, i),
            truths,
        ]

    for i in range(4):
        agree(made([I32(0, 3)], build), i)


def test_equal_tables_are_stored_once() -> None:
    def one(b: Builder, i: int) -> list[int]:
        return [b.index(b.table((0.125, 0.375, 11.0), F64), i)]

    def build(b: Builder, i: int) -> list[int]:
        return [*b.call(made([I32(0, 2)], one), [i]), *one(b, i)]

    f = made([I32(0, 2)], build)
    agree(f, 1)
    assert compiled(f).wat.count("(data ") == 1


def test_zeros_stay_zero() -> None:
    of = Array(F64, (2, 3))

    def build(b: Builder, v: int) -> list[int]:
        zeros = b.zeros(of)
        m = loop(b, 2, [zeros], [v], [of, VECTOR], lambda b, i, m, v: [b.stack([v, b.index(m, i)], VECTOR)])[
            0
        ]
        return [zeros, m, b.stack([b.zeros(VECTOR), v], VECTOR), b.zeros(VECTOR)]

    agree(made([VECTOR], build), [1.0, 2.0, 3.0])


def test_a_choice_between_arrays() -> None:
    def build(b: Builder, p: int, v: int, x: int, i: int) -> list[int]:
        w = b.stack([x, b.mul(x, x), x], F64)
        m = b.stack([v, w], VECTOR)
        chosen = b.select(p, b.select(b.bi("lt", x, b.const(1.0)), w, v), b.index(m, b.un("int_i1", p)))
        return [chosen, b.index(chosen, i), b.index(b.select(p, v, w), b.int_const(1))]

    for p in (True, False):
        for x in (0.5, 2.0):
            agree(made([I1, VECTOR, F64, I32(0, 2)], build), p, [1.0, 2.0, 3.0], x, 1)


def test_arrays_of_no_elements() -> None:
    empty, wide = Array(F64, (0,)), Array(F64, (2, 0))

    def build(b: Builder, e: int, m: int, x: int) -> list[int]:
        r = loop(b, 0, [x], [], [F64], lambda b, i, x: [x, x, b.stack([x], F64)])
        return [e, b.index(m, b.int_const(1)), *r, b.zeros(empty), b.stack([e, e], empty)]

    agree(made([empty, wide, F64], build), [], [[], []], 1.0)


def test_one_array_as_two_results_and_inside_a_third() -> None:
    def build(b: Builder, x: int) -> list[int]:
        v = b.stack([x, b.const(1.0), x], F64)
        return [v, v, b.stack([v, v], VECTOR), b.index(b.stack([v, b.zeros(VECTOR)], VECTOR), b.int_const(0))]

    agree(made([F64], build), 4.0)


def test_memory_of_arrays_is_used_again_when_they_are_dead() -> None:
    def build(b: Builder, x: int, i: int) -> list[int]:
        for k in range(50):
            v = b.stack([x, b.const(float(k)), b.mul(x, x)], F64)
            x = b.index(v, i)
        return [x]

    f = made([F64, I32(0, 2)], build)
    agree(f, 0.5, 2)
    assert compiled(f).abi["memory"]["bytes"] < 64 + 3 * 8 + 3 * 24


# ---------------------------------------------------------------- accumulators


def test_a_scalar_accumulator_is_a_local() -> None:
    def step(b: Builder, i: int, acc: int, v: int) -> list[int]:
        b.add_to(acc, b.index(v, i))
        arms = Cond(body([Acc(()), F64], add), body([Acc(()), F64], lambda b, acc, x: []))
        b.cond(arms, [b.bi("igt", i, b.int_const(0)), acc, b.index(v, i)])
        return []

    def add(b: Builder, acc: int, x: int) -> list[int]:
        b.add_to(acc, b.mul(x, x))
        return []

    def build(b: Builder, v: int) -> list[int]:
        acc = b.acc(())
        loop(b, 3, [], [acc, v], [Acc(()), VECTOR], step)
        b.add_to(acc, b.const(0.5))
        total = b.acc_read(acc)
        return [total, b.mul(total, total)]

    f = made([VECTOR], build)
    assert agree(f, [1.0, 2.0, 3.0])[0] == 19.5
    assert compiled(f).wat.count("f64.store") == 2


@pytest.mark.parametrize("n", [2, 3, 9])
def test_array_accumulators_take_elements_views_and_whole_arrays(n: int) -> None:
    of = Array(F64, (2, n))

    def step(b: Builder, i: int, acc: int, m: int, x: int) -> list[int]:
        part = b.acc_index(acc, b.bi("isub", b.int_const(1), i))
        b.add_to(part, b.index(m, i))
        b.add_to(b.acc_index(part, b.int_const(1)), x)
        b.add_to(b.acc_index(b.acc_index(acc, i), i), b.index(b.index(m, i), i))
        return []

    def build(b: Builder, m: int, x: int) -> list[int]:
        acc = b.acc((2, n))
        loop(b, 2, [], [acc, m, x], [Acc((2, n)), of, F64], step)
        b.add_to(acc, m)
        b.add_to(b.acc_index(acc, b.int_const(0)), b.index(m, b.int_const(1)))
        read = b.acc_read(acc)
        return [read, b.index(b.index(read, b.int_const(0)), b.int_const(1))]

    agree(made([of, F64], build), [[float(k + 10 * i) for k in range(n)] for i in (1, 2)], 0.25)


def test_accumulators_made_in_every_round() -> None:
    def step(b: Builder, i: int, s: int, v: int) -> list[int]:
        acc, one = b.acc((3,)), b.acc(())
        b.add_to(acc, v)
        b.add_to(b.acc_index(acc, i), s)
        b.add_to(one, b.index(v, i))
        read, x = b.acc_read(acc), b.acc_read(one)
        return [b.add(s, b.add(b.index(read, i), x)), read, x]

    def build(b: Builder, v: int) -> list[int]:
        return loop(b, 3, [b.const(1.0)], [v], [F64, VECTOR], step)

    agree(made([VECTOR], build), [1.0, 2.0, 3.0])


# ---------------------------------------------------------------- checks


@pytest.mark.parametrize("i", [0, 2, 3, 9])
def test_a_check_traps_with_its_message(i: int) -> None:
    def build(b: Builder, v: int, i: int) -> list[int]:
        j = b.check(i, 3)
        return [
            b.index(v, j),
            b.mul(b.index(v, b.check(b.bi("iadd", i, b.int_const(0)), 3)), b.un("real_i32", i)),
        ]

    f = made([VECTOR, INDEX], build)
    agree(f, [1.0, 2.0, 3.0], i)
    messages = [trap["message"] for trap in compiled(f).abi["traps"]]
    assert messages == ["An index is out of range. Choose one from 0 to 2."]


def test_a_check_of_a_value_nobody_reads_still_traps() -> None:
    def build(b: Builder, i: int, x: int) -> list[int]:
        b.check(b.bi("isub", i, b.int_const(1)), 5)
        return [x]

    f = made([INDEX, F64], build)
    assert agree(f, 0, 1.0) == TRAPPED
    assert agree(f, 1, 1.0) == [1.0]


def test_a_check_inside_a_loop() -> None:
    def build(b: Builder, v: int, k: int) -> list[int]:
        def step(b: Builder, i: int, s: int, v: int, k: int) -> list[int]:
            j = b.check(b.bi("iadd", i, k), 3)
            return [b.add(s, b.index(v, j)), b.un("real_i32", j)]

        return loop(b, 2, [b.const(0.0)], [v, k], [F64, VECTOR, INDEX], step)

    for k in (0, 1, 2):
        agree(made([VECTOR, INDEX], build), [1.0, 2.0, 4.0], k)


# ---------------------------------------------------------------- calls


def test_calls_of_several_results_of_all_types() -> None:
    def inner(b: Builder, x: int, p: int, i: int) -> list[int]:
        return [b.mul(x, x), p, b.bi("iadd", i, b.int_const(1)), b.select(p, x, b.neg(x))]

    callee = made([F64, I1, INDEX], inner, "callee")

    def build(b: Builder, x: int, p: int, i: int) -> list[int]:
        first = b.call(callee, [x, p, i])
        second = b.call(callee, [first[0], b.un("not", first[1]), i])
        return [second[3], first[2], b.add(second[0], first[3]), first[1]]

    for p in (True, False):
        agree(made([F64, I1, INDEX], build), 1.5, p, 4)


def test_arrays_go_in_and_out_of_calls() -> None:
    matrix = Array(F64, (2, 3))

    def scaled(b: Builder, v: int, x: int) -> list[int]:
        elements = [b.mul(b.index(v, b.int_const(k)), x) for k in range(3)]
        return [b.stack(elements, F64), elements[1], v]

    def pair(b: Builder, v: int, x: int) -> list[int]:
        u, y, w = b.call(made([VECTOR, F64], scaled, "scaled"), [v, x])
        return [b.stack([u, w], VECTOR), y, b.stack([y, y], F64)]

    def build(b: Builder, v: int, x: int, i: int) -> list[int]:
        m, y, d = b.call(made([VECTOR, F64], pair, "pair"), [v, x])
        n = b.call(made([VECTOR, F64], pair, "pair"), [b.index(m, i), b.index(d, i)])[0]
        return [m, n, y, b.index(b.index(n, i), i), b.index(v, i)]

    f = made([VECTOR, F64, I32(0, 1)], build)
    assert f.block is not None
    assert f.block.result_types[0] == matrix
    for i in (0, 1):
        agree(f, [1.0, 2.0, 3.0], 0.5, i)


def test_accumulators_go_into_calls() -> None:
    def adds(b: Builder, acc: int, one: int, v: int, i: int) -> list[int]:
        b.add_to(b.acc_index(acc, i), b.index(v, i))
        b.add_to(one, b.index(v, i))
        b.add_to(acc, v)
        return []

    callee = made([Acc((3,)), Acc(()), VECTOR, I32(0, 2)], adds, "adds")

    def step(b: Builder, i: int, acc: int, one: int, v: int) -> list[int]:
        b.call(callee, [acc, one, v, i])
        return []

    def build(b: Builder, v: int) -> list[int]:
        rows, one = b.acc((2, 3)), b.acc(())
        loop(b, 3, [], [b.acc_index(rows, b.int_const(1)), one, v], [Acc((3,)), Acc(()), VECTOR], step)
        b.call(callee, [b.acc_index(rows, b.int_const(0)), one, v, b.int_const(2)])
        b.add_to(one, b.const(0.25))
        return [b.acc_read(rows), b.acc_read(one)]

    agree(made([VECTOR], build), [1.0, 2.0, 3.0])


def test_frames_of_callers_and_callees_do_not_overlap() -> None:
    def leaf(b: Builder, x: int) -> list[int]:
        v = b.stack([x, b.mul(x, x), b.const(3.0)], F64)
        return [b.index(v, b.un("int_i1", b.bi("lt", x, b.const(1.0))))]

    low = made([F64], leaf, "low")

    def middle(b: Builder, x: int) -> list[int]:
        v = b.stack([x, b.neg(x), x], F64)
        y = b.call(low, [x])[0]
        return [b.add(y, b.index(v, b.un("int_i1", b.bi("lt", y, b.const(2.0)))))]

    def build(b: Builder, x: int) -> list[int]:
        v = b.stack([x, b.add(x, x), b.const(7.0)], F64)
        y = b.call(made([F64], middle, "middle"), [x])[0]
        z = b.call(low, [y])[0]
        return [b.add(z, b.index(v, b.un("int_i1", b.bi("lt", z, b.const(2.0))))), v]

    for x in (0.5, 1.5, 3.0):
        agree(made([F64], build), x)


def test_a_chain_of_calls_deeper_than_pythons_stack() -> None:
    f = made([F64], lambda b, x: [b.add(x, b.const(1.0))])
    for k in range(3000):
        f = made([F64], lambda b, x, f=f: [b.add(b.call(f, [x])[0], b.const(1.0))], f"f{k}")
    assert run(compiled(f), [0.0]) == [3001.0]


def test_calls_that_nobody_reads_vanish_unless_they_are_impure() -> None:
    seen: list[float] = []
    host = Function("host", (Real,), Unit, None, seen.append, pure=False, leaf_params=(F64,))

    def build(b: Builder, x: int) -> list[int]:
        b.call(host, [x])
        b.call(made([F64], lambda b, x: [b.mul(x, x)], "pure"), [x])
        b.call(host, [b.add(x, x)])
        return [x]

    artifact = compiled(made([F64], build))
    assert run(artifact, [2.0], times=1) == [2.0]
    assert seen == [2.0, 4.0]
    assert artifact.functions == 1
    assert artifact.abi["imports"] == [
        {
            "module": "host",
            "name": "h0",
            "label": "host",
            "params": ["f64"],
            "results": [],
            "types": ["real"],
            "result": "unit",
        }
    ]


def test_prints_run_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def build(b: Builder, x: int, p: int) -> list[int]:
        b.effect(("print", (x, p), "x = {}, p = {}"))
        b.effect(("print", (b.mul(x, x),), "x² = {}"))
        return [x]

    artifact = compiled(made([F64, I1], build))
    run(artifact, [1.5, True], times=1)
    assert capsys.readouterr().out == "x = 1.5, p = True\nx² = 2.25\n"
    assert {entry["label"]: entry["types"] for entry in artifact.abi["imports"]} == {
        "print:x = {}, p = {}": ["real", "bool"],
        "print:x² = {}": ["real"],
    }
