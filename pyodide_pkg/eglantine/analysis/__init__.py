"""The analyses, which compute facts about a program for other passes of the compiler.

activity: the rows that can carry a tangent.
conditions: the conditions under which a row's value influences the result.
callgraph: the functions that a function calls.
liveness: the rows that a block must compute for its results and effects.
"""
