"""A chain of links of equal length that hangs as low as it can: a catenary."""

from eglantine import diagrams as dg

d = dg.Diagram(360, 240)
links = 16
start, end = (-150, 90), (150, 90)
chain = d.polyline([start, *[None] * (links - 1), end], name="chain", stroke_width=3)
for p, q in zip(chain.points, chain.points[1:], strict=False):
    dx, dy = (q[0] - p[0]) / 26, (q[1] - p[1]) / 26
    d.ensure(dx**2 + dy**2 == 1)
d.encourage(dg.minimise(sum(y for _, y in chain.points[1:-1])), weight=50)
for name, (x, y) in (("left nail", start), ("right nail", end)):
    d.circle(x, y, 5, name=name, fill="#1b1b1f")
