"""`eglantine`: read the arguments, run a command, and report errors in one sentence.

Exit codes: 0 for success, 1 if the command ran but failed (for example, a solver did not converge), 2 for
wrong use, and 130 for Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias

from eglantine import __version__
from eglantine.errors import EglantineError

from . import commands
from .commands import Answer, finite
from .completions import completion
from .inputs import UsageError

FAILURE, WRONG_USE, INTERRUPTED = 1, 2, 130
PATIENCE = 1.0
"""The seconds between two updates of the line that says how long the command has run."""
GRACE = 1.0
"""The seconds that a command may still run after Ctrl-C. Then we end it, because compiled code ignores
Ctrl-C."""


class _Parser(argparse.ArgumentParser):
    """A parser that reports errors in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the error and how to get help."""
        first, rest = message[:1].upper(), message[1:]
        _tell(f"{first}{rest}. See {self.prog} --help.")
        raise SystemExit(WRONG_USE)


FUNCTION = "FORMULA|FILE.py:FUNCTION"
FILE_IS_RUN = "a file is run, as Python runs it"

Parts: TypeAlias = "argparse._SubParsersAction[_Parser]"


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    every = _Parser(
        prog="eglantine",
        description="Differentiate formulas and Python functions, and compile them to WebAssembly.",
        epilog="Example: eglantine eval 'x^y' x=2 y=3",
    )
    every.add_argument("--version", action="version", version=f"eglantine {__version__}")
    parts = every.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for add in (_add_eval, _add_export, _add_figure, _add_fit, _add_minimize, _add_bril, _add_show):
        add(parts)
    _add_completion(parts)
    return every


def _command(
    parts: Parts, name: str, run: Callable[..., Answer], told: str, example: str
) -> argparse.ArgumentParser:
    """Add a command to the parser. Return the command's own parser, so that the caller can add arguments.

    told: the description of the command in the list of commands.
    """
    part = parts.add_parser(
        name,
        help=told,
        description=f"{told[0].upper()}{told[1:]}.",
        epilog=f"Example: eglantine {example}",
    )
    part.add_argument("--json", action="store_true", help="print JSON")
    part.set_defaults(run=run)
    return part


def _add_eval(parts: Parts) -> None:
    told = "a formula's value, gradient and Hessian"
    part = _command(parts, "eval", commands.evaluate, told, "eval 'x^y' x=2 y=3")
    part.add_argument("formula", metavar="FORMULA")
    part.add_argument("numbers", nargs="*", default=[], metavar="x=2", help="a number for each letter")


def _add_export(parts: Parts) -> None:
    told = "write WebAssembly with JavaScript"
    part = _command(parts, "export", commands.export, told, "export 'x^2 + y' out")
    part.add_argument("function", metavar=FUNCTION, help=FILE_IS_RUN)
    part.add_argument("folder", metavar="DIR")


def _add_figure(parts: Parts) -> None:
    told = "write a figure that lives in any page"
    part = _command(parts, "figure", commands.figure, told, "figure 'sin(a x)' -o f.html")
    part.add_argument("function", metavar=FUNCTION, help=FILE_IS_RUN)
    part.add_argument("-o", "--output", default="figure.html", metavar="OUT", help="default: figure.html")
    part.add_argument("--files", action="store_true", help="script and module as files beside the page")


def _add_fit(parts: Parts) -> None:
    told = "fit a formula to columns of data"
    part = _command(parts, "fit", commands.fit, told, "fit data.csv 'a exp(-b x) + c' a=2 b=1")
    part.add_argument("data", metavar="DATA.csv", help="columns: x (or x1, x2, …), then y")
    part.add_argument("formula", metavar="FORMULA", help="its other letters are the parameters")
    part.add_argument(
        "starts", nargs="*", default=[], metavar="name=start", help="where a parameter starts; else 1"
    )


def _add_minimize(parts: Parts) -> None:
    told, example = "the least value of a formula", "minimize '(x-1)^2 + (y-x^2)^2' x=0 y=0"
    part = _command(parts, "minimize", commands.minimize, told, example)
    part.add_argument("formula", metavar="FORMULA")
    part.add_argument("numbers", nargs="*", default=[], metavar="x=0", help="where each letter starts")
    part.add_argument("--method", help="a method of eg.minimize; default: l-bfgs")


def _add_bril(parts: Parts) -> None:
    told = "run or differentiate a Bril program"
    part = _command(parts, "bril", commands.bril, told, "bril grad square.bril 3")
    told = "print what the program prints, its derivatives, or the points of a gradient descent"
    part.add_argument("action", choices=("run", "grad", "descend"), help=told)
    part.add_argument("file", metavar="FILE", help="a program as text or JSON; - for standard input")
    told = "a value for each parameter of @main: a number, true or false, or a character"
    part.add_argument("args", nargs="*", default=[], metavar="ARGS", help=told)
    part.add_argument("--mode", choices=("reverse", "forward"), default="reverse", help="for grad")
    part.add_argument("--fuel", type=_count, help="for run, the most instructions; for grad, the most rounds")
    part.add_argument("--dialect", choices=("2019",), help="the dialect of 2019, with numbers only")
    part.add_argument("--step", type=float, default=0.1, help="for descend")
    part.add_argument("--decay", type=float, default=1.0, help="for descend: the factor of each next step")
    part.add_argument("-n", type=_count, default=10, help="for descend: the number of rows")


def _count(text: str) -> int:
    """Read a whole number from the command line. It must not be negative.

    Raises: ArgumentTypeError.
    """
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"it must be 0 or a larger whole number, but it is {text.strip()}")
    return number


def _add_show(parts: Parts) -> None:
    told = "what the compiler makes of a function"
    part = _command(parts, "show", commands.show, told, "show 'x^2' --wat")
    part.add_argument("function", metavar=FUNCTION, help=FILE_IS_RUN)
    kind = part.add_mutually_exclusive_group()
    kind.add_argument("--ir", action="store_true", help="the rows (the default)")
    kind.add_argument("--wat", action="store_true", help="the WebAssembly text")
    kind.add_argument("--graph", action="store_true", help="the graph, for Graphviz")


def _add_completion(parts: Parts) -> None:
    """Add the command `completion` after all others, because its scripts list all commands."""
    names = [*parts.choices, "completion"]
    told = "the completion script of a shell"
    part = _command(parts, "completion", _completion, told, "completion bash >> ~/.bashrc")
    part.add_argument("shell", choices=("bash", "zsh", "fish"))
    part.set_defaults(options={name: _words(parts.choices[name]) for name in names})


def _completion(given: argparse.Namespace) -> Answer:
    script = completion(given.shell, given.options)
    return Answer({"script": script}, script.removesuffix("\n"))


def _words(part: argparse.ArgumentParser) -> list[str]:
    """List the words that may follow a command: its actions, such as `run`, then its long options."""
    actions = [word for action in part._get_positional_actions() for word in action.choices or ()]
    return actions + sorted(option for option in part._option_string_actions if option.startswith("--"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Return the exit code."""
    try:
        given = parser().parse_args(_with_negative_numbers(sys.argv[1:] if arguments is None else arguments))
    except SystemExit as stop:
        return int(stop.code or 0)
    warnings.showwarning = _warned  # type: ignore[assignment]
    try:
        with _stoppable(), _progress(given.command):
            answer: Answer = given.run(given)
    except KeyboardInterrupt:
        _tell("Stopped.")
        return INTERRUPTED
    except (EglantineError, UsageError) as error:
        _tell(" ".join(str(error).split()))
        return WRONG_USE
    except OSError as error:
        _tell(f"{error.filename or 'A file'}: {error.strerror or error}.")
        return WRONG_USE
    except Exception as error:  # noqa: BLE001 - the user's own file may raise anything
        _tell(f"{type(error).__name__}: {' '.join(str(error).split())}")
        return WRONG_USE
    try:
        print(json.dumps(finite(answer.data)) if given.json else answer.text, flush=True)
    except BrokenPipeError:  # the reader, such as `head`, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if answer.success else FAILURE


