"""Arrays, accumulators, checks, calls and prints give the interpreter's bits when they run as WebAssembly."""

from __future__ import annotations

import math

import pytest

from eglantine.ir.builder import Builder
from eglantine.ir.program import Cond, Function
from eglantine.ir.row_types import F64, I1, I32, I64, Acc, Array
from eglantine.types import Real, Unit
from tests.emit.blocks import INDEX, VECTOR, body, loop, made
from tests.emit.running import TRAPPED, agree, compiled, run

# ---------------------------------------------------------------- arrays


def test_nested_arrays_are_read_at_constant_and_computed_indices() -> None:
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


def test_arrays_hold_bools_and_indices() -> None:
    bools, indices = Array(I1, (3,)), Array(I32(0, 2), (3,))

    def build(b: Builder, p: int, k: int, i: int) -> list[int]:
        at = b.index(k, b.index(k, i))
        chosen = b.index(p, at)
        return [chosen, at, b.stack([chosen, chosen], I1), b.stack([at, i], I32(0, 2)), p, k]

    agree(made([bools, indices, I32(0, 2)], build), [True, False, True], [2, 0, 1], 0)


def test_tables_hold_numbers_of_every_type() -> None:
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


def test_an_array_of_zeros_is_still_zero_on_a_second_call() -> None:
    of = Array(F64, (2, 3))

    def build(b: Builder, v: int) -> list[int]:
        zeros = b.zeros(of)
        m = loop(b, 2, [zeros], [v], [of, VECTOR], lambda b, i, m, v: [b.stack([v, b.index(m, i)], VECTOR)])[
            0
        ]
        return [zeros, m, b.stack([b.zeros(VECTOR), v], VECTOR), b.zeros(VECTOR)]

    agree(made([VECTOR], build), [1.0, 2.0, 3.0])


def test_select_chooses_between_arrays() -> None:
    def build(b: Builder, p: int, v: int, x: int, i: int) -> list[int]:
        w = b.stack([x, b.mul(x, x), x], F64)
        m = b.stack([v, w], VECTOR)
        chosen = b.select(p, b.select(b.bi("lt", x, b.const(1.0)), w, v), b.index(m, b.un("int_i1", p)))
        return [chosen, b.index(chosen, i), b.index(b.select(p, v, w), b.int_const(1))]

    for p in (True, False):
        for x in (0.5, 2.0):
            agree(made([I1, VECTOR, F64, I32(0, 2)], build), p, [1.0, 2.0, 3.0], x, 1)


def test_arrays_may_have_no_elements() -> None:
    empty, wide = Array(F64, (0,)), Array(F64, (2, 0))

    def build(b: Builder, e: int, m: int, x: int) -> list[int]:
        r = loop(b, 0, [x], [], [F64], lambda b, i, x: [x, x, b.stack([x], F64)])
        return [e, b.index(m, b.int_const(1)), *r, b.zeros(empty), b.stack([e, e], empty)]

    agree(made([empty, wide, F64], build), [], [[], []], 1.0)


def test_an_array_may_be_returned_twice_and_inside_another() -> None:
    def build(b: Builder, x: int) -> list[int]:
        v = b.stack([x, b.const(1.0), x], F64)
        return [v, v, b.stack([v, v], VECTOR), b.index(b.stack([v, b.zeros(VECTOR)], VECTOR), b.int_const(0))]

    agree(made([F64], build), 4.0)


def test_the_memory_of_arrays_that_are_no_longer_needed_is_reused() -> None:
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


def test_a_loop_makes_new_accumulators_in_every_round() -> None:
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


def test_a_check_traps_although_its_value_is_not_used() -> None:
    def build(b: Builder, i: int, x: int) -> list[int]:
        b.check(b.bi("isub", i, b.int_const(1)), 5)
        return [x]

    f = made([INDEX, F64], build)
    assert agree(f, 0, 1.0) == TRAPPED
    assert agree(f, 1, 1.0) == [1.0]


def test_a_check_inside_a_loop_traps() -> None:
    def build(b: Builder, v: int, k: int) -> list[int]:
        def step(b: Builder, i: int, s: int, v: int, k: int) -> list[int]:
            j = b.check(b.bi("iadd", i, k), 3)
            return [b.add(s, b.index(v, j)), b.un("real_i32", j)]

        return loop(b, 2, [b.const(0.0)], [v, k], [F64, VECTOR, INDEX], step)

    for k in (0, 1, 2):
        agree(made([VECTOR, INDEX], build), [1.0, 2.0, 4.0], k)


# ---------------------------------------------------------------- calls


def test_a_call_returns_several_results_of_all_types() -> None:
    def inner(b: Builder, x: int, p: int, i: int) -> list[int]:
        return [b.mul(x, x), p, b.bi("iadd", i, b.int_const(1)), b.select(p, x, b.neg(x))]

    callee = made([F64, I1, INDEX], inner, "callee")

    def build(b: Builder, x: int, p: int, i: int) -> list[int]:
        first = b.call(callee, [x, p, i])
        second = b.call(callee, [first[0], b.un("not", first[1]), i])
        return [second[3], first[2], b.add(second[0], first[3]), first[1]]

    for p in (True, False):
        agree(made([F64, I1, INDEX], build), 1.5, p, 4)


def test_calls_take_and_return_arrays() -> None:
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


def test_calls_take_accumulators() -> None:
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


def test_a_chain_of_calls_may_be_deeper_than_pythons_stack() -> None:
    f = made([F64], lambda b, x: [b.add(x, b.const(1.0))])
    for k in range(3000):
        f = made([F64], lambda b, x, f=f: [b.add(b.call(f, [x])[0], b.const(1.0))], f"f{k}")
    assert run(compiled(f), [0.0]) == [3001.0]


def test_a_call_whose_result_is_not_used_is_dropped_unless_it_is_impure() -> None:
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
