"""Bril programs that the compiler handles in different ways. Their float arguments come first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg
from eglantine import bril


@dataclass(frozen=True)
class Kind:
    """A program and the arguments of its main."""

    name: str
    text: str
    args: tuple[Any, ...]


BRANCHES = """@main(x: float, y: float, n: int) {
  i: int = const 0; one: int = const 1; s: float = fmul x y; limit: float = const 3;
.head: more: bool = lt i n; br more .body .end;
.body: s: float = fmul s x; big: bool = fgt s limit; i: int = add i one; br big .cut .head;
.cut: s: float = fdiv s y; jmp .head;
.end: print s;
}"""

INTO_LOOP = """@main(x: float, y: float, n: int, p: bool) {
  one: int = const 1; zero: int = const 0; z: float = fmul x y;
  br p .a .b;
.a: z: float = fmul z x; n: int = sub n one; more: bool = gt n zero; br more .b .end;
.b: z: float = fadd z y; n: int = sub n one; more: bool = gt n zero; br more .a .end;
.end: print z;
}"""

RECURSION = """@main(x: float, y: float) { z: float = call @f x y; print z; }
@f(x: float, y: float): float {
  one: float = const 1; half: float = const 0.5; small: bool = fle x one;
  br small .end .more;
.end: z: float = fmul x y; ret z;
.more:
  h: float = fmul x half; a: float = call @f h y; b: float = call @f h x; s: float = fmul a b;
  t: float = fadd s x; ret t;
}"""

MEMORY = """@main(x: float, y: float, n: int) {
  zero: int = const 0; one: int = const 1; i: int = const 0; p: ptr<float> = alloc n; z: float = id y;
.fill: more: bool = lt i n; br more .body .filled;
.body:
  q: ptr<float> = ptradd p i; z: float = fmul z x; store q z; i: int = add i one; jmp .fill;
.filled: s: float = const 0; i: int = sub n one;
.sum: again: bool = ge i zero; br again .add .end;
.add:
  q: ptr<float> = ptradd p i; v: float = load q; s: float = fmul s y; s: float = fadd s v;
  i: int = sub i one; jmp .sum;
.end: print s; free p;
}"""

LISTS = """@main(x: float, y: float, n: int) {
  one: int = const 1; two: int = const 2; i: int = const 0; z: float = id x;
  first: ptr<ptr<float>> = alloc n;
.fill: more: bool = lt i n; br more .body .filled;
.body:
  cell: ptr<float> = alloc two; at: ptr<ptr<float>> = ptradd first i; store at cell;
  second: ptr<float> = ptradd cell one; store second z; z: float = fmul z y; store cell z;
  i: int = add i one; jmp .fill;
.filled: s: float = call @sum first n; print s; free first;
}
@sum(first: ptr<ptr<float>>, n: int): float {
  zero: int = const 0; one: int = const 1; none: float = const 0; done: bool = eq n zero;
  br done .end .more;
.end: ret none;
.more:
  m: int = sub n one; at: ptr<ptr<float>> = ptradd first m; cell: ptr<float> = load at;
  second: ptr<float> = ptradd cell one; a: float = load cell; b: float = load second; free cell;
  p: float = fmul a b; rest: float = call @sum first m; s: float = fadd p rest; ret s;
}"""

SHADOWS = """@main(x: float, y: float, n: int) {
  i: int = const 0; one: int = const 1; z: float = fmul x y; set t z;
.head: t: float = get; more: bool = lt i n; br more .body .end;
.body: i: int = add i one; z: float = fmul t x; set t z; jmp .head;
.end: print t;
}"""

INSIDE = """@f(x: float, y: float): float {
  a: float = fmul x x; b: float = fmul a y; c: float = fmul b x; ret c;
}
@main(x: float, y: float) {
  d: float = grad @f x y .x; e: float = grad @f y x .y; z: float = fmul d e; print z;
}"""

INTEGERS = """@main(x: float, y: float, seed: int, n: int) {
  a: int = const 6364136223846793005; c: int = const 1442695040888963407; one: int = const 1;
  zero: int = const 0; sixteen: int = const 65536; z: float = fadd x y;
.head: more: bool = gt n zero; br more .body .end;
.body:
  seed: int = mul seed a; seed: int = add seed c; q: int = div seed sixteen; r: int = mul q sixteen;
  low: int = sub seed r; up: bool = gt low zero; n: int = sub n one;
  br up .add .times;
.add: z: float = fadd z x; jmp .head;
.times: z: float = fmul z y; jmp .head;
.end: print z;
}"""

KINDS = (
    Kind("branches", BRANCHES, (1.3, 1.7, 9)),
    Kind("a jump into a loop", INTO_LOOP, (1.5, 0.75, 7, False)),
    Kind("recursion", RECURSION, (9.0, 0.8)),
    Kind("memory", MEMORY, (1.1, 0.9, 5)),
    Kind("memory and recursion", LISTS, (1.1, 0.9, 4)),
    Kind("set and get", SHADOWS, (1.2, 0.7, 5)),
    Kind("grad inside", INSIDE, (1.2, 0.7)),
    Kind("integers", INTEGERS, (1.2, 0.7, 42, 15)),
)


def computed() -> dict[str, list[str]]:
    """Compile each program. Return its value, its gradients in both modes and its Hessian, as hex texts."""
    found = {}
    for kind in KINDS:
        program = bril.parse(kind.text)
        x = [value for value in kind.args if isinstance(value, float)]
        f = program.function(*kind.args)
        second = eg.compile(eg.hessian(f, tuple(range(len(x)))))(*x)
        numbers = [
            eg.compile(f)(*x), *program.gradient(*kind.args), *program.gradient(*kind.args, mode="forward"),
            *(number for row in second for number in row),
        ]  # fmt: skip
        found[kind.name] = [number.hex() for number in numbers]
    return found
