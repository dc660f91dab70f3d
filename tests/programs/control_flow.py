"""Ordinary Python functions with control flow, for the tests of `eg.autograph`."""

# ruff: noqa: SIM108 - this file is about all ways to write an `if`

from __future__ import annotations

from typing import Any, NamedTuple

import eglantine as eg
from tests.programs.branches import (
    B,
    R,
    absolute,
    clamp,
    clamp_chain,
    huber,
    in_box,
    ladder,
    m,
    median_of_three,
    sign_by_elif,
)


class Program(NamedTuple):
    """A function, its parameters' types, and test points. `smooth`: true if f is smooth at all points."""

    f: Any
    types: list[Any]
    points: list[tuple[Any, ...]]
    smooth: bool = True


def bisection(c):
    a, b = 0.0, 4.0
    while b - a > 1e-13 and (a + b) / 2 != a:
        middle = (a + b) / 2
        if middle * middle * middle > c:
            b = middle
        else:
            a = middle
    return a


def newton_with_break(c):
    x = c
    for _ in range(60):
        dx = (x * x * x - c) / (3.0 * x * x)
        x -= dx
        if abs(dx) < 1e-13:
            break
    return x


def newton_forever(c):
    x = c
    while True:
        y = 0.5 * (x + c / x)
        if abs(y - x) < 1e-14 * x:
            return y
        x = y


def collatz(x):
    rounds = 0
    while x != 1:
        if x % 2 == 0:
            x = x / 2
        else:
            x = 3 * x + 1
        rounds += 1
    return rounds


def gcd(a, b):
    while b > 0:
        a, b = b, a % b
    return a


def horner(v, x):
    y = 0.0
    for c in v:
        y = y * x + c
    return y


def power_series(x):
    total, term, n = 0.0, 1.0, 0.0
    while abs(term) > 1e-17:
        total += term
        n += 1.0
        term = term * x / n
    return total


def sum_of_positive(v):
    total = 0.0
    for x in v:
        if x <= 0:
            continue
        total += x * x
    return total


def pairs_with_continue(v):
    total = 0.0
    for i in range(4):
        if v[i] < 0:
            continue
        for j in range(4):
            if j == i:
                continue
            if v[j] > 2.5:
                break
            total += v[i] * v[j]
    return total


def triangle(v):
    total = 0.0
    for i in range(5):
        for j in range(i + 1, 5):
            d = v[i] - v[j]
            if d != 0.0:
                total += d * d
    return total


def first_above(v, limit):
    for x in v:
        if x > limit:
            return x
    return limit


def find_with_else(v, x):
    found = 0.0
    for i in range(5):
        if v[i] == x:
            found = 10.0 * eg.real(i)
            break
    else:
        found = -1.0
    return found


def binary_search(v, x):
    lo, hi = eg.Fin(9)(0), eg.Fin(9)(8)
    while lo < hi:
        middle = (lo + hi) // 2
        if v[middle] < x:
            lo = eg.Fin(9)(middle + 1)
        else:
            hi = middle
    return lo


def argmax(v):
    best = 0
    for i in range(1, 6):
        if v[i] > v[best]:
            best = i
    return best


def last_negative(v):
    last = 0
    for i in range(6):
        if v[i] < 0:
            last = i
    return last


def return_from_the_depth(x, y):
    if x > 0:
        n = 0.0
        while n < 10.0:
            n += 1.0
            for _ in range(3):
                y = y + x
                if y > 7.0:
                    if n > 2.0:
                        return y * n
                    y = y - 5.0
            x = x * 1.25
        return x
    return y


def bouncing_ball(height, gravity):
    y, v, t = height, 0.0, 0.0
    bounces = 0.0
    while t < 1.0:
        v = v - gravity * 0.01
        y = y + v * 0.01
        if y < 0.0:
            y = -0.8 * y
            v = -0.8 * v
            bounces += 1.0
            if bounces >= 3.0:
                break
        t += 0.01
    return y


