"""The interpreter runs rows on any kind of number. Tests compare compiled code with it.

machine: run functions, loops and branches on a stack of frames.
acts: run rows that are not primitives, such as updates, accumulators, checks and prints.
arithmetic: the kinds of number that the interpreter computes with.
"""
