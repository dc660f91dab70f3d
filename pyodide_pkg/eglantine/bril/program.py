"""The class of Bril programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from eglantine.functions.fn import Fn

from .checks import checked
from .compiling import Made, Needs, doubled, needs_of, snug
from .dialect import on_floats, with_main_arguments
from .machine import Machine
from .mistakes import BrilError
from .operations import wrapped
from .syntax import BOOL, CHAR, FLOAT, INT, FunctionText, Parameter
from .text import read_text
from .tree import load, read_tree
from .writer import to_json, to_text, to_tree


class Program:
    """A Bril program that was read and checked.

    functions: the functions of the program, in the order of the text.
    """

    def __init__(
        self,
        functions: tuple[FunctionText, ...],
        source: str | None = None,
        initial: dict[str, float] | None = None,
    ) -> None:
        self.functions = checked(functions)
        self._source = source
        self._initial = initial or {}
        self._made: dict[Any, Made] = {}

    def __repr__(self) -> str:
        return f"<bril program with {', '.join('@' + function.name for function in self.functions)}>"

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The program in the text form, without comments."""
        return to_text(self.functions)

    def json(self) -> str:
        """The program in the JSON form. If it was read from JSON, this is the original text."""
        return self._source if self._source is not None else to_json(to_tree(self.functions)) + "\n"

    @property
    def main(self) -> FunctionText:
        """The function @main. Raises: BrilError if the program has no @main."""
        for function in self.functions:
            if function.name == "main":
                return function
        raise BrilError("A program starts at @main, but this one has no function @main. Add one.")

    def run(self, *args: Any, fuel: int | None = None) -> str:
        """Run the program, and return its output.

        args: a value for each parameter of @main. It is a number, a bool, or a string such as "1.5".
        fuel: the most instructions that may run. None means no limit.
        Raises: BrilError if the program fails. The error's `output` is the text that the program printed
            before it failed.
        """
        machine = Machine(self.functions)
        machine.execute("main", self.arguments(args), fuel)
        if machine.run.live:
            error = BrilError(
                "Some memory was not freed by the end of the run "
                f"({machine.run.live} of {machine.run.allocations} allocations). Free what alloc gives."
            )
            error.output = machine.text()
            raise error
        return machine.text()

    def arguments(self, args: tuple[Any, ...]) -> list[Any]:
        """Convert arguments to the types of @main's parameters. Raises: BrilError if they do not fit."""
        parameters = self.main.parameters
        if not args and parameters and all(p.name in self._initial for p in parameters):
            return [self._initial[p.name] for p in parameters]
        if len(args) != len(parameters):
            told = f" ({', '.join(f'{p.name}: {p.type}' for p in parameters)})" if parameters else ""
            raise BrilError(
                f"@main takes {len(parameters)} {'argument' if len(parameters) == 1 else 'arguments'}{told}, "
                f"but {len(args)} {'was' if len(args) == 1 else 'were'} given. Give one for each parameter.",
                self.main.place,
            )
        return [_argument(parameter, value) for parameter, value in zip(parameters, args, strict=True)]

    def function(self, *args: Any) -> Fn:
        """Return an `fn` of @main's float arguments. It returns the float that the program prints last.

        args: a value for each parameter of @main. You can call the fn with other floats, but ints, bools and
            pointers keep these values. The fn's heap and stack are twice as large as a run with `args` needs.

        In the fn, a variable or cell without a value counts as zero. An int has 64 bits and wraps around, as
        in `run`.
        Raises: BrilError if the program never prints a float.
        """
        return self._made_for(self.arguments(args))[0].f

    def _made_for(
        self, values: Sequence[Any], room: Callable[[Needs], Needs] = doubled
    ) -> tuple[Made, BrilError | None]:
        """Return the program's function, and the error of a run with these values (None if it succeeds).

        room: a function that computes the sizes of the heap and the stack from the needs of this run.
        """
        static = tuple(
            None if p.type == FLOAT else value for p, value in zip(self.main.parameters, values, strict=True)
        )
        made = self._made.get((room, static))
        needed, failure = needs_of(self.functions, values)
        if made is None or any(a > b for a, b in zip(needed, made.needs, strict=True)):
            made = self._made[room, static] = Made(self.functions, self.main, values, room(needed))
        return made, failure

    def gradient(
        self, *args: Any, mode: Literal["reverse", "forward"] = "reverse", fuel: int | None = None
    ) -> list[float]:
        """Return the derivatives of the last printed float with respect to @main's float arguments.

        args: a value for each parameter of @main. We take the derivatives at these values.
        fuel: the largest number of rounds of all forward and reverse loops together. None means no limit. A
            call of a recursive function counts as a round.
        Raises: BrilFuelError if the fuel is used up. BrilError if the program fails for these arguments, or
            if the float depends on a result of float2bits.
        """
        if mode not in ("reverse", "forward"):
            raise BrilError(f'There is no mode {mode!r}. Write "reverse" or "forward".')
        values = self.arguments(args)
        made, failure = self._made_for(values, snug)
        if failure is not None:
            raise failure
        return made.gradient(self._floats(values), mode, fuel)

    def descend(
        self, start: float | Sequence[Any] | None = None, step: float = 0.1, decay: float = 1.0, n: int = 10
    ) -> list[tuple[Any, float]]:
        """Reduce the program's value by n steps of gradient descent.

        Return a pair for each step: the point x before the step, and the program's value at x.
        start: a list with a value for each parameter of @main, or a number if there is only one parameter.
            Each x has the same form. A program of the 2019 dialect can contain initial values. For such a
            program, None means these values.
        step, decay: step k subtracts step·decay^k times the gradient. Only floats change.
        """
        single = isinstance(start, int | float | str)
        values = self.arguments(() if start is None else (start,) if single else tuple(start))  # type: ignore[arg-type]
        places = [k for k, p in enumerate(self.main.parameters) if p.type == FLOAT]
        made, failure = self._made_for(values)
        if failure is not None:
            raise failure
        rows: list[tuple[Any, float]] = []
        for k in range(n):
            value, slopes = made.value_and_gradient(self._floats(values))
            rows.append((values[0] if single else list(values), value))
            for place, slope in zip(places, slopes, strict=True):
                values[place] -= step * decay**k * slope
        return rows

    def _floats(self, values: Sequence[Any]) -> list[float]:
        """The values of @main's float parameters."""
        return [value for p, value in zip(self.main.parameters, values, strict=True) if p.type == FLOAT]


