"""A water molecule: two bonds of the same length, with an angle of 104.5 degrees between them."""

import math

from eglantine import diagrams as dg

d = dg.Diagram(280, 220)
oxygen = d.circle(r=30, name="O", fill="#d9705f", layer=1)
hydrogens = [d.circle(r=19, name=n, fill="#f4f4f7", layer=2) for n in ("H1", "H2")]
for atom in (oxygen, *hydrogens):
    d.text(atom.name[0], x=atom.x, y=atom.y, layer=3, name=f"label {atom.name}")
bonds = [((h.x - oxygen.x) / 80, (h.y - oxygen.y) / 80) for h in hydrogens]
for u in bonds:
    d.ensure(u[0] ** 2 + u[1] ** 2 == 1)
d.ensure(bonds[0][0] * bonds[1][0] + bonds[0][1] * bonds[1][1] == math.cos(math.radians(104.5)))
d.ensure(dg.horizontal(tuple(hydrogens)), dg.above(oxygen, hydrogens[0]), dg.left_of(*hydrogens))
d.encourage(dg.centred(((hydrogens[0].x + hydrogens[1].x + oxygen.x) / 3, oxygen.y / 2 + hydrogens[0].y / 2)))
