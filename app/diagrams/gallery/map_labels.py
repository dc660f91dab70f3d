"""Labels on a map. Each label is beside its town. No label covers a town or another label."""

from itertools import combinations

from eglantine import diagrams as dg

d = dg.Diagram(340, 260, seed=2)
places = {
    "Alder": (-100, 60),
    "Birch": (-60, 75),
    "Cedar": (-80, 20),
    "Dogwood": (10, 40),
    "Elm": (30, 55),
    "Fir": (90, 10),
    "Gorse": (60, -40),
    "Hazel": (80, -50),
    "Ivy": (-60, -60),
    "Juniper": (-20, -75),
}
towns = {name: d.circle(*place, 4, name=name, fill="#b3472f") for name, place in places.items()}
labels = {name: d.text(name, size=13, name=f"label {name}", layer=1) for name in places}
for name, label in labels.items():
    d.encourage(dg.near(label, towns[name]))
    d.ensure(dg.distance(label, towns[name]) < 5)
    for town in towns.values():
        d.ensure(dg.disjoint(label, town, 1))
for a, b in combinations(labels.values(), 2):
    d.ensure(dg.disjoint(a, b, 2))
