"""How close energies and gradients are to those that are known."""

from __future__ import annotations

ENERGY_TOLERANCE, GRADIENT_TOLERANCE = 1e-12, 1e-9
"""Relative to the energy, and to the largest element of the gradient or 1."""
NEARLY_CANCELLED = {("molecules/nitricacid-lewis", "x_final"): 2e-5}
"""The bound that comes with the graphs for a gradient that is the small rest of terms of 1e13 · violations.

The recorded one is 7.7e-4 of its largest element away from the exact one (70 digits), for violations are
rounded before they are multiplied; so are ours and that of a plain backward sweep over the graph in
doubles, 7.5e-4. What differs between these is how a sweep rounds: from the recorded one the plain sweep is
1.7e-5 away, ours 1.4e-5. Of the gradient that is computed exactly (60 digits) of the values that doubles
have, the recorded one misses 3.0e-5, ours 3.7e-5, the plain sweep 4.6e-5. So the bound holds for who rounds
as was recorded, and no order of sums, nor any care, makes it hold by principle: an exact sweep is outside
of it. In what order the loops come, or their rounds, changes nothing of our 1.4e-5; which terms are rounds
does: with loops for groups of fewer terms too (`energy.LEAST_SAVED` = 40) it would be 2.9e-5, without loops
2.0e-5.
"""
