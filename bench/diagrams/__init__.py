"""The energies of the 173 diagrams in Penrose's registry: their files, the errors we allow, and their times.

`eglantine.diagrams` imports and compiles them.
"""
