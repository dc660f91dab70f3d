"""Write a branch. Both arms put their results in the same places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.ir.row_types import Array, Row
from eglantine.wasm import encoding as wasm

from .layout import Place
from .results import Results, bind, is_needed
from .scope import Scope


def write_cond(scope: Scope, row: int, key: Row) -> None:
    """Write a branch. It leaves one scalar result on the stack, or several scalar results in locals."""
    _, (condition, *operands), cond = key
    effects = any(scope.linkage.program.usage(arm).effects for arm in (cond.then, cond.orelse))
    if not effects and not is_needed(scope, row):
        return
    types = cond.then.result_types
    results = Results(scope, row, types)
    used = [k for k in range(len(types)) if results.is_used(k)]
    scalars = [k for k in used if not isinstance(types[k], Array)]
    places = {k: results.place(k) for k in used if isinstance(types[k], Array)}
    locals_ = [results.local(k) for k in scalars]
    for k, local in zip(scalars, locals_, strict=True):
        results.keep(k, local)
    body = scope.body
    opening = wasm.IF
    if len(scalars) == 1:
        opening = wasm.IF[:1] + wasm.VALUE_TYPE[types[scalars[0]].dtype]
        if scope.push[results.rows[scalars[0]]] is not None:
            scope.define(results.rows[scalars[0]])
        else:
            body.put_set(locals_[0])
            body.give(locals_[0])
    body.out.append(wasm.END)
    targets = dict(zip(scalars, locals_, strict=True)) if len(scalars) > 1 else dict.fromkeys(scalars, -1)
    end = len(body.out)
    _write_arm(scope, cond.orelse, operands, targets, places)
    if len(body.out) > end:
        body.out.append(wasm.ELSE)
    _write_arm(scope, cond.then, operands, targets, places)
    body.out.append(opening)
    if len(scalars) > 1:
        for local in locals_:
            body.give(local)
    scope.value(condition)


def _write_arm(
    scope: Scope, arm: Any, operands: Sequence[int], targets: dict[int, int], places: dict[int, Place]
) -> None:
    """Write one arm of a branch.

    targets: for each scalar result, the local that takes it. -1 means that the result stays on the stack.
    places: for each array result, its address.
    """
    inner = scope.inner(arm)
    bind(scope, inner, arm.params, operands)
    for k, local in targets.items():
        if local >= 0:
            inner.body.put_set(local)
        inner.value(arm.results[k])
    for k, place in places.items():
        inner.copy_into(place, arm.results[k])
    inner.write_rows()
