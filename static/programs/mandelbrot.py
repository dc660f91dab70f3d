# Mandelbrot's set. Eglantine compiles Python's own while
# loop. The smooth count of its rounds has a derivative.
import eglantine as eg


@eg.fn(control_flow=True)
def rounds(x: eg.Real, y: eg.Real) -> eg.Real:
    re, im, n = 0.0, 0.0, 0.0
    while (re * re + im * im < 100.0) & (n < 60.0):
        re, im, n = re * re - im * im + x, 2.0 * re * im + y, n + 1.0
    return n - eg.math.log2(eg.math.log2(re * re + im * im + 2.0))


image = eg.compile(rounds)
for j in range(11):
    ys = [1.1 - 0.22 * j] * 46
    xs = [-2.0 + 0.06 * i for i in range(46)]
    shades = [min(9, max(0, int(n / 6))) for n in image.batch(xs, ys)]
    print("".join(" .:-=+*#%@"[shade] for shade in shades))

print("the slope outside:", eg.grad(rounds, (0, 1))(-0.8, 0.4))
