# Press Run, then click a token: its rows light up, those
# of its derivatives, and the WebAssembly of both.
import eglantine as eg


@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y + eg.math.sin(x) * y


print("f          ", f(2.0, 3.0))
print("gradient   ", eg.grad(f, (0, 1))(2.0, 3.0))
print("in x, twice", eg.grad(eg.grad(f))(2.0, 3.0))
