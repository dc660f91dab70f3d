"""The playground's service: run a program, show how its functions are compiled, and call them.

The playground has its own worker and its own service, so that no request of the other pages can run a
visitor's code.
"""

from __future__ import annotations

import inspect
import json
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg
from eglantine import Fn
from eglantine.inside import leaves
from eglantine.types import BoolType, FinType, RealType, StructType, TupleType, UnitType, VecType

from . import packages, program
from .exhibits import draws_itself
from .meanings import Definition
from .names import names
from .pictures import Pictures
from .places import FILE, Places, Text
from .showing import derived, kinds, shown
from .sleeping import blocking

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_VALUE: Final = 4_000
"""The largest number of characters of a shown value. A longer value is cut."""
FUEL: Final = 20_000_000
"""The largest number of loop rounds and function calls in one call of a kernel. If they are short, they take
a tenth of a second in total."""
LONGEST_SAMPLE: Final = 12
"""The largest number of elements of a sample Vec that is written as a list of all elements. A longer Vec is
written as a product, like [0.5] * 100."""

Reply = tuple[str, *tuple[bytes, ...]]


class Service:
    """Answers the playground's requests, with the same interface as `app.service.Service`.

    The service stores the last program: its text, the names that it defined, and its compiled functions.
    """

    def __init__(
        self,
        note: Callable[[str], object] = lambda _: None,
        bring: packages.Bring | None = None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Begin without a program.

        note: a function that sends JSON to the page while a request is answered.
        bring: a function that fetches a package's wheel.
        wait: a function that blocks for a number of milliseconds. Pass it if Python's `time.sleep` cannot
            block.
        """
        self._note = note
        self._bring = bring or packages.nothing
        if wait is not None:
            time.sleep = blocking(wait)
        self._text = Text("")
        self._functions: dict[str, Fn] = {}
        self._namespace: dict[str, Any] = {}
        self._kernels: dict[tuple[str, str], eg.Kernel] = {}

    async def ask(self, method: str, args: Sequence[Any]) -> Reply:
        """Call a method and return its answer.

        Raises:
            ValueError: there is no such method.
        """
        if method not in METHODS:
            msg = f"There is no method {method!r}. Ask for one of {', '.join(METHODS)}."
            raise ValueError(msg)
        try:
            reply: Any = METHODS[method](self, *args)
            return await reply if inspect.isawaitable(reply) else reply
        except KeyboardInterrupt as error:
            return (json.dumps({"ok": False, "error": program.describe(error, self._text)}),)

    def afterwards(self) -> None:
        """Do nothing. The page calls this after each answer, but this service has no work to do then."""

    def warm_up(self, k: int) -> None:
        """Compile a function and discard the result. The browser then optimises Python's interpreter."""
        f = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: x**y + k * eg.math.sin(x))
        shown(f, "gradient", Places(Text("")))

    def names(self, sources: Any = b"") -> Reply:
        """Answer with the list of `names.names`. The editor suggests these names after `eg.`.

        sources: a zip of the package's sources.
        """
        return (json.dumps(names(bytes(sources))),)

    async def run(self, text: str, offered: Sequence[str] = ()) -> Reply:
        """Run a program. Its printed text is sent as notes {"printed"}, and its pictures as notes {"shown"}.

        offered: the names of the packages that the program may install.

        The answer is {"ok", "ms", "functions": [{"name", "params": [{"name", "type", "sample"}], "result",
        "kinds", "size"}], "value"}. "value" is the text of the last line's value, or None. If the program
        fails, the answer is {"ok": False, "ms", "error"} with an error from `program.describe`.
        """
        self._text = Text(text)
        self._functions, self._kernels, self._namespace = {}, {}, {}
        start = time.perf_counter()
        reply: dict[str, Any]
        try:
            with program.printing(self._printed):
                await packages.prepare(text, [*offered], self._bring, self._told)
                pictures = Pictures(lambda picture: self._told({"shown": picture}))
                self._namespace = await program.run(text, pictures.namespace())
                value = self._namespace.pop(program.SHOWN, None)
                if draws_itself(value) and pictures.shows(value):
                    value = None
                reply = {"ok": True, "value": None if value is None else shortened(repr(value))}
            self._functions = functions_of(self._namespace)
            reply["functions"] = [described(name, f) for name, f in self._functions.items()]
        except BaseException as error:  # noqa: BLE001 - every error of a program is an answer
            reply = {"ok": False, "error": program.describe(error, self._text)}
        return (json.dumps(reply | {"ms": 1000 * (time.perf_counter() - start)}),)

    async def diagram(self, text: str) -> Reply:
        """Run a program and return the diagram that it makes, as data: {"ok", "data"}.

        If the program fails or makes no diagram, the answer is {"ok": False, "error"}, as in `run`.
        """
        from .diagrams import data_of  # only the page "Diagrams" needs it

        self._text = Text(text)
        try:
            with program.printing(self._printed):
                data = data_of(await program.run(text))
        except BaseException as error:  # noqa: BLE001 - every error of a program is an answer
            return (json.dumps({"ok": False, "error": program.describe(error, self._text)}),)
        return (json.dumps({"ok": True, "data": data}),)

    def show(self, name: str, kind: str) -> Reply:
        """List a function's stages (`showing.shown`). Answer with JSON and the WebAssembly module.

        The JSON also has the keys "places" and "abi".
        """
        places = Places(self._text)
        try:
            f = self._functions[name]
            reply, artifact = shown(f, kind, places, self._definition(f))
        except (eg.EglantineError, KeyError) as error:
            return json.dumps({"ok": False, "error": program.describe(error, self._text)}), b""
        reply |= {"ok": True, "places": places.spans, "abi": artifact.abi}
        return json.dumps(reply), artifact.wasm

    def call(self, name: str, kind: str, texts: Sequence[str]) -> Reply:
        """Call a function or its derivative with arguments that a visitor typed.

        The answer is {"ok", "value", "us", "args"}. "us" is the time of this call in microseconds. "args" has
        the arguments as JSON values, so that the page can repeat the call without Python and measure it.
        "args" is None if JSON cannot express the arguments. If the call fails, the answer is
        {"ok": False, "error", "argument"}. If an argument cannot be read, "argument" is its position,
        otherwise None.
        """
        position = None
        try:
            args = []
            for position, text in enumerate(texts):  # noqa: B007 - an error reports the position
                args.append(self._read(text))
            position = None
            kernel = self._kernel(name, kind)
            with program.printing(self._printed):
                start = time.perf_counter()
                value = kernel(*args)
                us = 1e6 * (time.perf_counter() - start)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - every error of a visitor's text is an answer
            described = program.describe(error, self._text)
            return (json.dumps({"ok": False, "error": described, "argument": position}),)
        given = None if kernel.abi["imports"] else plain(args)
        return (json.dumps({"ok": True, "value": shortened(repr(value)), "us": us, "args": given}),)

    def export(self, name: str, kind: str) -> Reply:
        """Export a function. Answer with JSON {"ok", "name", "files"} and the WebAssembly module.

        "files" has the texts of the files that `eg.export` writes.
        """
        try:
            artifact = eg.compile_artifact(derived(self._functions[name], kind))
            files = eg.exported(artifact, name=name)
        except (eg.EglantineError, KeyError) as error:
            return json.dumps({"ok": False, "error": program.describe(error, self._text)}), b""
        texts = {file: text for file, text in files.items() if isinstance(text, str)}
        return json.dumps({"ok": True, "name": name, "files": texts}), artifact.wasm

    def _printed(self, text: str) -> None:
        self._told({"printed": text})

    def _told(self, note: dict[str, str]) -> None:
        self._note(json.dumps(note))

    def _read(self, text: str) -> Any:
        """Evaluate an argument's text, which may use the program's names."""
        code = compile(text.strip() or "None", "argument", "eval", dont_inherit=True)
        return eval(code, dict(self._namespace))  # noqa: S307 - the visitor's own text, which they asked to run

    def _kernel(self, name: str, kind: str) -> eg.Kernel:
        """Compile a function or its derivative. A limit on steps ensures that every call ends."""
        kernel = self._kernels.get((name, kind))
        if kernel is None:
            kernel = eg.compile(derived(self._functions[name], kind), fuel=FUEL)
            self._kernels[name, kind] = kernel
        return kernel

    def _definition(self, f: Fn) -> Definition:
        """Find the function's parameters and returns in the program's text."""
        code = getattr(f.__wrapped__, "__code__", None)
        if code is None or code.co_filename != FILE:
            return Definition()
        return program.definition(code, f.function.param_names, self._text)


