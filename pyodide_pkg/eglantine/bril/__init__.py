r"""Read, run and differentiate programs in Bril, a small language with jumps.

from eglantine import bril

p = bril.parse("@main(x: float) { y: float = fmul x x; print y; }")
p.run(3.0)                            # '9.00000000000000000\n'
"""

from .mistakes import BrilError, BrilFuelError
from .program import Program, parse

__all__ = ["BrilError", "BrilFuelError", "Program", "parse"]