def midpoint_rule(a, b):
    total = 0.0
    h = (b - a) / 20.0
    for i in range(20):
        x = a + (eg.real(i) + 0.5) * h
        total += x * x if x > 0.5 else 0.25 * x
    return total * h


def count_down(v):
    y = 1.0
    for i in range(4, 0, -2):
        y = y * 2.0 + v[i]
    return y


def partial_sum(v, n):
    total = 0.0
    for i in range(n):
        total += v[i]
    return total


def up_to_the_first_negative(v, n):
    product = 1.0
    for i in range(n):
        if v[i] < 0.0:
            break
        product *= 1.0 + v[i]
    return product


def both_or_neither(p, q, x):
    if (p and q) or not (p or q):
        return x * x
    return -x


def lazy_index(v, i):
    if i < 3 and v[eg.Fin(3)(i)] > 0.0:
        return v[eg.Fin(3)(i)] ** 2
    return 0.0 * v[0]


def only_one_side_runs(x):
    return m.sqrt(x) if x > 0 else 0.0


def with_a_tuple(x, y):
    point = (x, y)
    for _ in range(3):
        a, b = point
        point = (b, a * b) if a < b else (a - b, b)
    return point[0] + 2.0 * point[1]


def with_a_struct(p):
    while p["x"] < 4.0:
        p = {"x": p["x"] * 1.5, "y": p["y"] + p["x"]}
    return p


def unrolled_over_a_list(x):
    y = 0.0
    for n, weight in enumerate([1.0, -2.0, 0.5]):
        if y > 3.0:
            break
        y += weight * x**n
    return y


def static_decisions(x):
    terms = []
    for k in list(range(6)):
        if k % 2:
            continue
        if k > 4:
            break
        terms.append(x**k)
    while len(terms) > 2:
        terms.pop()
    return terms[0] + terms[1]


def a_function_inside(x):
    def damped(y):
        if y > 1.0:
            return 1.0 + 0.1 * (y - 1.0)
        return y

    return damped(x) + damped(2.0 * x)


def a_lambda_inside(v):
    return eg.sum(4, lambda i: v[i] if v[i] > 0 else -2.0 * v[i])


def matching(x, how="square"):
    match how:
        case "square" if len(how) == 6:
            y = x * x
        case _:
            y = x
    if y > 4.0:
        return y
    return -y


def else_after_while(x):
    while x > 1.0:
        x = x / 2.0
        if x < 0.7:
            break
    else:
        x = x + 10.0
    return x


def nothing_left_after_loops(x):
    for _ in range(3):
        for _ in range(2):
            x = x + 0.5
            if x > 3.0:
                return x
        if x > 2.0:
            continue
        x = 1.5 * x
    return -x


V3, V4, V5, V6, V9 = (eg.Vec(n, eg.Real) for n in (3, 4, 5, 6, 9))

