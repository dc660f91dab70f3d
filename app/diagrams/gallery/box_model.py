"""CSS's box model: boxes for content, padding, border and margin, from the inside to the outside."""

import itertools

from eglantine import diagrams as dg

d = dg.Diagram(360, 260)
fills = {"margin": "#f6e3c5", "border": "#f3d08a", "padding": "#cfe0c3", "content": "#c9dcf5"}
boxes = [d.rectangle(name=name, fill=fill, layer=k) for k, (name, fill) in enumerate(fills.items())]
for outer, inner in itertools.pairwise(boxes):
    d.ensure(dg.equal(outer, inner), outer.width - inner.width == 52, outer.height - inner.height == 52)
for box, under in zip(boxes, [*boxes[1:], None], strict=False):
    label = d.text(box.name, size=13, layer=9, name=f"label {box.name}")
    d.ensure(dg.contains(box, label, 2))
    if under:
        d.ensure(dg.disjoint(label, under, 4), label.x == box.x)
    else:
        d.ensure(dg.equal(label, box))
d.ensure(boxes[0].width == 330, boxes[0].height == 230)
d.encourage(dg.centred(boxes[0]))
