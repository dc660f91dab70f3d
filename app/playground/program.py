"""Compile and run a visitor's program, send what it prints, and describe its errors."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import linecache
import time
import traceback
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg

from .meanings import Definition
from .packages import INSTEAD
from .places import FILE, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

LONGEST_PROGRAM: Final = 100_000
"""The largest length of a program, in characters."""
LONGEST_MESSAGE: Final = 2_000
MOST_PRINTED: Final = 200_000
"""The largest number of characters that one run may print."""
AT_ONCE: Final = 1_000
"""The number of pieces of output at the start of a run that are sent as soon as their line ends. Later pieces
may wait for more output."""
CHUNK: Final = 2_000
"""The largest number of characters that wait for more output before they are sent. They are also sent after
HOLD_SECONDS, and at the end of the run."""
HOLD_SECONDS: Final = 0.05
TRACE_ENDS: Final = 4
"""The number of calls at each end of a long trace that are shown. The calls between them are left out."""
PACKAGES_ARE: Final = (
    ". Beyond Python’s own modules, a program can use only packages that this site has. Install them with "
    "micropip first."
)
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
SHOWN: Final = "__shown__"
"""The name under which the value of a program's last line is stored."""


class TooMuchOutputError(eg.LimitError):
    """A program printed more than a page can show."""


class NoInputError(eg.EglantineError, EOFError):
    """A program called `input`, but a program on the page cannot ask the visitor."""


def no_input(*_: object) -> str:
    """Raise an error. Programs call this function as `input`.

    Raises:
        NoInputError: always.
    """
    msg = "The program calls input, but nobody can answer while it runs. Write the value there instead."
    raise NoInputError(msg)


