"""Tracing: call a Python function with symbols, and record its operations. A recorded operation is a row.

complexes: complex numbers.
loops: `fori_loop`, `scan` and `while_loop`.
maths: the functions of `eg.math`.
products: `eg.dot` and `eg.norm`.
choices: `eg.select` and `eg.cond`.
elementwise: apply functions of numbers to the elements of Vecs, and convert lists to Vecs.
tracer: trace a Python function.
from_numpy: calls of NumPy functions with traced values.
mistakes: explain errors of Python and NumPy that traced values cause.
printing: `eg.debug_print`.
sums: `eg.vec` and `eg.sum`.
types_of: find the type of a value while a function is traced.
vectors: traced Vecs, and conversions between values and rows.
bodies: trace a user's function as the body of a loop or branch.
carries: find the type of a loop's carry.
leaves: turn the leaves of a value into rows.
common_types: find one type for two values of different types, such as the results of two branches.
scalars: traced Reals, Bools and indices, and their operators.
traced: the base class of all traced values.
arguments: check the functions and texts that users pass.
callee: find the function of Python or NumPy that was called with a traced value.
"""
