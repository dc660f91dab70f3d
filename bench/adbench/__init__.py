"""The programs of ADBench, a public benchmark of automatic differentiation, as functions of Eglantine.

A module a problem, with the model and its derivative, made for given sizes.
`cases` has inputs, and what is expected.
"""
