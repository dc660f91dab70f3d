"""The known energies and gradients of diagrams, and how far our numbers may differ from them."""

from __future__ import annotations

ENERGY_TOLERANCE, GRADIENT_TOLERANCE = 1e-12, 1e-9
"""The first is relative to the energy. The second is relative to the gradient's largest element, or to 1."""
NEARLY_CANCELLED = {("molecules/nitricacid-lewis", "x_final"): 2e-5}
"""A larger tolerance for one gradient: the allowed distance from our gradient to the recorded gradient.

The bound came with the graphs. In this gradient, terms of the size 1e13 · (violation of a relation) nearly
cancel. All distances here are relative to the gradient's largest element.

Violations are rounded before they are multiplied by 1e13. So every gradient computed in doubles is far from
the exact gradient, which we computed with 70 digits. The recorded gradient is 7.7e-4 from the exact gradient.
Our gradient is 7.5e-4 from it, and so is the gradient of a plain backward sweep over the graph.

The recorded gradient, ours and the plain sweep's differ only in how they round in the backward sweep. The
plain sweep's gradient is 1.7e-5 from the recorded gradient, and ours is 1.4e-5 from it. We also computed the
backward sweep with 60 digits, from the values in doubles. From its result, the recorded gradient is 3.0e-5
away, ours 3.7e-5, and the plain sweep's 4.6e-5. So an exact sweep would break the bound. Only sweeps that
round like the recorded sweep satisfy it. No careful summation can guarantee that.

Our distance of 1.4e-5 does not depend on the order of loops or of their rounds. It depends on which terms
become rounds of loops. If smaller groups became loops too (`energy.LEAST_SAVED` = 40), it would be 2.9e-5.
Without loops it would be 2.0e-5.
"""
