"""Optimisation: from a function as written to the functions that are emitted.

pipeline: the steps of optimisation, in their order.
fastmath: cheaper forms of divisions and long sums that are not exact.
joining: neighbouring loops become one.
sums_in_arms: additions to accumulators move into the arms of branches.
rolling: straight-line code that repeats itself becomes loops.
"""
