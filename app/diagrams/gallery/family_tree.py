"""A family tree. Children are below their parent, in order. A parent is above the middle of its children."""

import itertools

from eglantine import diagrams as dg

d = dg.Diagram(420, 280)
tree = {"Ada": ["Bo", "Cy", "Di"], "Bo": ["Ed", "Flo"], "Di": ["Gus", "Hal", "Ida"], "Cy": []}
boxes = {}
for name in ["Ada", *(child for children in tree.values() for child in children)]:
    box = boxes[name] = d.rectangle(width=44, height=26, name=name)
    d.text(name, x=box.x, y=box.y, size=13, name=f"label {name}", layer=1)
levels = [["Ada"], ["Bo", "Cy", "Di"], ["Ed", "Flo", "Gus", "Hal", "Ida"]]
for level in levels:
    for left, right in itertools.pairwise(level):
        d.ensure(dg.left_of(boxes[left], boxes[right], 8), boxes[left].y == boxes[right].y)
for parent, children in tree.items():
    for child in children:
        d.line((boxes[parent].x, boxes[parent].y - 13), (boxes[child].x, boxes[child].y + 13))
        d.ensure(dg.equal(boxes[parent].y - boxes[child].y, 85))
    if children:
        middle = sum(boxes[c].x for c in children) / len(children)
        d.encourage(dg.equal(boxes[parent].x, middle))
d.encourage(dg.centred(boxes["Ada"], (0, 85)), weight=0.1)
for left, right in zip(levels[2], levels[2][1:], strict=False):
    d.encourage(dg.near(boxes[left], boxes[right]), weight=0.05)
