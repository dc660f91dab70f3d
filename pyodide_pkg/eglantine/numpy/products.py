"""Products of arrays: einsum and its special cases."""

from __future__ import annotations

from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace import products as traced
from eglantine.trace.shapes import axis_below, shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.trace.views import element_at

from .building import array_of, built
from .calls import array_function


@array_function()
def matmul(a: Any, b: Any) -> Any:
    """`a @ b`, the matrix product. All axes before the last two broadcast."""
    return traced.matmul(a, b)


@array_function()
def outer(a: Any, b: Any) -> Any:
    """The matrix of the products a[i] · b[j] of two Vecs. An array counts as the Vec of all its elements."""
    from .shaping import ravel

    a, b = array_of(ravel(a)), array_of(ravel(b))
    return built((len(a), len(b)), lambda ij: a[ij[0]] * b[ij[1]])


@array_function()
def inner(a: Any, b: Any) -> Any:
    """The sums of products over the last axis of `a` and the last axis of `b`."""
    if not (shape_of(a) and shape_of(b)):
        return a * b
    return tensordot(a, b, ([-1], [-1]))


@array_function()
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product of two matrices or two Vecs: each element of a times all of b."""
    a, b = array_of(a), array_of(b)
    x, y = shape_of(a), shape_of(b)
    rank = max(len(x), len(y))
    from .shaping import reshape

    a, b = reshape(a, (1,) * (rank - len(x)) + x), reshape(b, (1,) * (rank - len(y)) + y)
    x, y = shape_of(a), shape_of(b)

    def at(indices: tuple[Any, ...]) -> Any:
        left = [i // n if n else 0 for i, n in zip(indices, y, strict=True)]
        right = [i % n if n else 0 for i, n in zip(indices, y, strict=True)]
        return element_at(a, left) * element_at(b, right)

    shape = tuple(m * n for m, n in zip(x, y, strict=True))
    return built(shape, (lambda _: 0.0) if 0 in shape else at)


@array_function()
def cross(a: Any, b: Any) -> Any:
    """The cross product of two Vecs of length 3. Arrays have these Vecs along their last axis."""
    x, y = shape_of(a), shape_of(b)
    if x[-1:] != (3,) or y[-1:] != (3,):
        raise ShapeError(f"cross takes Vecs of 3 elements, but the shapes are {x} and {y}.")
    if len(x) == len(y) == 1:
        p, q = list(array_of(a)), list(array_of(b))
        return array_of([p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]])
    if len(x) == len(y):
        return vec(len(a), lambda i: cross(a[i], b[i]))
    return vec(len(a), lambda i: cross(a[i], b)) if len(x) > len(y) else vec(len(b), lambda i: cross(a, b[i]))


@array_function("axes")
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sums of products over pairs of axes. Each pair has an axis of a and an axis of b.

    axes: a number k pairs the last k axes of a with the first k axes of b in order. You can also give two
        lists, one with axes of a and one with axes of b. The first entries are paired, the second entries are
        paired, and so on.
    """
    x, y = shape_of(a), shape_of(b)
    if isinstance(axes, int):
        if axes > min(len(x), len(y)):
            raise ShapeError(
                f"tensordot must pair {axes} axes of each array, but the shapes are {x} and {y}."
            )
        left, right = list(range(len(x) - axes, len(x))), list(range(axes))
    else:
        one, two = ([part] if isinstance(part, int) else list(part) for part in axes)
        left = [axis_below(k, len(x), x) for k in one]
        right = [axis_below(k, len(y), y) for k in two]
    if len(left) != len(right) or any(x[i] != y[j] for i, j in zip(left, right, strict=False)):
        raise ShapeError(f"The shapes {x} and {y} do not fit in tensordot over the axes {left} and {right}.")
    letters = [chr(ord("a") + k) for k in range(len(x) + len(y))]
    of_a, of_b = letters[: len(x)], letters[len(x) :]
    for i, j in zip(left, right, strict=True):
        of_b[j] = of_a[i]
    rest = [c for k, c in enumerate(of_a) if k not in left] + [
        c for k, c in enumerate(of_b) if k not in right
    ]
    return einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(rest)}", a, b)


