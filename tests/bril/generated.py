"""Generate random programs that always end. They use calls, memory, and arbitrary jumps between blocks."""

from __future__ import annotations

import random

FLOATS, INTS, BOOLS = ("x", "y", "z"), ("i", "j", "steps"), ("p", "q")


class _Function:
    """Draws the body of a function."""

    def __init__(self, draw: random.Random, callees: list[str], *, memory: bool) -> None:
        self.draw, self.callees, self.memory = draw, callees, memory

    def instruction(self) -> str:
        draw = self.draw
        a, b, c = (draw.choice(FLOATS) for _ in range(3))
        i, j, k = (draw.choice(("i", "j")) for _ in range(3))
        choices = [
            f"{a}: float = fadd {b} {c};", f"{a}: float = fmul {b} {c};", f"{a}: float = fsub {b} {c};",
            f"{a}: float = fmul {b} half;", f"{a}: float = const {draw.choice([0.5, -1.25, 2])};",
            f"{a}: float = id {b};", f"{i}: int = add {j} {k};", f"{i}: int = sub {j} one;",
            f"{i}: int = div {j} three;", f"p: bool = lt {i} {j};", f"q: bool = fle {a} {b};",
            "p: bool = and p q;", "q: bool = not p;", f"print {a};", f"{i}: int = mul {j} three;",
        ]  # fmt: skip
        if self.memory:
            choices += [f"store m {a};", f"{a}: float = load m;", f"store r {a};", f"{a}: float = load r;"]
        if self.callees and draw.random() < 0.2:
            return f"{a}: float = call @{draw.choice(self.callees)} {b} {c} {i} less;"
        return draw.choice(choices)

    def text(self, name: str, blocks: int) -> str:
        draw = self.draw
        labels = [f"l{k}" for k in range(blocks)]
        lines = [
            f"@{name}(x: float, y: float, i: int, steps: int): float {{",
            "one: int = const 1; three: int = const 3; half: float = const 0.5; zero: int = const 0;",
            "z: float = fadd x y; j: int = const 7; p: bool = const true; q: bool = lt i j;",
            "two: int = const 2; less: int = div steps two; out: bool = le less zero;",
            "br out .stop .begin; .begin:",
        ]
        if self.memory:
            lines.append("m: ptr<float> = alloc three; store m x; r: ptr<float> = ptradd m two; store r y;")
        for label in labels:
            lines.append(
                f".{label}: steps: int = sub steps one; out: bool = le steps zero; br out .end .{label}.go;"
            )
            lines.append(f".{label}.go:")
            lines += [self.instruction() for _ in range(draw.randint(0, 5))]
            kind = draw.random()
            if kind < 0.65:
                lines.append(
                    f"br {draw.choice(BOOLS)} .{draw.choice(labels)} .{draw.choice([*labels, 'end'])};"
                )
            elif kind < 0.85:
                lines.append(f"jmp .{draw.choice([*labels, 'end'])};")
        lines.append(".end:")
        if self.memory:
            lines.append("w: float = load r; z: float = fadd z w; free m;")
        lines.append(f"ret z; .stop: ret {draw.choice(FLOATS[:2])}; }}")
        return "\n".join(lines)


def program(seed: int) -> str:
    """Generate a random program as text. Its `main` takes two floats and an int, and prints a float last."""
    draw = random.Random(seed)  # noqa: S311 - cases of a test
    recursive = draw.random() < 0.3
    names = ["f", "g", "h"][: draw.randint(1, 3)]
    functions = []
    for k, name in enumerate(names):
        callees = names if recursive else names[k + 1 :]
        functions.append(_Function(draw, callees, memory=draw.random() < 0.3).text(name, draw.randint(1, 6)))
    main = """@main(x: float, y: float, i: int) {
  steps: int = const 12; z: float = call @f x y i steps; print z;
}"""
    return "\n".join([main, *functions])
