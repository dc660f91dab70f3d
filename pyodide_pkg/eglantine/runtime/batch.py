"""Run a kernel on columns of values, chunk by chunk, with one crossing into the engine for each chunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eglantine.emit.layout import array_of, byte_count, bytes_of
from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.plain.marshal import flatten, has_array, unflatten
from eglantine.plain.typeof import mismatch
from eglantine.types import Type, VecType
from eglantine.words.spelling import count

from .hosts import Abi, Instance


class Batch:
    """Runs a kernel on columns.

    abi: the contract of the module that loops over the points of a chunk.
    """

    def __init__(self, abi: Abi, params: Sequence[Type], result: Type, loop: Instance) -> None:
        self.abi = abi
        self._params = params
        self._result = result
        self._instance = loop

    def __call__(
        self, columns: Sequence[Any], run: Callable[[Instance], None], alone: Callable[..., Any]
    ) -> Any:
        """Return the results, a list or NumPy array.

        run: enters the instance.
        alone: calls a function while no other thread uses the memory.
        Raises: TypeMismatchError, ShapeError, and any error of `run` and `alone`.
        """
        n = self._length(columns)
        inputs = self._inputs(columns, n)
        places = self.abi["result"]["leaves"]
        outputs = [(place["at"], size, bytearray(n * size)) for place, size in _sizes(places)]
        points = self.abi["points"]
        for start in range(0, n, points):
            alone(self._run_chunk, run, inputs, outputs, start, min(points, n - start))
        found = [
            array_of(data, place["dtype"], (n, *place["dims"][1:]))
            for place, (*_, data) in zip(places, outputs, strict=True)
        ]
        return unflatten(VecType(n, self._result), found, any(map(has_array, columns)))

    def _run_chunk(
        self,
        run: Callable[[Instance], None],
        inputs: Sequence[tuple[int, int, Any]],
        outputs: Sequence[tuple[int, int, bytearray]],
        start: int,
        m: int,
    ) -> None:
        """Compute the results of m points, beginning with point `start`, and store them in the outputs."""
        instance = self._instance
        instance.write(self.abi["count"], m.to_bytes(4, "little"))
        for at, size, data in inputs:
            if size:
                instance.write(at, data[start * size : (start + m) * size])
        run(instance)
        for at, size, result in outputs:
            if size:
                result[start * size : (start + m) * size] = instance.read(at, m * size)

    def _length(self, columns: Sequence[Any]) -> int:
        """Return the number of points, after checking that all columns have this length."""
        names = [param["name"] for param in self.abi["params"]]
        if len(columns) != len(names) or not names:
            name = self.abi["name"]
            if not names:
                raise TypeMismatchError(
                    f"{name} has no parameters, so it cannot run on columns. Call it as often as you like."
                )
            raise TypeMismatchError(
                f"{name} takes {count(len(names), 'column')} ({', '.join(names)}), but this call gives "
                f"{len(columns)}. Give one for each parameter."
            )
        lengths = []
        for name, column in zip(names, columns, strict=True):
            if not hasattr(column, "__len__") or getattr(column, "shape", None) == ():
                raise mismatch(column, "a sequence of values", f"column {name}")
            lengths.append(len(column))
        for name, n in zip(names, lengths, strict=True):
            if n != lengths[0]:
                raise ShapeError(
                    f"Column {name} must have {count(lengths[0], 'value')}, as column {names[0]} has, "
                    f"but it has {n}. Give each column a value for each point."
                )
        return lengths[0]

    def _inputs(self, columns: Sequence[Any], n: int) -> list[tuple[int, int, Any]]:
        """Return for each leaf its address, the size of one point in bytes, and the data of all points."""
        found = []
        for column, of, param in zip(columns, self._params, self.abi["params"], strict=True):
            values = flatten(column, VecType(n, of), f"column {param['name']}", buffers=True)
            for value, (place, size) in zip(values, _sizes(param["leaves"]), strict=True):
                dims = (n, *place["dims"][1:])
                found.append((place["at"], size, bytes_of(value, place["dtype"], dims) if size * n else b""))
        return found


def _sizes(places: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], int]]:
    """Pair each leaf with the number of bytes that one point of it takes."""
    return [(place, byte_count(place["dtype"], place["dims"][1:])) for place in places]
