"""`autograph` converts a function so that its `if`, `while` and `for` can depend on traced values.

We parse the function's source and rewrite it in two steps:

1. `break`, `continue` and early `return` set flags. An `if` around the later statements tests these flags. If
   one branch of an `if` always jumps, no flag is needed: we move the statements after the `if` into its other
   branch.
2. Branches and bodies become functions that share the variables (`nonlocal`). We pass these functions to
   `flow.Flow`. Expressions that Python evaluates lazily (`and`, `or`, `a if p else b`, `a < b < c`) become
   lambdas.

All nodes keep their line numbers, so that errors and traced rows point to the user's lines. Names that we add
begin with a dot, so they never clash with the user's. We compile the rewritten source, but do not execute it.
The converted function combines the new code object with the globals, defaults and cells of the original
function.
"""

from __future__ import annotations

import ast
import functools
import inspect
from importlib import import_module
from types import CellType, CodeType, FunctionType
from typing import Any

from eglantine.errors import LimitError, TypeMismatchError, span_of
from eglantine.plain.symbolic import current

from .flow import Flow
from .nodes import _FLOW, F, _parameters, _parsed
from .variables import VALUE


def autograph(f: F) -> F:
    """Convert the control flow of `f`, so that `eg.fn`, `eg.grad` and others can trace the function.

    If a condition is a plain bool while tracing, the statement runs as in Python. If it is a traced Bool,
    `if`, `and`, `or` and `a if p else b` become branches (`eg.cond`), and `while` becomes an `eg.while_loop`.
    A `for` over a range or a traced Vec becomes an `eg.fori_loop`, or an `eg.while_loop` if `break` or
    `return` may end it. A `for` over anything else, such as `list(range(n))`, is unrolled. In an operation on
    an index and a Real, the index becomes a Real. The body of a loop may run several times while tracing.
    Functions defined in `f` are converted, but functions that `f` calls are not. A traced `assert` is checked
    at run time, in the forward computation only. A `raise` must not depend on traced values. Outside a trace,
    the original `f` runs.

    Raises: CompileError, with the line, if a statement cannot be converted. TypeMismatchError if `f` is not a
        function, or if its source cannot be read. Tracing raises TypeMismatchError if the code reads a
        variable that may have no value, or that may have values of different types.
    """
    if not inspect.isfunction(f):
        raise TypeMismatchError(
            f"eg.autograph converts a Python function, but it was given {f!r}. Write eg.autograph below the "
            "other decorators, directly above the function."
        )
    original = f.__code__
    code, own = _converted(original)

    @functools.wraps(f)
    def run(*args: Any, **named: Any) -> Any:
        b = current.get()
        if b is None:
            return f(*args, **named)
        flow = Flow()
        cells = dict(zip(original.co_freevars, f.__closure__ or (), strict=True)) | {_FLOW: CellType(flow)}
        closure = tuple(cells[name] for name in code.co_freevars)
        converted = FunctionType(code, f.__globals__, f.__name__, f.__defaults__, closure)
        converted.__kwdefaults__ = f.__kwdefaults__
        try:
            return converted(*args, **named)
        except NameError as error:
            raise flow.without_value(error, own, original.co_filename) or error from None

    return run  # type: ignore[return-value]


def _converted(original: CodeType) -> tuple[CodeType, set[str]]:
    """Convert a function's code. Return the new code and the names of the function's variables."""
    rewriting = import_module("eglantine.control_flow.rewriter")  # imported only when needed
    rewriter = rewriting._Rewriter(original.co_filename)
    try:
        definition = _definition(original)
        rewriter.expressions(definition)
        own = rewriter.function(definition)
        outer = _parsed("def _(): pass").body[0]
        assert isinstance(outer, ast.FunctionDef)
        outer.args.args = [ast.arg(name, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
                           for name in (*original.co_freevars, _FLOW)]  # fmt: skip
        outer.body = [definition]
        module = compile(ast.Module([outer], []), original.co_filename, "exec", dont_inherit=True)
    except RecursionError:
        raise LimitError(
            f"{original.co_name} is nested too deep to be converted. Split it into several functions.",
            span_of((original, 0)),
        ) from None
    maker = _code_in(module)
    return _code_in(maker, original.co_name), own | {VALUE}


def _code_in(code: CodeType, name: str = "_") -> CodeType:
    return next(x for x in code.co_consts if isinstance(x, CodeType) and x.co_name == name)


def _definition(code: CodeType) -> ast.FunctionDef:
    """Parse the definition of a function. Its nodes have the line numbers of the file.

    Remove decorators, annotations and default values.
    """
    try:
        lines, first = inspect.getsourcelines(code)
        text = "".join(lines)
        indented = text[:1].isspace()
        module = _parsed(f"if 1:\n{text}" if indented else text)
    except (OSError, SyntaxError, TypeError):
        module, first, indented = ast.Module([], []), 1, False
    body: Any = module.body[0].body if indented else module.body  # type: ignore[attr-defined]
    definition = body[0] if body else None
    if not isinstance(definition, ast.FunctionDef) or definition.name != code.co_name:
        raise TypeMismatchError(
            f"{code.co_name} has no source that can be converted. Write the function with `def` in a file "
            "or a notebook, or call eg.cond, eg.while_loop and eg.select yourself.",
            span_of((code, 0)),
        )
    ast.increment_lineno(module, first - 1 - indented)
    definition.decorator_list, definition.returns = [], None
    arguments = definition.args
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    for parameter in _parameters(arguments):
        parameter.annotation = None
    return definition
