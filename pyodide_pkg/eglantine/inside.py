"""The compiler's internal names, for tools and pages that show or extend the compiler.

A program can use them to look at the rows that the compiler makes, to build other rows, and to watch how rows
are compiled. The names may change in any version.
"""

from __future__ import annotations

from eglantine.analysis.activity import activity
from eglantine.analysis.liveness import live_rows
from eglantine.autodiff.forward import push
from eglantine.autodiff.fusion import fused
from eglantine.autodiff.inlining import block_of
from eglantine.autodiff.ledger import Ledger
from eglantine.autodiff.plans import planned
from eglantine.autodiff.reverse import begin_sweep
from eglantine.emit.batch import driver
from eglantine.emit.module import emit
from eglantine.emit.witness import Owner, Witness
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import ARITY, PRIMITIVES, SCALARS, STRAIGHT, operands
from eglantine.ir.printer import reachable
from eglantine.ir.program import NESTING, Block, Function
from eglantine.ir.row_types import F64, ZERO, Array, Row
from eglantine.ir.rules import NO_TANGENT, Chooses
from eglantine.leaves import leaves
from eglantine.optimise.pipeline import optimise, ready_library
from eglantine.rewrite.copying import copied
from eglantine.rewrite.environment import identity
from eglantine.rewrite.inlining import called_in_place
from eglantine.runtime.engines import default_host
from eglantine.wasm.opcodes import OPCODES
from eglantine.wasm.text import Disassembler

__all__ = [
    "ARITY", "F64", "NESTING", "NO_TANGENT", "OPCODES", "PRIMITIVES", "SCALARS", "STRAIGHT", "ZERO",
    "Array", "Block", "Builder", "Chooses", "Disassembler", "Function", "Ledger", "Owner", "Row", "Witness",
    "activity", "begin_sweep", "block_of", "called_in_place", "copied", "default_host", "driver", "emit",
    "fused", "identity", "leaves", "live_rows", "operands", "optimise", "planned", "push",
    "reachable", "ready_library",
]  # fmt: skip
