"""Solvers. Each is a program of the language: a loop that evaluates a function and its derivatives."""
