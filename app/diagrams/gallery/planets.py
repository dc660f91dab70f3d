"""Planets on orbits whose sizes follow Kepler's third law. No label covers an orbit or another label."""

from eglantine import diagrams as dg

d = dg.Diagram(360, 360)
years = {"Mercury": 0.241, "Venus": 0.615, "Earth": 1.0, "Mars": 1.881}
sun = d.circle(0, 0, 14, name="Sun", fill="#f3c969")
unit = d.parameter("unit", 100.0)
before, before_label = sun, sun
for k, (name, year) in enumerate(years.items()):
    orbit = d.circle(0, 0, unit * year ** (2 / 3), name=f"orbit {name}", fill="none", stroke="#c4c4cc")
    planet = d.circle(r=4 + k, name=name, fill="#2b5c9e", layer=1)
    label = d.text(name, size=12, name=f"label {name}", layer=2)
    d.ensure(dg.on_curve(planet, orbit), dg.at_distance(planet, label, 3), dg.disjoint(label, sun, 3))
    d.ensure(dg.disjoint(planet, sun, 3))
    if k:
        d.encourage(dg.repel(planet, before))
        d.ensure(
            dg.disjoint(label, before_label, 4),
            dg.disjoint(planet, before_label, 4),
            dg.disjoint(label, before, 4),
        )
    before, before_label = planet, label
