"""The 173 diagram energies of the Penrose registry: their files, our error bounds, and their times.

`eglantine.diagrams` imports and compiles them.
"""
