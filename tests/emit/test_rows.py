"""WebAssembly gives the interpreter's bits for each construct of the IR, in programs built by hand."""

from __future__ import annotations

import math

import pytest

from eglantine.ir.builder import Builder
from eglantine.ir.program import Cond
from eglantine.ir.row_types import F64, I1, I32, I64, Array
from tests.emit.blocks import INDEX, NUMBERS, VECTOR, body, chain, loop, made
from tests.emit.running import agree, agree_on_each, compiled

# ---------------------------------------------------------------- scalars


@pytest.mark.parametrize(
    "op", ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "nearest", "exp", "sin", "log"]
)
@pytest.mark.parametrize("x", NUMBERS)
def test_unary_primitives_give_the_interpreters_bits(op: str, x: float) -> None:
    agree(made([F64], lambda b, x: [b.un(op, x)]), x)


@pytest.mark.parametrize(
    "op", ["add", "sub", "mul", "div", "min", "max", "pow", "atan2", "lt", "le", "eq", "ne"]
)
@pytest.mark.parametrize("y", NUMBERS)
def test_binary_primitives_give_the_interpreters_bits(op: str, y: float) -> None:
    agree_on_each(made([F64, F64], lambda b, x, y: [b.bi(op, x, y)]), [(x, y) for x in NUMBERS])


@pytest.mark.parametrize("op", ["iadd", "isub", "imul", "ilt", "ile", "igt", "ige", "ieq", "ine"])
def test_integer_primitives_give_the_interpreters_bits(op: str) -> None:
    f = made(
        [INDEX, INDEX], lambda b, i, j: [b.un("real_i32", b.bi(op, i, j))] if op < "ie" else [b.bi(op, i, j)]
    )
    for i, j in ((0, 0), (3, 5), (9, 2)):
        agree(f, i, j)


def test_division_of_indices_rounds_towards_zero() -> None:
    f = made([INDEX, I32(1, 9)], lambda b, i, j: [b.bi("iquotient", i, j), b.bi("iremainder", i, j)])
    assert agree(f, 9, 4) == [2, 1]


def test_logic_of_bools_gives_the_interpreters_bits() -> None:
    def build(b: Builder, p: int, q: int) -> list[int]:
        rows = [b.bi(op, p, q) for op in ("and", "or", "xor")]
        return [*rows, b.un("not", p), b.un("real_i1", p), b.un("int_i1", q)]

    for p in (False, True):
        for q in (False, True):
            agree(made([I1, I1], build), p, q)


def test_operations_on_64_bit_integers_give_the_interpreters_bits() -> None:
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


def test_conversion_from_float_to_integer_saturates() -> None:
    f = made([F64], lambda b, x: [b.un("real_i64", b.un("int_f64", x))])
    for x in NUMBERS:
        agree(f, x)


def test_select_gives_the_interpreters_bits() -> None:
    f = made([I1, F64, F64], lambda b, p, x, y: [b.select(p, x, y), b.select(p, b.const(2.0), x)])
    assert agree(f, True, 3.0, 4.0) == [3.0, 2.0]
    assert agree(f, False, 3.0, 4.0) == [4.0, 3.0]


def test_a_result_may_be_a_constant_a_parameter_or_another_result() -> None:
    f = made([F64, I1], lambda b, x, p: [b.const(-0.0), x, x, b.bool_const(True), p, b.const(math.nan)])
    agree(f, 7.0, True)


def test_a_function_may_have_no_parameters_and_no_results() -> None:
    assert agree(made([], lambda b: [])) == []


def test_a_constant_that_is_used_often_is_emitted_once() -> None:
    def build(b: Builder, x: int) -> list[int]:
        for _ in range(20):
            x = b.add(b.mul(x, b.const(1.1)), b.const(0.3))
        return [x]

    f = made([F64], build)
    agree(f, 2.0)
    assert compiled(f).wasm.count(bytes.fromhex("9a9999999999f13f")) == 1


def test_unused_rows_are_not_emitted() -> None:
    def build(b: Builder, x: int) -> list[int]:
        y = b.mul(x, x)
        b.un("exp", b.add(y, y))
        return [x]

    artifact = compiled(made([F64], build))
    assert artifact.functions == 1
    assert "f64.mul" not in artifact.wat


def test_long_chains_through_the_left_or_right_operand_compile() -> None:
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


def test_branches_may_have_one_result_or_two() -> None:
    def build(b: Builder, x: int, y: int) -> list[int]:
        p = b.bi("lt", x, y)
        one = chain(b, p, x, y, lambda b, x, y: [b.mul(x, y)], lambda b, x, y: [b.sub(x, b.const(1.0))])[0]
        two = chain(b, p, y, one, lambda b, x, y: [x, y], lambda b, x, y: [y, b.add(x, y)])
        return [b.add(one, two[0]), two[1], one]

    f = made([F64, F64], build)
    agree(f, 1.0, 2.0)
    agree(f, 2.0, 1.0)


def test_a_branch_whose_results_are_not_used_is_not_emitted() -> None:
    def build(b: Builder, x: int) -> list[int]:
        chain(b, b.bi("lt", x, b.const(0.0)), x, x, lambda b, x, y: [b.mul(x, y)], lambda b, x, y: [x])
        return [x]

    assert "if" not in compiled(made([F64], build)).wat


