"""Transcendental functions. Each is written with the operations of `Ops`, and compiled like other functions.

A function's parameters after `o` are its f64 arguments. Its result is an f64, except that `remainder_huge`
returns three. In the docstrings, "0.74 seen" means that 0.74 ulp is the largest error against mpmath on about
20,000 points (tests/mathlib, nightly).
"""
