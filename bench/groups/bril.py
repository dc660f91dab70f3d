"""Compare compiled Bril programs with Bril's interpreter, and with programs in Python that do the same."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import eglantine as eg
from bench.contest import Competition, Contestant, compete
from bench.lab import Lab
from bench.measure import OURS, Row, Series, times_the_value
from eglantine import bril
from eglantine.bril.compiling import snug
from tests.bril.corpus import (
    FEWER_ROUNDS,
    LONGEST,
    MILLION_ROUNDS,
    PROGRAMS,
    floats,
    with_constants_as_arguments,
)
from tests.bril.twins import TWINS, Twins

INTERPRETER = "ours, the plain interpreter"
VALUE, REVERSE, FORWARD = "ours, value alone", "ours, reverse", "ours, forward"
ABSENT = "Neither PyPI nor npm has brili or brilirs"
TIMES_FASTER = 10.0
"""The smallest speedup of a compiled program over the interpreted program that we aim for."""
BYTES_AN_INSTRUCTION = 2
"""The most memory, in bytes, that reverse mode should take for each instruction that a program executes."""
TOLERANCE = 1e-12
TIMES_PYTHONS = 1.2
"""The most time and the most bytes that a structured program in Bril should need, as multiples of the time
and the bytes of the same program in Python."""
POINTS = 1000
"""The number of points at which one call computes a structured program. Such a long
computation hides the cost of the call itself."""
TURNS = 100
IN_PYTHON = "ours, written in Python"
INPUTS = (1, 4, 16, 64)
"""The numbers of arguments of the programs whose gradients we time."""
ROUNDS = 200


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows with the times of the programs in the groups `float` and `long`, then rows on gradients."""
    for name, program in PROGRAMS.items():
        if name.startswith(("float/", "long/")):
            lab.say(name)
            yield from of_program(name, program, lab.check)
    yield from memory_rows(lab.say)
    for twins in TWINS:
        lab.say(twins.name)
        yield from of_twins(twins, lab.check)
    for n in INPUTS:
        yield of_gradient(n, lab.check)


def of_program(name: str, program: dict[str, Any], check: bool) -> Iterator[Row]:
    """Yield rows for a program: its times, its speed relative to our interpreter, and its module's size.

    check: if true, only compare the results, and shorten a loop of a million iterations.
    """
    text = program["text"]
    parsed = with_floats(text.replace(MILLION_ROUNDS, FEWER_ROUNDS) if check else text)
    values = parsed.arguments(tuple(program["args"]))
    floats = [value for value in values if isinstance(value, float)]
    kernel = eg.compile(parsed.function(*values))
    contestants = {
        OURS: Contestant(lambda: [kernel(*floats)], lambda: kernel(*floats)),
        INTERPRETER: Contestant(
            lambda: [float(parsed.run(*values).split()[-1])], lambda: parsed.run(*values)
        ),
    }
    outcome = compete(contestants, check=check, tolerance=TOLERANCE)
    yield row(f"{name}, value", outcome)
    if outcome.series:
        times = times_the_value(outcome.series[INTERPRETER], outcome.series[OURS])
        yield Row(
            "  times as fast as the interpreter",
            "×",
            {OURS: times},
            note=f"The target is {TIMES_FASTER:.0f}.",
        )
        yield Row("  module", "B", {OURS: Series((float(len(kernel.wasm)),))})


def of_twins(twins: Twins, check: bool) -> Iterator[Row]:
    """Compare a program written in Bril with the same program written in Python.

    Yield rows with the times and the sizes of the modules, for the value and for the gradient.
    """
    f, n = bril.parse(twins.bril).function(*twins.point), len(twins.point)
    places = tuple(range(n))
    functions = {
        "value": (f, twins.python),
        "gradient": (eg.grad(f, places), eg.grad(twins.python, places)),
    }
    columns = [[x] * POINTS for x in twins.point]
    for kind, pair in functions.items():
        kernels = dict(zip((OURS, IN_PYTHON), map(eg.compile, pair), strict=True))
        contestants = {
            name: Contestant(partial(at_point, kernel, twins.point), partial(kernel.batch, *columns))
            for name, kernel in kernels.items()
        }
        outcome = compete(contestants, check=True, tolerance=0.0)
        series = {} if check or outcome.wrong else in_turns(contestants)
        title = f"{twins.name} in Bril and in Python, {kind} at {POINTS} points"
        yield Row(title, "ms", series, compared=outcome.compared, wrong=outcome.wrong)
        if series:
            times = series[OURS].minimum / series[IN_PYTHON].minimum
            yield Row("  times Python's", "×", {OURS: Series((times,))}, target=TIMES_PYTHONS)
        sizes = {name: Series((float(len(k.wasm)),)) for name, k in kernels.items()}
        yield Row("  module", "B", sizes, target=TIMES_PYTHONS * sizes[IN_PYTHON].median)


