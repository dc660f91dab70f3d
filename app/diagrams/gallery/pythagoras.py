"""Pythagoras: squares on the sides of a right triangle."""

from eglantine import diagrams as dg

d = dg.Diagram(420, 420)
A, B, C = (d.circle(r=3, name=n, layer=2) for n in "ABC")
d.polygon([A, B, C], name="triangle", fill="#f3c969", layer=1)
d.ensure(dg.perpendicular((C, A), (C, B)), dg.horizontal((B, C)), A.y - C.y == 90, C.x - B.x == 120)
squares = []
for p, q in ((A, B), (B, C), (C, A)):
    square = d.polygon([p, q, None, None], name=f"square {p.name}{q.name}")
    dx, dy = q.x - p.x, q.y - p.y
    d.ensure(dg.equal((square.x3, square.y3), (q.x + dy, q.y - dx)))
    d.ensure(dg.equal((square.x4, square.y4), (p.x + dy, p.y - dx)))
    letter = d.text({"AB": "c²", "BC": "a²", "CA": "b²"}[p.name + q.name], layer=2)
    d.ensure(dg.equal(letter, square))
    squares.append(square)
