"""How close energies and gradients are to those that are known."""

from __future__ import annotations

ENERGY_TOLERANCE, GRADIENT_TOLERANCE = 1e-12, 1e-9
"""Relative to the energy, and to the largest element of the gradient or 1."""
NEARLY_CANCELLED = {("molecules/nitricacid-lewis", "x_final"): 1e-4}
"""Where a gradient is the small rest of large terms, of 1e13 · violations: that which is known is 3.1e-4 of
its largest element from the one that 200 bits give, ours 2.8e-4, so that they differ by 2.9e-5."""
