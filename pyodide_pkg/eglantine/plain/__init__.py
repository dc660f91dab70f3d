"""Plain Python values: their types, and how they flatten into leaves.

marshal: between plain values and leaves.
typeof: the type of a plain value that nothing declares.
symbolic: traced values as messages name them, and the builder of the trace that is under way.
"""
