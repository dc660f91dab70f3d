"""The programs of ADBench, a public benchmark of automatic differentiation, as functions of Eglantine.

Each problem has a module that makes its model function and the model's derivative for given sizes. The module
`cases` has the inputs and the expected results.
"""
