"""Example programs for the page "Bril". Programs written for this page come first.

Sources: the programs `quotient`, `square`, `size`, `saddle`, `gate` and `choice` come from the post
"Automatic Differentiation in Bril" (Cornell CS 6120, 2019). We rewrote them in Bril's present syntax. We
wrote the other programs of this module. `COMMUNITY` names programs of Bril's own benchmarks (MIT;
tests/data/bril).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A program. id: the key of its title among the page's texts. args: values for @main's parameters."""

    id: str
    text: str
    args: tuple[float | int | bool, ...]


EXAMPLES = (
    Example(
        "root",
        """# Newton's method for the square root of a
@main(a: float) {
  x: float = id a;
  half: float = const 0.5;
  small: float = const 0.000000000001;
.again:
  q: float = fdiv a x;
  sum: float = fadd x q;
  next: float = fmul half sum;
  change: float = fsub x next;
  x: float = id next;
  square: float = fmul change change;
  more: bool = fgt square small;
  br more .again .done;
.done:
  print x;
}
""",
        (2.0,),
    ),
    Example(
        "quotient",
        """# (x·y + y) / (x·x): at (2, 3) the derivatives are −1.5 and 0.75
@main(x: float, y: float) {
  xy: float = fmul x y;
  top: float = fadd xy y;
  bottom: float = fmul x x;
  z: float = fdiv top bottom;
  print z;
}
""",
        (2.0, 3.0),
    ),
    Example(
        "square",
        """# A step that is too large makes descent on x·x diverge
@main(x: float) {
  y: float = fmul x x;
  print y;
}
""",
        (-0.6,),
    ),
    Example(
        "size",
        """# |x| by a branch: descent oscillates
@main(x: float) {
  zero: float = const 0;
  less: bool = flt x zero;
  br less .minus .plus;
.minus:
  y: float = fsub zero x;
  jmp .end;
.plus:
  y: float = id x;
.end:
  print y;
}
""",
        (-0.6,),
    ),
    Example(
        "saddle",
        """# (x − y − 2)(x − y): a valley, whose lowest value is −1
@main(x: float, y: float) {
  two: float = const 2;
  d: float = fsub x y;
  e: float = fsub d two;
  z: float = fmul e d;
  print z;
}
""",
        (-0.6, 1.0),
    ),
    Example(
        "gate",
        """# x or 0: y is only compared, so the derivative by y is 0
@main(x: float, y: float) {
  zero: float = const 0;
  positive: bool = fgt y zero;
  br positive .yes .no;
.yes:
  print x;
  ret;
.no:
  print zero;
}
""",
        (2.0, 3.0),
    ),
    Example(
        "choice",
        """# x or 1000·x: no derivative passes through the comparison
@main(m: float, x: float) {
  zero: float = const 0;
  positive: bool = fgt m zero;
  br positive .one .many;
.one:
  z: float = id x;
  jmp .end;
.many:
  thousand: float = const 1000;
  z: float = fmul thousand x;
.end:
  print z;
}
""",
        (1.0, 0.5),
    ),
    Example(
        "sine",
        """# The first n terms of the series of sin x
@main(x: float, n: int) {
  one: int = const 1;
  two: int = const 2;
  k: int = const 1;
  last: int = mul two n;
  minus: float = const -1;
  fone: float = const 1;
  f: float = const 1;
  term: float = id x;
  sum: float = id x;
  square: float = fmul x x;
.check:
  k: int = add k two;
  more: bool = lt k last;
  br more .body .done;
.body:
  f: float = fadd f fone;
  under: float = id f;
  f: float = fadd f fone;
  under: float = fmul under f;
  part: float = fmul term square;
  part: float = fdiv part under;
  term: float = fmul part minus;
  sum: float = fadd sum term;
  jmp .check;
.done:
  print sum;
}
""",
        (1.0, 8),
    ),
    Example(
        "inside",
        """# `grad` inside a program: a step of Newton's method for a zero of f
@f(x: float): float {
  two: float = const 2;
  square: float = fmul x x;
  y: float = fsub square two;
  ret y;
}

@main(x: float) {
  y: float = call @f x;
  d: float = grad @f x .x;
  step: float = fdiv y d;
  next: float = fsub x step;
  print next;
}
""",
        (1.5,),
    ),
)

COMMUNITY = (
    "float/sqrt", "float/sin", "float/pow", "float/n_root", "float/rgb2gray",
    "core/collatz", "core/fact", "core/lcm", "core/squares", "core/quadratic",
)  # fmt: skip