def _argument(parameter: Parameter, value: Any) -> Any:
    """A value of a parameter's type."""
    try:
        return _CONVERT[str(parameter.type)](value)
    except (KeyError, ValueError, TypeError, OverflowError):
        raise BrilError(
            f"The argument {parameter.name} of @main must be "
            f"{_WANTED.get(str(parameter.type), 'no pointer')}, but it is {value!r}. Give such a value.",
            parameter.place,
        ) from None


def _int(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError
    number = (
        int(value) if isinstance(value, str) else value.__index__() if hasattr(value, "__index__") else None
    )
    if number is None or wrapped(number) != number:
        raise ValueError
    return int(number)


def _bool(value: Any) -> bool:
    if isinstance(value, str):
        return {"true": True, "false": False}[value]
    if type(value).__name__ not in ("bool", "bool_"):
        raise TypeError
    return bool(value)


def _float(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError
    return float(value)


def _char(value: Any) -> str:
    if not isinstance(value, str) or len(value) != 1:
        raise TypeError
    return value


_CONVERT = {INT: _int, BOOL: _bool, FLOAT: _float, CHAR: _char}
_WANTED = {
    INT: "a whole number of 64 bits",
    BOOL: "true or false",
    FLOAT: "a number",
    CHAR: "one character",
}


def parse(text: str, dialect: str | None = None) -> Program:
    """Read a Bril program, from its text or from JSON, and check it.

    dialect: None for today's Bril, or "2019" for the first version of Bril, whose ints are read as floats.
    Raises: BrilError with the line and column of the first mistake.
    """
    if not isinstance(text, str):
        raise BrilError(
            f"A program must be a str, but this one has the type {type(text).__name__}. Pass the program's "
            "text or JSON."
        )
    if dialect not in (None, "2019"):
        raise BrilError(f'There is no dialect {dialect!r}. Write "2019", or leave it out.')
    is_tree = text.lstrip("\ufeff \t\r\n").startswith("{")
    if dialect is None:
        return Program(read_tree(load(text)), text) if is_tree else Program(read_text(text.lstrip("\ufeff")))
    if not is_tree:
        return Program(on_floats(read_text(text.lstrip("\ufeff"), dialect)))
    tree, initial = with_main_arguments(load(text))
    return Program(on_floats(read_tree(tree)), text, initial)
