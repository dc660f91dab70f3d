"""The first tier of formulas: a compiled function that interprets the code of any formula.

A page uses this module to draw typed formulas until Python is loaded. JavaScript reads a formula
(static/js/model/formula) and translates it to the code that is described below. The module computes value,
gradient and Hessian at many points in one call, by forward mode.

**Code.** An instruction consists of four numbers: an opcode and three places. A place is the index of a
number in an array. Places 0 and 1 contain x and y, and the next places contain sliders and constants.
Instruction k writes its result to the place `first + k`.

**Derivatives.** For each place, the module also stores five derivatives (by x, y, xx, xy, yy) and five flags.
A flag is false if forward mode knows that the derivative is 0. Such a derivative is *absent*. Products with
an absent derivative are not computed. In sums we replace it by −0.0, because v + (−0.0) is v for all v. The
partial derivatives of an operation, and their derivatives, are traced from `eg.math` by `eg.jvp`. Therefore
the results have the same bits as `eg.jvp` of `eg.jvp` in the interpreter.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "pyodide_pkg")]

import eglantine as eg  # noqa: E402
from eglantine import inside  # noqa: E402
from eglantine.formulas.table import table  # noqa: E402
from tools.modules import STATIC  # noqa: E402
from tools.node import find_node  # noqa: E402
from tools.vendor import bundle  # noqa: E402

READER: Final = "js/engine/first-tier.js"
LATEX: Final = "js/model/formula/latex.js"

PLACES: Final = 512
"""The largest number of values of one formula: variables, constants and results of operations."""
POINTS: Final = 64
"""Points in one call."""
ENTRIES: Final = 6
"""f, fx, fy, fxx, fxy, fyy."""
RESULTS: Final = 7
"""The largest number of values that `Operation.slopes` returns."""
ABSENT: Final = -0.0

Numbers = tuple[Any, ...]


class Operation(NamedTuple):
    """An operation on two numbers a and b. An operation with one operand ignores b.

    slopes: a function that returns seven numbers: the value, the partial derivative ∂a, the derivatives of ∂a
        by x and y, and the same three numbers for ∂b. Zeros at the end may be omitted. Its arguments are a
        and b, the tangents of a and b, and flags that are true if these tangents are present.
    depends: six flags. They say whether ∂a is present, ∂b is present, ∂a depends on a, ∂a depends on b, ∂b
        depends on a, and ∂b depends on b.
    chooses: true if the operation returns one of its operands, as maximum does. Then `slopes` returns two
        numbers. The first is the value. The second is 1 if the value is a, and 0 if it is b.
    """

    slopes: Callable[..., Numbers]
    depends: tuple[bool, ...]
    chooses: bool = False


def _is_absent(f: Callable[..., Any], arity: int) -> bool:
    """True if the compiler reduces a function of Reals to the constant 0."""
    block = inside.optimise(eg.fn([eg.Real] * arity, eg.Real)(f).function).block
    assert block is not None
    row = block.results[0]
    return row < 0 and block.consts[~row] == 0.0


def _unary(f: Callable[[Any], Any]) -> Operation:
    """The operation of a function of one Real."""

    def slope(a: Any) -> Any:
        return eg.jvp(f, (a,), (1.0,))[1]

    def along(a: Any, da: Any) -> Any:
        return eg.jvp(slope, (a,), (da,))[1]

    def slopes(a: Any, _: Any, da: Numbers, *__: Any) -> Numbers:
        return f(a), slope(a), along(a, da[0]), along(a, da[1])

    depends = (not _is_absent(slope, 1), False, not _is_absent(along, 2), False, False, False)
    return Operation(slopes, depends)


def _binary(f: Callable[[Any, Any], Any]) -> Operation:
    """Make the operation for a function of two Reals."""

    def slope_a(a: Any, b: Any) -> Any:
        return eg.jvp(lambda a: f(a, b), (a,), (1.0,))[1]

    def slope_b(a: Any, b: Any) -> Any:
        return eg.jvp(lambda b: f(a, b), (b,), (1.0,))[1]

    along_a, of_a = _along(slope_a)
    along_b, of_b = _along(slope_b)

    def slopes(a: Any, b: Any, da: Numbers, db: Numbers, has_a: Numbers, has_b: Numbers) -> Numbers:
        pairs = [(a, b, da[k], db[k], has_a[k], has_b[k]) for k in (0, 1)]
        of_a, of_b = ([along(*pair) for pair in pairs] for along in (along_a, along_b))
        return f(a, b), slope_a(a, b), *of_a, slope_b(a, b), *of_b

    there = (not _is_absent(slope_a, 2), not _is_absent(slope_b, 2))
    return Operation(slopes, (*there, *of_a, *of_b))


def _along(slope: Callable[..., Any]) -> tuple[Callable[..., Any], tuple[bool, bool]]:
    """Make a function that differentiates a slope. Also return whether the slope depends on a, and on b.

    The order in which forward mode adds terms depends on which operands have tangents. So we trace each case
    separately. Then the results have the same bits as in the interpreter.
    """

    def by_a(a: Any, b: Any, da: Any, _: Any) -> Any:
        return eg.jvp(lambda a: slope(a, b), (a,), (da,))[1]

    def by_b(a: Any, b: Any, _: Any, db: Any) -> Any:
        return eg.jvp(lambda b: slope(a, b), (b,), (db,))[1]

    def by_both(a: Any, b: Any, da: Any, db: Any) -> Any:
        return eg.jvp(slope, (a, b), (da, db))[1]

    on_a, on_b = not _is_absent(by_a, 4), not _is_absent(by_b, 4)

    @eg.fn([eg.Real] * 4 + [eg.Bool] * 2, eg.Real)
    def along(a: Any, b: Any, da: Any, db: Any, has_a: Any, has_b: Any) -> Any:
        operands = (a, b, da, db)
        if on_a and on_b:
            return eg.cond(
                has_a & has_b,
                lambda: by_both(*operands),
                lambda: eg.cond(has_a, lambda: by_a(*operands), lambda: by_b(*operands)),
            )
        return by_a(*operands) if on_a else by_b(*operands) if on_b else 0.0

    # The compiler does not inline checkpoints. Inlining these long functions would make the module larger.
    return (eg.checkpoint(along) if on_a and on_b else along), (on_a, on_b)


def _powi() -> Operation:
    """Make the operation a^b by repeated squaring. b must be a constant whole number, but not 0 or 1."""

    def power(a: Any, n: Any) -> Any:
        def is_left(carry: Numbers) -> Any:
            return carry[0] > 0

        def step(carry: Numbers) -> Numbers:
            left, product, square = carry
            half = eg.math.floor(left / 2)
            return half, eg.select(left - 2 * half > 0, product * square, product), square * square

        product = eg.while_loop(is_left, step, (abs(n), 1.0, a))[1]
        return eg.select(n < 0, 1 / product, product)

    whole = eg.fn([eg.Real, eg.Real], eg.Real)(power)

    def slopes(a: Any, n: Any, da: Numbers, *_: Any) -> Numbers:
        bend = (n - 1) * whole(a, n - 2)
        return whole(a, n), n * whole(a, n - 1), n * (bend * da[0]), n * (bend * da[1])

    return Operation(slopes, (True, False, True, False, False, False))


def _product() -> Operation:
    def slopes(a: Any, b: Any, da: Numbers, db: Numbers, *_: Any) -> Numbers:
        return a * b, b, *db, a, *da

    return Operation(slopes, (True, True, False, True, True, False))


def _choice(first: Callable[[Any, Any], Any], value: Callable[[Any, Any], Any]) -> Operation:
    """Make an operation that returns one of its operands."""

    def slopes(a: Any, b: Any, *_: Any) -> Numbers:
        return value(a, b), eg.select(first(a, b), 1.0, 0.0)

    return Operation(slopes, (True, True, False, False, False, False), chooses=True)


def _condition(holds: Callable[[Any, Any], Any]) -> Operation:
    """Make an operation that tests a condition. It returns 1 or 0 and has no derivative."""

    def slopes(a: Any, b: Any, *_: Any) -> Numbers:
        return (eg.select(holds(a, b), 1.0, 0.0),)

    return Operation(slopes, (False,) * 6)


SELECT: Final = "select"
UNARY: Final = (
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "lgamma", "floor", "ceil",
    "trunc", "round", "sign",
)  # fmt: skip


def _polygamma(n: int) -> Callable[[Any], Any]:
    return lambda a: eg.math.polygamma(n, a)


def operations() -> dict[str, Operation]:
    """Return all operations by name. The position of an operation in this dict is its opcode."""
    m = eg.math
    return {
        "+": _binary(lambda a, b: a + b),
        "-": _binary(lambda a, b: a - b),
        "*": _product(),
        "/": _binary(lambda a, b: a / b),
        "negate": _unary(lambda a: -a),
        "powi": _powi(),
        "<": _condition(lambda a, b: a < b),
        "<=": _condition(lambda a, b: a <= b),
        ">": _condition(lambda a, b: a > b),
        ">=": _condition(lambda a, b: a >= b),
        "==": _condition(lambda a, b: a == b),
        "!=": _condition(lambda a, b: a != b),
        "and": _condition(lambda a, b: (a != 0) & (b != 0)),
        "or": _condition(lambda a, b: (a != 0) | (b != 0)),
        "not": _condition(lambda a, b: a == 0),
        "real": _condition(lambda a, b: a != 0),
        SELECT: _choice(lambda a, b: a == a, lambda a, b: a),
        "minimum": _choice(lambda a, b: a < b, m.minimum),
        "maximum": _choice(lambda a, b: a > b, m.maximum),
        "abs": _unary(abs),
        **{name: _unary(getattr(m, name)) for name in UNARY},
        "polygamma0": _unary(_polygamma(0)),
        "polygamma1": _unary(_polygamma(1)),
        "pow": _binary(m.pow),
        "atan2": _binary(m.atan2),
        "hypot": _binary(m.hypot),
        "copysign": _binary(m.copysign),
        "%": _binary(lambda a, b: a % b),
    }


def machine() -> eg.Fn:
    """Make the function that runs a formula's code and returns six numbers for each point (ENTRIES)."""
    known = operations()
    place = eg.Fin(PLACES)

    @eg.fn
    def formula(
        code: eg.Vec(4 * PLACES, place),  # type: ignore[valid-type]
        length: eg.Fin(PLACES + 1),  # type: ignore[valid-type]
        first: place,  # type: ignore[valid-type]
        result: place,  # type: ignore[valid-type]
        numbers: eg.Vec(PLACES, eg.Real),  # type: ignore[valid-type]
        points: eg.Vec(2 * POINTS, eg.Real),  # type: ignore[valid-type]
        count: eg.Fin(POINTS + 1),  # type: ignore[valid-type]
        tangents: eg.Vec(5 * PLACES, eg.Real),  # type: ignore[valid-type]
        has: eg.Vec(5 * PLACES, eg.Bool),  # type: ignore[valid-type]
        out: eg.Vec(ENTRIES * POINTS, eg.Real),  # type: ignore[valid-type]
    ) -> eg.Vec(ENTRIES * POINTS, eg.Real):  # type: ignore[valid-type]
        def point(k: Any, carry: Numbers) -> Numbers:
            out, values, *slopes = carry
            values = values.at[0].set(points[2 * k]).at[1].set(points[2 * k + 1])
            values, tangents, has = eg.fori_loop(0, length, instruction, (values, *slopes))
            out = out.at[ENTRIES * k].set(values[result])

            def entry(e: Any, out: Any) -> Any:
                there = eg.select(has[5 * result + e], tangents[5 * result + e], 0.0)
                return out.at[ENTRIES * k + 1 + e].set(there)

            return eg.fori_loop(0, 5, entry, out), values, tangents, has

        instruction = _instruction(known, code, first)
        return eg.fori_loop(0, count, point, (out, numbers, tangents, has))[0]

    return formula