@array_function("subscripts")
def einsum(subscripts: str, *arrays: Any) -> Any:
    """The sums of products that `subscripts` describes. For example, "ij,jk->ik" is the matrix product.

    It makes the loops that you would write by hand: `eg.vec` over the output's subscripts, then `eg.sum` over
    the other subscripts in order of appearance. Operands are multiplied from left to right.
    Raises: ShapeError for subscripts that do not fit the shapes.
    """
    inputs, output, lengths = _parsed(subscripts, [shape_of(a) for a in arrays])
    operands = [array_of(a) for a in arrays]
    summed = [
        name
        for name in dict.fromkeys("".join(chr(c) for term in inputs for c in term))
        if ord(name) not in output
    ]

    def term(at: dict[int, Any]) -> Any:
        product: Any = None
        for names, operand in zip(inputs, operands, strict=True):
            factor = element_at(operand, [0 if name < 0 else at[name] for name in names])
            product = factor if product is None else product * factor
        return product

    def total(names: list[str], at: dict[int, Any]) -> Any:
        if not names:
            return term(at)
        name = ord(names[0])
        return sum_(lengths[name], lambda i: total(names[1:], {**at, name: i}))

    def element(names: list[int], at: dict[int, Any]) -> Any:
        if not names:
            return total(summed, at)
        return vec(lengths[names[0]], lambda i: element(names[1:], {**at, names[0]: i}))

    return element(output, {})


def _parsed(text: str, shapes: list[Any]) -> tuple[list[list[int]], list[int], dict[int, int]]:
    """Return the names of each operand's axes, the names of the output's axes, and the length for each name.

    Each axis that `...` stands for gets a character from Unicode's private use area as its name.
    """
    text = text.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(shapes):
        raise ShapeError(
            f"The subscripts {text!r} describe {len(terms)} arrays, but einsum was given {len(shapes)}."
        )
    widest = 0
    for term, shape in zip(terms, shapes, strict=True):
        named = len(term.replace("...", ""))
        if "..." in term:
            widest = max(widest, len(shape) - named)
        if len(shape) < named or ("..." not in term and len(shape) != named):
            raise ShapeError(
                f"The subscripts {term!r} name {named} axes, but the array has the shape {shape}."
            )
    private = [chr(0xE000 + k) for k in range(widest)]
    lengths: dict[int, int] = {}
    inputs: list[list[int]] = []
    for term, shape in zip(terms, shapes, strict=True):
        extra = len(shape) - len(term.replace("...", ""))
        names = term.replace("...", "".join(private[widest - extra :]))
        for name, n in zip(names, shape, strict=True):
            known = lengths.get(ord(name), 1)
            if known != n and 1 not in (known, n):
                raise ShapeError(
                    f"The axis {name!r} of the subscripts {text!r} has {known} elements in one "
                    f"array and {n} in another."
                )
            lengths[ord(name)] = n if known == 1 else known
        inputs.append([ord(name) for name in names])
    if arrow:
        output = [ord(name) for name in right.replace("...", "".join(private))]
    else:
        every = [chr(c) for names in inputs for c in names]
        output = [ord(name) for name in private]
        output += [ord(name) for name in sorted(set(every) - set(private)) if every.count(name) == 1]
    if unknown := [chr(name) for name in output if name not in lengths]:
        raise ShapeError(f"The output of the subscripts {text!r} names {unknown[0]!r}, which no array has.")
    if len(set(output)) < len(output):
        raise ShapeError(f"The output of the subscripts {text!r} names an axis twice.")
    fitted = [
        [name if n == lengths[name] else -1 for name, n in zip(names, shape, strict=True)]
        for names, shape in zip(inputs, shapes, strict=True)
    ]
    return fitted, output, lengths
