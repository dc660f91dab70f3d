"""A commutative diagram: objects on a square, and arrows that end just before the objects."""

from eglantine import diagrams as dg

d = dg.Diagram(320, 260)
corner = {"A": (0, 1), "B": (1, 1), "C": (0, 0), "D": (1, 0)}
objects = {name: d.text(name, size=22, name=name) for name in corner}
A, B, C, D = objects.values()
arrows = [("f", A, B), ("g", A, C), ("h", B, D), ("k", C, D), ("m", A, D)]
for name, start, end in arrows:
    arrow = d.line(arrow="end", name=name)
    label = d.text(name, size=14, name=f"label {name}")
    d.ensure(dg.collinear(start, arrow.start, arrow.end, end))
    d.ensure(dg.at_distance(start, arrow.start, 8), dg.at_distance(arrow.end, end, 8))
    d.ensure(dg.disjoint(arrow, start), dg.disjoint(arrow, end))
    d.ensure(dg.disjoint(label, arrow, 4), dg.in_canvas(label, 5))
    d.encourage(dg.near(label, arrow), weight=0.1)
d.ensure(dg.horizontal((A, B)), dg.horizontal((C, D)), dg.vertical((A, C)), dg.vertical((B, D)))
d.ensure(B.x - A.x > 180, A.y - C.y > 130)
d.encourage(dg.centred(((A.x + D.x) / 2, (A.y + D.y) / 2)))
