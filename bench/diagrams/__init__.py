"""The 173 diagram energies of the Penrose registry: where their files are, their bounds, and their times.

`eglantine.diagrams` imports and compiles them.
"""
