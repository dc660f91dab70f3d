"""An RC circuit: a rectangle of wires with electrical parts on it, each with a label."""

from eglantine import diagrams as dg

d = dg.Diagram(320, 240)
left, right, top, bottom = (d.line(name=n) for n in ("left", "right", "top", "bottom"))
for line, after in ((left, top), (top, right), (right, bottom), (bottom, left)):
    d.ensure(dg.equal(line.end, after.start))
d.ensure(dg.vertical(left), dg.vertical(right), dg.horizontal(top), dg.horizontal(bottom))
d.ensure(top.y1 - bottom.y1 > 130, right.x1 - left.x1 > 190)
source = d.circle(r=18, name="source", fill="#ffffff", layer=1)
resistor = d.rectangle(width=56, height=18, name="resistor", fill="#ffffff", layer=1)
capacitor = [d.line(stroke_width=3, name=n, layer=2) for n in ("plate 1", "plate 2")]
gap = d.rectangle(height=10, width=40, name="gap", fill="#ffffff", stroke="none", layer=1)
d.ensure(dg.equal(source, ((left.x1 + left.x2) / 2, (left.y1 + left.y2) / 2)))
d.ensure(dg.equal(resistor, ((top.x1 + top.x2) / 2, (top.y1 + top.y2) / 2)))
d.ensure(dg.equal(gap, ((right.x1 + right.x2) / 2, (right.y1 + right.y2) / 2)))
for plate, side in zip(capacitor, (5, -5), strict=False):
    d.ensure(dg.equal(plate.centre, (gap.x, gap.y + side)), dg.horizontal(plate), plate.x2 - plate.x1 == 40)
for name, part in (("V", source), ("R", resistor), ("C", gap)):
    label = d.text(name, name=f"label {name}", layer=3)
    d.ensure(dg.disjoint(label, part, 6))
    d.encourage(dg.near(label, part), dg.near(label, (0, 0)), weight=0.1)
d.encourage(dg.centred(((left.x1 + right.x1) / 2, (top.y1 + bottom.y1) / 2)))
