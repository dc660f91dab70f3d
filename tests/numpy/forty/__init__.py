"""Whole programs in NumPy's style: each is written once, and runs under NumPy, JAX and eglantine.numpy.

A program takes the module of arrays as `np`, then its arrays, and returns numbers or arrays. `tools/forty.py`
records what JAX computes, and `tests/numpy/test_forty.py` compares ours with it.
"""