class Output(io.TextIOBase):
    """A stream that takes a program's output and sends it in pieces while the program runs."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send
        self._pieces: list[str] = []
        self._size = self._total = self._times = 0
        self._sent = time.perf_counter()

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, text: str) -> int:
        """Add a piece of text to the output.

        Raises:
            TooMuchOutputError: the program has printed more than MOST_PRINTED characters.
        """
        room = MOST_PRINTED - self._total
        fitting = text[: max(room, 0)]
        self._pieces.append(fitting)
        self._size += len(fitting)
        self._total += len(text)
        is_early = self._times < AT_ONCE and text.endswith("\n")
        if is_early or self._size > CHUNK or time.perf_counter() - self._sent > HOLD_SECONDS:
            self.flush()
        if self._total > MOST_PRINTED:
            self.flush()
            msg = (
                f"The program prints more than {MOST_PRINTED:,} characters, which is too much. "
                "Print less often."
            )
            raise TooMuchOutputError(msg)
        return len(text)

    def flush(self) -> None:
        """Send the text that is waiting."""
        if self._pieces:
            text = "".join(self._pieces)
            self._pieces.clear()
            self._size, self._sent = 0, time.perf_counter()
            self._times += 1
            if text:
                self._send(text)


@contextlib.contextmanager
def printing(send: Callable[[str], object]) -> Iterator[None]:
    """Redirect all printed text to `send`."""
    output = Output(send)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            yield
        finally:
            output.flush()


async def run(text: str, given: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """Run a program. Return a dict of the names that it defines. SHOWN has the value of the last line.

    given: names that the program can use without importing them, with their values.

    Raises:
        BaseException: whatever the program raises, and SyntaxError.
    """
    if len(text) > LONGEST_PROGRAM:
        raise eg.LimitError(
            f"The program has {len(text):,} characters, but may have at most {LONGEST_PROGRAM:,}. Shorten it."
        )
    lines = text.splitlines(keepends=True)
    linecache.cache[FILE] = (len(text), None, lines, FILE)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = compile(text, FILE, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    code = compile(_showing(tree), FILE, "exec", flags, dont_inherit=True)
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": FILE, "input": no_input, **given}
    value = eval(code, namespace)  # noqa: S307 - the visitor's own program, which they asked to run
    if inspect.isawaitable(value):
        await value
    return {name: value for name, value in namespace.items() if name not in given or value is not given[name]}


def _showing(tree: Any) -> Any:
    """If the last statement of a program is an expression, assign its value to the variable SHOWN."""
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        keep = ast.Assign([ast.Name(SHOWN, ast.Store())], last.value)
        tree.body[-1] = ast.copy_location(keep, last)
        ast.fix_missing_locations(tree)
    return tree


def definition(code: Any, names: Sequence[str], text: Text) -> Definition:
    """Find the `def` or `lambda` of a code object in the text. Return the offsets of its parts.

    names: the parameters' names, in order.
    """
    tree = ast.parse("\n".join(text.lines))
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            continue
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        named = getattr(node, "name", "<lambda>")
        if first == code.co_firstlineno and named == code.co_name:
            return _parts(node, names, text)
    return Definition()


def _parts(node: Any, names: Sequence[str], text: Text) -> Definition:
    given = {arg.arg: _offsets(arg, text)[0] for arg in (*node.args.posonlyargs, *node.args.args)}
    body = node.body if isinstance(node.body, list) else [node.body]
    inner = [*_own(body)]
    changed = {one.id for one in inner if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    uses = [
        (_offsets(one, text), names.index(one.id))
        for one in inner
        if isinstance(one, ast.Name) and one.id in given and one.id in names and one.id not in changed
    ]
    whole = [node] if isinstance(node, ast.Lambda) else [one for one in inner if isinstance(one, ast.Return)]
    spans = [_offsets(one, text) for one in whole]
    word = len("lambda" if isinstance(node, ast.Lambda) else "return")
    return Definition(
        [(given[name], given[name] + len(name)) if name in given else None for name in names],
        uses,
        [((start, start + word), (start, end)) for start, end in spans],
    )


def _own(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield the syntax nodes of a body. Skip inner functions' bodies, and uses of lambda parameters."""
    pending: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset()) for node in body]
    while pending:
        node, hidden = pending.pop()
        if not (isinstance(node, ast.Name) and node.id in hidden):
            yield node
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.Lambda):
            hidden |= {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
        pending += [(child, hidden) for child in ast.iter_child_nodes(node)]


def _offsets(node: Any, text: Text) -> tuple[int, int]:
    return text.offset(node.lineno, node.col_offset), text.offset(node.end_lineno, node.end_col_offset)


def describe(error: BaseException, text: Text) -> dict[str, Any]:
    """Describe an error of a program for the page.

    Returns {"message", "kind", "line", "from", "to"}. "line", "from" and "to" are None if no part of the
    program caused the error. If the error occurred in a function of the program, "trace" lists the active
    calls: (line, function name).
    """
    place = _place(error, text)
    described = {
        "message": _message(error),
        "kind": type(error).__name__,
        "line": None,
        "from": None,
        "to": None,
    }
    if place is not None:
        line, (start, end) = place
        described |= {"line": line, "from": start, "to": end}
    trace = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    if len(trace) > 1:
        ends = trace if len(trace) <= 2 * TRACE_ENDS else [*trace[:TRACE_ENDS], *trace[-TRACE_ENDS:]]
        described["trace"] = [[frame.lineno, frame.name] for frame in ends]
    return described


def _message(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "Stopped."
    if isinstance(error, eg.EglantineError):
        return error.message[:LONGEST_MESSAGE]
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    lines = traceback.TracebackException.from_exception(error).format_exception_only()
    if isinstance(error, ModuleNotFoundError):
        root = (error.name or "").split(".")[0]
        if root in INSTEAD:
            return INSTEAD[root]
        return "".join(lines).strip()[:LONGEST_MESSAGE] + PACKAGES_ARE
    return "".join(lines).strip()[:LONGEST_MESSAGE]


def _place(error: BaseException, text: Text) -> tuple[int, tuple[int, int]] | None:
    """Find the part of the program that caused an error. Return its line and its offsets."""
    if isinstance(error, SyntaxError) and error.filename == FILE and error.lineno:
        return error.lineno, _syntax(error, text)
    span = getattr(error, "span", None)
    if isinstance(span, eg.Span) and span.source == FILE:
        return span.line, text.of_span(span)
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == FILE:
            place = line, text.whole_line(line)
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == FILE and None not in (frame.lineno, frame.colno, frame.end_colno):
            position = (frame.lineno, frame.end_lineno or frame.lineno, frame.colno, frame.end_colno)
            offsets = text.of_position(position)
            if offsets is not None and frame.lineno is not None:
                place = frame.lineno, offsets
    return place


def _syntax(error: SyntaxError, text: Text) -> tuple[int, int]:
    line = error.lineno or 1
    start = text.offset_of_characters(line, (error.offset or 1) - 1)
    end_line, end_offset = error.end_lineno or line, error.end_offset or 0
    end = text.offset_of_characters(end_line, end_offset - 1) if end_offset > 0 else start
    return start, max(start, end)