PROGRAMS = [
    Program(absolute, [R], [(-2.0,), (3.0,), (0.0,)], False),
    Program(clamp, [R, R, R], [(-1.0, 0.0, 2.0), (0.5, 0.0, 2.0), (9.0, 0.0, 2.0)]),
    Program(clamp_chain, [R], [(1.0,), (2.5,), (4.5,), (9.0,)]),
    Program(ladder, [R], [(-2.0,), (-0.5,), (0.5,), (1.5,), (3.0,)]),
    Program(huber, [R, R], [(0.5, 1.0), (2.0, 1.0), (-3.0, 1.0)]),
    Program(in_box, [R, R], [(0.5, 0.25), (1.5, 0.25), (0.5, -1.0), (0.5, 2.0), (float("nan"), 0.5)], False),
    Program(median_of_three, [R, R, R], [(1.0, 2.0, 3.0), (3.0, 1.0, 2.0), (2.0, 3.0, 1.0), (3.0, 2.0, 1.0)]),
    Program(sign_by_elif, [R], [(2.0,), (-3.0,), (0.0,)], False),
    Program(bisection, [R], [(2.0,), (27.0,), (0.5,)], False),
    Program(newton_with_break, [R], [(2.0,), (27.0,), (0.25,)]),
    Program(newton_forever, [R], [(2.0,), (3.5,), (50.0,)]),
    Program(collatz, [R], [(1.0,), (6.0,), (27.0,)], False),
    Program(gcd, [R, R], [(12.0, 18.0), (7.0, 13.0), (5.0, 0.0)], False),
    Program(horner, [V4, R], [([1.0, -2.0, 0.5, 3.0], 1.5)]),
    Program(power_series, [R], [(1.0,), (-0.5,), (0.0,)], False),
    Program(sum_of_positive, [V4], [([1.0, -2.0, 0.5, 3.0],), ([-1.0] * 4,)]),
    Program(pairs_with_continue, [V4], [([1.0, -2.0, 0.5, 3.0],), ([1.0, 2.0, 2.25, -1.0],)]),
    Program(triangle, [V5], [([1.0, -2.0, 0.5, 3.0, 1.0],)], False),
    Program(first_above, [V5, R], [([1.0, -2.0, 0.5, 3.0, 4.0], t) for t in (2.0, 0.75, 7.0)]),
    Program(find_with_else, [V5, R], [([1.0, -2.0, 0.5, 3.0, 4.0], t) for t in (0.5, 1.0, 7.0)], False),
    Program(binary_search, [V9, R], [([1.0, 2.0, 4.0, 5.0, 7.0, 8.0, 9.0, 12.0, 20.0], t)
                                     for t in (0.0, 1.0, 6.0, 12.0, 15.0)], False),
    Program(argmax, [V6], [([1.0, 5.0, 2.0, 9.0, 9.0, 3.0],), ([7.0, 5.0, 2.0, 0.0, -1.0, 3.0],)], False),
    Program(last_negative, [V6], [([1.0, -5.0, 2.0, -9.0, 9.0, 3.0],), ([7.0] * 6,)], False),
    Program(return_from_the_depth, [R, R], [(0.5, 1.0), (-0.5, 1.0), (1.0, 6.0), (0.01, 0.0)]),
    Program(bouncing_ball, [R, R], [(1.0, 9.81), (0.5, 9.81), (3.0, 20.0)]),
    Program(midpoint_rule, [R, R], [(0.0, 1.01), (-1.0, 0.4)]),
    Program(count_down, [V5], [([1.0, 2.0, 4.0, 8.0, 16.0],)]),
    Program(partial_sum, [V5, eg.Fin(6)], [([1.0, 2.0, 4.0, 8.0, 16.0], n) for n in (0, 1, 5)]),
    Program(up_to_the_first_negative, [V5, eg.Fin(6)], [([1.0, 2.0, 4.0, -8.0, 16.0], n) for n in (0, 2, 5)]),
    Program(both_or_neither, [B, B, R], [(p, q, 3.0) for p in (False, True) for q in (False, True)]),
    Program(lazy_index, [V3, eg.Fin(9)], [([1.0, -2.0, 3.0], i) for i in (0, 1, 2, 3, 8)]),
    Program(only_one_side_runs, [R], [(4.0,), (-4.0,)]),
    Program(with_a_tuple, [R, R], [(1.0, 2.0), (2.0, 1.5), (-1.0, 0.25)]),
    Program(with_a_struct, [{"x": R, "y": R}], [({"x": 1.0, "y": 2.0},), ({"x": 5.0, "y": 2.0},)]),
    Program(unrolled_over_a_list, [R], [(1.0,), (4.0,), (-2.0,), (5.0,)]),
    Program(static_decisions, [R], [(1.5,), (-2.0,)]),
    Program(a_function_inside, [R], [(0.25,), (0.75,), (3.0,)]),
    Program(a_lambda_inside, [V4], [([1.0, -2.0, 0.5, -3.0],)]),
    Program(matching, [R], [(1.0,), (3.0,)]),
    Program(else_after_while, [R], [(0.5,), (2.2,), (3.6,)]),
    Program(nothing_left_after_loops, [R], [(0.0,), (-3.0,), (1.75,), (9.0,)]),
]  # fmt: skip