def _with_negative_numbers(arguments: Sequence[str]) -> list[str]:
    """Put a space before negative numbers and formulas, so that argparse does not read them as options."""
    options = {"-h", "-o", "-n", "--", "-"}
    return [
        f" {text}" if k and text[:1] == "-" and text[:2] not in options else text
        for k, text in enumerate(arguments)
    ]


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let Ctrl-C stop compiled code too. Python alone cannot interrupt it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    before, done = signal.set_wakeup_fd(theirs.fileno()), threading.Event()

    def watch() -> None:
        if ours.recv(1) == bytes([signal.SIGINT]) and not done.wait(GRACE):
            _tell("Stopped.")
            os._exit(INTERRUPTED)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        theirs.close()
        thread.join()
        ours.close()


@contextmanager
def _progress(command: str) -> Iterator[None]:
    """If the user has a terminal, print from time to time how long the command has been running."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def tell() -> None:
        seconds = 0.0
        while not done.wait(PATIENCE):
            seconds += PATIENCE
            sys.stderr.write(f"\reglantine: {command} is still at work ({seconds:.0f} s) …")
            sys.stderr.flush()
        if seconds:
            sys.stderr.write("\r\033[K")  # erase the line
            sys.stderr.flush()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _warned(message: Any, *_: Any) -> None:
    _tell(" ".join(str(message).split()))


def _tell(text: str) -> None:
    print(f"eglantine: {text}", file=sys.stderr, flush=True)
