"""How long tests wait for what must come: a busy machine is no failure, and waiting for ever is."""

PATIENCE_S = 120
"""For an answer that a quiet machine gives in less than a second."""
LONGEST_TEST_S = 900
"""For a whole test of a usual run. One that takes longer counts as hanging: it fails and shows its stacks."""
