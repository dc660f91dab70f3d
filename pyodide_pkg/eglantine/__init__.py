"""Eglantine: composable automatic differentiation for the interactive web.

Trace a Python function, differentiate it, compile it:

    import eglantine as eg

    @eg.fn
    def f(x: eg.Real, y: eg.Real) -> eg.Real:
        return x ** y

    eg.grad(f, (0, 1))(2.0, 3.0)          # (12.0, 5.545177444479562)
    eg.compile(eg.hessian(f, (0, 1)))     # WebAssembly, in the browser or through wasmtime
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import maths as math
from .api import (
    Artifact,
    Jit,
    Kernel,
    compile,
    compile_artifact,
    compile_async,
    interp,
    jit,
)
from .autograph import autograph
from .checks import check_grads
from .complexes import Complex
from .control import asarray, cond, debug_print, dot, norm, real, select, vec
from .control import sum_ as sum
from .derivatives import grad, hessian, hvp, jacfwd, jacrev, jvp, linearize, value_and_grad, vjp
from .diagnose import Diagnosis, diagnose
from .errors import (
    AssertionFailedError,
    CompileError,
    EglantineError,
    EscapedTracerError,
    FormulaError,
    FuelError,
    LimitError,
    MissingDerivativeError,
    ShapeError,
    Span,
    TracerBoolError,
    TypeMismatchError,
)
from .export import export, exported
from .functions import Fn, fn, opaque
from .hooks import hook
from .implicit import fixed_point
from .loops import fori_loop, scan, while_loop
from .policies import checkpoint, forward, nest_level, rolled
from .types import Bool, Fin, Real, Unit, Vec, struct

__version__ = "0.1.0"

__all__ = [
    "Artifact", "AssertionFailedError", "Bool", "CompileError", "Complex", "Diagnosis", "EglantineError",
    "EscapedTracerError", "Fin", "Fn", "FormulaError", "FuelError", "Jit", "Kernel", "LimitError",
    "MissingDerivativeError", "Real", "ShapeError", "Span", "TracerBoolError", "TypeMismatchError",
    "Unit", "Vec", "asarray", "autograph", "check_grads", "checkpoint", "compile", "compile_artifact",
    "compile_async", "cond", "debug_print", "diagnose", "dot", "export", "exported", "fixed_point", "fn",
    "fori_loop", "forward", "grad", "hessian", "hook", "hvp", "interp", "jacfwd", "jacrev", "jit", "jvp",
    "linearize", "math", "nest_level", "norm", "opaque", "real", "rolled", "scan", "select", "struct",
    "sum", "value_and_grad", "vec", "vjp", "while_loop",
]  # fmt: skip


if not _TYPE_CHECKING:  # a type checker would take every name to be known

    def __getattr__(name: str) -> object:
        from .unknown import unknown_name

        raise unknown_name(name, "eg", __all__)
