"""Trees on an island. All trees are inside the shore, and as far apart as possible."""

from itertools import combinations

from eglantine import diagrams as dg

d = dg.Diagram(340, 260, seed=3)
shore = [(-140, -20), (-100, 80), (-20, 40), (60, 100), (140, 40), (110, -60), (30, -30), (-40, -100)]
island = d.polygon(shore, name="island", fill="#cfe0c3", stroke="#2f7d4f")
trees = [d.circle(r=7, name=f"tree {k}", fill="#2f7d4f", layer=1) for k in range(1, 13)]
for tree in trees:
    d.ensure(dg.inside_polygon(tree, island, 10))
for a, b in combinations(trees, 2):
    d.ensure(dg.disjoint(a, b, 4))
    d.encourage(dg.repel(a, b))
