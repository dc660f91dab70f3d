"""How long tests wait. A busy machine may answer late, so only a missing answer counts as a failure."""

PATIENCE_S = 120
"""Seconds to wait for an answer that a quiet machine gives in less than one."""
LONGEST_TEST_S = 900
"""Seconds for a whole test of a usual run. A longer test counts as hanging: it fails and shows its stacks."""
