"""Describe, as short texts, what reverse mode does at each instruction of a Bril program.

In these texts, ∂x is the derivative of the program's result with respect to x. Reverse mode visits the
instructions from last to first. If an instruction computes z from x, it adds ∂z times the partial derivative
of z to ∂x. The compiled code computes the same sums and products.
"""

from __future__ import annotations

from eglantine.bril.syntax import FLOAT, Instruction

_SHARES = {
    "fadd": ("∂{z}", "∂{z}"),
    "fsub": ("∂{z}", "−∂{z}"),
    "fmul": ("∂{z}·{b}", "∂{z}·{a}"),
    "fdiv": ("∂{z}/{b}", "−∂{z}·{z}/{b}"),
    "id": ("∂{z}",),
}
"""For each arithmetic operation on floats, and for `id`, what reverse mode adds to each operand's derivative.
"""

_FLOATS = {
    "call": "back through @{f} with ∂{z}",
    "load": "∂(cell of {a}) += ∂{z}",
    "get": "∂(shadow of {z}) += ∂{z}",
    "grad": "back through the derivative of @{f}",
}
"""For each other operation whose result is a float, a text that says what reverse mode does."""

_EFFECTS = {
    "store": "∂{b} += ∂(cell of {a})",
    "set": "∂{b} += ∂(shadow of {a})",
    "br": "go back along the edge that was taken",
    "jmp": "go back along the edge that was taken",
    "call": "back through @{f}",
    "print": "the last float printed begins with ∂ = 1",
}
"""For each operation that returns no float, a text that says what reverse mode does."""


def pullback(item: Instruction) -> str:
    """Describe what reverse mode does at an instruction. Return "" if it does nothing there."""
    a, b = (*item.args, "", "")[:2]
    names = {"z": item.dest, "a": a, "b": b, "f": item.funcs[0] if item.funcs else ""}
    if item.op == "ret":
        return f"begin with ∂{a} = ∂result" if a else "begin here"
    if item.type == FLOAT and item.dest is not None:
        shares = _SHARES.get(item.op, ())
        told = ", ".join(f"∂{name} += {share}" for name, share in zip(item.args, shares, strict=False))
        return (told or _FLOATS.get(item.op, "")).format(**names)
    return _EFFECTS.get(item.op, "").format(**names)