def _instruction(known: Mapping[str, Operation], code: Any, first: Any) -> Callable[[Any, Numbers], Numbers]:
    """Make the body of the loop over instructions.

    The loop's carry contains all numbers, their derivatives, and the derivatives' flags.

    code: the opcode and the three places of each instruction.
    first: the place to which instruction 0 writes its result.
    """
    names, operations = [*known], [*known.values()]
    columns = [eg.asarray([operation.depends[k] for operation in operations]) for k in range(6)]
    choosing = eg.asarray([operation.chooses for operation in operations])

    def instruction(k: Any, carry: Numbers) -> Numbers:
        values, tangents, has = carry
        op, at_a, at_b, at_c = (code[4 * k + j] for j in range(4))
        at = eg.Fin(PLACES)(first + k)
        a, b = values[at_a], values[at_b]
        opcode = eg.Fin(len(names))(op)
        near = [[array[5 * there + k] for k in (0, 1)] for array in (tangents, has) for there in (at_a, at_b)]
        results = _dispatch(operations, 0, len(names), opcode, (a, b, *near))
        is_select = opcode == names.index(SELECT)
        is_first = eg.select(is_select, values[at_c], results[1]) != 0
        values = values.at[at].set(eg.select(is_select & ~is_first, b, results[0]))
        depends = [column[opcode] for column in columns]
        chosen = eg.select(is_first, at_a, at_b)

        def entry(e: Any, carry: Numbers) -> Numbers:
            tangents, has = carry
            sum_, there = _tangent(e, (at_a, at_b), results, depends, tangents, has)
            choice = eg.select(has[5 * chosen + e], tangents[5 * chosen + e], 0.0)
            tangents = tangents.at[5 * at + e].set(eg.select(choosing[opcode], choice, sum_))
            return tangents, has.at[5 * at + e].set(there)

        return values, *eg.fori_loop(0, 5, entry, (tangents, has))

    return instruction


