"""Trace a Python function: run it once on traced values and store the rows that its operations add."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

from eglantine.errors import EglantineError, ShapeError, Span, TypeMismatchError, span_of, user_frame
from eglantine.ir.builder import Builder
from eglantine.ir.program import Function
from eglantine.ir.row_types import leaf_row_type
from eglantine.leaves import leaves
from eglantine.plain.marshal import flatten
from eglantine.plain.symbolic import current
from eglantine.types import Type, as_type
from eglantine.words.spelling import began, count

from .callee import instead_of
from .mistakes import explained
from .traced import Traced
from .types_of import is_traced, type_of
from .vectors import rows_of, value_of


def trace(
    f: Callable[..., Any], params: Sequence[Type], result: Type | None = None, *, name: str | None = None,
    param_names: Sequence[str] = (), by_name: Sequence[str] = (), order: int = 0,
) -> tuple[Function, list[Traced]]:  # fmt: skip
    """Trace `f` with arguments of the types `params`. Return the function, and the outer values that it uses.

    An outer value is a traced value of an enclosing function.

    result: the type that the result of `f` must have, or None to infer it.
    by_name: if not empty, pass the arguments by these names. Otherwise pass them by position.
    order: how many times the function will be differentiated. The order of an enclosing trace is added.
    Raises: any error that an operation in `f` raises, with the span of the operation's line.
        TypeMismatchError if the result does not have the type `result`.
    """
    parent = current.get()
    b = Builder(parent, conditional=True)
    b.order += order
    arguments = [value_of(of, b, [b.param(leaf_row_type(leaf)) for leaf in leaves(of)]) for of in params]
    called = name or str(getattr(f, "__name__", "f"))
    token = current.set(b)
    try:
        value = _result(f, arguments, by_name)
        of = type_of(value) if result is None else result
        rows = rows_of(b, value, of, f"the result of {called}")
    finally:
        current.reset(token)
    block = b.finish(rows)
    function = Function(
        called, tuple(params), of, block, hidden=len(b.captured), param_names=tuple(param_names),
        span=_definition(f), leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return function, [Traced(parent, row) for row in b.captured] if parent else []


def _result(f: Callable[..., Any], arguments: Sequence[Any], by_name: Sequence[str]) -> Any:
    """Call `f`. Replace Python's errors about names, fields and traced values by errors that explain them."""
    _refuse_what_waits(f)
    try:
        return f(**dict(zip(by_name, arguments, strict=True))) if by_name else f(*arguments)
    except NameError as error:
        if error.name != getattr(f, "__name__", ""):
            raise
        raise TypeMismatchError(_self_call(error.name), _place(error)) from None
    except RecursionError as error:
        own = [call for call in _calls(error) if call[0] is _code(f)]
        if len(own) < 2:
            raise
        raise TypeMismatchError(_self_call(f.__name__), span_of(own[0])) from None
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        told = None if isinstance(error, EglantineError) else explained(error)
        if told is None:
            raise
        raise told from None


def _refuse_what_waits(f: Any) -> None:
    """Refuse async functions and generators, because calling them does not run their code."""
    flags = getattr(getattr(f, "__code__", None), "co_flags", 0)
    if flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        kind, advice = "async function", "Write `def` without `async`"
    elif flags & inspect.CO_GENERATOR:
        kind, advice = "generator", "Write `return` with a list instead of `yield`"
    else:
        return
    raise TypeMismatchError(
        f"A call of the {kind} {f.__name__} must return its value directly, but it does not. {advice}.",
        _definition(f),
    )


def _place(error: BaseException) -> Span | None:
    """The span of the user's text where an error was raised, or None."""
    return span_of([*_calls(error)][-1])


def _calls(error: BaseException) -> Iterator[tuple[Any, int]]:
    """Yield (code object, offset) for each call that led to an error. The innermost call comes last."""
    step = error.__traceback__
    while step:
        yield step.tb_frame.f_code, step.tb_lasti
        step = step.tb_next


def _code(f: Any) -> Any:
    """The code of a Python function, or None."""
    return getattr(inspect.unwrap(f), "__code__", None)


def _self_call(name: Any) -> str:
    return (
        f"{name} is used inside itself, but it can use only functions that exist already. Repeat with "
        "eg.fori_loop."
    )


def check_no_self_call(f: Callable[..., Any]) -> None:
    """Refuse a top-level function that uses its own name while this name belongs to an older object.

    The call would run the older object instead of the new function.
    """
    code, name = _code(f), getattr(f, "__qualname__", "")
    if code is None or name not in code.co_names or name not in inspect.unwrap(f).__globals__:
        return
    import dis

    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_GLOBAL" and instruction.argval == name:
            raise TypeMismatchError(_self_call(name), span_of((code, instruction.offset)))


def check_takes(f: Callable[..., Any], n: int) -> None:
    """Refuse functions of `math` or NumPy, and functions that do not take n arguments by position."""
    ours = None if isinstance(f, FunctionType) else instead_of(f)
    if ours is not None and getattr(f, "__module__", "") != "builtins":
        raise TypeMismatchError(
            f"{getattr(f, '__name__', f)!r} computes plain numbers only, but the function here must take "
            f"traced values. {ours}."
        )
    check_arity(f, n)