def test_a_branch_may_return_its_operands_and_be_read_twice() -> None:
    def build(b: Builder, p: int, x: int, y: int) -> list[int]:
        r = chain(b, p, x, y, lambda b, x, y: [y, x, b.const(3.0)], lambda b, x, y: [x, x, y])
        return [*r, b.mul(r[0], r[2]), b.add(r[0], r[1])]

    for p in (True, False):
        agree(made([I1, F64, F64], build), p, 2.0, 5.0)


def test_branches_may_contain_branches() -> None:
    def inner(b: Builder, x: int, y: int) -> list[int]:
        p = b.bi("gt", x, b.const(1.0))
        return chain(b, p, y, x, lambda b, x, y: [b.mul(x, x), y], lambda b, x, y: [y, b.neg(x)])

    def build(b: Builder, x: int, y: int) -> list[int]:
        return chain(b, b.bi("lt", x, y), x, y, inner, lambda b, x, y: [x, b.add(y, y)])

    for x, y in ((0.5, 2.0), (1.5, 2.0), (3.0, 2.0)):
        agree(made([F64, F64], build), x, y)


def test_a_branch_may_return_arrays() -> None:
    def build(b: Builder, p: int, v: int, x: int) -> list[int]:
        arms = Cond(
            body([VECTOR, F64], lambda b, v, x: [b.stack([x, b.index(v, b.int_const(1)), x], F64), x]),
            body([VECTOR, F64], lambda b, v, x: [v, b.neg(x)]),
        )
        w, y = b.cond(arms, [p, v, x])
        return [w, y, b.index(w, b.int_const(2)), v]

    for p in (True, False):
        agree(made([I1, VECTOR, F64], build), p, [1.0, 2.0, 3.0], 9.0)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_a_loop_may_permute_its_carries(n: int, reverse: bool) -> None:
    def step(b: Builder, i: int, x: int, y: int, z: int) -> list[int]:
        return [y, z, b.add(x, b.un("real_i32", i)), b.mul(x, y)]

    def build(b: Builder, x: int, y: int, z: int) -> list[int]:
        return loop(b, n, [x, y, z], [], [F64] * 3, step, reverse=reverse)

    agree(made([F64] * 3, build), 1.0, 2.0, 3.0)


@pytest.mark.parametrize("count", [0, 1, 4, 5])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_trip_count_may_be_known_only_at_run_time(count: int, reverse: bool) -> None:
    def step(b: Builder, i: int, x: int, c: int) -> list[int]:
        return [b.add(b.mul(x, c), b.un("real_i32", i)), b.sub(x, c), b.stack([x, c], F64)]

    def build(b: Builder, n: int, x: int, c: int) -> list[int]:
        return [*loop(b, (n, 5), [x], [c], [F64, F64], step, reverse=reverse), c]

    agree(made([I32(0, 5), F64, F64], build), count, 1.5, 0.25)


def test_a_negative_trip_count_means_no_rounds() -> None:
    def build(b: Builder, n: int, x: int) -> list[int]:
        below = b.bi("isub", n, b.int_const(3))
        return loop(b, (below, 5), [x], [], [F64], lambda b, i, x: [b.add(x, x)])

    for n in (0, 3, 5):
        agree(made([I32(0, 5), F64], build), n, 1.0)


def test_an_inner_loop_may_capture_values_from_all_outer_scopes() -> None:
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


def test_a_loop_may_rotate_the_arrays_that_it_carries() -> None:
    def step(b: Builder, i: int, u: int, v: int, w: int, x: int) -> list[int]:
        y = b.index(u, b.un("int_i1", b.bi("lt", x, b.const(2.0))))
        return [v, w, b.stack([y, x, b.index(w, b.int_const(0))], F64), b.add(x, y), u]

    def build(b: Builder, u: int, v: int, w: int, x: int) -> list[int]:
        return [*loop(b, 4, [u, v, w, x], [], [VECTOR] * 3 + [F64], step), u]

    agree(made([VECTOR] * 3 + [F64], build), [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], 0.5)


def test_the_next_carry_may_be_a_part_of_the_previous_carry() -> None:
    matrix = Array(F64, (2, 3))

    def step(b: Builder, i: int, m: int, v: int) -> list[int]:
        first, second = (b.index(m, b.int_const(k)) for k in (0, 1))
        x = b.index(v, i)
        chosen = b.select(b.bi("lt", x, b.const(4.5)), first, second)
        return [b.stack([second, v], VECTOR), chosen]

    def build(b: Builder, m: int, v: int) -> list[int]:
        return loop(b, 3, [m, v], [], [matrix, VECTOR], step)

    agree(made([matrix, VECTOR], build), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [7.0, 8.0, 9.0])


def test_a_loop_whose_stacked_results_are_not_used_stores_none_of_them() -> None:
    def step(b: Builder, i: int, x: int) -> list[int]:
        return [b.mul(x, x), b.add(x, x)]

    f = made([F64], lambda b, x: loop(b, 3, [x], [], [F64], step)[:1])
    assert agree(f, 1.5) == [1.5**8]
    assert compiled(f).wat.count("f64.store") == 1


def test_several_carries_may_start_from_the_same_value() -> None:
    def build(b: Builder, x: int) -> list[int]:
        y = b.mul(x, x)
        r = loop(b, 3, [y, y, y], [y], [F64] * 4, lambda b, i, p, q, r, y: [q, b.add(r, y), b.mul(p, y)])
        return [*r, b.add(y, r[0])]

    agree(made([F64], build), 1.25)
