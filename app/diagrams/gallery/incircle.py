"""A triangle with its inscribed and its circumscribed circle."""

from eglantine import diagrams as dg

d = dg.Diagram(340, 320, seed=5)
corners = [d.circle(r=4, name=n, layer=1) for n in "ABC"]
A, B, C = corners
triangle = d.polygon(corners, name="triangle", fill="none")
d.ensure((B.x - A.x) * (C.y - A.y) - (B.y - A.y) * (C.x - A.x) > 30000)
inner = d.circle(name="incircle", fill="#cfe0c3")
outer = d.circle(name="circumcircle", fill="none", stroke="#2b5c9e", layer=-1)
for k, corner in enumerate(corners):
    d.ensure(dg.on_curve(corner, outer))
    side = d.line(corner, corners[k - 1], name=f"side {k}", stroke_width=0.5)
    d.ensure(dg.equal(dg.distance((inner.x, inner.y), side), inner.r))
d.ensure(dg.inside_polygon(inner, triangle))
