"""A train of gears. Each gear touches the next gear. The last gear is as near as possible to the first."""

import itertools

from eglantine import diagrams as dg

d = dg.Diagram(360, 280, seed=1)
radii = (60, 34, 46, 28)
gears = [d.circle(r=r, name=f"gear {k}") for k, r in enumerate(radii, 1)]
for a, b in itertools.pairwise(gears):
    d.ensure(dg.touching(a, b))
    d.line(a, b, stroke="#8a8a94", stroke_width=2, layer=1)
for k, a in enumerate(gears):
    d.circle(a.x, a.y, 4, fill="#1b1b1f", layer=2, name=f"axle {k + 1}")
    for b in gears[k + 2 :]:
        d.ensure(dg.disjoint(a, b, 6))
d.encourage(dg.near(gears[0], gears[-1]), weight=0.2)
d.encourage(dg.centred(gears[0], (-60, 20)), weight=0.1)
