"""Make linear functions with handwritten transposes. Reverse mode then need not transpose their loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.leaves import leaves


def linear_map(f: Callable[..., Any], types: Sequence[Any], transposed: Callable[[], Fn]) -> Fn:
    """Make an `fn` of f, and give it a transpose. f must be linear in its last argument.

    types: the types of the arguments of f. f need not be linear in the arguments before the last one.
    transposed: a function that returns the transpose. The transpose takes the arguments of f, except that
        its last argument is a cotangent of f's result.
    """
    function = make_fn(list(types))(f).function
    return Fn(replace(function, linear=len(leaves(types[-1])), transposed=lambda: transposed().function))
