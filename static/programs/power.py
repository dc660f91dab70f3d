# Press Run, then click any part of the program. The code
# made from it lights up, its derivatives in green.
import eglantine as eg


@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y + eg.math.sin(x) * y


print("f          ", f(2.0, 3.0))
print("gradient   ", eg.grad(f, (0, 1))(2.0, 3.0))
print("in x, twice", eg.grad(eg.grad(f))(2.0, 3.0))
