"""Optimisation: from a function as written to the functions that are emitted."""
