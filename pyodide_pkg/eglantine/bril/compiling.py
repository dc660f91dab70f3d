"""Turn a Bril program into a function that the compiler can differentiate and compile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from eglantine.analysis.liveness import live_rows
from eglantine.api import compile as compile_kernel
from eglantine.api import jit
from eglantine.errors import (
    AssertionFailedError,
    CompileError,
    EglantineError,
    FuelError,
    LimitError,
    MissingDerivativeError,
    ShapeError,
)
from eglantine.functions.derivatives import grad, jvp, value_and_grad
from eglantine.functions.fn import Fn, fn
from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import F64
from eglantine.plain.symbolic import current
from eglantine.rewrite.copying import copied
from eglantine.trace.scalars import RealValue, real_row
from eglantine.trace.traced import Traced
from eglantine.types import Real

from .dispatch import DispatchLowering
from .flow import may_lack_values
from .flows import LAST, RESULT, NotStructuredError, effects_of
from .heap_rows import HeapRows
from .lowering import Lowering
from .machine import Machine
from .mistakes import BrilError, BrilFuelError, Place
from .scalar_rows import constant_row
from .segments import segmented
from .stacks import WINDOW_CALLS
from .syntax import FLOAT, FunctionText, Instruction


class Needs(NamedTuple):
    """How many memory cells, allocations and nested calls a run of a program needs."""

    cells: int = 16
    allocations: int = 8
    depth: int = 8


def needs_of(functions: Iterable[FunctionText], arguments: Sequence[Any]) -> tuple[Needs, BrilError | None]:
    """Return what a program needs for these arguments, and the error if its run fails.

    We run the program only if it uses memory, is recursive, or may read a variable that has no value.
    Otherwise we return small default needs.
    """
    functions = tuple(functions)
    least = Needs(depth=max(Needs().depth, len(functions)))
    if not must_run(functions):
        return least, None
    machine = Machine(functions)
    failure: BrilError | None = None
    try:
        machine.execute("main", arguments, MEASURED)
    except BrilFuelError:
        pass
    except BrilError as error:
        failure = error
    run = machine.run
    return Needs(*map(max, least, (run.total, run.allocations, run.frames))), failure


def must_run(functions: Sequence[FunctionText]) -> bool:
    """True if the program uses memory, is recursive, or may read a variable that has no value."""
    calls = {
        text.name: {item.funcs[0] for item in text.instructions if item.op in ("call", "grad")}
        for text in functions
    }
    if any(item.op in ("alloc", "get", "undef") for text in functions for item in text.instructions):
        return True
    while leaves := [name for name, callees in calls.items() if not callees & calls.keys()]:
        for name in leaves:
            del calls[name]
    return bool(calls) or any(map(may_lack_values, functions))


def doubled(needs: Needs) -> Needs:
    """Double these needs, so that they also suffice for runs with other arguments."""
    return Needs(*(max(2 * number, least) for number, least in zip(needs, Needs(), strict=True)))


def snug(needs: Needs) -> Needs:
    """Increase these needs by an eighth.

    A larger increase would be costly, because reverse mode copies the memory several times.
    """
    return Needs(*(number + number // 8 for number in needs))


def function_of(
    functions: Iterable[FunctionText],
    main: FunctionText,
    arguments: Sequence[Any],
    needs: Needs,
    *,
    for_reverse: bool = False,
) -> Fn:
    """Build a function of @main's float arguments. It returns the float that the program prints last.

    needs: the sizes of the heap and the stack.
    for_reverse: true if the caller will cut the loops into segments. All loops are then while loops, and a
        deep stack is divided into windows.
    Raises: BrilError if the program never prints a float.
    """
    functions = tuple(functions)
    if LAST not in effects_of({function.name: function for function in functions})["main"]:
        raise BrilError(
            "This program never prints a float, so it has no value to differentiate. Print a float.",
            main.place,
        )
    block = _Rows(functions, needs, for_reverse).block(main, arguments)
    return Fn(_function("main", tuple(p.name for p in main.parameters if p.type == FLOAT), block))


class _Rows:
    """Turns functions of a Bril program into rows."""

    def __init__(self, functions: Iterable[FunctionText], needs: Needs, for_reverse: bool) -> None:
        self.functions, self.counted = tuple(functions), not for_reverse
        self.windows = for_reverse and needs.depth > WINDOW_CALLS
        self.by_name = {function.name: function for function in self.functions}
        self.heap, self.depth = HeapRows(needs.cells, needs.allocations), needs.depth
        self.order = 0

    def block(self, main: FunctionText, arguments: Sequence[Any]) -> Block:
        """Return the block that computes the value of a program: the float that it prints last.

        The float arguments become parameters of the block. The other arguments become constants.
        """

        def begin() -> tuple[Builder, list[int]]:
            b = Builder()
            rows = [
                b.param(F64) if parameter.type == FLOAT else constant_row(b, value, parameter.type)
                for parameter, value in zip(main.parameters, arguments, strict=True)
            ]
            return b, rows

        return self._first(main.name, begin, LAST)[1]

    def _first(
        self, name: str, begin: Callable[[], tuple[Builder, list[int]]], wanted: str
    ) -> tuple[Builder, Block]:
        """Write the rows of a function. Return the builder and the block.

        First we try structured loops and branches. If this fails, we write one loop that runs a piece of the
        program in each round, and copy the structured callees into their callers. If this fails too, we write
        the loop without copying callees.
        """
        for way in (None, True, False):
            b, rows = begin()
            try:
                lowering = (
                    Lowering(self.functions, b, self.heap, self.differentiated, counted=self.counted)
                    if way is None
                    else DispatchLowering(
                        self.functions, b, self.heap, self.differentiated, self.depth, way,
                        self.windows and not self.order,
                    )
                )  # fmt: skip
                written = b.finish([lowering.entry(name, rows, wanted)])
            except (NotStructuredError, LimitError):
                if way is False:
                    raise
                continue
            return b, copied(written, live=live_rows(written))
        raise AssertionError

    def differentiated(self, b: Builder, item: Instruction, rows: Sequence[int]) -> int:
        """Write a grad instruction: the derivative of a function with respect to one of its parameters."""
        callee = self.by_name[item.funcs[0]]
        if self.order == MOST_NESTED:
            raise BrilError(
                f"grad can nest at most {MOST_NESTED} deep, but here it nests deeper. Use fewer levels.",
                item.place,
            )
        floats = [k for k, p in enumerate(callee.parameters) if p.type == FLOAT]

        def begin() -> tuple[Builder, list[int]]:
            inner = Builder(b, conditional=True)
            params = {k: inner.param(F64) for k in floats}
            return inner, [params[k] if k in params else inner.capture(row) for k, row in enumerate(rows)]

        self.order += 1
        inner, block = self._first(callee.name, begin, RESULT)
        self.order -= 1
        names = tuple(callee.parameters[k].name for k in floats)
        function = _function(callee.name, names, block, len(inner.captured))
        f = Fn(function, [Traced(b, row) for row in inner.captured])
        values = [RealValue(b, rows[k]) for k in floats]
        place = names.index(item.labels[0])
        token = current.set(b)
        try:
            along = jvp(lambda x: f(*values[:place], x, *values[place + 1 :]), (values[place],), (1.0,))[1]
            return real_row(b, along)
        except MissingDerivativeError:
            raise _no_bits(self.functions) from None
        finally:
            current.reset(token)


def _function(name: str, names: tuple[str, ...], block: Block, hidden: int = 0) -> Function:
    """Make a function that returns a Real. Its parameters are Reals with the given names."""
    return Function(
        name, (Real,) * len(names), Real, block, hidden=hidden, param_names=names,
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


MOST_NESTED = 8
"""The highest order of derivatives that the grad instructions of a program may compute."""


class Made:
    """The function that computes the value of a program, and a cache of its compiled derivatives.

    needs: the sizes of the program's heap and stack.
    f: the function. for_reverse: the same function with its loops cut into segments. Its gradient takes less
        memory.
    """

    def __init__(
        self, functions: Iterable[FunctionText], main: FunctionText, arguments: Sequence[Any], needs: Needs
    ) -> None:
        self.functions, self.main, self.needs = tuple(functions), main, needs
        self.arguments = tuple(arguments)
        self.compiled: dict[str, Any] = {}
        self.f = function_of(self.functions, main, arguments, needs)

    @cached_property
    def for_reverse(self) -> Fn:
        """The function, with its loops cut into segments."""
        return segmented(function_of(self.functions, self.main, self.arguments, self.needs, for_reverse=True))

    def reverse(self) -> Callable[..., Any]:
        """The gradient by reverse mode."""
        return grad(self.for_reverse, tuple(range(len(self.f.function.params))))  # type: ignore[no-any-return]

    def gradient(self, point: Sequence[float], mode: str, fuel: int | None = None) -> list[float]:
        """Return the derivatives of the function with respect to its arguments at a point.

        fuel: the largest total number of rounds of the forward and reverse loops. None means no limit.
        """
        f, n = self.f, len(point)
        if not n:
            return []
        if mode == "reverse":
            return list(self._call(mode, self.reverse, point, fuel))

        def along(*parts: Any) -> Any:
            return jvp(f, parts[:n], parts[n:])[1]

        names = [*f.function.param_names, *(f"d{name}" for name in f.function.param_names)]
        slope = fn([Real] * (2 * n), Real, names=names)
        directions = [[float(j == i) for j in range(n)] for i in range(n)]
        return [
            self._call(mode, lambda: slope(along), [*point, *direction], fuel) for direction in directions
        ]

    def value_and_gradient(self, point: Sequence[float]) -> tuple[float, list[float]]:
        """Return the value of the function at a point, and the derivatives with respect to the arguments."""
        if not point:
            return self._call("value", lambda: self.f, point), []
        argnums = tuple(range(len(point)))
        value, slopes = self._call("both", lambda: value_and_grad(self.for_reverse, argnums), point)
        return value, list(slopes)

    def _call(
        self, kind: str, make: Callable[[], Any], arguments: Sequence[Any], fuel: int | None = None
    ) -> Any:
        """Make a function with make() and call it. If there is an engine, compile it, otherwise interpret it.

        kind: the key of the compiled function in the cache.
        Raises: BrilError instead of the compiler's errors.
        """
        functions = self.functions
        try:
            if fuel is not None:
                return self._with_fuel(kind, make, fuel)(*arguments)
            f = self.compiled.get(kind)
            if f is None:
                f = self.compiled[kind] = jit(make())
            try:
                return f(*arguments)
            except CompileError:
                return make()(*arguments)
        except MissingDerivativeError:
            raise _no_bits(functions) from None
        except (AssertionFailedError, ShapeError) as error:
            raise _failed(error) from None
        except FuelError:
            raise BrilFuelError(
                f"Computing the derivatives used up the fuel, which was {fuel:,} rounds of loops. Give more "
                "fuel, or check that the program's loops end."
            ) from None

    def _with_fuel(self, kind: str, make: Callable[[], Any], fuel: int) -> Any:
        """Compile the function that make() returns. The kernel stops when it has used up its fuel.

        Raises: BrilError if there is no engine, because the interpreter does not count fuel.
        """
        kernel = self.compiled.get(f"{kind} with fuel")
        if kernel is None:
            try:
                kernel = self.compiled[f"{kind} with fuel"] = compile_kernel(make(), fuel=fuel)
            except CompileError as error:
                raise BrilError(f"Derivatives with fuel need an engine. {error.message}") from None
        kernel.fuel = fuel
        return kernel


def _no_bits(functions: Iterable[FunctionText]) -> BrilError:
    """Make the error for a program that uses float2bits, which has no derivative."""
    bits = next((item for text in functions for item in text.instructions if item.op == "float2bits"), None)
    return BrilError(
        "float2bits has no derivative, but the value depends on it. Compute with the float itself.",
        bits.place if bits else None,
    )


def _failed(error: EglantineError) -> BrilError:
    """Convert an error of compiled code to a BrilError. The error's message ends with the line number."""
    told, _, line = error.message.partition(_LINE)
    return BrilError(told.rstrip(), Place(int(line.rstrip(")")), 0) if line else None)


_LINE = "(Bril, line "
MEASURED = 20_000_000
"""The most instructions that we run to find how much memory a program needs."""
