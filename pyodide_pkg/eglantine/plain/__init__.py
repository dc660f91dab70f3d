"""Plain Python values: their types, and how they flatten into leaves.

marshal: convert plain values to leaves, and leaves to plain values.
typeof: infer the type of a plain value.
symbolic: the base class of traced values, their names in error messages, and the current builder.
"""
