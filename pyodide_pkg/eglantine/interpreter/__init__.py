"""The interpreter: runs rows on any kind of number, and is the oracle of all tests.

machine: run functions, loops and branches on a stack of frames.
acts: the values of rows that are no primitives: updates, accumulators, checks, prints.
arithmetic: the kinds of number to compute with.
"""
