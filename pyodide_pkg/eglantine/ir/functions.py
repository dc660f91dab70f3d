"""The primitives that users call in `eg.math` and in formulas.

An entry describes a function: its derivative, its domain, its documentation, its names and its TeX. If Wasm
has no instruction for the function, `mathlib` defines how to compute it.
"""

from __future__ import annotations

import math
from typing import Any, Final

from eglantine import ieee as numbers
from eglantine.wasm.opcodes import code

from .lowering import _lower_copysign, _lower_sign
from .partials import (
    _acosh_slope,
    _arc_slope,
    _atan2_partials,
    _copysign_partials,
    _erf_slope,
    _flat,
    _hypot_partials,
    _mod_partials,
    _pow_partials,
    _reciprocal,
    _square,
)
from .row_types import F64
from .rules import LIBRARY, Chooses, Domain, Lowered, Notation, Primitive


def _unary(evaluate: Any, derivative: Any, wasm: Any, **more: Any) -> Primitive:
    return Primitive(("f64",), F64, evaluate, derivative, wasm, **more)


def _binary(evaluate: Any, derivative: Any, wasm: Any, **more: Any) -> Primitive:
    return Primitive(("f64", "f64"), F64, evaluate, derivative, wasm, **more)


def _function(derivative: Any, arity: int = 1, **more: Any) -> Primitive:
    """Make the entry in `FUNCTIONS` for a function that `mathlib` computes."""
    return Primitive(("f64",) * arity, F64, None, derivative, LIBRARY, **more)


LN2, LN10 = math.log(2.0), math.log(10.0)

NOT_NEGATIVE: Final = Domain(lambda x: x >= 0, "a negative number, {x!r}")
UNIT: Final = Domain(lambda x: abs(x) <= 1)
NO_POLE_OF_GAMMA: Final = Domain(lambda x: x > 0 or x != math.floor(x), "{x:g}, where it has a pole")

