"""Rewriting: copy rows while inlining, pruning, lowering or hoisting them.

moving: copy loops and branches with rows from before them moved into their bodies.
copying: copy rows, loops and branches into a builder.
hoisting: move rows that do not depend on the round out of a loop.
inlining: replace calls by the bodies of the called functions.
nested: open and close the copy of a loop's body or a branch's arm.
plain_rows: copy a row that holds no body.
effects: the rows that act on the world, and programs without them.
environment: where the rows of a block stand in its copy.
outermost: build a row in the outermost block that has its operands.
unrolling: the loops that are short enough to be written out.
"""
