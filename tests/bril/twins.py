"""Bril programs without jumps into loops, and the same programs in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg


@dataclass(frozen=True)
class Twins:
    """A program in Bril and the same program in Python. `point` is the argument of both in the tests."""

    name: str
    bril: str
    python: Any
    point: tuple[float, ...]


NEWTON = """@main(a: float) {
  x: float = id a; half: float = const 0.5; small: float = const 1e-24;
.again:
  q: float = fdiv a x; sum: float = fadd x q; next: float = fmul half sum; change: float = fsub x next;
  x: float = id next; square: float = fmul change change; more: bool = fgt square small;
  br more .again .done;
.done:
  print x;
}"""


@eg.fn(control_flow=True)
def newton(a: eg.Real) -> eg.Real:
    x = a
    more = True
    while more:
        better = 0.5 * (x + a / x)
        change = x - better
        x = better
        more = change * change > 1e-24
    return x


QUOTIENT = """@main(x: float, y: float) {
  a: float = fmul x y; b: float = fadd a y; c: float = fmul x x; d: float = fdiv b c; print d;
}"""


@eg.fn
def quotient(x: eg.Real, y: eg.Real) -> eg.Real:
    return (x * y + y) / (x * x)


SIZE = """@main(x: float) {
  zero: float = const 0; less: bool = flt x zero;
  br less .minus .plus;
.minus: y: float = fsub zero x; jmp .end;
.plus: y: float = id x;
.end: print y;
}"""


@eg.fn(control_flow=True)
def size(x: eg.Real) -> eg.Real:
    if x < 0.0:  # noqa: SIM108 - a branch, as in the program above
        y = 0.0 - x
    else:
        y = x
    return y


POWER = """@main(x: float) {
  y: float = const 1; i: int = const 0; one: int = const 1; n: int = const 1000;
.head: more: bool = lt i n; br more .body .end;
.body: y: float = fmul y x; i: int = add i one; jmp .head;
.end: print y;
}"""


@eg.fn(control_flow=True)
def power(x: eg.Real) -> eg.Real:
    y = 1.0
    for _ in range(1000):
        y = y * x
    return y


SUM = """@main(x: float) {
  s: float = const 0; n: int = const 50; i: int = id n; zero: int = const 0;
.outer: more: bool = gt i zero; br more .start .end;
.start: t: float = id x; j: int = const 0;
.inner: one: int = const 1; again: bool = lt j n; br again .body .next;
.body: t: float = fmul t x; s: float = fadd s t; j: int = add one j; jmp .inner;
.next: i: int = sub i one; jmp .outer;
.end: print s;
}"""


@eg.fn(control_flow=True)
def sum_of_powers(x: eg.Real) -> eg.Real:
    s = 0.0
    for _ in range(50):
        t = x
        for _ in range(50):
            t = t * x
            s = s + t
    return s


HALVING = """@main(x: float) {
  s: float = const 0; one: float = const 1; h: float = const 0.5; three: float = const 3;
  a: float = const 0.7; b: float = const 0.1;
.head: more: bool = fgt x one; br more .body .end;
.body: half: float = fmul h x; low: bool = flt half three; br low .low .high;
.low: x: float = id half; jmp .next;
.high: x: float = fmul x a; x: float = fadd x b;
.next: s: float = fadd s x; jmp .head;
.end: print s;
}"""


@eg.fn(control_flow=True)
def halving(x: eg.Real) -> eg.Real:
    s = 0.0
    while x > 1.0:
        half = 0.5 * x
        if half < 3.0:  # noqa: SIM108 - a branch, as in the program above
            x = half
        else:
            x = x * 0.7 + 0.1
        s = s + x
    return s


SEVERAL = """@main(x: float, y: float) {
  i: int = const 0; one: int = const 1; n: int = const 100; limit: float = const 2; tenth: float = const 0.1;
.head: more: bool = lt i n; br more .body .end;
.body: h: float = call @step x y tenth; big: bool = fgt h limit; br big .cut .keep;
.cut: h: float = fdiv h limit;
.keep: x: float = id y; y: float = id h; i: int = add i one; jmp .head;
.end: z: float = fadd x y; print z;
}
@step(x: float, y: float, t: float): float {
  p: float = fmul x y; q: float = fmul p t; r: float = fadd q y; ret r;
}"""


@eg.fn(control_flow=True)
def several(x: eg.Real, y: eg.Real) -> eg.Real:
    for _ in range(100):
        h = x * y * 0.1 + y
        if h > 2.0:
            h = h / 2.0
        x = y
        y = h
    return x + y


TWINS = (
    Twins("newton", NEWTON, newton, (2.0,)),
    Twins("quotient", QUOTIENT, quotient, (2.0, 3.0)),
    Twins("size", SIZE, size, (-0.6,)),
    Twins("power", POWER, power, (1.001,)),
    Twins("sum of powers", SUM, sum_of_powers, (0.99,)),
    Twins("halving", HALVING, halving, (1000.0,)),
    Twins("several", SEVERAL, several, (0.5, 1.0)),
)
