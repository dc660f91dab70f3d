"""An Euler diagram: subsets lie inside their sets, and disjoint sets lie apart."""

from eglantine import diagrams as dg

d = dg.Diagram(400, 300)
names = ["Animals", "Mammals", "Birds", "Dogs", "Cats", "Pets"]
subsets = [("Mammals", "Animals"), ("Birds", "Animals"), ("Dogs", "Mammals"), ("Cats", "Mammals")]
apart = [("Mammals", "Birds"), ("Dogs", "Cats")]
sets = {n: d.circle(name=n, opacity=0.6, layer=k) for k, n in enumerate(names)}
labels = {n: d.text(n, size=12, layer=9, name=f"label {n}") for n in names}
for inner, outer in subsets:
    d.ensure(dg.contains(sets[outer], sets[inner], 6), dg.disjoint(labels[outer], sets[inner], 2))
for a, b in apart:
    d.ensure(dg.disjoint(sets[a], sets[b], 4))
d.ensure(dg.overlapping(sets["Pets"], sets["Birds"], 18), dg.overlapping(sets["Pets"], sets["Dogs"], 12))
d.ensure(dg.disjoint(labels["Animals"], sets["Pets"], 2), dg.disjoint(labels["Mammals"], sets["Pets"], 2))
d.ensure(dg.disjoint(labels["Birds"], sets["Pets"]), dg.disjoint(labels["Dogs"], sets["Pets"]))
d.ensure(dg.disjoint(labels["Pets"], sets["Birds"]), dg.disjoint(labels["Pets"], sets["Mammals"]))
for n in names:
    d.ensure(dg.contains(sets[n], labels[n], 3), sets[n].r < 130)
d.encourage(dg.centred(sets["Animals"]), weight=0.1)
