"""How long tests wait: a slow answer on a busy machine is no failure, and no answer is one."""

PATIENCE_S = 120
"""Seconds to wait for an answer that a quiet machine gives in less than one."""
LONGEST_TEST_S = 900
"""Seconds for a whole test of a usual run. A longer test counts as hanging: it fails and shows its stacks."""
