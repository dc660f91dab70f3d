# Where is a pendulum after two seconds, and how does this
# place depend on its length? eg.scan runs all the steps.
import eglantine as eg

STEPS, DT = 200, 0.01


@eg.fn
def swing(angle: eg.Real, length: eg.Real) -> eg.Real:
    def step(state, _):
        theta, omega = state
        omega = omega - DT * 9.81 / length * eg.math.sin(theta)
        theta = theta + DT * omega
        return (theta, omega), theta

    (theta, _), _ = eg.scan(step, (angle, 0.0), None, STEPS)
    return theta


print("after", STEPS * DT, "seconds:", swing(0.5, 1.0))
print("by the length:", eg.grad(swing, 1)(0.5, 1.0))