METHODS: dict[str, Callable[..., Any]] = {
    "run": Service.run,
    "diagram": Service.diagram,
    "show": Service.show,
    "call": Service.call,
    "names": Service.names,
    "export": Service.export,
}
"""The methods that the page can ask for, by name."""


def functions_of(namespace: dict[str, Any]) -> dict[str, Fn]:
    """Return a dict {name: function} of a program's functions. Compiled functions come first."""
    compiled: dict[str, Fn] = {}
    plain: dict[str, Fn] = {}
    for name, value in namespace.items():
        if name.startswith("_"):
            continue
        f = value
        if isinstance(value, eg.Kernel) and value.function is not None:
            f = Fn(value.function)
        elif isinstance(value, eg.Jit):
            traced = [g for (_, order), g in value._functions.items() if order == 0]
            f = traced[-1] if traced else None
        if isinstance(f, Fn) and f.function.block is not None and not f.hidden:
            (plain if f is value else compiled)[name] = f
    return compiled | plain


def described(name: str, f: Fn) -> dict[str, Any]:
    """Describe a function: its signature, its kinds of listing, and its number of scalar arguments."""
    function = f.function
    names = function.param_names or tuple(f"x{k}" for k in range(len(function.params)))
    params = [
        {"name": param, "type": repr(of), "sample": sample(of, k)}
        for k, (param, of) in enumerate(zip(names, function.params, strict=True))
    ]
    size = sum(math.prod(leaf.dims) for of in function.params for leaf in leaves(of))
    result = repr(function.result)
    return {"name": name, "params": params, "result": result, "kinds": kinds(f), "size": size}


def sample(of: Any, k: int = 0) -> str:
    """Write a sample argument of a type as Python text. Another number k gives another sample."""
    match of:
        case RealType():
            return str(0.5 + k)
        case BoolType():
            return "True"
        case UnitType():
            return "None"
        case FinType():
            return str(min(k + 1, max(of.n - 1, 0)))
        case VecType() if of.n > LONGEST_SAMPLE:
            return f"[{sample(of.of, k)}] * {of.n}"
        case VecType():
            return f"[{', '.join(sample(of.of, k + i) for i in range(of.n))}]"
        case TupleType():
            inner = ", ".join(sample(item, k + i) for i, item in enumerate(of.items))
            return f"({inner},)" if len(of.items) == 1 else f"({inner})"
        case StructType():
            fields = ", ".join(f"{name!r}: {sample(item, k + i)}" for i, (name, item) in enumerate(of.fields))
            return f"{{{fields}}}"
    return "None"


def plain(args: Sequence[Any]) -> Any:
    """Convert arguments to JSON values. Return None if JSON cannot express them."""
    try:
        return json.loads(json.dumps(args, allow_nan=False))
    except (TypeError, ValueError):
        return None


def shortened(text: str) -> str:
    """Return the text. If it is too long to read, shorten it."""
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]} …"
