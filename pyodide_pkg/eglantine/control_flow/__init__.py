"""Allow Python's `if`, `while` and `for` on traced values.

convert: `autograph`, which converts a function.
flow: run the statements of a converted function.
loops: turn Python's `for` and `while` over traced values into loop rows.
rewriter: rewrite a function's syntax tree.
nodes: build and inspect syntax trees.
variables: the variables that a loop or branch changes.
"""
