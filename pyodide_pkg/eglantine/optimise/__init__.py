"""Optimisation: turn a function as it was traced into the functions that are emitted.

pipeline: the steps of optimisation, in their order.
fastmath: replace divisions and long sums by cheaper forms that are not exact.
joining: join neighbouring loops into one.
sums_in_arms: move additions to accumulators into the arms of branches.
rolling: turn repeated straight-line code into loops.
vectors: inline the library's functions in loops that run two rounds at a time.
batches: make the loop over many points of a function of Reals.
"""
