"""NumPy's functions for Vecs and arrays, traced and plain: `import eglantine.numpy as enp`.

In a trace they give Vecs and compile to loops. Outside they compute at once, and give an `eg.Array`, or a
NumPy array if an argument was one.

eager: `eg.Array`, the arrays outside a trace.
building: arrays made element by element, and folds over axes.
calls: functions that work in a trace and outside.
creation: new arrays.
eigen: eigenvalues.
elements: functions of each element.
factors: QR, singular values and least squares.
linalg: `enp.linalg`.
mapping: `vmap`.
matrices: functions of matrices, applied to each matrix of an array.
methods: operators, subscripts and methods of arrays.
norms: norms and powers of matrices.
ordering: sorting, medians and quantiles.
fft: `enp.fft`.
inverse_erf: the inverse of the error function.
products: `einsum` and its special cases.
random: `eg.random`.
reductions: sums, means, extremes, and what runs along an axis.
shaping: other shapes and orders of the same elements.
signals: convolution and interpolation.
subscripts: parts of arrays along one axis.
systems: linear systems, determinants and Cholesky.
"""

import math as _math

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
    linspace,
    meshgrid,
    ones,
    ones_like,
    trace,
    tril,
    triu,
    zeros,
    zeros_like,
)  # fmt: skip
from .eager import Array
from .elements import FUNCTIONS as _FUNCTIONS
from .elements import allclose, clip, isclose, polygamma, round, where
from .mapping import vmap
from .ordering import argsort, diff, median, quantile, sort
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
newaxis = None
globals().update(_FUNCTIONS)

__all__ = [
    "Array", "all", "allclose", "any", "arange", "argmax", "argmin", "argsort", "array", "asarray",
    "broadcast_to", "clip", "concatenate", "convolve", "cross", "cumprod", "cumsum", "diag", "diagonal",
    "diff", "dot", "e", "einsum", "expand_dims", "eye", "fft", "flip", "full", "hstack", "inf", "inner",
    "interp", "isclose", "kron", "linalg", "linspace", "logsumexp", "matmul", "max", "mean", "median",
    "meshgrid", "min", "moveaxis", "nan", "newaxis", "ones", "ones_like", "outer", "pi", "polygamma",
    "prod", "quantile", "ravel", "repeat", "reshape", "roll", "round", "softmax", "sort", "squeeze",
    "stack", "std", "sum", "swapaxes", "tensordot", "tile", "trace", "transpose", "tril", "triu", "var",
    "vmap", "vstack", "where", "zeros", "zeros_like",
]  # fmt: skip
__all__ += list(_FUNCTIONS)
