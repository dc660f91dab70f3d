"""Solvers: programs of the language that loop over a function's value and derivatives."""
