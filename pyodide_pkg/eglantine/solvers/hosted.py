"""Functions that another Wasm module computes. A solver's module passes the addresses of arrays to them.

The code of the solver then does not depend on the function that it minimises, so we compile it only once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from eglantine.functions.fn import Fn
from eglantine.ir.program import Function
from eglantine.ir.row_types import leaf_row_type
from eglantine.leaves import leaves
from eglantine.types import Type, as_type


class Host(Protocol):
    """A function that another module computes and a solver calls.

    `at_addresses` takes the function's scalar arguments, the addresses of its array arguments, and an address
    for each array of the result. It writes the arrays of the result, and returns the scalars of the result.
    """

    @property
    def at_addresses(self) -> Callable[..., Any]:
        """The function that compiled solvers call."""

    def __call__(self, *args: Any) -> Any:
        """Compute the value for plain arguments. The interpreter calls this."""


def hosted(name: str, host: Host, params: Mapping[str, Any], result: Any) -> Fn:
    """Make an fn that calls the function `host`. Compiled modules import `host` under the name `name`.

    params: maps the name of each parameter to its type.
    """
    types = tuple(map(as_type, params.values()))
    of: Type = as_type(result)
    function = Function(
        name, types, of, None, host=host, pure=True, param_names=tuple(params),
        leaf_params=tuple(leaf_row_type(leaf) for one in types for leaf in leaves(one)),
        leaf_results=tuple(leaf_row_type(leaf) for leaf in leaves(of)),
    )  # fmt: skip
    return Fn(function, (), host)
