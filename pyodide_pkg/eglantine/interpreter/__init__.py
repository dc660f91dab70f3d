"""The interpreter runs rows on any kind of number. Tests use it as the oracle.

machine: run functions, loops and branches on a stack of frames.
acts: compute rows that are not primitives: updates, accumulators, checks, prints.
arithmetic: the kinds of number to compute with.
"""
