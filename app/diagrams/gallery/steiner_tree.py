"""The shortest network of roads between four towns. Its roads meet at angles of 120 degrees."""

from eglantine import diagrams as dg
from eglantine import math as m

d = dg.Diagram(320, 240)
towns = [
    d.circle(x, y, 6, name=n, layer=1)
    for n, x, y in (("A", -120, 80), ("B", -120, -80), ("C", 120, 80), ("D", 120, -80))
]
A, B, C, D = towns
left, right = (
    d.circle(dg.unknown(x), dg.unknown(5), 4, name=n, fill="#b3472f", layer=1)
    for n, x in (("left", -40), ("right", 40))
)
roads = [(A, left), (B, left), (left, right), (right, C), (right, D)]
total = 0
for a, b in roads:
    d.line(a, b, name=f"road {a.name} {b.name}", stroke_width=3)
    total = total + m.hypot(a.x - b.x, a.y - b.y)
d.encourage(dg.minimise(total), weight=100)
