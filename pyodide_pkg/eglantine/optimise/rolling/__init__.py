"""Rolling: straight-line code that repeats itself becomes loops.

rolled: the pass itself.
rebuild: write a block anew with loops in place of repeated regions.
plan: group regions into loops, and choose where each operand comes from.
regions: find regions of rows that have the same shape.
"""