def in_turns(contestants: dict[str, Contestant]) -> dict[str, Series]:
    """Call the functions in turns, and return the milliseconds of each call.

    We time each call alone. On a busy machine, some of these calls still run without interruption.
    """
    samples: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(TURNS):
        for name, contestant in contestants.items():
            start = time.perf_counter()
            contestant.call()
            samples[name].append(1000 * (time.perf_counter() - start))
    return {name: Series(tuple(times)) for name, times in samples.items()}


def at_point(kernel: Any, point: tuple[float, ...]) -> list[float]:
    """The numbers of a value or of a gradient."""
    value = kernel(*point)
    return list(value) if isinstance(value, tuple) else [value]


def of_memory(title: str, program: Any, arguments: list[Any], executed: int) -> Iterator[Row]:
    """Measure the memory that reverse mode needs for a program's gradient, including its checkpoints.

    executed: the number of instructions that the program executes.
    """
    point = floats(program, arguments)
    if not point:
        return
    made, _ = program._made_for(program.arguments(tuple(arguments)), snug)
    kernel = eg.compile(made.reverse())
    kernel(*point)
    value = eg.compile(made.f)
    value(*point)
    used = len(bytes(kernel._instance.read(0, kernel.memory_end)).rstrip(b"\0"))
    sizes = {OURS: kernel.memory_end, VALUE: value.memory_end}
    yield Row(
        f"{title}, memory of reverse mode", "B", {name: Series((float(n),)) for name, n in sizes.items()},
        note=f"The run executes {executed:,} instructions. Wasm's memory has whole pages of {PAGE:,} bytes. "
        f"All bytes after the first {used:,} are 0.",
    )  # fmt: skip
    note = f"The target is at most {BYTES_AN_INSTRUCTION}."
    if kernel.memory_end <= PAGE:
        note = "The smallest memory is one page."
    elif kernel.memory_end > BYTES_AN_INSTRUCTION * executed:
        note += " A deep recursion also stores its frames, and a cotangent for each float in a frame."
    each = Series((kernel.memory_end / executed,))
    yield Row("  for each instruction that runs", "B", {OURS: each}, note=note)


def memory_rows(say: Any) -> Iterator[Row]:
    """Measure the memory of gradients: for each program that prints a float, and for recursive programs.

    A gradient needs arguments, so we turn each program's float constants into arguments.
    """
    for name, recorded in PROGRAMS.items():
        if name == LONGEST or "float" not in recorded["text"] or "float2bits" in recorded["text"]:
            continue
        program, arguments = with_constants_as_arguments(name)
        try:
            program.function(*arguments)
        except bril.BrilError:  # the program prints no float
            continue
        say(name)
        executed = recorded["instructions"] or instructions_of(program, arguments)
        yield from of_memory(name, program, arguments, executed)
    for depth in DEPTHS:
        program = bril.parse(SUM)
        executed = instructions_of(program, [float(depth)])
        yield from of_memory(f"a recursion {depth:,} calls deep", program, [float(depth)], executed)