def _dispatch(known: Sequence[Operation], low: int, high: int, op: Any, given: Numbers) -> Any:
    """Run operation number `op`, where low ≤ op < high. Return an array of RESULTS numbers.

    Nested branches find the operation by a binary search, because the language has no table of functions. We
    return an array, because each level of branches would copy separate numbers.
    """
    if high - low == 1:
        numbers = known[low].slopes(*given)
        return eg.asarray([*numbers, *[0.0] * (RESULTS - len(numbers))])
    middle = (low + high) // 2
    return eg.cond(
        op < middle,
        lambda: _dispatch(known, low, middle, op, given),
        lambda: _dispatch(known, middle, high, op, given),
    )


def _tangent(
    e: Any, operands: Numbers, results: Any, depends: Sequence[Any], tangents: Any, has: Any
) -> tuple[Any, Any]:
    """Compute a derivative of an operation's result. Return the derivative and its flag.

    e: the number of the derivative: 0 for x, 1 for y, 2 for xx, 3 for xy, 4 for yy.
    operands: the places of the operands a and b.
    """
    on_a, on_b, *bends = depends
    one, other = (eg.select(e >= first, eg.Fin(2)(1), eg.Fin(2)(0)) for first in (4, 3))
    has_a, has_b = (has[5 * at + other] for at in operands)
    terms, present = [], []
    for k, (at, on) in enumerate(zip(operands, (on_a, on_b), strict=True)):
        by_a, by_b = bends[2 * k : 2 * k + 2]
        bent = on & (e >= 2) & has[5 * at + one] & ((by_a & has_a) | (by_b & has_b))
        there = on & has[5 * at + e]
        slope, bend = results[1 + 3 * k], results[2 + 3 * k + other]
        terms.append(
            _there(bent, tangents[5 * at + one] * bend) + _there(there, slope * tangents[5 * at + e])
        )
        present.append(bent | there)
    return terms[0] + terms[1], present[0] | present[1]


