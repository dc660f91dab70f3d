"""How close energies and gradients are to those that are known."""

from __future__ import annotations

ENERGY_TOLERANCE, GRADIENT_TOLERANCE = 1e-12, 1e-9
"""Relative to the energy, and to the largest element of the gradient or 1."""
NEARLY_CANCELLED = {("molecules/nitricacid-lewis", "x_final"): 2e-5}
"""Where a gradient is the small rest of large terms, so that its last digits are those of sin and cos."""
