"""From a Python function to IR: run it once on traced values and keep the rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .build import Builder
from .errors import Span, TypeMismatchError, span_of, user_frame
from .ir import Function, leaf_row_type
from .types import Type, as_type, leaves
from .values import Traced, current, rows_of, type_of, value_of


def trace(
    f: Callable[..., Any], params: Sequence[Type], result: Type | None = None, *, name: str | None = None,
    param_names: Sequence[str] = (),
) -> tuple[Function, list[Traced]]:  # fmt: skip
    """The function that `f` computes on arguments of these types, and what it captures of an enclosing trace.

    result: the type its result must have, or None to infer it.
    Raises: any error of the operations in `f`, with the span of its line; TypeMismatchError for a wrong
        result.
    """
    parent = current.get()
    b = Builder(parent, conditional=True)
    arguments = [value_of(of, b, [b.param(leaf_row_type(leaf)) for leaf in leaves(of)]) for of in params]
    name = name or getattr(f, "__name__", "f")
    token = current.set(b)
    try:
        value = f(*arguments)
        of = type_of(value) if result is None else result
        rows = rows_of(b, value, of, f"the result of {name}")
    finally:
        current.reset(token)
    block = b.finish(rows)
    function = Function(
        name, tuple(params), of, block, hidden=len(b.captured), param_names=tuple(param_names), span=_definition(f),
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return function, [Traced(parent, row) for row in b.captured] if parent else []


def _definition(f: Callable[..., Any]) -> Span | None:
    code = getattr(f, "__code__", None)
    return None if code is None else span_of((code, 0))


def annotated_types(f: Callable[..., Any]) -> tuple[list[Type], list[str], Type | None]:
    """The types and names of a function's parameters, and its result's type or None, from its annotations.

    Parameters without annotation need a default; they are static and not listed.
    Raises: TypeMismatchError for a parameter that has neither, or an annotation that is no type.
    """
    signature = _signature(f)
    types, names = [], []
    for parameter in signature.parameters.values():
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
    frame = user_frame()
    used = inspect.getclosurevars(f).nonlocals if inspect.isfunction(f) else {}
    return {**(frame.f_locals if frame else {}), **used}


def parameter_names(f: Callable[..., Any], n: int) -> list[str]:
    """The names of the first n parameters of f, as far as they are known."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    return [names[k] if k < len(names) else f"x{k}" for k in range(n)]
