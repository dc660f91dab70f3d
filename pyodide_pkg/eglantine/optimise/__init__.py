"""Optimisation: turn a traced function into functions that are ready for emission.

pipeline: the steps of optimisation, in their order.
fastmath: replace divisions and long sums by cheaper forms that are not exact.
units: replace an array with only one element other than 0 by a comparison of indices.
stacking: replace an accumulator by an array that a loop makes, if each element has only one term.
apart: split nested loops with several accumulators, so that each accumulator gets its own nested loops.
joining: join loops that have the same rounds.
sums_in_arms: move additions to accumulators into the arms of branches.
rolling: turn repeated straight-line code into loops.
vectors: inline the library's functions in loops that run two rounds at a time.
batches: make a loop that computes a function of Reals at many points.
"""
