# Fifty digits: a gradient computed with the numbers of
# mpmath, a package that this site serves.
import micropip

await micropip.install("mpmath")

import mpmath

import eglantine as eg

mpmath.mp.dps = 50


@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x * y / (x * x + y)


third = mpmath.mpf(1) / 3
exact = eg.interp(eg.grad(f))(third, mpmath.mpf(2))
print(exact)
print(eg.grad(f)(1 / 3, 2.0), "in floating point")
