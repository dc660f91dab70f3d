"""Linear maps of arrays, given with their transposes. So reverse mode need not transpose their loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.leaves import leaves


def linear_map(f: Callable[..., Any], types: Sequence[Any], transposed: Callable[[], Fn]) -> Fn:
    """Make an `fn` of a function f that is linear in its last argument, and give it a transpose.

    types: the types of the arguments of f. The arguments before the last one, such as a matrix, determine the
        linear map.
    transposed: returns the transpose. It takes the arguments before the last one, and then a cotangent of f's
        result.
    """
    function = make_fn(list(types))(f).function
    return Fn(replace(function, linear=len(leaves(types[-1])), transposed=lambda: transposed().function))
