"""Plain Python values: their types, and how they flatten into leaves.

marshal: convert between plain values and leaves.
typeof: infer the type of a plain value.
symbolic: the words for traced values in messages, and the builder of the current trace.
"""
