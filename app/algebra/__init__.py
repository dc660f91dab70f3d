"""Formulas for people to read: recognised in the rows of the IR, simplified, and typeset as TeX."""
