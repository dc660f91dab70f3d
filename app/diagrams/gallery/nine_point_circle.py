"""Feuerbach's circle: it passes through the midpoints of a triangle's sides and the feet of its altitudes."""

from eglantine import diagrams as dg

d = dg.Diagram(360, 320, seed=3)
corners = [d.circle(r=4, name=n, layer=2) for n in "ABC"]
A, B, C = corners
d.polygon(corners, name="triangle", fill="none")
sides = [(B, C), (C, A), (A, B)]
d.ensure(dg.in_canvas(A, 30), dg.in_canvas(B, 30), dg.in_canvas(C, 30))
d.ensure((B.x - A.x) * (C.y - A.y) - (B.y - A.y) * (C.x - A.x) > 40000)
for p, (q, r) in zip(corners, sides, strict=False):  # the triangle is acute
    d.ensure((q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y) > 6000)
circle = d.circle(name="nine-point circle", fill="none", stroke="#b3472f")
for p, (q, r) in zip(corners, sides, strict=False):
    middle = d.circle((q.x + r.x) / 2, (q.y + r.y) / 2, 3, name=f"middle {q.name}{r.name}", fill="#b3472f")
    foot = d.circle(r=3, name=f"foot {p.name}", fill="#2f7d4f", layer=1)
    d.ensure(dg.collinear(q, foot, r), dg.perpendicular((p, foot), (q, r)))
    d.line(p, foot, stroke="#8a8a94", stroke_width=1, name=f"height {p.name}")
    d.ensure(dg.on_curve(middle, circle))