def instructions_of(program: Any, arguments: list[Any]) -> int:
    """Count the instructions of a run by bisection: find the smallest limit (fuel) that lets the run end.

    We begin with a small limit and double it until the run ends. So no limit is much larger than needed.
    """
    low, high = 0, 1
    while not ends_within(program, arguments, high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if ends_within(program, arguments, middle) else (middle, high)
    return high


def ends_within(program: Any, arguments: list[Any], fuel: int) -> bool:
    """True if a run of the program executes at most `fuel` instructions."""
    try:
        program.run(*arguments, fuel=fuel)
    except bril.BrilFuelError:
        return False
    return True


SUM = """@main(x: float) { y: float = call @sum x; print y; }
@sum(x: float): float {
  zero: float = const 0; one: float = const 1; done: bool = fle x zero; br done .end .more;
.end:
  ret zero;
.more:
  less: float = fsub x one; rest: float = call @sum less; s: float = fmul x x; t: float = fadd s rest;
  ret t;
}"""
DEPTHS = (100, 1_000, 10_000)
PAGE = 1 << 16


def with_floats(text: str) -> Any:
    """Parse a program, and let it print only floats, because a kernel returns the printed float.

    Each printed int becomes the float with the same bits. Each printed bool becomes 0.
    """
    tree = json.loads(bril.parse(text).json())
    for function in tree["functions"]:
        types = {item["name"]: item["type"] for item in function.get("args", [])}
        types |= {item["dest"]: item["type"] for item in function["instrs"] if "dest" in item}
        instructions = []
        for item in function["instrs"]:
            if item.get("op") == "print" and any(types[name] != "float" for name in item.get("args", [])):
                for name in item["args"]:
                    instructions += as_float(name, types[name])
            else:
                instructions.append(item)
        function["instrs"] = instructions
    return bril.parse(json.dumps(tree))


def as_float(name: str, of: str) -> list[dict[str, Any]]:
    """Make Bril instructions that convert a variable to a float and print the float."""
    if of == "bool":
        zero = {"op": "const", "dest": "printed", "type": "float", "value": 0}
        return [zero, {"op": "print", "args": ["printed"]}]
    if of == "int":
        bits = {"op": "bits2float", "dest": "printed", "type": "float", "args": [name]}
        return [bits, {"op": "print", "args": ["printed"]}]
    return [{"op": "print", "args": [name]}]


def of_gradient(n: int, check: bool) -> Row:
    """Time a program with n arguments: its value, and its gradient by forward mode and by reverse mode."""
    program = bril.parse(product_of(n))
    point = [1.0 + k / (100 * n) for k in range(n)]
    f = program.function(*point)
    value = eg.compile(f)
    reverse = eg.compile(eg.grad(f, tuple(range(n))))
    along = eg.compile(
        eg.fn([eg.Real] * (2 * n), names=[*(f"x{k}" for k in range(n)), *(f"d{k}" for k in range(n))])(
            lambda *parts: eg.jvp(f, parts[:n], parts[n:])[1]
        )
    )
    directions = [[float(j == k) for j in range(n)] for k in range(n)]

    def forward() -> list[float]:
        return [along(*point, *direction) for direction in directions]

    contestants = {
        REVERSE: Contestant(lambda: list(reverse(*point)), lambda: reverse(*point)),
        FORWARD: Contestant(forward, forward),
    }
    outcome = compete(contestants, check=check, tolerance=1e-9)
    if outcome.series:
        alone = compete({VALUE: Contestant(list, lambda: value(*point))}, check=False, tolerance=0.0)
        outcome = Competition({**outcome.series, **alone.series}, outcome.compared, outcome.wrong)
    return row(f"gradient by {n} {'argument' if n == 1 else 'arguments'}", outcome)


def product_of(n: int) -> str:
    """Write a Bril program with n arguments. Each iteration of its loop computes with every argument."""
    names = [f"x{k}" for k in range(n)]
    body = "\n".join(
        f"s: float = fmul s {name}; t: float = fdiv s {name}; s: float = fsub s t; s: float = fadd s {name};"
        for name in names
    )
    return f"""@main({", ".join(f"{name}: float" for name in names)}) {{
  i: int = const 0; one: int = const 1; end: int = const {ROUNDS}; s: float = const 1;
.head:
  more: bool = lt i end;
  br more .body .end;
.body:
{body}
  i: int = add i one;
  jmp .head;
.end:
  print s;
}}"""


def row(title: str, outcome: Competition) -> Row:
    """A row of times."""
    return Row(
        title, "ms", outcome.series, compared=outcome.compared, wrong=outcome.wrong,
        missing={"brilirs": ABSENT} if title.endswith("value") else {},
    )  # fmt: skip
