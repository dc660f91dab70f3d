# Every round of Newton's method needs a derivative. Here
# we also compute the derivative of the whole method.
import eglantine as eg


@eg.fn
def p(x: eg.Real, a: eg.Real) -> eg.Real:
    return x * x * x - a


@eg.fn
def root(a: eg.Real) -> eg.Real:
    def step(i, x):
        return x - p(x, a) / eg.grad(p)(x, a)

    return eg.fori_loop(0, 40, step, 1.0)


print("cube root of 2", root(2.0))
print("its derivative", eg.grad(root)(2.0))
print("expected      ", 1 / (3 * root(2.0) ** 2))
