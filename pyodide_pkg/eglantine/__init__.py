"""Eglantine: composable automatic differentiation for the interactive web.

Trace a Python function, differentiate it, compile it:

    import eglantine as eg

    @eg.fn
    def f(x: eg.Real, y: eg.Real) -> eg.Real:
        return x ** y

    eg.grad(f, (0, 1))(2.0, 3.0)          # (12.0, 5.545177444479562)
    eg.compile(eg.hessian(f, (0, 1)))     # WebAssembly, in the browser or through wasmtime
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import TypeAlias as _TypeAlias

from eglantine.trace import maths as math

from .api import Jit, compile, compile_artifact, compile_async, interp, jit
from .control_flow.convert import autograph
from .emit.artifact import Artifact
from .errors import (
    AssertionFailedError,
    CompileError,
    EglantineError,
    EscapedTracerError,
    FormulaError,
    FuelError,
    LimitError,
    MissingDerivativeError,
    NotFiniteError,
    ShapeError,
    Span,
    TracerBoolError,
    TypeMismatchError,
)
from .functions.derivatives import grad, jvp, linearize, value_and_grad, vjp
from .functions.fixed_points import fixed_point
from .functions.fn import Fn, fn, opaque
from .functions.hooks import hook, stop_gradient
from .functions.jacobians import hessian, hvp, jacfwd, jacrev
from .functions.policies import checkpoint, forward, nest_level, rolled
from .runtime.kernel import Kernel
from .trace.choices import cond, select
from .trace.complexes import Complex
from .trace.elementwise import asarray, index, real
from .trace.loops import fori_loop, scan, while_loop
from .trace.printing import debug_print
from .trace.products import dot, norm
from .trace.sums import sum_ as sum
from .trace.sums import vec
from .types import Fin, Vec, struct

__version__ = "0.1.0"

__all__ = [
    "Array", "Artifact", "AssertionFailedError", "Bool", "CompileError", "Complex", "Diagnosis",
    "EglantineError", "EscapedTracerError", "Fin", "Fn", "FormulaError", "FuelError", "Interval", "Jit",
    "Kernel", "LimitError", "MissingDerivativeError", "NotFiniteError", "Real", "ShapeError", "Span",
    "Sparse", "TracerBoolError", "TypeMismatchError", "Unit", "Vec", "asarray", "autograph",
    "check_grads", "checkpoint", "choice", "compile", "compile_artifact", "compile_async", "cond",
    "curve_fit", "debug_print", "diagnose", "dot", "export", "exported", "figure", "fixed_point", "fn",
    "fori_loop", "forward", "grad", "graph", "hessian", "hook", "hvp", "index", "interp", "jacfwd",
    "jacobian", "jacrev", "jit", "jvp", "least_squares", "linearize", "math", "minimize", "minimizer",
    "nest_level", "norm", "odeint", "opaque", "picture", "point", "quad", "random", "real", "rolled",
    "root", "scan", "select", "slider", "sparse_hessian", "sparse_jacobian", "sparsity", "stepper",
    "stop_gradient", "struct", "sum", "taylor", "value_and_grad", "vec", "vjp", "vmap", "while_loop",
    "widget",
]  # fmt: skip


if _TYPE_CHECKING:  # to type checkers, a Real is a float
    Real: _TypeAlias = float
    Bool: _TypeAlias = bool
    Unit: _TypeAlias = None

    from .checking.diagnose import diagnose
    from .checking.diagnosis import Diagnosis
    from .checking.gradients import check_grads
    from .exports.script import export, exported
    from .figures.controls import choice, picture, point, slider
    from .figures.figure import figure
    from .functions.choosing import jacobian
    from .graphs.graphing import graph
    from .integration.initial_values import odeint
    from .integration.quadrature import quad
    from .notebook.widget import widget
    from .numpy import random
    from .numpy.eager import Array
    from .numpy.mapping import vmap
    from .series.intervals import Interval
    from .series.taylor import taylor
    from .solvers.curve_fit import curve_fit
    from .solvers.least_squares import least_squares
    from .solvers.minimizing import minimize
    from .solvers.root import root
    from .solvers.stepping import minimizer, stepper
    from .sparse.jacobians import Sparse, sparse_hessian, sparse_jacobian
    from .sparse.patterns import sparsity
else:  # hidden from type checkers, which would accept every name if they saw `__getattr__`
    from .types import Bool, Real, Unit

    _ON_REQUEST = {
        "Array": "numpy.eager",
        "Diagnosis": "checking.diagnosis",
        "Interval": "series.intervals",
        "Sparse": "sparse.jacobians",
        "check_grads": "checking.gradients",
        "choice": "figures.controls",
        "curve_fit": "solvers.curve_fit",
        "diagnose": "checking.diagnose",
        "export": "exports.script",
        "exported": "exports.script",
        "figure": "figures.figure",
        "graph": "graphs.graphing",
        "jacobian": "functions.choosing",
        "least_squares": "solvers.least_squares",
        "odeint": "integration.initial_values",
        "picture": "figures.controls",
        "point": "figures.controls",
        "quad": "integration.quadrature",
        "minimize": "solvers.minimizing",
        "minimizer": "solvers.stepping",
        "random": "numpy.random",
        "root": "solvers.root",
        "slider": "figures.controls",
        "sparse_hessian": "sparse.jacobians",
        "sparse_jacobian": "sparse.jacobians",
        "sparsity": "sparse.patterns",
        "taylor": "series.taylor",
        "stepper": "solvers.stepping",
        "vmap": "numpy.mapping",
        "widget": "notebook.widget",
    }  # these modules are imported on first use, because most pages need none of them

    def __dir__() -> list[str]:
        return sorted(__all__)

    def __getattr__(name: str) -> object:
        if name in _ON_REQUEST:
            module = _import_module(f".{_ON_REQUEST[name]}", __name__)
            globals()[name] = value = getattr(module, name, module)  # eg.random is a module itself
            return value
        from .unknown import unknown_name

        raise unknown_name(name, "eg", __all__)
