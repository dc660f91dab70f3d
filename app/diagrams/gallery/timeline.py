"""A timeline: events at distances in proportion to time, with labels that do not overlap."""

from itertools import combinations

from eglantine import diagrams as dg

d = dg.Diagram(460, 240, seed=1)
years = {
    "Leibniz": 1676,
    "Linnainmaa": 1970,
    "Speelpenning": 1980,
    "Wengert": 1964,
    "Newton": 1665,
    "Griewank": 1989,
    "Cauchy": 1847,
}
first, last = min(years.values()), max(years.values())
axis = d.line((-210, 0), (210, 0), name="axis", arrow="end")
labels = []
for name, year in years.items():
    x = -200 + 390 * (year - first) / (last - first)
    mark = d.circle(x, 0, 4, name=name, fill="#b3472f", layer=1)
    label = d.text(f"{name} {year}", size=12, name=f"label {name}", layer=2)
    d.line(mark, label, stroke="#c4c4cc", stroke_width=1, layer=-1)
    d.ensure(dg.disjoint(label, axis, 12))
    d.encourage(dg.near(label, mark))
    labels.append(label)
for a, b in combinations(labels, 2):
    d.ensure(dg.disjoint(a, b, 4))