FUNCTIONS: Final[dict[str, Primitive]] = {
    # functions that compile to one or a few instructions
    "abs": _unary(
        numbers.absolute,
        lambda b, x, z: (b.bi("copysign", b.const(1.0), x),),
        code("f64.abs"),
        notation=Notation(symmetry="even"),
    ),
    "sqrt": _unary(
        numbers.sqrt,
        lambda b, x, z: (b.div(b.const(0.5), z),),
        code("f64.sqrt"),
        pole="0",
        domain=NOT_NEGATIVE,
        notation=Notation(doc="The square root, correctly rounded; NaN below 0; derivative ∞ at 0."),
    ),
    "floor": _unary(
        numbers.floor,
        _flat,
        code("f64.floor"),
        notation=Notation(doc="The greatest whole number that is at most x."),
    ),
    "ceil": _unary(
        numbers.ceil,
        _flat,
        code("f64.ceil"),
        notation=Notation(doc="The least whole number that is at least x."),
    ),
    "trunc": _unary(
        numbers.trunc,
        _flat,
        code("f64.trunc"),
        notation=Notation(doc="x without its fraction.", symmetry="odd"),
    ),
    "nearest": _unary(
        numbers.nearest,
        _flat,
        code("f64.nearest"),
        notation=Notation(
            doc="The nearest whole number, ties to even.", name="round", shown="round", symmetry="odd"
        ),
    ),
    "sign": _unary(
        numbers.sign,
        _flat,
        Lowered(_lower_sign),
        notation=Notation(
            doc="1 or −1 by the sign of x; ±0 and NaN as they are.",
            aliases=("sgn",),
            shown="sgn",
            bare=True,
            symmetry="odd",
        ),
    ),
    "copysign": _binary(
        numbers.copysign,
        _copysign_partials,
        Lowered(_lower_copysign),
        notation=Notation(doc="|x| with the sign of y; a NaN counts as positive."),
    ),
    "min": _binary(
        numbers.minimum,
        Chooses(lambda b, x, y: b.bi("lt", x, y)),
        code("f64.min"),
        notation=Notation(
            doc="The lesser of x and y; NaN if either is; a tie's derivative goes to y.",
            name="minimum",
            aliases=("min",),
            variadic=True,
            tex=r"\min",
            bare=True,
        ),
    ),
    "max": _binary(
        numbers.maximum,
        Chooses(lambda b, x, y: b.bi("gt", x, y)),
        code("f64.max"),
        notation=Notation(
            doc="The greater of x and y; NaN if either is; a tie's derivative goes to y.",
            name="maximum",
            aliases=("max",),
            variadic=True,
            tex=r"\max",
            bare=True,
        ),
    ),
    # functions of the library
    "exp": _function(lambda b, x, z: (z,), notation=Notation(doc="e to the power x.")),
    "exp2": _function(lambda b, x, z: (b.mul(z, b.const(LN2)),), notation=Notation(doc="2 to the power x.")),
    "expm1": _function(
        lambda b, x, z: (b.un("exp", x),),
        notation=Notation(doc="e to the power x, minus 1, accurate near 0."),
    ),
    "log": _function(
        lambda b, x, z: (_reciprocal(b, x),),
        pole="0",
        domain=NOT_NEGATIVE,
        notation=Notation(doc="The natural logarithm.", aliases=("ln",), shown="ln", tex=r"\ln", bare=True),
    ),
    "log2": _function(
        lambda b, x, z: (b.div(b.const(1.0 / LN2), x),),
        pole="0",
        domain=NOT_NEGATIVE,
        notation=Notation(doc="The logarithm to base 2.", tex=r"\log_{2}", bare=True),
    ),
    "log10": _function(
        lambda b, x, z: (b.div(b.const(1.0 / LN10), x),),
        pole="0",
        domain=NOT_NEGATIVE,
        notation=Notation(doc="The logarithm to base 10.", tex=r"\log_{10}", bare=True),
    ),
    "log1p": _function(
        lambda b, x, z: (_reciprocal(b, b.add(b.const(1.0), x)),),
        pole="-1",
        domain=Domain(lambda x: x >= -1),
        notation=Notation(doc="The natural logarithm of 1 + x, accurate near 0."),
    ),
    "sin": _function(
        lambda b, x, z: (b.un("cos", x),),
        notation=Notation(doc="The sine of x radians.", tex=r"\sin", bare=True, symmetry="odd"),
    ),
    "cos": _function(
        lambda b, x, z: (b.neg(b.un("sin", x)),),
        notation=Notation(doc="The cosine of x radians.", tex=r"\cos", bare=True, symmetry="even"),
    ),
    "tan": _function(
        lambda b, x, z: (b.add(b.const(1.0), _square(b, z)),),
        notation=Notation(doc="The tangent of x radians.", tex=r"\tan", bare=True, symmetry="odd"),
    ),
    "asin": _function(
        lambda b, x, z: (_arc_slope(b, x),),
        pole="±1",
        domain=UNIT,
        notation=Notation(
            doc="The arc sine, from −π/2 to π/2.",
            aliases=("arcsin",),
            tex=r"\arcsin",
            bare=True,
            symmetry="odd",
        ),
    ),
    "acos": _function(
        lambda b, x, z: (b.neg(_arc_slope(b, x)),),
        pole="±1",
        domain=UNIT,
        notation=Notation(doc="The arc cosine, from 0 to π.", aliases=("arccos",), tex=r"\arccos", bare=True),
    ),
    "atan": _function(
        lambda b, x, z: (_reciprocal(b, b.add(b.const(1.0), _square(b, x))),),
        notation=Notation(
            doc="The arc tangent, from −π/2 to π/2.",
            aliases=("arctan",),
            tex=r"\arctan",
            bare=True,
            symmetry="odd",
        ),
    ),
    "atan2": _function(
        _atan2_partials,
        2,
        pole="(0, 0)",
        notation=Notation(
            doc="The angle of the point (y, x = second argument), from −π to π.", aliases=("arctan2",)
        ),
    ),
    "pow": _function(
        _pow_partials,
        2,
        pole="0",
        notation=Notation(
            doc="x to the power y, as IEEE 754 and C have it; ∂/∂y counts 0^y as constant; "
            "at (0, 1) ∂²/∂x∂y is −∞."
        ),
    ),
    "hypot": _function(
        _hypot_partials,
        2,
        notation=Notation(doc="√(x² + y²) without overflow; its derivatives at (0, 0) are 0."),
    ),
    "mod": Primitive(("f64", "f64"), F64, numbers.mod, _mod_partials, LIBRARY),
    "floordiv": Primitive(("f64", "f64"), F64, numbers.floordiv, lambda b, x, y, z: (0, 0), LIBRARY),
    "cbrt": _function(
        lambda b, x, z: (b.div(b.const(1.0), b.mul(b.const(3.0), _square(b, z))),),
        pole="0",
        notation=Notation(doc="The cube root.", symmetry="odd"),
    ),
    "sinh": _function(
        lambda b, x, z: (b.un("cosh", x),),
        notation=Notation(doc="The hyperbolic sine.", tex=r"\sinh", bare=True, symmetry="odd"),
    ),
    "cosh": _function(
        lambda b, x, z: (b.un("sinh", x),),
        notation=Notation(doc="The hyperbolic cosine.", tex=r"\cosh", bare=True, symmetry="even"),
    ),
    "tanh": _function(
        lambda b, x, z: (b.sub(b.const(1.0), _square(b, z)),),
        notation=Notation(doc="The hyperbolic tangent.", tex=r"\tanh", bare=True, symmetry="odd"),
    ),
    "asinh": _function(
        lambda b, x, z: (_reciprocal(b, b.bi("hypot", x, b.const(1.0))),),
        notation=Notation(
            doc="The inverse hyperbolic sine.",
            aliases=("arcsinh", "arsinh"),
            tex=r"\operatorname{arsinh}",
            bare=True,
            symmetry="odd",
        ),
    ),
    "acosh": _function(
        lambda b, x, z: (_acosh_slope(b, x),),
        pole="1",
        domain=Domain(lambda x: x >= 1),
        notation=Notation(
            doc="The inverse hyperbolic cosine.",
            aliases=("arccosh", "arcosh"),
            tex=r"\operatorname{arcosh}",
            bare=True,
        ),
    ),
    "atanh": _function(
        lambda b, x, z: (_reciprocal(b, b.mul(b.sub(b.const(1.0), x), b.add(b.const(1.0), x))),),
        pole="±1",
        domain=UNIT,
        notation=Notation(
            doc="The inverse hyperbolic tangent.",
            aliases=("arctanh", "artanh"),
            tex=r"\operatorname{artanh}",
            bare=True,
            symmetry="odd",
        ),
    ),
    "erf": _function(
        lambda b, x, z: (_erf_slope(b, x),),
        notation=Notation(doc="The error function.", bare=True, symmetry="odd"),
    ),
    "lgamma": _function(
        lambda b, x, z: (b.un("polygamma0", x),),
        domain=NO_POLE_OF_GAMMA,
        notation=Notation(doc="The logarithm of |Γ(x)|.", tex=r"\ln\Gamma"),
    ),
    "polygamma0": _function(lambda b, x, z: (b.un("polygamma1", x),), domain=NO_POLE_OF_GAMMA),
    "polygamma1": _function(lambda b, x, z: (b.un("polygamma2", x),), domain=NO_POLE_OF_GAMMA),
    "polygamma2": _function(lambda b, x, z: (b.un("polygamma3", x),), domain=NO_POLE_OF_GAMMA),
    "polygamma3": _function(lambda b, x, z: (b.bi("polygamma_n", b.const(4.0), x),), domain=NO_POLE_OF_GAMMA),
    # the polygamma function of order n, where n is a whole number and carries no tangent
    "polygamma_n": _function(lambda b, n, x, z: (0, b.bi("polygamma_n", b.add(n, b.const(1.0)), x)), 2),
}
