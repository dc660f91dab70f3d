"""A graph with edges of equal length, nodes that keep apart, and a label beside each node."""

from itertools import combinations

from eglantine import diagrams as dg

d = dg.Diagram(360, 300, seed=5)
edges = ["ab", "bc", "ca", "cd", "de", "ef", "fd", "bg", "gh"]
nodes = {n: d.circle(r=7, name=n, layer=1) for n in "abcdefgh"}
lines = [d.line(nodes[e[0]], nodes[e[1]], name=e) for e in edges]
for a, b in combinations(nodes.values(), 2):
    d.encourage(dg.repel(a, b), weight=3)
    d.ensure(dg.disjoint(a, b, 10))
for e in edges:
    d.encourage(dg.near(nodes[e[0]], nodes[e[1]], offset=60))
d.encourage(dg.minimal_crossings([(nodes[e[0]], nodes[e[1]]) for e in edges]))
with d.stage("labels"):
    for n, node in nodes.items():
        label = d.text(n, size=14, name=f"label {n}", layer=2)
        d.ensure(dg.at_distance(label, node, 3))
        for line in lines:
            d.ensure(dg.disjoint(label, line, 1))
