"""Tracing: run a Python function on symbols to obtain rows.

complexes: complex numbers.
loops: `fori_loop`, `scan` and `while_loop`.
maths: the functions of `eg.math`.
products: `eg.dot` and `eg.norm`.
choices: `eg.select` and `eg.cond`.
elementwise: apply functions of numbers to the elements of Vecs, and convert lists to Vecs.
tracer: trace a Python function.
from_numpy: NumPy functions that are called with traced values.
mistakes: explain errors that Python and NumPy raise about traced values.
printing: `eg.debug_print`.
sums: `eg.vec` and `eg.sum`.
types_of: the type of a value while a function is being traced.
vectors: traced Vecs, and conversions between values and rows.
bodies: trace a user's function as the body of a loop or branch.
carries: the type of a loop's carry.
leaves: turn the leaves of a value into rows.
common_types: find a type that two values of different types can have, such as the arms of a branch.
scalars: traced Reals, Bools and indices, and their operators.
traced: the base class of all traced values.
arguments: check the functions and texts that users pass.
callee: find the function of Python or NumPy that was called with a traced value.
"""
