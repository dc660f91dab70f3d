"""Analyses: they compute the facts about a program on which passes rely.

activity: the rows that can carry a tangent.
conditions: the conditions under which rows matter.
callgraph: the functions that a function calls.
liveness: the rows that a block's results and effects need.
"""