def check_arity(f: Callable[..., Any], n: int) -> None:
    """Refuse a function that does not take n arguments by position."""
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*range(n))
    except TypeError:
        raise _wrong_count(f, signature, n) from None


def _wrong_count(f: Callable[..., Any], signature: inspect.Signature, n: int) -> TypeMismatchError:
    """The error for a function that does not take n arguments by position."""
    name = getattr(f, "__name__", repr(f))
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    shown = signature.replace(parameters=plain, return_annotation=signature.empty)
    told = f"the lambda {shown}" if name == "<lambda>" else f"{name}{shown}"
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            return TypeMismatchError(
                f"The parameter {parameter.name} of {told} is given by name alone, but each parameter needs "
                f"a position. Remove the `*` before {parameter.name}, or give it a default, which makes it "
                "static."
            )
    wanted = [p for p in signature.parameters.values() if p.default is p.empty]
    vector = " One Vec is one argument: write [x] or (x,) around it." if len(wanted) == 1 < n else ""
    return TypeMismatchError(
        f"{began(told)} takes {count(len(wanted), 'argument')}, but here it gets {n}. Give one for "
        f"each parameter without a default.{vector}"
    )


def _definition(f: Callable[..., Any]) -> Span | None:
    code = _code(f)
    return code and span_of((code, 0))


def annotated_types(f: Callable[..., Any]) -> tuple[list[Type], list[str], Type | None]:
    """Read the types and names of parameters, and the type of the result, from a function's annotations.

    The type of the result is None if it is not annotated. A parameter without annotation is static: it must
    have a default, and it is not in the lists.
    Raises: TypeMismatchError for a parameter without annotation and default, or a wrong annotation.
    """
    signature = _signature(f)
    types, names = [], []
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeMismatchError(
                f"The parameter {parameter} of {f.__name__} stands for any number of arguments, but each "
                "parameter needs a name of its own. Use a Vec or a tuple, or eg.fn([types], result)(f).",
                _definition(f),
            )
        if parameter.annotation is not inspect.Parameter.empty:
            types.append(as_type(parameter.annotation))
            names.append(parameter.name)
            if parameter.default is not parameter.empty:
                _check_default(f, parameter, types[-1])
        elif parameter.default is inspect.Parameter.empty:
            raise TypeMismatchError(
                f"The parameter {parameter.name} of {f.__name__} has no type, but it needs an annotation. "
                f"Write {parameter.name}: eg.Real, give it a default to make it static, or use eg.jit.",
                _definition(f),
            )
    annotation = signature.return_annotation
    return types, names, None if annotation is inspect.Signature.empty else as_type(annotation)


def _check_default(f: Callable[..., Any], parameter: inspect.Parameter, of: Type) -> None:
    """Refuse a default that does not have the parameter's type. Traced defaults are checked when used."""
    if is_traced(parameter.default):
        return
    try:
        flatten(parameter.default, of, f"the default of {parameter.name}")
    except (TypeMismatchError, ShapeError) as error:
        raise type(error)(str(error.args[0]), _definition(f)) from None


def _signature(f: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of `f`. Evaluate string annotations with the names that `f` can see."""
    signature = inspect.signature(f)
    written = [p.annotation for p in signature.parameters.values()] + [signature.return_annotation]
    if not any(isinstance(annotation, str) for annotation in written):
        return signature
    try:
        return inspect.signature(f, eval_str=True, locals=_names_around(f))
    except NameError as error:
        raise TypeMismatchError(
            f"An annotation of {f.__name__} cannot be looked up ({error}). Define its type in the module, "
            "outside every function. Or write eg.fn([types], result)(f) instead.",
            _definition(f),
        ) from None


def _names_around(f: Callable[..., Any]) -> dict[str, Any]:
    """Return the local names where `f` is decorated, and the names that `f` captures, with their values."""
    frame, f = user_frame(), inspect.unwrap(f)
    used = zip(f.__code__.co_freevars, f.__closure__ or (), strict=False) if inspect.isfunction(f) else ()
    return {
        **(frame.f_locals if frame else {}),
        **{name: cell.cell_contents for name, cell in used if _filled(cell)},
    }


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - it raises if the name is not bound yet
    except ValueError:
        return False
    return True


def by_position(f: Any, args: Sequence[Any], named: dict[str, Any]) -> Sequence[Any]:
    """Return the arguments of a call of `f` in the order of its parameters. Some may be passed by name."""
    if not named:
        return args
    try:
        bound = inspect.signature(f).bind(*args, **named)
    except (TypeError, ValueError) as error:
        raise TypeMismatchError(
            f"{getattr(f, '__name__', f)} does not take these arguments ({error}). Compare this call with "
            "the definition of the function."
        ) from None
    if bound.kwargs:  # arguments after a `*` or a missing argument are passed by name
        bound.apply_defaults()
    if any(name in bound.kwargs for name in named):
        raise TypeMismatchError(
            f"The arguments {', '.join(bound.kwargs)} can be passed only by name, but each parameter needs "
            "a position. Remove the `*` before them in the function's definition."
        )
    return bound.args


def parameter_names(f: Callable[..., Any], n: int) -> list[str]:
    """Return the names of the first n parameters of f. If the name of parameter k is unknown, use xk."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    return [names[k] if k < len(names) else f"x{k}" for k in range(n)]
