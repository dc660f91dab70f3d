"""From a Python function to IR: run it once on traced values and keep the rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .build import Builder
from .errors import Span, TypeMismatchError, span_of, user_frame
from .ir import Function, leaf_row_type
from .typeof import count
from .types import Type, as_type, field_names, is_container, leaves
from .values import Traced, current
from .vectors import is_traced, rows_of, type_of, value_of


def trace(
    f: Callable[..., Any], params: Sequence[Type], result: Type | None = None, *, name: str | None = None,
    param_names: Sequence[str] = (), by_name: Sequence[str] = (), order: int = 0,
) -> tuple[Function, list[Traced]]:  # fmt: skip
    """The function that `f` computes on arguments of these types, and what it captures of an enclosing trace.

    result: the type its result must have, or None to infer it.
    by_name: the parameters that the arguments are passed to, if not by position.
    order: how many more differentiations it is traced for than what is around it.
    Raises: any error of the operations in `f`, with the span of its line; TypeMismatchError for a wrong
        result.
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
    """What `f` returns; where Python does not know a name or field, our own error says why."""
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
    except AttributeError as error:
        if not (is_container(error.obj) and is_traced(error.obj)):
            raise
        raise TypeMismatchError(
            f"Found the field {error.name!r} asked of a {type(error.obj).__name__}; expected one of "
            f"{', '.join(field_names(type(error.obj)))}.",
            _place(error),
        ) from None


def _place(error: BaseException) -> Span | None:
    """Where an error was raised."""
    return span_of([*_calls(error)][-1])


def _calls(error: BaseException) -> Iterator[tuple[Any, int]]:
    """The calls that led to an error, the innermost last, as sources."""
    step = error.__traceback__
    while step:
        yield step.tb_frame.f_code, step.tb_lasti
        step = step.tb_next


def _code(f: Any) -> Any:
    """The code of a Python function, or None."""
    return getattr(inspect.unwrap(f), "__code__", None)


def _self_call(name: Any) -> str:
    return (
        f"Found {name} used inside itself; expected functions that exist already; repeat with eg.fori_loop."
    )


def check_no_self_call(f: Callable[..., Any]) -> None:
    """Refuse a function of a module that uses its own name, be it that of an older function."""
    code, name = _code(f), getattr(f, "__qualname__", "")
    if code is None or name not in code.co_names or name not in inspect.unwrap(f).__globals__:
        return
    import dis

    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_GLOBAL" and instruction.argval == name:
            raise TypeMismatchError(_self_call(name), span_of((code, instruction.offset)))


def check_takes(f: Callable[..., Any], n: int) -> None:
    """Refuse a function that cannot be called with n arguments."""
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*range(n))
    except TypeError:
        name = getattr(f, "__name__", repr(f))
        raise TypeMismatchError(
            f"Found {count(n, 'type')} for the arguments of {name}{signature}; expected one for each "
            "parameter without a default.",
        ) from None


def _definition(f: Callable[..., Any]) -> Span | None:
    code = _code(f)
    return code and span_of((code, 0))


def annotated_types(f: Callable[..., Any]) -> tuple[list[Type], list[str], Type | None]:
    """The types and names of a function's parameters, and its result's type or None, from its annotations.

    Parameters without annotation need a default; they are static and not listed.
    Raises: TypeMismatchError for a parameter that has neither, or an annotation that is no type.
    """
    signature = _signature(f)
    types, names = [], []
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeMismatchError(
                f"Found the parameter {parameter} of {f.__name__}, expected parameters with a name each; use "
                "a Vec or a tuple, or eg.fn([types], result)(f).",
                _definition(f),
            )
        if parameter.annotation is not inspect.Parameter.empty:
            types.append(as_type(parameter.annotation))
            names.append(parameter.name)
        elif parameter.default is inspect.Parameter.empty:
            raise TypeMismatchError(
                f"Found the parameter {parameter.name} of {f.__name__} without a type, expected an "
                f"annotation; write {parameter.name}: eg.Real, give it a default to make it static, or use "
                "eg.jit.",
                _definition(f),
            )
    annotation = signature.return_annotation
    return types, names, None if annotation is inspect.Signature.empty else as_type(annotation)


def _signature(f: Callable[..., Any]) -> inspect.Signature:
    """The signature, with annotations that are strings looked up where `f` was written."""
    signature = inspect.signature(f)
    written = [p.annotation for p in signature.parameters.values()] + [signature.return_annotation]
    if not any(isinstance(annotation, str) for annotation in written):
        return signature
    try:
        return inspect.signature(f, eval_str=True, locals=_names_around(f))
    except NameError as error:
        raise TypeMismatchError(
            f"Found an annotation of {f.__name__} that cannot be looked up ({error}); expected a name of its "
            "module or an enclosing function that it uses; write eg.fn([types], result)(f) instead.",
            _definition(f),
        ) from None


def _names_around(f: Callable[..., Any]) -> dict[str, Any]:
    """What names stand for where `f` is being decorated, and those it uses itself."""
    frame, f = user_frame(), inspect.unwrap(f)
    used = zip(f.__code__.co_freevars, f.__closure__ or (), strict=False) if inspect.isfunction(f) else ()
    return {
        **(frame.f_locals if frame else {}),
        **{name: cell.cell_contents for name, cell in used if _filled(cell)},
    }


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - it raises where the name is not bound yet
    except ValueError:
        return False
    return True


def by_position(f: Any, args: Sequence[Any], named: dict[str, Any]) -> Sequence[Any]:
    """The arguments of a call of `f`, those given by name among them, all by position."""
    if not named:
        return args
    try:
        bound = inspect.signature(f).bind(*args, **named)
    except (TypeError, ValueError) as error:
        raise TypeMismatchError(
            f"Found arguments that {f!r} does not take ({error}), expected its own parameters."
        ) from None
    if bound.kwargs:
        raise TypeMismatchError(
            f"Found {', '.join(bound.kwargs)} given by name, expected parameters that have a position."
        )
    return bound.args


def parameter_names(f: Callable[..., Any], n: int) -> list[str]:
    """The names of the first n parameters of f, as far as they are known."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    return [names[k] if k < len(names) else f"x{k}" for k in range(n)]
