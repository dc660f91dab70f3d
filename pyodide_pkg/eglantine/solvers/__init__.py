"""Solvers: loops around a value and its derivatives that are programs of the language."""
