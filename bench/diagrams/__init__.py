"""Measure the energies of the 173 diagrams in Penrose's registry: check their values, and time them.

`eglantine.diagrams` imports and compiles them.
"""
