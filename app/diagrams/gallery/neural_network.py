"""A neural network: layers of neurons, and a line between each neuron and each neuron of the next layer."""

import itertools

from eglantine import diagrams as dg

d = dg.Diagram(360, 260)
sizes = (3, 5, 4, 2)
layers = [[d.circle(r=11, name=f"neuron {k}.{j}", layer=1) for j in range(n)] for k, n in enumerate(sizes)]
for k, layer in enumerate(layers):
    for upper, lower in itertools.pairwise(layer):
        d.ensure(dg.equal(upper.y - lower.y, 44), upper.x == lower.x)
    d.ensure(layer[0].y == -1 * layer[-1].y)
    if k:
        d.ensure(dg.equal(layer[0].x - layers[k - 1][0].x, 100))
        for a in layers[k - 1]:
            for b in layer:
                d.line(a, b, stroke="#8a8a94", stroke_width=0.8, opacity=0.6)
d.ensure(layers[0][0].x == -1 * layers[-1][0].x)
