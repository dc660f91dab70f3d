"""The 173 diagram energies of the Penrose registry: straight-line programs, as a page would compile them.

They are data outside the repository: `../shared/reference/diagrams`, or the folder that the environment
variable EGLANTINE_DIAGRAMS names.
"""
