"""Make a program a function of the compiler, and differentiate it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from eglantine.analysis.liveness import live_rows
from eglantine.api import jit
from eglantine.errors import (
    AssertionFailedError,
    CompileError,
    EglantineError,
    LimitError,
    MissingDerivativeError,
    ShapeError,
)
from eglantine.functions.derivatives import grad, jvp, value_and_grad
from eglantine.functions.fn import Fn, fn
from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import F64
from eglantine.rewrite.copying import copied
from eglantine.types import Real

from .dispatch import DispatchLowering
from .heap_rows import HeapRows
from .lowering import LAST, Lowering, NotStructuredError, effects_of
from .machine import Machine
from .mistakes import BrilError, Place
from .scalar_rows import constant_row
from .syntax import FLOAT, FunctionText


class Needs(NamedTuple):
    """What a run of a program needs: cells, allocations, and nested calls."""

    cells: int = 16
    allocations: int = 8
    depth: int = 8


def needs_of(functions: Iterable[FunctionText], arguments: Sequence[Any]) -> Needs:
    """What the program needs with these arguments. If it fails with them, this is what it needed before."""
    functions = tuple(functions)
    if not any(item.op in ("alloc", "call") for text in functions for item in text.instructions):
        return Needs()
    machine = Machine(functions)
    with suppress(BrilError):
        machine.execute("main", arguments, MEASURED)
    return Needs(machine.run.total, machine.run.allocations, machine.run.frames)


def doubled(needs: Needs) -> Needs:
    """Room for twice as much as is needed."""
    return Needs(*(max(2 * number, least) for number, least in zip(needs, Needs(), strict=True)))


def function_of(
    functions: Iterable[FunctionText], main: FunctionText, arguments: Sequence[Any], needs: Needs
) -> Fn:
    """The value of the float that a program prints last, as a function of the floats among its arguments.

    needs: the room that the heap and the stack have.
    Raises: BrilError if it never prints a float.
    """
    functions = tuple(functions)
    if LAST not in effects_of({function.name: function for function in functions})["main"]:
        raise BrilError(
            "This program never prints a float, so it has no value to differentiate. Print one.", main.place
        )
    heap = HeapRows(needs.cells, needs.allocations)
    attempts: list[Callable[[Builder], Lowering]] = [
        lambda b: Lowering(functions, b, heap),
        lambda b: DispatchLowering(functions, b, heap, needs.depth, True),
        lambda b: DispatchLowering(functions, b, heap, needs.depth, False),
    ]
    for lowering in attempts:
        try:
            block = _block(lowering, main, arguments)
        except (NotStructuredError, LimitError):
            if lowering is attempts[-1]:
                raise
            continue
        break
    names = [p.name for p in main.parameters if p.type == FLOAT]
    return Fn(
        Function(
            "main", (Real,) * len(names), Real, block, param_names=tuple(names),
            leaf_params=block.param_types, leaf_results=block.result_types,
        )
    )  # fmt: skip


def _block(make: Callable[[Builder], Lowering], main: FunctionText, arguments: Sequence[Any]) -> Block:
    """The rows of a program that its value needs. Only the floats among the arguments are parameters."""
    b = Builder()
    rows = [
        b.param(F64) if parameter.type == FLOAT else constant_row(b, value, parameter.type)
        for parameter, value in zip(main.parameters, arguments, strict=True)
    ]
    written = b.finish([make(b).main(rows)])
    return copied(written, live=live_rows(written))


def gradient_of(
    f: Fn, point: Sequence[float], mode: str, functions: Iterable[FunctionText] = ()
) -> list[float]:
    """The derivatives of f by its arguments at a point."""
    n = len(point)
    if not n:
        return []
    if mode == "reverse":
        return list(_computed(lambda: grad(f, tuple(range(n))), point, functions))

    def along(*parts: Any) -> Any:
        return jvp(f, parts[:n], parts[n:])[1]

    names = [*f.function.param_names, *(f"d{name}" for name in f.function.param_names)]
    slope = fn([Real] * (2 * n), Real, names=names)
    directions = [[float(j == i) for j in range(n)] for i in range(n)]
    return [_computed(lambda: slope(along), [*point, *direction], functions) for direction in directions]


def value_and_gradient_of(
    f: Fn, point: Sequence[float], functions: Iterable[FunctionText] = ()
) -> tuple[float, list[float]]:
    """The value of f at a point, and its derivatives by its arguments."""
    if not point:
        return _computed(lambda: f, point, functions), []
    value, slopes = _computed(lambda: value_and_grad(f, tuple(range(len(point)))), point, functions)
    return value, list(slopes)


def _computed(make: Callable[[], Any], arguments: Sequence[Any], functions: Iterable[FunctionText]) -> Any:
    """make()(*arguments), compiled if there is an engine to run it.

    Raises: BrilError in place of the errors of the compiler.
    """
    try:
        f = make()
        try:
            return jit(f)(*arguments)
        except CompileError:
            return f(*arguments)
    except MissingDerivativeError:
        bits = next(
            (item for text in functions for item in text.instructions if item.op == "float2bits"), None
        )
        raise BrilError(
            "float2bits has no derivative, but the value depends on it. Compute with the float itself.",
            bits.place if bits else None,
        ) from None
    except (AssertionFailedError, ShapeError) as error:
        raise _failed(error) from None


def _failed(error: EglantineError) -> BrilError:
    """The error of a program that fails in compiled code, with the line that the message ends with."""
    told, _, line = error.message.partition(_LINE)
    return BrilError(told.rstrip(), Place(int(line.rstrip(")")), 0) if line else None)


_LINE = "(Bril, line "
MEASURED = 20_000_000
"""The most instructions that we run to see how much room a program needs."""
