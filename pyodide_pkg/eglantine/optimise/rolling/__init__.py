"""Rolling: turn repeated straight-line code into loops.

rolled: roll up a block, with the functions of the other modules.
rebuild: write a new block with loops in place of repeated regions.
plan: group regions into loops, and choose an array for each operand of a loop.
regions: find regions of rows that have the same shape.
"""
