"""Circles packed into the smallest circle that has room for them."""

from itertools import combinations

from eglantine import diagrams as dg

d = dg.Diagram(300, 300, seed=1)
disc = d.circle(name="disc", fill="#f4f4f7")
radii = (46, 40, 36, 30, 26, 22, 20, 16, 14, 12)
packed = [d.circle(r=r, name=f"packed {k}", layer=1) for k, r in enumerate(radii, 1)]
for one in packed:
    d.ensure(dg.contains(disc, one))
for a, b in combinations(packed, 2):
    d.ensure(dg.disjoint(a, b))
d.encourage(dg.minimise(disc.r), weight=20)
d.encourage(dg.centred(disc))
