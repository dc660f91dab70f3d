"""NumPy's functions for Vecs and arrays, traced and plain: `import eglantine.numpy as enp`.

Inside a trace, these functions return Vecs and compile to loops. Outside a trace, they compute at once and
return an `eg.Array`, or a NumPy array if an argument is a NumPy array.

eager: `eg.Array`, the class of arrays outside a trace.
building: build arrays element by element, and reduce arrays along axes.
calls: make functions that work inside and outside a trace.
creation: make new arrays.
eigen: eigenvalues.
elements: elementwise functions.
factors: QR, singular values and least squares.
linalg: `enp.linalg`, functions of linear algebra.
linear_maps: make linear functions with handwritten transposes.
mapping: `vmap`, which calls a function for each part of an array.
matrices: functions of matrices, applied to each matrix of an array.
methods: operators, subscripts and methods of arrays.
parts: take elements, split and pad arrays, and join columns.
norms: norms and powers of matrices.
ordering: sorting, medians, quantiles and differences.
fft: `enp.fft`, Fourier transforms.
inverse_erf: the inverse of the error function.
products: `einsum` and its special cases.
random: `eg.random`, random numbers.
reductions: sums, means, extremes, and running sums and products along an axis.
samples: statistics, integrals, slopes and polynomials.
shaping: arrays with the same elements in another shape or order.
signals: convolution and interpolation.
subscripts: parts of arrays along one axis.
systems: linear systems and determinants.
threefry: the generator of random words.
triangles: systems with triangular matrices, and Cholesky's factor.
"""

import math as _math
from typing import Any as _Any

from eglantine.trace.shapes import shape_of as _shape_of

from . import fft as fft
from . import linalg
from .creation import (
    arange,
    array,
    asarray,
    diag,
    diagonal,
    eye,
    full,
    full_like,
    identity,
    linspace,
    logspace,
    meshgrid,
    ones,
    ones_like,
    trace,
    tri,
    tril,
    triu,
    zeros,
    zeros_like,
)  # fmt: skip
from .eager import Array
from .elements import FUNCTIONS as _FUNCTIONS
from .elements import allclose, clip, isclose, nan_to_num, polygamma, round, where
from .mapping import vmap
from .ordering import argsort, diff, median, quantile, sort
from .parts import (
    array_split,
    atleast_1d,
    atleast_2d,
    column_stack,
    dstack,
    fliplr,
    flipud,
    pad,
    searchsorted,
    split,
    take,
    take_along_axis,
)  # fmt: skip
from .products import cross, einsum, inner, kron, matmul, outer, tensordot
from .reductions import (
    all,
    any,
    argmax,
    argmin,
    cumprod,
    cumsum,
    dot,
    logsumexp,
    max,
    mean,
    min,
    prod,
    softmax,
    std,
    sum,
    var,
)  # fmt: skip
from .samples import (
    average,
    corrcoef,
    correlate,
    count_nonzero,
    cov,
    gradient,
    nanmean,
    nansum,
    percentile,
    polyval,
    ptp,
    trapezoid,
    vander,
    vdot,
)  # fmt: skip
from .shaping import (
    broadcast_to,
    concatenate,
    expand_dims,
    flip,
    hstack,
    moveaxis,
    ravel,
    repeat,
    reshape,
    roll,
    squeeze,
    stack,
    swapaxes,
    tile,
    transpose,
    vstack,
)  # fmt: skip
from .signals import convolve, interp

pi, e, inf, nan = _math.pi, _math.e, _math.inf, _math.nan
newaxis, float64 = None, float
amax, amin, around, concat, copy = max, min, round, concatenate, array
globals().update(_FUNCTIONS)


def shape(a: _Any) -> tuple[int, ...]:
    """The lengths of an array's dimensions, or () for a number."""
    return _shape_of(a)


def ndim(a: _Any) -> int:
    """The number of an array's dimensions, or 0 for a number."""
    return len(_shape_of(a))


def size(a: _Any, axis: int | None = None) -> int:
    """The number of an array's elements, or its length along an axis."""
    return _math.prod(_shape_of(a)) if axis is None else _shape_of(a)[axis]


__all__ = [
    "Array",
    "all",
    "allclose",
    "amax",
    "amin",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "around",
    "array",
    "array_split",
    "asarray",
    "atleast_1d",
    "atleast_2d",
    "average",
    "broadcast_to",
    "clip",
    "column_stack",
    "concat",
    "concatenate",
    "convolve",
    "copy",
    "corrcoef",
    "correlate",
    "count_nonzero",
    "cov",
    "cross",
    "cumprod",
    "cumsum",
    "diag",
    "diagonal",
    "diff",
    "dot",
    "dstack",
    "e",
    "einsum",
    "expand_dims",
    "eye",
    "fft",
    "flip",
    "fliplr",
    "flipud",
    "float64",
    "full",
    "full_like",
    "gradient",
    "hstack",
    "identity",
    "inf",
    "inner",
    "interp",
    "isclose",
    "kron",
    "linalg",
    "linspace",
    "logspace",
    "logsumexp",
    "matmul",
    "max",
    "mean",
    "median",
    "meshgrid",
    "min",
    "moveaxis",
    "nan",
    "nan_to_num",
    "nanmean",
    "nansum",
    "ndim",
    "newaxis",
    "ones",
    "ones_like",
    "outer",
    "pad",
    "percentile",
    "pi",
    "polygamma",
    "polyval",
    "prod",
    "ptp",
    "quantile",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "round",
    "searchsorted",
    "shape",
    "size",
    "softmax",
    "sort",
    "split",
    "squeeze",
    "stack",
    "std",
    "sum",
    "swapaxes",
    "take",
    "take_along_axis",
    "tensordot",
    "tile",
    "trace",
    "transpose",
    "trapezoid",
    "tri",
    "tril",
    "triu",
    "vander",
    "var",
    "vdot",
    "vmap",
    "vstack",
    "where",
    "zeros",
    "zeros_like",
]  # fmt: skip
__all__ += list(_FUNCTIONS)