def _there(there: Any, value: Any) -> Any:
    """A term of a sum that may be missing."""
    return eg.select(there, value, ABSENT)


def tables() -> dict[str, Any]:
    """Return the data that the page's JavaScript needs, as JSON values: the grammar, opcodes and sizes."""
    return {"grammar": table(), "opcodes": [*operations()], "places": PLACES, "points": POINTS}


def places_of(abi: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of an ABI that the page needs: addresses of arguments and result, and export names."""

    def places(value: Mapping[str, Any]) -> dict[str, Any]:
        return {"leaves": [{"at": leaf["at"]} for leaf in value["leaves"]]}

    memory = {"export": abi["memory"]["export"]}
    params = [places(value) for value in abi["params"]]
    return {"export": abi["export"], "memory": memory, "params": params, "result": places(abi["result"])}


def main(folder: Path) -> None:
    """Write tier.wasm (the module), tier.js (the script and tables) and tier-latex.js (the LaTeX reader)."""
    artifact = eg.compile_artifact(machine())
    (folder / "tier.wasm").write_bytes(artifact.wasm)
    parts = tables()
    latex = parts["grammar"].pop("latex")
    values = {"tables": parts, "abi": places_of(artifact.abi)}
    _write(folder / "tier.js", READER, "FirstTier", values)
    _write(folder / "tier-latex.js", LATEX, "plainOf", {"table": latex})


def _write(script: Path, module: str, name: str, values: Mapping[str, Any]) -> None:
    """Write a script that exports `name` from the module `module`, and constants from the dict `values`."""
    source = [f"export {{ {name} }} from {json.dumps(str(STATIC / module))};"]
    for key, value in values.items():
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        source.append(f"export const {key} = {text};")
    bundle(find_node(), "\n".join(source), script)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
