"""Programs in NumPy's style that run with NumPy, JAX and eglantine.numpy.

The first parameter of a program, `np`, is one of these three modules. `tools/forty.py` records the results of
JAX, and `tests/numpy/test_forty.py` compares the results of eglantine.numpy with them.
"""
