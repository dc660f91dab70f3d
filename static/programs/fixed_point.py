# There is no formula for the solution x of x = cos(a x).
# But eg.fixed_point finds x and its derivative by a.
import eglantine as eg


@eg.fn
def solution(a: eg.Real) -> eg.Real:
    return eg.fixed_point(lambda x, a: eg.math.cos(a * x), 0.5, a)


x, slope = eg.value_and_grad(solution)(0.9)
print("x             ", x)
print("dx/da         ", slope)

s = eg.math.sin(0.9 * x)
print("by the theorem", -x * s / (1 + 0.9 * s))
