"""Solvers. Each solver is an Eglantine program: a loop that evaluates a function and its derivatives."""
