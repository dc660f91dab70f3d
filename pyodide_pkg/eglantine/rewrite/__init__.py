"""Rewriting: copy rows while inlining, pruning, lowering or hoisting them.

moving: copy branches, and move rows into the bodies of the branch or loop that follows them.
copying: copy rows, loops and branches into a builder.
hoisting: move rows out of a loop if they do not depend on the round.
inlining: replace calls by the bodies of the called functions.
nested: begin and finish the copy of a loop's body or a branch's arm.
plain_rows: copy a row that holds no body.
effects: find the rows that print or call impure functions, and remove them from a program.
environment: map the rows of a block to the rows of its copy.
outermost: build a row in the outermost block that has all operands of the row.
unrolling: find the loops that are short enough to be unrolled.
"""
