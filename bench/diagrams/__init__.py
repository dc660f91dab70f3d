"""Check and time the energies of the 173 diagrams in Penrose's registry.

`eglantine.diagrams` imports and compiles the diagrams.
"""
