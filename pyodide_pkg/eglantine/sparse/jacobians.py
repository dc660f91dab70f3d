"""Sparse Jacobians and Hessians. Each colour has one direction, and each entry is read from one product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from eglantine.errors import TypeMismatchError
from eglantine.functions.chunks import chunk_of, pushes_fn
from eglantine.functions.derivatives import _gradient, _positions, derived_fn, vjp_fn
from eglantine.functions.eager import derived
from eglantine.functions.fn import Fn
from eglantine.functions.structures import zero_of
from eglantine.ir.program import Memo
from eglantine.leaves import tangent_type
from eglantine.trace.sums import vec
from eglantine.types import Real, RealType, StructType, TupleType, Type, VecType

from .entries import Part, entries, seed
from .patterns import Pattern
from .plans import Plan, Reading, plan_of_hessian, plan_of_jacobian


class Sparse:
    """A sparse matrix.

    rows, cols: tuples with the row and the column of each entry.
    values: the entries.
    shape: how many rows and columns the matrix has.
    """

    directions: int | None = None
    """The number of directions from which the matrix was computed."""

    def __init__(self, rows: Sequence[int], cols: Sequence[int], values: Any, shape: tuple[int, int]) -> None:
        self.rows, self.cols, self.values, self.shape = tuple(rows), tuple(cols), values, tuple(shape)

    @property
    def nnz(self) -> int:
        """The number of entries."""
        return len(self.rows)

    def dense(self) -> list[list[Any]]:
        """The matrix as a list of rows, with 0.0 where it has no entry."""
        m, n = self.shape
        matrix = [[0.0] * n for _ in range(m)]
        for i, j, value in zip(self.rows, self.cols, self.values, strict=True):
            matrix[i][j] = value
        return matrix

    def __repr__(self) -> str:
        m, n = self.shape
        return f"<Sparse {m} × {n} with {self.nnz} entries>"


def sparse_type(pattern: Pattern, directions: int) -> StructType:
    """Return the type of sparse matrices with this pattern. A value of this type stores only the entries."""
    of = VecType(pattern.nnz, Real)

    @dataclass(frozen=True, repr=False)
    class Entries(Sparse):
        values: Any

        shape = pattern.shape
        nnz = of.n

        rows = property(lambda self: pattern.rows)
        cols = property(lambda self: pattern.cols)

    Entries.directions = directions
    Entries.__annotations__ = {"values": of}
    Entries.__name__ = Entries.__qualname__ = "Sparse"
    return StructType((("values", of),), Entries)


PLANS: Final[Memo[Plan]] = Memo("sparse")


def sparse_jacobian(f: Any, argnums: Any = 0) -> Any:
    """Return a function that computes the Jacobian of f as a `Sparse`, from few directional derivatives.

    >>> import eglantine as eg
    >>> J = eg.sparse_jacobian(lambda x: eg.vec(2, lambda i: x[i] * x[i + 1]))([2.0, 3.0, 5.0])
    >>> J.rows, J.cols, J.values
    ((0, 0, 1, 1), (0, 1, 1, 2), [3.0, 2.0, 5.0, 3.0])

    Each row belongs to a Real of f's result, and each column to a Real of the argument. `rows` and `cols` are
    the rows and the columns of all entries that can differ from 0 (see `eg.sparsity`). If it costs less to
    use both modes than one mode alone, reverse mode computes the fullest rows, and forward mode computes the
    other entries.

    argnums: the position of the argument to differentiate by, or a tuple of positions.
    """
    return derived(
        f, lambda g: _sparse_jacobian(g, argnums), "sparse_jacobian", 1, ("sparse_jacobian", repr(argnums))
    )


def sparse_hessian(f: Any, argnums: Any = 0) -> Any:
    """Return a function that computes the Hessian of f as a `Sparse`, from few directional derivatives.

    f must return one Real. The matrix contains the entries on both sides of the diagonal.

    >>> import eglantine as eg
    >>> H = eg.sparse_hessian(lambda x: x[0] ** 2 * x[1] + x[2])([2.0, 3.0, 5.0])
    >>> H.rows, H.cols, H.values
    ((0, 0, 1), (0, 1, 0), [6.0, 4.0, 4.0])

    argnums: the position of the argument to differentiate by, or a tuple of positions.
    """
    return derived(
        f, lambda g: _sparse_hessian(g, argnums), "sparse_hessian", 2, ("sparse_hessian", repr(argnums))
    )


def _sparse_jacobian(f: Fn, argnums: Any) -> Fn:
    wanted = _wanted(f, argnums, "sparse_jacobian")
    of = _type_of(f, wanted)
    out = tangent_type(f.function.result)
    plan = PLANS.remember(
        f.function, ("jacobian", tuple(wanted)), lambda: plan_of_jacobian(f, wanted, out, of)
    )
    modes = []
    if plan.forward is not None:
        modes.append(_forward_mode(f, wanted, of, out, plan.forward))
    if plan.reverse is not None:
        modes.append(_reverse_mode(f, wanted, of, out, plan.reverse))
    return _matrix(f, plan, modes, "sparse jacobian")


def _sparse_hessian(f: Fn, argnums: Any) -> Fn:
    wanted = _wanted(f, argnums, "sparse_hessian")
    if not isinstance(f.function.result, RealType):
        raise TypeMismatchError(
            f"The sparse Hessian of {f.__name__} needs a function that returns one Real, but it returns "
            f"{f.function.result!r}. Use eg.sparse_jacobian, or eg.sparse_hessian of one of its results."
        )
    of = _type_of(f, wanted)
    gradient = _gradient(f, tuple(wanted), False)
    plan = PLANS.remember(
        f.function, ("hessian", tuple(wanted)), lambda: plan_of_hessian(gradient, wanted, of)
    )
    assert plan.forward is not None
    return _matrix(f, plan, [_forward_mode(gradient, wanted, of, of, plan.forward)], "sparse hessian")


def _wanted(f: Fn, argnums: Any, what: str) -> list[int]:
    wanted = _positions(f, argnums)
    if len(set(wanted)) < len(wanted):
        raise TypeMismatchError(
            f"The argnums of eg.{what} must differ, but they are {argnums!r}. Name each position once."
        )
    return wanted


def _type_of(f: Fn, wanted: Sequence[int]) -> TupleType:
    return TupleType(tuple(tangent_type(f.function.params[k]) for k in wanted))


class Mode(NamedTuple):
    """Forward or reverse mode, and how to compute products of the matrix with directions in this mode.

    out: the type of one product. chunk: the number of directions in a group.
    products: a function that takes f's arguments and k. It returns a Vec of the products with the
        directions of group k, which are computed together.
    """

    reading: Reading
    out: Type
    chunk: int
    products: Callable[[Any, Any], Any]


def _forward_mode(f: Fn, wanted: Sequence[int], of: Type, out: Type, reading: Reading) -> Mode:
    # a banded pattern needs few directions, and computing several at once is not faster for long arrays
    in_bands = reading.places is None
    chunk = 1 if in_bands else chunk_of(f.function, max(reading.colours.needed, 1), None)
    pushed = pushes_fn(f, chunk)

    def products(args: Any, k: Any) -> Any:
        tangents: list[Any] = []
        for d in range(chunk):
            own = [zero_of(tangent_type(item)) for item in f.function.params]
            for position, part in zip(wanted, seed(of, reading.colours, k * chunk + d), strict=True):
                own[position] = part
            tangents += own
        return pushed(*args, *tangents)

    return Mode(reading, out, chunk, products)


def _reverse_mode(f: Fn, wanted: Sequence[int], of: Type, out: Type, reading: Reading) -> Mode:
    pulled = vjp_fn(f)

    def products(args: Any, k: Any) -> Any:
        cts = pulled(*args, seed(out, reading.colours, k))
        return vec(1, lambda _: tuple(cts[j] for j in wanted))

    return Mode(reading, of, 1, products)


def _matrix(f: Fn, plan: Plan, modes: Sequence[Mode], what: str) -> Fn:
    """Make a function of f's arguments that returns the sparse matrix."""
    of = sparse_type(plan.pattern, plan.directions)

    def body(_: list[int], args: Any) -> Any:
        if not plan.pattern.nnz:
            return of.pack([vec(0, lambda _: 0.0)])
        parts = []
        for reading, out, chunk, products in modes:
            groups = -(-reading.colours.needed // chunk)
            found = products(args, 0) if groups == 1 else vec(groups, partial(products, args))
            parts.append(Part(reading, out, chunk, groups, found.arrays()))
        return of.pack([entries(plan.pattern, parts)])

    return derived_fn(f, f.function.params, f"{what} of {f.__name__}", body, of)
