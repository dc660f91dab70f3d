"""Formulas recognised in rows, simplified and typeset."""
