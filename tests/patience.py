"""Time limits of tests. They are long, because a busy machine may answer late."""

PATIENCE_S = 120
"""Seconds to wait for an answer that a quiet machine gives in less than one."""
LONGEST_TEST_S = 900
"""Seconds for a whole test of a usual run. A longer test counts as hanging: it fails and shows its stacks."""
