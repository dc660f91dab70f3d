"""Time limits of tests. They are long, because a busy machine may answer late."""

PATIENCE_S = 120
"""The time in seconds that a test waits for an answer. A machine that is not busy answers in less than a
second."""
LONGEST_TEST_S = 900
"""The largest time in seconds for one test of a usual run. A test that takes longer counts as hanging. It
fails, and the stacks of its threads are shown."""
