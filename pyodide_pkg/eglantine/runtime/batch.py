"""Run a kernel on columns of values. We cut the columns into chunks, and call the engine for each chunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from eglantine.emit.layout import array_of
from eglantine.errors import TypeMismatchError
from eglantine.plain.marshal import has_array, unflatten
from eglantine.types import Type, VecType
from eglantine.words.spelling import count

from .columns import Input, Shared, columns_as, empty_column, inputs_of, parts_of, points_of
from .hosts import Abi, Instance

FORMS: Final = ("list", "columns")
"""The forms in which a batch returns its results."""


class Batch:
    """Runs a kernel at many points, whose values are given as columns.

    abi: the ABI of the module that loops over the points of a chunk.
    """

    def __init__(self, abi: Abi, params: Sequence[Type], result: Type, loop: Instance) -> None:
        self.abi = abi
        self._params = params
        self._result = result
        self._instance = loop

    def __call__(
        self,
        columns: Sequence[Any],
        run: Callable[[Instance], None],
        alone: Callable[..., Any],
        out: str = "list",
    ) -> Any:
        """Run the kernel at all points, and return its results.

        run: a function that calls an instance's main function, and raises an error if it traps.
        alone: a function. alone(action, *args) runs action(*args) while no other thread uses the memory.
        out: "list" for a list or NumPy array of values, or "columns" for a struct of columns.
        Raises: TypeMismatchError, ShapeError, and any error of `run` and `alone`.
        """
        n, inputs = self._inputs(columns)
        places = self.abi["result"]["leaves"]
        numpy = any(map(has_array, columns))
        results = [empty_column(place, n, numpy and out == "columns") for place in places]
        outputs = [
            (place["at"], memoryview(column).cast("B"), len(column) * column.itemsize // n)
            for place, column in zip(places, results, strict=True) if len(column)
        ]  # fmt: skip
        points = self.abi["points"]
        for start in range(0, n, points):
            alone(self._run_chunk, run, inputs, outputs, start, min(points, n - start))
        if out == "columns":
            return columns_as(self._result, iter(results), n, numpy)
        values = [
            array_of(column, place["dtype"], (n, *place["dims"][1:]))
            for place, column in zip(places, results, strict=True)
        ]
        return unflatten(VecType(n, self._result), values, numpy)

    def _run_chunk(
        self,
        run: Callable[[Instance], None],
        inputs: Sequence[Input],
        outputs: Sequence[tuple[int, memoryview, int]],
        start: int,
        m: int,
    ) -> None:
        """Compute the results at m points, from point `start` on, and copy them to the output columns."""
        instance = self._instance
        instance.write(self.abi["count"], m.to_bytes(4, "little"))
        for leaf in inputs:
            if leaf.size:
                instance.write(leaf.at, leaf.chunk(start, m))
        run(instance)
        for at, column, size in outputs:
            column[start * size : (start + m) * size] = instance.read(at, m * size)

    def _inputs(self, columns: Sequence[Any]) -> tuple[int, list[Input]]:
        """Return the number of points, and an `Input` for each leaf of the parameters.

        Raises: TypeMismatchError unless there is one argument for each parameter. ShapeError if two columns
            differ in length.
        """
        params = self.abi["params"]
        names = [param["name"] for param in params]
        if len(columns) != len(names) or not names:
            name = self.abi["name"]
            if not names:
                raise TypeMismatchError(
                    f"{name} has no parameters, so it cannot run on columns. Call it without arguments."
                )
            raise TypeMismatchError(
                f"{name} takes {count(len(names), 'column')} ({', '.join(names)}), but this call gives "
                f"{len(columns)}. Give one for each parameter."
            )
        parts = [
            part
            for column, of, name in zip(columns, self._params, names, strict=True)
            for part in parts_of(column, of, f"column {name}")
        ]
        n, points = points_of(parts), self.abi["points"]
        places = iter([place for param in params for place in param["leaves"]])
        return n, [leaf for part in parts for leaf in inputs_of(part, places, n, points)]


def check_form(out: Any) -> None:
    """Refuse an `out` that is not in FORMS."""
    if out not in FORMS:
        raise TypeMismatchError(
            f'The argument `out` of a batch must be "list" or "columns", but it is {out!r}. Write '
            'out="columns" to get one array for each number of the result.'
        )


__all__ = ["Batch", "Shared", "check_form"]
